"""Flights and traces against a plain walk over every path (rules 5), on boards of every density."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from skyclaim_engine.errors import IllegalStep
from skyclaim_engine.games.rockets._core import NAMES, PLACES, Board
from skyclaim_engine.games.rockets.position import GAME, RocketsPosition

CELL = {place: cell for cell, place in enumerate(PLACES)}
SPACE, WORM, TOKEN = 1, 2, 3
WAYS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))


def random_board(rng: random.Random, phase: str) -> Board:
    """Up to 36 tiles in a heap, a line or something between, with wormholes, tokens, rockets and shields anywhere.

    A fifth of them are full hexagons with many shields to pick up or many rockets to hit.
    """
    full = rng.random() < 0.2
    size, spread = (36, 0.0) if full else (rng.randint(6, 36), rng.choice([0.0, 0.3, 0.9]))
    tiles = [(0, 0)]
    if full:
        tiles = [(q, r) for q in range(-3, 4) for r in range(-3, 4) if abs(q + r) <= 3][1:]
    while len(tiles) < size:
        q, r = tiles[-1] if rng.random() < spread else rng.choice(tiles)
        dq, dr = rng.choice(WAYS)
        place = (q + dq, r + dr)
        if place in CELL and place not in tiles and max(map(abs, place)) < 12:
            tiles.append(place)
    kinds = dict.fromkeys(tiles, SPACE)
    for place in rng.sample(tiles, rng.choice([0, 0, 1, 3])):
        kinds[place] = WORM
    for place in rng.sample([p for p in tiles if kinds[p] == SPACE], rng.choice([0, 0, 1, 3])):
        kinds[place] = TOKEN
    pilots = 6 if full else rng.randint(2, 6)
    spaces = spaces_of(kinds)
    free = [p for p in spaces if kinds[p] != TOKEN]
    gone = set(rng.sample(range(1, pilots), (4 if phase == "fly" else 0) if full else rng.randint(0, pilots - 2)))
    rockets = [None if i in gone else (CELL[rng.choice(free)], rng.randint(0, 3)) for i in range(pilots)]
    boarded = {i + 1: CELL[rng.choice(spaces)] for i in range(pilots) if full or rng.random() < 0.7}
    cells = {CELL[place]: kind for place, kind in kinds.items()}
    die = rng.randint(1, 6) if phase == "fly" else rng.randint(3, 6)
    rules = (pilots, 1, True, True, rng.random() < 0.4)
    return Board(rules, phase, cells, b"", rockets, boarded, [1], 1, die=die, target=2, drifted=phase == "fly")


def spaces_of(kinds: dict[tuple[int, int], int]) -> list[tuple[int, int]]:
    """The spaces by their written tiles (rules 4)."""
    worms = sorted((p for p, kind in kinds.items() if kind == WORM), key=lambda p: (p[1], p[0]))
    return [p for p, kind in kinds.items() if kind != WORM] + worms[:1]


class Slow:
    """The graph of a board, and all paths over it, without cleverness."""

    def __init__(self, board: Board) -> None:
        self.board = board
        kinds = {PLACES[cell]: kind for cell, kind in board.tiles.items()}
        written = {p: p for p in kinds}
        worms = sorted((p for p, kind in kinds.items() if kind == WORM), key=lambda p: (p[1], p[0]))
        written.update(dict.fromkeys(worms, worms[0] if worms else (0, 0)))
        self.touching: dict[int, set[int]] = {CELL[p]: set() for p in spaces_of(kinds)}
        for q, r in kinds:
            for dq, dr in WAYS:
                other = (q + dq, r + dr)
                if other in kinds and written[other] != written[q, r]:
                    self.touching[CELL[written[q, r]]].add(CELL[written[other]])
        self.tokens = {CELL[p] for p, kind in kinds.items() if kind == TOKEN}
        self.start = board.rockets[0][0]

    def walks(self, path: list[int], most: int, through_tokens: bool) -> Iterator[tuple[list[int], bool]]:
        """All paths that go on from this one, itself too, and whether each ends in a dead end."""
        here = path[-1] if path else self.start
        ways = [c for c in self.touching[here] if c not in path and c != self.start and c not in self.tokens]
        bursts = [c for c in self.touching[here] if c in self.tokens and through_tokens]
        yield path, not ways
        if len(path) < most:
            for cell in ways:
                yield from self.walks([*path, cell], most, through_tokens)
            for cell in bursts:
                yield [*path, cell], True

    def flights(self) -> list[list[int]]:
        board = self.board
        return [
            path
            for path, dead_end in self.walks([], board.die, False)
            if len(path) == board.die or dead_end or (board.rules[4] and path)
        ]

    def flight_outcome(self, path: list[int]) -> tuple[int, frozenset[int]]:
        out = {pilot for pilot, rocket in enumerate(self.board.rockets, 1) if rocket is None} | {1}
        picked = frozenset(p for p, cell in self.board.boarded.items() if p in out and cell in path)
        return (path[-1] if path else self.start), picked

    def traces(self) -> list[list[int]]:
        return [path for path, _ in self.walks([], self.board.die, True)]

    def trace_outcome(self, path: list[int]) -> frozenset[int]:
        return frozenset(p for p, rocket in enumerate(self.board.rockets, 1) if rocket and rocket[0] in path)


def text(kind: str, path: list[int]) -> str:
    return f"{kind}:{';'.join(NAMES[cell] for cell in path) or '-'}"


def listed(kind: str, paths: list[list[int]], outcome: object) -> list[str]:
    """For each outcome the shortest path, of these the smallest as text (J9)."""
    best: dict[object, tuple[int, str]] = {}
    for path in paths:
        key, candidate = outcome(path), (len(path), text(kind, path))  # type: ignore[operator]
        best[key] = min(best.get(key, candidate), candidate)
    return sorted(step for _, step in best.values())


@pytest.mark.parametrize("seed", range(150))
def test_flights(seed: int) -> None:
    board = random_board(random.Random(seed), "fly")
    slow = Slow(board)
    position = RocketsPosition(board, 1)
    paths = slow.flights()
    assert position.legal() == listed("fly", paths, slow.flight_outcome)
    correct = {text("fly", path) for path in paths}
    check_input(position, "fly", slow, correct, random.Random(seed))


@pytest.mark.parametrize("seed", range(150))
def test_traces(seed: int) -> None:
    board = random_board(random.Random(1000 + seed), "trace")
    slow = Slow(board)
    position = RocketsPosition(board, 1)
    paths = slow.traces()
    assert position.legal() == listed("trace", paths, slow.trace_outcome)
    check_input(position, "trace", slow, {text("trace", path) for path in paths}, random.Random(seed))


def check_input(position: RocketsPosition, kind: str, slow: Slow, correct: set[str], rng: random.Random) -> None:
    """Any correct path is accepted, any other refused: all of those, and of these walks that are nearly right."""
    for step in rng.sample(sorted(correct), min(50, len(correct))):
        assert position.explain(step)
        after = position.copy()
        after.apply(step)
        assert after.board.faults() == []
    cells = list(slow.touching)
    for _ in range(50):
        path = [slow.start]
        for _ in range(rng.randint(0, 6)):
            near = list(slow.touching[path[-1]])
            path.append(rng.choice(near) if near and rng.random() < 0.95 else rng.choice(cells))
        step = text(kind, path[1:])
        if step not in correct:
            with pytest.raises(IllegalStep):
                position.copy().apply(step)


def test_the_boards_have_all_that_matters() -> None:
    boards = [random_board(random.Random(seed), "fly") for seed in range(150)]
    assert max(len(RocketsPosition(board, 1).legal()) for board in boards) > 150
    assert any(RocketsPosition(board, 1).legal() == ["fly:-"] for board in boards)
    stuck = [board for board in boards for step in RocketsPosition(board, 1).legal()
             if not board.rules[4] and 1 < step.count(";") + 1 < board.die]  # fmt: skip
    assert len(stuck) > 20


def test_any_wormhole_tile_names_the_space_on_input() -> None:
    line = (
        "n=2;shields=1;wormholes=1;asteroids=0;upto=0 fly:2 "
        "0,-1w;0,0;1,0;2,0;3,0;4,0;5,0w;6,0;7,0;8,0;9,0;10,0w;11,0;-1,0;-2,0;-3,0;-4,0;-5,0;-6,0;-7,0;-8,0;-9,0;-10,0;"
        "-11,0;-12,0;-12,1;-12,2;-12,3;-12,4;-12,5;-12,6;-12,7;-12,8;-12,9;-12,10+ 0,0:1;11,0:1 - 1:12 "
        "0.0.-;0.0.- 0000000000000007"
    )
    position = GAME.parse(line)
    assert "fly:0,-1;11,0" in position.legal()
    assert "fly:10,0;11,0" not in position.legal()
    for name in ("0,-1", "5,0", "10,0"):
        after = position.copy()
        flown = after.apply(f"fly:{name};11,0")[0]
        assert flown == {"type": "fly", "pilot": 1, "from": "0,0", "path": ["0,-1", "11,0"]}
    one = position.copy()
    one.apply("fly:10,0;9,0")
    assert one.line().split()[3] == "9,0:1;11,0:1"
    with pytest.raises(IllegalStep, match="visited twice"):
        position.apply("fly:0,-1;5,0")
