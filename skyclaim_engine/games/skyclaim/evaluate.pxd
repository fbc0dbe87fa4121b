from skyclaim_engine._board cimport BoardC

cdef double evaluate(const BoardC* b, int side) noexcept nogil
