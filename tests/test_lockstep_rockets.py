"""Rockets: fast core and slow model in lock step through random games and made scenes, of all options and styles.

After every step they must agree on line, result, legal steps, observations and events, and on paths that are not
listed, correct ones and others; and all that the rules can bring about must have occurred, or the test says little.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from skyclaim_engine.cli import main
from skyclaim_engine.errors import IllegalStep
from skyclaim_engine.games.rockets.position import GAME, RocketsPosition
from tests.lockstep import Mismatch
from tests.lockstep_games import Facts
from tests.lockstep_other import Job, Two, soak, walked
from tests.reference.rockets import FACTS, Model
from tests.reference.rockets_notation import FLY, TRACE, format_path, name
from tests.scenes_rockets import LAYING, SCENES, Options, compactly, laying, made, random_options

#: pilots and the three switches in every way
WAYS = 40
#: with this chance a position's faulty paths are tried, so many of them
TRYING, TRIED = 0.15, 3


class Pair(Two):
    """Core and model at the same position of Rockets."""

    core: RocketsPosition

    def __init__(self, line: str, facts: Facts) -> None:
        super().__init__(GAME.parse(line), Model.parse(line, facts=facts))

    def compare(self) -> list[str]:
        """Compare all that both can say here; the legal steps."""
        core, model = self.core, self.model
        self.check("positions", core.line(), model.line())
        self.check("faults of the struct", core.board.faults(), [])
        self.check("positions read back", GAME.parse(core.line()), core)
        self.check("models read back", Model.parse(model.line()).line(), model.line())
        result = model.result()
        self.check("results", core.result and core.result.lines, result and tuple(result))
        self.check("pilots on turn", core.seat, model.seat())
        legal = core.legal()
        self.check("legal steps", legal, model.legal())
        for pilot in model.all_pilots():
            seen = core.observe(pilot)
            self.check(f"observations of pilot {pilot}", seen.line(), model.observe(pilot).line())
            self.check(f"legal steps seen by pilot {pilot}", seen.legal(pilot), legal if pilot == core.seat else [])
        self.check("faults of the observation", seen.board.faults(), [])
        self.check("observations read back", GAME.parse(seen.line(), observation=True), seen)
        self.check("models seen read back", Model.parse(seen.line(), observation=True).line(), seen.line())
        return legal

    def compare_faulty(self, rng: Random) -> None:
        """Whether some paths that are likely to be wrong are legal."""
        for step in [faulty(self.model, rng) for _ in range(TRIED)]:
            self.check(f"legality of {step}", self.accepts(step), self.model.is_legal(step))

    def accepts(self, step: str) -> bool:
        """Whether the core plays a step."""
        try:
            self.core.copy().apply(step)
        except IllegalStep:
            return False
        return True

    def play(self, step: str, listed: bool) -> None:
        """A step on both; one that is not listed the model checks itself."""
        self.apply(step, self.model.apply_unchecked if listed else self.model.apply)


def paths(model: Model) -> list:
    """All correct paths of the flight or trace that is due."""
    return list(model.flights() if model.phase == FLY else model.traces())


def other_path(model: Model, rng: Random) -> str:
    """Any correct path, the wormhole by any of its tiles; of shots those that burst or are long more often."""
    correct = paths(model)
    bursts = [path for path in correct if path and path[-1] in model.tokens]
    longest = [path for path in correct if len(path) == max(map(len, correct))]
    path = rng.choice(rng.choice((bursts or correct, longest, correct)))
    return format_path(model.phase, [rng.choice(model.tiles_of(space)) for space in path])


def faulty(model: Model, rng: Random) -> str:
    """A path with a fault, most often: too short or too long, twice the same, off the board, or broken."""
    path = list(rng.choice(paths(model)))
    places = [*model.tiles, (12, 12), (0, -11)]
    beside = model.beside(path[-1] if path else model.mover().place)
    way = rng.randrange(6)
    if way == 0:
        path = path[:-1]
    elif way == 1 and beside:
        path.append(rng.choice(beside))
    elif way == 2 and path:
        path.insert(rng.randrange(len(path)), rng.choice(path))
    elif way == 3 and path:
        path[rng.randrange(len(path))] = rng.choice(places)
    elif way == 4:
        path.insert(0, model.mover().place)
    else:
        path = [rng.choice(places) for _ in range(rng.randint(1, 3))]
    return format_path(rng.choice((model.phase,) * 9 + (FLY, TRACE)), path)


# ---------------------------------------------------------------- styles: which of the legal steps comes next


def anything(model: Model, legal: list[str], rng: Random) -> str:
    """Any step."""
    return rng.choice(legal)


def fighting(model: Model, legal: list[str], rng: Random) -> str:
    """The shots that hit most, no drifts where something else can be done."""
    if model.phase == TRACE:
        return max(legal, key=lambda step: len(model.hit_by(model.path_of(step.partition(":")[2]))))
    return rng.choice([step for step in legal if not step.startswith("drift")] or legal)


def peaceful(model: Model, legal: list[str], rng: Random) -> str:
    """Shots that hit nobody, if there are such."""
    return legal[0] if model.phase == TRACE and "trace:-" in legal else rng.choice(legal)


def drifting(model: Model, legal: list[str], rng: Random) -> str:
    """Drifts and removals more often than not."""
    drifts = [step for step in legal if step.startswith("drift")]
    return rng.choice(drifts if drifts and rng.random() < 0.6 else legal)


def wandering(model: Model, legal: list[str], rng: Random) -> str:
    """Correct paths that are not listed, or the same written by another wormhole tile."""
    return other_path(model, rng) if model.phase in (FLY, TRACE) and rng.random() < 0.6 else rng.choice(legal)


STYLES: dict[str, Callable[[Model, list[str], Random], str]] = {
    style.__name__: style for style in (anything, fighting, peaceful, drifting, wandering)
}
#: random games in a plain run: every way of the options under three of the styles
GAMES = 3 * WAYS


def ways_of(options: Options) -> str:
    """The options whose every combination is walked."""
    switches = [option for option in ("Wormholes", "AsteroidBelt", "UpToRoll") if options[option]]
    return f"{options['Pilots']} pilots, {' '.join(switches) or 'plain'}"


WANTED = (
    *FACTS,
    *(f"game of {style}" for style in STYLES),
    *(f"game with {ways_of(random_options(number, Random(1)))}" for number in range(WAYS)),
)


# ---------------------------------------------------------------- games


def choose(pair: Pair, legal: list[str], style: str, rng: Random) -> str:
    """The next step of a style; at times, in every style, the wormhole for a rocket or shield, or another path."""
    model = pair.model
    holes = [f"{model.phase}:{name(hole)}" for hole in model.wormholes()[:1]]
    if model.phase in ("rocket", "shield") and holes and rng.random() < 0.2:
        return holes[0]
    if model.phase in (FLY, TRACE) and rng.random() < 0.1:
        return other_path(model, rng)
    return STYLES[style](model, legal, rng)


def walk(pair: Pair, style: str, rng: Random, most: int, place: Callable[[list[str]], str] | None = None) -> int:
    """Up to so many steps after the tiles are laid, comparing all along; how many steps were played in all."""
    legal = pair.compare()
    left = most
    while legal and left:
        laying = place is not None and pair.model.phase in ("tile", "rock")
        step = place(legal) if laying else choose(pair, legal, style, rng)
        if pair.model.phase in (FLY, TRACE) and rng.random() < TRYING:
            pair.compare_faulty(rng)
        pair.play(step, listed=step in legal)
        legal = pair.compare()
        left -= not laying
    return len(pair.path)


def play_game(number: int) -> tuple[int, Facts]:
    """A random game, to its end unless it is long."""
    facts, rng = Counter[str](), Random(f"rockets {number}")
    options = random_options(number, rng)
    style = list(STYLES)[(number + number // WAYS) % len(STYLES)]
    facts[f"game of {style}"] += 1
    facts[f"game with {ways_of(options)}"] += 1
    seed = rng.getrandbits(64)
    pair = Pair(GAME.start(seed, options).line(), facts)
    pair.check("starts", pair.core.line(), Model.start(seed, options).line())
    return walk(pair, style, rng, rng.choice((60, 90, 140)), compactly(rng, rng.choice((1, 1, 2, 6)))), facts


def play_scene(scene: str, number: int) -> tuple[int, Facts]:
    """A scene of a number."""
    facts, rng = Counter[str](), Random(f"{scene} {number}")
    if scene in LAYING:
        line, step = laying(scene)
        pair = Pair(line, facts)
        pair.play(step, listed=step in pair.compare())
        return walk(pair, "anything", rng, 3), facts
    pair = Pair(made(scene, number, rng).line(), facts)
    style = rng.choice(("drifting", *STYLES))
    return walk(pair, style, rng, SCENES[scene].steps), facts


def play(job: Job) -> tuple[int, Facts]:
    """A game by its number, or a scene by its name and number."""
    return play_scene(*job) if isinstance(job, tuple) else play_game(job)


def scenes(times: int = 1, first: int = 0) -> list[Job]:
    """Every scene as often as it needs to be, or so many times as often; and those that have one position."""
    many = [(name, first + number) for name, way in SCENES.items() for number in range(times * way.number)]
    return [*many, *((name, 0) for name in LAYING)]


@pytest.mark.timeout(3600)  # a minute, but much longer with the sanitizers of the debug build
def test_games_and_scenes() -> None:
    assert GAMES >= 100
    steps, facts = walked([*range(GAMES), *scenes()], play)
    assert [fact for fact in WANTED if not facts[fact]] == []
    assert [fact for fact in facts if fact not in WANTED] == []
    assert sum(facts[f"game of {style}"] for style in STYLES) == GAMES
    assert steps > 50 * GAMES


@pytest.mark.soak
@pytest.mark.timeout(0)
def test_games_and_scenes_at_length(capfd: pytest.CaptureFixture[str]) -> None:
    soak(scenes(10, 1_000), play, WANTED, capfd)


def test_a_game_is_the_same_each_time() -> None:
    assert play(4) == play(4)
    assert play(("crowd", 2)) == play(("crowd", 2))


def test_a_difference_is_told_with_position_and_steps() -> None:
    pair = Pair(GAME.start(1).line(), Counter())
    pair.play("tile:0,0", listed=True)
    pair.compare()
    pair.model.round += 1
    with pytest.raises(Mismatch, match="positions differ") as found:
        pair.compare()
    for part in (pair.core.line(), pair.model.line(), pair.start, "tile:0,0", "core says", "model says"):
        assert part in str(found.value)


@pytest.mark.parametrize("scene", ["jam of six", "in the wormhole", "last turns"])
def test_perft_against_the_model(scene: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Of lines that are longer than a file's name may be."""
    line = made(scene, 2, Random(scene)).line()
    assert main(["perft", line, "--game", "rockets", "--depth", "2", "--against", "reference"]) == 0
    assert "2 deep" in capsys.readouterr().out


def test_the_model_tells_positions_and_observations_apart() -> None:
    position = GAME.start(1)
    assert Model.parse(position.line(), {"Pilots": 6}).options["Pilots"] == 2
    with pytest.raises(ValueError, match="is listed"):
        Model.parse(position.line(), observation=True)
    with pytest.raises(ValueError, match="is only counted"):
        Model.parse(position.observe(1).line())
