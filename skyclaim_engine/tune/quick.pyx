# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True, embedsignature=True
"""Games of quick players over any two-seat game's C table: some ten thousand steps a second, whose results tell weights apart.

A quick player tries each legal step once, and the best of them again with the most promising replies: the same two ways
to look at a position, right after a step and before the next, that a search has, so that the weights serve both. The
side that is behind does not play a step again where it has played it before, as a bot does not (`search/tried.py`). A
quick player judges as an expert does, or by the rival's weights (`RIVAL` in `game.pxd`).
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy

from skyclaim_engine.game cimport EXPERT, MAX_SEATS, RIVAL, GameTable, step_t, table_of
from skyclaim_engine.mixing cimport mixed

cdef enum:
    PROMISING = 40  # steps that a quick player tries
    BEST = 8        # of these, the ones that it looks at again
    AGAIN = 2       # how often
    REPLIES = 5     # and with how many of the most promising replies each time
    MEMORY = 4096   # places for what has been played, a power of two; three quarters of them are used at most

#: what a free step has to gain, in units of the evaluation
cdef double FREE_GAIN = 0.25


cdef struct Room:
    const GameTable* game
    char* here
    char* after
    char* later
    step_t* steps
    float* value
    step_t* replies
    float* promise
    # what has been played: hashes of situation, seat and step, 0 where there is none; and the hash of the first two now
    uint64_t* played
    int remembered
    uint64_t situation


cdef double tried(Room* r, int seat, step_t step, int knowledge, uint64_t stream) noexcept nogil:
    memcpy(r.after, r.here, r.game.size)
    r.game.apply(r.after, &step, &stream, NULL)
    return r.game.evaluate(r.after, seat, knowledge) - (FREE_GAIN if r.game.is_free(step) else 0)

cdef inline uint64_t name_of(const Room* r, step_t step) noexcept nogil:
    """What stands for a step in this situation; never 0."""
    return mixed(r.situation, step) | 1

cdef uint64_t* place_of(const Room* r, uint64_t name) noexcept nogil:
    """Where a name is remembered, or would be."""
    cdef uint64_t i = name >> 32 & (MEMORY - 1)
    while r.played[i] and r.played[i] != name:
        i = (i + 1) & (MEMORY - 1)
    return r.played + i

cdef void remember(Room* r, uint64_t name) noexcept nogil:
    cdef uint64_t* place = place_of(r, name)
    if place[0] == 0 and r.remembered < MEMORY * 3 // 4:
        place[0] = name
        r.remembered += 1

cdef int untried(Room* r, int n) noexcept nogil:
    """Keep those of the steps that were not played in this situation, if there are any; returns how many there are."""
    cdef int i, kept = 0
    cdef step_t step
    for i in range(n):
        step = r.steps[i]
        if place_of(r, name_of(r, step))[0] == 0:
            r.steps[i], r.steps[kept] = r.steps[kept], step
            kept += 1
    return kept if kept else n

cdef void lift(step_t* steps, float* worth, int i, int n) noexcept nogil:
    """The best step from the i-th on changes places with the i-th."""
    cdef int best = i, j
    cdef step_t step = steps[i]
    cdef float value = worth[i]
    for j in range(i + 1, n):
        if worth[j] > worth[best]:
            best = j
    steps[i], worth[i] = steps[best], worth[best]
    steps[best], worth[best] = step, value

cdef double replied(Room* r, int seat, step_t step, int knowledge, uint64_t stream) noexcept nogil:
    """What a seat may expect (0..1) of a step and of the best reply, or of what it does next itself if that was free."""
    cdef uint64_t chance = stream
    cdef int mover, n, i
    cdef double value, best = -1
    cdef step_t reply
    memcpy(r.after, r.here, r.game.size)
    r.game.apply(r.after, &step, &chance, NULL)
    mover = r.game.mover(r.after)
    if mover == 0:
        return r.game.win(r.game.evaluate(r.after, seat, knowledge))
    n = r.game.legal(r.after, mover, r.replies)
    r.game.priors(r.after, r.replies, n, knowledge, r.promise)
    for i in range(REPLIES if n > REPLIES else n):
        lift(r.replies, r.promise, i, n)
        reply = r.replies[i]
        chance = mixed(stream, 7)  # all replies meet the same
        memcpy(r.later, r.after, r.game.size)
        r.game.apply(r.later, &reply, &chance, NULL)
        value = r.game.win(r.game.evaluate(r.later, mover, knowledge))
        best = value if value > best else best
    return best if mover == seat else 1 - best

cdef step_t quick(Room* r, int seat, int knowledge, uint64_t stream) noexcept nogil:
    """The step of a quick player."""
    cdef int n = r.game.legal(r.here, seat, r.steps), i, j, best = 0
    r.situation = mixed(r.game.situation(r.here), seat)
    if r.game.lead(r.here, seat) <= 0:
        n = untried(r, n)
    if n > PROMISING:
        r.game.priors(r.here, r.steps, n, knowledge, r.value)
        for i in range(PROMISING):
            lift(r.steps, r.value, i, n)
        n = PROMISING
    for i in range(n):
        r.value[i] = tried(r, seat, r.steps[i], knowledge, stream)
    for i in range(BEST if n > BEST else n):
        lift(r.steps, r.value, i, n)
        r.value[i] = 0
        for j in range(AGAIN):
            r.value[i] += replied(r, seat, r.steps[i], knowledge, mixed(stream, j + 1))
        if r.value[i] > r.value[best]:
            best = i
    remember(r, name_of(r, r.steps[best]))
    return r.steps[best]

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

    All chance comes from ``seed``. Raises ValueError for a game without priors, situations or a lead.
    """
    cdef bytes raw = position.raw()
    cdef double[MAX_SEATS] scores
    cdef Room r
    cdef int i
    r.game = table_of(position.game.table)
    if r.game.priors == NULL or r.game.situation == NULL or r.game.lead == NULL:
        raise ValueError(f"{position.game.info.name} has no quick players")
    r.here = <char*>malloc(3 * r.game.size)
    r.after = r.here + r.game.size
    r.later = r.after + r.game.size
    r.replies = <step_t*>malloc(r.game.max_steps * sizeof(step_t))
    r.promise = <float*>malloc(r.game.max_steps * sizeof(float))
    r.played, r.remembered = <uint64_t*>calloc(MEMORY, sizeof(uint64_t)), 0
    r.steps = <step_t*>malloc(r.game.max_steps * sizeof(step_t))
    r.value = <float*>malloc(r.game.max_steps * sizeof(float))
    try:
        if not (r.here and r.steps and r.value and r.replies and r.promise and r.played):
            raise MemoryError
        memcpy(r.here, <char*>raw, r.game.size)
        with nogil:
            play(&r, rival, seed)
        r.game.scores(r.here, scores)
    finally:
        free(r.here)
        free(r.steps)
        free(r.value)
        free(r.replies)
        free(r.promise)
        free(r.played)
    return [scores[i] for i in range(position.seats)]
