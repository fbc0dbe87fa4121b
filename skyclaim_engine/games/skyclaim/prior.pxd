from skyclaim_engine._board cimport BoardC
from skyclaim_engine.game cimport step_t

cdef void priors(const BoardC* b, const step_t* steps, int n, int knowledge, float* out) noexcept nogil
