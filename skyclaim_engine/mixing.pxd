"""Streams of chance out of numbers, for compiled code that needs many which are independent and come again."""

from libc.stdint cimport uint64_t


cdef inline uint64_t mixed(uint64_t a, uint64_t b) noexcept nogil:
    """A 64-bit hash of two numbers: SplitMix64's finish."""
    cdef uint64_t z = (a ^ b * <uint64_t>0xD1342543DE82EF95) + <uint64_t>0x9E3779B97F4A7C15
    z = (z ^ z >> 30) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ z >> 27) * <uint64_t>0x94D049BB133111EB
    return z ^ z >> 31
