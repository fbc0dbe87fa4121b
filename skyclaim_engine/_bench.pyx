# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True, embedsignature=True
"""Stop-watches inside the core, for `benchmarks/core.py`: what no loop in Python could measure.

Each answers in nanoseconds of processor time for one operation, averaged over the boards given.
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from skyclaim_engine._board cimport (
    MAX_STEPS, SWAP, Board, BoardC, apply, legal, matched_of, step_kind, step_t, stream_draw, swaps_of,
)
from skyclaim_engine.stopwatch cimport nanoseconds, stay


cdef class Corpus:
    """Boards to measure over, with a legal swap for each that has one."""

    cdef BoardC* boards
    cdef step_t* chosen
    cdef step_t* room
    cdef readonly int size
    cdef readonly double mean_steps

    def __cinit__(self, list boards, uint64_t seed=1):
        cdef step_t* steps
        cdef int i, j, n, swaps_there
        cdef uint64_t stream = seed
        self.boards = <BoardC*>malloc(max(1, len(boards)) * sizeof(BoardC))
        self.chosen = <step_t*>malloc(max(1, len(boards)) * sizeof(step_t))
        self.room = steps = <step_t*>malloc(MAX_STEPS * sizeof(step_t))
        if self.boards == NULL or self.chosen == NULL or self.room == NULL:
            raise MemoryError
        for board in boards:
            self.boards[self.size] = (<Board?>board).c
            n = legal(&self.boards[self.size], steps)
            swaps_there = 0
            for j in range(n):
                if step_kind(steps[j]) == SWAP:
                    steps[swaps_there] = steps[j]
                    swaps_there += 1
            if swaps_there:
                self.mean_steps += n
                self.chosen[self.size] = steps[stream_draw(&stream, swaps_there)]
                self.size += 1
        self.mean_steps /= max(1, self.size)

    def __dealloc__(self):
        free(self.boards)
        free(self.chosen)
        free(self.room)

    def matched(self, int repeats):
        """All matched squares of a board at rest."""
        cdef double begin = nanoseconds()
        cdef uint64_t sink = 0
        cdef int r, i
        with nogil:
            for r in range(repeats):
                for i in range(self.size):
                    sink += matched_of(&self.boards[i].stars).a
        return (nanoseconds() - begin) / (repeats * self.size) + 0 * sink

    def swaps(self, int repeats):
        """All legal swaps of a board, as two masks, before land is taken off."""
        cdef double begin = nanoseconds()
        cdef uint64_t sink = 0
        cdef int r, i
        with nogil:
            for r in range(repeats):
                for i in range(self.size):
                    sink += swaps_of(&self.boards[i]).up.a
        return (nanoseconds() - begin) / (repeats * self.size) + 0 * sink

    def legal(self, int repeats):
        """All legal steps of a position, listed."""
        cdef double begin = nanoseconds()
        cdef uint64_t sink = 0
        cdef int r, i
        with nogil:
            for r in range(repeats):
                for i in range(self.size):
                    sink += legal(&self.boards[i], self.room)
        return (nanoseconds() - begin) / (repeats * self.size) + 0 * sink

    def copy(self, int repeats):
        """A position copied."""
        cdef double begin = nanoseconds()
        cdef BoardC[8] there
        cdef int r, i
        with nogil:
            for r in range(repeats):
                for i in range(self.size):
                    memcpy(&there[i & 7], &self.boards[i], sizeof(BoardC))
                    stay(&there)
        return (nanoseconds() - begin) / (repeats * self.size)

    def swap(self, int repeats):
        """A copy, a swap with its whole cascade, what it pays, and the end of the turn."""
        cdef double begin = nanoseconds()
        cdef uint64_t stream = 77
        cdef BoardC there
        cdef int r, i
        with nogil:
            for r in range(repeats):
                for i in range(self.size):
                    there = self.boards[i]
                    apply(&there, self.chosen[i], &stream, NULL)
        return (nanoseconds() - begin) / (repeats * self.size)

    def playout(self, int repeats):
        """One ply of a random game: all legal steps listed, one drawn and played. Begins anew at the end of a game."""
        cdef double begin = nanoseconds()
        cdef uint64_t stream = 78
        cdef long plies = 0
        cdef BoardC there
        cdef int r, i, n
        with nogil:
            for i in range(self.size):
                there = self.boards[i]
                for r in range(repeats):
                    n = legal(&there, self.room)
                    if n == 0:
                        there = self.boards[i]
                        continue
                    apply(&there, self.room[stream_draw(&stream, n)], &stream, NULL)
                    plies += 1
        return (nanoseconds() - begin) / plies
