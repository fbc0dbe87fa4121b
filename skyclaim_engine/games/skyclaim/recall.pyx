# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True, embedsignature=True, freethreading_compatible=True
"""What a side goes on supposing about the dark (rules 9): a supposed position is made to agree with what is seen now.

What is seen is taken as it is. What is dark stays as it was supposed, but for the other side's drones: one that is seen
was one of the supposed ones all along, and one that should be seen and is not stands near by in the dark.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from skyclaim_engine._board cimport (
    COMMAND, FOG_OFF, TURRET, BoardC, Lanes, asteroids_of, both, cell, commands, count, dark_of, drop, either,
    everything, first_place, has, kind_at, loaded_at, matched_of, nothing, occupied, only, overlap, place_drone, set_star,
    set_up, some, stream_draw, take_first, without,
)
from skyclaim_engine.games.skyclaim.evaluate cimport distance

cdef enum:
    ASTEROIDS = 6   # of a side at the start (ruling J6)
    ATTEMPTS = 200  # at dark stars that match nothing
    # as how many stars that are not as supposed these count
    ODD_LAND = 3
    ODD_PLACE = 3   # a drone that stands elsewhere
    ODD_DRONE = 8   # a drone of a kind that was not supposed to be there

#: the share of the supposed positions that must have a dark square for the other side's land
cdef double AGREED = 0.7


cdef bint begin(const BoardC* seen, uint64_t* stream, BoardC* out) noexcept nogil:
    """A start with the rules of an observation and the usual asteroids; False without fog, where nothing is hidden."""
    if seen.fog == FOG_OFF:
        return False
    memset(out, 0, sizeof(BoardC))
    out.fog, out.salvage, out.claim_radius = seen.fog, seen.salvage, seen.claim_radius
    out.land_to_win, out.turn_limit = seen.land_to_win, seen.turn_limit
    set_up(out, ASTEROIDS, ASTEROIDS, stream)
    return True

cdef double recall(const BoardC* seen, int side, uint64_t* stream, BoardC* truth) noexcept nogil:
    """Makes ``truth`` agree with what ``side`` sees; returns how much of it was otherwise, counted in stars."""
    cdef BoardC old = truth[0]
    cdef Lanes dark = dark_of(&seen.stars), light = without(everything(), dark), wreck
    cdef int foe = 1 - side, i, place
    cdef double odd = count(other_stars(&old, seen, light))
    truth[0] = seen[0]
    truth.seen_by = 0
    for i in range(3):
        truth.stars.p[i] = either(both(seen.stars.p[i], light), both(old.stars.p[i], dark))
    for i in range(2):
        odd += ODD_LAND * count(differ(seen.land[i], both(old.land[i], light)))
    give_land(truth, foe, dark, old.land[foe])
    truth.lit[foe] = either(old.lit[foe], truth.land[foe])
    odd += recall_drones(seen, &old, foe, dark, stream, truth)
    if overlap(commands(truth), both(truth.side[foe], dark)):
        truth.stock[foe] = old.stock[foe]
    wreck = without(both(old.wreck, dark), either(occupied(truth), asteroids_of(&truth.stars)))
    truth.wreck = either(truth.wreck, wreck)
    while some(wreck):
        place = take_first(&wreck)
        truth.body[cell(place)] = old.body[cell(place)]
    quieten(truth, dark, stream)
    return odd

cdef void settle(const BoardC* seen, int side, BoardC* truths, int n) noexcept nogil:
    """What most of the positions hold for the other side's land in the dark is that in all of them, and no other.

    In each alone some squares in the dark are open by mistake, mostly others than in the next: on average a scout would
    always be near one.
    """
    cdef Lanes dark = dark_of(&seen.stars), left = dark, land = nothing()
    cdef int foe = 1 - side, i, place, held
    while some(left):
        place = take_first(&left)
        held = 0
        for i in range(n):
            held += has(&truths[i].land[foe], place)
        if held >= AGREED * n:
            land = either(land, only(place))
    for i in range(n):
        give_land(&truths[i], foe, dark, land)
        truths[i].lit[foe] = either(truths[i].lit[foe], land)

cdef Lanes differ(Lanes one, Lanes two) noexcept nogil:
    """What is in one of the sets only."""
    return without(either(one, two), both(one, two))

cdef Lanes other_stars(const BoardC* one, const BoardC* two, Lanes among) noexcept nogil:
    """Where two boards have not the same star or asteroid."""
    cdef Lanes found = nothing()
    cdef int i
    for i in range(3):
        found = either(found, differ(one.stars.p[i], two.stars.p[i]))
    return both(found, among)

cdef void give_land(BoardC* b, int foe, Lanes dark, Lanes land) noexcept nogil:
    """Of the dark squares the other side owns those in ``land``, but not so many that it would have won."""
    cdef Lanes given = both(land, dark)
    b.land[foe] = either(without(b.land[foe], dark), given)
    while count(b.land[foe]) >= b.land_to_win and some(given):
        drop(&b.land[foe], take_first(&given))

cdef double recall_drones(
    const BoardC* seen, const BoardC* old, int foe, Lanes dark, uint64_t* stream, BoardC* truth
) noexcept nogil:
    """Puts the other side's drones that are not seen where they may be; returns how odd that is."""
    cdef Lanes hidden = old.side[foe], left = seen.side[foe], same = both(left, hidden)
    cdef Lanes command = both(commands(old), hidden)
    cdef int place, home
    cdef double odd = 0
    while some(same):
        place = take_first(&same)
        if kind_at(seen, place) == kind_at(old, place):
            drop(&left, place)
            drop(&hidden, place)
    while some(left):  # supposed to be elsewhere, or not at all
        place = take_first(&left)
        home = nearest(of_kind(old, hidden, kind_at(seen, place)), place, stream)
        odd += ODD_DRONE if home < 0 else ODD_PLACE
        if home >= 0:
            drop(&hidden, home)
    hidden = without(hidden, command)
    if not overlap(commands(seen), seen.side[foe]):  # while the game goes on it is somewhere, and it comes first
        home = first_place(command) if some(command) else 90 if foe else 80  # f11, f1
        odd += hide(truth, old, home, foe, COMMAND, dark, stream)
    while some(hidden):
        place = take_first(&hidden)
        odd += hide(truth, old, place, foe, kind_at(old, place), dark, stream)
    return odd

cdef double hide(
    BoardC* b, const BoardC* old, int place, int foe, int kind, Lanes dark, uint64_t* stream
) noexcept nogil:
    """Puts a supposed drone on its place or, if that cannot be, as near as it can; returns how odd that is."""
    cdef Lanes free = without(dark, either(occupied(b), asteroids_of(&b.stars)))
    cdef int home = place
    if not has(&free, place):
        home = -1 if kind == TURRET else nearest(free, place, stream)
    if home >= 0:
        if kind_at(old, place) == kind:
            place_drone(b, home, foe, kind, old.body[cell(place)], loaded_at(old, place))
        else:
            place_drone(b, home, foe, kind, 1, 0)
    return 0 if home == place else ODD_PLACE

cdef int nearest(Lanes places, int place, uint64_t* stream) noexcept nogil:
    """One of the nearest of the places, -1 where there is none."""
    cdef int best = -1, least = 0, alike = 0, candidate, far
    while some(places):
        candidate = take_first(&places)
        far = distance(candidate, place)
        if best < 0 or far < least:
            best, least, alike = candidate, far, 1
        elif far == least:
            alike += 1
            if not stream_draw(stream, alike):
                best = candidate
    return best

cdef Lanes of_kind(const BoardC* b, Lanes among, int kind) noexcept nogil:
    """The drones of that kind."""
    cdef int i
    for i in range(4):
        among = both(among, b.kind[i]) if kind >> i & 1 else without(among, b.kind[i])
    return among

cdef void quieten(BoardC* b, Lanes dark, uint64_t* stream) noexcept nogil:
    """At rest nothing matches: dark stars that do get other colours."""
    cdef Lanes wrong = both(matched_of(&b.stars), dark)
    cdef int attempt
    for attempt in range(ATTEMPTS):
        if not some(wrong):
            return
        set_star(&b.stars, take_first(&wrong), 1 + stream_draw(stream, 5))
        wrong = both(matched_of(&b.stars), dark)
