# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True, embedsignature=True, freethreading_compatible=True
"""How well a side stands in a Skyclaim position that is at rest, without search, in units of a square of land.

The evaluation is linear: some forty **features** of each side, each times a weight. A feature has two weights, for the
side that is to move and for the one that waits, since what hangs is lost only where it is the other side's turn. The
weights are data (`weights.json`), learned from games by `skyclaim tune`.
"""

import json
from importlib.resources import files

from libc.string cimport memcpy, memset

from skyclaim_engine._board cimport (
    BOMB, COMMAND, SCOUT, SIEGE, TURRET, Board, BoardC, Lanes, Swaps, add, around, asteroids_of, both, box,
    claimed_from, commands, count, either, everything, first_place, half_of, has, kind_at, loaded_at, none, nothing,
    occupied, only, overlap, power_at, reach_of, shields, shift, sieges, some, swaps_of, take_first, turrets, without,
)
from skyclaim_engine.game cimport EXPERT, RIVAL

from skyclaim_engine.errors import SkyclaimError, quote

from .skill import FEATURES_FROM

cdef enum:
    SQUARES = 121
    LAST_TURNS = 40

NAMES = (
    "land", "late", "abroad", "scouts", "shields", "raiders", "hunters", "warps", "sieges", "bombs", "turrets", "power",
    "full", "stock", "loaded", "claim", "claims", "prospect", "prospects", "idle", "nearer", "border", "hanging", "hanging_most", "targets",
    "sweepable", "march", "at_two", "at_three", "at_two_covered", "at_three_covered", "cover", "cornered", "razers",
    "fired_on", "swaps", "crush", "drift_own", "drift_other",
    "closing", "closing_drones",
)


cdef struct Weights:
    # what a feature is worth: to a side that moves or waits, its own or the other's, with all land taken or all of it open
    double[2][2][2][FEATURES] by
    double[2] tempo

# by knowledge in tens, and at the end those of a rival that a tuner sets beside them
cdef Weights[12] WEIGHTS

# in squares of land, where a drone has to be weighed by itself
WORTH[:] = [0, 4.0, 3.0, 4.5, 5.0, 7.0, 4.0, 3.5, 0, 5.0]
cdef double DECIDED = 1000.0


cdef struct Common:
    # what both sides' features need
    Lanes open_land
    Lanes command[2]
    Lanes takes[2]     # what raiders reach
    Lanes shots[2]     # in range of loaded drones
    Lanes reached[2]   # open land that scouts are first at


cdef Lanes raider_reach(const BoardC* b, int side) noexcept nogil:
    """Where a raider of the side could land: over free squares, up to the first drone on each diagonal."""
    cdef Lanes raiders = without(without(both(b.side[side], both(b.kind[0], b.kind[1])), b.kind[2]), b.kind[3])
    cdef Lanes blocked = either(occupied(b), asteroids_of(&b.stars)), board = everything(), found = nothing()
    cdef int place, at, i
    cdef int* ways = [17, 15, -17, -15]
    while some(raiders):
        place = take_first(&raiders)
        for i in range(4):
            at = place + ways[i]
            while at >= 0 and at < 176 and has(&board, at):
                add(&found, at)
                if has(&blocked, at):
                    break
                at += ways[i]
    return found

cdef Lanes shot_reach(const BoardC* b, int side) noexcept nogil:
    """What is in range of the side's loaded drones."""
    cdef Lanes loaded = both(either(b.loaded[0], b.loaded[1]), b.side[side]), found = nothing()
    while some(loaded):
        found = either(found, box(reach_of(b), take_first(&loaded)))
    return found

cdef Lanes scouts_of(const BoardC* b, int side) noexcept nogil:
    return both(b.side[side], without(without(without(b.kind[0], b.kind[1]), b.kind[2]), b.kind[3]))

cdef Lanes swept(const BoardC* b, int side) noexcept nogil:
    """Where the side's shields could sweep next: beside its own free land that is beside one of them."""
    cdef Lanes own = both(shields(b), b.side[side])
    if none(own):
        return own
    return around(without(both(around(own), b.land[side]), either(occupied(b), asteroids_of(&b.stars))))

cdef Lanes sweepable(const BoardC* b, int side) noexcept nogil:
    """The side's drones that a shield can sweep: scouts, shields, hunters and warps."""
    return without(b.side[side], either(either(b.kind[3], sieges(b)), both(b.kind[0], b.kind[1])))

cdef void share_out(const BoardC* b, Common* c) noexcept nogil:
    """Open land by whose scouts are nearer, as far as seven steps."""
    cdef Lanes left = c.open_land
    cdef Lanes[2] ring
    cdef Lanes mine, yours
    cdef int i
    ring[0], ring[1] = around(scouts_of(b, 0)), around(scouts_of(b, 1))
    c.reached[0] = c.reached[1] = nothing()
    for i in range(7):
        if none(left) or (none(ring[0]) and none(ring[1])):
            return
        mine, yours = both(ring[0], left), both(ring[1], left)
        c.reached[0] = either(c.reached[0], without(mine, yours))
        c.reached[1] = either(c.reached[1], without(yours, mine))
        left = without(left, either(mine, yours))
        ring[0], ring[1] = around(ring[0]), around(ring[1])

cdef double closing(const BoardC* b) noexcept nogil:
    """From 0 to 1 in the last turns before the limit."""
    cdef int left = <int>b.turn_limit - <int>b.turn
    return 0 if left >= LAST_TURNS else 1 - <double>left / LAST_TURNS if left > 0 else 1

cdef void side_features(const BoardC* b, int side, const Common* c, float* f) noexcept nogil:
    cdef int foe = 1 - side, place, kind, n, most = 0, best = 0, target, steps, drones = 0, to_back = -1 if side == 0 else 1
    cdef double value, late = closing(b)
    cdef Lanes own = b.side[side], left, scouts, ring, rocks, mask
    cdef Lanes blocked = either(occupied(b), asteroids_of(&b.stars))
    cdef Swaps pairs
    memset(f, 0, FEATURES * sizeof(float))
    n = count(b.land[side])
    f[LAND] = n
    f[LATE] = n - 50 if n > 50 else 0
    f[CLOSING] = late * n
    f[ABROAD] = count(both(b.land[side], half_of(foe)))
    left = own
    while some(left):
        place = take_first(&left)
        kind = kind_at(b, place)
        if kind != COMMAND:
            f[SCOUTS + kind - 1 if kind != TURRET else TURRETS] += 1
            f[POWER] += power_at(b, place) - 1
            f[CLOSING_DRONES] += late * worth(b, place)
        f[LOADED] += loaded_at(b, place)
        drones += kind != TURRET
        if kind == SCOUT:
            n = count(claimed_from(b, place))
            f[CLAIMS] += n
            most = n if n > most else most
            n = 0
            ring = without(around(only(place)), blocked)
            while some(ring):
                steps = count(claimed_from(b, take_first(&ring)))
                n = steps if steps > n else n
            f[PROSPECTS] += n
            best = n if n > best else best
    f[FULL] = drones >= 9
    f[BEST_CLAIM] = most
    f[CLAIMS] -= most
    f[PROSPECT] = best
    f[PROSPECTS] -= best
    f[STOCK] = b.stock[side] if b.stock[side] < 10 else 10
    scouts = scouts_of(b, side)
    ring = around(c.open_land)
    left = without(scouts, ring)
    while some(left) and some(c.open_land):
        f[IDLE] += count(left)
        ring = around(ring)
        left = without(left, ring)
    f[NEARER] = count(c.reached[side])
    f[BORDER] = count(both(around(b.land[side]), c.open_land))
    # what could be lost
    left = both(c.takes[foe], without(without(own, b.kind[3]), sieges(b)))
    while some(left):
        value = worth(b, take_first(&left))
        f[HANGING] += value
        f[HANGING_MOST] = value if value > f[HANGING_MOST] else f[HANGING_MOST]
    left = both(c.shots[foe], without(own, b.kind[3]))
    while some(left):
        place = take_first(&left)
        if power_at(b, place) == 1:
            f[TARGETS] += worth(b, place)
    f[SWEEPABLE] = count(both(swept(b, foe), sweepable(b, side)))
    # the siege
    if some(c.command[foe]):
        target = first_place(c.command[foe])
        mask = both(around(c.command[foe]), both(shields(b), b.side[foe]))
        left = both(sieges(b), own)
        while some(left):
            place = take_first(&left)
            steps = distance(place, target)
            f[MARCH] += 10 - steps
            if steps == 2:
                f[AT_TWO_COVERED if some(mask) else AT_TWO] += 1
            elif steps == 3:
                f[AT_THREE_COVERED if some(mask) else AT_THREE] += 1
            f[CORNERED] += count(both(box(1, place), without(b.side[foe], turrets(b)))) >= 3
            f[RAZERS] += overlap(box(reach_of(b), place), b.land[foe])
    f[COVER] = overlap(around(c.command[side]), both(shields(b), own))
    left = both(turrets(b), own)
    if some(left):
        f[FIRED_ON] = count(both(around(left), without(b.side[foe], b.kind[3])))
    pairs = swaps_of(b)
    mask = b.land[foe]
    ring = half_of(side)
    f[SWAPS] = 0.1 * (
        count(both(without(without(pairs.across, mask), shift(mask, 1, 0)), either(ring, shift(ring, 1, 0))))
        + count(both(without(without(pairs.up, mask), shift(mask, 0, 1)), either(ring, shift(ring, 0, 1)))))
    # asteroids drift to the back row of whoever moves
    rocks = asteroids_of(&b.stars)
    mask = without(own, b.kind[3])
    left = both(shift(rocks, 0, -to_back), mask)
    while some(left):
        place = take_first(&left)
        if power_at(b, place) == 1:
            f[DRIFT_OWN] += 1
        elif has(&c.command[side], place + to_back):
            f[CRUSH] = 1
    left = both(shift(rocks, 0, to_back), mask)
    while some(left):
        if power_at(b, take_first(&left)) == 1:
            f[DRIFT_OTHER] += 1

cdef void find_features(const BoardC* b, float* out) noexcept nogil:
    """The features of the side to move, then of the other."""
    cdef Common c
    cdef int i
    c.open_land = without(everything(), either(b.land[0], b.land[1]))
    for i in range(2):
        c.command[i] = both(commands(b), b.side[i])
        c.takes[i] = raider_reach(b, i)
        c.shots[i] = shot_reach(b, i)
    share_out(b, &c)
    side_features(b, b.mover, &c, out)
    side_features(b, 1 - b.mover, &c, out + FEATURES)

cdef inline double weighed(const Weights* w, int waits, int other, const float* f, double open_part) noexcept nogil:
    cdef const double* taken = w.by[waits][other][0]
    cdef const double* free = w.by[waits][other][1]
    cdef double full = 0, empty = 0
    cdef int i
    for i in range(FEATURES):
        full += taken[i] * f[i]
        empty += free[i] * f[i]
    return full + open_part * (empty - full)

cdef inline double openness(const float* f) noexcept nogil:
    """The part of the board that is nobody's."""
    return (SQUARES - f[LAND] - f[FEATURES + LAND]) / SQUARES

cdef double evaluate(const BoardC* b, int side, int knowledge) noexcept nogil:
    """For a side, with what a skill of ``knowledge`` knows of; a decided game is worth DECIDED."""
    cdef float[2 * FEATURES] f
    cdef const Weights* w = &WEIGHTS[knowledge // 10]
    cdef int waits = side != b.mover
    cdef double open_part, tempo
    if b.result:
        return 0 if b.result & 3 == 3 else DECIDED if (b.result & 3) - 1 == side else -DECIDED
    find_features(b, f)
    open_part = openness(f)
    tempo = w.tempo[0] + open_part * (w.tempo[1] - w.tempo[0])
    return (weighed(w, waits, 0, &f[FEATURES * waits], open_part)
            - weighed(w, waits, 1, &f[FEATURES * (1 - waits)], open_part) + (-tempo if waits else tempo))


cdef void leanings(const BoardC* b, int knowledge, double* own, double* other) noexcept nogil:
    """What each feature is worth to the mover once it has moved: what it has, and what the other side has less."""
    cdef const Weights* w = &WEIGHTS[knowledge // 10]
    cdef double open_part = <double>(SQUARES - count(b.land[0]) - count(b.land[1])) / SQUARES
    cdef int i
    for i in range(FEATURES):
        own[i] = w.by[1][0][0][i] + open_part * (w.by[1][0][1][i] - w.by[1][0][0][i])
        other[i] = w.by[1][1][0][i] + open_part * (w.by[1][1][1][i] - w.by[1][1][0][i])


def terms(Board board):
    """The terms by name for the side to move, own less the other side's, and their `sum`."""
    cdef float[2 * FEATURES] f
    cdef const Weights* w = &WEIGHTS[EXPERT // 10]
    cdef double part, own, other
    find_features(&board.c, f)
    part = openness(f)
    values = []
    for i in range(FEATURES):
        own = w.by[0][0][0][i] + part * (w.by[0][0][1][i] - w.by[0][0][0][i])
        other = w.by[0][1][0][i] + part * (w.by[0][1][1][i] - w.by[0][1][0][i])
        values.append((NAMES[i], own * f[i] - other * f[FEATURES + i]))
    values += [("tempo", w.tempo[0] + part * (w.tempo[1] - w.tempo[0])), ("sum", evaluate(&board.c, board.c.mover, EXPERT))]
    return [(name, round(value, 3) + 0.0) for name, value in values]


def value(Board board, int side, int knowledge=EXPERT):
    """The evaluation for side 0 or 1, as a skill of ``knowledge`` (0, 10, … 100) sees it."""
    if side not in (0, 1) or knowledge not in range(0, 101, 10):
        raise ValueError(f"side {side}, knowledge {knowledge}")
    return evaluate(&board.c, side, knowledge)


def features(bytes raw):
    """The features of a position (its `raw`) as a list: those of the side to move, then those of the other."""
    cdef float[2 * FEATURES] f
    cdef BoardC b
    if len(raw) != sizeof(BoardC):
        raise ValueError(f"a position has {sizeof(BoardC)} bytes, not {len(raw)}")
    memcpy(&b, <char*>raw, sizeof(BoardC))
    find_features(&b, f)
    return [f[i] for i in range(2 * FEATURES)]


def use(weights, bint rival=False):
    """Evaluate by these weights from now on (or let the rival do so): a mapping of names to numbers.

    A name is that of a feature or `tempo`; `.moving` or `.waiting` behind it means only the side to move or the other,
    `.open` what is added where all land is open, in proportion where some is. What has no name weighs nothing. Raises
    SkyclaimError for a name that means nothing.
    """
    global IN_USE
    cdef Weights w
    cdef int i, waits, knowledge
    memset(&w, 0, sizeof(Weights))
    for name, value in weights.items():
        feature, _, which = name.partition(".")
        if which not in ("", "moving", "waiting", "open") or (feature not in NAMES and name not in ("tempo", "tempo.open")):
            raise SkyclaimError(f"weight {quote(name)} is not known")
        if feature == "tempo":
            for phase in range(1 if which else 0, 2):
                w.tempo[phase] += value
            continue
        i = NAMES.index(feature)
        for waits in range(2):  # whether the side that is asked about waits
            for other in range(2):
                if which in ("", "open", "waiting" if waits != other else "moving"):
                    for phase in range(1 if which == "open" else 0, 2):
                        w.by[waits][other][phase][i] += value
    if rival:
        WEIGHTS[RIVAL // 10] = w
        return
    IN_USE = dict(weights)
    for knowledge in range(11):
        WEIGHTS[knowledge] = w
        for i in range(FEATURES):
            for other, start in enumerate(FEATURES_FROM[NAMES[i]]):
                if 10 * knowledge < start:
                    for waits in range(2):
                        WEIGHTS[knowledge].by[waits][other][0][i] = WEIGHTS[knowledge].by[waits][other][1][i] = 0


def in_use():
    """The weights as they were given to ``use``."""
    return dict(IN_USE)


IN_USE = {}
#: the weights that come with the game
OWN = json.loads(files(__package__).joinpath("weights.json").read_text("utf-8"))["weights"]
use(OWN)
