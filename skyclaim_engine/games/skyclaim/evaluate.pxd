"""What an evaluation of Skyclaim is made of, for the table and for the priors."""

from skyclaim_engine._board cimport BoardC, Lanes, kind_at, power_at


cdef enum:
    LAND            # squares owned
    LATE            # of these, the ones over 50
    ABROAD          # of these, in the other side's half
    SCOUTS          # drones, by kind
    SHIELDS
    RAIDERS
    HUNTERS
    WARPS
    SIEGES
    BOMBS
    TURRETS
    POWER           # what stacks have over 1
    FULL            # whether there are nine drones
    STOCK           # missiles with the Command, ten at most
    LOADED          # missiles on drones
    BEST_CLAIM      # squares of the best claim that a scout could make where it stands
    CLAIMS          # of all other scouts together
    PROSPECT        # squares of the best claim that a scout could make from a square beside it
    PROSPECTS       # of all other scouts together
    IDLE            # steps of the scouts to open land, less one
    NEARER          # open squares that own scouts are nearer to than the other side's
    BORDER          # open squares beside own land
    HANGING         # worth of the drones that a raider could take
    HANGING_MOST    # of the one that is worth most
    TARGETS         # worth of the drones of power 1 in range of a loaded drone
    SWEEPABLE       # drones that a shield could sweep next
    MARCH           # steps that the sieges are nearer to the enemy Command than 10
    AT_TWO          # sieges two steps from it
    AT_THREE
    AT_TWO_COVERED  # the same, where a shield stands beside it
    AT_THREE_COVERED
    COVER           # whether a shield stands beside the own Command
    CORNERED        # sieges with three enemies beside them
    RAZERS          # sieges in range of enemy land
    FIRED_ON        # own turrets' targets
    SWAPS           # tens of swaps that match in the own half, off enemy land
    CRUSH           # whether the own drift could crush the own Command
    DRIFT_OWN       # drones of power 1 next to where an asteroid drifts in the own turn
    DRIFT_OTHER     # and in the other's
    CLOSING         # squares owned, the more the nearer the limit of turns is
    CLOSING_DRONES  # worth of the drones, likewise
    FEATURES

#: a drone or turret in squares of land, by kind; each power over 1 is one more
cdef double[10] WORTH

cdef inline double worth(const BoardC* b, int place) noexcept nogil:
    return WORTH[kind_at(b, place)] + power_at(b, place) - 1

cdef inline int distance(int one, int other) noexcept nogil:
    """The steps between two places."""
    cdef int dx = (one >> 4) - (other >> 4), dy = (one & 15) - (other & 15)
    dx = -dx if dx < 0 else dx
    dy = -dy if dy < 0 else dy
    return dx if dx > dy else dy

cdef Lanes raider_reach(const BoardC* b, int side) noexcept nogil
cdef Lanes shot_reach(const BoardC* b, int side) noexcept nogil
cdef Lanes scouts_of(const BoardC* b, int side) noexcept nogil
cdef Lanes swept(const BoardC* b, int side) noexcept nogil
cdef Lanes sweepable(const BoardC* b, int side) noexcept nogil
cdef double closing(const BoardC* b) noexcept nogil
cdef void leanings(const BoardC* b, int knowledge, double* own, double* other) noexcept nogil
cdef double evaluate(const BoardC* b, int side, int knowledge) noexcept nogil
