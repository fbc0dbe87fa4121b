# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True, embedsignature=True, freethreading_compatible=True
"""How well a side stands in a Skyclaim position that is at rest, without search, in units of a square of land.

Each term is worked out for both sides and the difference counts. It is judged as if the other side moved next: what is
under attack is half lost.
"""

from skyclaim_engine._board cimport (
    SCOUT, Board, BoardC, Lanes, add, around, asteroids_of, both, box, commands, count, either, everything, first_place,
    has, kind_at, loaded_at, none, nothing, occupied, only, overlap, power_at, shields, sieges, some, take_first,
    without,
)

cdef enum:
    LAND        # squares owned
    DRONES      # drones by kind and power, turrets
    MISSILES    # in stock and loaded
    CLAIMS      # open squares that the scouts could claim where they stand
    APPROACH    # how near the scouts are to open land
    ATTACK      # a siege on its way to the enemy Command
    COVER       # a shield beside the own Command
    DANGER      # own drones that a raider could take
    TERMS

NAMES = ("land", "drones", "missiles", "claims", "approach", "attack", "cover", "danger")

# in squares of land
WORTH[:] = [0, 4.0, 3.0, 4.5, 5.0, 7.0, 4.0, 3.5, 0, 5.0]
cdef double STOCK = 0.7          # a missile with the Command
cdef double LOADED = 1.0         # a missile on a drone
cdef double CLAIM = 0.35         # an open square around a scout, of the best block of each
cdef double STEP = 0.25          # each step between a scout and open land
cdef double MARCH = 0.35         # each step that a siege is nearer to the enemy Command than across the board
cdef double SHIELDED = 1.5
cdef double HANGING = 0.5        # the part of a drone's worth that is lost while a raider could take it
cdef double DECIDED = 1000.0


cdef Lanes raider_reach(const BoardC* b, int side) noexcept nogil:
    """Where a raider of the side could land: over free squares, up to the first drone on each diagonal."""
    cdef Lanes raiders = without(without(both(b.side[side], both(b.kind[0], b.kind[1])), b.kind[2]), b.kind[3])
    cdef Lanes blocked = either(occupied(b), asteroids_of(&b.stars)), board = everything(), found = nothing()
    cdef int place, at, i
    cdef int* ways = [17, 15, -17, -15]
    while some(raiders):
        place = take_first(&raiders)
        for i in range(4):
            at = place + ways[i]
            while at >= 0 and at < 176 and has(&board, at):
                add(&found, at)
                if has(&blocked, at):
                    break
                at += ways[i]
    return found

cdef Lanes strikes(const BoardC* b, int side) noexcept nogil:
    """The other side's drones that a raider of this side could take."""
    return both(raider_reach(b, side), without(without(b.side[1 - side], b.kind[3]), sieges(b)))

cdef void side_terms(const BoardC* b, int side, double* term) noexcept nogil:
    cdef Lanes own = b.side[side], left, open_land, scouts, ring
    cdef int place, kind, steps, enemy_command
    term[LAND] = count(b.land[side])
    open_land = without(everything(), either(b.land[0], b.land[1]))
    left = own
    scouts = nothing()
    term[DRONES] = 0
    term[MISSILES] = STOCK * b.stock[side]
    term[CLAIMS] = 0
    while some(left):
        place = take_first(&left)
        kind = kind_at(b, place)
        term[DRONES] += worth(b, place)
        term[MISSILES] += LOADED * loaded_at(b, place)
        if kind == SCOUT:
            scouts = either(scouts, only(place))
            term[CLAIMS] += CLAIM * count(both(box(1, place), open_land))
    # the scouts' steps to open land, all at once: those not yet reached by the growing ring each lose a STEP
    term[APPROACH] = 0
    ring = around(open_land)
    left = without(scouts, ring)
    while some(left) and some(open_land):
        term[APPROACH] -= STEP * count(left)
        ring = around(ring)
        left = without(left, ring)
    term[ATTACK] = 0
    left = both(commands(b), b.side[1 - side])
    if some(left):
        enemy_command = first_place(left)
        left = both(sieges(b), own)
        while some(left):
            term[ATTACK] += MARCH * (10 - distance(take_first(&left), enemy_command))
    left = both(commands(b), own)
    term[COVER] = SHIELDED if some(left) and overlap(around(left), both(shields(b), own)) else 0
    term[DANGER] = 0
    left = strikes(b, 1 - side)
    while some(left):
        term[DANGER] -= HANGING * worth(b, take_first(&left))

cdef double evaluate(const BoardC* b, int side) noexcept nogil:
    """The sum of all terms for a side; a decided game is worth DECIDED."""
    cdef double[TERMS] mine, yours
    cdef double sum = 0
    cdef int i
    if b.result:
        return 0 if b.result & 3 == 3 else DECIDED if (b.result & 3) - 1 == side else -DECIDED
    side_terms(b, side, mine)
    side_terms(b, 1 - side, yours)
    for i in range(TERMS):
        sum += mine[i] - yours[i]
    return sum


def terms(Board board):
    """The terms by name for the side to move, own less the other side's, and their `sum`."""
    cdef double[TERMS] mine, yours
    side_terms(&board.c, board.c.mover, mine)
    side_terms(&board.c, 1 - board.c.mover, yours)
    values = [(NAMES[i], round(mine[i] - yours[i], 3) + 0.0) for i in range(TERMS)]
    return [*values, ("sum", round(evaluate(&board.c, board.c.mover), 3) + 0.0)]
