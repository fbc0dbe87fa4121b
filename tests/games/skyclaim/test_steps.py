"""Legal steps as numbers and texts, how many there can be, and the scans that find them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given

from skyclaim_engine._board import LEVELS, MAX_LEGAL_STEPS, instruction_level, use_instruction_level
from skyclaim_engine.games import GAMES
from skyclaim_engine.games.skyclaim.position import SkyclaimPosition
from skyclaim_engine.games.skyclaim.squares import NAMES, step_number, step_text
from tests.positions import OPTION_SETS, Options, crowded
from tests.reference.skyclaim import Model
from tests.reference.skyclaim_notation import SQUARES, Drone
from tests.reference.skyclaim_shapes import matched_squares
from tests.strategies import positions

GAME = GAMES["skyclaim"]


# ---------------------------------------------------------------- steps as numbers


@given(positions)
def test_numbers_and_texts_of_steps_are_inverse(position: SkyclaimPosition) -> None:
    steps = position.steps()
    assert list(steps) == sorted(steps) == position.legal()
    assert sorted(steps.values()) == position.board.legal()
    assert len(set(steps.values())) == len(steps) <= MAX_LEGAL_STEPS
    for text, number in steps.items():
        assert step_text(number) == text == position.text(number)
        assert step_number(text) == number
    assert position.steps(3) == {}
    if position.seat:
        assert position.steps(position.seat) == steps
        assert position.steps(3 - position.seat) == {}


def test_every_step_that_can_be_written_has_a_number_of_its_own() -> None:
    texts = ["pass"]
    texts += [f"{kind}:{square}" for kind in ("turret", "claim") for square in NAMES]
    for kind in ("fire", "swap", "move", "take", "stack", "bomb", "warp", "siege", "ram"):
        texts += [f"{kind}:{start}{end}" for start in NAMES for end in NAMES]
    made = [step_number(text) for text in texts]
    assert None not in made
    assert len(set(made)) == len(texts)
    assert [step_text(number) for number in made] == texts


@pytest.mark.parametrize(
    "text",
    [
        "", ":", "swap", "swap:", "swap:e4", "swap:e4e", "swap:e4e12", "swap:e4e0", "swap:e4e5e6", "swap:e4 e5",
        "swap: e4e5", "SWAP:e4e5", "swap:E4e5", "swap:l1e5", "swap:e04e5", "swap:111", "swap:e٣e5", "jump:e4e5",
        "claim", "claim:", "claim:e4e5", "claim:e12", "turret:", "turret:a1b1", "pass:", "pass:e4", "pass ", " pass",
        "fire:a1a", "move:a11", "swap:e4e5\n", "take:\x00", "kind:e4",
    ],
)  # fmt: skip
def test_what_is_no_step_has_no_number(text: str) -> None:
    assert step_number(text) is None


# ---------------------------------------------------------------- very many steps


def packed(kind: str, every: int, missiles: int, options: Options) -> Model:
    """South has such a drone on every so many-th square, and everything else is empty."""
    model = Model(options)
    model.stars = [1 + (i % 11 + 2 * (i // 11)) % 5 for i in SQUARES]
    for i in SQUARES[::every]:
        model.drones[i] = Drone("S", kind, 2, {1, 2, 3, 4, 5}, missiles)
    model.drones[60] = Drone("S", "M", missiles=99)
    model.drones[120] = Drone("N", "M")
    model.stream = 1
    return model


@pytest.mark.parametrize("options", [{}, {"Fog": "dark"}])
@pytest.mark.parametrize("kind", "SGRHWXB")
@pytest.mark.parametrize("every", [1, 2, 3])
def test_the_bound_on_legal_steps_holds_on_packed_boards(kind: str, every: int, options: Options) -> None:
    model = packed(kind, every, {"S": 1, "H": 2}.get(kind, 0), options)
    position = GAME.parse(model.line(), options)
    steps = position.board.legal()
    assert len(set(steps)) == len(steps) <= MAX_LEGAL_STEPS
    assert position.legal() == model.legal()


def test_a_board_of_hunters_has_thousands_of_steps() -> None:
    most = max(len(GAME.parse(packed("H", every, 2, {}).line()).legal()) for every in range(1, 12))
    assert 4_000 < most <= MAX_LEGAL_STEPS


# ---------------------------------------------------------------- portable and fast scans


@pytest.fixture
def levels() -> Iterator[list[str]]:
    """Those that are there on this processor."""
    before = instruction_level()
    found = [level for level in LEVELS if use_instruction_level(level) == level]
    if len(found) == 1:
        pytest.skip("there is only the portable scan to run on this processor")
    yield found
    use_instruction_level(before)


def told_by(level: str, line: str, options: Options, number: int) -> list[Any]:
    """What steps of a board are legal and what some of them do, with these scans."""
    assert use_instruction_level(level) == level
    position = GAME.parse(line, options)
    legal = position.legal()
    told: list[Any] = [legal, position.observe(1).legal()]
    for step in Random(number).sample(legal, min(6, len(legal))):
        child = position.copy()
        told.append((step, child.apply(step), child.line(), child.legal()))
    return told


@pytest.mark.parametrize("part", range(8))
def test_all_scans_see_the_same(part: int, levels: list[str]) -> None:
    standing = 0
    for number in range(50 * part, 50 * part + 50):
        rng = Random(number)
        options = OPTION_SETS[number % 12]
        model = crowded(rng, options)
        standing += has_match(model)
        portable, *fast = (told_by(level, model.line(), options, number) for level in levels)
        assert all(told == portable for told in fast), model.line()
    assert standing > 5


def has_match(model: Model) -> bool:
    """Whether stars stand matched, as no game leaves them."""
    return any(matched_squares(model.stars).values())
