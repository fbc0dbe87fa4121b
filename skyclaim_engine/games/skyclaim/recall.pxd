"""What a side goes on supposing about the dark, for the table."""

from libc.stdint cimport uint64_t

from skyclaim_engine._board cimport BoardC


cdef bint begin(const BoardC* seen, uint64_t* stream, BoardC* out) noexcept nogil
cdef double recall(const BoardC* seen, int side, uint64_t* stream, BoardC* truth) noexcept nogil
cdef void settle(const BoardC* seen, int side, BoardC* truths, int n) noexcept nogil
