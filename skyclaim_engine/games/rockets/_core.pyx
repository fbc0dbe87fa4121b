# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True, embedsignature=True, freethreading_compatible=True
"""Rockets' core: the rules of the game over a plain struct (`BoardC` in `_core.pxd`), and one class around it.

The numbers of sections ("rules 5") are those of `docs/rules/rockets.md`. Everything above `Board` is C: it needs no
interpreter lock, cannot fail, and takes its input to be checked. `Board` is the thin face that Python sees; texts,
checks and messages are the affair of the other modules here.

Tiles lie on *cells*, numbers 0..624 in the order of the texts of their spaces: column by column in the order of the
texts of q, in each in the order of the texts of r with what may follow them. The board keeps its tiles by ascending
cell and names them by their *index* in this list, so that an order of indices is an order of texts. The indices of
the tiles change while tiles are laid; the only thing that refers to them then is the set of tokens and of wormhole
tiles.

Reading order: cells, laying, placing, dice and turns, drifts, flying, the attack, legal steps, playing a step.
"""

cimport cython

from libc.stdlib cimport free
from libc.string cimport memcmp, memset

from skyclaim_engine.game cimport emit


cdef extern from "games/rockets/_paths.h" nogil:
    int flights(const uint64_t* near, uint64_t open, int start, const uint8_t* marks, int count, int die, bint up_to,
                uint64_t* out) noexcept
    int traces(const uint64_t* near, uint64_t open, int start, const uint8_t* marks, int count, int die,
               uint64_t* out) noexcept
    int path_length(uint64_t path) noexcept
    int path_space(uint64_t path, int i) noexcept

cdef extern from * nogil:
    int lowest "__builtin_ctzll"(unsigned long long set) noexcept
    int count "__builtin_popcountll"(unsigned long long set) noexcept


# -------------------------------------------------------------------------------------------------- cells

cdef int Q_OF[25]         # q by a cell's column, r by its row: the order of texts
cdef int R_OF[25]
cdef uint16_t CELL[25][25]    # by q + 12, r + 12
cdef uint16_t BESIDE[625][6]  # the six neighbours, E NE NW W SW SE (rules 1), or OFF_BOARD


cdef void draw_cells() noexcept:
    cdef int i, j, q, r, way
    cdef int* dq = [1, 1, 0, -1, -1, 0]
    cdef int* dr = [0, -1, -1, 0, 1, 1]
    # in a path the text of a space goes on with a semicolon or ends; where it ends, the other path is as long, so that
    # the order of ends never decides
    columns = sorted(range(-REACH, REACH + 1), key=lambda number: f"{number},")
    rows = sorted(range(-REACH, REACH + 1), key=lambda number: f"{number};")
    for i in range(SPAN):
        Q_OF[i], R_OF[i] = columns[i], rows[i]
    for i in range(SPAN):
        for j in range(SPAN):
            CELL[Q_OF[i] + REACH][R_OF[j] + REACH] = SPAN * i + j
    for i in range(CELLS):
        for way in range(6):
            q, r = Q_OF[i // SPAN] + dq[way], R_OF[i % SPAN] + dr[way]
            BESIDE[i][way] = (CELL[q + REACH][r + REACH] if -REACH <= q <= REACH and -REACH <= r <= REACH
                              else OFF_BOARD)


draw_cells()


cdef inline int find(const BoardC* b, int cell) noexcept nogil:
    """The index of the tile on a cell, or -1."""
    cdef int low = 0, n = b.tiles, half
    while n > 0:
        half = n >> 1
        if b.cell[low + half] < cell:
            low += half + 1
            n -= half + 1
        else:
            n = half
    return low if low < b.tiles and b.cell[low] == cell else -1

cdef inline int written(const BoardC* b) noexcept nogil:
    """The wormhole tile at which the wormhole space is written, the one with the lowest (r, q); -1 where none lies."""
    cdef uint64_t left = b.worms
    cdef int i, best = -1
    while left:
        i = lowest(left)
        left &= left - 1
        if best < 0 or reading_order(b.cell[i]) < reading_order(b.cell[best]):
            best = i
    return best

cdef inline int reading_order(int cell) noexcept nogil:
    """A number that orders cells by (r, q)."""
    return SPAN * R_OF[cell % SPAN] + Q_OF[cell // SPAN]


# -------------------------------------------------------------------------------------------------- events
# What a step did, for whoever asks (`log` is NULL in search). Written as numbers, cells for spaces and 1-based pilots;
# events.py reads them.

cdef enum EventType:
    EV_TILE = 1       # pilot, cell, TileKind
    EV_TOKEN          # pilot, cell
    EV_ROCKET         # pilot, cell
    EV_SHIELD         # pilot, owner, cell
    EV_FLY            # pilot, from, path...
    EV_AIM            # pilot, target
    EV_TRACE          # pilot, from, burst, path...
    EV_DRIFT          # pilot, from, to
    EV_REMOVED        # pilot, cell
    EV_STAY           # pilot
    EV_LEFT_OUT       # tokens
    EV_DRAWN          # pilot, TileKind
    EV_PLACING        # order...
    EV_PICKUP         # pilot, owner, cell, shields
    EV_DIE            # pilot, red, value
    EV_POINT_BLANK    # pilot, target, distance (or -1), reached
    EV_HIT            # by, pilot, cell
    EV_GIVES          # pilot, to, shields, held
    EV_DESTROYED      # pilot, by, cell
    EV_ROUND          # round, order...
    EV_TURN           # round, pilot
    EV_WIN            # winners, how, damage, kills, peace, pain: sets of pilots


cdef void tell(EventLog* log, int type, int n, int a=0, int b=0, int c=0, int d=0) noexcept nogil:
    if log == NULL:
        return
    emit(log, type)
    emit(log, n)
    if n > 0: emit(log, a)
    if n > 1: emit(log, b)
    if n > 2: emit(log, c)
    if n > 3: emit(log, d)

cdef void tell_order(const BoardC* b, EventLog* log, int type) noexcept nogil:
    """EV_PLACING or EV_ROUND."""
    cdef int i
    if log == NULL:
        return
    emit(log, type)
    emit(log, b.waiting + (type == EV_ROUND))
    if type == EV_ROUND: emit(log, b.round)
    for i in range(b.waiting):
        emit(log, b.order[i] + 1)

cdef void tell_path(const BoardC* b, EventLog* log, int type, step_t step, bint burst) noexcept nogil:
    """EV_FLY or EV_TRACE."""
    cdef int i, n = 0
    if log == NULL:
        return
    while n < 6 and step_cell(step, n) != OFF_BOARD:
        n += 1
    emit(log, type)
    emit(log, n + 2 + (type == EV_TRACE))
    emit(log, b.order[0] + 1)
    emit(log, b.cell[b.at[b.order[0]]])
    if type == EV_TRACE: emit(log, burst)
    for i in range(n):
        emit(log, step_cell(step, i))


# -------------------------------------------------------------------------------------------------- laying (rules 2)

cdef inline uint64_t make_room(uint64_t set, int i) noexcept nogil:
    """A set of indices after a tile came in at i."""
    cdef uint64_t below = bit(i) - 1
    return (set & below) | (set & ~below) << 1

cdef void lay(BoardC* b, int cell, int kind) noexcept nogil:
    cdef int i = b.tiles
    while i > 0 and b.cell[i - 1] > cell:
        b.cell[i] = b.cell[i - 1]
        i -= 1
    b.cell[i] = cell
    b.tiles += 1
    b.worms, b.rocks = make_room(b.worms, i), make_room(b.rocks, i)
    if kind == WORMHOLE:
        b.worms |= bit(i)
    elif kind == ASTEROID:
        b.rocks |= bit(i)

cdef int places(const BoardC* b, uint16_t* out) noexcept nogil:
    """The cells where a tile may be laid: empty, touching 1 to 3 tiles."""
    cdef uint8_t[626] touching
    cdef uint16_t[216] met
    cdef int i, way, cell, n = 0, found = 0
    if b.tiles == 0:
        out[0] = CELL[REACH][REACH]
        return 1
    memset(touching, 0, sizeof(touching))
    for i in range(b.tiles):
        for way in range(6):
            cell = BESIDE[b.cell[i]][way]
            if touching[cell] == 0:
                met[n] = cell
                n += 1
            touching[cell] += 1
    for i in range(b.tiles):
        touching[b.cell[i]] = 255
    touching[OFF_BOARD] = 255
    for i in range(n):
        if touching[met[i]] <= 3:
            out[found] = met[i]
            found += 1
    return found

cdef uint64_t token_places(const BoardC* b) noexcept nogil:
    """The tiles where the next token of the asteroid tile may go."""
    cdef uint64_t left = b.rocks, found = 0
    cdef int way, i, j
    while left:
        i = lowest(left)
        left &= left - 1
        for way in range(6):
            j = find(b, BESIDE[b.cell[i]][way])
            if j >= 0:
                found |= bit(j)
    return found & ~b.rocks & ~b.worms

cdef void join_spaces(BoardC* b) noexcept nogil:
    """Once all tiles lie: what the spaces are and which touch each other (rules 4)."""
    cdef int i, j, way, worm = written(b)
    cdef uint64_t all_tiles = bit(b.tiles) - 1, touching
    b.spaces = all_tiles & ~b.worms
    if worm >= 0:
        b.spaces |= bit(worm)
    memset(b.near, 0, sizeof(b.near))
    for i in range(b.tiles):
        touching = 0
        for way in range(6):
            j = find(b, BESIDE[b.cell[i]][way])
            if j >= 0:
                touching |= bit(j)
        if b.worms & bit(i):
            b.near[worm] |= touching & ~b.worms
        else:
            b.near[i] = touching & b.spaces
            if touching & b.worms:
                b.near[i] |= bit(worm)

cdef void shuffle_order(BoardC* b, int pilots, uint64_t* stream) noexcept nogil:
    """The order anew: the pilots of a set, ascending, shuffled (rules 1)."""
    cdef int i, j
    memset(b.order, 0, sizeof(b.order))
    b.waiting = 0
    for i in range(b.pilots):
        if pilots >> i & 1:
            b.order[b.waiting] = i
            b.waiting += 1
    for i in range(b.waiting - 1, 0, -1):
        j = stream_draw(stream, i + 1)
        b.order[i], b.order[j] = b.order[j], b.order[i]

cdef void shuffle_stack(BoardC* b, uint64_t* stream) noexcept nogil:
    cdef int i, j
    for i in range(b.left - 1, 0, -1):
        j = stream_draw(stream, i + 1)
        b.stack[i], b.stack[j] = b.stack[j], b.stack[i]

cdef void next_in_order(BoardC* b) noexcept nogil:
    """The first of the order has moved."""
    cdef int i
    b.waiting -= 1
    for i in range(b.waiting):
        b.order[i] = b.order[i + 1]
    b.order[b.waiting] = 0

cdef void all_in_turn(BoardC* b) noexcept nogil:
    """The order 1, 2, … in which tiles are laid."""
    cdef int i
    for i in range(b.pilots):
        b.order[i] = i
    b.waiting = b.pilots

cdef void draw_tile(BoardC* b) noexcept nogil:
    b.left -= 1
    b.hand = b.stack[b.left]
    b.stack[b.left] = 0
    b.phase = LAY

cdef void next_tile(BoardC* b, uint64_t* stream, EventLog* log) noexcept nogil:
    """A pilot has laid a tile and placed what goes with it."""
    next_in_order(b)
    if b.waiting == 0:
        all_in_turn(b)
    if b.left:
        draw_tile(b)
        tell(log, EV_DRAWN, 2, b.order[0] + 1, b.hand)
        return
    b.phase = PLACE
    join_spaces(b)
    shuffle_order(b, (1 << b.pilots) - 1, stream)
    tell_order(b, log, EV_PLACING)

cdef void next_token(BoardC* b, uint64_t* stream, EventLog* log) noexcept nogil:
    """After a token was placed: the next one, or none where there is no more of them or no place for it (J5)."""
    cdef int more = MOST_TOKENS - count(b.rocks)
    if more > 0 and token_places(b):
        b.phase = ROCK
        return
    if more > 0:
        tell(log, EV_LEFT_OUT, 1, more)
    next_tile(b, stream, log)

cdef void set_up(BoardC* b, uint64_t* stream) noexcept nogil:
    """The start from a seed: all but the options is zero before."""
    cdef int i
    for i in range(32):
        b.stack[i] = SPACE
    b.left = 32
    for i in range(3 if b.with_worms else 0):
        b.stack[b.left] = WORMHOLE
        b.left += 1
    if b.with_rocks:
        b.stack[b.left] = ASTEROID
        b.left += 1
    shuffle_stack(b, stream)
    for i in range(MOST_PILOTS):
        b.at[i] = b.boarded[i] = NOWHERE
        if i < b.pilots:
            b.held[i] = b.shields
    b.alive = (1 << b.pilots) - 1
    all_in_turn(b)
    draw_tile(b)


# -------------------------------------------------------------------------------------------------- turns (rules 5, 6)

cdef inline int roll(int* face, uint64_t* stream) noexcept nogil:
    """A die (J3). The stream moves on also where `face` (0..5, else -1) says what comes up, and that is used once."""
    cdef int value = 1 + stream_draw(stream, 6)
    if face[0] >= 0:
        value = 1 + face[0]
    face[0] = -1
    return value

cdef void begin_turn(BoardC* b, int* face, uint64_t* stream, EventLog* log) noexcept nogil:
    b.phase = FLY
    b.drifted = b.target = 0
    b.die = roll(face, stream)
    tell(log, EV_TURN, 2, b.round, b.order[0] + 1)
    tell(log, EV_DIE, 3, b.order[0] + 1, 0, b.die)

cdef void begin_round(BoardC* b, int* face, uint64_t* stream, EventLog* log) noexcept nogil:
    b.round += 1
    shuffle_order(b, b.alive, stream)
    tell_order(b, log, EV_ROUND)
    begin_turn(b, face, stream, log)

cdef void awards(const BoardC* b, uint8_t* out) noexcept nogil:
    """Damage, kills, peace, pain (rules 6): the pilots that get each, as sets."""
    cdef int kind, i, value, best
    for kind in range(4):
        out[kind] = 0
        best = 1 << 20 if kind == 2 else 1  # nobody with 0, but for peace
        for i in range(b.pilots):
            value = b.hits[i] if kind in (0, 2) else b.kills[i] if kind == 1 else count(b.victims[i])
            if value == best:
                out[kind] |= 1 << i
            elif (value < best) if kind == 2 else (value > best):
                best = value
                out[kind] = 1 << i

cdef void end_game(BoardC* b, int winners, int how, EventLog* log) noexcept nogil:
    cdef uint8_t[4] given
    cdef int i
    b.phase = OVER
    b.winners, b.how = winners, how
    b.drifted = b.target = b.die = b.waiting = 0
    memset(b.order, 0, sizeof(b.order))
    if log != NULL:
        awards(b, given)
        emit(log, EV_WIN)
        emit(log, 6)
        emit(log, winners)
        emit(log, how)
        for i in range(4):
            emit(log, given[i])

cdef int richest(const BoardC* b) noexcept nogil:
    """The pilots alive who hold the most shields."""
    cdef int i, best = -1, found = 0
    for i in range(b.pilots):
        if b.alive >> i & 1:
            if b.held[i] > best:
                best, found = b.held[i], 0
            if b.held[i] == best:
                found |= 1 << i
    return found

cdef void end_turn(BoardC* b, int* face, uint64_t* stream, EventLog* log) noexcept nogil:
    next_in_order(b)
    if b.waiting:
        begin_turn(b, face, stream, log)
    elif b.round >= LAST_ROUND:
        end_game(b, richest(b), ROUNDS, log)
    else:
        begin_round(b, face, stream, log)

cdef inline bint may_drift(const BoardC* b) noexcept nogil:
    return b.rocks != 0 and not b.drifted

cdef void after_attack(BoardC* b, int* face, uint64_t* stream, EventLog* log) noexcept nogil:
    """The attack is over or left out: the drift is left, where there is one (J7)."""
    b.target = b.die = 0
    if may_drift(b):
        b.phase = AFTER
    else:
        end_turn(b, face, stream, log)


# -------------------------------------------------------------------------------------------------- drifts (rules 5)

cdef inline uint64_t under_rockets(const BoardC* b) noexcept nogil:
    """The spaces with a rocket."""
    cdef uint64_t found = 0
    cdef int i
    for i in range(b.pilots):
        if b.alive >> i & 1:
            found |= bit(b.at[i])
    return found & b.spaces

cdef uint64_t drifts_of(const BoardC* b, int token, uint64_t free_tiles) noexcept nogil:
    """Where a token may drift: all tokens must form one group then (J12)."""
    cdef uint64_t others = b.rocks ^ bit(token)
    cdef int one, other
    if not others:
        return b.near[token] & free_tiles
    one = lowest(others)
    others &= others - 1
    if not others:
        return b.near[one] & free_tiles
    other = lowest(others)
    if b.near[one] & bit(other):
        return (b.near[one] | b.near[other]) & free_tiles
    return b.near[one] & b.near[other] & free_tiles

cdef int list_drifts(const BoardC* b, step_t* out) noexcept nogil:
    """All drifts; where the belt is jammed all removals."""
    cdef uint64_t left = b.rocks, to, free_tiles = b.spaces & ~b.worms & ~b.rocks & ~under_rockets(b)
    cdef int token, n = 0
    while left:
        token = lowest(left)
        left &= left - 1
        to = drifts_of(b, token, free_tiles)
        while to:
            out[n] = step_of(DRIFT, b.cell[token]) | <step_t>(b.cell[lowest(to)] + 1) << 40
            to &= to - 1
            n += 1
    if n:
        return n
    left = b.rocks
    while left:
        out[n] = step_of(DRIFT, b.cell[lowest(left)])
        left &= left - 1
        n += 1
    return n


# -------------------------------------------------------------------------------------------------- flying (rules 5)

cdef inline bint picks_up(const BoardC* b, int pilot, int owner) noexcept nogil:
    """Whether the pilot takes the owner's boarded shield when it enters its space (J8)."""
    return b.boarded[owner] != NOWHERE and (owner == pilot or not b.alive >> owner & 1)

cdef int list_flights(const BoardC* b, uint64_t* out) noexcept nogil:
    """The distinct flights of the pilot on turn, as paths of `_paths.h`; at most 35 * 32."""
    cdef uint8_t[6] marks
    cdef uint64_t marked = 0
    cdef int i, pilot = b.order[0], n = 0
    for i in range(b.pilots):
        if picks_up(b, pilot, i):
            marked |= bit(b.boarded[i])
    marked &= open_spaces(b) & ~bit(b.at[pilot])
    while marked:
        marks[n] = lowest(marked)
        marked &= marked - 1
        n += 1
    return flights(b.near, open_spaces(b), b.at[pilot], marks, n, b.die, b.up_to, out)

cdef bint has_target(const BoardC* b) noexcept nogil:
    return targets_of(b, b.order[0]) != 0

cdef int targets_of(const BoardC* b, int pilot) noexcept nogil:
    """The living rivals not on the pilot's own space, as a set."""
    cdef int i, found = 0
    for i in range(b.pilots):
        if b.alive >> i & 1 and b.at[i] != b.at[pilot]:
            found |= 1 << i
    return found

cdef void fly(BoardC* b, step_t step, int* face, uint64_t* stream, EventLog* log) noexcept nogil:
    cdef int i, owner, space, pilot = b.order[0]
    tell_path(b, log, EV_FLY, step, False)
    for i in range(6):
        if step_cell(step, i) == OFF_BOARD:
            break
        space = find(b, step_cell(step, i))
        b.at[pilot] = space
        for owner in range(b.pilots):
            if b.boarded[owner] == space and picks_up(b, pilot, owner):
                b.boarded[owner] = NOWHERE
                b.held[pilot] += 1
                tell(log, EV_PICKUP, 4, pilot + 1, owner + 1, b.cell[space], b.held[pilot])
    b.die = 0
    if has_target(b):
        b.phase = AIM
    else:
        after_attack(b, face, stream, log)


# -------------------------------------------------------------------------------------------------- attack (rules 5)

cdef int list_traces(const BoardC* b, int pilot, int die, uint64_t* out) noexcept nogil:
    """The distinct traces of a pilot, as paths of `_paths.h`; at most 32."""
    cdef uint8_t[6] marks
    cdef uint64_t marked = under_rockets(b) & ~bit(b.at[pilot])
    cdef int n = 0
    while marked:
        marks[n] = lowest(marked)
        marked &= marked - 1
        n += 1
    return traces(b.near, open_spaces(b), b.at[pilot], marks, n, die, out)

cdef int distances(const BoardC* b, int start, uint8_t* out) noexcept nogil:
    """For each space the fewest moves from the start (rules 4), NOWHERE where there is no way; returns the most."""
    cdef uint64_t free_spaces = open_spaces(b), edge = bit(start), seen = edge, left, next_edge
    cdef int i, moves = 0
    memset(out, NOWHERE, MOST_TILES)
    out[start] = 0
    while True:
        next_edge = 0
        left = edge
        while left:
            next_edge |= b.near[lowest(left)]
            left &= left - 1
        edge = next_edge & free_spaces & ~seen
        if not edge:
            return moves
        moves += 1
        seen |= edge
        left = edge
        while left:
            i = lowest(left)
            left &= left - 1
            out[i] = moves

cdef void count_hit(BoardC* b, int by, int pilot, EventLog* log) noexcept nogil:
    b.hits[by] += 1
    b.victims[by] |= 1 << pilot
    tell(log, EV_HIT, 3, by + 1, pilot + 1, b.cell[b.at[pilot]])

cdef void give(BoardC* b, int pilot, int to, EventLog* log) noexcept nogil:
    b.held[pilot] -= 1
    b.held[to] += 1
    tell(log, EV_GIVES, 4, pilot + 1, to + 1, b.held[pilot], b.held[to])

cdef void destroy(BoardC* b, int pilot, int by, EventLog* log) noexcept nogil:
    """A rocket is out. It leaves the order at once, but the one on turn only with its turn."""
    cdef int i, j
    tell(log, EV_DESTROYED, 3, pilot + 1, by + 1, b.cell[b.at[pilot]])
    b.kills[by] += 1
    b.alive &= ~(1 << pilot)
    b.at[pilot] = NOWHERE
    for i in range(1, b.waiting):
        if b.order[i] == pilot:
            b.waiting -= 1
            for j in range(i, b.waiting):
                b.order[j] = b.order[j + 1]
            b.order[b.waiting] = 0
            return

cdef bint decided(BoardC* b, int fallen, EventLog* log) noexcept nogil:
    """Ends the game if at most one rocket is left (rules 6); `fallen` are those destroyed together just now."""
    if b.alive & (b.alive - 1):
        return False
    if b.alive:
        end_game(b, b.alive, LAST, log)
    else:
        end_game(b, fallen, TOGETHER, log)
    return True

cdef void trace(BoardC* b, step_t step, int* face, uint64_t* stream, EventLog* log) noexcept nogil:
    cdef int i, j, space, by = b.order[0], n = 0
    while n < 6 and step_cell(step, n) != OFF_BOARD:
        n += 1
    tell_path(b, log, EV_TRACE, step, n > 0 and b.rocks >> find(b, step_cell(step, n - 1)) & 1)
    for i in range(n):
        space = find(b, step_cell(step, i))
        for j in range(b.pilots):
            if b.alive >> j & 1 and b.at[j] == space:
                count_hit(b, by, j, log)
                if b.held[j]:
                    give(b, j, by, log)
                else:
                    destroy(b, j, by, log)
    if not decided(b, 0, log):
        after_attack(b, face, stream, log)

cdef void point_blank(BoardC* b, int target, int reach, int* face, uint64_t* stream, EventLog* log) noexcept nogil:
    """The attack hits the target's space and the target hits the attacker, at the same time (J11)."""
    cdef uint8_t[36] far
    cdef int i, distance, hit = 0, doomed = 0, by = b.order[0]
    distances(b, b.at[by], far)
    distance = far[b.at[target]]
    tell(log, EV_POINT_BLANK, 4, by + 1, target + 1, -1 if distance == NOWHERE else distance, distance <= reach)
    if distance > reach:
        after_attack(b, face, stream, log)
        return
    for i in range(b.pilots):
        if b.alive >> i & 1 and b.at[i] == b.at[target]:
            hit |= 1 << i
            if not b.held[i]:
                doomed |= 1 << i
            count_hit(b, by, i, log)
    count_hit(b, target, by, log)
    if not b.held[by]:
        doomed |= 1 << by
    for i in range(b.pilots):
        if hit & doomed & 1 << i:
            destroy(b, i, by, log)
        elif hit & ~doomed & 1 << i and not doomed >> by & 1:
            give(b, i, by, log)
    if doomed >> by & 1:
        destroy(b, by, target, log)
    elif not doomed >> target & 1:
        give(b, by, target, log)
    if decided(b, doomed, log):
        return
    if doomed >> by & 1:
        b.die = b.target = 0
        end_turn(b, face, stream, log)  # drifts no more
    else:
        after_attack(b, face, stream, log)

cdef void aim(BoardC* b, int target, int* face, uint64_t* stream, EventLog* log) noexcept nogil:
    cdef int value
    tell(log, EV_AIM, 2, b.order[0] + 1, target + 1)
    value = roll(face, stream)
    tell(log, EV_DIE, 3, b.order[0] + 1, 1, value)
    if value <= 2:
        point_blank(b, target, value, face, stream, log)
    else:
        b.phase, b.die, b.target = TRACE, value, target


# -------------------------------------------------------------------------------------------------- legal steps

cdef inline step_t step_of_path(const BoardC* b, int kind, uint64_t path) noexcept nogil:
    cdef step_t step = <step_t>kind << 60
    cdef int i
    for i in range(path_length(path)):
        step |= <step_t>(b.cell[path_space(path, i)] + 1) << (50 - 10 * i)
    return step

cdef int list_set(const BoardC* b, int kind, uint64_t set, step_t* out) noexcept nogil:
    """A step of this kind for each space of a set."""
    cdef int n = 0
    while set:
        out[n] = step_of(kind, b.cell[lowest(set)])
        set &= set - 1
        n += 1
    return n

cdef int legal(const BoardC* b, step_t* out) noexcept nogil:
    """The listed legal steps, at most MAX_STEPS; returns how many, 0 when the game is over."""
    cdef uint64_t[1120] paths
    cdef uint16_t[216] cells
    cdef int i, targets, n = 0
    if b.phase == LAY:
        n = places(b, cells)
        for i in range(n):
            out[i] = step_of(TILE, cells[i])
    elif b.phase == ROCK:
        n = list_set(b, TOKEN, token_places(b), out)
    elif b.phase == PLACE or b.phase == BOARD:
        n = list_set(b, ROCKET if b.phase == PLACE else SHIELD, open_spaces(b), out)
    elif b.phase == FLY or b.phase == TRACE:
        n = list_flights(b, paths) if b.phase == FLY else list_traces(b, b.order[0], b.die, paths)
        for i in range(n):
            out[i] = step_of_path(b, FLIGHT if b.phase == FLY else SHOT, paths[i])
    elif b.phase == AIM:
        targets = targets_of(b, b.order[0])
        for i in range(b.pilots):
            if targets >> i & 1:
                out[n] = step_of(TARGET, i)
                n += 1
    elif b.phase == AFTER:
        out[n] = <step_t>STAY << 60
        n += 1
    if b.phase in (FLY, AIM, AFTER) and may_drift(b):
        n += list_drifts(b, out + n)
    return n


#: why a step is refused
cdef enum Refusal:
    FINE = 0
    NOT_NOW         # another kind of step is due
    NOT_LEGAL       # the kind is right, the place is not
    NO_TILE         # these with the number of the space in the path, shifted by 8
    NO_TOUCH
    TWICE
    BLOCKED
    TOO_LONG
    TOO_SHORT
    BURST           # a shot goes on behind a token

cdef int path_refusal(const BoardC* b, step_t step) noexcept nogil:
    """Whether a flight or trace is correct, listed or not."""
    cdef bint flight = step_kind(step) == FLIGHT, burst = False
    cdef int i, cell, space, here = b.at[b.order[0]], n = 0
    cdef uint64_t visited = bit(here)
    for i in range(6):
        cell = step_cell(step, i)
        if cell == OFF_BOARD:
            break
        space = find(b, cell)
        if space < 0 or not b.spaces >> space & 1:
            return NO_TILE | i << 8
        if burst:
            return BURST | i << 8
        if visited >> space & 1:
            return TWICE | i << 8
        if not b.near[here] >> space & 1:
            return NO_TOUCH | i << 8
        if b.rocks >> space & 1:
            if flight:
                return BLOCKED | i << 8
            burst = True
        visited |= bit(space)
        here = space
        n += 1
    if n > b.die:
        return TOO_LONG | b.die << 8
    if flight and n < b.die and not (b.up_to and n > 0) and b.near[here] & open_spaces(b) & ~visited:
        return TOO_SHORT
    return FINE

cdef int refusal(const BoardC* b, step_t step) noexcept nogil:
    """Why a step cannot be played, FINE if it can. Any correct path is accepted, the others must be listed (J9)."""
    cdef step_t[MAX_STEPS] steps
    cdef int i, n, kind = step_kind(step)
    cdef bint due = False
    if kind == FLIGHT or kind == SHOT:
        if b.phase != (FLY if kind == FLIGHT else TRACE):
            return NOT_NOW
        return path_refusal(b, step)
    n = legal(b, steps)
    for i in range(n):
        if steps[i] == step:
            return FINE
        due = due or step_kind(steps[i]) == kind
    return NOT_LEGAL if due else NOT_NOW

cdef step_t canonical(const BoardC* b, step_t step) noexcept nogil:
    """A flight or trace with every wormhole tile renamed to the one that names the space (rules 4)."""
    cdef int i, space, cell
    cdef step_t out = <step_t>step_kind(step) << 60
    if not b.spaces or step_kind(step) not in (FLIGHT, SHOT):
        return step
    for i in range(6):
        cell = step_cell(step, i)
        if cell == OFF_BOARD:
            break
        space = find(b, cell)
        if space >= 0 and b.worms >> space & 1:
            cell = b.cell[written(b)]
        out |= <step_t>(cell + 1) << (50 - 10 * i)
    return out


# -------------------------------------------------------------------------------------------------- playing a step

cdef bint apply(BoardC* b, step_t step, int face, uint64_t* stream, EventLog* log) noexcept nogil:
    """Play a legal step; `face` 0..5 fixes the first die that it rolls, -1 leaves it to the stream.

    Returns whether a die was rolled.
    """
    cdef int kind = step_kind(step), cell = step_cell(step, 0), space, owner, tile
    cdef int before = face if face >= 0 else -2  # `roll` makes it -1
    cdef int pilot = b.order[0]
    face = before
    if kind == TILE:
        tile = b.hand
        b.hand = 0
        lay(b, cell, tile)
        tell(log, EV_TILE, 3, pilot + 1, cell, tile)
        if tile == ASTEROID:
            tell(log, EV_TOKEN, 2, pilot + 1, cell)
            next_token(b, stream, log)
        else:
            next_tile(b, stream, log)
    elif kind == TOKEN:
        b.rocks |= bit(find(b, cell))
        tell(log, EV_TOKEN, 2, pilot + 1, cell)
        next_token(b, stream, log)
    elif kind == ROCKET:
        b.at[pilot] = find(b, cell)
        b.phase = BOARD
        tell(log, EV_ROCKET, 2, pilot + 1, cell)
    elif kind == SHIELD:
        owner = next_owner(b)
        b.boarded[owner] = find(b, cell)
        b.phase = PLACE
        tell(log, EV_SHIELD, 3, pilot + 1, owner + 1, cell)
        next_in_order(b)
        if b.waiting == 0:
            begin_round(b, &face, stream, log)
    elif kind == FLIGHT:
        fly(b, step, &face, stream, log)
    elif kind == TARGET:
        aim(b, step_seat(step), &face, stream, log)
    elif kind == SHOT:
        trace(b, step, &face, stream, log)
    elif kind == DRIFT:
        space = find(b, cell)
        b.rocks ^= bit(space)
        b.drifted = 1
        if step_cell(step, 1) == OFF_BOARD:
            tell(log, EV_REMOVED, 2, pilot + 1, cell)
        else:
            b.rocks |= bit(find(b, step_cell(step, 1)))
            tell(log, EV_DRIFT, 3, pilot + 1, cell, step_cell(step, 1))
        if b.phase == AFTER:
            end_turn(b, &face, stream, log)
    else:
        tell(log, EV_STAY, 1, pilot + 1)
        end_turn(b, &face, stream, log)
    return face != before

cdef int next_owner(const BoardC* b) noexcept nogil:
    """Whose spare shield the pilot on turn places: the next one's, the last pilot the first one's (J6).

    When the last one is to place, the first one's is the only shield that is not boarded.
    """
    cdef int i
    if b.waiting > 1:
        return b.order[1]
    for i in range(b.pilots):
        if b.boarded[i] == NOWHERE:
            return i
    return 0

cdef int turn_of(const BoardC* b) noexcept nogil:
    """A number for each turn: one for each tile, one for all rockets and shields, then one for each round."""
    if b.phase == LAY:
        return b.tiles + 1
    return b.tiles if b.phase == ROCK else b.tiles + 1 + b.round


# -------------------------------------------------------------------------------------------------- observations, keys

cdef void observe(const BoardC* b, BoardC* out) noexcept nogil:
    """All is public but the order of the stack."""
    cdef int i, j, tile
    if out != b:
        out[0] = b[0]
    out.hidden = 1
    for i in range(1, out.left):
        tile, j = out.stack[i], i
        while j > 0 and out.stack[j - 1] > tile:
            out.stack[j] = out.stack[j - 1]
            j -= 1
        out.stack[j] = tile

cdef void imagine(const BoardC* observation, uint64_t* stream, BoardC* out) noexcept nogil:
    """One possible order of the stack."""
    out[0] = observation[0]
    out.hidden = 0
    shuffle_stack(out, stream)

cdef uint64_t key_of(const BoardC* b) noexcept nogil:
    """64 bits that every field of the position takes part in."""
    return mix_words(b, sizeof(BoardC))


# ---------------------------------------------------------------------------------------------------- Python's face

PHASES = ("tile", "rock", "rocket", "shield", "fly", "aim", "trace", "after", "over")
STEP_KINDS = ("", "tile", "rock", "rocket", "shield", "fly", "aim", "trace", "drift", "stay")
TILE_LETTERS = ".owa"
ENDINGS = ("", "last", "together", "rounds")
MAX_LEGAL_STEPS = MAX_STEPS
ROUND_LIMIT = LAST_ROUND
SHIELD_LIMIT = MOST_SHIELDS
HIT_LIMIT = MOST_HITS
COORDINATE_LIMIT = REACH
SIZE = sizeof(BoardC)
#: (q, r) by cell, and a cell's text
PLACES = tuple((Q_OF[cell // SPAN], R_OF[cell % SPAN]) for cell in range(CELLS))
NAMES = tuple(f"{q},{r}" for q, r in PLACES)
#: what `Board.refusal` answers
REFUSALS = ("", "now", "legal", "tile", "touch", "twice", "blocked", "long", "short", "burst")


cdef int require(value, int low, int high, name) except -1:
    """`value` as an int in low..high; raises ValueError naming it."""
    if not low <= value <= high:
        raise ValueError(f"{name} {value} is not in {low}..{high}")
    return value


cdef int space_at(const BoardC* b, cell) except -1:
    """The index of the space at a cell; raises ValueError."""
    cdef int i = find(b, cell)
    if i < 0 or not b.spaces >> i & 1:
        raise ValueError(f"there is no space at {cell}")
    return i

cdef int pilots_of(const BoardC* b, seats) except -1:
    """A set of seats as bits; raises ValueError."""
    cdef int found = 0
    for seat in seats:
        found |= 1 << (require(seat, 1, b.pilots, "pilot") - 1)
    return found


@cython.final
cdef class Board:
    """A Rockets position without its stream.

    Spaces are cells (the indices of NAMES), pilots seats 1..n, sets of pilots tuples of seats, ascending. The
    constructor takes what the reading properties give:

    * ``rules``: (pilots, shields, wormholes, asteroids, up_to)
    * ``phase``: one of PHASES
    * ``tiles``: {cell: kind}, kinds 1 a space, 2 a wormhole tile, 3 a space with a token
    * ``stack``: the tiles still to draw, bottom first, as bytes of 1 space, 2 wormhole, 3 asteroid
    * ``rockets``: for each pilot (cell, shields held), the cell None before it is placed; None for a destroyed one
    * ``boarded``: {pilot: cell}
    * ``order``: the pilots still to move, the first is on turn
    * ``stats``: for each pilot (hits, kills, the rivals hit)
    * ``hand`` (tile), ``die`` (fly, trace), ``target`` (trace), ``drifted``, ``winners`` and ``how`` (over)
    * ``hidden``: whether it is an observation

    Raises ValueError for what does not fit the struct. It does not judge whether a position makes sense.
    """

    def __init__(self, rules, phase, tiles, stack, rockets, boarded, order, int round=0, stats=None, int hand=0,
                 int die=0, int target=0, bint drifted=False, winners=(), how="", bint hidden=False):
        cdef BoardC* b = &self.c
        cdef int i
        memset(b, 0, sizeof(BoardC))
        pilots, shields, worms, rocks, up_to = rules
        b.pilots, b.shields = require(pilots, 2, MOST_PILOTS, "pilots"), require(shields, 1, 5, "shields")
        b.with_worms, b.with_rocks, b.up_to = bool(worms), bool(rocks), bool(up_to)
        b.phase = PHASES.index(phase)
        require(len(tiles), 0, MOST_TILES, "number of tiles")
        for cell, kind in tiles.items():
            lay(b, require(cell, 0, CELLS - 1, "cell"), require(kind, SPACE, ASTEROID, "tile"))
        b.left = require(len(stack), 0, MOST_TILES, "number of tiles in the stack")
        for i in range(b.left):
            b.stack[i] = require(stack[i], SPACE, ASTEROID, "tile in the stack")
        if b.phase > ROCK:
            join_spaces(b)
        for i in range(MOST_PILOTS):
            b.at[i] = b.boarded[i] = NOWHERE
        if len(rockets) != b.pilots or stats is not None and len(stats) != b.pilots:
            raise ValueError("rockets and stats are as many as pilots")
        for i in range(b.pilots):
            if rockets[i] is None:
                continue
            b.alive |= 1 << i
            cell, b.held[i] = rockets[i][0], require(rockets[i][1], 0, MOST_SHIELDS, "shields held")
            if cell is not None:
                b.at[i] = space_at(&self.c, cell)
        for pilot, cell in boarded.items():
            b.boarded[require(pilot, 1, b.pilots, "pilot") - 1] = space_at(&self.c, cell)
        b.waiting = require(len(order), 0, b.pilots, "pilots in the order")
        for i in range(b.waiting):
            b.order[i] = require(order[i], 1, b.pilots, "pilot") - 1
        if len(set(order)) != b.waiting or (b.waiting == 0) != (b.phase == OVER):
            raise ValueError("the order has each pilot once, and none only when the game is over")
        b.round = require(round, 0, LAST_ROUND, "round")
        for i in range(b.pilots if stats is not None else 0):
            b.hits[i] = require(stats[i][0], 0, MOST_HITS, "hits")
            b.kills[i] = require(stats[i][1], 0, b.pilots - 1, "kills")
            b.victims[i] = pilots_of(&self.c, stats[i][2]) & ~(1 << i)
        b.hand = require(hand, SPACE, ASTEROID, "hand") if b.phase == LAY else 0
        if b.phase == FLY or b.phase == TRACE:
            b.die = require(die, 1 if b.phase == FLY else 3, 6, "die")
        if b.phase == TRACE:
            b.target = require(target, 1, b.pilots, "target") - 1
        b.drifted = drifted and b.phase in (FLY, AIM, TRACE)
        if b.phase == OVER:
            b.winners, b.how = pilots_of(&self.c, winners), ENDINGS.index(how)
        b.hidden = hidden
        if FLY <= b.phase < OVER:
            for i in range(b.pilots):
                if b.alive >> i & 1 and (b.at[i] == NOWHERE or b.rocks >> b.at[i] & 1):
                    raise ValueError("every rocket that is left is on the board, on a space without a token")
            if not b.alive & (b.alive - 1) or not b.alive >> b.order[0] & 1:
                raise ValueError("at least two rockets are left, that of the pilot on turn among them")
        if b.hidden:
            observe(b, b)

    @staticmethod
    def setup(seed, rules=(2, 1, False, False, False)):
        """The set-up from a 64-bit seed (rules 2); returns (board, stream)."""
        cdef Board board = Board.__new__(Board)
        cdef uint64_t stream = seed
        pilots, shields, worms, rocks, up_to = rules
        memset(&board.c, 0, sizeof(BoardC))
        board.c.pilots, board.c.shields = require(pilots, 2, MOST_PILOTS, "pilots"), require(shields, 1, 5, "shields")
        board.c.with_worms, board.c.with_rocks, board.c.up_to = bool(worms), bool(rocks), bool(up_to)
        set_up(&board.c, &stream)
        return board, stream

    # -- reading

    @property
    def rules(self):
        return (self.c.pilots, self.c.shields, bool(self.c.with_worms), bool(self.c.with_rocks), bool(self.c.up_to))

    @property
    def phase(self):
        return PHASES[self.c.phase]

    @property
    def tiles(self):
        cdef BoardC* b = &self.c
        cdef int i
        return {b.cell[i]: WORMHOLE if b.worms >> i & 1 else ASTEROID if b.rocks >> i & 1 else SPACE
                for i in range(b.tiles)}

    @property
    def stack(self):
        return bytes([self.c.stack[i] for i in range(self.c.left)])

    @property
    def rockets(self):
        cdef BoardC* b = &self.c
        cdef int i
        return tuple([(None if b.at[i] == NOWHERE else b.cell[b.at[i]], b.held[i]) if b.alive >> i & 1 else None
                      for i in range(b.pilots)])

    @property
    def boarded(self):
        cdef BoardC* b = &self.c
        cdef int i
        return {i + 1: b.cell[b.boarded[i]] for i in range(b.pilots) if b.boarded[i] != NOWHERE}

    @property
    def order(self):
        return tuple([self.c.order[i] + 1 for i in range(self.c.waiting)])

    @property
    def round(self):
        return self.c.round

    @property
    def turn(self):
        """A number for each turn, from 1."""
        return turn_of(&self.c)

    @property
    def stats(self):
        cdef int i
        return tuple([(self.c.hits[i], self.c.kills[i], seats_of(self.c.victims[i])) for i in range(self.c.pilots)])

    @property
    def hand(self):
        return self.c.hand

    @property
    def die(self):
        return self.c.die

    @property
    def target(self):
        """The seat aimed at, 0 outside a trace."""
        return self.c.target + 1 if self.c.phase == TRACE else 0

    @property
    def drifted(self):
        return bool(self.c.drifted)

    @property
    def winners(self):
        return seats_of(self.c.winners)

    @property
    def how(self):
        return ENDINGS[self.c.how]

    @property
    def hidden(self):
        return bool(self.c.hidden)

    @property
    def over(self):
        return self.c.phase == OVER

    @property
    def mover(self):
        """The seat on turn, 0 when the game is over."""
        return mover(&self.c)

    @property
    def owner(self):
        """The seat whose spare shield is placed now, 0 at other times."""
        return next_owner(&self.c) + 1 if self.c.phase == BOARD else 0

    @property
    def awards(self):
        """Who gets damage, kills, peace and pain, if it ended now."""
        cdef uint8_t[4] given
        awards(&self.c, given)
        return tuple([seats_of(given[i]) for i in range(4)])

    @property
    def key(self):
        """64 bits that stand for all of this."""
        return key_of(&self.c)

    def written(self, int cell):
        """The cell that names the space of a tile: its own, but for wormhole tiles; None where no tile lies."""
        cdef int i = find(&self.c, cell)
        if i < 0:
            return None
        return self.c.cell[written(&self.c)] if self.c.worms >> i & 1 else cell

    def touching(self, int cell):
        """The cells of the spaces that touch a space; none while tiles are laid."""
        cdef int i, at = find(&self.c, cell)
        if at < 0:
            return ()
        return tuple([self.c.cell[i] for i in range(self.c.tiles) if self.c.near[at] >> i & 1])

    def distance(self, int start, int end):
        """The fewest moves between two spaces over spaces without a token; None where there is no way."""
        cdef uint8_t[36] far
        distances(&self.c, space_at(&self.c, start), far)
        moves = far[space_at(&self.c, end)]
        return None if moves == NOWHERE else moves

    def raw(self):
        """A copy of the struct, SIZE bytes."""
        return (<char*>&self.c)[:sizeof(BoardC)]

    # -- playing

    def legal(self):
        """The numbers of the listed legal steps, ascending."""
        cdef step_t[MAX_STEPS] steps
        cdef int i, n
        n = legal(&self.c, steps)
        return sorted([steps[i] for i in range(n)])

    def canonical(self, step):
        """The number of a step with wormhole tiles named as they are written."""
        return canonical(&self.c, step)

    def refusal(self, step):
        """(why, where): why one of REFUSALS, empty for a step that can be played; where the place in its path, or what
        the die allows."""
        cdef int code = refusal(&self.c, step)
        return REFUSALS[code & 255], code >> 8

    def apply(self, step, stream):
        """Play a step that can be played; returns (the stream after it, the events as numbers).

        Raises ValueError for another one.
        """
        cdef step_t number = step
        cdef uint64_t state = stream
        cdef EventLog log
        cdef int i
        if refusal(&self.c, number):
            raise ValueError(f"step {step} is not legal")
        cdef BoardC before = self.c
        memset(&log, 0, sizeof(log))
        with nogil:
            apply(&self.c, number, -1, &state, &log)
        try:
            if log.failed:
                self.c = before
                raise MemoryError
            return state, [log.data[i] for i in range(log.size)]
        finally:
            free(log.data)

    def observe(self):
        """What every seat sees: the stack without its order."""
        cdef Board out = self.copy()
        observe(&self.c, &out.c)
        return out

    def copy(self):
        cdef Board out = Board.__new__(Board)
        out.c = self.c
        return out

    def faults(self):
        """What is wrong with the struct itself, if the core has a fault: sentences, none when all is well."""
        cdef BoardC* b = &self.c
        cdef BoardC fresh = b[0]
        cdef list found = []
        cdef uint64_t all_tiles = bit(b.tiles) - 1
        cdef int i
        if b.tail[0]:
            found.append("the tail is not zero")
        for i in range(MOST_TILES):
            if i + 1 < b.tiles and b.cell[i] >= b.cell[i + 1] or i >= b.tiles and b.cell[i]:
                found.append("the cells are not in order")
            if bool(b.stack[i]) != (i < b.left):
                found.append("the stack has holes")
        if (b.worms | b.rocks) & ~all_tiles or b.worms & b.rocks or count(b.rocks) > MOST_TOKENS:
            found.append("wormholes or tokens where none can be")
        if b.phase > ROCK:
            join_spaces(&fresh)
        if memcmp(&fresh, b, sizeof(BoardC)) or b.phase <= ROCK and b.spaces:
            found.append("the spaces are not those of the tiles")
        for i in range(MOST_PILOTS):
            if b.at[i] != NOWHERE and not (open_spaces(b) >> b.at[i] & 1 and b.alive >> i & 1):
                found.append("a rocket is where none can be")
            if b.boarded[i] != NOWHERE and not b.spaces >> b.boarded[i] & 1:
                found.append("a shield is where none can be")
            if i >= b.waiting and b.order[i] or i < b.waiting and not b.alive >> b.order[i] & 1:
                found.append("the order has a pilot who is out")
            if b.held[i] and not b.alive >> i & 1 or i >= b.pilots and (b.hits[i] or b.kills[i] or b.victims[i]):
                found.append("a pilot who is out holds something")
        if (b.phase == OVER) != (b.waiting == 0) or (b.phase == OVER) != (b.winners != 0):
            found.append("it is not clear whether the game is over")
        return found

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        return (Board, (self.rules, self.phase, self.tiles, self.stack, self.rockets, self.boarded, self.order,
                        self.round, self.stats, self.hand, self.die, self.target, self.drifted, self.winners, self.how,
                        self.hidden))

    def __eq__(self, other):
        if not isinstance(other, Board):
            return NotImplemented
        return memcmp(&self.c, &(<Board>other).c, sizeof(BoardC)) == 0

    def __hash__(self):
        return hash(self.key)


cdef tuple seats_of(int pilots):
    """A set of pilots as seats, ascending."""
    return tuple([i + 1 for i in range(MOST_PILOTS) if pilots >> i & 1])
