# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True, embedsignature=True
"""Monte Carlo tree search over any game's C table in which one seat decides at a time.

Each simulation begins with a truth drawn from what the seat at the root sees and samples every chance step afresh, so
the tree never plans on luck that it has seen. A node stands for what the seat that decides there sees and is found by
the key of that: stretches without chance grow a real tree, also across different orders of steps. Nodes and edges live
in memory of a fixed size; once it is full, what is new is only evaluated.

Every seat wants its own share of the win (max-n). A step is chosen by its mean result and its prior (PUCT), the most
promising ones first (progressive widening). A prior comes from the game's `priors`, or else from the evaluation right
after the step in one sample. Where there are priors, chance is dense and a position seldom comes again: what follows a
step that is chosen often is valued by the best of the most promising replies. Die faces are passed in turn from a start of the node's own, so that no face is left out.
"""

from libc.math cimport exp, sqrt
from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy

from skyclaim_engine.game cimport EXPERT, MAX_SEATS, GameTable, step_t, table_of
from skyclaim_engine.mixing cimport mixed
from skyclaim_engine.search.stop cimport StopFlag
from skyclaim_engine.search.worlds cimport Worlds, suppose
from skyclaim_engine.stopwatch cimport seconds_now

cdef enum:
    MAX_PLY = 64
    # steps that are kept in a node below the root
    MAX_EDGES = 48
    # steps that are looked at in every node, before it widens
    FIRST = 3
    # how often a step must have been chosen for what follows it to be valued by the best of so many replies
    SETTLED = 4
    REPLIES = 6
    LARGEST = 1 << 30

#: how much the prior counts against the result, how sharp it is (in win), and how much worse than its node a step is
#: taken to be that was not tried
cdef double EXPLORE = 0.6
cdef double SHARPNESS = 0.04
cdef double UNTRIED = 0.1
#: steps more for each root of the visits of a node
cdef double WIDENING = 1.0
#: what a free step has to be better by: of two ways to win, the one that wins at once
cdef double FREE_STEP = 1e-6


cdef struct Edge:
    step_t step
    double value  # the sum of the mover's results
    float prior
    float guess   # the mover's result right after the step as it was seen once; less than 0 = not seen
    int visits
    int faces     # of the die that the step rolls; 0 = not asked yet

cdef struct Node:
    uint64_t key
    double value  # the sum of the mover's results
    int visits
    int first     # edge
    int count     # of edges, 0 until the second visit
    int mover

cdef struct Passed:
    Node* node
    Edge* edge


cdef class Mcts:
    """A tree over the steps ``numbers`` of ``seat`` (in order) at the root, from an observation of that seat.

    ``depth`` bounds the steps of a simulation that are not free, ``memory`` the nodes and edges below the root, in
    bytes; ``knowledge`` is the skill whose evaluation is used, ``worlds`` are the positions that a belief supposes, as
    structs one after the other. Raises ValueError where all seats decide at once.
    """

    cdef const GameTable* game
    cdef bytes supposed
    cdef Worlds worlds
    cdef char* observed    # at the root
    cdef char* here        # where a simulation is
    cdef char* seen        # what the mover sees of it
    cdef char* tried
    cdef step_t* steps
    cdef float* promise
    cdef double* leads
    cdef Node root
    cdef Edge* roots
    cdef Node* table
    cdef Edge* edges
    cdef long rooms        # of the table, a power of two
    cdef long edge_rooms
    cdef long nodes_kept
    cdef long edges_kept
    cdef int seats
    cdef int knowledge
    cdef int max_depth
    cdef uint64_t seed
    cdef long simulations
    cdef long max_nodes
    cdef bint over
    cdef readonly long nodes
    cdef readonly int depth

    def __cinit__(
        self, observation, int seat, list numbers, uint64_t seed, int depth, long memory, int knowledge=EXPERT,
        bytes worlds=b""
    ):
        cdef bytes raw = observation.raw()
        cdef int i, count = len(numbers)
        if observation.game.info.simultaneous:
            raise ValueError(f"in {observation.game.info.name} all seats decide at once")
        self.game = table_of(observation.game.table)
        self.seats, self.knowledge, self.max_depth, self.seed = observation.seats, knowledge, depth, seed
        self.supposed, self.worlds.positions, self.worlds.count = worlds, worlds, len(worlds) // self.game.size
        self.worlds.first = seed % 1024  # each thread begins elsewhere
        self.rooms = 1
        while self.rooms < LARGEST and 4 * self.rooms * <long>sizeof(Node) <= memory:
            self.rooms *= 2
        self.edge_rooms = max(0, min(LARGEST, (memory - self.rooms * <long>sizeof(Node)) // <long>sizeof(Edge)))
        self.observed = <char*>malloc(4 * self.game.size)
        self.steps = <step_t*>malloc(max(count, self.game.max_steps) * sizeof(step_t))
        self.promise = <float*>malloc(max(count, self.game.max_steps) * sizeof(float))
        self.leads = <double*>calloc(count + 1, sizeof(double))
        self.roots = <Edge*>calloc(count + 1, sizeof(Edge))
        self.table = <Node*>calloc(self.rooms, sizeof(Node))
        self.edges = <Edge*>malloc((self.edge_rooms + 1) * sizeof(Edge))
        if (
            self.observed == NULL or self.steps == NULL or self.promise == NULL or self.leads == NULL
            or self.roots == NULL or self.table == NULL or self.edges == NULL
        ):
            raise MemoryError
        self.here = self.observed + self.game.size
        self.seen = self.here + self.game.size
        self.tried = self.seen + self.game.size
        memcpy(self.observed, <char*>raw, self.game.size)
        self.root.key, self.root.mover, self.root.count = self.game.key(self.observed), seat, count
        for i in range(count):
            self.roots[i].step = numbers[i]

    def __dealloc__(self):
        free(self.observed)
        free(self.steps)
        free(self.promise)
        free(self.leads)
        free(self.roots)
        free(self.table)
        free(self.edges)

    def run(self, long max_nodes, double deadline, StopFlag stop):
        """Simulate until so many ``nodes`` or so late (seconds of the monotonic clock, 0 for no deadline).

        The first simulations try each step of the root once. One that is cut off does not count.
        """
        self.max_nodes, self.over = max_nodes, False
        with nogil:
            while not (stop.flag or self.nodes >= max_nodes or (deadline > 0 and seconds_now() > deadline)):
                self.simulate()

    def roots_seen(self):
        """For each step of the root (visits, sum of results 0..1, sum of leads or None), in order."""
        cdef int i
        cdef bint told = self.game.lead != NULL
        return [
            (self.roots[i].visits, self.roots[i].value, self.leads[i] if told else None) for i in range(self.root.count)
        ]

    cdef void simulate(self) noexcept nogil:
        cdef long sample = 0 if self.simulations < self.root.count else self.simulations
        cdef uint64_t stream = mixed(self.seed, sample)
        cdef Passed[MAX_PLY] path
        cdef double[MAX_SEATS] value
        cdef Node* node = &self.root
        cdef Edge* edge
        cdef int ply = 0, i, turns = 0, mover
        cdef uint64_t key
        cdef double lead = 0
        suppose(&self.worlds, self.game, self.observed, node.mover, sample, &stream, self.here)
        while True:
            edge = self.choose(node)
            if self.nodes >= self.max_nodes:
                return
            path[ply].node, path[ply].edge = node, edge
            turns += not self.game.is_free(edge.step)
            self.play(node, edge, &stream)
            ply += 1
            if ply == 1 and self.game.lead != NULL:
                lead = self.game.lead(self.here, node.mover)
            mover = self.game.mover(self.here)
            if mover <= 0 or ply == MAX_PLY or turns >= self.max_depth:
                self.results(self.here, value)
                break
            self.game.observe(self.here, mover, self.seen)
            key = self.game.key(self.seen)
            node = self.find(key)
            if node == NULL or node.key == 0:
                if self.game.priors != NULL and edge.visits >= SETTLED:
                    if not self.reply(mover, stream, value):
                        return
                else:
                    self.results(self.here, value)
                if node != NULL:
                    node.key, node.mover, node.visits, node.value = key, mover, 1, value[mover - 1]
                    self.nodes_kept = self.nodes_kept + 1
                break
            if node.count == 0 and not self.open(node, stream):
                if self.nodes >= self.max_nodes:
                    return
                self.results(self.here, value)
                break
        self.simulations = self.simulations + 1
        self.depth = max(self.depth, turns)
        for i in range(ply):
            mover = path[i].node.mover
            path[i].node.visits += 1
            path[i].node.value += value[mover - 1]
            path[i].edge.visits += 1
            path[i].edge.value += value[mover - 1]
        if self.game.is_free(path[0].edge.step):
            path[0].edge.value -= FREE_STEP
        i = path[0].edge - self.roots
        self.leads[i] = self.leads[i] + lead
        if self.simulations == self.root.count:
            self.weigh_roots()

    cdef Edge* choose(self, Node* node) noexcept nogil:
        """The step to look at: at the root each once; then that with the best of result and prior."""
        cdef Edge* edges = self.edges + node.first
        cdef Edge* best
        cdef int wide = node.count, i
        cdef double spread = sqrt(node.visits), most = -1, q
        cdef double fresh = max(0.0, node.value / node.visits - UNTRIED) if node.visits else 0
        if node == &self.root:
            if self.simulations < wide:
                return &self.roots[self.simulations]
            edges = self.roots
        else:
            wide = min(wide, FIRST + <int>(WIDENING * spread))
        best = edges
        for i in range(wide):
            if edges[i].visits:
                q = edges[i].value / edges[i].visits
            else:
                q = edges[i].guess if edges[i].guess >= 0 else fresh
            q += EXPLORE * edges[i].prior * spread / (1 + edges[i].visits)
            if q > most:
                best, most = &edges[i], q
        return best

    cdef void play(self, Node* node, Edge* edge, uint64_t* stream) noexcept nogil:
        """The step is played where the simulation is, on the next face of the die that it may roll."""
        cdef int face
        self.nodes = self.nodes + 1
        if edge.faces == 0:
            edge.faces = self.game.faces(self.here, edge.step) if self.game.faces != NULL else 1
        if edge.faces == 1:
            self.game.apply(self.here, &edge.step, stream, NULL)
        else:
            face = (mixed(self.seed, node.key) % edge.faces + edge.visits) % edge.faces
            self.game.apply_face(self.here, edge.step, face, stream)

    cdef Node* find(self, uint64_t key) noexcept nogil:
        """The node of the key, or where it is to be (its key is 0), or NULL if the table is too full for one more."""
        cdef long i = key & (self.rooms - 1)
        while self.table[i].key != key and self.table[i].key != 0:
            i = (i + 1) & (self.rooms - 1)
        if self.table[i].key == 0 and 4 * (self.nodes_kept + 1) > 3 * self.rooms:
            return NULL
        return &self.table[i]

    cdef bint open(self, Node* node, uint64_t stream) noexcept nogil:
        """Gives the node its steps, the most promising first; False when there is no room or nothing left to try them."""
        cdef int n = self.game.legal(self.seen, node.mover, self.steps), have = 0, i, j
        cdef Edge* edges = self.edges + self.edges_kept
        cdef uint64_t own
        cdef bint tried = self.game.priors == NULL and n > 1
        if self.edges_kept + min(n, MAX_EDGES) > self.edge_rooms:
            return False
        if tried:
            for i in range(n):
                if self.nodes >= self.max_nodes:
                    return False
                self.nodes = self.nodes + 1
                own = stream
                memcpy(self.tried, self.here, self.game.size)
                self.game.apply(self.tried, &self.steps[i], &own, NULL)
                self.promise[i] = self.result(self.tried, node.mover)
        elif n > 1:
            self.game.priors(self.here, self.steps, n, self.knowledge, self.promise)
        else:
            self.promise[0] = 0
        for i in range(n):
            if have == MAX_EDGES and self.promise[i] <= edges[have - 1].prior:
                continue
            have = min(have + 1, MAX_EDGES)
            j = have - 1
            while j > 0 and edges[j - 1].prior < self.promise[i]:
                edges[j] = edges[j - 1]
                j -= 1
            edges[j] = Edge(self.steps[i], 0, self.promise[i], self.promise[i] if tried else -1, 0, 0)
        if self.game.priors != NULL:
            self.promises_to_wins(edges, have)
        soften(edges, have)
        node.first, node.count = self.edges_kept, have
        self.edges_kept = self.edges_kept + have
        return True

    cdef bint reply(self, int mover, uint64_t stream, double* out) noexcept nogil:
        """Every seat's result after the best of the most promising steps here; False when there is nothing left to try."""
        cdef int n = self.game.legal(self.seen, mover, self.steps), most = min(n, REPLIES), tried, best, i
        cdef double[MAX_SEATS] value
        cdef uint64_t own
        self.game.priors(self.here, self.steps, n, self.knowledge, self.promise)
        for tried in range(most):
            if self.nodes >= self.max_nodes:
                return False
            self.nodes = self.nodes + 1
            best = 0
            for i in range(1, n):
                if self.promise[i] > self.promise[best]:
                    best = i
            own = mixed(stream, tried)
            memcpy(self.tried, self.here, self.game.size)
            self.game.apply(self.tried, &self.steps[best], &own, NULL)
            self.results(self.tried, value)
            if tried == 0 or value[mover - 1] > out[mover - 1]:
                memcpy(out, value, sizeof(value))
            n -= 1
            self.steps[best], self.promise[best] = self.steps[n], self.promise[n]
        return True

    cdef void weigh_roots(self) noexcept nogil:
        """The priors at the root, when each step has been tried once."""
        cdef uint64_t stream = mixed(self.seed, 0)
        cdef int i
        for i in range(self.root.count):
            self.steps[i] = self.roots[i].step
            self.roots[i].prior = self.roots[i].value
        if self.game.priors != NULL:
            suppose(&self.worlds, self.game, self.observed, self.root.mover, 0, &stream, self.here)
            self.game.priors(self.here, self.steps, self.root.count, self.knowledge, self.promise)
            for i in range(self.root.count):
                self.roots[i].prior = self.promise[i]
            self.promises_to_wins(self.roots, self.root.count)
        soften(self.roots, self.root.count)

    cdef void promises_to_wins(self, Edge* edges, int n) noexcept nogil:
        """Promises become the results that they stand for in an even game, were the best of them kept to even."""
        cdef double best = edges[0].prior
        cdef int i
        for i in range(1, n):
            best = max(best, edges[i].prior)
        for i in range(n):
            edges[i].prior = self.game.win(edges[i].prior - best)

    cdef double result(self, const void* position, int seat) noexcept nogil:
        """A seat's share of the win, as it is or is evaluated."""
        cdef double[MAX_SEATS] shares
        if self.game.mover(position):
            return self.game.win(self.game.evaluate(position, seat, self.knowledge))
        self.game.scores(position, shares)
        return shares[seat - 1]

    cdef void results(self, const void* position, double* out) noexcept nogil:
        """Every seat's share of the win; they sum to 1."""
        cdef int i
        cdef double sum = 0
        if not self.game.mover(position):
            self.game.scores(position, out)
        elif self.seats == 2:
            out[self.root.mover - 1] = self.result(position, self.root.mover)
            out[2 - self.root.mover] = 1 - out[self.root.mover - 1]
        else:
            for i in range(self.seats):
                out[i] = self.result(position, i + 1)
                sum += out[i]
            for i in range(self.seats):
                out[i] = out[i] / sum if sum > 0 else 1.0 / self.seats


cdef void soften(Edge* edges, int n) noexcept nogil:
    """Results become priors that sum to 1."""
    cdef double best = edges[0].prior, sum = 0
    cdef int i
    for i in range(1, n):
        best = max(best, edges[i].prior)
    for i in range(n):
        edges[i].prior = exp((edges[i].prior - best) / SHARPNESS)
        sum += edges[i].prior
    for i in range(n):
        edges[i].prior /= sum
