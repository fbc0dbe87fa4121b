# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True, embedsignature=True, freethreading_compatible=True
"""Which steps may end the game for the mover: read off the board, so that a search need not try the others.

There are three ways to win (rules 7). Land comes by a claim or a warp, at most nine squares at once. A siege comes to the
enemy Command, or the shield goes that guards it. And a drift carries an asteroid over a drone onto the enemy Command.
"""

from skyclaim_engine._board cimport (
    BLAST, BUILD, CLAIM, FIRE, JUMP, MOVE, RAM, SHIELD, SIEGE, STACK, SWAP, TAKE, BoardC, Lanes, around,
    asteroids_of, both, box, claimed_from, commands, count, either, everything, first_place, half_of, has, kind_at,
    legal, occupied, overlap, shields, sieges, some, step_kind, without,
)
from skyclaim_engine.game cimport step_t

cdef enum:
    MOST_LAND = 9       # that one action can take
    DRIFT_FROM = 8      # squares cleared in a turn (rules 6)


cdef struct Aim:
    # what the side's wins hang on
    int short_of        # squares of land to go
    Lanes beside        # the enemy Command and the squares around it
    Lanes guards        # enemy shields beside it
    Lanes sieges        # own
    bint payable        # a match of its own could pay a siege there
    bint rolling        # an asteroid stands where a drift could carry it onto the Command, over a drone

cdef Aim aim_of(const BoardC* b, int side) noexcept nogil:
    cdef Aim a
    cdef Lanes command = both(commands(b), b.side[1 - side]), rocks
    cdef int place, up = 1 if side == 0 else -1, row
    a.short_of = b.land_to_win - count(b.land[side])
    a.beside = around(command)
    a.guards = both(both(shields(b), b.side[1 - side]), a.beside)
    a.sieges = both(sieges(b), b.side[side])
    a.payable = overlap(a.beside, half_of(side))
    a.rolling = False
    if some(command):
        place = first_place(command)
        row = (place & 15) + 2 * up
        rocks = asteroids_of(&b.stars)
        a.rolling = 0 <= row < 11 and has(&rocks, place + 2 * up)
    return a

cdef bint within_reach(const BoardC* b, int side, int turns) noexcept nogil:
    """Whether a side may win in its next one or two ``turns``, luck apart; where this is False it cannot."""
    cdef Aim a = aim_of(b, side)
    return (
        a.short_of <= turns * MOST_LAND or a.payable or a.rolling or b.turn + 2 >= b.turn_limit
        or overlap(a.sieges, around(around(a.beside)))
    )

cdef int decisive(const BoardC* b, step_t* out) noexcept nogil:
    """Writes the mover's legal steps that may win at once or, free, clear the way for one that does; returns how many.

    None that wins whatever chance brings is left out, but for free steps that help by what falls after them.
    """
    cdef int me = b.mover, n, i, kind, start, end, found = 0
    cdef Aim a = aim_of(b, me)
    cdef Lanes open_land, blocks
    cdef bint wins, last = b.turn >= b.turn_limit, near = overlap(a.sieges, around(a.beside))
    cdef bint besieged = overlap(a.sieges, a.beside), guarded = some(a.guards)
    if a.short_of > MOST_LAND and not (near or a.payable or a.rolling or last):
        return 0
    open_land = without(everything(), either(b.land[0], b.land[1]))
    blocks = without(both(a.beside, either(occupied(b), asteroids_of(&b.stars))), b.side[me])
    n = legal(b, out)
    for i in range(n):
        kind = step_kind(out[i])
        start, end = (out[i] >> 8) & 255, out[i] & 255
        wins = (last or (a.rolling and b.cleared >= DRIFT_FROM)) and kind > BUILD
        if wins:
            pass
        elif kind == CLAIM:
            wins = count(claimed_from(b, start)) >= a.short_of
        elif kind == JUMP:
            wins = count(both(box(1, end), open_land)) >= a.short_of
        elif kind == FIRE:
            wins = near and has(&blocks, end)
        elif kind == SWAP:
            wins = a.payable or a.rolling
        elif kind == TAKE:
            wins = besieged and has(&a.guards, end)
        elif kind == BLAST:
            wins = besieged and overlap(box(1, end), a.guards)
        elif kind == RAM:
            wins = has(&a.beside, end) and not guarded
        elif kind == MOVE:
            if kind_at(b, start) == SIEGE:
                wins = has(&a.beside, end) and not guarded
            elif kind_at(b, start) == SHIELD:
                wins = besieged and overlap(box(1, end), a.guards)
        elif kind == STACK:
            wins = besieged and kind_at(b, end) == SHIELD and overlap(box(1, end), a.guards)
        if wins:
            out[found] = out[i]
            found += 1
    return found
