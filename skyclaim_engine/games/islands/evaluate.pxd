from skyclaim_engine.games.islands._core cimport IslandsC

cdef double evaluate(const IslandsC* b, int seat) noexcept nogil
