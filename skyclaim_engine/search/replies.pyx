# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True, embedsignature=True
"""What others could do about a step, over any game's C table: every reply of the next seat is tried.

What the seat cannot know is drawn, as in every search: what is hidden from the observation, and all chance, from a stream
of the caller's own. Where all seats decide at once, the replies are the single orders that another seat may give meanwhile.
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from skyclaim_engine.game cimport EXPERT, JOINT, MAX_SEATS, GameTable, step_t, table_of


cdef class _Sample:
    """One truth, and what the seat is worth in it after its step and a reply."""

    cdef const GameTable* game
    cdef char* truth
    cdef char* after
    cdef step_t* steps
    cdef uint64_t stream
    cdef int seat

    def __cinit__(self, observation, int seat, uint64_t stream):
        cdef bytes raw = observation.raw()
        self.game = table_of(observation.game.table)
        self.seat, self.stream = seat, stream
        self.truth = <char*>malloc(2 * self.game.size)
        self.steps = <step_t*>malloc(self.game.max_steps * sizeof(step_t))
        if self.truth == NULL or self.steps == NULL:
            raise MemoryError
        self.after = self.truth + self.game.size
        self.game.imagine(<char*>raw, seat, &self.stream, self.truth)

    def __dealloc__(self):
        free(self.truth)
        free(self.steps)

    cdef double worth(self, const void* position) noexcept:
        cdef double[MAX_SEATS] shares
        if self.game.mover(position):
            return self.game.win(self.game.evaluate(position, self.seat, EXPERT))
        self.game.scores(position, shares)
        return shares[self.seat - 1]

    cdef double played(self, const step_t* steps) noexcept:
        """The worth after steps in this truth. All of a sample meet the same chance."""
        cdef uint64_t own = self.stream
        memcpy(self.after, self.truth, self.game.size)
        self.game.apply(self.after, steps, &own, NULL)
        return self.worth(self.after)

    cdef tuple in_turn(self, step_t step):
        """The step is played, then each reply of the seat that comes next, if it is another one."""
        cdef int mover, i, n
        cdef dict found = {}
        self.game.apply(self.truth, &step, &self.stream, NULL)
        mover = self.game.mover(self.truth)
        if mover > 0 and mover != self.seat:
            n = self.game.legal(self.truth, mover, self.steps)
            for i in range(n):
                found[mover, self.steps[i]] = self.played(&self.steps[i])
        return self.worth(self.truth), found

    cdef tuple at_once(self, step_t step, int seats):
        """Beside the step each single order of every other seat is played, and before that none of them."""
        cdef step_t[MAX_SEATS] chosen
        cdef int other, i, n
        cdef dict found = {}
        memset(chosen, 0, sizeof(chosen))
        chosen[self.seat - 1] = step
        win = self.played(chosen)
        for other in range(1, seats + 1):
            if other == self.seat:
                continue
            n = self.game.legal(self.truth, other, self.steps)
            for i in range(n):
                chosen[other - 1] = self.steps[i]
                found[other, self.steps[i]] = self.played(chosen)
            chosen[other - 1] = 0
        return win, found


def replies(observation, int seat, step_t step, uint64_t seed):
    """In one sample: the worth (0..1) of the step of ``seat``, and its worth after each reply, by (seat, step) of that.

    There are none where the seat itself decides again, or nobody does.
    """
    cdef _Sample sample = _Sample(observation, seat, seed)
    if sample.game.mover(sample.truth) == JOINT:
        return sample.at_once(step, observation.seats)
    return sample.in_turn(step)


def gain(observation, int seat, step_t step, uint64_t seed, int samples):
    """What a step that one seat decides adds to its worth (0..1) at once, the mean of so many samples."""
    cdef _Sample sample
    cdef double before, sum = 0
    cdef int i
    for i in range(samples):
        sample = _Sample(observation, seat, seed + i * <uint64_t>0xD1342543DE82EF95)
        before = sample.worth(sample.truth)
        sum += sample.played(&step) - before
    return sum / samples


def is_free(table, step_t step):
    """Whether the seat is asked again after the step, which is made besides its decision proper."""
    return bool(table_of(table).is_free(step))
