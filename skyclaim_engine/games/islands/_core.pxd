"""Islands' core, for other compiled modules: the position as a plain struct and what can be done with it.

Islands lie on a board of eight columns, so that a step in each of the six directions is a shift of a 64-bit set. The
*place* of the island (q, r) is 8 (r + 3) + q + 3; column 7 is empty and keeps the shifts from running over.

    r = -3    .  .  . 25 24 23 22  .      places  0 ..  7
    r = -2    .  . 26 11 10  9 21  .              8 .. 15
    r = -1    . 27 12  3  2  8 20  .             16 .. 23
    r =  0   28 13  4  0  1  7 19  .             24 .. 31      direction   0   1   2   3   4   5
    r =  1   29 14  5  6 18 36  .  .             32 .. 39                  E  NE  NW   W  SW  SE
    r =  2   30 15 16 17 35  .  .  .             40 .. 47      shift      +1  -7  -8  -1  +7  +8
    r =  3   31 32 33 34  .  .  .  .             48 .. 55

Outside and inside orders, islands are known by their numbers (rules 1); sets of islands are sets of places.
"""

from libc.stdint cimport int8_t, uint8_t, uint16_t, uint64_t

from skyclaim_engine.game cimport EventLog, step_t


cdef extern from "_lanes.h" nogil:
    unsigned stream_draw "stream_draw"(uint64_t* state, unsigned n) noexcept
    uint64_t mix_words(const void* data, size_t size) noexcept

cdef extern from * nogil:
    """
    #define LOWEST(set) __builtin_ctzll(set)
    #define SIZE_OF_SET(set) __builtin_popcountll(set)
    """
    int lowest "LOWEST"(uint64_t islands) noexcept
    int size_of "SIZE_OF_SET"(uint64_t islands) noexcept


cdef enum:
    PLACES = 56
    MOST_ISLANDS = 37
    MOST_SEATS = 6
    #: orders in a set (rules 2)
    MOST_ORDERS = 3
    #: squads of a seat (rules 2)
    MOST_SQUADS = 20
    #: what a store holds (rules 4)
    MOST_ENERGY = 12
    LAST_ROUND = 12
    #: in `energy` of an observation: not known
    UNKNOWN = 255
    #: the legal single orders of a seat: 20 squads march in six directions, each of 37 islands is recruited on or turned
    #: two ways, and 20 squads fortify and scan: 120 + 37 + 74 + 20 + 20
    MAX_STEPS = 271

cdef enum:  # structures
    PLAIN = 0
    HOME = 1
    FACTORY = 2
    GENERATOR = 3
    BEACON = 4
    STRUCTURES = 5

cdef enum:  # kinds of order
    NO_ORDER = 0
    FORTIFY = 1
    MARCH = 2
    RECRUIT = 3
    ROTATE = 4
    SCAN = 5


cdef struct MapC:
    # what never changes on a map of so many seats
    int seats
    int islands                      # numbers, the open sky's among them
    uint64_t isles                   # every island
    uint64_t structure[STRUCTURES]
    uint64_t near[PLACES]            # at most two hexagons away, itself included
    int8_t place_of[MOST_ISLANDS]    # -1 for the open sky
    int8_t number_of[PLACES]         # -1 where no island is
    int8_t neighbours[PLACES]        # how many islands are next to it
    int8_t rank[MOST_SEATS][PLACES]  # its number on the map turned so that the seat's home is home 1
    int8_t home[MOST_SEATS]          # place


cdef struct IslandsC:
    uint64_t port[6]          # the islands whose hub has this port active
    uint64_t owned[6]         # by seat
    uint64_t hidden           # of an observation: where the number of squads is not known (0 stands there)
    uint16_t influence[6]     # in halves
    uint8_t squads[PLACES]    # the owner's; nobody else's can stand there between rounds
    uint8_t energy[6]
    uint8_t scan[6]           # 1 + the island that the seat scanned last round, or 0
    uint8_t seats
    uint8_t round             # 13 when the game is over
    uint8_t seen_by           # 0 for a position, seat for an observation
    uint8_t tail[1]           # zero: the size is a multiple of 8 and the key takes it all


# An order is a number of 17 bits: kind << 14 | island << 8 | detail. The detail of a march is direction << 5 | squads, of
# a rotate 1 for left and 0 for right. A set is up to three orders in ascending order, 20 bits each from the lowest up.
cdef enum:
    ORDER_BITS = 20
    ORDER_MASK = (1 << ORDER_BITS) - 1

cdef inline int kind_of(int order) noexcept nogil:
    return order >> 14

cdef inline int island_of(int order) noexcept nogil:
    return order >> 8 & 63

cdef inline int direction_of(int order) noexcept nogil:
    return order >> 5 & 7

cdef inline int squads_of(int order) noexcept nogil:
    return order & 31

cdef inline int nth_order(step_t orders, int n) noexcept nogil:
    return orders >> n * ORDER_BITS & ORDER_MASK

cdef inline uint64_t bit(int place) noexcept nogil:
    return <uint64_t>1 << place

cdef inline int beside(int place, int direction) noexcept nogil:
    """The place one step on."""
    cdef int* steps = [1, -7, -8, -1, 7, 8]
    return place + steps[direction]

cdef inline void bridges(const IslandsC* b, uint64_t* open) noexcept nogil:
    """The islands from which a bridge goes in each direction."""
    open[0] = b.port[0] & b.port[3] >> 1
    open[1] = b.port[1] & b.port[4] << 7
    open[2] = b.port[2] & b.port[5] << 8
    open[3] = b.port[3] & b.port[0] << 1
    open[4] = b.port[4] & b.port[1] >> 7
    open[5] = b.port[5] & b.port[2] >> 8

cdef inline uint64_t over_bridges(uint64_t from_there, const uint64_t* open) noexcept nogil:
    """The islands one open bridge away."""
    return ((from_there & open[0]) << 1 | (from_there & open[3]) >> 1 | (from_there & open[1]) >> 7
            | (from_there & open[4]) << 7 | (from_there & open[2]) >> 8 | (from_there & open[5]) << 8)

cdef inline uint64_t around(uint64_t there) noexcept nogil:
    """The places next to these, and these."""
    return there | there << 1 | there >> 1 | there << 7 | there >> 7 | there << 8 | there >> 8


cdef const MapC* map_of(const IslandsC* b) noexcept nogil
cdef uint64_t supplied(const IslandsC* b, const MapC* m, const uint64_t* open, int seat) noexcept nogil
cdef uint64_t standing(const IslandsC* b, int seat) noexcept nogil
cdef int total_squads(const IslandsC* b, int seat) noexcept nogil
cdef int legal(const IslandsC* b, int seat, step_t* out) noexcept nogil
cdef bint is_legal(const IslandsC* b, int seat, step_t orders) noexcept nogil
cdef uint64_t count_sets(const IslandsC* b, int seat) noexcept nogil
cdef step_t random_set(const IslandsC* b, int seat, uint64_t* stream) noexcept nogil
cdef void resolve(IslandsC* b, const step_t* sets, EventLog* log) noexcept nogil
cdef void result_of(const IslandsC* b, double* shares) noexcept nogil
cdef void observe(const IslandsC* b, int seat, IslandsC* out) noexcept nogil
cdef void imagine(const IslandsC* seen, int seat, uint64_t* stream, IslandsC* out) noexcept nogil


cdef class Board:
    cdef IslandsC c
    cdef int seat(self, int seat) except -1
