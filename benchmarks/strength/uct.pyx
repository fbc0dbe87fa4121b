# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Plain UCT with random playouts, over any game's C table where one seat decides at a time.

Open loop: a node is a sequence of steps, whatever chance has brought; every simulation begins with a truth drawn from
what the seat sees and meets fresh chance. UCB1 among the steps that are legal then, one new node a simulation, the most
visited step at the end. Nothing in it knows a game.
"""

from libc.math cimport log, sqrt
from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from skyclaim_engine.game cimport MAX_SEATS, GameTable, step_t, table_of
from skyclaim_engine.stopwatch cimport seconds_now

cdef enum:
    NODES = 1 << 19       # a search ends when they are used up
    PLACES = 1 << 20      # of the table that finds them
    DEEPEST = 400


cdef struct Node:
    step_t step
    int parent
    int visits
    double share          # of the win, summed, for the seat that chose the step


cdef inline uint64_t draw(uint64_t* stream) noexcept nogil:
    cdef uint64_t z
    stream[0] += <uint64_t>0x9E3779B97F4A7C15
    z = stream[0]
    z = (z ^ z >> 30) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ z >> 27) * <uint64_t>0x94D049BB133111EB
    return z ^ z >> 31

cdef void play_out(const GameTable* game, void* here, int seats, int plies, uint64_t* stream, double* shares) noexcept nogil:
    """Random steps to the end, or so many; then each seat's share: of the win, or of what its lead stands for."""
    cdef step_t step
    cdef int i, mover = game.mover(here)
    while mover > 0 and plies != 0:
        step = game.random_step(here, mover, stream)
        game.apply(here, &step, stream, NULL)
        mover = game.mover(here)
        plies -= 1
    if mover == 0:
        game.scores(here, shares)
        return
    for i in range(seats):
        shares[i] = game.win(game.lead(here, i + 1)) if game.lead != NULL else 1.0 / seats


cdef class Uct:
    """A searcher for one game; raises ValueError for one with joint nodes. ``simulations`` counts over all searches."""

    cdef const GameTable* game
    cdef Node* nodes
    cdef int* table           # number of a node + 1 by the hash of its parent and step
    cdef char* room           # what the seat sees, and the position of a simulation
    cdef step_t* steps
    cdef step_t* untried
    cdef int count
    cdef int seat
    cdef int seats
    cdef readonly long simulations

    def __cinit__(self, position):
        if position.game.info.simultaneous:
            raise ValueError(f"{position.game.info.name} has joint nodes")
        self.game = table_of(position.game.table)
        self.seats = position.seats
        self.nodes = <Node*>malloc(NODES * sizeof(Node))
        self.table = <int*>malloc(PLACES * sizeof(int))
        self.room = <char*>malloc(2 * self.game.size)
        self.steps = <step_t*>malloc(self.game.max_steps * sizeof(step_t))
        self.untried = <step_t*>malloc(self.game.max_steps * sizeof(step_t))
        if (self.nodes == NULL or self.table == NULL or self.room == NULL or self.steps == NULL
                or self.untried == NULL):
            raise MemoryError

    def __dealloc__(self):
        free(self.nodes)
        free(self.table)
        free(self.room)
        free(self.steps)
        free(self.untried)

    def choose(self, view, int seat, uint64_t seed, double seconds, int plies, int most=NODES - 1):
        """The number of a step for ``seat``, which sees ``view``; playouts of ``plies``, to the end if below 0.

        It ends after so many ``seconds``, or ``most`` simulations.
        """
        cdef double deadline = seconds_now() + seconds
        cdef bytes raw = view.raw()
        cdef uint64_t stream = seed
        cdef int i, best = 0
        most = min(most, NODES - 1)
        memcpy(self.room, <char*>raw, self.game.size)
        memset(self.table, 0, PLACES * sizeof(int))
        memset(self.nodes, 0, sizeof(Node))
        self.seat, self.count = seat, 1
        with nogil:
            for i in range(most):
                self.simulate(&stream, plies)
                if seconds_now() >= deadline:
                    break
        for i in range(1, self.count):
            if self.nodes[i].parent == 0 and (best == 0 or self.nodes[i].visits > self.nodes[best].visits):
                best = i
        return self.nodes[best].step

    cdef int* place_of(self, int parent, step_t step) noexcept nogil:
        """Where the table has the number of that node + 1, or 0 if there is no such node yet."""
        cdef uint64_t state = step * <uint64_t>0xD1342543DE82EF95 + parent
        cdef uint64_t at = draw(&state) & (PLACES - 1)
        cdef const Node* node
        while self.table[at]:
            node = &self.nodes[self.table[at] - 1]
            if node.parent == parent and node.step == step:
                break
            at = (at + 1) & (PLACES - 1)
        return &self.table[at]

    cdef void simulate(self, uint64_t* stream, int plies) noexcept nogil:
        cdef char* here = self.room + self.game.size
        cdef int[DEEPEST] path
        cdef int[DEEPEST] movers
        cdef double[MAX_SEATS] shares
        cdef int depth = 0, node = 0, mover, n, i, child, fresh, best
        cdef double most, value
        cdef step_t step
        cdef int* place
        self.game.imagine(self.room, self.seat, stream, here)
        self.nodes[0].visits += 1
        while depth < DEEPEST:
            mover = self.game.mover(here)
            if mover == 0:
                break
            n = self.game.legal(here, mover, self.steps)
            fresh, best, most = 0, 0, -1
            for i in range(n):
                child = self.place_of(node, self.steps[i])[0] - 1
                if child < 0:
                    self.untried[fresh] = self.steps[i]
                    fresh += 1
                elif fresh == 0:
                    value = (self.nodes[child].share / self.nodes[child].visits
                             + sqrt(2 * log(self.nodes[node].visits) / self.nodes[child].visits))
                    if value > most:
                        best, most = child, value
            if fresh:
                step = self.untried[draw(stream) % fresh]
                place = self.place_of(node, step)
                best = self.count
                self.nodes[best].step, self.nodes[best].parent = step, node
                self.nodes[best].visits, self.nodes[best].share = 0, 0
                self.count += 1
                place[0] = best + 1
            node = best
            path[depth], movers[depth] = node, mover
            depth += 1
            self.nodes[node].visits += 1
            step = self.nodes[node].step
            self.game.apply(here, &step, stream, NULL)
            if fresh:
                break
        play_out(self.game, here, self.seats, plies, stream, shares)
        for i in range(depth):
            self.nodes[path[i]].share += shares[movers[i] - 1]
        self.simulations += 1


def shares_of(game, bytes raw, int seats, uint64_t seed, int plies):
    """One random playout of ``plies`` steps from a position (its `raw`): each seat's share as a list."""
    cdef const GameTable* table = table_of(game.table)
    cdef uint64_t stream = seed
    cdef double[MAX_SEATS] shares
    cdef char* here
    cdef int i
    if len(raw) != <int>table.size:
        raise ValueError(f"a position has {table.size} bytes, not {len(raw)}")
    here = <char*>malloc(table.size)
    if here == NULL:
        raise MemoryError
    memcpy(here, <char*>raw, table.size)
    play_out(table, here, seats, plies, &stream, shares)
    free(here)
    return [shares[i] for i in range(seats)]
