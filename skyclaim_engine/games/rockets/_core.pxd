"""Rockets' core, for other compiled modules: the position as a plain struct and what can be done with it."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from skyclaim_engine.game cimport EventLog, step_t


cdef extern from "_lanes.h" nogil:
    uint32_t stream_draw(uint64_t* state, uint32_t n) noexcept
    uint64_t mix_words(const void* data, size_t size) noexcept


cdef enum Phase:
    LAY = 0        # a tile is in hand
    ROCK = 1       # a token of the asteroid tile is placed
    PLACE = 2      # a rocket is placed
    BOARD = 3      # the spare shield of the next pilot is placed
    FLY = 4
    AIM = 5
    TRACE = 6
    AFTER = 7      # the turn's drift is left to do, or not to do
    OVER = 8

cdef enum StepKind:
    TILE = 1
    TOKEN = 2
    ROCKET = 3
    SHIELD = 4
    FLIGHT = 5
    TARGET = 6
    SHOT = 7
    DRIFT = 8
    STAY = 9

cdef enum TileKind:
    SPACE = 1
    WORMHOLE = 2
    ASTEROID = 3

cdef enum Ending:
    LAST = 1
    TOGETHER = 2
    ROUNDS = 3

cdef enum:
    MOST_PILOTS = 6
    MOST_TILES = 36
    MOST_TOKENS = 3
    #: as many shields as there are, with six pilots and five each, and more hits than in any game
    MOST_SHIELDS = 36
    MOST_HITS = 9999
    #: coordinates go from -12 to 12 (J4)
    REACH = 12
    SPAN = 25
    CELLS = 625
    #: stands for no cell
    OFF_BOARD = 625
    #: stands for no space: a rocket not on the board, a shield not boarded
    NOWHERE = 63
    #: a game ends after so many rounds (J13)
    LAST_ROUND = 200
    #: A flight ends in at most 35 other spaces with any of the at most 5 shields it could meet (its own and those of
    #: n - 2 destroyed pilots), and 3 tokens drift to at most 35 tiles each: 35 * 32 + 105. All other lists are shorter:
    #: 35 tiles have at most 210 places around them, and of 5 rivals there are 32 sets.
    MAX_STEPS = 1225


cdef struct BoardC:
    uint64_t near[36]      # by space: the spaces it touches, those with tokens too; zero until all tiles lie
    uint64_t spaces        # every tile, but of the wormhole tiles only the written one; zero until all tiles lie
    uint64_t worms         # the wormhole tiles
    uint64_t rocks         # the tiles with a token
    uint16_t cell[36]      # where the tiles lie, ascending; zero after them
    uint16_t hits[6]       # dealt, by pilot
    uint16_t round
    uint8_t stack[36]      # the tiles still to draw, as TileKind, bottom first; in an observation sorted
    uint8_t kills[6]
    uint8_t victims[6]     # a bit for each rival hit
    uint8_t at[6]          # the rocket's space
    uint8_t held[6]        # shields
    uint8_t boarded[6]     # the spare shield's space
    uint8_t order[6]       # the pilots still to move, 0-based, the first is on turn; zero after them
    uint8_t waiting        # how many these are
    uint8_t tiles          # how many lie
    uint8_t left           # how many are in the stack
    uint8_t alive          # a bit for each pilot
    uint8_t pilots         # the options
    uint8_t shields
    uint8_t with_worms
    uint8_t with_rocks
    uint8_t up_to
    uint8_t phase
    uint8_t hand           # LAY: the tile in hand
    uint8_t die            # FLY: the white die; TRACE: the red one
    uint8_t target         # TRACE: the pilot aimed at
    uint8_t drifted        # whether the turn's drift has been used
    uint8_t winners        # OVER: a bit for each
    uint8_t how            # OVER: an Ending
    uint8_t hidden         # whether it is an observation: the order of the stack is not known
    uint8_t tail[1]        # zero: the size is a multiple of 8 and the key takes it all


cdef inline int step_kind(step_t step) noexcept nogil:
    return step >> 60

cdef inline int step_cell(step_t step, int i) noexcept nogil:
    """The i-th cell of a step, OFF_BOARD after the last."""
    cdef int number = (step >> (50 - 10 * i)) & 1023
    return number - 1 if number else OFF_BOARD

cdef inline int step_seat(step_t step) noexcept nogil:
    """The pilot that a TARGET step names, 0-based."""
    return <int>((step >> 50) & 1023) - 1

cdef inline step_t step_of(int kind, int cell) noexcept nogil:
    return <step_t>kind << 60 | <step_t>(cell + 1) << 50

cdef inline uint64_t bit(int i) noexcept nogil:
    return <uint64_t>1 << i

cdef inline uint64_t open_spaces(const BoardC* b) noexcept nogil:
    return b.spaces & ~b.rocks

cdef inline int mover(const BoardC* b) noexcept nogil:
    """The seat on turn, 0 when the game is over."""
    return b.order[0] + 1 if b.phase != OVER else 0


cdef int legal(const BoardC* b, step_t* out) noexcept nogil
cdef int refusal(const BoardC* b, step_t step) noexcept nogil
cdef bint apply(BoardC* b, step_t step, int face, uint64_t* stream, EventLog* log) noexcept nogil
cdef void observe(const BoardC* b, BoardC* out) noexcept nogil
cdef void imagine(const BoardC* observation, uint64_t* stream, BoardC* out) noexcept nogil
cdef uint64_t key_of(const BoardC* b) noexcept nogil
cdef int list_flights(const BoardC* b, uint64_t* out) noexcept nogil
cdef int list_traces(const BoardC* b, int pilot, int die, uint64_t* out) noexcept nogil
cdef int targets_of(const BoardC* b, int pilot) noexcept nogil
cdef int distances(const BoardC* b, int start, uint8_t* out) noexcept nogil
cdef int turn_of(const BoardC* b) noexcept nogil


cdef class Board:
    cdef BoardC c
