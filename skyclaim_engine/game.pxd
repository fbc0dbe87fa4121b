"""The face of a game that search sees: a table of C functions over a plain struct. There is no game in this file.

A step is a number; what it means is the game's own affair (`Position.text` says it in words). A position is a
struct without pointers, `size` bytes long, copied with memcpy. Seats are 1..n.
"""

from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport realloc

ctypedef uint64_t step_t

cdef enum:
    TABLE_VERSION = 5
    MAX_SEATS = 6
    #: what `mover` answers where all seats decide at once
    JOINT = -1
    #: what `evaluate` may know of: skills 0..100 in tens, or what a rival knows whom a tuner sets beside the rest
    EXPERT = 100
    RIVAL = 110


cdef struct EventLog:
    # What a step did, as numbers: for each event its type, the number of numbers that follow, and these.
    int32_t* data
    int size
    int room
    bint failed


cdef struct GameTable:
    int version
    size_t size
    # a proven bound on the number of steps that `legal` writes
    int max_steps
    # the seat that decides, JOINT, or 0 when the game is over
    int (*mover)(const void* position) noexcept nogil
    # the legal steps of a seat; returns how many. In a joint node, where a step is a set of orders and there are too many
    # sets to list, the sets of one order
    int (*legal)(const void* position, int seat, step_t* out) noexcept nogil
    # plays a legal step (in a joint node one for each seat, in order); `log` may be NULL
    void (*apply)(void* position, const step_t* steps, uint64_t* stream, EventLog* log) noexcept nogil
    # a step as a random player chooses it: never a free one; in a joint node a set of any size
    step_t (*random_step)(const void* position, int seat, uint64_t* stream) noexcept nogil
    # how many equally likely faces has the die that a step rolls (1 where it rolls none), and `apply` with this face
    # 0..faces - 1 up; both NULL where a game has no dice
    int (*faces)(const void* position, step_t step) noexcept nogil
    void (*apply_face)(void* position, step_t step, int face, uint64_t* stream) noexcept nogil
    # each seat's share of the win, when it is over
    void (*scores)(const void* position, double* out) noexcept nogil
    # how promising the mover's legal steps look before they are tried, in units of `evaluate`, to whom knows what that
    # skill knows; NULL where a game has no quick way to tell
    void (*priors)(const void* position, const step_t* steps, int n, int knowledge, float* out) noexcept nogil
    # the mover's legal steps that may win at once or, free, clear the way for one that does; returns how many. No action
    # that wins whatever chance brings is left out. And whether a seat may win in its next one or two turns; where that is
    # False it cannot, luck apart. Both NULL where a game has no quick way to tell
    int (*decisive)(const void* position, step_t* out) noexcept nogil
    bint (*within_reach)(const void* position, int seat, int turns) noexcept nogil
    # how well a seat stands, in units of the game's own (0 = even), to whom knows what that skill knows
    double (*evaluate)(const void* position, int seat, int knowledge) noexcept nogil
    # the expected result (0..1) that an evaluation stands for
    double (*win)(double value) noexcept nogil
    # a lead that players count, such as squares of land; NULL where a game has none
    double (*lead)(const void* position, int seat) noexcept nogil
    uint64_t (*key)(const void* position) noexcept nogil
    # the same without the turn; NULL in a game where nothing comes again
    uint64_t (*situation)(const void* position) noexcept nogil
    # the turn, for choices that are made once a turn
    int (*turn)(const void* position) noexcept nogil
    # what a seat sees
    void (*observe)(const void* position, int seat, void* out) noexcept nogil
    # one possible truth behind an observation, the unknown drawn from `stream`
    void (*imagine)(const void* observation, int seat, uint64_t* stream, void* out) noexcept nogil
    # for what a seat remembers of what it cannot see now; NULL in a game where that is of no use, or that has no `priors`:
    # how a game with the rules of an observation may have begun; False where nothing is hidden
    bint (*begin)(const void* observation, uint64_t* stream, void* out) noexcept nogil
    # makes what was held for the truth agree with a newer observation; returns how far it was from that
    double (*recall)(const void* observation, int seat, uint64_t* stream, void* truth) noexcept nogil
    # lets n positions, one after the other, that all agree with an observation be alike where a search needs them to be
    void (*settle)(const void* observation, int seat, void* truths, int n) noexcept nogil
    # the least skill at which a bot may choose this step
    int (*known_from)(step_t step) noexcept nogil
    # whether it is a step that the seat makes besides its decision proper, and is then asked again
    bint (*is_free)(step_t step) noexcept nogil


cdef inline const GameTable* table_of(capsule) except NULL:
    """The table behind `Game.table`; raises ValueError for anything else."""
    return <const GameTable*>PyCapsule_GetPointer(capsule, "skyclaim_engine.GameTable")

cdef inline void emit(EventLog* log, int32_t value) noexcept nogil:
    cdef int32_t* data
    if log.size == log.room:
        data = <int32_t*>realloc(log.data, (2 * log.room + 256) * sizeof(int32_t))
        if data == NULL:
            log.failed = True
            return
        log.data, log.room = data, 2 * log.room + 256
    log.data[log.size] = value
    log.size += 1
