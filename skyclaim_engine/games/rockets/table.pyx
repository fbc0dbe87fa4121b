# cython: language_level=3, embedsignature=True, freethreading_compatible=True
"""Rockets' C table (`game.pxd`), as the capsule TABLE."""

from cpython.pycapsule cimport PyCapsule_New
from libc.math cimport exp
from libc.stdint cimport uint64_t

from skyclaim_engine.game cimport TABLE_VERSION, EventLog, GameTable, step_t
from skyclaim_engine.games.rockets._core cimport (
    MAX_STEPS, TARGET, BoardC, apply, imagine, key_of, legal, mover, observe, step_kind, stream_draw, turn_of,
)
from skyclaim_engine.games.rockets.evaluate cimport evaluate

cdef enum:
    DIE = 6


cdef int table_mover(const void* p) noexcept nogil:
    return mover(<const BoardC*>p)

cdef int table_legal(const void* p, int seat, step_t* out) noexcept nogil:
    return legal(<const BoardC*>p, out)

cdef void table_apply(void* p, const step_t* steps, uint64_t* stream, EventLog* log) noexcept nogil:
    apply(<BoardC*>p, steps[0], -1, stream, log)

cdef step_t table_random_step(const void* p, int seat, uint64_t* stream) noexcept nogil:
    """Any of the listed steps, uniformly chosen."""
    cdef step_t[MAX_STEPS] steps
    cdef int n = legal(<const BoardC*>p, steps)
    return steps[stream_draw(stream, n)]

cdef int table_faces(const void* p, step_t step) noexcept nogil:
    """The red die of `aim`, or the white die of the next turn where the step ends one."""
    cdef BoardC after
    cdef uint64_t stream = 0
    if step_kind(step) == TARGET:
        return DIE
    after = (<const BoardC*>p)[0]
    return DIE if apply(&after, step, -1, &stream, NULL) else 1

cdef void table_apply_face(void* p, step_t step, int face, uint64_t* stream) noexcept nogil:
    apply(<BoardC*>p, step, face, stream, NULL)

cdef void table_scores(const void* p, double* out) noexcept nogil:
    cdef const BoardC* b = <const BoardC*>p
    cdef int i, k = 0
    for i in range(b.pilots):
        k += b.winners >> i & 1
    for i in range(b.pilots):
        out[i] = 1.0 / k if b.winners >> i & 1 else 0.0

cdef double table_evaluate(const void* p, int seat, int knowledge) noexcept nogil:
    return evaluate(<const BoardC*>p, seat - 1)

cdef double table_win(double value) noexcept nogil:
    return 1 / (1 + exp(-value))

cdef uint64_t table_key(const void* p) noexcept nogil:
    return key_of(<const BoardC*>p)

cdef int table_turn(const void* p) noexcept nogil:
    return turn_of(<const BoardC*>p)

cdef void table_observe(const void* p, int seat, void* out) noexcept nogil:
    observe(<const BoardC*>p, <BoardC*>out)

cdef void table_imagine(const void* observation, int seat, uint64_t* stream, void* out) noexcept nogil:
    imagine(<const BoardC*>observation, stream, <BoardC*>out)

cdef int table_known_from(step_t step) noexcept nogil:
    return 0

cdef bint table_is_free(step_t step) noexcept nogil:
    return False


cdef GameTable THE_TABLE
THE_TABLE.version = TABLE_VERSION
THE_TABLE.size = sizeof(BoardC)
THE_TABLE.max_steps = MAX_STEPS
THE_TABLE.mover = table_mover
THE_TABLE.legal = table_legal
THE_TABLE.apply = table_apply
THE_TABLE.random_step = table_random_step
THE_TABLE.faces = table_faces
THE_TABLE.apply_face = table_apply_face
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

TABLE = PyCapsule_New(&THE_TABLE, "skyclaim_engine.GameTable", NULL)
