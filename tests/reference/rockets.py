"""The model of Rockets: every step played the slow, obvious way, with its events.

``Model`` is written from ``docs/rules/rockets.md`` and ``docs/events-rockets.md`` alone;
the sections named here are those of the rules. ``Model.facts`` counts what occurred, by
the names of ``FACTS``.
"""

from __future__ import annotations

from collections import Counter

from .rockets_facts import FACTS, WHEN
from .rockets_notation import (
    AFTER,
    AIM,
    ASTEROID,
    FLY,
    OVER,
    ROCK,
    ROCKET,
    SHIELD,
    SPACE,
    TILE,
    TRACE,
    WORMHOLE,
    Hex,
    hex_named,
    name,
)
from .rockets_position import ASTEROID_TOKENS, ROUND_LIMIT, SPACE_TILES, WORMHOLE_TILES, Position, is_one_group

__all__ = ["FACTS", "Model"]

# With at most this on the red die an attack is carried out point-blank, else it is traced.
POINT_BLANK = 2

# The kinds of tiles by their names in the events.
TILE_NAMES = {SPACE: "space", WORMHOLE: "wormhole", ASTEROID: "asteroid"}


class Model(Position):
    """A Rockets position that plays steps; ``facts`` is shared by its copies."""

    # ------------------------------------------------------------ start (rules 2)

    @classmethod
    def start(cls, seed: int, options: dict | None = None, facts: Counter | None = None) -> Model:
        """The start position of a seed: the stack is shuffled, the first tile drawn (rules 2)."""
        self = cls(options, facts)
        self.stream = seed
        self.stack = [SPACE] * SPACE_TILES
        if self.options["Wormholes"]:
            self.stack += [WORMHOLE] * WORMHOLE_TILES
        if self.options["AsteroidBelt"]:
            self.stack += [ASTEROID]
        self.shuffle(self.stack)
        self.order = list(self.all_pilots())
        self.hand = self.stack.pop()
        return self

    # ------------------------------------------------------------ playing (rules 2, 3, 5)

    def note(self, fact: str) -> None:
        """Count a fact; KeyError where it is none of FACTS."""
        if fact not in FACTS:
            raise KeyError(fact)
        self.facts[fact] += 1

    def event(self, kind: str, /, **fields: object) -> None:
        """Something happened; ``start`` stands for the field ``from`` (docs/events-rockets.md)."""
        if "start" in fields:
            fields["from"] = fields.pop("start")
        self.events.append({"type": kind, **fields})

    def apply(self, step: str) -> list[dict]:
        """Play a legal step in place, a listed one or another correct path; its events. ValueError for any other."""
        if step not in self.legal():
            if not self.is_legal(step):
                raise ValueError(f"illegal step {step!r}")
            self.note(f"{self.phase}: another correct path than the listed one")
        return self.apply_unchecked(step)

    def apply_unchecked(self, step: str) -> list[dict]:
        """Play a step that is known to be legal; its events (rules 2, 3, 5)."""
        if self.observation:
            raise ValueError("an observation plays no steps")
        self.events = []
        kind, _, text = step.partition(":")
        self.note(f"step {kind}")
        if kind in (FLY, TRACE):
            getattr(self, f"play_{kind}")(self.path_of(text))
        elif kind == "aim":
            self.play_aim(int(text))
        elif kind == "drift":
            token, _, place = text.partition(">")
            self.play_drift(hex_named(token), None if place == "-" else hex_named(place))
        elif kind == "stay":
            self.event("stay", pilot=self.order[0])
            self.end_turn()
        else:
            getattr(self, f"play_{kind}")(hex_named(text))
        return self.events

    def perft(self, depth: int) -> int:
        """The number of series of listed steps of this length (rules 7)."""
        if depth == 0:
            return 1
        if depth == 1:
            return len(self.legal())
        return sum(self.divide(depth).values())

    def divide(self, depth: int) -> dict[str, int]:
        """The summands of ``perft`` by step (rules 7)."""
        counts = {}
        for step in self.legal():
            after = self.copy()
            after.apply_unchecked(step)
            counts[step] = after.perft(depth - 1)
        return counts

    # ------------------------------------------------------------ laying the tiles (rules 2)

    def play_tile(self, place: Hex) -> None:
        """The tile in hand is laid; the asteroid tile is a space tile with a token (rules 2)."""
        kind = TILE_NAMES[self.hand]
        self.note(f"tile: {kind}")
        self.event("tile", pilot=self.order[0], tile=name(place), kind=kind)
        if self.hand != ASTEROID:
            self.tiles[place] = self.hand
            self.next_layer()
            return
        if not self.tiles:
            self.note("tile: asteroid first")
        if not self.stack:
            self.note("tile: asteroid last")
        self.tiles[place] = SPACE
        self.put_rock(place)

    def play_rock(self, place: Hex) -> None:
        """One of the other two tokens is placed (rules 2)."""
        self.put_rock(place)

    def put_rock(self, place: Hex) -> None:
        """[J5] A token; then the next one, unless it has no legal place and is left out for good (rules 2)."""
        self.event("token", pilot=self.order[0], tile=name(place))
        self.tokens.add(place)
        missing = ASTEROID_TOKENS - len(self.tokens)
        if missing and self.places_for_a_rock():
            self.phase, self.hand = ROCK, None
            return
        if missing:
            self.note(f"rocks left out: {missing}")
            self.event("left_out", tokens=missing)
        self.next_layer()

    def next_layer(self) -> None:
        """The next pilot draws a tile; or all tiles lie and the order of placing is shuffled (rules 2, 3)."""
        self.order.pop(0)
        if self.stack:
            self.order = self.order or list(self.all_pilots())
            self.phase, self.hand = TILE, self.stack.pop()
            self.event("drawn", pilot=self.order[0], kind=TILE_NAMES[self.hand])
        else:
            self.order = list(self.all_pilots())
            self.shuffle(self.order)
            self.phase, self.hand = ROCKET, None
            self.event("placing", order=list(self.order))

    # ------------------------------------------------------------ rockets and spare shields (rules 3)

    def play_rocket(self, place: Hex) -> None:
        """A pilot places its rocket (rules 3)."""
        if self.tiles[place] == WORMHOLE:
            self.note("rocket in the wormhole")
        self.event("rocket", pilot=self.order[0], tile=name(place))
        self.mover().place = place
        self.phase = SHIELD

    def next_in_order(self) -> int:
        """[J6] Whose spare shield is placed: that of the next one; the last one places the first one's (rules 3)."""
        if len(self.order) > 1:
            return self.order[1]
        (first,) = set(self.all_pilots()) - set(self.boarded)
        return first

    def play_shield(self, place: Hex) -> None:
        """A pilot places the spare shield of the next one; after the last one round 1 begins (rules 3)."""
        if self.tiles[place] == WORMHOLE:
            self.note("shield in the wormhole")
        owner = self.next_in_order()
        self.event("shield", pilot=self.order[0], owner=owner, tile=name(place))
        self.boarded[owner] = place
        self.order.pop(0)
        if self.order:
            self.phase = ROCKET
        else:
            self.start_round()

    # ------------------------------------------------------------ rounds and turns (rules 5)

    def start_round(self) -> None:
        """The pilots alive, ascending, are shuffled (rules 5)."""
        self.round += 1
        self.order = self.alive()
        self.shuffle(self.order)
        self.event("round", round=self.round, order=list(self.order))
        self.start_turn()

    def start_turn(self) -> None:
        """The white die is rolled (rules 5)."""
        pilot = self.order[0]
        self.phase, self.die, self.target, self.drifted = FLY, self.roll(), 0, False
        self.event("turn", round=self.round, pilot=pilot)
        self.event("die", pilot=pilot, die="white", value=self.die)

    def end_turn(self) -> None:
        """The pilot on turn has had its turn (rules 5)."""
        self.order.pop(0)
        self.next_turn()

    def next_turn(self) -> None:
        """[J13] The first of the order is on turn, or the next round begins, or the rounds are over (rules 5, 6)."""
        if self.order:
            self.start_turn()
            return
        self.note("round over")
        if self.round < ROUND_LIMIT:
            self.start_round()
            return
        most = max(self.rockets[pilot].shields for pilot in self.alive())
        winners = [pilot for pilot in self.alive() if self.rockets[pilot].shields == most]
        self.note("end rounds: one" if len(winners) == 1 else "end rounds: shared")
        self.game_over(winners, "rounds")

    def after_attack(self) -> bool:
        """[J7] The drift can still be had, else the turn ends; whether it can (rules 5)."""
        if self.may_drift():
            self.phase, self.die, self.target = AFTER, 0, 0
            return True
        self.end_turn()
        return False

    # ------------------------------------------------------------ fly, aim (rules 5)

    def play_fly(self, path: list[Hex]) -> None:
        """The rocket flies and picks up shields (rules 5, fly)."""
        pilot, rocket = self.order[0], self.mover()
        self.note_flight(path)
        self.event(FLY, pilot=pilot, start=name(rocket.place), path=[name(space) for space in path])
        for space in path:
            rocket.place = space
            for owner in self.shields_on([space]):
                self.note("pick-up: own" if owner == pilot else "pick-up: of the dead")
                self.note("pick-up: landing" if space == path[-1] else "pick-up: passing")
                if self.tiles[space] == WORMHOLE:
                    self.note("pick-up: in the wormhole")
                del self.boarded[owner]
                rocket.shields += 1
                self.event("pickup", pilot=pilot, owner=owner, tile=name(space), shields=rocket.shields)
        if self.targets():
            self.phase, self.die = AIM, 0
            return
        self.note("attack left out")
        if self.tiles[rocket.place] == WORMHOLE:
            self.note("attack left out in the wormhole")
        if self.after_attack():
            self.note("end of the turn without an attack but with a drift to be had")

    def note_flight(self, path: list[Hex]) -> None:
        """Count what kind of flight it is (rules 5, fly)."""
        start = self.mover().place
        if not path:
            self.note("fly: cannot move")
            return
        if len(path) == self.die:
            self.note("fly: as far as the die")
        else:
            ahead = self.open_beside(path[-1], [start, *path])
            self.note("fly: stops early" if ahead else "fly: dead end")
        if self.tiles[start] == WORMHOLE:
            self.note("fly: out of the wormhole")
        if self.tiles[path[-1]] == WORMHOLE:
            self.note("fly: into the wormhole")
        if any(self.tiles[space] == WORMHOLE for space in path[:-1]):
            self.note("fly: through the wormhole")
        if any(self.on_space(space) for space in path[:-1]):
            self.note("fly: past a rocket")
        if self.on_space(path[-1]):
            self.note("fly: onto a rocket")
        if len(self.shields_on(path)) > 1:
            self.note("pick-up: several in one flight")

    def play_aim(self, target: int) -> None:
        """The red die is rolled; 1-2 is carried out at once (rules 5, aim)."""
        pilot = self.order[0]
        self.die = self.roll()
        self.target = target
        self.event(AIM, pilot=pilot, target=target)
        self.event("die", pilot=pilot, die="red", value=self.die)
        if self.die > POINT_BLANK:
            self.phase = TRACE
        else:
            self.point_blank()

    # ------------------------------------------------------------ attacks (rules 5)

    def play_trace(self, path: list[Hex]) -> None:
        """Every rocket on the spaces traced is hit once (rules 5, red die 3-6)."""
        attacker = self.order[0]
        hit = self.hit_by(path)
        self.note_trace(path, hit)
        start, burst = name(self.mover().place), bool(path) and path[-1] in self.tokens
        self.event(TRACE, pilot=attacker, start=start, path=[name(space) for space in path], burst=burst)
        destroyed = [pilot for pilot in hit if self.rockets[pilot].shields == 0]
        for pilot in hit:
            self.count_hit(attacker, pilot, pilot in destroyed)
            if pilot in destroyed:
                self.destroy(pilot, attacker)
            else:
                self.give_shield(pilot, attacker)
        if destroyed:
            self.note("trace: destroys one" if len(destroyed) == 1 else "trace: destroys several")
        self.end_attack(attacker, destroyed)

    def note_trace(self, path: list[Hex], hit: list[int]) -> None:
        """Count what kind of trace it is (rules 5, red die 3-6)."""
        self.note(f"trace: {len(hit)} hits" if len(hit) <= 2 else "trace: 3 or more hits")
        self.note("trace: target hit" if self.target in hit else "trace: target not hit")
        if not path:
            self.note("trace: of no spaces")
            return
        if path[-1] in self.tokens:
            self.note("trace: bursts on a token")
        if self.tiles[self.mover().place] == WORMHOLE:
            self.note("trace: out of the wormhole")
        if any(self.tiles[space] == WORMHOLE for space in path[:-1]):
            self.note("trace: through the wormhole")
        if any(self.tiles[self.rockets[pilot].place] == WORMHOLE for pilot in hit):
            self.note("trace: hit in the wormhole")

    def point_blank(self) -> None:
        """[J11] Attacker and the target's space are hit at the same time, if it is near (rules 5, red die 1-2)."""
        attacker, target = self.order[0], self.target
        start, space = self.rockets[attacker].place, self.rockets[target].place
        distance = self.distance(start, space)
        reached = distance is not None and distance <= self.die
        self.event("point_blank", pilot=attacker, target=target, distance=distance, reached=reached)
        if not reached:
            self.note(f"point-blank at {self.die}: out of reach")
            self.after_attack()
            return
        self.note(f"point-blank at {self.die}: in reach")
        self.note_wormhole_reach(start, space)
        there = self.on_space(space)
        hit = [*there, attacker]
        destroyed = [pilot for pilot in hit if self.rockets[pilot].shields == 0]
        self.note_point_blank(there, destroyed)
        for pilot in there:
            self.count_hit(attacker, pilot, pilot in destroyed)
        self.count_hit(target, attacker, attacker in destroyed)
        for pilot in hit:
            other = target if pilot == attacker else attacker
            if pilot in destroyed:
                self.destroy(pilot, other)
            elif other not in destroyed:
                self.give_shield(pilot, other)
        self.end_attack(attacker, destroyed)

    def note_point_blank(self, there: list[int], destroyed: list[int]) -> None:
        """Count how a point-blank attack comes out (rules 5, red die 1-2)."""
        attacker = self.order[0]
        fate = {pilot: "destroyed" if pilot in destroyed else "survives" for pilot in [attacker, *there]}
        self.note(f"point-blank: attacker {fate[attacker]}, target {fate[self.target]}")
        for pilot in there:
            if pilot == self.target:
                continue
            survives = "keeps its shields" if attacker in destroyed else "gives a shield"
            self.note(f"point-blank: another there {'destroyed' if pilot in destroyed else survives}")

    def note_wormhole_reach(self, start: Hex, space: Hex) -> None:
        """Count an attack whose way, start and end apart, leads through the wormhole only (rules 4)."""
        if WORMHOLE in (self.tiles[start], self.tiles[space]):
            return
        blocked = self.copy()
        blocked.tokens |= set(blocked.wormholes())
        distance = blocked.distance(start, space)
        if distance is None or distance > self.die:
            self.note("point-blank: in reach by the wormhole only")

    def count_hit(self, attacker: int, pilot: int, destroyed: bool) -> None:
        """A hit counts for the awards (rules 5, 6)."""
        self.event("hit", by=attacker, pilot=pilot, tile=name(self.rockets[pilot].place))
        rocket = self.rockets[attacker]
        rocket.hits += 1
        rocket.victims.add(pilot)
        if destroyed:
            rocket.kills += 1

    def give_shield(self, pilot: int, to: int) -> None:
        """A rocket gives one held shield to another (rules 5, a hit)."""
        giver, taker = self.rockets[pilot], self.rockets[to]
        giver.shields -= 1
        taker.shields += 1
        self.event("gives", pilot=pilot, to=to, shields=giver.shields, held=taker.shields)

    def destroy(self, pilot: int, by: int) -> None:
        """A rocket is collected by another and leaves the order at once (rules 5)."""
        rocket = self.rockets[pilot]
        if self.order[:1] == [pilot]:
            self.note("destroyed in its own turn")
        else:
            self.note("destroyed before its turn" if pilot in self.order else "destroyed after its turn")
        self.event("destroyed", pilot=pilot, by=by, tile=name(rocket.place))
        rocket.destroyed, rocket.place = True, None
        if pilot in self.order:
            self.order.remove(pilot)

    def end_attack(self, attacker: int, destroyed: list[int]) -> None:
        """The game is over, or the turn goes on or ends (rules 5, 6)."""
        alive = self.alive()
        if not alive:
            self.note("end together: 2" if len(destroyed) == 2 else "end together: 3 or more")
            self.game_over(destroyed, "together")
        elif len(alive) == 1:
            whose = {attacker: "the attacker", self.target: "the target"}.get(alive[0], "another")
            self.note(f"end last: {whose}")
            self.game_over(alive, "last")
        elif attacker in destroyed:
            self.next_turn()
        else:
            self.after_attack()

    # ------------------------------------------------------------ drift (rules 5)

    def play_drift(self, token: Hex, place: Hex | None) -> None:
        """A token drifts, or a jammed belt loses one (rules 5, drift)."""
        self.note(f"{'removal' if place is None else 'drift'} {WHEN[self.phase]}")
        was_one_group = is_one_group(self.tokens)
        if place is None:
            self.event("removed", pilot=self.order[0], tile=name(token))
        else:
            self.event("drift", pilot=self.order[0], start=name(token), to=name(place))
        self.tokens.remove(token)
        if place is None:
            if token in self.boarded.values():
                self.note("removal off a boarded shield")
            if not self.tokens:
                self.note("removal of the last token")
            elif was_one_group and not is_one_group(self.tokens):
                self.note("removal splits the belt")
        else:
            if not self.tokens:
                self.note("drift of a single token")
            if token in self.boarded.values():
                self.note("drift off a boarded shield")
            if place in self.boarded.values():
                self.note("drift onto a boarded shield")
            if not was_one_group:
                self.note("drift joins a split belt")
            self.tokens.add(place)
        if self.phase == AFTER:
            self.end_turn()
        else:
            self.drifted = True

    # ------------------------------------------------------------ the end (rules 6)

    def game_over(self, winners: list[int], how: str) -> None:
        """The game is over; nothing is drawn any more (rules 6)."""
        self.phase, self.winners, self.how = OVER, sorted(winners), how
        self.order, self.die, self.target, self.drifted = [], 0, 0, False
        awards = self.awards()
        result = self.result()[0].removeprefix("result ")
        self.event("win", winners=list(self.winners), how=how, result=result, awards=awards)
        for award, pilots in awards.items():
            whose = {0: "nobody", 1: "one"}.get(len(pilots), "tie")
            self.note(f"award {award}: {whose}")
