# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True, embedsignature=True, freethreading_compatible=True
"""Skyclaim's core: the rules of the game over a plain struct (`BoardC` in `_board.pxd`), and one class around it.

The numbers of sections ("rules 4") are those of `docs/rules/skyclaim.md`. Everything above `Board` is C: it needs no
interpreter lock, cannot fail, and takes its input to be checked. `Board` is the thin face that Python sees; texts,
checks and messages are the affair of `skyclaim_engine.games.skyclaim`.

Reading order: geometry, drones, shapes and paying, resolving, seeing, legal steps, playing a step, the end of a turn.
"""

import os
import sys

cimport cython

from libc.stdlib cimport free
from libc.string cimport memcmp, memset

from skyclaim_engine.game cimport emit


cdef extern from "<assert.h>" nogil:
    void c_assert "assert"(bint holds) noexcept


# ---------------------------------------------------------------------------------------------------- geometry

cdef Lanes BOXES[3][176]  # squares at most 1, 3, 5 away, by place
cdef Lanes HALVES[2]
cdef Lanes CHECKER[2]     # red, white (rules 1, J3)


cdef void draw_geometry() noexcept:
    cdef int x, y, u, v, place, i
    cdef int* radius = [1, 3, 5]
    for x in range(11):
        for y in range(11):
            place = 16 * x + y
            add(&CHECKER[(x + y) & 1], place)
            for i in range(3):
                for u in range(max(0, x - radius[i]), min(11, x + radius[i] + 1)):
                    for v in range(max(0, y - radius[i]), min(11, y + radius[i] + 1)):
                        add(&BOXES[i][place], 16 * u + v)
    HALVES[SOUTH] = rows_of(0x01F)  # rows 1..5; the seam is in neither half (J2)
    HALVES[NORTH] = rows_of(0x7C0)


draw_geometry()

cdef Lanes box(int radius, int place) noexcept nogil:
    """The square and all at most `radius` (1, 3 or 5) away."""
    return BOXES[radius >> 1][place]

cdef Lanes claim_block(const BoardC* b, int place) noexcept nogil:
    """The squares that a claim from `place` is about (J16)."""
    return BOXES[0][place] if b.claim_radius else only(place)

cdef Lanes claimed_from(const BoardC* b, int place) noexcept nogil:
    """The squares that a scout on `place` would take (J16)."""
    return without(claim_block(b, place), either(b.land[0], b.land[1]))

cdef Lanes half_of(int side) noexcept nogil:
    return HALVES[side]


cdef Lanes matched_of(const Stars* stars) noexcept nogil:
    """All matched squares, at the instruction level that is in use here."""
    return matched(stars)

cdef Swaps swaps_of(const BoardC* b) noexcept nogil:
    """All swaps that would match, at the instruction level that is in use here; land and fog aside."""
    return swaps(&b.stars)


# ---------------------------------------------------------------------------------------------------- events
# What a step did, for whoever asks (`log` is NULL in search). Written as numbers; games/skyclaim/events.py reads them.

cdef enum EventType:
    EV_SWAP = 1       # from, to
    EV_MISSILE        # from, to, target (0 drone, 1 asteroid, 2 star), power left
    EV_TURRET         # place
    EV_MOVE           # from, to, kind, step kind
    EV_CLAIM          # place, taken...
    EV_WARP           # from, to, power left, taken...
    EV_SIEGE          # from, to
    EV_PASS
    EV_CLEAR          # wave, then for each group: colour, row, pays, number of squares, squares...
    EV_FLOW           # side, number of falls, (from, to)..., (place, colour)...
    EV_DRONE          # place, side, kind, power, ride colours, missiles, stacked
    EV_ASTEROID       # place
    EV_DESTROYED      # place, side, kind, by
    EV_BLAST          # place, places...
    EV_SWEEP          # place, places...
    EV_SURROUND       # places...
    EV_TURRET_SHOT    # from, to, power left
    EV_LOAD           # place, missiles
    EV_STOCK          # side, missiles
    EV_WRECK          # place, countdown
    EV_COLLECTED      # place, side
    EV_DRIFT          # from, to, hit place or -1, power left
    EV_TURN           # turn, side
    EV_WIN            # result

cdef enum By:
    BY_TAKE = 0
    BY_MISSILE
    BY_TURRET
    BY_SWEEP
    BY_RAM
    BY_BOMB
    BY_SURROUND
    BY_ASTEROID
    BY_WARP


cdef inline void note(EventLog* log, int type, int n, int a=0, int b=0, int c=0, int d=0) noexcept nogil:
    if log == NULL:
        return
    emit(log, type)
    emit(log, n)
    if n > 0: emit(log, a)
    if n > 1: emit(log, b)
    if n > 2: emit(log, c)
    if n > 3: emit(log, d)

cdef void note_places(EventLog* log, int type, int n, int a, int b, int c, Lanes places, int side) noexcept nogil:
    """An event with up to three numbers and then a list of places, in the view order of `side`."""
    if log == NULL:
        return
    emit(log, type)
    emit(log, n + count(places))
    if n > 0: emit(log, a)
    if n > 1: emit(log, b)
    if n > 2: emit(log, c)
    while some(places):
        emit(log, take_lowest(&places, side))

cdef void note_drone(const BoardC* b, EventLog* log, int place, bint stacked) noexcept nogil:
    if log == NULL:
        return
    emit(log, EV_DRONE)
    emit(log, 7)
    emit(log, place)
    emit(log, has(&b.side[NORTH], place))
    emit(log, kind_at(b, place))
    emit(log, power_at(b, place))
    emit(log, b.body[cell(place)] >> 2)
    emit(log, loaded_at(b, place))
    emit(log, stacked)


# ---------------------------------------------------------------------------------------------------- drones

cdef inline int hold_of(int kind) noexcept nogil:
    """Missiles that a drone can hold (rules 2)."""
    return 2 if kind == HUNTER else 1 if kind == SCOUT else 0

cdef inline int rides_of(int kind, int colour) noexcept nogil:
    """The ride colours of a new drone (rules 2), as bits of colour - 1."""
    if kind == HUNTER:
        return 31
    return 1 << (colour - 1) if kind == SCOUT or kind == WARP or kind == BOMB else 0

cdef inline void set_loaded(BoardC* b, int place, int missiles) noexcept nogil:
    put(&b.loaded[0], place, missiles)
    put(&b.loaded[1], place, missiles >> 1)

cdef inline void set_power(BoardC* b, int place, int power) noexcept nogil:
    b.body[cell(place)] = (b.body[cell(place)] & ~3) | power

cdef void place_drone(BoardC* b, int place, int side, int kind, int body, int missiles) noexcept nogil:
    add(&b.side[side], place)
    put(&b.kind[0], place, kind)
    put(&b.kind[1], place, kind >> 1)
    put(&b.kind[2], place, kind >> 2)
    put(&b.kind[3], place, kind >> 3)
    set_loaded(b, place, missiles)
    b.body[cell(place)] = body

cdef void remove_drone(BoardC* b, int place) noexcept nogil:
    cdef int i
    drop(&b.side[0], place)
    drop(&b.side[1], place)
    for i in range(4):
        drop(&b.kind[i], place)
    drop(&b.loaded[0], place)
    drop(&b.loaded[1], place)
    b.body[cell(place)] = 0

cdef inline int drone_count(const BoardC* b, int side) noexcept nogil:
    """Rules 2: every drone of the side, Command included, turrets not."""
    return count(without(b.side[side], turrets(b)))

cdef void set_stock(BoardC* b, int side, int missiles, EventLog* log) noexcept nogil:
    """The side's stock lies with its Command: without one there is none. It saturates at 99."""
    if missiles > 99:
        missiles = 99
    if missiles == b.stock[side] or not overlap(commands(b), b.side[side]):
        return
    b.stock[side] = missiles
    note(log, EV_STOCK, 2, side, missiles)

cdef void take_land(BoardC* b, int side, Lanes squares) noexcept nogil:
    b.land[side] = either(b.land[side], squares)
    if b.fog != FOG_OFF:
        b.lit[side] = either(b.lit[side], squares)

cdef inline bint take_wreck(BoardC* b, int place) noexcept nogil:
    """Makes room for a drone; tells whether a wreck was there, to be collected once the drone has arrived."""
    if not has(&b.wreck, place):
        return False
    drop(&b.wreck, place)
    b.body[cell(place)] = 0
    return True

cdef void collect(BoardC* b, int place, EventLog* log) noexcept nogil:
    """The mover's drone has arrived where a wreck was."""
    note(log, EV_COLLECTED, 2, place, b.mover)
    set_stock(b, b.mover, b.stock[b.mover] + 1, log)

cdef void set_wreck(BoardC* b, int place, int countdown, EventLog* log) noexcept nogil:
    put(&b.wreck, place, countdown != 0)
    b.body[cell(place)] = countdown
    note(log, EV_WRECK, 2, place, countdown)

cdef enum:
    WRECK_COUNTDOWN = 10

cdef void destroy(BoardC* b, int place, int by, int destroyer, EventLog* log) noexcept nogil:
    """Rules 6, destroyed drones. `destroyer` is the side that did it, -1 where none did.

    An own drone pays nobody. With Salvage all but a take, an asteroid and a spent warp drone leave a wreck; a turret
    pays at once or not at all.
    """
    cdef int side = has(&b.side[NORTH], place), kind = kind_at(b, place)
    cdef bint pays = destroyer >= 0 and destroyer != side
    if kind == COMMAND:
        b.stock[side] = 0
    remove_drone(b, place)
    note(log, EV_DESTROYED, 4, place, side, kind, by)
    if b.salvage and kind != TURRET and by != BY_TAKE:
        if by != BY_ASTEROID and by != BY_WARP:
            set_wreck(b, place, WRECK_COUNTDOWN, log)
    elif pays:
        set_stock(b, destroyer, b.stock[destroyer] + 1, log)

cdef void hurt(BoardC* b, int place, int by, int destroyer, EventLog* log) noexcept nogil:
    """A missile or a turret's shot takes 1 power; the caller has told of the shot."""
    cdef int power = power_at(b, place)
    if power > 1:
        set_power(b, place, power - 1)
    else:
        destroy(b, place, by, destroyer, log)

cdef void load(BoardC* b, int place, EventLog* log) noexcept nogil:
    """Rules 5: a scout or hunter beside its own Command takes min(hold - loaded, stock) missiles."""
    cdef int side = has(&b.side[NORTH], place), missiles = loaded_at(b, place)
    cdef int room = hold_of(kind_at(b, place)) - missiles
    if room <= 0 or b.stock[side] == 0 or not overlap(box(1, place), both(commands(b), b.side[side])):
        return
    if room > b.stock[side]:
        room = b.stock[side]
    set_loaded(b, place, missiles + room)
    note(log, EV_LOAD, 2, place, missiles + room)
    set_stock(b, side, b.stock[side] - room, log)


# ---------------------------------------------------------------------------------------------------- shapes (rules 4)

cdef Lanes spread(Lanes starts, int length, int dx, int dy) noexcept nogil:
    """All squares of the runs of `length` (3..5) that begin at `starts` and go by (dx, dy), each 0 or 1."""
    cdef Lanes far = shift(shift(starts, -dx, -dy), -dx, -dy)
    cdef Lanes squares = either(either(starts, shift(starts, -dx, -dy)), far)
    if length > 3:
        squares = either(squares, shift(far, -dx, -dy))
    if length > 4:
        squares = either(squares, shift(shift(far, -dx, -dy), -dx, -dy))
    return squares

cdef bint run_from(Lanes run4, int length, int dx, int dy) noexcept nogil:
    """Whether a run of `length` (over 4) begins somewhere, given where runs of 4 do."""
    cdef int i
    for i in range(length - 4):
        run4 = both(run4, shift(run4, dx, dy))
    return some(run4)

cdef int shape_of(Lanes g, int n) noexcept nogil:
    """The last row of the table that the group `g` of `n` matched squares contains; 0 for none.

    h3 is where 3 across begin, v3 where 3 upward begin, d3 and e3 where 3 rise or fall to the right, and so on.
    """
    cdef Lanes h2, h3, h4, v2, v3, v4, d2, d3, d4, e2, e3, e4, h5, v5, h3_ends, v3_ends, h3_middles, v3_middles, all_h, all_v
    cdef bint block, straight4
    if n < 4:
        return 0
    h2 = both(g, shift(g, 1, 0))
    v2 = both(g, shift(g, 0, 1))
    h3 = both(h2, shift(h2, 1, 0))
    v3 = both(v2, shift(v2, 0, 1))
    h4 = both(h3, shift(h3, 1, 0))
    v4 = both(v3, shift(v3, 0, 1))
    block = some(both(h2, shift(h2, 0, 1)))
    straight4 = some(either(h4, v4))
    if n == 4:  # a block, a run of 4 (a diagonal one has no 3 across or up), or 3 and a hook
        return 2 if block else 1 if straight4 or none(either(h3, v3)) else 4
    if block:
        if some(both(both(h3, shift(h3, 0, 1)), shift(h3, 0, 2))):
            return 13
        if some(both(h3, shift(h3, 0, 1))) or some(both(v3, shift(v3, 1, 0))):
            return 12
    h5 = v5 = nothing()
    if straight4:
        h5 = both(h4, shift(h4, 1, 0))
        v5 = both(v4, shift(v4, 0, 1))
        all_h = spread(h4, 4, 1, 0)
        all_v = spread(v4, 4, 0, 1)
        if overlap(spread(h5, 5, 1, 0), all_v) or overlap(all_h, spread(v5, 5, 0, 1)):
            return 12
        if (overlap(all_h, all_v) or overlap(spread(h5, 5, 1, 0), spread(v3, 3, 0, 1))
                or overlap(spread(h3, 3, 1, 0), spread(v5, 5, 0, 1))):
            return 11
    d2 = both(g, shift(g, 1, 1))
    e2 = both(g, shift(g, 1, -1))
    d3 = both(d2, shift(d2, 1, 1))
    e3 = both(e2, shift(e2, 1, -1))
    d4 = both(d3, shift(d3, 1, 1))
    e4 = both(e3, shift(e3, 1, -1))
    if n > 6 and (run_from(h4, 7, 1, 0) or run_from(v4, 7, 0, 1) or run_from(d4, 7, 1, 1) or run_from(e4, 7, 1, -1)):
        return 11
    h3_ends = either(h3, shift(h3, -2, 0))
    v3_ends = either(v3, shift(v3, 0, -2))
    if straight4:
        if (overlap(either(h4, shift(h4, -3, 0)), v3_ends) or overlap(h3_ends, either(v4, shift(v4, 0, -3)))):
            return 10
    if overlap(either(d3, shift(d3, -2, -2)), either(e3, shift(e3, -2, 2))):
        return 9
    h3_middles = shift(h3, -1, 0)
    v3_middles = shift(v3, 0, -1)
    if overlap(h3_middles, v3_middles) or overlap(both(d2, shift(d2, -1, -1)), both(e2, shift(e2, -1, 1))):
        return 8
    if overlap(h3_ends, v3_middles) or overlap(h3_middles, v3_ends):
        return 7
    if overlap(h3_ends, v3_ends):
        return 6
    if n > 5 and (run_from(h4, 6, 1, 0) or run_from(v4, 6, 0, 1) or run_from(d4, 6, 1, 1) or run_from(e4, 6, 1, -1)):
        return 5
    if (overlap(v3_ends, either(shift(g, 1, 0), shift(g, -1, 0)))
            or overlap(h3_ends, either(shift(g, 0, 1), shift(g, 0, -1)))):
        return 4
    if some(either(h5, v5)) or run_from(d4, 5, 1, 1) or run_from(e4, 5, 1, -1):
        return 3
    if block:
        return 2
    return 1 if straight4 or some(either(d4, e4)) else 0


# ---------------------------------------------------------------------------------------------------- paying (rules 4)

cdef enum:
    DRONE_LIMIT = 9
    # what a kind pays at nine drones where nothing can be stacked
    PAYS_NOTHING = 0
    PAYS_MISSILE = 1
    PAYS_ASTEROID = 2

# by row of the table: the kinds, ended by 0; what is paid at nine; the checkerboard colour that a raider prefers
cdef int[14][4] ROW_KINDS = [
    [0, 0, 0, 0], [SCOUT, 0, 0, 0], [SHIELD, 0, 0, 0], [RAIDER, 0, 0, 0], [RAIDER, 0, 0, 0], [HUNTER, 0, 0, 0],
    [BOMB, 0, 0, 0], [RAIDER, 0, 0, 0], [HUNTER, 0, 0, 0], [HUNTER, 0, 0, 0], [SIEGE, 0, 0, 0], [WARP, 0, 0, 0],
    [WARP, SIEGE, 0, 0], [WARP, SIEGE, HUNTER, 0]]
cdef int[14] ROW_AT_NINE = [0, 0, 0, PAYS_MISSILE, PAYS_MISSILE, PAYS_ASTEROID, 0, PAYS_MISSILE, 0, 0, 0, 0, 0, 0]
cdef int[14] ROW_CHECKER = [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]  # 0 red, 1 white; row 3 pays a white raider

cdef bint pay_new(BoardC* b, int kind, int row, int colour, Lanes places, Lanes swapped, EventLog* log) noexcept nogil:
    """A new drone on a free place of `places`, if there is one (J9 for which)."""
    cdef Lanes free_places = without(places, occupied(b))
    cdef int place
    cdef bint wreck
    if none(free_places):
        return False
    if kind == RAIDER and overlap(free_places, CHECKER[ROW_CHECKER[row]]):
        free_places = both(free_places, CHECKER[ROW_CHECKER[row]])
    if overlap(free_places, swapped):
        free_places = both(free_places, swapped)
    place = lowest(free_places, b.mover)
    wreck = take_wreck(b, place)
    place_drone(b, place, b.mover, kind, 1 | rides_of(kind, colour) << 2, 0)
    note_drone(b, log, place, False)
    if wreck:
        collect(b, place, log)
    return True

cdef bint pay_stack(BoardC* b, int kind, int colour, Lanes places, EventLog* log) noexcept nogil:
    """Power for the lowest own drone of `places` that can take it, if there is one."""
    cdef Lanes own = without(both(places, b.side[b.mover]), b.kind[3])
    cdef int place
    while some(own):
        place = take_lowest(&own, b.mover)
        if power_at(b, place) < 3:
            b.body[cell(place)] = (b.body[cell(place)] | rides_of(kind, colour) << 2) + 1
            note_drone(b, log, place, True)
            return True
    return False

cdef void pay_asteroid(BoardC* b, Lanes gone, EventLog* log, uint64_t* stream) noexcept nogil:
    """One star on the other side's land becomes an asteroid."""
    cdef Lanes targets = both(b.land[1 - b.mover], stars_of(&b.stars))
    cdef int k, drawn, place
    targets = without(without(without(targets, gone), occupied(b)), b.wreck)
    if none(targets):
        return
    drawn = stream_draw(stream, count(targets))
    for k in range(drawn):
        take_lowest(&targets, b.mover)
    place = lowest(targets, b.mover)
    set_star(&b.stars, place, 6)
    note(log, EV_ASTEROID, 1, place)

cdef void pay(BoardC* b, int row, int colour, Lanes places, Lanes swapped, Lanes gone,
              EventLog* log, uint64_t* stream) noexcept nogil:
    """What a group of this row and colour pays; `places` are its squares in the mover's half."""
    cdef int i, kind
    for i in range(4):
        kind = ROW_KINDS[row][i]
        if kind == NO_DRONE:
            return
        if kind == BOMB or drone_count(b, b.mover) < DRONE_LIMIT:
            if not pay_new(b, kind, row, colour, places, swapped, log):
                pay_stack(b, kind, colour, places, log)
        elif not pay_stack(b, kind, colour, places, log):
            if ROW_AT_NINE[row] == PAYS_MISSILE:
                set_stock(b, b.mover, b.stock[b.mover] + 1, log)
            elif ROW_AT_NINE[row] == PAYS_ASTEROID:
                pay_asteroid(b, gone, log, stream)

cdef inline Lanes take_group(Lanes* rest, int side) noexcept nogil:
    """The group that holds the lowest square of `rest` (J7: squares of one colour hang together by sides and corners)."""
    cdef Lanes group = flood(only(lowest(rest[0], side)), rest[0])
    rest[0] = without(rest[0], group)
    return group

cdef Lanes next_group(const Stars* stars, Lanes* rest) noexcept nogil:
    """Some group among the matched squares `rest`, taken out of them."""
    cdef int place = first_place(rest[0])
    cdef Lanes group = flood(only(place), both(rest[0], colour_of(stars, star_at(stars, place))))
    rest[0] = without(rest[0], group)
    return group

cdef inline bint group_pays(const BoardC* b, Lanes group) noexcept nogil:
    """Some of it in the mover's half, and not all of it land of the other side."""
    return overlap(group, half_of(b.mover)) and not inside(group, b.land[1 - b.mover])

cdef void note_clear(const BoardC* b, Lanes gone, int wave, EventLog* log) noexcept nogil:
    """The `clear` event of one wave, before anything is paid."""
    cdef Lanes rest, group
    cdef int colour, row, size_at, n
    emit(log, EV_CLEAR)
    size_at = log.size
    emit(log, 0)
    emit(log, wave)
    for colour in range(1, 6):
        rest = both(gone, colour_of(&b.stars, colour))
        while some(rest):
            group = take_group(&rest, b.mover)
            n = count(group)
            row = shape_of(group, n)
            emit(log, colour)
            emit(log, row)
            emit(log, group_pays(b, group))
            emit(log, n)
            while some(group):
                emit(log, take_lowest(&group, b.mover))
    if not log.failed:
        log.data[size_at] = log.size - size_at - 1

cdef void pay_groups(BoardC* b, Lanes gone, Lanes swapped, EventLog* log, uint64_t* stream) noexcept nogil:
    """All groups of a wave, colour by colour, each colour's by their lowest square."""
    cdef Lanes rest, group
    cdef int colour, n, row
    for colour in range(1, 6):
        rest = both(gone, colour_of(&b.stars, colour))
        n = count(rest)
        if n < 4:  # a single line of 3, or nothing
            continue
        if n < 6:  # two groups have 6 squares at least
            if group_pays(b, rest):
                row = shape_of(rest, n)
                if row:
                    pay(b, row, colour, both(rest, half_of(b.mover)), swapped, gone, log, stream)
            continue
        while some(rest):
            group = take_group(&rest, b.mover)
            n = count(group)
            if n > 3 and group_pays(b, group):
                row = shape_of(group, n)
                if row:
                    pay(b, row, colour, both(group, half_of(b.mover)), swapped, gone, log, stream)


# ---------------------------------------------------------------------------------------------------- resolving (rules 4)

cdef void note_flow(const Stars* before, const Stars* after, Lanes gone, int side, EventLog* log) noexcept nogil:
    """The `flow` event: where each star fell from, and the new ones."""
    cdef int i, j, column, row, place, end, size_at, falls_at, falls = 0
    cdef int[11] source
    emit(log, EV_FLOW)
    size_at = log.size
    emit(log, 0)
    emit(log, side)
    falls_at = log.size
    emit(log, 0)
    cdef Lanes rocks = asteroids_of(after), new_stars = nothing()
    for i in range(11):
        column = 10 - i if side else i
        end = 0  # where the next star of this segment comes to rest, counted from the back row
        for j in range(12):
            row = 10 - j if side else j
            place = 16 * column + row
            if j == 11 or has(&rocks, place):
                while end < j:
                    add(&new_stars, 16 * column + (10 - end if side else end))
                    end += 1
                end = j + 1
            elif not has(&gone, place):
                if end != j:
                    emit(log, place)
                    emit(log, 16 * column + (10 - end if side else end))
                    falls += 1
                end += 1
    for i in range(11):
        column = 10 - i if side else i
        for j in range(11):
            place = 16 * column + (10 - j if side else j)
            if has(&new_stars, place):
                emit(log, place)
                emit(log, star_at(after, place))
    if not log.failed:
        log.data[size_at] = log.size - size_at - 1
        log.data[falls_at] = falls

cdef void remove_stars(BoardC* b, Lanes gone, EventLog* log, uint64_t* stream) noexcept nogil:
    """The squares are emptied (stars or asteroids) and the stars flow toward the mover."""
    cdef Stars before
    if log != NULL:
        before = b.stars
    clear_stars(&b.stars, gone)
    flow(&b.stars, gone, b.mover, stream)
    if log != NULL:
        note_flow(&before, &b.stars, gone, b.mover, log)

cdef void resolve(BoardC* b, Lanes swapped, EventLog* log, uint64_t* stream) noexcept nogil:
    """Waves of matches, until there are none or MAX_WAVES are over (J10). `swapped`: where a swap put its two stars."""
    cdef int wave
    cdef Lanes gone
    for wave in range(1, MAX_WAVES + 1):
        gone = matched(&b.stars)
        if none(gone):
            return
        b.cleared += count(both(gone, half_of(b.mover)))
        if log != NULL:
            note_clear(b, gone, wave, log)
        pay_groups(b, gone, swapped, log, stream)
        remove_stars(b, gone, log, stream)
        swapped = nothing()


# ---------------------------------------------------------------------------------------------------- seeing (rules 9)

cdef Lanes seen(const BoardC* b, int side) noexcept nogil:
    """The squares that a side sees."""
    cdef Lanes own = b.side[side]
    if b.fog == FOG_OFF:
        return everything()
    own = either(own, around(without(own, shields(b))))
    own = either(own, either(b.land[side], b.lit[side]))
    return either(own, half_of(side)) if b.fog == FOG_SEAM else own

cdef void observe(const BoardC* b, int side, BoardC* out) noexcept nogil:
    """What a side sees of a position, as a position whose dark squares have the code 7."""
    cdef Lanes light = seen(b, side), dark = without(everything(), light), hidden
    cdef int i
    out[0] = b[0]
    out.seen_by = side + 1
    out.result = 0
    out.lit[1 - side] = nothing()
    hidden = both(occupied(b), dark)
    if overlap(commands(b), both(b.side[1 - side], dark)):
        out.stock[1 - side] = 0
    while some(hidden):
        remove_drone(out, take_first(&hidden))
    hidden = both(b.wreck, dark)
    out.wreck = both(b.wreck, light)
    while some(hidden):
        out.body[cell(take_first(&hidden))] = 0
    for i in range(2):
        out.land[i] = both(b.land[i], light)
    for i in range(3):
        out.stars.p[i] = either(b.stars.p[i], dark)


# ---------------------------------------------------------------------------------------------------- legal steps (rules 5)

cdef enum:
    TURRET_PRICE = 10

cdef inline step_t* write_steps(step_t* out, int kind, int start, Lanes ends) noexcept nogil:
    """A step of the kind from `start` to each of the squares."""
    return write_places(out, step_of(kind, start, 0), 1, ends)

cdef inline step_t* write_pairs(step_t* out, Lanes lower, int toward) noexcept nogil:
    """A swap of each place with the one `toward` further."""
    return write_places(out, step_of(SWAP, 0, toward), step_of(0, 1, 1), lower)

cdef inline Lanes slide(int place, Lanes empty, Lanes stops) noexcept nogil:
    """Squares that a raider reaches along its diagonals: over `empty`, and the first one on the way if in `stops`."""
    cdef Lanes reached = nothing()
    cdef int i, at
    cdef int* ways = [17, 15, -17, -15]
    for i in range(4):
        at = place + ways[i]
        # beyond the edge are spare bits or places under 0, none of them in `empty` or `stops`
        while at >= 0 and has(&empty, at):
            add(&reached, at)
            at += ways[i]
        if at >= 0 and has(&stops, at):
            add(&reached, at)
    return reached

cdef struct View:
    # what the legal steps of the side to move depend on, all within what it sees
    Lanes light       # what it sees
    Lanes empty       # a star, no drone
    Lanes theirs      # the enemy's drones and turrets
    Lanes landable    # of these, what a bomb may land on: not the Command
    Lanes takeable    # of these, what a raider may take: neither siege, Command nor turret
    Lanes stackable   # own drones that may be stacked upon
    Lanes shootable
    Lanes their_land
    int reach         # of missiles and siege fire

cdef inline void look(const BoardC* b, View* v) noexcept nogil:
    cdef int me = b.mover
    cdef Lanes own = without(b.side[me], b.kind[3])
    cdef int place
    v.light = seen(b, me)
    v.theirs = both(b.side[1 - me], v.light)
    v.empty = without(both(stars_of(&b.stars), v.light), occupied(b))
    v.landable = without(v.theirs, commands(b))
    v.takeable = without(without(v.theirs, sieges(b)), b.kind[3])
    v.shootable = either(either(without(v.theirs, b.kind[3]), both(asteroids_of(&b.stars), v.light)), v.empty)
    v.their_land = b.land[1 - me]
    v.reach = reach_of(b)
    v.stackable = nothing()
    while some(own):
        place = take_first(&own)
        if power_at(b, place) < 3:
            add(&v.stackable, place)

cdef step_t* write_free_steps(const BoardC* b, const View* v, step_t* out) noexcept nogil:
    cdef Lanes loaded = both(either(b.loaded[0], b.loaded[1]), b.side[b.mover])
    cdef int place
    if b.stock[b.mover] >= TURRET_PRICE:
        out = write_places(out, step_of(BUILD, 0, 0), step_of(0, 1, 0), without(both(b.land[b.mover], v.empty), b.wreck))
    while some(loaded):
        place = take_first(&loaded)
        out = write_steps(out, FIRE, place, both(box(v.reach, place), v.shootable))
    return out

cdef step_t* write_swaps(const BoardC* b, const View* v, step_t* out) noexcept nogil:
    """Swaps of two stars that the mover sees, matched by stars that it sees, on no land of the other side."""
    cdef Stars lit
    cdef Lanes allowed = without(everything(), v.their_land)
    cdef Swaps found
    cdef int i
    if b.fog == FOG_OFF:
        found = swaps(&b.stars)
    else:
        for i in range(3):
            lit.p[i] = both(b.stars.p[i], v.light)
        found = swaps(&lit)
    out = write_pairs(out, both(found.across, both(allowed, shift(allowed, 1, 0))), 16)
    return write_pairs(out, both(found.up, both(allowed, shift(allowed, 0, 1))), 1)

cdef inline step_t* write_stacks(const View* v, step_t* out, int place, Lanes landing) noexcept nogil:
    landing = both(landing, v.stackable)
    drop(&landing, place)
    return write_steps(out, STACK, place, landing)

cdef step_t* write_slides(const View* v, step_t* out, int place) noexcept nogil:
    """A raider: along a diagonal, the first drone on the way ends the slide."""
    cdef Lanes landing = slide(place, v.empty, either(v.stackable, v.takeable))
    out = write_steps(out, MOVE, place, both(landing, v.empty))
    out = write_steps(out, STACK, place, both(landing, v.stackable))
    return write_steps(out, TAKE, place, both(landing, v.takeable))

cdef step_t* write_rides(const BoardC* b, const View* v, step_t* out, int place, int kind) noexcept nogil:
    """A scout, hunter, warp or bomb: free rides over stars of its colours, and one paid step at most.

    The last step onto a drone is the paid one, or a free one if the star under that drone has a ride colour.
    """
    cdef int rides = b.body[cell(place)] >> 2, i
    cdef Lanes colours, unpaid, paid, landing
    if rides == 31:
        paid = flood(only(place), v.empty)
        landing = around(paid)
    else:
        colours = nothing()
        for i in range(5):
            if rides >> i & 1:
                colours = either(colours, colour_of(&b.stars, i + 1))
        unpaid = only(place)
        landing = box(1, place)
        if overlap(landing, both(colours, v.empty)):
            unpaid = flood(unpaid, both(colours, v.empty))
            landing = around(unpaid)
        paid = flood(either(unpaid, both(landing, v.empty)), both(colours, v.empty))
        landing = either(landing, both(around(paid), colours))
    out = write_steps(out, MOVE, place, both(paid, v.empty))
    out = write_stacks(v, out, place, landing)
    return write_steps(out, BLAST, place, both(landing, v.landable)) if kind == BOMB else out

cdef step_t* write_drone(const BoardC* b, const View* v, step_t* out, int place) noexcept nogil:
    """All actions of one drone (a turret has none)."""
    cdef int kind = kind_at(b, place)
    cdef Lanes near
    if kind == RAIDER:
        return write_slides(v, out, place)
    if kind == COMMAND or kind == SHIELD or kind == SIEGE:
        near = box(1, place)
        out = write_few(out, step_of(MOVE, place, 0), both(near, v.empty))
        if kind != COMMAND:
            out = write_stacks(v, out, place, near)
        if kind == SIEGE:
            out = write_steps(out, RAM, place, both(near, both(v.theirs, turrets(b))))
            near = both(both(box(v.reach, place), v.light), v.their_land)
            drop(&near, place)
            out = write_steps(out, RAZE, place, near)
        return out
    out = write_rides(b, v, out, place, kind)
    if kind == SCOUT and some(claimed_from(b, place)):
        out[0] = step_of(CLAIM, place, 0)
        out += 1
    if kind == WARP:
        out = write_steps(out, JUMP, place, without(v.empty, v.their_land))
    return out

cdef int legal(const BoardC* b, step_t* out) noexcept nogil:
    """All legal steps of the side to move, at most MAX_STEPS; returns how many. Free steps come first."""
    cdef step_t* first = out
    cdef step_t* actions
    cdef Lanes left = without(b.side[b.mover], turrets(b))
    cdef View v
    if b.result:
        return 0
    look(b, &v)
    out = actions = write_free_steps(b, &v, out)
    out = write_swaps(b, &v, out)
    while some(left):
        out = write_drone(b, &v, out, take_first(&left))
    if out == actions:
        out[0] = step_of(PASS, 0, 0)
        out += 1
    c_assert(out - first <= MAX_STEPS)
    return out - first


# ---------------------------------------------------------------------------------------------------- the end of a step

cdef enum:
    SURROUNDERS = 4
    DRIFT_CLEARED = 8
    WIN_LAND = 1
    WIN_SIEGE = 2
    WIN_ASTEROID = 3
    WIN_TURNS = 4

cdef void surround(BoardC* b, EventLog* log) noexcept nogil:
    """Every siege with four or more enemy drones beside it is destroyed, all judged at once (rules 5)."""
    cdef Lanes left = sieges(b), doomed = nothing(), near
    cdef int place
    while some(left):
        place = take_first(&left)
        near = both(box(1, place), b.side[1 - has(&b.side[NORTH], place)])
        if some(near) and count(without(near, turrets(b))) >= SURROUNDERS:
            add(&doomed, place)
    if none(doomed):
        return
    note_places(log, EV_SURROUND, 0, 0, 0, 0, doomed, b.mover)
    while some(doomed):
        place = take_lowest(&doomed, b.mover)
        destroy(b, place, BY_SURROUND, 1 - has(&b.side[NORTH], place), log)

cdef int reason_to_win(const BoardC* b, int side, bint grown) noexcept nogil:
    """Rules 7 for one side: why it has won, 0 if it has not. Land is counted only if it may have `grown`."""
    cdef Lanes command = both(commands(b), b.side[1 - side])
    if grown and count(b.land[side]) >= b.land_to_win:
        return WIN_LAND
    if none(command):
        return WIN_ASTEROID
    command = box(1, first_place(command))
    if overlap(command, both(sieges(b), b.side[side])) and not overlap(command, both(shields(b), b.side[1 - side])):
        return WIN_SIEGE
    return 0

cdef void finish(BoardC* b, int winner, int reason, EventLog* log) noexcept nogil:
    b.result = winner | reason << 2
    note(log, EV_WIN, 1, b.result)

cdef bint win_check(BoardC* b, bint grown, EventLog* log) noexcept nogil:
    """Rules 7: the mover first, then the other side. True when the game is over. Only claims and warps make land grow."""
    cdef int i, side, reason
    for i in range(2):
        side = b.mover ^ i
        reason = reason_to_win(b, side, grown)
        if reason:
            finish(b, side + 1, reason, log)
            return True
    return False

cdef bint turn_limit_check(BoardC* b, EventLog* log) noexcept nogil:
    """After the last turn more land wins, equal is a draw (J21)."""
    cdef int south, north
    if b.turn <= b.turn_limit:
        return False
    south, north = count(b.land[SOUTH]), count(b.land[NORTH])
    finish(b, 1 if south > north else 2 if north > south else 3, WIN_TURNS, log)
    return True


# ---------------------------------------------------------------------------------------------------- drift (rules 8)

cdef inline bint on_board(int place) noexcept nogil:
    """Of a place one or two rows off a real one."""
    return place >= 0 and (place & 15) < 11

cdef void set_adrift(BoardC* b, int start, int end, EventLog* log) noexcept nogil:
    """An asteroid and the star of its new square change places; a wreck there is gone."""
    swap_stars(&b.stars, start, end)
    if has(&b.wreck, end):
        set_wreck(b, end, 0, log)

cdef void drift(BoardC* b, EventLog* log) noexcept nogil:
    cdef Lanes left = asteroids_of(&b.stars), rocks, all_commands
    cdef int start, end, beyond, power, down = 1 if b.mover == NORTH else -1
    while some(left):
        start = take_lowest(&left, b.mover)
        end = start + down
        rocks = asteroids_of(&b.stars)
        all_commands = commands(b)
        if not on_board(end) or has(&rocks, end) or has(&all_commands, end):
            continue
        power = power_at(b, end) if has(&b.side[0], end) or has(&b.side[1], end) else 0
        if power > 1:  # a stack: one power off, and over it
            beyond = end + down
            set_power(b, end, power - 1)
            if not on_board(beyond) or has(&rocks, beyond):
                note(log, EV_DRIFT, 4, start, start, end, power - 1)
                continue
            note(log, EV_DRIFT, 4, start, beyond, end, power - 1)
            end = beyond
        else:
            note(log, EV_DRIFT, 4, start, end, -1, 0)
        if has(&b.side[0], end) or has(&b.side[1], end):
            destroy(b, end, BY_ASTEROID, -1, log)
        set_adrift(b, start, end, log)


# ---------------------------------------------------------------------------------------------------- turns (rules 6)

cdef bint fire_turrets(BoardC* b, EventLog* log) noexcept nogil:
    """Each at a siege before others, then at the least power, then at the lowest square; tells whether any fired."""
    cdef bint fired = False
    cdef Lanes left = both(turrets(b), b.side[b.mover]), targets, some_sieges
    cdef int place, target, best, power, least
    while some(left):
        place = take_lowest(&left, b.mover)
        targets = without(both(box(1, place), b.side[1 - b.mover]), b.kind[3])
        if none(targets):
            continue
        some_sieges = both(targets, sieges(b))
        if some(some_sieges):
            targets = some_sieges
        best, least = -1, 4
        while some(targets):
            target = take_lowest(&targets, b.mover)
            power = power_at(b, target)
            if power < least:
                best, least = target, power
        note(log, EV_TURRET_SHOT, 3, place, best, least - 1)
        hurt(b, best, BY_TURRET, b.mover, log)
        fired = True
    return fired

cdef void load_all(BoardC* b, EventLog* log) noexcept nogil:
    cdef Lanes near = both(commands(b), b.side[b.mover])
    if none(near) or b.stock[b.mover] == 0:
        return
    near = without(both(box(1, first_place(near)), b.side[b.mover]), b.kind[3])
    while some(near):
        load(b, take_lowest(&near, b.mover), log)

cdef void fade_wrecks(BoardC* b, EventLog* log) noexcept nogil:
    cdef Lanes left = b.wreck
    cdef int place
    while some(left):
        place = take_lowest(&left, b.mover)
        b.body[cell(place)] -= 1
        if b.body[cell(place)] == 0:
            set_wreck(b, place, 0, log)

cdef void end_turn(BoardC* b, EventLog* log, uint64_t* stream) noexcept nogil:
    """From the end of an action, its win check done, to the next side's first step."""
    cdef bint fired
    if b.cleared >= DRIFT_CLEARED:
        drift(b, log)
        resolve(b, nothing(), log, stream)
        surround(b, log)
        if win_check(b, False, log):
            return
    fade_wrecks(b, log)
    b.cleared = 0
    b.turn += 1
    b.mover = 1 - b.mover
    note(log, EV_TURN, 2, b.turn, b.mover)
    if turn_limit_check(b, log):
        return
    fired = fire_turrets(b, log)
    load_all(b, log)
    if fired:  # else no drone has changed since the last check, which found nothing
        surround(b, log)
        win_check(b, False, log)


# ---------------------------------------------------------------------------------------------------- playing a step (rules 5)

cdef void go_to(BoardC* b, int start, int end) noexcept nogil:
    """The drone on `start`, whole, to the empty square `end`."""
    cdef int side = has(&b.side[NORTH], start), kind = kind_at(b, start)
    cdef int body = b.body[cell(start)], missiles = loaded_at(b, start)
    remove_drone(b, start)
    place_drone(b, end, side, kind, body, missiles)

cdef void arrive(BoardC* b, int place, bint wreck, EventLog* log) noexcept nogil:
    """After a move, take or stack: a wreck is collected, a shield sweeps, a scout or hunter loads."""
    cdef int kind = kind_at(b, place), target
    cdef Lanes targets
    if wreck:
        collect(b, place, log)
    if kind == SHIELD:
        if not has(&b.land[b.mover], place):
            return
        targets = without(both(box(1, place), b.side[1 - b.mover]), b.kind[3])
        # scouts 1, shields 2, hunters 4 and warps 5, not raiders 3, sieges 6, bombs 7: 3 and 7 have both low bits, 6 and 7 both high
        targets = without(without(targets, both(b.kind[0], b.kind[1])), both(b.kind[1], b.kind[2]))
        if none(targets):
            return
        note_places(log, EV_SWEEP, 1, place, 0, 0, targets, b.mover)
        while some(targets):
            target = take_lowest(&targets, b.mover)
            destroy(b, target, BY_SWEEP, b.mover, log)
    elif kind == SCOUT or kind == HUNTER:
        load(b, place, log)

cdef void stack(BoardC* b, int start, int end, EventLog* log) noexcept nogil:
    """The kind landed on; power, ride colours and missiles together, what is over goes to the stock."""
    cdef int power = power_at(b, start) + power_at(b, end)
    cdef int rides = (b.body[cell(start)] | b.body[cell(end)]) >> 2
    cdef int missiles = loaded_at(b, start) + loaded_at(b, end), hold = hold_of(kind_at(b, end)), over = 0
    note(log, EV_MOVE, 4, start, end, kind_at(b, start), STACK)
    remove_drone(b, start)
    b.body[cell(end)] = (3 if power > 3 else power) | rides << 2
    if missiles > hold:
        over, missiles = missiles - hold, hold
    set_loaded(b, end, missiles)
    note_drone(b, log, end, True)
    if over:
        set_stock(b, b.mover, b.stock[b.mover] + over, log)

cdef void blast(BoardC* b, int start, int end, EventLog* log) noexcept nogil:
    """The bomb is spent; every drone and turret of both sides around is destroyed, but no Command (J15)."""
    cdef Lanes doomed
    note(log, EV_MOVE, 4, start, end, BOMB, BLAST)
    remove_drone(b, start)
    doomed = without(both(box(1, end), occupied(b)), commands(b))
    note_places(log, EV_BLAST, 1, end, 0, 0, doomed, b.mover)
    while some(doomed):
        destroy(b, take_lowest(&doomed, b.mover), BY_BOMB, b.mover, log)

cdef void claim(BoardC* b, int place, EventLog* log) noexcept nogil:
    cdef Lanes taken = claimed_from(b, place)
    note_places(log, EV_CLAIM, 1, place, 0, 0, taken, b.mover)
    take_land(b, b.mover, taken)

cdef void jump(BoardC* b, int start, int end, EventLog* log) noexcept nogil:
    """A warp drone jumps, takes the open land around, and loses 1 power (J17)."""
    cdef Lanes taken = without(box(1, end), either(b.land[0], b.land[1]))
    cdef int power = power_at(b, start) - 1
    cdef bint wreck = take_wreck(b, end)
    note_places(log, EV_WARP, 3, start, end, power, taken, b.mover)
    go_to(b, start, end)
    take_land(b, b.mover, taken)
    if wreck:
        collect(b, end, log)
    if power:
        set_power(b, end, power)
    else:
        destroy(b, end, BY_WARP, -1, log)

cdef void fire(BoardC* b, int start, int end, EventLog* log, uint64_t* stream) noexcept nogil:
    """A missile: a drone loses 1 power; an asteroid or a star is removed, the stars flow and resolve."""
    cdef int code = star_at(&b.stars, end)
    set_loaded(b, start, loaded_at(b, start) - 1)
    if has(&b.side[1 - b.mover], end):
        note(log, EV_MISSILE, 4, start, end, 0, power_at(b, end) - 1)
        hurt(b, end, BY_MISSILE, b.mover, log)
        return
    note(log, EV_MISSILE, 3, start, end, 1 if code == 6 else 2)
    remove_stars(b, only(end), log, stream)
    resolve(b, nothing(), log, stream)

cdef void apply(BoardC* b, step_t step, uint64_t* stream, EventLog* log) noexcept nogil:
    """Plays a legal step of the side to move."""
    cdef int kind = step_kind(step), start = step >> 8 & 255, end = step & 255
    cdef bint wreck
    cdef Lanes swapped
    if kind == FIRE:
        fire(b, start, end, log, stream)
    elif kind == BUILD:
        note(log, EV_TURRET, 1, start)
        set_stock(b, b.mover, b.stock[b.mover] - TURRET_PRICE, log)
        place_drone(b, start, b.mover, TURRET, 1, 0)
    elif kind == SWAP:
        note(log, EV_SWAP, 2, start, end)
        swap_stars(&b.stars, start, end)
        swapped = only(start)
        add(&swapped, end)
        resolve(b, swapped, log, stream)
    elif kind == MOVE:
        note(log, EV_MOVE, 4, start, end, kind_at(b, start), MOVE)
        wreck = take_wreck(b, end)
        go_to(b, start, end)
        arrive(b, end, wreck, log)
    elif kind == TAKE:
        note(log, EV_MOVE, 4, start, end, RAIDER, TAKE)
        destroy(b, end, BY_TAKE, b.mover, log)
        go_to(b, start, end)
        arrive(b, end, False, log)
    elif kind == STACK:
        stack(b, start, end, log)
        arrive(b, end, False, log)
    elif kind == BLAST:
        blast(b, start, end, log)
    elif kind == CLAIM:
        claim(b, start, log)
    elif kind == JUMP:
        jump(b, start, end, log)
    elif kind == RAZE:
        note(log, EV_SIEGE, 2, start, end)
        drop(&b.land[1 - b.mover], end)
    elif kind == RAM:
        note(log, EV_MOVE, 4, start, end, SIEGE, RAM)
        destroy(b, end, BY_RAM, b.mover, log)
        go_to(b, start, end)
    else:
        note(log, EV_PASS, 0)
    surround(b, log)
    if not win_check(b, kind == CLAIM or kind == JUMP, log) and kind > BUILD:
        end_turn(b, log, stream)


# ---------------------------------------------------------------------------------------------------- set-up (rules 3)

cdef inline int place_of(int square) noexcept nogil:
    """The place of a square index 0..120."""
    return 16 * (square % 11) + square // 11

cdef inline int square_of(int place) noexcept nogil:
    return 11 * (place & 15) + (place >> 4)

cdef void scatter(BoardC* b, int side, int asteroids, uint64_t* stream) noexcept nogil:
    """Asteroids of one half: squares of its five rows outside the block, in the side's view order."""
    cdef int[55] choice
    cdef int n = 0, i, k, place
    for i in range(55):
        place = place_of(120 - i if side else i)
        if not has(&b.land[side], place):
            choice[n] = place
            n += 1
    for i in range(asteroids):
        k = stream_draw(stream, n)
        set_star(&b.stars, choice[k], 6)
        n -= 1
        for k in range(k, n):
            choice[k] = choice[k + 1]

cdef bint fill(BoardC* b, uint64_t* stream) noexcept nogil:
    """Stars for every square without an asteroid, none of them matched; False where no colour fits a square."""
    cdef int square, place, k, j
    for square in range(121):
        place = place_of(square)
        if star_at(&b.stars, place):
            continue
        k = stream_draw(stream, 5)
        for j in range(5):
            set_star(&b.stars, place, 1 + (k + j) % 5)
            if none(matched(&b.stars)):
                break
        else:
            return False
    return True

cdef void set_up(BoardC* b, int south, int north, uint64_t* stream) noexcept nogil:
    cdef int side, i, place
    cdef int* where = [64, 80, 96, 82]      # e1, f1, g1, f3, and their half turns
    cdef int* what = [SCOUT, COMMAND, SIEGE, SHIELD]
    for side in range(2):
        b.land[side] = nothing()
        for i in range(9):
            place = 16 * (4 + i % 3) + i // 3
            add(&b.land[side], 170 - place if side else place)
    scatter(b, SOUTH, south, stream)
    scatter(b, NORTH, north, stream)
    cdef Lanes rocks = asteroids_of(&b.stars)
    while not fill(b, stream):
        clear_stars(&b.stars, without(everything(), rocks))
    for side in range(2):
        for i in range(4):
            place = 170 - where[i] if side else where[i]
            place_drone(b, place, side, what[i], 2 if what[i] == SHIELD else 1, what[i] == SCOUT)
            if what[i] == SCOUT:
                b.body[cell(place)] |= rides_of(SCOUT, star_at(&b.stars, place)) << 2
        if b.fog != FOG_OFF:
            b.lit[side] = b.land[side]
    b.turn = 1


# ---------------------------------------------------------------------------------------------------- keys

cdef uint64_t key_of(const BoardC* b) noexcept nogil:
    """64 bits that every field of the position takes part in."""
    return mix_words(b, sizeof(BoardC))

cdef uint64_t situation_of(const BoardC* b) noexcept nogil:
    """The same, whichever turn it is."""
    cdef BoardC board = b[0]
    board.turn = 0
    return key_of(&board)


# ---------------------------------------------------------------------------------------------------- Python's face

KINDS = ".SGRHWXBMT"
STEP_KINDS = ("fire", "turret", "swap", "move", "take", "stack", "bomb", "claim", "warp", "siege", "ram", "pass")
REASONS = ("", "land", "siege", "asteroid", "turns")
MAX_LEGAL_STEPS = MAX_STEPS
SIZE = sizeof(BoardC)


LEVELS = ("portable", "sse2", "avx2")
cdef int level


def instruction_level():
    """Which instructions the scans of a board use here, one of LEVELS."""
    return LEVELS[level]


def use_instruction_level(wanted):
    """Use the scans of one of LEVELS, or the next lower one that is there; returns what is now used.

    Raises ValueError for another word.
    """
    global level
    if wanted not in LEVELS:
        raise ValueError(f"level {wanted!r} is not one of {', '.join(LEVELS)}")
    level = choose_level(LEVELS.index(wanted))
    return LEVELS[level]


def _level_at_import(wanted):
    """The level that the environment asks for; a wrong word there is told, and the best one taken."""
    if wanted not in LEVELS:
        print(f"SKYCLAIM_LEVEL {wanted!r} is not one of {', '.join(LEVELS)}: using the best", file=sys.stderr)
        wanted = LEVELS[len(LEVELS) - 1]
    use_instruction_level(wanted)


_level_at_import(os.environ.get("SKYCLAIM_LEVEL", "avx2"))


@cython.final
cdef class Board:
    """A Skyclaim position without its stream.

    Squares are indices 0..120 (11 * row + column), sides 0 (South) and 1 (North), steps numbers: kind << 16 |
    place << 8 | place, with places 16 * column + row. The constructor takes what the reading properties give:

    * ``stars``: 121 bytes, 1..5, 6 an asteroid, 7 a dark square of an observation
    * ``drones``: (square, side, kind, power, ride colours as bits of colour - 1, missiles loaded), kinds as in KINDS
    * ``land``, ``lit``: 121 bytes, bit 0 South's, bit 1 North's
    * ``wrecks``: square -> countdown
    * ``rules``: (salvage, fog 0..2, land_to_win, claim_radius, turn_limit)

    Raises ValueError for what does not fit the struct. It does not judge whether a position makes sense.
    """

    def __init__(self, bytes stars, drones, bytes land, bytes lit, wrecks, int mover=0, cleared=0, turn=1,
                 stock=(0, 0), rules=(False, 0, 69, 1, 400), int seen_by=0):
        cdef int i, place
        cdef BoardC* b = &self.c
        memset(b, 0, sizeof(BoardC))
        if len(stars) != 121 or len(land) != 121 or len(lit) != 121:
            raise ValueError("stars, land and lit have 121 squares each")
        require(mover, 0, 1, "mover")
        require(seen_by, 0, 2, "seen_by")
        b.mover, b.seen_by = mover, seen_by
        b.cleared, b.turn = require(cleared, 0, 10**9, "cleared"), require(turn, 1, 10**9, "turn")
        salvage, fog, land_to_win, claim_radius, turn_limit = rules
        b.salvage, b.fog = bool(salvage), require(fog, 0, 2, "fog")
        b.land_to_win = require(land_to_win, 60, 100, "land_to_win")
        b.claim_radius = require(claim_radius, 0, 1, "claim_radius")
        b.turn_limit = require(turn_limit, 1, 10000, "turn_limit")
        for i in range(121):
            place = place_of(i)
            set_star(&b.stars, place, require(stars[i], 1, 7, "star"))
            if land[i] > 2 or lit[i] > 3:
                raise ValueError("land is 0..2, lit 0..3")
            if land[i]:
                add(&b.land[land[i] - 1], place)
            if b.fog != FOG_OFF:
                if lit[i] & 1:
                    add(&b.lit[0], place)
                if lit[i] & 2:
                    add(&b.lit[1], place)
        for square, side, kind, power, rides, missiles in drones:
            place = place_of(require(square, 0, 120, "square"))
            kind = require(kind, SCOUT, TURRET, "kind")
            if has(&b.side[0], place) or has(&b.side[1], place) or star_at(&b.stars, place) > 5:
                raise ValueError(f"no drone can stand on square {square}")
            place_drone(b, place, require(side, 0, 1, "side"), kind,
                        require(power, 1, 3, "power") | require(rides, 0, 31, "rides") << 2,
                        require(missiles, 0, hold_of(kind), "missiles"))
        for i in range(2):
            b.stock[i] = require(stock[i], 0, 99 if overlap(commands(b), b.side[i]) else 0, "stock")
        for square, countdown in wrecks.items():
            place = place_of(require(square, 0, 120, "square"))
            if has(&b.side[0], place) or has(&b.side[1], place) or star_at(&b.stars, place) > 5:
                raise ValueError(f"no wreck can lie on square {square}")
            add(&b.wreck, place)
            b.body[cell(place)] = require(countdown, 1, WRECK_COUNTDOWN, "countdown")
        if not b.seen_by and not win_check(b, True, NULL):
            turn_limit_check(b, NULL)

    @staticmethod
    def setup(seed, int south=6, int north=6, rules=(False, 0, 69, 1, 400)):
        """The set-up from a 64-bit seed (rules 3) with so many asteroids a side; returns (board, stream)."""
        cdef Board board = Board(bytes([1] * 121), (), bytes(121), bytes(121), {}, rules=rules, seen_by=1)
        cdef uint64_t stream = seed
        require(south, 0, 20, "south")
        require(north, 0, 20, "north")
        clear_stars(&board.c.stars, everything())
        board.c.seen_by = 0
        with nogil:
            set_up(&board.c, south, north, &stream)
        return board, stream

    # -- reading

    @property
    def stars(self):
        return bytes([star_at(&self.c.stars, place_of(i)) for i in range(121)])

    @property
    def drones(self):
        """By square: (square, side, kind, power, ride colours, missiles loaded)."""
        cdef list found = []
        cdef int i, place
        for i in range(121):
            place = place_of(i)
            if has(&self.c.side[0], place) or has(&self.c.side[1], place):
                found.append((i, int(has(&self.c.side[1], place)), kind_at(&self.c, place), power_at(&self.c, place),
                              self.c.body[cell(place)] >> 2, loaded_at(&self.c, place)))
        return tuple(found)

    @property
    def land(self):
        return bytes([has(&self.c.land[0], place_of(i)) | has(&self.c.land[1], place_of(i)) << 1 for i in range(121)])

    @property
    def lit(self):
        return bytes([has(&self.c.lit[0], place_of(i)) | has(&self.c.lit[1], place_of(i)) << 1 for i in range(121)])

    @property
    def wrecks(self):
        return {i: int(self.c.body[cell(place_of(i))]) for i in range(121) if has(&self.c.wreck, place_of(i))}

    @property
    def mover(self):
        return self.c.mover

    @property
    def cleared(self):
        return self.c.cleared

    @property
    def turn(self):
        return self.c.turn

    @property
    def stock(self):
        return self.c.stock[0], self.c.stock[1]

    @property
    def rules(self):
        return (bool(self.c.salvage), self.c.fog, self.c.land_to_win, self.c.claim_radius, self.c.turn_limit)

    @property
    def seen_by(self):
        """0 for a position, 1 or 2 for South's or North's observation."""
        return self.c.seen_by

    @property
    def over(self):
        return self.c.result != 0

    @property
    def winner(self):
        """0 South, 1 North, None for a draw or while the game goes on."""
        return (self.c.result & 3) - 1 if self.c.result & 3 in (1, 2) else None

    @property
    def reason(self):
        """Why the game is over: land, siege, asteroid or turns; empty while it goes on."""
        return REASONS[self.c.result >> 2]

    @property
    def key(self):
        """64 bits that stand for all of this."""
        return key_of(&self.c)

    @property
    def situation(self):
        """64 bits that stand for all of this but the number of the turn."""
        return situation_of(&self.c)

    @property
    def land_owned(self):
        """How many squares South and North own."""
        return count(self.c.land[0]), count(self.c.land[1])

    def seen(self, int side):
        """121 bytes: 1 where the side sees (rules 9)."""
        cdef Lanes light = seen(&self.c, require(side, 0, 1, "side"))
        return bytes([has(&light, place_of(i)) for i in range(121)])

    def raw(self):
        """A copy of the struct, SIZE bytes."""
        return (<char*>&self.c)[:sizeof(BoardC)]

    # -- playing

    def legal(self):
        """The numbers of all legal steps, ascending (rules 5)."""
        cdef step_t[MAX_STEPS] steps
        cdef int i, n
        n = legal(&self.c, steps)
        return sorted([steps[i] for i in range(n)])

    def apply(self, step, stream):
        """Play a legal step; returns (the stream after it, the events as numbers). Raises ValueError for another one."""
        cdef step_t[MAX_STEPS] steps
        cdef step_t number = step
        cdef uint64_t state = stream
        cdef EventLog log
        cdef int i, n = legal(&self.c, steps)
        for i in range(n):
            if steps[i] == number:
                break
        else:
            raise ValueError(f"step {step} is not legal")
        cdef BoardC before = self.c
        memset(&log, 0, sizeof(log))
        with nogil:
            apply(&self.c, number, &state, &log)
        try:
            if log.failed:
                self.c = before
                raise MemoryError
            return state, [log.data[i] for i in range(log.size)]
        finally:
            free(log.data)

    def observe(self, int side):
        """What a side sees (rules 9), as a Board whose dark squares are 7."""
        cdef Board out = self.copy()
        observe(&self.c, require(side, 0, 1, "side"), &out.c)
        return out

    def copy(self):
        cdef Board out = Board.__new__(Board)
        out.c = self.c
        return out

    def faults(self):
        """What is wrong with the struct itself, if the core has a fault: a list of sentences, empty when all is well."""
        cdef BoardC* b = &self.c
        cdef Lanes spare = nothing(), drones = occupied(b), standing, kinds
        cdef list found = []
        cdef int i, place
        cdef const Lanes* sets = <const Lanes*>b
        for i in range(16):
            spare = either(spare, without(sets[i], everything()))
        if some(spare):
            found.append("spare bits are set")
        standing = stars_of(&b.stars)
        if not b.seen_by and not same(either(standing, asteroids_of(&b.stars)), everything()):
            found.append("a square has neither star nor asteroid")
        if overlap(b.side[0], b.side[1]) or overlap(b.land[0], b.land[1]):
            found.append("a square has two owners")
        if not inside(drones, standing) or not inside(b.wreck, without(standing, drones)):
            found.append("a drone or wreck stands where none can")
        kinds = either(either(b.kind[0], b.kind[1]), either(b.kind[2], b.kind[3]))
        if not same(kinds, drones) or not inside(either(b.loaded[0], b.loaded[1]), drones):
            found.append("kinds or missiles where no drone is")
        for i in range(121):
            place = place_of(i)
            if has(&drones, place):
                if not power_at(b, place) or kind_at(b, place) > TURRET or loaded_at(b, place) > hold_of(kind_at(b, place)):
                    found.append(f"the drone on square {i} is not possible")
            elif bool(b.body[cell(place)]) != has(&b.wreck, place):
                found.append(f"the countdown on square {i} is not possible")
        for i in range(3):
            if b.pad[i]:
                found.append("padding is not zero")
        for i in range(5):
            if b.tail[i]:
                found.append("the tail is not zero")
        for i in range(2):
            if b.stock[i] > (99 if overlap(commands(b), b.side[i]) else 0):
                found.append("a stock without its Command, or over 99")
        return found

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        return (Board, (self.stars, self.drones, self.land, self.lit, self.wrecks, self.mover, self.cleared, self.turn,
                        self.stock, self.rules, self.seen_by))

    def __eq__(self, other):
        if not isinstance(other, Board):
            return NotImplemented
        return memcmp(&self.c, &(<Board>other).c, sizeof(BoardC)) == 0

    def __hash__(self):
        return hash(self.key)


cdef int require(value, int low, int high, name) except -1:
    if not low <= value <= high:
        raise ValueError(f"{name} {value!r} is not in {low}..{high}")
    return value
