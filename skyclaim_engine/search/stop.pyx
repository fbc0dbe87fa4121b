# cython: language_level=3, embedsignature=True, freethreading_compatible=True
"""The one flag that stops a search; loops without the interpreter lock read it as a plain int."""


cdef class StopFlag:
    """Set by whoever wants a search to end; it can be set from any thread."""

    def set(self):
        self.flag = 1

    def clear(self):
        self.flag = 0

    def is_set(self):
        return self.flag != 0
