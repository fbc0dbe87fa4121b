"""Time for compiled code: the monotonic clock for limits, processor time for measurements."""


cdef extern from "<time.h>" nogil:
    cdef struct timespec:
        long tv_sec
        long tv_nsec
    int clock_gettime(int which, timespec* now)
    int CLOCK_MONOTONIC
    int CLOCK_PROCESS_CPUTIME_ID


cdef extern from *:
    """
    /* the compiler must take it that somebody reads what is there */
    #define STAY(there) __asm__ volatile("" : : "r"(there) : "memory")
    """
    void stay "STAY"(const void* there) noexcept nogil


cdef inline double seconds_now() noexcept nogil:
    """Seconds of the monotonic clock, Python's `time.monotonic`."""
    cdef timespec t
    clock_gettime(CLOCK_MONOTONIC, &t)
    return t.tv_sec + 1e-9 * t.tv_nsec

cdef inline double nanoseconds() noexcept nogil:
    """Nanoseconds of processor time of this process."""
    cdef timespec t
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t)
    return 1e9 * t.tv_sec + t.tv_nsec
