"""What an evaluation of Skyclaim is made of, for the table and for the priors."""

from skyclaim_engine._board cimport BoardC, Lanes, kind_at, power_at


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
cdef double evaluate(const BoardC* b, int side, int knowledge) noexcept nogil
