# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""A game's C table with a watch on the functions that do the work, so that a search tells where its time goes.

The watch costs about as much as a small function. So it is measured too: how much of a call's watch falls into the
time that it shows, and how much the call costs in all.
"""

from cpython.pycapsule cimport PyCapsule_New

from skyclaim_engine.game cimport EventLog, GameTable, step_t, table_of
from skyclaim_engine.stopwatch cimport seconds_now
from libc.stdint cimport uint64_t

cdef enum:
    LEGAL
    APPLY
    IMAGINE
    EVALUATE
    PRIORS
    PROBE
    PARTS

NAMES = ("legal", "apply", "imagine", "evaluate", "priors")

cdef GameTable INNER, WATCHED
cdef double[PARTS] SPENT
cdef long[PARTS] CALLS


cdef inline void note(int part, double begin) noexcept nogil:
    SPENT[part] += seconds_now() - begin
    CALLS[part] += 1

cdef int legal(const void* position, int seat, step_t* out) noexcept nogil:
    cdef double begin = seconds_now()
    cdef int n = INNER.legal(position, seat, out)
    note(LEGAL, begin)
    return n

cdef void apply(void* position, const step_t* steps, uint64_t* stream, EventLog* log) noexcept nogil:
    cdef double begin = seconds_now()
    INNER.apply(position, steps, stream, log)
    note(APPLY, begin)

cdef void apply_face(void* position, step_t step, int face, uint64_t* stream) noexcept nogil:
    cdef double begin = seconds_now()
    INNER.apply_face(position, step, face, stream)
    note(APPLY, begin)

cdef void imagine(const void* observation, int seat, uint64_t* stream, void* out) noexcept nogil:
    cdef double begin = seconds_now()
    INNER.imagine(observation, seat, stream, out)
    note(IMAGINE, begin)

cdef double evaluate(const void* position, int seat, int knowledge) noexcept nogil:
    cdef double begin = seconds_now(), value
    value = INNER.evaluate(position, seat, knowledge)
    note(EVALUATE, begin)
    return value

cdef void priors(const void* position, const step_t* steps, int n, int knowledge, float* out) noexcept nogil:
    cdef double begin = seconds_now()
    INNER.priors(position, steps, n, knowledge, out)
    note(PRIORS, begin)

# what the watch itself costs
cdef double nothing(const void* position, int seat, int knowledge) noexcept nogil:
    return seat

cdef double nothing_watched(const void* position, int seat, int knowledge) noexcept nogil:
    cdef double begin = seconds_now(), value
    value = PROBED(position, seat, knowledge)
    note(PROBE, begin)
    return value

ctypedef double (*Function)(const void*, int, int) noexcept nogil
cdef volatile Function PROBED = nothing
cdef volatile Function WATCHING = nothing_watched


def watched(capsule):
    """The table behind a capsule with the watch on it, as a capsule. There is one at a time in a process."""
    global INNER, WATCHED
    INNER = table_of(capsule)[0]
    WATCHED = INNER
    WATCHED.legal, WATCHED.apply, WATCHED.imagine = legal, apply, imagine
    WATCHED.evaluate = evaluate
    if INNER.apply_face != NULL:
        WATCHED.apply_face = apply_face
    if INNER.priors != NULL:
        WATCHED.priors = priors
    forget()
    return PyCapsule_New(&WATCHED, "skyclaim_engine.GameTable", NULL)


def forget():
    """All times and calls are 0 again."""
    for part in range(PARTS):
        SPENT[part], CALLS[part] = 0, 0


def spent():
    """For each function (seconds that its watch showed, calls)."""
    return {name: (SPENT[part], CALLS[part]) for part, name in enumerate(NAMES)}


def cost(int calls=200_000):
    """What the watch costs a call, in seconds: (of it in the time that it shows, in all)."""
    cdef double begin, bare, full, sink = 0
    cdef int i
    SPENT[PROBE], CALLS[PROBE] = 0, 0
    with nogil:
        begin = seconds_now()
        for i in range(calls):
            sink += PROBED(NULL, i, 0)
        bare = seconds_now() - begin
        begin = seconds_now()
        for i in range(calls):
            sink += WATCHING(NULL, i, 0)
        full = seconds_now() - begin
    return (SPENT[PROBE] - bare) / calls, (full - bare) / calls
