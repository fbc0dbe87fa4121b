# cython: language_level=3, embedsignature=True, freethreading_compatible=True
"""Islands' C table (`game.pxd`), as the capsule TABLE. A step is a set of orders; all seats decide at once."""

from cpython.pycapsule cimport PyCapsule_New
from libc.math cimport exp
from libc.stdint cimport uint64_t

from skyclaim_engine.game cimport JOINT, TABLE_VERSION, EventLog, GameTable, step_t
from skyclaim_engine.games.islands._core cimport (
    LAST_ROUND, MAX_STEPS, IslandsC, imagine, legal, mix_words, observe, random_set, resolve, result_of,
)
from skyclaim_engine.games.islands.evaluate cimport evaluate

cdef double SPREAD = 8.0  # points of influence that make a win e times as likely as a loss


cdef int table_mover(const void* p) noexcept nogil:
    return 0 if (<const IslandsC*>p).round > LAST_ROUND else JOINT

cdef int table_legal(const void* p, int seat, step_t* out) noexcept nogil:
    return legal(<const IslandsC*>p, seat - 1, out)

cdef void table_apply(void* p, const step_t* steps, uint64_t* stream, EventLog* log) noexcept nogil:
    resolve(<IslandsC*>p, steps, log)

cdef void table_scores(const void* p, double* out) noexcept nogil:
    result_of(<const IslandsC*>p, out)

cdef double table_evaluate(const void* p, int seat, int knowledge) noexcept nogil:
    return evaluate(<const IslandsC*>p, seat - 1)

cdef double table_win(double value) noexcept nogil:
    return 1 / (1 + exp(-value / SPREAD))

cdef uint64_t table_key(const void* p) noexcept nogil:
    return mix_words(p, sizeof(IslandsC))

cdef int table_turn(const void* p) noexcept nogil:
    return (<const IslandsC*>p).round

cdef void table_observe(const void* p, int seat, void* out) noexcept nogil:
    observe(<const IslandsC*>p, seat - 1, <IslandsC*>out)

cdef void table_imagine(const void* observation, int seat, uint64_t* stream, void* out) noexcept nogil:
    imagine(<const IslandsC*>observation, seat - 1, stream, <IslandsC*>out)

cdef int table_known_from(step_t step) noexcept nogil:
    return 0

cdef bint table_is_free(step_t step) noexcept nogil:
    return False

cdef step_t table_random_step(const void* p, int seat, uint64_t* stream) noexcept nogil:
    return random_set(<const IslandsC*>p, seat - 1, stream)


cdef GameTable THE_TABLE
THE_TABLE.version = TABLE_VERSION
THE_TABLE.size = sizeof(IslandsC)
THE_TABLE.max_steps = MAX_STEPS
THE_TABLE.mover = table_mover
THE_TABLE.legal = table_legal
THE_TABLE.apply = table_apply
THE_TABLE.scores = table_scores
THE_TABLE.priors = NULL
THE_TABLE.decisive = NULL
THE_TABLE.within_reach = NULL
THE_TABLE.evaluate = table_evaluate
THE_TABLE.win = table_win
THE_TABLE.lead = NULL
THE_TABLE.key = table_key
THE_TABLE.situation = NULL
THE_TABLE.turn = table_turn
THE_TABLE.observe = table_observe
THE_TABLE.imagine = table_imagine
THE_TABLE.begin = NULL
THE_TABLE.recall = NULL
THE_TABLE.settle = NULL
THE_TABLE.known_from = table_known_from
THE_TABLE.is_free = table_is_free
THE_TABLE.random_step = table_random_step
THE_TABLE.faces = NULL
THE_TABLE.apply_face = NULL

TABLE = PyCapsule_New(&THE_TABLE, "skyclaim_engine.GameTable", NULL)
