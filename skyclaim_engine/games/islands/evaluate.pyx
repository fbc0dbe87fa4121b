# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True, embedsignature=True, freethreading_compatible=True
"""How well a seat stands in a position of Islands, without search, in points of influence.

Each term is worked out for every seat; what counts is a seat's sum less that of the best other one.
"""

from skyclaim_engine.games.islands._core cimport (
    BEACON, FACTORY, GENERATOR, HOME, LAST_ROUND, MOST_SEATS, Board, IslandsC, MapC, around, bit, bridges, lowest, map_of,
    over_bridges, result_of, size_of, standing, supplied, total_squads,
)
from libc.stdint cimport uint64_t

cdef enum:
    INFLUENCE   # what is won already
    BEACONS     # what the own beacons will pay
    CONTESTS    # what the contests to come would pay as things stand
    SUPPLIES    # supplied generators and factories
    ISLANDS     # islands owned
    SQUADS
    ENERGY
    REACH       # how near the squads are to objectives that are not owned
    DANGER      # own objectives that more squads could take over an open bridge than stand there
    HOLDING     # the own home is owned
    TERMS

NAMES = ("influence", "beacons", "contests", "supplies", "islands", "squads", "energy", "reach", "danger", "home")

# in points of influence
cdef double KEPT = 0.7           # how much of what is held now will be paid later
cdef double GENERATOR_PAYS = 0.3  # a supplied generator, each round to come
cdef double FACTORY_PAYS = 0.15
cdef double ISLAND = 0.15
cdef double SQUAD = 0.5
cdef double STORE = 0.12         # a unit of energy
cdef double BEACON_NEAR = 2.5    # a beacon next to own squads, halved with each island more between
cdef double OTHER_NEAR = 1.0
cdef double AT_RISK = 0.4        # the part of an objective's worth that is lost while it is in danger
cdef double HOME_HELD = 6.0
cdef double OUTNUMBERED = 1.5    # a home in danger
cdef double DECIDED = 1000.0
#: points and last round of the contests (rules 4): generators, factories, beacons
cdef double[3] CONTEST = [3.0, 3.0, 4.0]


cdef inline double surge_rounds(int round) noexcept nogil:
    """Rounds to come in which beacons pay 1 more."""
    return min(LAST_ROUND + 1 - round, 3)

cdef void seat_terms(const IslandsC* b, const MapC* m, int seat, const uint64_t* open, uint64_t fed, double* term) noexcept nogil:
    cdef uint64_t own = b.owned[seat], held = own & m.structure[BEACON], stand = standing(b, seat), left, near, enemy
    cdef double rounds = LAST_ROUND + 1 - b.round, part, worth, each
    cdef int place, other, threat
    term[INFLUENCE] = 0.5 * b.influence[seat]
    each = KEPT * (rounds + surge_rounds(b.round))
    term[BEACONS] = each * size_of(held) + KEPT * rounds * size_of(held & fed)
    term[SUPPLIES] = rounds * (GENERATOR_PAYS * size_of(fed & m.structure[GENERATOR])
                               + FACTORY_PAYS * size_of(fed & m.structure[FACTORY]))
    term[ISLANDS] = ISLAND * size_of(own)
    term[SQUADS] = SQUAD * total_squads(b, seat)
    term[ENERGY] = STORE * b.energy[seat] if b.energy[seat] <= 12 else 0
    term[HOLDING] = HOME_HELD if own & bit(m.home[seat]) else 0
    # squads that could come next round over the bridges as they are
    term[DANGER] = 0
    left = own & (m.structure[BEACON] | m.structure[GENERATOR] | m.structure[FACTORY] | bit(m.home[seat]))
    while left:
        place = lowest(left)
        near = over_bridges(left & -left, open) & ~own
        threat = 0
        while near:
            threat += b.squads[lowest(near)]
            near &= near - 1
        if threat > b.squads[place]:
            if bit(place) & m.structure[HOME]:
                term[DANGER] -= OUTNUMBERED
            else:
                worth = KEPT * rounds if bit(place) & m.structure[BEACON] else GENERATOR_PAYS * rounds
                term[DANGER] -= AT_RISK * worth
        left &= left - 1
    # objectives by how far they are from the squads, as the crow flies
    term[REACH] = 0
    part = rounds / LAST_ROUND
    near = stand
    enemy = ~own & (m.structure[BEACON] | m.structure[GENERATOR] | m.structure[FACTORY])
    if stand:
        for other in range(4):
            near = around(near) & m.isles
            left = near & enemy
            term[REACH] += part * (BEACON_NEAR * size_of(left & m.structure[BEACON])
                                   + OTHER_NEAR * size_of(left & ~m.structure[BEACON]))
            enemy &= ~left
            part *= 0.5

cdef void contest_terms(const IslandsC* b, const MapC* m, const uint64_t* fed, double[TERMS]* term) noexcept nogil:
    cdef int[MOST_SEATS] counts
    cdef int which, seat, most, winners
    for seat in range(b.seats):
        term[seat][CONTESTS] = 0
    for which in range(3):
        if b.round > 4 * (which + 1):
            continue
        most = winners = 0
        for seat in range(b.seats):
            if which == 2:
                counts[seat] = size_of(b.owned[seat] & m.structure[BEACON])
            else:
                counts[seat] = size_of(fed[seat] & m.structure[GENERATOR if which == 0 else FACTORY])
            most = max(most, counts[seat])
        if not most:
            continue
        for seat in range(b.seats):
            winners += counts[seat] == most
        for seat in range(b.seats):
            if counts[seat] == most:
                term[seat][CONTESTS] += KEPT * CONTEST[which] * (1 if winners == 1 else 0.5)

cdef int all_terms(const IslandsC* b, int seat, double[TERMS]* term, double* sums) noexcept nogil:
    """Every seat's terms and sums; returns the best seat 0.. other than `seat`."""
    cdef const MapC* m = map_of(b)
    cdef uint64_t[6] open
    cdef uint64_t[MOST_SEATS] fed
    cdef int i, j, best = -1
    bridges(b, open)
    for i in range(b.seats):
        fed[i] = supplied(b, m, open, i)
        seat_terms(b, m, i, open, fed[i], term[i])
    contest_terms(b, m, fed, term)
    for i in range(b.seats):
        sums[i] = 0
        for j in range(TERMS):
            sums[i] += term[i][j]
        if i != seat and (best < 0 or sums[i] > sums[best]):
            best = i
    return best

cdef double evaluate(const IslandsC* b, int seat) noexcept nogil:
    """The sum of all terms of a seat 0.. less that of the best other; a decided game is worth DECIDED."""
    cdef double[MOST_SEATS][TERMS] term
    cdef double[MOST_SEATS] sums
    cdef int best
    if b.round > LAST_ROUND:
        result_of(b, sums)
        return DECIDED if sums[seat] == 1 else 0 if sums[seat] > 0 else -DECIDED
    best = all_terms(b, seat, term, sums)
    return sums[seat] - sums[best]


def terms(Board board, int seat):
    """The terms by name for a seat 1.., its own less those of the best other seat, and their `sum`.

    What an observation does not show counts as nothing.
    """
    cdef double[MOST_SEATS][TERMS] term
    cdef double[MOST_SEATS] sums
    cdef int best = all_terms(&board.c, seat - 1, term, sums)
    values = [(NAMES[i], round(term[seat - 1][i] - term[best][i], 3) + 0.0) for i in range(TERMS)]
    return [*values, ("sum", round(evaluate(&board.c, seat - 1), 3) + 0.0)]
