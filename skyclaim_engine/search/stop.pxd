cdef class StopFlag:
    cdef volatile int flag
