# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True, embedsignature=True, freethreading_compatible=True
"""How promising each legal step looks before it is tried, in squares of land: in that order a search looks at them.

A promise is what the evaluation would change by, with its weights, as far as that can be read off the board as it
stands: what the first matches pay, the land and the drones that change hands, where a drone goes. Stars that fall, and
what a change means to most drones that have no part in it, are left out.
"""

from skyclaim_engine._board cimport (
    BLAST, BOMB, BUILD, CLAIM, COMMAND, FIRE, HUNTER, JUMP, MOVE, RAIDER, RAM, RAZE, SCOUT, SHIELD, SIEGE, STACK, SWAP,
    TAKE, TURRET, WARP, Board, BoardC, Lanes, Stars, around, both, box, claim_block, claimed_from, commands, count,
    either, everything, first_place, half_of, has, kind_at, loaded_at, matched_of, next_group, none, nothing, only,
    overlap, power_at, shape_of, shields, some, step_kind, swap_stars, take_first, turrets, without,
)
from skyclaim_engine.game cimport EXPERT, step_t
from skyclaim_engine.games.skyclaim.evaluate cimport (
    ABROAD, AT_THREE, AT_THREE_COVERED, AT_TWO, AT_TWO_COVERED, BEST_CLAIM, BORDER, CLAIMS, CLOSING, CLOSING_DRONES,
    COVER, FEATURES, FULL, HANGING, HANGING_MOST, LAND, LATE, LOADED, MARCH, NEARER, POWER, SCOUTS, STOCK, SWEEPABLE,
    TARGETS, TURRETS, closing, distance, leanings, raider_reach, scouts_of, shot_reach, sweepable, swept, worth,
)

cdef enum:
    MOST_SCOUTS = 24  # of a side that are looked at

#: the kinds of drone that a row of the table pays, as bits
cdef int[14] PAID = [
    0, 1 << SCOUT, 1 << SHIELD, 1 << RAIDER, 1 << RAIDER, 1 << HUNTER, 1 << BOMB, 1 << RAIDER, 1 << HUNTER, 1 << HUNTER,
    1 << SIEGE, 1 << WARP, 1 << WARP | 1 << SIEGE, 1 << WARP | 1 << SIEGE | 1 << HUNTER,
]
#: what a star that is matched is worth: room for new ones
cdef double STAR = 0.06
#: what a siege is worth that stands beside the other side's Command and wins
cdef double SIEGE_WINS = 100
#: the part of a stack's power that a row is worth at nine drones: now and then there is something to stack on
cdef double STACKS = 0.5


cdef struct Scouts:
    # the scouts of a side: where they stand, what each could claim, and all the squares that a claim could be about
    int n
    int[MOST_SCOUTS] place
    int[MOST_SCOUTS] claim
    int best
    int second
    Lanes blocks

cdef struct Mover:
    # the drone of the mover's whose steps are looked at, and what it is worth that it stands where it does
    int place
    int kind
    int power
    int claim
    bint loads
    double held
    double here

cdef struct Outlook:
    # what all steps of a position share; `weight` is what each feature is worth to a side once the mover has moved
    const BoardC* b
    int me
    int foe
    double[2][FEATURES] weight
    double late
    int drones
    Lanes open_land
    Scouts[2] scouts
    Lanes takers        # where the other side's raiders reach
    Lanes shooters      # in range of its loaded drones
    Lanes swept         # where its shields could sweep
    Lanes sweepable     # and which of its drones the mover's could
    int target          # where its Command stands, or -1
    Lanes beside_target
    bint guarded        # by a shield
    Lanes beside_home


cdef void find_scouts(const BoardC* b, int side, Scouts* s) noexcept nogil:
    cdef Lanes left = scouts_of(b, side)
    cdef int n
    s.n = s.best = s.second = 0
    s.blocks = nothing()
    while some(left) and s.n < MOST_SCOUTS:
        s.place[s.n] = take_first(&left)
        n = s.claim[s.n] = count(claimed_from(b, s.place[s.n]))
        s.blocks = either(s.blocks, claim_block(b, s.place[s.n]))
        s.n += 1
        if n > s.best:
            s.best, s.second = n, s.best
        elif n > s.second:
            s.second = n

cdef void look_out(const BoardC* b, int knowledge, Outlook* o) noexcept nogil:
    cdef int me = b.mover, foe = 1 - me
    cdef Lanes command = both(commands(b), b.side[foe])
    o.b, o.me, o.foe = b, me, foe
    leanings(b, knowledge, o.weight[me], o.weight[foe])
    o.late = closing(b)
    o.drones = count(without(b.side[me], turrets(b)))
    o.open_land = without(everything(), either(b.land[0], b.land[1]))
    find_scouts(b, 0, &o.scouts[0])
    find_scouts(b, 1, &o.scouts[1])
    o.takers, o.shooters = raider_reach(b, foe), shot_reach(b, foe)
    o.swept, o.sweepable = swept(b, foe), sweepable(b, foe)
    o.target = first_place(command) if some(command) else -1
    o.beside_target = around(command)
    o.guarded = overlap(o.beside_target, both(shields(b), b.side[foe]))
    o.beside_home = around(both(commands(b), b.side[me]))

cdef double reclaimed(const Outlook* o, int side, Lanes changed) noexcept nogil:
    """What it is worth to the scouts of a side that of these squares the open ones are not, and the others are."""
    cdef const double* w = &o.weight[side][0]
    cdef const Scouts* s = &o.scouts[side]
    cdef Lanes block
    cdef int i, n, best = 0, sum = 0
    if not overlap(s.blocks, changed):
        return 0
    for i in range(s.n):
        block = both(claim_block(o.b, s.place[i]), changed)
        n = s.claim[i] + count(without(block, o.open_land)) - count(both(block, o.open_land))
        sum += n - s.claim[i]
        best = n if n > best else best
    return (w[BEST_CLAIM] - w[CLAIMS]) * (best - s.best) + w[CLAIMS] * sum

cdef double rescouted(const Outlook* o, int side, int was, int now) noexcept nogil:
    """What it is worth to a side that one of its scouts could claim ``was`` and can claim ``now``."""
    cdef const double* w = &o.weight[side][0]
    cdef const Scouts* s = &o.scouts[side]
    cdef int best = s.second if was == s.best else s.best
    best = now if now > best else best
    return (w[BEST_CLAIM] - w[CLAIMS]) * (best - s.best) + w[CLAIMS] * (now - was)

cdef double land_worth(const Outlook* o, int side, Lanes land, int way) noexcept nogil:
    """What it is worth to a side to get this land (``way`` 1) or to lose it (-1)."""
    cdef const double* w = &o.weight[side][0]
    cdef int had = count(o.b.land[side]), n = way * count(land)
    cdef int late = (had + n - 50 if had + n > 50 else 0) - (had - 50 if had > 50 else 0)
    return (n * (w[LAND] + o.late * w[CLOSING]) + late * w[LATE]
            + way * w[ABROAD] * count(both(land, half_of(1 - side))))

cdef double claim_promise(const Outlook* o, Lanes gained) noexcept nogil:
    cdef Lanes own = o.b.land[o.me]
    return (land_worth(o, o.me, gained, 1) - o.weight[o.me][NEARER] * count(gained)
            + o.weight[o.me][BORDER] * (
                count(both(around(either(own, gained)), without(o.open_land, gained))) - count(both(around(own), o.open_land)))
            + reclaimed(o, o.me, gained) - reclaimed(o, o.foe, gained))

cdef double raze_promise(const Outlook* o, int place) noexcept nogil:
    cdef Lanes hit = only(place)
    return (reclaimed(o, o.me, hit) - reclaimed(o, o.foe, hit) - land_worth(o, o.foe, hit, -1)
            + (o.weight[o.me][BORDER] if overlap(around(hit), o.b.land[o.me]) else 0)
            - (o.weight[o.foe][BORDER] if overlap(around(hit), o.b.land[o.foe]) else 0))

cdef double stack_worth(const Outlook* o, int side, int place) noexcept nogil:
    """What a drone or turret, a whole stack, is worth to its side."""
    cdef const double* w = &o.weight[side][0]
    cdef const BoardC* b = o.b
    cdef int kind = kind_at(b, place)
    cdef double sum
    if kind == TURRET:
        return w[TURRETS]
    sum = (w[SCOUTS + kind - 1] + w[POWER] * (power_at(b, place) - 1) + w[LOADED] * loaded_at(b, place)
           + o.late * w[CLOSING_DRONES] * worth(b, place))
    if kind == SCOUT:
        sum -= rescouted(o, side, count(claimed_from(b, place)), 0)
    return sum

cdef double blast_promise(const Outlook* o, int start, int end) noexcept nogil:
    cdef Lanes hit = without(both(box(1, end), either(o.b.side[0], o.b.side[1])), commands(o.b))
    cdef double sum = -stack_worth(o, o.me, start)
    cdef int place
    while some(hit):
        place = take_first(&hit)
        if has(&o.b.side[o.foe], place):
            sum += stack_worth(o, o.foe, place)
        elif place != start:
            sum -= stack_worth(o, o.me, place)
    return sum

cdef double stacking(const Outlook* o, int start, int end) noexcept nogil:
    """What it is worth that the mover's drone on ``start`` becomes a part of the one on ``end``."""
    cdef const double* w = &o.weight[o.me][0]
    cdef int kind = kind_at(o.b, start), onto = kind_at(o.b, end)
    cdef int power = power_at(o.b, start) + power_at(o.b, end), missiles = loaded_at(o.b, start) + loaded_at(o.b, end)
    cdef int hold = 1 if onto == SCOUT else 2 if onto == HUNTER else 0
    cdef double sum = (1 - power + (power if power < 3 else 3)) * w[POWER] - w[SCOUTS + kind - 1]
    if missiles > hold:
        sum -= (missiles - hold) * w[LOADED]
    if kind == SCOUT:
        sum += rescouted(o, o.me, count(claimed_from(o.b, start)), 0)
    return sum - (w[FULL] if o.drones == 9 else 0)

cdef double swap_promise(const Outlook* o, int start, int end) noexcept nogil:
    """What the first matches pay; what falls then is not looked at, which would cost more than it tells."""
    cdef const double* w = &o.weight[o.me][0]
    cdef Stars stars = o.b.stars
    cdef Lanes hit, group, rest
    cdef int kind, paid
    cdef double sum
    swap_stars(&stars, start, end)
    hit = matched_of(&stars)
    sum = STAR * count(both(hit, half_of(o.me)))
    rest = hit if count(hit) > 3 else nothing()  # three pay nothing
    while some(rest):
        group = next_group(&stars, &rest)
        if count(group) > 3 and overlap(group, half_of(o.me)) and not none(without(group, o.b.land[o.foe])):
            paid = PAID[shape_of(group, count(group))]
            for kind in range(SCOUT, BOMB + 1):
                if paid >> kind & 1:
                    sum += w[SCOUTS + kind - 1] if o.drones < 9 or kind == BOMB else STACKS * w[POWER]
    return sum

cdef double fire_promise(const Outlook* o, int place) noexcept nogil:
    cdef double sum = -o.weight[o.me][LOADED]
    if has(&o.b.side[o.foe], place):
        sum += o.weight[o.foe][POWER] if power_at(o.b, place) > 1 else stack_worth(o, o.foe, place)
    return sum

cdef double standing(const Outlook* o, const Mover* d, int place) noexcept nogil:
    """What it is worth that the drone stands on ``place``."""
    cdef const double* w = &o.weight[o.me][0]
    cdef int steps
    cdef double sum = 0
    if d.kind == COMMAND:
        return 0
    if d.kind == SIEGE:
        if o.target >= 0:
            steps = distance(place, o.target)
            sum += w[MARCH] * (10 - steps)
            if steps == 2:
                sum += w[AT_TWO_COVERED if o.guarded else AT_TWO]
            elif steps == 3:
                sum += w[AT_THREE_COVERED if o.guarded else AT_THREE]
            elif steps == 1 and not o.guarded:
                sum += SIEGE_WINS
    elif has(&o.takers, place):
        sum += d.held * (w[HANGING] + w[HANGING_MOST])
    if d.power == 1 and has(&o.shooters, place):
        sum += d.held * w[TARGETS]
    if d.kind != SIEGE and d.kind != RAIDER and d.kind != BOMB and has(&o.swept, place):
        sum += w[SWEEPABLE]
    if d.kind == SHIELD and has(&o.beside_home, place):
        sum += w[COVER]
    return sum

cdef double arrival(const Outlook* o, const Mover* d, int place) noexcept nogil:
    """What else it is worth that the drone comes to ``place``, which is empty."""
    cdef Lanes hit
    cdef double sum = 0
    if d.kind == SCOUT:
        sum += rescouted(o, o.me, d.claim, count(claimed_from(o.b, place)))
    elif d.kind == SHIELD and has(&o.b.land[o.me], place):
        hit = both(around(only(place)), o.sweepable)
        while some(hit):
            sum += stack_worth(o, o.foe, take_first(&hit))
    if d.loads and has(&o.beside_home, place):
        sum += o.weight[o.me][LOADED]
    return sum

cdef Mover mover_at(const Outlook* o, int place) noexcept nogil:
    cdef Mover d
    d.place, d.kind, d.power, d.held = place, kind_at(o.b, place), power_at(o.b, place), worth(o.b, place)
    d.claim = count(claimed_from(o.b, place))
    d.loads = (d.kind == SCOUT or d.kind == HUNTER) and o.b.stock[o.me] and not loaded_at(o.b, place)
    d.here = standing(o, &d, place)
    return d

cdef void priors(const BoardC* b, const step_t* steps, int n, int knowledge, float* out) noexcept nogil:
    """Writes the promise of each of the steps, which are the mover's legal ones."""
    cdef Outlook o
    cdef Mover d
    cdef int i, kind, start, end
    cdef double value
    d.place = -1
    look_out(b, knowledge, &o)
    for i in range(n):
        kind = step_kind(steps[i])
        start, end = (steps[i] >> 8) & 255, steps[i] & 255
        value = 0
        if kind == MOVE or kind == STACK or kind == TAKE or kind == RAM:
            if start != d.place:  # the steps of a drone come one after the other
                d = mover_at(&o, start)
            if kind == STACK:
                value = stacking(&o, start, end) - d.here
            else:
                value = standing(&o, &d, end) - d.here
                value += arrival(&o, &d, end) if kind == MOVE else stack_worth(&o, o.foe, end)
        elif kind == SWAP:
            value = swap_promise(&o, start, end)
        elif kind == CLAIM:
            value = claim_promise(&o, claimed_from(b, start))
        elif kind == JUMP:
            value = claim_promise(&o, both(box(1, end), o.open_land))
            value -= o.weight[b.mover][POWER] if power_at(b, start) > 1 else stack_worth(&o, o.me, start)
        elif kind == FIRE:
            value = fire_promise(&o, end)
        elif kind == BUILD:
            value = o.weight[b.mover][TURRETS] - 10 * o.weight[b.mover][STOCK]
        elif kind == RAZE:
            value = raze_promise(&o, end)
        elif kind == BLAST:
            value = blast_promise(&o, start, end)
        out[i] = value


def promises(Board board, list numbers, int knowledge=EXPERT):
    """The promise of each of the mover's legal steps ``numbers``, as a skill of ``knowledge`` (0, 10, … 100) sees it.

    Raises ValueError for another knowledge.
    """
    cdef step_t[512] steps
    cdef float[512] out
    cdef int i, begin, n
    if knowledge not in range(0, 101, 10):
        raise ValueError(f"knowledge {knowledge}")
    found = []
    for begin in range(0, len(numbers), 512):
        n = min(512, len(numbers) - begin)
        for i in range(n):
            steps[i] = numbers[begin + i]
        priors(&board.c, steps, n, knowledge, out)
        for i in range(n):
            found.append(out[i])
    return found
