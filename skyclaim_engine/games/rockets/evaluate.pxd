from skyclaim_engine.games.rockets._core cimport BoardC

cdef double evaluate(const BoardC* b, int pilot) noexcept nogil
