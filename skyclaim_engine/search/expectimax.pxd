from libc.stdint cimport uint64_t

from skyclaim_engine.game cimport GameTable, step_t

cdef enum:
    LEVELS = 4
    ROUNDS = 8

cdef struct Shape:
    # how wide and how often the search looks, by plies below the root; how many roots go into each round, and how deep
    int width[LEVELS]
    int samples[LEVELS]
    int rounds
    int keep[ROUNDS]
    int depth[ROUNDS]

cdef struct Candidate:
    step_t step
    double value
    double lead
    long samples
    bint alive

cdef struct Tree:
    const GameTable* game
    char* stack
    step_t* steps
    float* promise
    Candidate* roots
    int count
    int seat
    int seats
    uint64_t seed
    long nodes
    long sweeps
    long max_nodes
    double deadline
    const volatile int* stop
    bint over
    Shape shape

cdef bint tree_new(Tree* t, const GameTable* game, int seats)
cdef void tree_free(Tree* t) noexcept
cdef void tree_root(Tree* t, const void* observation, int seat, const step_t* steps, int count, uint64_t seed) noexcept nogil
cdef void tree_begin(Tree* t, int r) noexcept nogil
cdef void tree_run(Tree* t, int r, long max_nodes, double deadline, const volatile int* stop) noexcept nogil
cdef void tree_think(Tree* t, long max_nodes, double deadline, const volatile int* stop) noexcept nogil
cdef int tree_best(const Tree* t) noexcept nogil
cdef Shape shape_of(dict config)
