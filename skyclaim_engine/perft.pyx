# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True, embedsignature=True
"""Perft: how many sequences of `depth` legal steps a position has, each played with its own stream (rules 12).

Walks any game through its C table; one with joint nodes does it itself. Every step is really played, the last ply's too, and the legal
steps of every leaf are generated only where `leaves` asks for it; by default the last ply is counted, not walked.
"""

from concurrent.futures import ThreadPoolExecutor

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from skyclaim_engine.game cimport GameTable, step_t, table_of
from skyclaim_engine.errors import LimitError
from skyclaim_engine.search.stop cimport StopFlag


cdef struct Walk:
    const GameTable* table
    step_t* steps       # room for max_steps a ply
    char* positions     # room for one position a ply
    uint64_t applied
    uint64_t most
    volatile int* stop
    bint walk_leaves


cdef uint64_t walk(Walk* w, int ply, uint64_t stream, int depth) noexcept nogil:
    """The count below the position of this ply; gives up (with a wrong count) once over the limit or stopped."""
    cdef const GameTable* t = w.table
    cdef const void* here = w.positions + ply * t.size
    cdef void* after = w.positions + (ply + 1) * t.size
    cdef step_t* steps = w.steps + ply * t.max_steps
    cdef int i, n = t.legal(here, t.mover(here), steps)
    cdef uint64_t total = 0, state
    if depth == 1 and not w.walk_leaves:
        return n
    for i in range(n):
        if w.applied >= w.most or w.stop[0]:
            return total
        memcpy(after, here, t.size)
        state = stream
        t.apply(after, &steps[i], &state, NULL)
        w.applied += 1
        if depth > 1:
            total += walk(w, ply + 1, state, depth - 1)
        else:
            t.legal(after, t.mover(after), w.steps + (ply + 1) * t.max_steps)
            total += 1
    return total


cdef class _Root:
    """One position's perft with its own memory, so that several can run beside each other."""

    cdef Walk w
    cdef uint64_t stream

    def __cinit__(self, position, int depth, uint64_t most, StopFlag stop, bint leaves):
        cdef const GameTable* t = table_of(position.game.table)
        cdef bytes raw = position.raw()
        self.w.table = t
        self.w.steps = <step_t*>malloc((depth + 1) * t.max_steps * sizeof(step_t))
        self.w.positions = <char*>malloc((depth + 1) * t.size)
        if self.w.steps == NULL or self.w.positions == NULL:
            raise MemoryError
        memcpy(self.w.positions, <char*>raw, t.size)
        self.w.most, self.w.stop, self.w.walk_leaves = most, &stop.flag, leaves
        self.stream = position.stream

    def __dealloc__(self):
        free(self.w.steps)
        free(self.w.positions)

    def run(self, int depth):
        """(count, steps applied)"""
        cdef uint64_t total
        with nogil:
            total = walk(&self.w, 0, self.stream, depth)
        return total, self.w.applied


def perft(position, int depth, *, int threads=1, max_nodes=None, stop=None, bint leaves=False):
    """The number of sequences of ``depth`` steps. See ``divide`` for the arguments and errors."""
    if depth <= 0:
        return 1
    if position.game.info.simultaneous:
        return position.perft(depth, max_nodes)
    return sum(divide(position, depth, threads=threads, max_nodes=max_nodes, stop=stop, leaves=leaves).values())


def divide(position, int depth, *, int threads=1, max_nodes=None, stop=None, bint leaves=False):
    """The summands of perft by step: a dict of text -> count, sorted as text.

    ``threads`` share the steps of the position. ``max_nodes`` bounds the steps applied: LimitError when they do not
    suffice, and when the ``stop`` flag ends the walk. ``leaves`` walks the last ply too, and generates the steps after
    it, as a measure of speed.
    """
    if position.game.info.simultaneous:
        raise LimitError(f"perft: the joint steps of {position.game.info.name} are too many to list; 'orders' counts them")
    flag = stop if stop is not None else StopFlag()
    most = 2**63 if max_nodes is None else max_nodes
    steps = position.legal()
    if depth <= 1 and not leaves:
        return dict.fromkeys(steps, 1)

    def below(step):
        after = position.copy()
        after.apply(step)
        if depth == 1:
            return 1, 1
        return _Root(after, depth, most, flag, leaves).run(depth - 1)

    if threads > 1:
        with ThreadPoolExecutor(threads) as pool:
            counts = list(pool.map(below, steps))
    else:
        counts = []
        applied = 0
        for step in steps:
            count, made = below(step)
            counts.append((count, made))
            applied += made
            if applied > most or flag.is_set():
                break
    if flag.is_set():
        raise LimitError("perft: stopped")
    if sum(applied for _, applied in counts) + len(steps) > most:
        raise LimitError(f"perft: over the limit of {most} nodes")
    return {step: count for step, (count, _) in zip(steps, counts, strict=True)}
