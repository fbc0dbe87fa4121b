# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True, embedsignature=True
"""Sequential halving over the legal steps at the root, sampled expectimax below it, over any game's C table.

Every sample begins with a truth drawn from what the seat can see and with fresh chance; all steps of a round meet the
same of both (common random numbers). The rounds go deeper while fewer steps stay in the race.
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from skyclaim_engine.game cimport EXPERT, JOINT, MAX_SEATS, GameTable, step_t, table_of
from skyclaim_engine.mixing cimport mixed
from skyclaim_engine.search.stop cimport StopFlag
from skyclaim_engine.search.worlds cimport Worlds, suppose
from skyclaim_engine.stopwatch cimport seconds_now

cdef enum:
    MAX_PLY = 14
    MAX_WIDTH = 64
    LEVELS = 4
    ROUNDS = 8
    PATIENCE = 64  # nodes from one look at the clock to the next


cdef struct Shape:
    # how wide the search looks, by plies below the root; how many roots go into each round, and how deep
    int width[LEVELS]
    int rounds
    int keep[ROUNDS]
    int depth[ROUNDS]

cdef struct Candidate:
    step_t step
    double value
    double lead
    long samples
    # the same of the round before, which looked less deep: it counts until every step has been seen as deep as now
    double old_value
    double old_lead
    long old_samples
    bint alive

cdef struct Tree:
    const GameTable* game
    Worlds worlds
    char* stack
    step_t* steps
    float* promise
    Candidate* roots
    int count
    int seat
    int seats
    int knowledge
    uint64_t seed
    long nodes
    long sweeps
    long max_nodes
    double deadline
    const volatile int* stop
    bint over
    Shape shape


#: what a free step, and each ply to the end of a game, has to be better by: of two ways to win, the one that is sooner
cdef double FREE_STEP = 1e-6
cdef double LATER = 1e-6


cdef bint tree_new(Tree* t, const GameTable* game, int seats):
    memset(t, 0, sizeof(Tree))
    t.game, t.seats = game, seats
    # position 0 is what the seat sees, 1 the truth of a sample, 2.. what comes after
    t.stack = <char*>malloc((MAX_PLY + 3) * game.size)
    t.steps = <step_t*>malloc(game.max_steps * sizeof(step_t))
    t.promise = <float*>malloc(game.max_steps * sizeof(float))
    t.roots = <Candidate*>malloc(game.max_steps * sizeof(Candidate))
    return t.stack != NULL and t.steps != NULL and t.promise != NULL and t.roots != NULL

cdef void tree_free(Tree* t) noexcept:
    free(t.stack)
    free(t.steps)
    free(t.promise)
    free(t.roots)

cdef void tree_root(Tree* t, const void* observation, int seat, const step_t* steps, int count, uint64_t seed) noexcept nogil:
    cdef int i
    memcpy(t.stack, observation, t.game.size)
    t.seat, t.count, t.seed, t.nodes, t.sweeps = seat, count, seed, 0, 0
    memset(t.roots, 0, count * sizeof(Candidate))
    for i in range(count):
        t.roots[i].step = steps[i]
        t.roots[i].alive = True

cdef inline bint ended(Tree* t) noexcept nogil:
    if not t.over:
        t.over = t.stop[0] or t.nodes >= t.max_nodes or (t.deadline > 0 and seconds_now() > t.deadline)
    return t.over

cdef void tree_begin(Tree* t, int r) noexcept nogil:
    """Round ``r`` of the race begins: fewer stay in it, and what was seen less deeply counts no more."""
    cdef int i
    cdef bint deeper = r > 0 and t.shape.depth[r] != t.shape.depth[r - 1], seen = whole(t)
    if r:
        cut(t, t.shape.keep[r])
    if deeper:
        for i in range(t.count):
            if t.roots[i].alive:
                if seen:  # a round that was cut off before it had seen each step says nothing of which is better
                    t.roots[i].old_value, t.roots[i].old_lead = t.roots[i].value, t.roots[i].lead
                    t.roots[i].old_samples = t.roots[i].samples
                t.roots[i].value = t.roots[i].lead = t.roots[i].samples = 0

cdef void tree_run(Tree* t, int r, long max_nodes, double deadline, const volatile int* stop) noexcept nogil:
    """The samples of round ``r``, until so many nodes or so late; at least one. Round 0 is one sample of each step."""
    t.max_nodes, t.deadline, t.stop, t.over = max_nodes, deadline, stop, False
    while True:
        sweep(t, t.shape.depth[r])
        if t.over or r == 0:
            return

cdef bint whole(const Tree* t) noexcept nogil:
    """Whether each step in the race has been seen as deep as this round looks."""
    cdef int i
    for i in range(t.count):
        if t.roots[i].alive and not t.roots[i].samples:
            return False
    return True

cdef bint is_old(const Candidate* c, bint seen) noexcept nogil:
    """Whether the samples of the round before count, since this one has not ``seen`` each step in the race."""
    return c.alive and not seen and c.old_samples > 0

cdef double mean_of(const Candidate* c, bint seen) noexcept nogil:
    """The mean of the samples that count; 1 before the first of them."""
    if is_old(c, seen):
        return c.old_value / c.old_samples
    return c.value / c.samples if c.samples else 1

cdef void cut(Tree* t, int keep) noexcept nogil:
    """Only the best ``keep`` stay in the race."""
    cdef int i, alive = 0, worst
    cdef double least, mean
    cdef bint seen = whole(t)
    for i in range(t.count):
        alive += t.roots[i].alive
    while alive > keep:
        worst, least = -1, 2
        for i in range(t.count):
            if t.roots[i].alive:
                mean = mean_of(&t.roots[i], seen)
                if mean < least:
                    worst, least = i, mean
        t.roots[worst].alive = False
        alive -= 1

cdef void sweep(Tree* t, int depth) noexcept nogil:
    """One sample of every step in the race, all from the same truth and the same chance."""
    cdef uint64_t stream = mixed(t.seed, t.sweeps)
    cdef char* truth = t.stack + t.game.size
    cdef double[MAX_SEATS] value
    cdef double[2] sure
    cdef int i
    suppose(&t.worlds, t.game, t.stack, t.seat, t.sweeps, &stream, truth)
    t.sweeps += 1
    for i in range(t.count):
        if t.roots[i].alive:
            sure[0] = sure[1] = 0
            after(t, 1, t.roots[i].step, depth, stream, sure, value)
            if t.over:
                return  # cut off in the middle
            t.roots[i].value += value[t.seat - 1] - (FREE_STEP if t.game.is_free(t.roots[i].step) else 0)
            t.roots[i].samples += 1
            if t.game.lead != NULL:
                t.roots[i].lead += t.game.lead(truth + t.game.size, t.seat)
            if ended(t):
                return

cdef void leaf(Tree* t, const void* position, double* out) noexcept nogil:
    cdef int i
    if t.seats == 2:
        out[t.seat - 1] = t.game.win(t.game.evaluate(position, t.seat, t.knowledge))
        out[2 - t.seat] = 1 - out[t.seat - 1]
    else:
        for i in range(t.seats):
            out[i] = t.game.win(t.game.evaluate(position, i + 1, t.knowledge))

cdef void after(
    Tree* t, int ply, step_t step, int turns, uint64_t stream, const double* sure, double* out
) noexcept nogil:
    """The value of the position at ``ply`` after a step: one sample of its chance, or the mean over the faces of its die."""
    cdef char* here = t.stack + ply * t.game.size
    cdef char* there = here + t.game.size
    cdef int faces = t.game.faces(here, step) if t.game.faces != NULL else 1, face, i
    cdef uint64_t own
    cdef double[MAX_SEATS] value
    cdef double[2] open
    open[0] = open[1] = 0
    if not t.game.is_free(step):
        turns -= 1
    for i in range(t.seats):
        out[i] = 0
    for face in range(faces):
        # one sample can take long: free steps end no turn
        if t.nodes >= t.max_nodes or (t.nodes % PATIENCE == 0 and ended(t)):
            t.over = True
            return
        memcpy(there, here, t.game.size)
        own = mixed(stream, face)
        t.nodes += 1
        if faces == 1:
            t.game.apply(there, &step, &own, NULL)
            node(t, ply + 1, turns, mixed(own, 99), sure, out)
            return
        t.game.apply_face(there, step, face, &own)
        node(t, ply + 1, turns, mixed(own, 99), open, value)
        if t.over:
            return
        for i in range(t.seats):
            out[i] += value[i] / faces

cdef void node(Tree* t, int ply, int turns, uint64_t stream, const double* sure, double* out) noexcept nogil:
    """The values for all seats of the position at ``ply``, looking ``turns`` further.

    ``sure`` is what each of two seats has elsewhere already: a branch that leaves one of them less is not looked at to its end.
    """
    cdef char* here = t.stack + ply * t.game.size
    cdef int mover = t.game.mover(here), n, i, j, level
    cdef step_t[MAX_WIDTH] picked
    cdef double[MAX_SEATS] value
    cdef double[2] mine
    if mover == 0:
        t.game.scores(here, out)
        for i in range(t.seats):
            out[i] -= LATER * ply * (out[i] - 1.0 / t.seats)
        return
    if turns < 0 or ply >= MAX_PLY or mover == JOINT:
        leaf(t, here, out)
        return
    level = ply - 2 if ply - 2 < LEVELS else LEVELS - 1
    n = pick(t, ply, mover, t.shape.width[level], picked)
    mine[0], mine[1] = sure[0], sure[1]
    for i in range(n):
        after(t, ply, picked[i], turns, stream, mine, value)
        if t.over:
            return
        if i == 0 or value[mover - 1] > out[mover - 1]:
            for j in range(t.seats):
                out[j] = value[j]
        if t.seats == 2:
            if out[mover - 1] > mine[mover - 1]:
                mine[mover - 1] = out[mover - 1]
            if mine[0] + mine[1] >= 1:
                return

cdef int pick(Tree* t, int ply, int mover, int width, step_t* out) noexcept nogil:
    """The ``width`` most promising steps, best first."""
    cdef char* here = t.stack + ply * t.game.size
    cdef int n = t.game.legal(here, mover, t.steps), i, j, have = 0
    cdef float[MAX_WIDTH] promise
    cdef float p
    if n == 1:
        out[0] = t.steps[0]
        return 1
    t.game.priors(here, t.steps, n, t.knowledge, t.promise)
    for i in range(n):
        p = t.promise[i]
        if have == width and p <= promise[have - 1]:
            continue
        j = have if have < width else width - 1
        have = have + 1 if have < width else have
        while j > 0 and promise[j - 1] < p:
            promise[j] = promise[j - 1]
            out[j] = out[j - 1]
            j -= 1
        promise[j] = p
        out[j] = t.steps[i]
    return have

cdef Shape shape_of(dict config):
    """The shape from its fields as lists: `width` by ply, `rounds` of (keep, depth)."""
    cdef Shape s
    memset(&s, 0, sizeof(s))
    for i, number in enumerate(config["width"]):
        s.width[i] = number
    s.rounds = len(config["rounds"])
    for i, (keep, depth) in enumerate(config["rounds"]):
        s.keep[i], s.depth[i] = keep, depth
    return s


cdef class Expectimax:
    """A race of the steps ``numbers`` of ``seat`` (in order), from an observation of that seat.

    ``knowledge`` is the skill whose evaluation is used, ``worlds`` are the positions that a belief supposes, as structs
    one after the other. Call ``begin`` and ``run`` for each round 0, 1, … of the ``shape`` in turn; ``means`` tells how the race stands. Raises
    ValueError for a game without priors.
    """

    cdef Tree t
    cdef bytes supposed

    def __cinit__(
        self, observation, int seat, list numbers, uint64_t seed, dict shape, int knowledge=EXPERT, bytes worlds=b""
    ):
        cdef bytes raw = observation.raw()
        cdef int i
        if not has_priors(observation.game.table):
            raise ValueError(f"{observation.game.info.name} has no priors")
        if not tree_new(&self.t, table_of(observation.game.table), observation.seats):
            raise MemoryError
        if len(numbers) > self.t.game.max_steps:
            raise ValueError(f"{len(numbers)} steps")
        for i in range(len(numbers)):
            self.t.steps[i] = numbers[i]
        tree_root(&self.t, <char*>raw, seat, self.t.steps, len(numbers), seed)
        self.t.shape = shape_of(shape)
        self.t.knowledge = knowledge
        self.supposed, self.t.worlds.positions, self.t.worlds.count = worlds, worlds, len(worlds) // self.t.game.size
        self.t.worlds.first = seed % 1024  # each thread begins elsewhere

    def __dealloc__(self):
        tree_free(&self.t)

    @property
    def nodes(self):
        """Steps applied so far."""
        return self.t.nodes

    @property
    def rounds(self):
        """How many rounds there are."""
        return self.t.shape.rounds

    def depth(self, int r):
        """How many turns beyond the step the round looks."""
        return self.t.shape.depth[r]

    def begin(self, int r):
        """Begin round ``r``: the worst steps leave the race."""
        tree_begin(&self.t, r)

    def follow(self, Expectimax leader):
        """Be in the same race as ``leader`` (another one over the same steps), with no samples yet."""
        cdef int i
        for i in range(self.t.count):
            self.t.roots[i].alive = leader.t.roots[i].alive
            self.t.roots[i].value = self.t.roots[i].lead = self.t.roots[i].samples = 0

    def absorb(self, Expectimax helper):
        """Count the samples and the nodes of ``helper`` as one's own."""
        cdef int i
        for i in range(self.t.count):
            self.t.roots[i].value += helper.t.roots[i].value
            self.t.roots[i].lead += helper.t.roots[i].lead
            self.t.roots[i].samples += helper.t.roots[i].samples
        self.t.nodes += helper.t.nodes
        helper.t.nodes = 0

    def run(self, int r, long max_nodes, double deadline, StopFlag stop):
        """Play round ``r``. ``max_nodes`` bounds ``nodes``; ``deadline`` is in seconds of the monotonic clock, 0 for none."""
        with nogil:
            tree_run(&self.t, r, max_nodes, deadline, &stop.flag)

    def means(self):
        """For each step (in the race, mean win 0..1, mean lead or None), or None before its first sample."""
        cdef const Candidate* c
        cdef int i
        cdef bint seen = whole(&self.t)
        cdef double value, lead
        cdef long samples
        out = []
        for i in range(self.t.count):
            c = &self.t.roots[i]
            value, lead, samples = c.value, c.lead, c.samples
            if is_old(c, seen):
                value, lead, samples = c.old_value, c.old_lead, c.old_samples
            told = lead / samples if samples and self.t.game.lead != NULL else None
            out.append((bool(c.alive), value / samples, told) if samples else None)
        return out


def has_priors(table):
    """Whether a game (its table) has a quick guess of how promising a step is, which this search cannot do without."""
    return table_of(table).priors != NULL
