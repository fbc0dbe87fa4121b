# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True, embedsignature=True
"""Games of quick players over any two-seat game's C table: some ten thousand steps a second, whose results tell weights apart.

A quick player looks one step ahead: one sample of each legal step, then a few more of the best, and takes the best mean.
It judges as an expert does, or by the rival's weights (`RIVAL` in `game.pxd`).
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from skyclaim_engine.game cimport EXPERT, MAX_SEATS, RIVAL, GameTable, step_t, table_of
from skyclaim_engine.mixing cimport mixed

cdef enum:
    BEST = 8   # steps that a quick player looks at again
    AGAIN = 3  # and how often

#: what a free step has to gain, in units of the evaluation
cdef double FREE_GAIN = 0.25


cdef struct Room:
    const GameTable* game
    char* here
    char* after
    step_t* steps
    double* value


cdef double tried(Room* r, int seat, step_t step, int knowledge, uint64_t stream) noexcept nogil:
    memcpy(r.after, r.here, r.game.size)
    r.game.apply(r.after, &step, &stream, NULL)
    return r.game.evaluate(r.after, seat, knowledge) - (FREE_GAIN if r.game.is_free(step) else 0)

cdef step_t quick(Room* r, int seat, int knowledge, uint64_t stream) noexcept nogil:
    """The step of a quick player."""
    cdef int n = r.game.legal(r.here, seat, r.steps), i, j, most = 0, shortlist = BEST if n > BEST else n
    cdef double value
    cdef step_t step
    for i in range(n):
        r.value[i] = tried(r, seat, r.steps[i], knowledge, stream)
    for i in range(shortlist):
        most = i
        for j in range(i + 1, n):
            if r.value[j] > r.value[most]:
                most = j
        step, value = r.steps[i], r.value[i]
        r.steps[i], r.value[i] = r.steps[most], r.value[most]
        r.steps[most], r.value[most] = step, value
    most = 0
    for i in range(shortlist):
        for j in range(AGAIN):
            r.value[i] += tried(r, seat, r.steps[i], knowledge, mixed(stream, j + 1))
        if r.value[i] > r.value[most]:
            most = i
    return r.steps[most]

cdef void play(Room* r, int rival, uint64_t seed) noexcept nogil:
    cdef int seat = r.game.mover(r.here)
    cdef uint64_t number = 0, chance
    cdef step_t step
    while seat > 0:
        step = quick(r, seat, RIVAL if seat == rival else EXPERT, mixed(seed, number))
        chance = mixed(seed, number + 1)
        r.game.apply(r.here, &step, &chance, NULL)
        number += 2
        seat = r.game.mover(r.here)


def duel(position, uint64_t seed, int rival):
    """Play on from ``position`` to the end, the seat ``rival`` by the rival's weights; each seat's share of the win.

    All chance comes from ``seed``. Raises ValueError where all seats decide at once.
    """
    cdef bytes raw = position.raw()
    cdef double[MAX_SEATS] scores
    cdef Room r
    cdef int i
    if position.game.info.simultaneous:
        raise ValueError(f"{position.game.info.name} has no quick players: all seats decide at once")
    r.game = table_of(position.game.table)
    r.here = <char*>malloc(2 * r.game.size)
    r.after = r.here + r.game.size
    r.steps = <step_t*>malloc(r.game.max_steps * sizeof(step_t))
    r.value = <double*>malloc(r.game.max_steps * sizeof(double))
    try:
        if r.here == NULL or r.steps == NULL or r.value == NULL:
            raise MemoryError
        memcpy(r.here, <char*>raw, r.game.size)
        with nogil:
            play(&r, rival, seed)
        r.game.scores(r.here, scores)
    finally:
        free(r.here)
        free(r.steps)
        free(r.value)
    return [scores[i] for i in range(position.seats)]
