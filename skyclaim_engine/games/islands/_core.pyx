# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True, embedsignature=True, freethreading_compatible=True
"""Islands' core: the rules of the game over a plain struct (`IslandsC` in `_core.pxd`), and one class around it.

The numbers of sections ("rules 4") are those of `docs/rules/islands.md`. Everything above `Board` is C: it needs no
interpreter lock, cannot fail, and takes its input to be checked. `Board` is the thin face that Python sees.

Reading order: the maps, supply, orders and sets of them, a round, the end, seeing, the set-up.
"""

cimport cython

from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memset

from skyclaim_engine.game cimport emit

from ...errors import LimitError


# ---------------------------------------------------------------------------------------------------- the maps

#: by seats (J1), the structures of rings 0, 1, 2 … as they repeat around (J2); the sky at the centre of a map without a
#: letter for ring 0 is open (J3)
MAP_TABLE = {2: ("", "GBF", "HGBPFP"), 3: ("B", "GB", "HGBF"), 6: ("", "G", "PB", "HFG")}
SEATS = tuple(MAP_TABLE)
STRUCTURE_LETTERS = "PHFGB"

cdef enum:
    START = 5               # squads at home (J4)
    CENTRE_HUB = 0b010101   # 024, where the centre is an island
    CENTRE = 27             # its place

cdef MapC[MOST_SEATS + 1] MAPS
#: the 20 sets of three ports in lexicographic order
cdef int[20] HUBS


cdef void draw_maps():
    cdef int[6] across = [1, 1, 0, -1, -1, 0]
    cdef int[6] down = [0, -1, -1, 0, 1, 1]
    cdef MapC* m
    cdef int q, r, ring, leg, i, j, k, n, seat, turn, place, start
    cdef list hubs = [1 << i | 1 << j | 1 << k for i in range(6) for j in range(i + 1, 6) for k in range(j + 1, 6)]
    for i in range(20):
        HUBS[i] = hubs[i]
    memset(MAPS, 0, sizeof(MAPS))
    for seats, rings in MAP_TABLE.items():
        m = &MAPS[seats]
        m.seats = seats
        memset(m.number_of, -1, sizeof(m.number_of))
        n = 0
        for ring in range(len(rings)):
            q, r = ring, 0
            for i in range(max(1, 6 * ring)):
                place = 8 * (r + 3) + q + 3
                m.place_of[n] = place
                if rings[ring]:
                    m.number_of[place] = n
                    m.isles |= bit(place)
                    m.structure[<int>STRUCTURE_LETTERS.index(rings[ring][i % len(rings[ring])])] |= bit(place)
                else:
                    m.place_of[n] = -1
                n += 1
                if ring:
                    leg = (i // ring + 2) % 6
                    q += across[leg]
                    r += down[leg]
        m.islands = n
        seat = 0
        for i in range(n):
            place = m.place_of[i]
            if place < 0:
                continue
            # the open sky at the centre is no island, but a hexagon that counts as others do
            m.near[place] = around(around(bit(place)) & (m.isles | bit(CENTRE))) & m.isles
            m.neighbours[place] = size_of(around(bit(place)) & m.isles) - 1
            if m.structure[HOME] & bit(place):
                m.home[seat] = place
                seat += 1
        for seat in range(m.seats):
            turn = 6 - 6 // m.seats * seat  # steps of 60 degrees to the left that bring its home to home 1
            start = 0
            for ring in range(len(rings)):
                for i in range(max(1, 6 * ring)):
                    place = m.place_of[start + i]
                    if place >= 0:
                        m.rank[seat][place] = start + ((i + turn * ring) % (6 * ring) if ring else 0)
                start += max(1, 6 * ring)


draw_maps()


cdef const MapC* map_of(const IslandsC* b) noexcept nogil:
    return &MAPS[b.seats]


# ---------------------------------------------------------------------------------------------------- events
# What a round did, for whoever asks (`log` is NULL in search). Written as numbers; events.py reads them.

cdef enum EventType:
    EV_ORDERS = 1     # seat, cost, energy left, orders...
    EV_SCAN           # seat, island
    EV_ROTATE         # island, by, hub, seats...
    EV_BRIDGE         # island, island, open
    EV_CUT_OFF        # seat, islands...
    EV_RECRUIT        # seat, island, added, squads
    EV_FORTIFY        # seat, island
    EV_FAILED         # seat, order, reason, refund, energy
    EV_MARCH          # seat, island, island, squads
    EV_BATTLE         # island, winner, left, then for each side: seat, squads, strength, fortified
    EV_CAPTURE        # island, seat, owner before
    EV_BEACON         # island, seat, points
    EV_CONTEST        # objective, points of each in halves, number of winners, winners..., counts...
    EV_INFLUENCE      # seat, points in halves, influence in halves
    EV_INCOME         # seat, added, energy
    EV_ROUND          # round
    EV_WIN            # for each seat: among how many it shares the win, 0 for a loss

cdef enum Failure:
    NO_SUPPLY = 0
    NO_ROOM
    NO_BRIDGE


cdef inline void note(EventLog* log, int type, int n, int a=0, int b=0, int c=0, int d=0, int e=0) noexcept nogil:
    if log == NULL:
        return
    emit(log, type)
    emit(log, n)
    if n > 0: emit(log, a)
    if n > 1: emit(log, b)
    if n > 2: emit(log, c)
    if n > 3: emit(log, d)
    if n > 4: emit(log, e)


# ---------------------------------------------------------------------------------------------------- supply

cdef inline uint64_t all_owned(const IslandsC* b) noexcept nogil:
    return b.owned[0] | b.owned[1] | b.owned[2] | b.owned[3] | b.owned[4] | b.owned[5]

cdef uint64_t supplied(const IslandsC* b, const MapC* m, const uint64_t* open, int seat) noexcept nogil:
    """The islands that are supplied for the seat 0.. (rules 3)."""
    cdef uint64_t own = b.owned[seat], reached = bit(m.home[seat]) & own, more
    if reached == 0:
        return 0
    while True:
        more = reached | over_bridges(reached, open) & own
        if more == reached:
            return reached
        reached = more

cdef uint64_t standing(const IslandsC* b, int seat) noexcept nogil:
    """Where the seat's squads stand."""
    cdef uint64_t left = b.owned[seat], there = 0
    while left:
        if b.squads[lowest(left)]:
            there |= left & -left
        left &= left - 1
    return there

cdef int total_squads(const IslandsC* b, int seat) noexcept nogil:
    cdef uint64_t left = b.owned[seat]
    cdef int n = 0
    while left:
        n += b.squads[lowest(left)]
        left &= left - 1
    return n


# ---------------------------------------------------------------------------------------------------- orders

cdef enum:
    LITTLE = 1      # what a rotate, a fortify and a scan cost
    RECRUIT_CHEAP = 2  # at the own home (J5) or a factory
    RECRUIT_DEAR = 3   # elsewhere
    SCANS = 1          # most scans in a set


cdef struct Plan:
    # What a seat may order, as sets of places (rules 2)
    const MapC* m
    uint64_t stand      # its squads stand there: may march and scan
    uint64_t cheap      # may recruit for 2
    uint64_t dear       # may recruit for 3
    uint64_t turn       # may rotate
    uint64_t fort       # may fortify
    int energy
    const uint8_t* squads

cdef inline uint64_t cheap_places(const MapC* m, int seat) noexcept nogil:
    return m.structure[FACTORY] | bit(m.home[seat])

cdef inline int cost_of(const MapC* m, int seat, int order) noexcept nogil:
    cdef int kind = kind_of(order)
    if kind == RECRUIT:
        return RECRUIT_CHEAP if cheap_places(m, seat) & bit(m.place_of[island_of(order)]) else RECRUIT_DEAR
    return 0 if kind == MARCH else LITTLE

cdef void make_plan(const IslandsC* b, int seat, Plan* p) noexcept nogil:
    cdef uint64_t[6] open
    cdef uint64_t own = b.owned[seat], fed, cheap
    cdef const MapC* m = &MAPS[b.seats]
    bridges(b, open)
    fed = supplied(b, m, open, seat)
    cheap = cheap_places(m, seat)
    p.m = m
    p.squads = &b.squads[0]
    p.energy = b.energy[seat]
    p.stand = standing(b, seat)
    p.fort = fed & p.stand if p.energy >= LITTLE else 0
    p.turn = own | over_bridges(p.stand, open) & m.isles & ~all_owned(b) if p.energy >= LITTLE else 0
    p.cheap = p.dear = 0
    if p.energy >= RECRUIT_CHEAP and total_squads(b, seat) < MOST_SQUADS:
        p.cheap = fed & cheap
        if p.energy >= RECRUIT_DEAR:
            p.dear = fed & p.stand & ~cheap & ~m.structure[BEACON]

cdef inline step_t* write_sites(step_t* out, const MapC* m, uint64_t there, int kind, int detail) noexcept nogil:
    while there:
        out[0] = kind << 14 | m.number_of[lowest(there)] << 8 | detail
        out += 1
        there &= there - 1
    return out

cdef int legal_orders(const Plan* p, step_t* out) noexcept nogil:
    """The legal single orders, in no order; at most MAX_STEPS."""
    cdef step_t* at = out
    cdef uint64_t left = p.stand
    cdef int place, direction, base, n
    while left:
        place = lowest(left)
        left &= left - 1
        base = MARCH << 14 | p.m.number_of[place] << 8
        for direction in range(6):
            if around(bit(place)) & p.m.isles & bit(beside(place, direction) & 63):
                for n in range(p.squads[place]):
                    at[n] = base | direction << 5 | n + 1
                at += p.squads[place]
    at = write_sites(at, p.m, p.fort, FORTIFY, 0)
    at = write_sites(at, p.m, p.cheap | p.dear, RECRUIT, 0)
    at = write_sites(at, p.m, p.turn, ROTATE, 0)
    at = write_sites(at, p.m, p.turn, ROTATE, 1)
    if p.energy >= LITTLE:
        at = write_sites(at, p.m, p.stand, SCAN, 0)
    return at - out

cdef int legal(const IslandsC* b, int seat, step_t* out) noexcept nogil:
    """The legal single orders of a seat 0.., each as a set of one."""
    cdef Plan p
    if b.round > LAST_ROUND:
        return 0
    make_plan(b, seat, &p)
    return legal_orders(&p, out)

cdef inline bint clash(int one, int other) noexcept nogil:
    """Whether two legal orders cannot stand in one set, costs and the number of squads aside (rules 2)."""
    cdef int kind = kind_of(one), other_kind = kind_of(other)
    if one == other:
        return True
    if kind == MARCH or other_kind == MARCH:
        return kind == other_kind and one >> 5 == other >> 5
    if kind == SCAN or other_kind == SCAN:
        return kind == other_kind
    return island_of(one) == island_of(other)

cdef inline int leaving(int order, int island) noexcept nogil:
    """The squads that an order takes away from an island."""
    return squads_of(order) if kind_of(order) == MARCH and island_of(order) == island else 0

cdef bint fits(const Plan* p, int seat, step_t orders, int order) noexcept nogil:
    """Whether a legal order may join a legal set of at most two."""
    cdef int cost = cost_of(p.m, seat, order), squads = 0, other, island = island_of(order)
    if kind_of(order) == MARCH:
        squads = squads_of(order)
    while orders:
        other = orders & ORDER_MASK
        orders >>= ORDER_BITS
        if clash(order, other):
            return False
        cost += cost_of(p.m, seat, other)
        squads += leaving(other, island)
    if cost > p.energy:
        return False
    return kind_of(order) != MARCH or squads <= p.squads[p.m.place_of[island]]

cdef inline step_t join(step_t orders, step_t order) noexcept nogil:
    """The set with one order more, ascending."""
    cdef step_t low = 0
    cdef int shift = 0
    while orders and orders & ORDER_MASK < order:
        low |= (orders & ORDER_MASK) << shift
        orders >>= ORDER_BITS
        shift += ORDER_BITS
    return low | order << shift | orders << shift + ORDER_BITS if shift + ORDER_BITS < 64 else low | order << shift

cdef bint may_give(const Plan* p, int order) noexcept nogil:
    """Whether it is one of `legal_orders`; any number may be asked about."""
    cdef int kind = kind_of(order), island = island_of(order), place, detail = order & 255
    if island >= p.m.islands or p.m.place_of[island] < 0:
        return False
    place = p.m.place_of[island]
    if kind == MARCH:
        if direction_of(order) > 5 or not p.stand & bit(place) or not 1 <= squads_of(order) <= p.squads[place]:
            return False
        return (p.m.isles & around(bit(place)) & bit(beside(place, direction_of(order)) & 63)) != 0
    if kind == ROTATE:
        return detail <= 1 and (p.turn & bit(place)) != 0
    if detail:
        return False
    if kind == FORTIFY:
        return (p.fort & bit(place)) != 0
    if kind == RECRUIT:
        return ((p.cheap | p.dear) & bit(place)) != 0
    return kind == SCAN and p.energy >= LITTLE and (p.stand & bit(place)) != 0

cdef bint is_legal(const IslandsC* b, int seat, step_t orders) noexcept nogil:
    """Whether any number is a legal set of the seat 0.. (0, the empty one, always is while the game goes on)."""
    cdef Plan p
    cdef step_t taken = 0
    cdef int order, last = 0, shift = 0
    if b.round > LAST_ROUND or orders >> MOST_ORDERS * ORDER_BITS:
        return False
    make_plan(b, seat, &p)
    while orders:
        order = orders & ORDER_MASK
        orders >>= ORDER_BITS
        if order <= last or not may_give(&p, order) or not fits(&p, seat, taken, order):
            return False
        taken |= <step_t>order << shift
        shift += ORDER_BITS
        last = order
    return True


# ---------------------------------------------------------------------------------------------------- sets of orders

cdef inline uint64_t choose(int n, int k) noexcept nogil:
    """n over k, for k up to 3."""
    if k == 1:
        return n
    return n * (n - 1) // 2 if k == 2 else n * (n - 1) * (n - 2) // 6

cdef uint64_t count_sets(const IslandsC* b, int seat) noexcept nogil:
    """How many legal sets the seat 0.. has (rules 8), without making them.

    Orders hinder each other only on one island, or by energy. So the number of ways to take so many orders that cost so
    much is put together island by island, like the coefficients of a product. k marches from an island with n squads
    and d neighbours: choose k of the neighbours, and k numbers from 1 up with a sum of at most n, of which there are n
    over k.
    """
    cdef Plan p
    cdef uint64_t[4] marches = [1, 0, 0, 0]     # ways to take k marches
    cdef uint64_t[4][MOST_ENERGY + 1] sites     # ways to take k of the other orders but scans that cost so much
    cdef uint64_t[4][MOST_ENERGY + 1] upto      # … that cost at most so much
    cdef uint64_t[4] own
    cdef uint64_t left, total = 0, ways, scans
    cdef int k, j, cost, price, n, d, place
    if b.round > LAST_ROUND:
        return 0
    make_plan(b, seat, &p)
    left = p.stand
    while left:
        place = lowest(left)
        left &= left - 1
        n, d = p.squads[place], p.m.neighbours[place]
        own[0] = 1
        for k in range(1, 4):
            own[k] = choose(d, k) * choose(n, k)
        for k in range(3, 0, -1):
            for j in range(1, k + 1):
                marches[k] += marches[k - j] * own[j]
    memset(sites, 0, sizeof(sites))
    sites[0][0] = 1
    left = p.fort | p.turn | p.cheap | p.dear
    while left:
        own[LITTLE] = ((left & -left & p.fort) != 0) + 2 * ((left & -left & p.turn) != 0)
        own[RECRUIT_CHEAP] = (left & -left & p.cheap) != 0
        own[RECRUIT_DEAR] = (left & -left & p.dear) != 0
        left &= left - 1
        for k in range(3, 0, -1):
            for price in range(LITTLE, RECRUIT_DEAR + 1):
                if own[price]:
                    for cost in range(price, p.energy + 1):
                        sites[k][cost] += sites[k - 1][cost - price] * own[price]
    for k in range(4):
        ways = 0
        for cost in range(p.energy + 1):
            ways += sites[k][cost]
            upto[k][cost] = ways
    scans = size_of(p.stand)
    for k in range(4):
        for j in range(4 - k):
            total += marches[k] * upto[j][p.energy]
            if k + j < 3 and p.energy >= LITTLE:
                total += marches[k] * upto[j][p.energy - LITTLE] * scans
    return total

cdef uint64_t list_sets(const IslandsC* b, int seat, step_t* out) noexcept nogil:
    """Writes every legal set of the seat 0.., as many as `count_sets` says; returns how many."""
    cdef Plan p
    cdef step_t[MAX_STEPS] orders
    cdef step_t pair
    cdef uint64_t n = 1
    cdef int i, j, k, count
    if b.round > LAST_ROUND:
        return 0
    make_plan(b, seat, &p)
    count = legal_orders(&p, orders)
    out[0] = 0
    for i in range(count):
        out[n] = orders[i]
        n += 1
        for j in range(i):
            if not fits(&p, seat, orders[i], orders[j]):
                continue
            pair = join(orders[i], orders[j])
            out[n] = pair
            n += 1
            for k in range(j):
                if fits(&p, seat, pair, orders[k]):
                    out[n] = join(pair, orders[k])
                    n += 1
    return n

cdef step_t random_set(const IslandsC* b, int seat, uint64_t* stream) noexcept nogil:
    """A legal set built by drawing up to three legal orders: their number 0..3 first, then one after the other, each
    uniformly from those that may still join."""
    cdef Plan p
    cdef step_t[MAX_STEPS] orders
    cdef step_t taken = 0
    cdef int i, n, fitting, wanted
    if b.round > LAST_ROUND:
        return 0
    wanted = stream_draw(stream, MOST_ORDERS + 1)
    if wanted == 0:
        return 0
    make_plan(b, seat, &p)
    n = legal_orders(&p, orders)
    while n:
        taken = join(taken, orders[stream_draw(stream, n)])
        wanted -= 1
        if wanted == 0:
            break
        fitting = 0
        for i in range(n):
            orders[fitting] = orders[i]
            fitting += fits(&p, seat, taken, orders[i])
        n = fitting
    return taken


# ---------------------------------------------------------------------------------------------------- a round

cdef enum:
    RECRUITS = 2             # squads that a recruit adds
    CUT_OFF = 1              # strength that a contingent loses when cut off (J7)
    FORTIFICATION = 2
    BEACON_PAYS = 1          # each round, and 1 more if supplied
    SURGE_FROM = 10          # from this round on beacons pay 1 more
    CONTEST_EVERY = 4
    INCOME = 3
    #: what influence stops at; no game comes near
    MOST_INFLUENCE = 9999

#: points for most generators, factories, beacons, after rounds 4, 8, 12
cdef int* CONTEST_PAYS = [3, 3, 4]


cdef struct Order:
    int seat
    int number  # the order
    int place
    int cost

cdef struct Arrival:
    int seat
    int place
    int squads
    int strength


cdef inline void turn_hub(IslandsC* b, int place, bint left) noexcept nogil:
    """Rules 1: a step to the left brings port p to port p + 1."""
    cdef uint64_t keep = ~bit(place), one = bit(place), last
    if left:
        last = b.port[5] & one
        b.port[5] = b.port[5] & keep | b.port[4] & one
        b.port[4] = b.port[4] & keep | b.port[3] & one
        b.port[3] = b.port[3] & keep | b.port[2] & one
        b.port[2] = b.port[2] & keep | b.port[1] & one
        b.port[1] = b.port[1] & keep | b.port[0] & one
        b.port[0] = b.port[0] & keep | last
    else:
        last = b.port[0] & one
        b.port[0] = b.port[0] & keep | b.port[1] & one
        b.port[1] = b.port[1] & keep | b.port[2] & one
        b.port[2] = b.port[2] & keep | b.port[3] & one
        b.port[3] = b.port[3] & keep | b.port[4] & one
        b.port[4] = b.port[4] & keep | b.port[5] & one
        b.port[5] = b.port[5] & keep | last

cdef int hub_at(const IslandsC* b, int place) noexcept nogil:
    cdef int p, hub = 0
    for p in range(6):
        hub |= <int>(b.port[p] >> place & 1) << p
    return hub

cdef inline void add_influence(IslandsC* b, int seat, int halves) noexcept nogil:
    b.influence[seat] = min(b.influence[seat] + halves, 2 * MOST_INFLUENCE)

cdef void rotate(IslandsC* b, const MapC* m, const Order* orders, int count, uint64_t* open, EventLog* log) noexcept nogil:
    """Step 3 of a round; `open` becomes the bridges after it."""
    cdef uint64_t[6] before
    cdef int i, j, island, by, turners
    if log != NULL:
        bridges(b, before)
    for i in range(count):
        if kind_of(orders[i].number) == ROTATE:
            turn_hub(b, orders[i].place, orders[i].number & 1)
    bridges(b, open)
    if log == NULL:
        return
    for island in range(m.islands):
        by = turners = 0
        for i in range(count):
            if kind_of(orders[i].number) == ROTATE and island_of(orders[i].number) == island:
                by += 1 if orders[i].number & 1 else -1
                turners += 1
        if turners:
            emit(log, EV_ROTATE)
            emit(log, 3 + turners)
            emit(log, island)
            emit(log, by)
            emit(log, hub_at(b, m.place_of[island]))
            for i in range(count):
                if kind_of(orders[i].number) == ROTATE and island_of(orders[i].number) == island:
                    emit(log, orders[i].seat + 1)
    for island in range(m.islands):
        if m.place_of[island] < 0:
            continue
        for j in range(island + 1, m.islands):
            if m.place_of[j] < 0:
                continue
            for i in range(6):
                if beside(m.place_of[island], i) == m.place_of[j] and (before[i] ^ open[i]) & bit(m.place_of[island]):
                    note(log, EV_BRIDGE, 3, island, j, open[i] >> m.place_of[island] & 1)

cdef void recruit(IslandsC* b, const MapC* m, int seat, const Order* orders, int count, uint64_t fed, uint64_t* forts,
                  EventLog* log) noexcept nogil:
    """Step 5 of a round for one seat with its orders; `fed` is what is supplied for it, `forts` where it fortified."""
    cdef int[MOST_ORDERS] turns
    cdef int i, j, n = 0, place, added, kind
    for i in range(count):
        kind = kind_of(orders[i].number)
        if kind == RECRUIT or kind == FORTIFY:
            j = n
            while j > 0 and m.rank[seat][orders[turns[j - 1]].place] > m.rank[seat][orders[i].place]:
                turns[j] = turns[j - 1]
                j -= 1
            turns[j] = i
            n += 1
    for j in range(n):
        i = turns[j]
        place = orders[i].place
        if not fed & bit(place):
            b.energy[seat] += orders[i].cost
            note(log, EV_FAILED, 5, seat + 1, orders[i].number, NO_SUPPLY, orders[i].cost, b.energy[seat])
        elif kind_of(orders[i].number) == FORTIFY:
            forts[0] |= bit(place)
            note(log, EV_FORTIFY, 2, seat + 1, island_of(orders[i].number))
        else:
            added = min(RECRUITS, MOST_SQUADS - total_squads(b, seat))
            if added <= 0:
                b.energy[seat] += orders[i].cost
                note(log, EV_FAILED, 5, seat + 1, orders[i].number, NO_ROOM, orders[i].cost, b.energy[seat])
                continue
            b.squads[place] += added
            note(log, EV_RECRUIT, 4, seat + 1, island_of(orders[i].number), added, b.squads[place])

cdef int owner_at(const IslandsC* b, int place) noexcept nogil:
    """The seat 0.. that owns it, -1 for neutral."""
    cdef int seat
    for seat in range(b.seats):
        if b.owned[seat] & bit(place):
            return seat
    return -1

cdef void settle(IslandsC* b, const MapC* m, int place, const Arrival* arrivals, int count, const uint64_t* fed,
                 const uint64_t* forts, EventLog* log) noexcept nogil:
    """Step 7 of a round on an island where squads have arrived: the battle if there is one, and the capture."""
    cdef int[MOST_SEATS] squads, strength
    cdef bint[MOST_SEATS] fortified
    cdef int i, seat, owner = owner_at(b, place), sides = 0, best = -1, others = 0, left, winner
    memset(squads, 0, sizeof(squads))
    memset(strength, 0, sizeof(strength))
    memset(fortified, 0, sizeof(fortified))
    if owner >= 0 and b.squads[place]:
        squads[owner] = b.squads[place]
        strength[owner] = squads[owner] - (0 if fed[owner] & bit(place) else CUT_OFF)
        if forts[owner] & bit(place):
            fortified[owner] = True
            strength[owner] += FORTIFICATION
    for i in range(count):
        if arrivals[i].place == place:
            squads[arrivals[i].seat] += arrivals[i].squads
            strength[arrivals[i].seat] += arrivals[i].strength
    for seat in range(b.seats):
        if squads[seat]:
            sides += 1
            others += strength[seat]
            if best < 0 or strength[seat] > strength[best]:
                best = seat
    winner, left = best, squads[best]
    if sides > 1:
        others -= strength[best]
        if strength[best] > others:
            # the fortification falls first (J8)
            left = max(1, left - max(0, others - (FORTIFICATION if fortified[best] else 0)))
        else:
            winner, left = -1, 0
        if log != NULL:
            emit(log, EV_BATTLE)
            emit(log, 3 + 4 * sides)
            emit(log, m.number_of[place])
            emit(log, winner + 1)
            emit(log, left)
            for seat in range(b.seats):
                if squads[seat]:
                    emit(log, seat + 1)
                    emit(log, squads[seat])
                    emit(log, strength[seat])
                    emit(log, fortified[seat])
    b.squads[place] = left
    if winner >= 0 and winner != owner:
        if owner >= 0:
            b.owned[owner] ^= bit(place)
        b.owned[winner] |= bit(place)
        note(log, EV_CAPTURE, 3, m.number_of[place], winner + 1, owner + 1)

cdef void contest(IslandsC* b, const MapC* m, const uint64_t* fed, EventLog* log) noexcept nogil:
    """The contest of this round (rules 4, step 8); a tie for most pays each half, a most of 0 nobody (J9)."""
    cdef int[MOST_SEATS] counts
    cdef int which = b.round // CONTEST_EVERY - 1, seat, most = 0, winners = 0, halves = 0
    for seat in range(b.seats):
        if which == 0:
            counts[seat] = size_of(fed[seat] & m.structure[GENERATOR])
        elif which == 1:
            counts[seat] = size_of(fed[seat] & m.structure[FACTORY])
        else:
            counts[seat] = size_of(b.owned[seat] & m.structure[BEACON])
        most = max(most, counts[seat])
    if most:
        for seat in range(b.seats):
            winners += counts[seat] == most
        halves = CONTEST_PAYS[which] * (2 if winners == 1 else 1)
        for seat in range(b.seats):
            if counts[seat] == most:
                add_influence(b, seat, halves)
    if log == NULL:
        return
    emit(log, EV_CONTEST)
    emit(log, 3 + winners + b.seats)
    emit(log, which)
    emit(log, halves)
    emit(log, winners)
    for seat in range(b.seats):
        if most and counts[seat] == most:
            emit(log, seat + 1)
    for seat in range(b.seats):
        emit(log, counts[seat])

cdef void score_round(IslandsC* b, const MapC* m, const uint64_t* fed, EventLog* log) noexcept nogil:
    """Step 8 of a round: beacons, then the contest."""
    cdef uint16_t[MOST_SEATS] before
    cdef uint64_t held
    cdef int seat, each = BEACON_PAYS + (b.round >= SURGE_FROM), island, place
    for seat in range(b.seats):
        before[seat] = b.influence[seat]
        held = b.owned[seat] & m.structure[BEACON]
        add_influence(b, seat, 2 * (each * size_of(held) + size_of(held & fed[seat])))
    if log != NULL:
        for seat in range(b.seats):
            for island in range(m.islands):
                place = m.place_of[island]
                if place >= 0 and b.owned[seat] & m.structure[BEACON] & bit(place):
                    note(log, EV_BEACON, 3, island, seat + 1, each + <int>(fed[seat] >> place & 1))
    if b.round % CONTEST_EVERY == 0:
        contest(b, m, fed, log)
    if log != NULL:
        for seat in range(b.seats):
            if b.influence[seat] != before[seat]:
                note(log, EV_INFLUENCE, 3, seat + 1, b.influence[seat] - before[seat], b.influence[seat])

cdef void pay_income(IslandsC* b, const MapC* m, const uint64_t* fed, EventLog* log) noexcept nogil:
    """Step 9 of a round."""
    cdef int seat, now
    for seat in range(b.seats):
        now = min(b.energy[seat] + INCOME + size_of(fed[seat] & m.structure[GENERATOR]), MOST_ENERGY)
        note(log, EV_INCOME, 3, seat + 1, now - b.energy[seat], now)
        b.energy[seat] = now

cdef void note_cut_off(const IslandsC* b, const MapC* m, int seat, uint64_t fed, EventLog* log) noexcept nogil:
    cdef uint64_t there = standing(b, seat) & ~fed
    cdef int island
    if not there:
        return
    emit(log, EV_CUT_OFF)
    emit(log, 1 + size_of(there))
    emit(log, seat + 1)
    for island in range(m.islands):
        if m.place_of[island] >= 0 and there & bit(m.place_of[island]):
            emit(log, island)

cdef void note_result(const IslandsC* b, EventLog* log) noexcept nogil:
    cdef double[MOST_SEATS] shares
    cdef int seat
    if log == NULL:
        return
    result_of(b, shares)
    emit(log, EV_WIN)
    emit(log, b.seats)
    for seat in range(b.seats):
        emit(log, <int>(1 / shares[seat] + 0.5) if shares[seat] > 0 else 0)

cdef void resolve(IslandsC* b, const step_t* sets, EventLog* log) noexcept nogil:
    """One round (rules 4): a legal set of every seat, in order."""
    cdef const MapC* m = &MAPS[b.seats]
    cdef Order[MOST_SEATS * MOST_ORDERS] orders
    cdef int[MOST_SEATS + 1] first
    cdef Arrival[MOST_SEATS * MOST_ORDERS] arrivals
    cdef uint64_t[6] open
    cdef uint64_t[MOST_SEATS] fed, forts
    cdef uint64_t touched = 0
    cdef step_t left
    cdef Order* order
    cdef int seat, i, n = 0, arrived = 0, cost, to, squads
    if b.round > LAST_ROUND:
        return
    # 1: energy is paid
    for seat in range(b.seats):
        left, cost = sets[seat], 0
        first[seat] = n
        while left:
            order = &orders[n]
            order.seat, order.number = seat, left & ORDER_MASK
            order.place = m.place_of[island_of(order.number)]
            order.cost = cost_of(m, seat, order.number)
            cost += order.cost
            left >>= ORDER_BITS
            n += 1
        b.energy[seat] -= cost
        if log != NULL:
            emit(log, EV_ORDERS)
            emit(log, 3 + n - first[seat])
            emit(log, seat + 1)
            emit(log, cost)
            emit(log, b.energy[seat])
            for i in range(first[seat], n):
                emit(log, orders[i].number)
        b.scan[seat] = forts[seat] = 0
    first[b.seats] = n
    # 2: scans
    for i in range(n):
        if kind_of(orders[i].number) == SCAN:
            b.scan[orders[i].seat] = 1 + island_of(orders[i].number)
            note(log, EV_SCAN, 2, orders[i].seat + 1, island_of(orders[i].number))
    # 3: rotations
    rotate(b, m, orders, n, open, log)
    # 4: supply
    for seat in range(b.seats):
        fed[seat] = supplied(b, m, open, seat)
        if log != NULL:
            note_cut_off(b, m, seat, fed[seat], log)
    # 5: recruits and fortifications
    for seat in range(b.seats):
        recruit(b, m, seat, orders + first[seat], first[seat + 1] - first[seat], fed[seat], &forts[seat], log)
    # 6: marches
    for i in range(n):
        order = &orders[i]
        if kind_of(order.number) != MARCH:
            continue
        squads = squads_of(order.number)
        if not open[direction_of(order.number)] & bit(order.place):
            note(log, EV_FAILED, 5, order.seat + 1, order.number, NO_BRIDGE, 0, b.energy[order.seat])
            continue
        to = beside(order.place, direction_of(order.number))
        b.squads[order.place] -= squads
        touched |= bit(to)
        arrivals[arrived].seat, arrivals[arrived].place, arrivals[arrived].squads = order.seat, to, squads
        arrivals[arrived].strength = squads - (0 if fed[order.seat] & bit(order.place) else CUT_OFF)
        arrived += 1
        note(log, EV_MARCH, 4, order.seat + 1, island_of(order.number), m.number_of[to], squads)
    # 7: battles and captures
    if log == NULL:
        while touched:
            settle(b, m, lowest(touched), arrivals, arrived, fed, forts, NULL)
            touched &= touched - 1
    else:
        for i in range(m.islands):
            if m.place_of[i] >= 0 and touched & bit(m.place_of[i]):
                settle(b, m, m.place_of[i], arrivals, arrived, fed, forts, log)
    # 8: supply again, influence
    for seat in range(b.seats):
        fed[seat] = supplied(b, m, open, seat)
    score_round(b, m, fed, log)
    # 9: the next round
    b.round += 1
    if b.round > LAST_ROUND:
        note_result(b, log)
        return
    pay_income(b, m, fed, log)
    note(log, EV_ROUND, 1, b.round)


# ---------------------------------------------------------------------------------------------------- the end

cdef void result_of(const IslandsC* b, double* shares) noexcept nogil:
    """Each seat's share of the win (rules 5): most influence, then objectives (J10), then squads."""
    cdef const MapC* m = &MAPS[b.seats]
    cdef uint64_t objectives = m.structure[BEACON] | m.structure[FACTORY] | m.structure[GENERATOR]
    cdef uint64_t[MOST_SEATS] worth
    cdef uint64_t most = 0
    cdef int seat, winners = 0
    for seat in range(b.seats):
        worth[seat] = (<uint64_t>b.influence[seat] << 16 | <uint64_t>size_of(b.owned[seat] & objectives) << 8
                       | <uint64_t>total_squads(b, seat))
        most = max(most, worth[seat])
    for seat in range(b.seats):
        winners += worth[seat] == most
    for seat in range(b.seats):
        shares[seat] = 1.0 / winners if worth[seat] == most else 0.0


# ---------------------------------------------------------------------------------------------------- seeing

cdef uint64_t seen(const IslandsC* b, int seat) noexcept nogil:
    """Where the seat 0.. sees the numbers of squads (rules 6)."""
    cdef const MapC* m = &MAPS[b.seats]
    cdef uint64_t[6] open
    cdef uint64_t light
    bridges(b, open)
    light = b.owned[seat] | over_bridges(standing(b, seat), open)
    if b.scan[seat]:
        light |= m.near[m.place_of[b.scan[seat] - 1]]
    return light

cdef void observe(const IslandsC* b, int seat, IslandsC* out) noexcept nogil:
    """What the seat 0.. sees."""
    cdef uint64_t light = seen(b, seat), left
    cdef int other
    out[0] = b[0]
    out.seen_by = seat + 1
    out.hidden = MAPS[b.seats].isles & ~light
    left = out.hidden
    while left:
        out.squads[lowest(left)] = 0
        left &= left - 1
    for other in range(MOST_SEATS):
        if other != seat and other < b.seats:
            out.energy[other] = UNKNOWN
            out.scan[other] = 0

cdef enum:
    # how many squads a seat is taken to have: 5 in the first round, and so many thirds more in each that follows
    GROWTH = 4
    HOME_WEIGHT = 3  # a squad is so many times as likely at home as on any other island

cdef void imagine(const IslandsC* seen, int seat, uint64_t* stream, IslandsC* out) noexcept nogil:
    """One possible truth behind what the seat 0.. sees: the others' squads and energy drawn."""
    cdef const MapC* m = &MAPS[seen.seats]
    cdef uint64_t hidden, at
    cdef int other, squads, sites, i, pick
    out[0] = seen[0]
    out.seen_by = 0
    out.hidden = 0
    for other in range(seen.seats):
        if seen.energy[other] == UNKNOWN:
                out.energy[other] = INCOME if seen.round == 1 else stream_draw(stream, MOST_ENERGY + 1)
        hidden = seen.hidden & seen.owned[other]
        if other == seat or not hidden:
            continue
        squads = min(START + GROWTH * (seen.round - 1) // 3, MOST_SQUADS)
        if seen.round > 1:
            squads += <int>stream_draw(stream, 5) - 2
        squads = min(squads, MOST_SQUADS) - total_squads(seen, other)
        sites = size_of(hidden)
        if hidden & bit(m.home[other]):
            sites += HOME_WEIGHT - 1
        for i in range(squads):
            pick = stream_draw(stream, sites)
            at = hidden
            if hidden & bit(m.home[other]):
                # the first HOME_WEIGHT picks are the home, the others the rest in order
                at = bit(m.home[other]) if pick < HOME_WEIGHT else hidden & ~bit(m.home[other])
                pick = max(0, pick - HOME_WEIGHT)
            while pick:
                at &= at - 1
                pick -= 1
            out.squads[lowest(at)] += 1


# ---------------------------------------------------------------------------------------------------- the set-up

cdef inline int turned_hub(int hub, int turn) noexcept nogil:
    return (hub << turn | hub >> 6 - turn) & 63

cdef bint all_reachable(const IslandsC* b, const MapC* m) noexcept nogil:
    """Whether every home has a bridge and every island can be reached from it (J13); home 1 stands for all."""
    cdef uint64_t[6] open
    cdef uint64_t reached = bit(m.home[0]), more
    bridges(b, open)
    if not over_bridges(reached, open):
        return False
    while True:
        # to a neighbour whose own port toward it is active
        more = reached | (reached << 1 & b.port[3] | reached >> 1 & b.port[0] | reached >> 7 & b.port[4]
                          | reached << 7 & b.port[1] | reached >> 8 & b.port[5] | reached << 8 & b.port[2])
        if more == reached:
            return reached == m.isles
        reached = more

cdef void set_hub(IslandsC* b, int place, int hub) noexcept nogil:
    cdef int p
    for p in range(6):
        b.port[p] = b.port[p] & ~bit(place) | <uint64_t>(hub >> p & 1) << place

cdef void set_up(IslandsC* b, int seats, uint64_t* stream) noexcept nogil:
    """The start position (rules 1)."""
    cdef const MapC* m = &MAPS[seats]
    cdef uint64_t done
    cdef int n, seat, ring, first, size, hub, turn, other
    memset(b, 0, sizeof(IslandsC))
    b.seats, b.round = seats, 1
    for seat in range(seats):
        b.owned[seat] = bit(m.home[seat])
        b.squads[m.home[seat]] = START
        b.energy[seat] = INCOME
    while True:
        memset(b.port, 0, sizeof(b.port))
        done = 0
        for n in range(m.islands):
            if m.place_of[n] < 0:
                continue
            if n == 0:
                set_hub(b, CENTRE, CENTRE_HUB)
                continue
            if done & bit(m.place_of[n]):
                continue
            ring, first = 1, 1
            while n >= first + 6 * ring:
                first += 6 * ring
                ring += 1
            size = 6 * ring
            hub = HUBS[stream_draw(stream, 20)]
            for seat in range(seats):
                turn = 6 // seats * seat
                other = m.place_of[first + (n - first + turn * ring) % size]
                set_hub(b, other, turned_hub(hub, turn))
                done |= bit(other)
        if all_reachable(b, m):
            return


# ---------------------------------------------------------------------------------------------------- counting

cdef extern from *:
    """
    typedef unsigned __int128 wide_t;
    """
    ctypedef uint64_t wide_t  # 128 bits in truth


cdef wide_t product_of_counts(const IslandsC* b) noexcept nogil:
    cdef wide_t product = 1
    cdef int seat
    for seat in range(b.seats):
        product *= count_sets(b, seat)
    return product

cdef struct Walk:
    uint64_t applied
    uint64_t most
    bint failed

cdef wide_t walk(const IslandsC* b, int depth, Walk* w) noexcept nogil:
    """perft (rules 8); gives up with a wrong count when over the limit or out of memory."""
    cdef step_t* sets[MOST_SEATS]
    cdef uint64_t[MOST_SEATS] counts, at
    cdef step_t[MOST_SEATS] joint
    cdef IslandsC after
    cdef wide_t total = 0
    cdef int seat
    if depth == 0:
        return 1
    if depth == 1 or b.round > LAST_ROUND:
        return product_of_counts(b)
    memset(sets, 0, sizeof(sets))
    memset(at, 0, sizeof(at))
    for seat in range(b.seats):
        counts[seat] = count_sets(b, seat)
        sets[seat] = <step_t*>malloc(counts[seat] * sizeof(step_t))
        if sets[seat] == NULL:
            w.failed = True
        else:
            list_sets(b, seat, sets[seat])
    while not w.failed and w.applied < w.most:
        for seat in range(b.seats):
            joint[seat] = sets[seat][at[seat]]
        after = b[0]
        resolve(&after, joint, NULL)
        w.applied += 1
        total += walk(&after, depth - 1, w)
        seat = 0
        while seat < b.seats:
            at[seat] += 1
            if at[seat] < counts[seat]:
                break
            at[seat] = 0
            seat += 1
        if seat == b.seats:
            break
    else:
        w.failed = True
    for seat in range(b.seats):
        free(sets[seat])
    return total


# ---------------------------------------------------------------------------------------------------- the class

SIZE = sizeof(IslandsC)
ORDER_KINDS = ("", "fortify", "march", "recruit", "rotate", "scan")
ROUNDS = LAST_ROUND
#: what a seat can have at most: squads, energy, influence
LIMITS = (MOST_SQUADS, MOST_ENERGY, MOST_INFLUENCE)


def structures(int seats):
    """The structures of a map by number, `G`, `H1`, or empty for open sky."""
    cdef const MapC* m = map_for(seats)
    cdef list found = []
    cdef int n, s, homes = 0
    for n in range(m.islands):
        found.append("")
        for s in range(STRUCTURES):
            if m.place_of[n] >= 0 and m.structure[s] & bit(m.place_of[n]):
                homes += s == HOME
                found[n] = STRUCTURE_LETTERS[s] + (str(homes) if s == HOME else "")
    return tuple(found)


def neighbours(int seats):
    """By number, then by direction 0..5: the number of the neighbouring island, or None."""
    cdef const MapC* m = map_for(seats)
    cdef list found = []
    cdef int n, d, place
    for n in range(m.islands):
        place = m.place_of[n]
        found.append([None] * 6)
        for d in range(6):
            if place >= 0 and around(bit(place)) & m.isles & bit(beside(place, d) & 63):
                found[n][d] = int(m.number_of[beside(place, d)])
    return tuple(map(tuple, found))


def within_two(int seats):
    """By number: the set of the islands at most two hexagons away, itself included; empty for open sky."""
    cdef const MapC* m = map_for(seats)
    cdef int n
    return tuple([numbers(m, m.near[m.place_of[n]] if m.place_of[n] >= 0 else 0) for n in range(m.islands)])


cdef const MapC* map_for(int seats) except NULL:
    if seats not in SEATS:
        raise ValueError(f"there is no map for {seats} seats")
    return &MAPS[seats]


cdef numbers(const MapC* m, uint64_t places):
    """The numbers of a set of places, as a frozenset."""
    cdef int n
    return frozenset([n for n in range(m.islands) if m.place_of[n] >= 0 and places & bit(m.place_of[n])])


cdef int require(value, int low, int high, name) except -1:
    if not low <= value <= high:
        raise ValueError(f"{name} {value!r} is not in {low}..{high}")
    return value


@cython.final
cdef class Board:
    """A position of Islands without its stream, or an observation.

    Islands are numbers as in rules 1, seats 1.., sets of orders numbers (`_core.pxd`), influence is in halves. The
    constructor takes what the reading properties give:

    * ``hubs``: by island a set of active ports, as bits; 0 for open sky
    * ``owners``: by island a seat, 0 for neutral
    * ``squads``: by island, None where it is not known
    * ``energy``: by seat, None where it is not known
    * ``scans``: by seat the island scanned last round, or None
    * ``seen_by``: 0 for a position, the seat for an observation

    Raises ValueError for what does not fit the struct. It does not judge whether a position makes sense.
    """

    def __init__(self, int seats, int round, hubs, owners, squads, energy, influence, scans, int seen_by=0):
        cdef const MapC* m = map_for(seats)
        cdef IslandsC* b = &self.c
        cdef int n, place, owner, seat
        memset(b, 0, sizeof(IslandsC))
        if not len(hubs) == len(owners) == len(squads) == m.islands:
            raise ValueError(f"there are {m.islands} islands")
        if not len(energy) == len(influence) == len(scans) == seats:
            raise ValueError(f"there are {seats} seats")
        b.seats, b.round, b.seen_by = seats, require(round, 1, LAST_ROUND + 1, "round"), require(seen_by, 0, seats, "seen_by")
        for n in range(m.islands):
            place = m.place_of[n]
            if place < 0:
                continue
            if require(hubs[n], 0, 63, "hub") not in HUB_SETS:
                raise ValueError(f"the hub of island {n} has not three ports")
            set_hub(b, place, hubs[n])
            owner = require(owners[n], 0, seats, "owner")
            if owner:
                b.owned[owner - 1] |= bit(place)
            if squads[n] is None:
                b.hidden |= bit(place)
            else:
                b.squads[place] = require(squads[n], 0, MOST_SQUADS if owner else 0, "squads")
        if b.hidden and not seen_by:
            raise ValueError("only an observation has hidden numbers")
        for seat in range(seats):
            b.energy[seat] = UNKNOWN if energy[seat] is None else require(energy[seat], 0, MOST_ENERGY, "energy")
            if (energy[seat] is None) != (seen_by not in (0, seat + 1)):
                raise ValueError("an observation knows its seat's energy and no other's")
            b.influence[seat] = require(influence[seat], 0, 2 * MOST_INFLUENCE, "influence")
            if scans[seat] is not None:
                if m.place_of[require(scans[seat], 0, m.islands - 1, "scan")] < 0:
                    raise ValueError("open sky cannot be scanned")
                b.scan[seat] = 1 + <int>scans[seat]
            if total_squads(b, seat) > MOST_SQUADS:
                raise ValueError(f"seat {seat + 1} has over {MOST_SQUADS} squads")

    @staticmethod
    def setup(seed, int seats=2):
        """The set-up from a 64-bit seed (rules 1); returns (board, stream)."""
        cdef Board board = Board.__new__(Board)
        cdef uint64_t stream = seed
        map_for(seats)
        with nogil:
            set_up(&board.c, seats, &stream)
        return board, stream

    # -- reading

    @property
    def seats(self):
        return self.c.seats

    @property
    def round(self):
        return self.c.round

    @property
    def hubs(self):
        cdef const MapC* m = map_of(&self.c)
        cdef int n
        return tuple([hub_at(&self.c, m.place_of[n]) if m.place_of[n] >= 0 else 0 for n in range(m.islands)])

    @property
    def owners(self):
        cdef const MapC* m = map_of(&self.c)
        cdef int n
        return tuple([owner_at(&self.c, m.place_of[n]) + 1 if m.place_of[n] >= 0 else 0 for n in range(m.islands)])

    @property
    def squads(self):
        cdef const MapC* m = map_of(&self.c)
        cdef list found = []
        cdef int n
        for n in range(m.islands):
            if m.place_of[n] < 0:
                found.append(0)
            else:
                found.append(None if self.c.hidden & bit(m.place_of[n]) else int(self.c.squads[m.place_of[n]]))
        return tuple(found)

    @property
    def energy(self):
        return tuple([None if self.c.energy[i] == UNKNOWN else int(self.c.energy[i]) for i in range(self.c.seats)])

    @property
    def influence(self):
        return tuple([int(self.c.influence[i]) for i in range(self.c.seats)])

    @property
    def scans(self):
        return tuple([self.c.scan[i] - 1 if self.c.scan[i] else None for i in range(self.c.seats)])

    @property
    def seen_by(self):
        return self.c.seen_by

    @property
    def over(self):
        return self.c.round > LAST_ROUND

    @property
    def shares(self):
        """Each seat's share of the win if the game were over now (rules 5)."""
        cdef double[MOST_SEATS] shares
        result_of(&self.c, shares)
        return tuple([shares[i] for i in range(self.c.seats)])

    @property
    def key(self):
        """64 bits that stand for all of this."""
        return mix_words(&self.c, sizeof(IslandsC))

    def bridges(self):
        """By island the directions in which there is a bridge, as bits."""
        cdef const MapC* m = map_of(&self.c)
        cdef uint64_t[6] open
        cdef list found = []
        cdef int n, d
        bridges(&self.c, open)
        for n in range(m.islands):
            found.append(sum([1 << d for d in range(6) if m.place_of[n] >= 0 and open[d] & bit(m.place_of[n])]))
        return tuple(found)

    def supplied(self, int seat):
        """The islands that are supplied for a seat."""
        cdef uint64_t[6] open
        bridges(&self.c, open)
        return numbers(map_of(&self.c), supplied(&self.c, map_of(&self.c), open, self.seat(seat)))

    def seen(self, int seat):
        """The islands whose number of squads a seat sees."""
        return numbers(map_of(&self.c), seen(&self.c, self.seat(seat)))

    def total(self, int seat):
        """The squads of a seat that are known."""
        return total_squads(&self.c, self.seat(seat))

    def raw(self):
        """A copy of the struct, SIZE bytes."""
        return (<char*>&self.c)[:sizeof(IslandsC)]

    # -- orders

    def legal(self, int seat):
        """The numbers of the legal single orders, ascending (rules 2)."""
        cdef step_t[MAX_STEPS] steps
        cdef int i, n = legal(&self.c, self.seat(seat), steps)
        return sorted([steps[i] for i in range(n)])

    def is_legal(self, int seat, step_t orders):
        """Whether a number is a legal set of orders of a seat."""
        return is_legal(&self.c, self.seat(seat), orders)

    def cost(self, int seat, step_t orders):
        """What a set of orders costs a seat."""
        cdef int cost = 0, i = self.seat(seat)
        while orders:
            cost += cost_of(map_of(&self.c), i, orders & ORDER_MASK)
            orders >>= ORDER_BITS
        return cost

    def count(self, int seat):
        """The number of the legal sets of a seat, the empty one included (rules 8)."""
        return count_sets(&self.c, self.seat(seat))

    def sets(self, int seat):
        """The numbers of all legal sets, ascending. There can be tens of thousands."""
        cdef uint64_t n = count_sets(&self.c, self.seat(seat)), i
        cdef step_t* room = <step_t*>malloc((n + 1) * sizeof(step_t))
        if room == NULL:
            raise MemoryError
        try:
            if list_sets(&self.c, seat - 1, room) != n:
                raise AssertionError("the count of sets is wrong")
            return sorted([room[i] for i in range(n)])
        finally:
            free(room)

    def sample(self, int seat, stream):
        """A legal set as a random player draws it, and the stream after that."""
        cdef uint64_t state = stream
        number = random_set(&self.c, self.seat(seat), &state)
        return number, state

    def perft(self, int depth, most=None):
        """The number of sequences of ``depth`` joint steps (rules 8). LimitError if more than ``most`` rounds must be
        played for it."""
        cdef Walk w
        cdef wide_t total
        if depth <= 0:
            return 1
        if depth == 1:
            total_of_one = 1
            for seat in range(1, self.c.seats + 1):
                total_of_one *= self.count(seat)
            return total_of_one
        w.applied, w.failed, w.most = 0, False, 2**63 if most is None else most
        with nogil:
            total = walk(&self.c, depth, &w)
        if w.failed:
            raise LimitError(f"perft: over the limit of {w.most} rounds")
        return (<object><uint64_t>(total >> 64) << 64) | <uint64_t>total

    # -- playing

    def apply(self, sets):
        """Play a round with a set of orders of every seat; returns the events as numbers. Raises ValueError for sets
        that are not legal, and for an observation."""
        cdef step_t[MOST_SEATS] steps
        cdef EventLog log
        cdef IslandsC before = self.c
        cdef int i
        if self.c.seen_by:
            raise ValueError("an observation cannot be played on")
        if len(sets) != self.c.seats:
            raise ValueError(f"there are {self.c.seats} seats")
        for i in range(self.c.seats):
            steps[i] = sets[i]
            if not is_legal(&self.c, i, steps[i]):
                raise ValueError(f"set {sets[i]} of seat {i + 1} is not legal")
        memset(&log, 0, sizeof(log))
        with nogil:
            resolve(&self.c, steps, &log)
        try:
            if log.failed:
                self.c = before
                raise MemoryError
            return [log.data[i] for i in range(log.size)]
        finally:
            free(log.data)

    def observe(self, int seat):
        """What a seat sees (rules 6)."""
        cdef Board out = Board.__new__(Board)
        if self.c.seen_by not in (0, seat):
            raise ValueError("an observation shows what its own seat sees")
        observe(&self.c, self.seat(seat), &out.c)
        return out

    def imagine(self, stream):
        """One possible truth behind an observation, and the stream after drawing it."""
        cdef Board out = Board.__new__(Board)
        cdef uint64_t state = stream
        if not self.c.seen_by:
            raise ValueError("only what is behind an observation can be imagined")
        imagine(&self.c, self.c.seen_by - 1, &state, &out.c)
        return out, state

    def copy(self):
        cdef Board out = Board.__new__(Board)
        out.c = self.c
        return out

    def faults(self):
        """What is wrong with the struct itself, if the core has a fault: a list of sentences, empty when all is well."""
        cdef IslandsC* b = &self.c
        cdef const MapC* m = map_of(b)
        cdef uint64_t all = 0
        cdef list found = []
        cdef int i
        for i in range(6):
            if b.port[i] & ~m.isles or b.owned[i] & ~m.isles:
                found.append("a port or an owner where no island is")
            if all & b.owned[i] or (i >= b.seats and b.owned[i]):
                found.append("an island has two owners, or one too many")
            all |= b.owned[i]
            if i >= b.seats and (b.energy[i] or b.influence[i] or b.scan[i]):
                found.append("a seat that does not play has something")
        for i in range(PLACES):
            if m.isles & bit(i):
                if hub_at(b, i) not in HUB_SETS:
                    found.append(f"the hub of island {m.number_of[i]} has not three ports")
            if b.squads[i] and not all & bit(i):
                found.append("squads where no owner is")
            if b.squads[i] and b.hidden & bit(i):
                found.append("a hidden number is not zero")
        if b.hidden & ~m.isles or (b.hidden and not b.seen_by):
            found.append("numbers are hidden that cannot be")
        for i in range(b.seats):
            if total_squads(b, i) > MOST_SQUADS:
                found.append(f"seat {i + 1} has over {MOST_SQUADS} squads")
            if b.energy[i] > MOST_ENERGY and b.energy[i] != UNKNOWN:
                found.append(f"seat {i + 1} has over {MOST_ENERGY} energy")
            if b.scan[i] > m.islands:
                found.append(f"seat {i + 1} has scanned no island")
        if b.tail[0]:
            found.append("the tail is not zero")
        return found

    cdef int seat(self, int seat) except -1:
        """The seat from 0, checked."""
        return require(seat, 1, self.c.seats, "seat") - 1

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        return (Board, (self.c.seats, self.c.round, self.hubs, self.owners, self.squads, self.energy, self.influence,
                        self.scans, self.c.seen_by))

    def __eq__(self, other):
        if not isinstance(other, Board):
            return NotImplemented
        return memcmp(&self.c, &(<Board>other).c, sizeof(IslandsC)) == 0

    def __hash__(self):
        return hash(self.key)


HUB_SETS = frozenset([HUBS[i] for i in range(20)])
