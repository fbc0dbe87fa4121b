"""A Rockets position: its text, what is seen of it, its spaces, its legal steps and its result.

``rockets.py`` adds what a step does. The sections named here are those of
``docs/rules/rockets.md``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Self

from .rockets_notation import (
    AFTER,
    AIM,
    ASTEROID,
    FLY,
    OPTION_DEFAULTS,
    OVER,
    ROCK,
    ROCKET,
    SHIELD,
    SPACE,
    TILE,
    TRACE,
    WORMHOLE,
    Hex,
    Rocket,
    around,
    check_options,
    digits,
    digits_or_dash,
    format_counts,
    format_options,
    format_path,
    format_rocket,
    format_stats,
    hex_named,
    in_rows,
    name,
    parse_list,
    parse_options,
    parse_path,
    parse_rocket,
    parse_stack,
    parse_stats,
    row_order,
)
from .skyclaim_notation import format_stream, next_in_stream, parse_stream

# ---------------------------------------------------------------- rulings

SPACE_TILES = 32
WORMHOLE_TILES = 3
ASTEROID_TOKENS = 3
# A new tile touches at least one tile and at most this many.
MOST_TOUCHED = 3
# [J3] Both dice have the sides 1..6.
DIE = 6
# [J4] q and r stay each within -12..12.
FARTHEST = 12
# [J13] The game ends after this many rounds.
ROUND_LIMIT = 200


class Position:
    """One position with its options; ``observation`` where the order of the stack is unknown."""

    def __init__(self, options: dict | None = None, facts: Counter | None = None):
        self.options = {**OPTION_DEFAULTS, **(options or {})}
        check_options(self.options)
        self.observation = False
        self.phase = TILE
        self.hand: str | None = None  # the tile in hand, in phase TILE
        self.die = 0  # the white die in phase FLY, the red one in phase TRACE
        self.target = 0  # in phase TRACE
        self.drifted = False  # whether the turn's drift is used
        self.winners: list[int] = []  # in phase OVER
        self.how = ""
        self.tiles: dict[Hex, str] = {}
        self.tokens: set[Hex] = set()
        self.stack: list[str] = []
        self.rockets = {pilot: Rocket(self.options["Shields"]) for pilot in self.all_pilots()}
        self.boarded: dict[int, Hex] = {}
        self.round = 0
        self.order: list[int] = []
        self.stream: int | None = None
        self.facts = Counter() if facts is None else facts
        self.events: list[dict] = []

    # ------------------------------------------------------------ text (rules 7)

    @classmethod
    def parse(
        cls, line: str, options: dict | None = None, observation: bool = False, facts: Counter | None = None
    ) -> Self:
        """The position or observation of a line; ValueError where it is no such line (rules 7).

        The line says its own options; ``options`` is there as for the other games and has no effect.
        """
        own, phase, tiles, rockets, boarded, order, stats, stream = line.split(" ")
        self = cls(parse_options(own), facts)
        self.parse_phase(phase)
        tiles, _, stack = tiles.partition("+")
        self.stack, self.observation = parse_stack(stack)
        if self.observation != observation:
            raise ValueError(f"the stack {stack!r} {'is listed' if observation else 'is only counted'}")
        for text in parse_list(tiles):
            place = hex_named(text.rstrip(WORMHOLE + ASTEROID))
            self.tiles[place] = WORMHOLE if text.endswith(WORMHOLE) else SPACE
            if text.endswith(ASTEROID):
                self.tokens.add(place)
        for pilot, text, numbers in zip(self.rockets, rockets.split(";"), stats.split(";"), strict=True):
            rocket = parse_rocket(text)
            parse_stats(numbers, rocket)
            if rocket.place is not None:
                rocket.place = self.space(rocket.place)
            self.rockets[pilot] = rocket
        for text in parse_list(boarded):
            pilot, _, place = text.partition("@")
            self.boarded[int(pilot)] = self.space(hex_named(place))
        number, _, pilots = order.partition(":")
        self.round, self.order = int(number), [int(digit) for digit in pilots]
        self.stream = parse_stream(stream)
        return self

    def parse_phase(self, text: str) -> None:
        """The PHASE field (rules 7)."""
        self.drifted = text.endswith("*")
        self.phase, *rest = text.removesuffix("*").split(":")
        if self.phase == TILE:
            (self.hand,) = rest
        elif self.phase == FLY:
            self.die = int(*rest)
        elif self.phase == TRACE:
            self.die, self.target = (int(number) for number in rest)
        elif self.phase == OVER:
            winners, self.how = rest
            self.winners = [int(digit) for digit in winners]
        elif rest or self.phase not in (ROCK, ROCKET, SHIELD, AIM, AFTER):
            raise ValueError(f"no phase {text!r}")

    def format_phase(self) -> str:
        """The PHASE field (rules 7)."""
        details = {
            TILE: f":{self.hand}",
            FLY: f":{self.die}",
            TRACE: f":{self.die}:{self.target}",
            OVER: f":{digits(self.winners)}:{self.how}",
        }
        return self.phase + details.get(self.phase, "") + ("*" if self.drifted else "")

    def format_tiles(self) -> str:
        """The TILES field (rules 7)."""
        marks = {place: WORMHOLE if kind == WORMHOLE else "" for place, kind in self.tiles.items()}
        marks |= dict.fromkeys(self.tokens, ASTEROID)
        tiles = ";".join(name(place) + marks[place] for place in in_rows(marks)) or "-"
        return tiles + "+" + (format_counts(self.stack) if self.observation else "".join(self.stack))

    def line(self) -> str:
        """The canonical text (rules 7)."""
        return " ".join(
            (
                format_options(self.options),
                self.format_phase(),
                self.format_tiles(),
                ";".join(format_rocket(rocket) for rocket in self.rockets.values()),
                ";".join(f"{pilot}@{name(self.boarded[pilot])}" for pilot in sorted(self.boarded)) or "-",
                f"{self.round}:{digits(self.order)}",
                ";".join(format_stats(rocket) for rocket in self.rockets.values()),
                format_stream(self.stream),
            )
        )

    def copy(self) -> Self:
        """A position of its own; only the facts are shared."""
        twin = type(self)(self.options, self.facts)
        for field in ("observation", "phase", "hand", "die", "target", "drifted", "how", "round", "stream"):
            setattr(twin, field, getattr(self, field))
        twin.winners = list(self.winners)
        twin.tiles = dict(self.tiles)
        twin.tokens = set(self.tokens)
        twin.stack = list(self.stack)
        twin.rockets = {pilot: rocket.copy() for pilot, rocket in self.rockets.items()}
        twin.boarded = dict(self.boarded)
        twin.order = list(self.order)
        return twin

    def observe(self, seat: int) -> Self:
        """What a pilot sees: all but the order of the stack and the stream (rules 7)."""
        if seat not in self.rockets:
            raise ValueError(f"no pilot {seat}")
        twin = self.copy()
        twin.observation = True
        twin.stack = parse_stack(format_counts(self.stack))[0]
        twin.stream = None
        return twin

    # ------------------------------------------------------------ chance (rules 1)

    def draw(self, n: int) -> int:
        """A number 0..n-1 from the position's own stream (rules 1)."""
        if self.stream is None:
            raise ValueError("the stream is not known")
        self.stream, number = next_in_stream(self.stream)
        return ((number >> 32) * n) >> 32

    def shuffle(self, items: list) -> None:
        """Shuffle in place (rules 1)."""
        for i in reversed(range(1, len(items))):
            j = self.draw(i + 1)
            items[i], items[j] = items[j], items[i]

    def roll(self) -> int:
        """[J3] A die, white or red (rules 1)."""
        return 1 + self.draw(DIE)

    # ------------------------------------------------------------ pilots

    def all_pilots(self) -> range:
        """Pilots 1..n (rules 1)."""
        return range(1, self.options["Pilots"] + 1)

    def alive(self) -> list[int]:
        """The pilots not destroyed, ascending."""
        return [pilot for pilot in self.rockets if not self.rockets[pilot].destroyed]

    def seat(self) -> int:
        """The pilot on turn, 0 where the game is over (rules 7)."""
        return 0 if self.phase == OVER else self.order[0]

    def mover(self) -> Rocket:
        """The rocket of the pilot on turn."""
        return self.rockets[self.order[0]]

    def on_space(self, space: Hex) -> list[int]:
        """The pilots whose rockets are on a space, ascending (rules 4)."""
        return [pilot for pilot in self.alive() if self.rockets[pilot].place == space]

    # ------------------------------------------------------------ spaces (rules 4)

    def wormholes(self) -> list[Hex]:
        """The wormhole tiles, the written one first (rules 4)."""
        return in_rows(place for place, kind in self.tiles.items() if kind == WORMHOLE)

    def space(self, place: Hex) -> Hex:
        """The space of a tile, as its written tile: all wormhole tiles are one space (rules 4)."""
        if place not in self.tiles:
            raise ValueError(f"no tile {name(place)}")
        return self.wormholes()[0] if self.tiles[place] == WORMHOLE else place

    def tiles_of(self, space: Hex) -> list[Hex]:
        """The tiles that make up a space (rules 4)."""
        return self.wormholes() if self.tiles[space] == WORMHOLE else [space]

    def beside(self, space: Hex) -> list[Hex]:
        """The spaces that touch a space (rules 4)."""
        touched = {self.space(n) for tile in self.tiles_of(space) for n in around(tile) if n in self.tiles}
        return in_rows(touched - {space})

    def map(self) -> dict[Hex, list[Hex]]:
        """Every space with the spaces that touch it (rules 4)."""
        return {space: self.beside(space) for space in self.tiles if self.space(space) == space}

    def open_beside(self, space: Hex, visited: Iterable[Hex] = ()) -> list[Hex]:
        """The spaces that touch a space, hold no token and are not visited yet (rules 4, 5)."""
        return [n for n in self.beside(space) if n not in self.tokens and n not in visited]

    def distance(self, start: Hex, end: Hex) -> int | None:
        """The fewest moves between two spaces over spaces without a token, None where no way leads (rules 4)."""
        reached, edge, moves = {start}, {start}, 0
        while edge:
            if end in edge:
                return moves
            edge = {n for space in edge for n in self.open_beside(space, reached)}
            reached |= edge
            moves += 1
        return None

    # ------------------------------------------------------------ legal steps (rules 2, 3, 5)

    def legal(self) -> list[str]:
        """The listed legal steps, sorted as text; none where the game is over (rules 5)."""
        if self.phase == OVER:
            return []
        if self.phase == TILE:
            steps = [f"tile:{name(place)}" for place in self.places_for_a_tile()]
        elif self.phase == ROCK:
            steps = [f"rock:{name(place)}" for place in self.places_for_a_rock()]
        elif self.phase in (ROCKET, SHIELD):
            steps = [f"{self.phase}:{name(place)}" for place in self.places_for_a_rocket()]
        elif self.phase == FLY:
            steps = self.listed(FLY, self.flights()) + self.legal_drifts()
        elif self.phase == AIM:
            steps = [f"aim:{pilot}" for pilot in self.targets()] + self.legal_drifts()
        elif self.phase == TRACE:
            steps = self.listed(TRACE, self.traces())
        else:
            steps = [*self.legal_drifts(), "stay"]
        return sorted(steps)

    def is_legal(self, step: str) -> bool:
        """[J9] Whether a step can be played: a listed one, or any other correct path (rules 5)."""
        kind, colon, text = step.partition(":")
        if not colon or kind != self.phase or kind not in (FLY, TRACE):
            return step in self.legal()
        try:
            path = self.path_of(text)
        except ValueError:
            return False
        return path in list(self.flights() if kind == FLY else self.traces())

    def path_of(self, text: str) -> list[Hex]:
        """The spaces of a path; any wormhole tile names the wormhole space (rules 4, 5)."""
        return [self.space(place) for place in parse_path(text)]

    def listed(self, kind: str, paths: Iterable[list[Hex]]) -> list[str]:
        """[J9] [J14] Of the paths that come to the same only the shortest, then the smallest as text (rules 5)."""
        best: dict = {}
        for path in paths:
            if kind == FLY:
                comes_to = (path[-1] if path else None, frozenset(self.shields_on(path)))
            else:
                comes_to = frozenset(self.hit_by(path))
            entry = (len(path), format_path(kind, path))
            best[comes_to] = min(best.get(comes_to, entry), entry)
        return [text for _, text in best.values()]

    def places_for_a_tile(self) -> list[Hex]:
        """[J4] Where the tile in hand can be laid (rules 2)."""
        if not self.tiles:
            return [(0, 0)]
        places = []
        for place in {n for tile in self.tiles for n in around(tile)} - set(self.tiles):
            touched = [n for n in around(place) if n in self.tiles]
            if len(touched) <= MOST_TOUCHED and all(abs(number) <= FARTHEST for number in place):
                places.append(place)
        return places

    def places_for_a_rock(self) -> list[Hex]:
        """Where the next token can be placed while tiles are laid (rules 2)."""
        return [
            place
            for place, kind in self.tiles.items()
            if kind == SPACE and place not in self.tokens and any(n in self.tokens for n in around(place))
        ]

    def places_for_a_rocket(self) -> list[Hex]:
        """The spaces without a token, for rockets and spare shields alike (rules 3)."""
        return [place for place in self.tiles if place not in self.tokens and self.space(place) == place]

    def flights(self) -> Iterator[list[Hex]]:
        """All correct flights of the pilot on turn (rules 5, fly)."""
        start, beside = self.mover().place, self.map()

        def longer(path: list[Hex]) -> Iterator[list[Hex]]:
            at = path[-1] if path else start
            ahead = [n for n in beside[at] if n not in self.tokens and n != start and n not in path]
            stops_early = bool(path) and self.options["UpToRoll"]
            if len(path) == self.die or not ahead or stops_early:
                yield path
            if len(path) < self.die:
                for space in ahead:
                    yield from longer([*path, space])

        return longer([])

    def shields_on(self, path: Iterable[Hex]) -> list[int]:
        """[J8] Whose boarded shields the pilot on turn picks up on a flight (rules 5, fly)."""
        return [
            pilot
            for space in path
            for pilot in sorted(self.boarded)
            if self.boarded[pilot] == space and (pilot == self.order[0] or self.rockets[pilot].destroyed)
        ]

    def targets(self) -> list[int]:
        """[J10] The living rivals that are not on the pilot's own space (rules 5, aim)."""
        return [pilot for pilot in self.alive() if self.rockets[pilot].place != self.mover().place]

    def traces(self) -> Iterator[list[Hex]]:
        """[J14] All correct traces of the pilot on turn (rules 5, red die 3-6)."""
        start, beside = self.mover().place, self.map()

        def longer(path: list[Hex]) -> Iterator[list[Hex]]:
            yield path
            at = path[-1] if path else start
            if len(path) < self.die and at not in self.tokens:
                for space in beside[at]:
                    if space != start and space not in path:
                        yield from longer([*path, space])

        return longer([])

    def hit_by(self, trace: Iterable[Hex]) -> list[int]:
        """The pilots that a trace hits, in the order of the hits (rules 5, a hit)."""
        return [pilot for space in trace for pilot in self.on_space(space)]

    def may_drift(self) -> bool:
        """Whether the turn's drift is still to be had (rules 5)."""
        return bool(self.tokens) and not self.drifted

    def legal_drifts(self) -> list[str]:
        """The drifts, or where the belt is jammed the removals (rules 5, drift)."""
        if not self.may_drift():
            return []
        drifts = [f"drift:{name(token)}>{name(place)}" for token in self.tokens for place in self.drift_places(token)]
        return drifts or [f"drift:{name(token)}>-" for token in self.tokens]

    def drift_places(self, token: Hex) -> list[Hex]:
        """[J12] Where a token can drift to (rules 5, drift)."""
        others = self.tokens - {token}
        places = []
        for place, kind in self.tiles.items():
            touches = any(n in (others or {token}) for n in around(place))
            is_free = kind == SPACE and place not in self.tokens and not self.on_space(place)
            if touches and is_free and is_one_group(others | {place}):
                places.append(place)
        return places

    # ------------------------------------------------------------ the end (rules 6)

    def result(self) -> list[str] | None:
        """The result line and the line of the awards, or None while the game goes on (rules 6)."""
        if self.phase != OVER:
            return None
        awards = " ".join(f"{award}={digits_or_dash(pilots)}" for award, pilots in self.awards().items())
        return [f"result {digits_or_dash(self.winners)} {self.how}", f"awards {awards}"]

    def awards(self) -> dict[str, list[int]]:
        """Who is given each award, destroyed pilots too, all who tie (rules 6)."""
        hits = {pilot: rocket.hits for pilot, rocket in self.rockets.items()}
        kills = {pilot: rocket.kills for pilot, rocket in self.rockets.items()}
        rivals = {pilot: len(rocket.victims) for pilot, rocket in self.rockets.items()}
        fewest = min(hits.values())
        return {
            "damage": most_of(hits),
            "kills": most_of(kills),
            "peace": [pilot for pilot in hits if hits[pilot] == fewest],
            "pain": most_of(rivals),
        }


def most_of(numbers: dict[int, int]) -> list[int]:
    """The pilots with the most, nobody where the most is 0 (rules 6)."""
    most = max(numbers.values())
    return [pilot for pilot in numbers if numbers[pilot] == most and most > 0]


def is_one_group(tokens: set[Hex]) -> bool:
    """Whether tokens hang together by neighbouring hexagons (rules 5, drift)."""
    reached: set[Hex] = set()
    edge = {min(tokens, key=row_order)}
    while edge:
        reached |= edge
        edge = {n for token in edge for n in around(token) if n in tokens} - reached
    return reached == tokens
