"""What is said of a step after a search: true on made positions, at every skill no more than it knows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from skyclaim_engine.games import GAMES
from skyclaim_engine.games.skyclaim import explain
from skyclaim_engine.games.skyclaim.phrases import PHRASES, doing
from skyclaim_engine.games.skyclaim.position import SkyclaimPosition
from skyclaim_engine.games.skyclaim.scene import Scene
from skyclaim_engine.search import Bot, Limits, Settings, StopFlag
from skyclaim_engine.search.skill import Level
from skyclaim_engine.weights import read
from tests.games.skyclaim.test_explain import place
from tests.strategies import a_crowded_one

GAME = GAMES["skyclaim"]
#: a siege drone that wins beside South's Command next, unless a shield stands there
SIEGE = "Me1,Gd3,xf3,mk11"
ALGORITHMS = ["onestep", "expectimax"]


@pytest.fixture(autouse=True)
def plain_weights() -> Iterator[None]:
    """The sentences are about positions in which plain weights tell what is good; learned ones may see more."""
    GAME.use(read(Path(__file__).parents[3] / "benchmarks" / "strength" / "first_weights.json")[1])
    yield
    GAME.use(None)


def asked(position: SkyclaimPosition, step: str, seed: int = 1) -> str:
    return Bot(Settings(seed=seed)).explain(position, step)


def played(position: SkyclaimPosition, nodes: int = 2000, **settings: object) -> tuple[str, str]:
    """What the bot plays, and what it says about that."""
    told: list[object] = []
    bot = Bot(Settings(**{"seed": 1, "explain": True, **settings}))  # type: ignore[arg-type]
    step = bot.decide(position, Limits(nodes=nodes), StopFlag(), told.append)
    assert step is not None
    assert isinstance(told[-1], str)
    return step, told[-1]


def test_a_win_and_a_step_that_misses_it() -> None:
    position = place("Me1,Xj9,mk11")
    said = asked(position, "move:j9j10")
    assert "Good: this wins at once." in said
    assert "About equal to the best other step, moving the siege drone from j9 to k10." in said
    said = asked(position, "move:j9i8")
    assert "The best step, moving the siege drone from j9 to " in said
    assert said.endswith(" % of the win ahead.")
    assert "wins at once" not in said


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_win_is_played_with_its_reason(algorithm: str) -> None:
    step, said = played(place("Me1,Xj9,mk11"), algorithm=algorithm)
    assert step in ("move:j9j10", "move:j9k10")
    assert "Good: this wins at once." in said


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_take_what_it_threatens_and_what_it_prevents(algorithm: str) -> None:
    step, said = played(place("Me1,Rc3,sf6,hi9,mk11"), algorithm=algorithm)
    assert step == "take:c3f6"
    assert "Good: North's scout is gone; a missile more; the raider on f6 threatens North's hunter on i9." in said
    assert "It prevents worse: after other steps North could answer by claiming with the scout on f6, which" in said
    assert said.endswith(" % of the win behind.")


def test_a_step_that_leaves_a_drone_to_be_taken() -> None:
    said = asked(place("Me1,Gd4,rh9,mk11"), "move:d4d5")
    assert "Bad: the raider on h9 could destroy the shield on d5." in said
    assert "North could answer by taking the shield on d5 with the raider from h9, which would cost South " in said
    assert " ahead. North" in said
    assert "taking the shield" not in asked(place("Me1,Gd4,rh9,mk11"), "move:d4e5")


def test_a_defence_and_what_happens_without_it() -> None:
    position = place(SIEGE)
    answer = "North could answer by moving the siege drone from f3 to e2, which would cost "
    for step in ("move:d3e2", "move:d3d2"):
        said = asked(position, step)
        assert f"It prevents worse: after other steps {answer}" in said
        assert "which would cost South" not in said
    said = asked(position, "move:d3c4")
    assert f"{answer}South 42 % of the win." in said
    assert "The best step, moving the shield from d3 to " in said
    assert "prevents" not in said
    assert "prevents" not in asked(position, "move:e1d1")  # another square beside the Command is open


def test_a_defence_is_played_with_its_reason() -> None:
    step, said = played(place(SIEGE), algorithm="expectimax")
    assert step in ("move:d3e2", "move:d3d2")
    assert "It prevents worse: after other steps North could answer by moving the siege drone from f3 to e2" in said


def test_steps_that_are_about_equal() -> None:
    position = place("Me1,mk11")
    _, said = played(position, algorithm="onestep")
    assert "About equal to the next best action, moving the Command from e1 to " in said
    assert "About equal to the best other step, moving the Command from e1 to " in asked(position, "move:e1e2")


def test_a_search_that_saw_one_step_compares_nothing() -> None:
    _, said = played(place("Me1,Xj9,mk11"), algorithm="onestep", nodes=1)
    assert "equal" not in said
    assert "best" not in said


def test_a_free_step_is_judged_by_itself_where_the_search_sees_no_further() -> None:
    position = GAME.start(1)
    fires = tuple(step for step in position.legal() if step.startswith("fire:"))
    said = [told(position, fires, algorithm) for algorithm in ALGORITHMS]
    assert " of the win at once. " in said[0]
    assert "free step, firing a missile from e1 at " in said[0]
    assert "at once" not in said[1]
    assert " step, firing a missile from e1 at " in said[1]
    assert "free step" not in said[1]


def told(position: SkyclaimPosition, steps: tuple[str, ...], algorithm: str) -> str:
    lines: list[object] = []
    bot = Bot(Settings(seed=1, explain=True, algorithm=algorithm))
    assert bot.decide(position, Limits(nodes=3000, searchmoves=steps), StopFlag(), lines.append) in steps
    return str(lines[-1])


def test_a_random_turn_is_said_to_be_random_and_not_praised() -> None:
    for seed in range(1, 12):
        step, said = played(GAME.start(seed), skill=0, seed=seed)
        position = GAME.start(seed)
        does = explain.step(position.board, position.steps()[step])
        assert said.endswith(". This turn is a random one.")
        assert does.startswith(said.removesuffix(" This turn is a random one."))
        assert not any(word in said for word in ("Good", "Bad", "equal", "best", "prevents"))


@pytest.mark.parametrize(
    ("drones", "step", "levels"),
    [
        # what is said, and the least skill that says it
        ("Me1,Rc3,sf6,hi9,mk11", "take:c3f6", {"a missile more": 10, "is gone": 30, "threatens": 30, "prevents": 50}),
        ("Me1,Gd5,rh9,mk11", "move:d5d4", {"is safe from": 50}),
        ("Me1,Sd5,rh9,mk11", "claim:d5", {"squares more": 20}),
        ("Me1,Xf6,mk11", "move:f6g7", {"comes within 4": 60}),
        ("Me1,Sd5,Sd6,mk11", "stack:d5d6", {"a stack stands more": 40, "one drone less": 40}),
    ],
)
def test_what_a_skill_overlooks_is_not_claimed(drones: str, step: str, levels: dict[str, int]) -> None:
    position = place(drones)
    for skill in range(10, 101, 10):
        seed = next(seed for seed in range(1, 999) if Level.of_skill(skill).plays_best(seed, position.turn, 1))
        lines: list[object] = []
        bot = Bot(Settings(seed=seed, skill=skill, explain=True))
        bot.decide(position, Limits(nodes=500, searchmoves=(step,)), StopFlag(), lines.append)
        for words, level in levels.items():
            # one step alone has no others that it could be better than
            if words != "prevents":
                assert (words in str(lines[-1])) == (skill >= level), (skill, words)
        if step.startswith("take"):
            bot.decide(position, Limits(nodes=2000), StopFlag(), lines.append)
            assert ("prevents" in str(lines[-1])) == (skill >= levels["prevents"])


def test_a_hint_is_a_swap_with_a_reason_whatever_the_skill() -> None:
    position = GAME.start(1)
    for skill in (0, 50, 100):
        lines: list[object] = []
        bot = Bot(Settings(seed=4, skill=skill))
        hint = bot.hint(position, Limits(), StopFlag(), lines.append)
        assert hint is not None
        assert hint.startswith("swap:")
        assert str(lines[-1]).startswith(f"South swaps {hint[5:7]} and {hint[7:9]}. ")
        assert "next best one, swapping " in str(lines[-1])
        assert "random" not in str(lines[-1])


def test_what_is_said_follows_from_the_seed() -> None:
    position = GAME.start(3)
    for step in position.legal()[::9]:
        assert asked(position, step, seed=5) == asked(position.observe(1), step, seed=5)
    bot = Bot(Settings(seed=5))
    step = position.legal()[-1]
    first = bot.explain(position, step)
    bot.new_game()
    assert bot.explain(position, step) == first


@pytest.mark.parametrize("kind", PHRASES)
def test_every_kind_of_step_is_a_phrase(kind: str) -> None:
    step = {"pass": "pass", "claim": "claim:a1", "turret": "turret:a1"}.get(kind, f"{kind}:a1b11")
    said = doing(step, lambda square: f"drone of {square}")
    assert said.split()[0].endswith("ing")
    assert "{" not in said
    assert ("a1" in said) == (kind != "pass")
    assert ("b11" in said) == step.endswith("b11")


def test_an_answer_out_of_the_dark_is_not_told() -> None:
    """What the search supposes in the dark, such as the other Command at home, is no fact."""
    answers = 0
    for number in (3, 7, 9, 10):
        position = a_crowded_one(number, {"Fog": "dark" if number % 2 else "seam"})
        dark = Scene(position.observe(position.seat).board).dark
        assert dark
        for step in [step for step in position.legal() if not step.startswith(explain.FREE_STEPS)][::20]:
            for said in asked(position, step).split("could answer by ")[1:]:
                answers += 1
                assert not dark.intersection(said.partition(", which")[0].split())
    assert answers > 30
