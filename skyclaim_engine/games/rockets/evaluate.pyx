# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True, embedsignature=True, freethreading_compatible=True
"""How well a pilot stands in Rockets, as the logarithm of its odds of winning, without search.

A hit moves a shield from one rocket to another, up or down the same for all. Were it a fair game of chance, each
would win with its part of all lives (the shields held and the rocket itself); so a pilot's chance is its weight's
part of all weights, and a weight is its lives, a little more where its spare shield can be fetched and less where
rivals are near. While a pilot attacks, what the red die may bring is averaged over its faces, for the best target and
the best trace.
"""

from libc.math cimport log
from libc.stdint cimport uint8_t, uint64_t

from skyclaim_engine.games.rockets._core cimport (
    AIM, MOST_PILOTS, NOWHERE, OVER, TRACE, Board, BoardC, bit, distances, list_traces, targets_of,
)

cdef extern from "games/rockets/_paths.h" nogil:
    int path_length(uint64_t path) noexcept
    int path_space(uint64_t path, int i) noexcept

cdef enum:
    LIVES    # shields held and the rocket
    SPARE    # the own shield on the board, by its distance
    DANGER   # rivals that may attack
    ATTACK   # the attack that is due
    TERMS

NAMES = ("lives", "spare", "danger", "attack")

cdef double FETCH = 0.6        # a spare shield under the own rocket, in lives
cdef double FETCH_FAR = 0.05   # what each move to it takes off
cdef double BURIED = 0.1       # one that cannot be reached now
cdef double EXPOSED = 0.5      # a rival on the next space, in lives
cdef double SAFE_FROM = 8.0    # from so many moves away a rival does no harm
cdef double LEAST = 0.1        # the least weight of a rocket
cdef double DECIDED = 20.0


cdef struct Weights:
    double[6] of
    int fallen   # who falls together with the last one, as a set


cdef double odds(const Weights* w, int pilot) noexcept nogil:
    """The logarithm of the pilot's odds."""
    cdef double rest = 0
    cdef int i, k = 0
    for i in range(MOST_PILOTS):
        if i != pilot:
            rest += w.of[i]
        k += w.fallen >> i & 1
    if rest + w.of[pilot] <= 0:  # all fell together and share the win
        if not w.fallen >> pilot & 1:
            return -DECIDED
        return DECIDED if k == 1 else -log(k - 1.0)
    if rest <= 0:
        return DECIDED
    return log(w.of[pilot] / rest) if w.of[pilot] > 0 else -DECIDED

cdef double chance(const Weights* w, int pilot) noexcept nogil:
    """The pilot's chance to win."""
    cdef double rest = 0
    cdef int i, k = 0
    for i in range(MOST_PILOTS):
        rest += w.of[i]
        k += w.fallen >> i & 1
    if rest <= 0:
        return 1.0 / k if w.fallen >> pilot & 1 else 0.0
    return w.of[pilot] / rest

cdef void weigh(const BoardC* b, int terms, Weights* w) noexcept nogil:
    """The weights with the terms up to this one."""
    cdef uint8_t[36] far
    cdef int i, j
    w.fallen = 0
    for i in range(MOST_PILOTS):
        w.of[i] = 0
        if not b.alive >> i & 1:
            continue
        w.of[i] = b.held[i] + 1
        if terms < SPARE or b.at[i] == NOWHERE:
            continue
        distances(b, b.at[i], far)
        if b.boarded[i] != NOWHERE:
            j = far[b.boarded[i]]
            w.of[i] += BURIED if j == NOWHERE else max(BURIED, FETCH - FETCH_FAR * j)
        for j in range(b.pilots if terms >= DANGER else 0):
            if j != i and b.alive >> j & 1 and b.at[j] != NOWHERE and far[b.at[j]] < SAFE_FROM and b.at[i] != b.at[j]:
                w.of[i] -= EXPOSED * (1 - far[b.at[j]] / SAFE_FROM)
        if w.of[i] < LEAST:
            w.of[i] = LEAST

cdef void lose(const BoardC* b, Weights* w, int pilot) noexcept nogil:
    """A pilot gives a shield or is destroyed."""
    w.of[pilot] = max(LEAST, w.of[pilot] - 1) if b.held[pilot] else 0

cdef Weights traced(const BoardC* b, const Weights* before, int by, uint64_t path) noexcept nogil:
    """After a trace."""
    cdef Weights w = before[0]
    cdef uint64_t spaces = 0
    cdef int i
    for i in range(path_length(path)):
        spaces |= bit(path_space(path, i))
    for i in range(b.pilots):
        if b.alive >> i & 1 and spaces >> b.at[i] & 1:
            if b.held[i]:
                w.of[by] += 1
            lose(b, &w, i)
    return w

cdef Weights exchanged(const BoardC* b, const Weights* before, int by, int target) noexcept nogil:
    """After a point-blank hit."""
    cdef Weights w = before[0]
    cdef int i
    cdef bint survives = b.held[by] > 0
    for i in range(b.pilots):
        if b.alive >> i & 1 and b.at[i] == b.at[target]:
            if not b.held[i]:
                w.of[i] = 0
                w.fallen |= 1 << i
            elif survives:
                w.of[by] += 1
                lose(b, &w, i)
    if not survives:
        w.of[by] = 0
        w.fallen |= 1 << by
    elif b.held[target]:
        w.of[by] = max(LEAST, w.of[by] - 1)
        w.of[target] += 1
    return w

cdef void best_trace(const BoardC* b, const Weights* w, int by, int die, const uint64_t* paths, int n,
                     Weights* out) noexcept nogil:
    """After the best of the traces that the die allows."""
    cdef Weights after
    cdef double best = -1, value
    cdef int i
    for i in range(n):
        if path_length(paths[i]) <= die:
            after = traced(b, w, by, paths[i])
            value = chance(&after, by)
            if value > best:
                best, out[0] = value, after

cdef double attack(const BoardC* b, const Weights* w, int pilot) noexcept nogil:
    """The pilot's odds with the attack that is due: the trace, or the best target and then the red die."""
    cdef uint64_t[32] paths
    cdef uint8_t[36] far
    cdef Weights after
    cdef int by = b.order[0], n, die, target, targets
    cdef double traces = 0, theirs = 0, sum, mine, best = -1, value = 0
    if b.phase == TRACE:
        n = list_traces(b, by, b.die, paths)
        best_trace(b, w, by, b.die, paths, n, &after)
        return odds(&after, pilot)
    n = list_traces(b, by, 6, paths)
    for die in range(3, 7):
        best_trace(b, w, by, die, paths, n, &after)
        traces += chance(&after, by)
        theirs += chance(&after, pilot)
    distances(b, b.at[by], far)
    targets = targets_of(b, by)
    for target in range(b.pilots):
        if not targets >> target & 1:
            continue
        mine, sum = traces, theirs
        after = exchanged(b, w, by, target)
        for die in range(1, 3):
            mine += chance(&after, by) if far[b.at[target]] <= die else chance(w, by)
            sum += chance(&after, pilot) if far[b.at[target]] <= die else chance(w, pilot)
        if mine > best:
            best, value = mine, sum / 6
    return log(value / (1 - value)) if 0 < value < 1 else DECIDED if value >= 1 else -DECIDED

cdef double level(const BoardC* b, int pilot, int terms) noexcept nogil:
    """The value with the terms up to this one."""
    cdef Weights w
    if not b.alive >> pilot & 1 and b.phase != OVER:
        return -DECIDED
    weigh(b, terms, &w)
    return attack(b, &w, pilot) if terms >= ATTACK and b.phase in (AIM, TRACE) else odds(&w, pilot)

cdef double evaluate(const BoardC* b, int pilot) noexcept nogil:
    """A pilot's value (0-based); a decided game is worth DECIDED, a shared one the share."""
    cdef Weights w
    cdef int i
    if b.phase == OVER:
        for i in range(MOST_PILOTS):
            w.of[i] = 0
        w.fallen = b.winners
        return odds(&w, pilot)
    return level(b, pilot, ATTACK)


def terms(Board board):
    """The terms by name for the pilot on turn, each as what it adds to those before, and their `sum`."""
    cdef int pilot = board.c.order[0], i
    cdef double before = 0, value
    cdef list found = []
    if board.c.phase == OVER:
        return [*((name, 0.0) for name in NAMES), ("sum", 0.0)]
    for i in range(TERMS):
        value = level(&board.c, pilot, i)
        found.append((NAMES[i], round(value - before, 3) + 0.0))
        before = value
    return [*found, ("sum", round(evaluate(&board.c, pilot), 3) + 0.0)]
