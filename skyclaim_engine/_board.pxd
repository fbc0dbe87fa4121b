"""Skyclaim's core, for other compiled modules: the position as a plain struct and what can be done with it."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from skyclaim_engine.game cimport EventLog, step_t


cdef extern from "_lanes.h" nogil:
    ctypedef struct Lanes:
        uint64_t a, b, c
    ctypedef struct Stars:
        Lanes p[3]
    ctypedef struct Swaps:
        Lanes across, up
    enum: PLACES
    Lanes nothing() noexcept
    Lanes everything() noexcept
    Lanes both(Lanes x, Lanes y) noexcept
    Lanes either(Lanes x, Lanes y) noexcept
    Lanes without(Lanes x, Lanes y) noexcept
    bint none(Lanes x) noexcept
    bint some(Lanes x) noexcept
    bint same(Lanes x, Lanes y) noexcept
    bint overlap(Lanes x, Lanes y) noexcept
    bint inside(Lanes x, Lanes y) noexcept
    bint has(const Lanes* x, int place) noexcept
    void add(Lanes* x, int place) noexcept
    void drop(Lanes* x, int place) noexcept
    void put(Lanes* x, int place, int bit) noexcept
    Lanes only(int place) noexcept
    Lanes rows_of(unsigned rows) noexcept
    Lanes shift(Lanes v, int dx, int dy) noexcept
    Lanes around(Lanes v) noexcept
    int count(Lanes v) noexcept
    int lowest(Lanes v, int side) noexcept
    int take_lowest(Lanes* v, int side) noexcept
    int first_place(Lanes v) noexcept
    int take_first(Lanes* v) noexcept
    uint32_t stream_draw(uint64_t* state, uint32_t n) noexcept
    uint64_t stream_next(uint64_t* state) noexcept
    int star_at(const Stars* s, int place) noexcept
    void set_star(Stars* s, int place, int code) noexcept
    Lanes asteroids_of(const Stars* s) noexcept
    Lanes dark_of(const Stars* s) noexcept
    Lanes stars_of(const Stars* s) noexcept
    Lanes colour_of(const Stars* s, int colour) noexcept
    void swap_stars(Stars* s, int one, int other) noexcept
    void clear_stars(Stars* s, Lanes gone) noexcept
    void flow(Stars* s, Lanes gone, int side, uint64_t* stream) noexcept
    Lanes matched(const Stars* s) noexcept
    Swaps swaps(const Stars* s) noexcept
    Lanes flood(Lanes seeds, Lanes through) noexcept
    step_t* write_places(step_t* out, step_t base, step_t factor, Lanes places) noexcept
    step_t* write_few(step_t* out, step_t base, Lanes places) noexcept
    uint64_t mix_words(const void* data, size_t size) noexcept
    int choose_level(int wanted) noexcept


cdef enum Kind:
    NO_DRONE = 0
    SCOUT = 1
    SHIELD = 2
    RAIDER = 3
    HUNTER = 4
    WARP = 5
    SIEGE = 6
    BOMB = 7
    COMMAND = 8  # bit 3 is what cannot be landed on, shot or stacked: Command and turret
    TURRET = 9

cdef enum StepKind:
    FIRE = 0
    BUILD = 1
    SWAP = 2
    MOVE = 3
    TAKE = 4
    STACK = 5
    BLAST = 6
    CLAIM = 7
    JUMP = 8
    RAZE = 9
    RAM = 10
    PASS = 11

cdef enum:
    SOUTH = 0
    NORTH = 1
    FOG_OFF = 0
    FOG_SEAM = 1
    FOG_DARK = 2
    #: One drone of n on a side has at most 120 squares to go to, each in one way. Besides, a scout or hunter shoots at and
    #: a warp drone jumps to one of the 121 - n squares without an own drone, a scout claims once; a siege goes to 8 squares
    #: and razes 120. So n max(242 - n, 128), and 220 swaps, 121 - n turrets, one pass: most for n = 121.
    MAX_STEPS = 15709
    MAX_WAVES = 100
    RANGE = 3            # of missiles and siege fire (rules 5)
    FOG_RANGE = 5


cdef struct BoardC:
    Stars stars
    Lanes land[2]
    Lanes lit[2]         # with fog: every square the side ever owned; empty without
    Lanes side[2]        # where the side's drones and turrets stand
    Lanes kind[4]        # the bits of Kind there
    Lanes loaded[2]      # the bits of the missiles loaded, 0..2
    Lanes wreck
    uint8_t body[121]    # by 11 * column + row: power | ride colours << 2 of a drone, or a wreck's countdown
    uint8_t pad[3]
    uint32_t turn
    uint32_t cleared
    uint16_t turn_limit
    uint8_t stock[2]
    uint8_t mover        # SOUTH or NORTH
    uint8_t result       # 0, or winner (1 South, 2 North, 3 nobody) | 4 * reason (1 land, 2 siege, 3 asteroid, 4 turns)
    uint8_t salvage
    uint8_t fog
    uint8_t land_to_win
    uint8_t claim_radius
    uint8_t seen_by      # 0 for a position, seat for an observation
    uint8_t tail[5]      # zero: the size is a multiple of 8 and the key takes it all


cdef inline int cell(int place) noexcept nogil:
    return place - 5 * (place >> 4)

cdef inline step_t step_of(int kind, int start, int end) noexcept nogil:
    return kind << 16 | start << 8 | end

cdef inline int step_kind(step_t step) noexcept nogil:
    return step >> 16

cdef inline int kind_at(const BoardC* b, int place) noexcept nogil:
    return (has(&b.kind[0], place) | has(&b.kind[1], place) << 1
            | has(&b.kind[2], place) << 2 | has(&b.kind[3], place) << 3)

cdef inline int loaded_at(const BoardC* b, int place) noexcept nogil:
    return has(&b.loaded[0], place) | has(&b.loaded[1], place) << 1

cdef inline int power_at(const BoardC* b, int place) noexcept nogil:
    return b.body[cell(place)] & 3

cdef inline int reach_of(const BoardC* b) noexcept nogil:
    """How far missiles and siege fire go (rules 5)."""
    return RANGE if b.fog == FOG_OFF else FOG_RANGE

# masks of one kind over both sides
cdef inline Lanes commands(const BoardC* b) noexcept nogil:
    return without(b.kind[3], b.kind[0])

cdef inline Lanes turrets(const BoardC* b) noexcept nogil:
    return both(b.kind[3], b.kind[0])

cdef inline Lanes sieges(const BoardC* b) noexcept nogil:
    return without(both(b.kind[2], b.kind[1]), b.kind[0])

cdef inline Lanes shields(const BoardC* b) noexcept nogil:
    return without(without(b.kind[1], b.kind[2]), b.kind[0])

cdef inline Lanes occupied(const BoardC* b) noexcept nogil:
    return either(b.side[0], b.side[1])


cdef Lanes box(int radius, int place) noexcept nogil
cdef Lanes half_of(int side) noexcept nogil
cdef Lanes claim_block(const BoardC* b, int place) noexcept nogil
cdef Lanes claimed_from(const BoardC* b, int place) noexcept nogil
cdef void place_drone(BoardC* b, int place, int side, int kind, int body, int missiles) noexcept nogil
cdef Lanes seen(const BoardC* b, int side) noexcept nogil
cdef int legal(const BoardC* b, step_t* out) noexcept nogil
cdef void apply(BoardC* b, step_t step, uint64_t* stream, EventLog* log) noexcept nogil
cdef void observe(const BoardC* b, int side, BoardC* out) noexcept nogil
cdef void set_up(BoardC* b, int south, int north, uint64_t* stream) noexcept nogil
cdef Lanes matched_of(const Stars* stars) noexcept nogil
cdef Swaps swaps_of(const BoardC* b) noexcept nogil
cdef uint64_t key_of(const BoardC* b) noexcept nogil
cdef uint64_t situation_of(const BoardC* b) noexcept nogil
cdef int shape_of(Lanes g, int n) noexcept nogil
cdef Lanes next_group(const Stars* stars, Lanes* rest) noexcept nogil


cdef class Board:
    cdef BoardC c
