# cython: language_level=3, embedsignature=True, freethreading_compatible=True
"""Skyclaim's C table (`game.pxd`), as the capsule TABLE."""

from cpython.pycapsule cimport PyCapsule_New
from libc.math cimport exp
from libc.stdint cimport uint64_t

from skyclaim_engine._board cimport (
    BUILD, COMMAND, MAX_STEPS, BoardC, Lanes, apply, commands, count, dark_of, first_place, has, key_of, legal,
    matched_of, none, observe, overlap, place_drone, set_star,
    situation_of, some, step_kind, stream_draw, take_first,
)
from skyclaim_engine.game cimport TABLE_VERSION, EventLog, GameTable, step_t
from skyclaim_engine.games.skyclaim.decide cimport decisive, within_reach
from skyclaim_engine.games.skyclaim.evaluate cimport evaluate
from skyclaim_engine.games.skyclaim.prior cimport priors
from skyclaim_engine.games.skyclaim.recall cimport begin, recall, settle

from skyclaim_engine._board import STEP_KINDS

from .skill import STEPS_FROM

cdef int[12] KNOWN_FROM  # by kind of step
for kind, word in enumerate(STEP_KINDS):
    KNOWN_FROM[<int>kind] = STEPS_FROM[word]
del kind, word

#: squares of land that make a win e times as likely as a loss (benchmarks/calibration.py)
SPREAD = 12.0
cdef double THE_SPREAD = SPREAD


cdef int table_mover(const void* p) noexcept nogil:
    cdef const BoardC* b = <const BoardC*>p
    return 0 if b.result else b.mover + 1

cdef int table_legal(const void* p, int seat, step_t* out) noexcept nogil:
    return legal(<const BoardC*>p, out)

cdef void table_apply(void* p, const step_t* steps, uint64_t* stream, EventLog* log) noexcept nogil:
    apply(<BoardC*>p, steps[0], stream, log)

cdef void table_scores(const void* p, double* out) noexcept nogil:
    cdef int winner = (<const BoardC*>p).result & 3
    out[0] = 1.0 if winner == 1 else 0.0 if winner == 2 else 0.5
    out[1] = 1.0 - out[0]

cdef void table_priors(const void* p, const step_t* steps, int n, int knowledge, float* out) noexcept nogil:
    priors(<const BoardC*>p, steps, n, knowledge, out)

cdef int table_decisive(const void* p, step_t* out) noexcept nogil:
    return decisive(<const BoardC*>p, out)

cdef bint table_within_reach(const void* p, int seat, int turns) noexcept nogil:
    return within_reach(<const BoardC*>p, seat - 1, turns)

cdef double table_evaluate(const void* p, int seat, int knowledge) noexcept nogil:
    return evaluate(<const BoardC*>p, seat - 1, knowledge)

cdef double table_win(double value) noexcept nogil:
    return 1 / (1 + exp(-value / THE_SPREAD))

cdef double table_lead(const void* p, int seat) noexcept nogil:
    cdef const BoardC* b = <const BoardC*>p
    return count(b.land[seat - 1]) - count(b.land[2 - seat])

cdef uint64_t table_key(const void* p) noexcept nogil:
    return key_of(<const BoardC*>p)

cdef uint64_t table_situation(const void* p) noexcept nogil:
    return situation_of(<const BoardC*>p)

cdef int table_turn(const void* p) noexcept nogil:
    return (<const BoardC*>p).turn

cdef void table_observe(const void* p, int seat, void* out) noexcept nogil:
    observe(<const BoardC*>p, seat - 1, <BoardC*>out)

cdef void table_imagine(const void* observation, int seat, uint64_t* stream, void* out) noexcept nogil:
    """Dark squares get stars that match nothing; a Command that is not seen stands at home, or else somewhere dark."""
    cdef BoardC* b = <BoardC*>out
    cdef Lanes dark, left, away
    cdef int place, colour, i, other = 2 - seat, home
    b[0] = (<const BoardC*>observation)[0]
    b.seen_by = 0
    dark = left = dark_of(&b.stars)
    if none(dark):
        return
    while some(left):
        set_star(&b.stars, take_first(&left), 0)
    left = dark
    while some(left):
        place = take_first(&left)
        colour = stream_draw(stream, 5)
        for i in range(5):
            set_star(&b.stars, place, 1 + (colour + i) % 5)
            if none(matched_of(&b.stars)):
                break
    if overlap(commands(b), b.side[other]):
        return
    home = 80 if other == 0 else 90  # f1, f11
    left = dark
    if not has(&left, home):
        for i in range(<int>stream_draw(stream, count(left))):
            take_first(&left)
        home = first_place(left)
    place_drone(b, home, other, COMMAND, 1, 0)

cdef bint table_begin(const void* observation, uint64_t* stream, void* out) noexcept nogil:
    return begin(<const BoardC*>observation, stream, <BoardC*>out)

cdef double table_recall(const void* observation, int seat, uint64_t* stream, void* truth) noexcept nogil:
    return recall(<const BoardC*>observation, seat - 1, stream, <BoardC*>truth)

cdef void table_settle(const void* observation, int seat, void* truths, int n) noexcept nogil:
    settle(<const BoardC*>observation, seat - 1, <BoardC*>truths, n)

cdef int table_known_from(step_t step) noexcept nogil:
    return KNOWN_FROM[step_kind(step)]

cdef bint table_is_free(step_t step) noexcept nogil:
    return step_kind(step) <= BUILD

cdef step_t table_random_step(const void* p, int seat, uint64_t* stream) noexcept nogil:
    """One legal action, uniformly chosen."""
    cdef step_t[MAX_STEPS] steps
    cdef int free = 0, n = legal(<const BoardC*>p, steps)
    while free < n and step_kind(steps[free]) <= BUILD:  # the free steps come first
        free += 1
    return steps[free + <int>stream_draw(stream, n - free)]


cdef GameTable THE_TABLE
THE_TABLE.version = TABLE_VERSION
THE_TABLE.size = sizeof(BoardC)
THE_TABLE.max_steps = MAX_STEPS
THE_TABLE.mover = table_mover
THE_TABLE.legal = table_legal
THE_TABLE.apply = table_apply
THE_TABLE.scores = table_scores
THE_TABLE.priors = table_priors
THE_TABLE.decisive = table_decisive
THE_TABLE.within_reach = table_within_reach
THE_TABLE.evaluate = table_evaluate
THE_TABLE.win = table_win
THE_TABLE.lead = table_lead
THE_TABLE.key = table_key
THE_TABLE.situation = table_situation
THE_TABLE.turn = table_turn
THE_TABLE.observe = table_observe
THE_TABLE.imagine = table_imagine
THE_TABLE.begin = table_begin
THE_TABLE.recall = table_recall
THE_TABLE.settle = table_settle
THE_TABLE.known_from = table_known_from
THE_TABLE.is_free = table_is_free
THE_TABLE.random_step = table_random_step
THE_TABLE.faces = NULL
THE_TABLE.apply_face = NULL

TABLE = PyCapsule_New(&THE_TABLE, "skyclaim_engine.GameTable", NULL)
