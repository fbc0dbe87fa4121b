# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Baselines for Skyclaim alone: the greedy player, and sequential halving with two greedy steps behind each sample.

Greedy takes what is most in squares at once: the stars that a swap matches in its first wave, the land that a claim takes
(a square of land counts as LAND stars), a drone taken or a turret rammed (TAKEN). It knows no danger and no plan, and
draws among equals.
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from skyclaim_engine._board cimport (
    CLAIM, MAX_STEPS, RAM, SWAP, TAKE, BoardC, Stars, claimed_from, count, legal, matched, step_kind, swap_stars,
)
from skyclaim_engine.game cimport RIVAL, GameTable, step_t, table_of
from skyclaim_engine.mixing cimport mixed
from skyclaim_engine.stopwatch cimport seconds_now

cdef enum:
    LAND = 3
    TAKEN = 12
    REPLIES = 2


cdef step_t greedy_step(const BoardC* b, step_t* steps, uint64_t seed) noexcept nogil:
    """The step of the greedy player; ``steps`` is room for the legal ones."""
    cdef int n = legal(b, steps), i, kind, start, gain, most = -1
    cdef uint64_t lot, luck = 0
    cdef step_t best = steps[0]
    cdef Stars stars
    for i in range(n):
        kind, start = step_kind(steps[i]), (steps[i] >> 8) & 255
        gain = 0
        if kind == SWAP:
            stars = b.stars
            swap_stars(&stars, start, steps[i] & 255)
            gain = count(matched(&stars))
        elif kind == CLAIM:
            gain = LAND * count(claimed_from(b, start))
        elif kind == TAKE or kind == RAM:
            gain = TAKEN
        lot = mixed(seed, i)
        if gain > most or (gain == most and lot > luck):
            best, most, luck = steps[i], gain, lot
    return best


cdef struct Entry:
    step_t step
    double value      # the sum of its samples


cdef struct Race:
    const GameTable* game
    BoardC root
    BoardC truth
    BoardC after
    Entry* entries
    step_t* steps
    int alive
    int seat
    uint64_t seed
    long samples


cdef void sample(Race* r) noexcept nogil:
    """One sample of every step in the race, all with the same chance: the step, two greedy ones, the evaluation."""
    cdef uint64_t stream = mixed(r.seed, r.samples), own
    cdef step_t step
    cdef int i, reply
    r.game.imagine(&r.root, r.seat, &stream, &r.truth)
    for i in range(r.alive):
        r.after, own = r.truth, stream
        r.game.apply(&r.after, &r.entries[i].step, &own, NULL)
        for reply in range(REPLIES):
            if r.after.result:
                break
            step = greedy_step(&r.after, r.steps, own)
            r.game.apply(&r.after, &step, &own, NULL)
        r.entries[i].value += r.game.win(r.game.evaluate(&r.after, r.seat, RIVAL))
    r.samples += 1

cdef void halve(Race* r) noexcept nogil:
    """The better half stays, best first; all have had the same number of samples."""
    cdef int i, j, best, keep = (r.alive + 1) // 2
    cdef Entry entry
    for i in range(keep):
        best = i
        for j in range(i + 1, r.alive):
            if r.entries[j].value > r.entries[best].value:
                best = j
        entry = r.entries[i]
        r.entries[i] = r.entries[best]
        r.entries[best] = entry
    r.alive = keep

cdef void run(Race* r, double begin, double seconds) noexcept nogil:
    """Rounds of the same length until one step is left, each with a sample at least."""
    cdef int rounds = 0, number = 0, n = r.alive
    while n > 1:
        n, rounds = (n + 1) // 2, rounds + 1
    while r.alive > 1:
        number += 1
        while True:
            sample(r)
            if seconds_now() >= begin + seconds * number / rounds:
                break
        halve(r)


def greedy(view, uint64_t seed):
    """The number of the greedy player's step in a position of Skyclaim."""
    cdef bytes raw = view.raw()
    cdef BoardC board
    cdef step_t* steps = <step_t*>malloc(MAX_STEPS * sizeof(step_t))
    cdef step_t step
    if steps == NULL:
        raise MemoryError
    memcpy(&board, <char*>raw, sizeof(BoardC))
    step = greedy_step(&board, steps, seed)
    free(steps)
    return step


def halving(view, int seat, uint64_t seed, double seconds):
    """The number of the step that wins the race, judged by the rival's weights."""
    cdef double begin = seconds_now()
    cdef bytes raw = view.raw()
    cdef list numbers = list(view.steps().values())
    cdef Race r
    cdef int i
    r.game = table_of(view.game.table)
    r.steps = <step_t*>malloc(MAX_STEPS * sizeof(step_t))
    r.entries = <Entry*>malloc(max(1, len(numbers)) * sizeof(Entry))
    try:
        if r.steps == NULL or r.entries == NULL:
            raise MemoryError
        memcpy(&r.root, <char*>raw, sizeof(BoardC))
        r.seat, r.seed, r.samples, r.alive = seat, seed, 0, len(numbers)
        for i in range(r.alive):
            r.entries[i].step, r.entries[i].value = numbers[i], 0
        with nogil:
            run(&r, begin, seconds)
        return r.entries[0].step
    finally:
        free(r.steps)
        free(r.entries)
