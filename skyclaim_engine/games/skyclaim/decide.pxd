from skyclaim_engine._board cimport BoardC
from skyclaim_engine.game cimport step_t

cdef bint within_reach(const BoardC* b, int side, int turns) noexcept nogil
cdef int decisive(const BoardC* b, step_t* out) noexcept nogil
