# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True, embedsignature=True
"""Stop-watches inside the core of Rockets, for `benchmarks/core.py`.

Each answers in nanoseconds of processor time for one operation, averaged over the boards given.
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc

from skyclaim_engine.game cimport step_t
from skyclaim_engine.games.rockets._core cimport (
    MAX_STEPS, Board, BoardC, apply, legal, list_flights, list_traces, stream_draw,
)
from skyclaim_engine.games.rockets.evaluate cimport evaluate
from skyclaim_engine.stopwatch cimport nanoseconds


cdef class Corpus:
    """Boards to measure over, with a legal step for each that is not over."""

    cdef BoardC* boards
    cdef step_t* chosen
    cdef readonly int size
    cdef readonly double mean_steps

    def __cinit__(self, list boards, uint64_t seed=1):
        cdef step_t[MAX_STEPS] steps
        cdef uint64_t stream = seed
        cdef int n
        self.boards = <BoardC*>malloc(max(1, len(boards)) * sizeof(BoardC))
        self.chosen = <step_t*>malloc(max(1, len(boards)) * sizeof(step_t))
        if self.boards == NULL or self.chosen == NULL:
            raise MemoryError
        for board in boards:
            self.boards[self.size] = (<Board?>board).c
            n = legal(&self.boards[self.size], steps)
            if n:
                self.mean_steps += n
                self.chosen[self.size] = steps[stream_draw(&stream, n)]
                self.size += 1
        self.mean_steps /= max(1, self.size)

    def __dealloc__(self):
        free(self.boards)
        free(self.chosen)

    def apply(self, int repeats):
        """A copy and a step with all that follows from it."""
        cdef double begin = nanoseconds()
        cdef uint64_t stream = 77
        cdef BoardC there
        cdef int r, i
        with nogil:
            for r in range(repeats):
                for i in range(self.size):
                    there = self.boards[i]
                    apply(&there, self.chosen[i], -1, &stream, NULL)
        return (nanoseconds() - begin) / (repeats * self.size)

    def legal(self, int repeats):
        """All listed legal steps of a position."""
        cdef double begin = nanoseconds()
        cdef step_t[MAX_STEPS] steps
        cdef uint64_t sink = 0
        cdef int r, i
        with nogil:
            for r in range(repeats):
                for i in range(self.size):
                    sink += legal(&self.boards[i], steps)
        return (nanoseconds() - begin) / (repeats * self.size) + 0 * sink

    def playout(self, int repeats):
        """One ply of a random game: all legal steps listed, one drawn and played. Begins anew at the end of a game."""
        cdef double begin = nanoseconds()
        cdef step_t[MAX_STEPS] steps
        cdef uint64_t stream = 78
        cdef long plies = 0
        cdef BoardC there
        cdef int r, i, n
        with nogil:
            for i in range(self.size):
                there = self.boards[i]
                for r in range(repeats):
                    n = legal(&there, steps)
                    if n == 0:
                        there = self.boards[i]
                        continue
                    apply(&there, steps[stream_draw(&stream, n)], -1, &stream, NULL)
                    plies += 1
        return (nanoseconds() - begin) / plies

    def evaluate(self, int repeats):
        """The static evaluation for the pilot on turn."""
        cdef double begin = nanoseconds()
        cdef double sink = 0
        cdef int r, i
        with nogil:
            for r in range(repeats):
                for i in range(self.size):
                    sink += evaluate(&self.boards[i], self.boards[i].order[0])
        return (nanoseconds() - begin) / (repeats * self.size) + 0 * sink

    def flights(self, int repeats):
        """All distinct flights with the white die of each board (boards where a pilot flies only)."""
        cdef double begin = nanoseconds()
        cdef uint64_t[1120] paths
        cdef uint64_t sink = 0
        cdef int r, i
        with nogil:
            for r in range(repeats):
                for i in range(self.size):
                    sink += list_flights(&self.boards[i], paths)
        return (nanoseconds() - begin) / (repeats * self.size) + 0 * sink

    def traces(self, int repeats):
        """All distinct traces of a red 6 by the pilot on turn (boards where rockets fly only)."""
        cdef double begin = nanoseconds()
        cdef uint64_t[32] paths
        cdef uint64_t sink = 0
        cdef int r, i
        with nogil:
            for r in range(repeats):
                for i in range(self.size):
                    sink += list_traces(&self.boards[i], self.boards[i].order[0], 6, paths)
        return (nanoseconds() - begin) / (repeats * self.size) + 0 * sink
