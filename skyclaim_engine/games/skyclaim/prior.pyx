# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True, embedsignature=True, freethreading_compatible=True
"""How promising each legal step looks before it is tried, in squares of land: the order in which a search looks at steps.

Everything is read off the board as it stands: what a match pays, what a claim takes, what a shot destroys, whether a drone
walks into or out of danger. Nothing is played.
"""

from skyclaim_engine._board cimport (
    BLAST, BOMB, BUILD, CLAIM, COMMAND, FIRE, JUMP, MOVE, RAIDER, RAM, RAZE, SCOUT, SIEGE, STACK, SWAP, TAKE, BoardC,
    Lanes, Stars, around, both, box, claimed_from, commands, count, either, everything, first_place, half_of, has,
    kind_at, matched_of, next_group, none, nothing, overlap, power_at, reach_of, shape_of, shields, some, step_kind,
    swap_stars, take_first, without,
)
from skyclaim_engine.game cimport step_t
from skyclaim_engine.games.skyclaim.evaluate cimport WORTH, distance, raider_reach, shot_reach, worth

#: what a row of the table pays, in squares of land
cdef double[14] ROW_WORTH = [0, 4.0, 3.0, 4.5, 4.5, 5.0, 3.5, 4.5, 5.0, 5.0, 4.0, 7.0, 11.0, 16.0]


cdef double swap_promise(const BoardC* b, int start, int end, Lanes foreign) noexcept nogil:
    """What the first wave of a swap pays."""
    cdef Stars stars = b.stars
    cdef Lanes hit, group, rest
    cdef double sum
    swap_stars(&stars, start, end)
    hit = rest = matched_of(&stars)
    sum = 0.06 * count(both(hit, half_of(b.mover)))
    while some(rest):
        group = next_group(&stars, &rest)
        if count(group) > 3 and overlap(group, half_of(b.mover)) and not none(without(group, foreign)):
            sum += 0.7 * ROW_WORTH[shape_of(group, count(group))]
    return sum

cdef void priors(const BoardC* b, const step_t* steps, int n, float* out) noexcept nogil:
    """Writes the promise of each of the steps, which are the mover's legal ones."""
    cdef int me = b.mover, foe = 1 - me, i, kind, start, end, last = -1, drone = 0
    cdef Lanes open_land = without(everything(), either(b.land[0], b.land[1]))
    cdef Lanes takers = raider_reach(b, foe), shooters = shot_reach(b, foe), theirs = b.side[foe]
    cdef Lanes command = both(commands(b), theirs), hit
    cdef double value, here = 0, held = 0
    cdef int target = first_place(command) if some(command) else -1
    cdef Lanes beside = around(command) if target >= 0 else nothing()
    cdef bint guarded = overlap(beside, both(shields(b), theirs))
    for i in range(n):
        kind = step_kind(steps[i])
        start, end = (steps[i] >> 8) & 255, steps[i] & 255
        value = 0
        if kind == SWAP:
            value = swap_promise(b, start, end, b.land[foe])
        elif kind == CLAIM:
            value = count(claimed_from(b, start))
        elif kind == JUMP:
            value = count(both(box(1, end), open_land)) - (3.0 if power_at(b, start) > 1 else 5.0)
        elif kind == FIRE:
            if has(&theirs, end):
                value = 0.5 + (worth(b, end) if power_at(b, end) == 1 else 0.5)
            else:
                value = -1.5
        elif kind == BUILD:
            value = -1.0
        elif kind == TAKE:
            value = 0.7 + worth(b, end) - (0.5 * worth(b, start) if has(&takers, end) or has(&shooters, end) else 0)
        elif kind == RAZE:
            value = 0.8
        elif kind == RAM:
            value = 5
        elif kind == BLAST:
            hit = without(both(box(1, end), either(b.side[0], b.side[1])), commands(b))
            value = -WORTH[<int>BOMB]
            while some(hit):
                drone = take_first(&hit)
                if drone != start:
                    value += worth(b, drone) if has(&theirs, drone) else -worth(b, drone)
        elif kind == MOVE or kind == STACK:
            if start != last:
                last = start
                drone = kind_at(b, start)
                held = worth(b, start)
                here = 0.5 * held if has(&takers, start) or (has(&shooters, start) and power_at(b, start) == 1) else 0
                if drone == SCOUT:
                    here -= 0.6 * count(claimed_from(b, start))
            value = here
            if has(&takers, end) or (has(&shooters, end) and power_at(b, start) == 1):
                value -= 0.5 * held
            if kind == STACK:
                value -= 1.5
            elif drone == SCOUT:
                value += 0.6 * count(claimed_from(b, end))
            elif drone == SIEGE and target >= 0:
                if has(&beside, end):
                    value += 3 if guarded else 100
                value += 0.4 * (distance(start, target) - distance(end, target))
            elif drone == COMMAND:
                value -= 0.5
            elif drone == RAIDER:
                value += 0.1
        out[i] = value
