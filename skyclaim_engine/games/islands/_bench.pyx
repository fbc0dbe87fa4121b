# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True, embedsignature=True
"""Stop-watches inside Islands' core, for `benchmarks/core.py`: what no loop in Python could measure.

Each answers in nanoseconds of processor time for one operation, averaged over the boards given.
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc

from skyclaim_engine.game cimport step_t
from skyclaim_engine.games.islands._core cimport (
    LAST_ROUND, MAX_STEPS, MOST_SEATS, PLACES, Board, IslandsC, count_sets, legal, observe, random_set, resolve, stream_draw,
)
from skyclaim_engine.games.islands.evaluate cimport evaluate
from skyclaim_engine.stopwatch cimport nanoseconds, stay


cdef class Corpus:
    """Boards to measure over, with a random legal set for every seat of each."""

    cdef IslandsC* boards
    cdef step_t* chosen
    cdef readonly int size
    cdef readonly double mean_sets

    def __cinit__(self, list boards, uint64_t seed=1):
        cdef uint64_t stream = seed
        cdef int i, seat
        self.boards = <IslandsC*>malloc(max(1, len(boards)) * sizeof(IslandsC))
        self.chosen = <step_t*>malloc(max(1, len(boards)) * MOST_SEATS * sizeof(step_t))
        if self.boards == NULL or self.chosen == NULL:
            raise MemoryError
        for board in boards:
            i = self.size
            self.boards[i] = (<Board?>board).c
            for seat in range(self.boards[i].seats):
                self.chosen[MOST_SEATS * i + seat] = random_set(&self.boards[i], seat, &stream)
            self.mean_sets += <double>count_sets(&self.boards[i], 0)
            self.size += 1
        self.mean_sets /= max(1, self.size)

    def __dealloc__(self):
        free(self.boards)
        free(self.chosen)

    def resolve(self, repeats):
        """A copy, and a round with random orders of every seat resolved."""
        cdef double begin = nanoseconds()
        cdef IslandsC there
        cdef int i
        for _ in range(repeats):
            with nogil:
                for i in range(self.size):
                    there = self.boards[i]
                    resolve(&there, self.chosen + MOST_SEATS * i, NULL)
                    stay(&there)
        return (nanoseconds() - begin) / (repeats * self.size)

    def play(self, repeats):
        """A copy, a random set of orders drawn for every seat, and the round."""
        cdef double begin = nanoseconds()
        cdef uint64_t stream = 79
        cdef step_t[MOST_SEATS] sets
        cdef IslandsC there
        cdef int i, seat
        for _ in range(repeats):
            with nogil:
                for i in range(self.size):
                    there = self.boards[i]
                    for seat in range(there.seats):
                        sets[seat] = random_set(&there, seat, &stream)
                    resolve(&there, sets, NULL)
                    stay(&there)
        return (nanoseconds() - begin) / (repeats * self.size)

    def sample(self, repeats):
        """A random legal set of orders of seat 1."""
        cdef double begin = nanoseconds()
        cdef uint64_t stream = 78
        cdef step_t taken
        cdef int i
        for _ in range(repeats):
            with nogil:
                for i in range(self.size):
                    taken = random_set(&self.boards[i], 0, &stream)
                    stay(&taken)
        return (nanoseconds() - begin) / (repeats * self.size)

    def legal(self, repeats):
        """The legal single orders of seat 1, listed."""
        cdef double begin = nanoseconds()
        cdef step_t[MAX_STEPS] steps
        cdef int i, n
        for _ in range(repeats):
            with nogil:
                for i in range(self.size):
                    n = legal(&self.boards[i], 0, steps)
                    stay(&n)
        return (nanoseconds() - begin) / (repeats * self.size)

    def count(self, repeats):
        """The count of the legal sets of seat 1."""
        cdef double begin = nanoseconds()
        cdef uint64_t n
        cdef int i
        for _ in range(repeats):
            with nogil:
                for i in range(self.size):
                    n = count_sets(&self.boards[i], 0)
                    stay(&n)
        return (nanoseconds() - begin) / (repeats * self.size)

    def copy(self, repeats):
        """A position copied."""
        cdef double begin = nanoseconds()
        cdef IslandsC[8] there
        cdef int i
        for _ in range(repeats):
            with nogil:
                for i in range(self.size):
                    there[i & 7] = self.boards[i]
                    stay(&there)
        return (nanoseconds() - begin) / (repeats * self.size)

    def observe(self, repeats):
        """What seat 1 sees."""
        cdef double begin = nanoseconds()
        cdef IslandsC there
        cdef int i
        for _ in range(repeats):
            with nogil:
                for i in range(self.size):
                    observe(&self.boards[i], 0, &there)
                    stay(&there)
        return (nanoseconds() - begin) / (repeats * self.size)

    def evaluate(self, repeats):
        """The static evaluation for seat 1."""
        cdef double begin = nanoseconds()
        cdef double value
        cdef int i
        for _ in range(repeats):
            with nogil:
                for i in range(self.size):
                    value = evaluate(&self.boards[i], 0)
                    stay(&value)
        return (nanoseconds() - begin) / (repeats * self.size)


def played(int count, int seats, uint64_t seed=1, int squads=0):
    """So many boards from random games; with ``squads``, seat 1 is given so many on the islands that it owns."""
    cdef step_t[MOST_SEATS] sets
    cdef uint64_t stream = seed
    cdef Board board, copy
    cdef list found = []
    cdef list places
    cdef int seat
    while len(found) < count:
        board, _ = Board.setup(stream, seats)
        stream_draw(&stream, 2)
        while board.c.round <= LAST_ROUND and len(found) < count:
            copy = board.copy()
            places = [place for place in range(PLACES) if copy.c.owned[0] >> place & 1]
            while places and copy.total(1) < squads:
                copy.c.squads[<int>places[stream_draw(&stream, len(places))]] += 1
            if copy.total(1) >= squads:
                found.append(copy)
            for seat in range(seats):
                sets[seat] = random_set(&board.c, seat, &stream)
            resolve(&board.c, sets, NULL)
    return found
