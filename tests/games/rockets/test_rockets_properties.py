"""What holds in every game: copies, keys, honesty, shields, the table; and rarer events by hand."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skyclaim_engine.games.rockets._core import MAX_LEGAL_STEPS, SIZE, Board
from skyclaim_engine.games.rockets.position import GAME, RocketsPosition
from skyclaim_engine.games.rockets.spaces import step_number, step_text
from skyclaim_engine.search import Bot, Settings

OPTIONS = st.fixed_dictionaries({
    "Pilots": st.integers(2, 6), "Shields": st.integers(1, 5), "Wormholes": st.booleans(),
    "AsteroidBelt": st.booleans(), "UpToRoll": st.booleans(),
})  # fmt: skip
SEEDS = st.integers(0, (1 << 64) - 1)


def game(seed: int, options: dict[str, object], most: int = 250) -> Iterator[tuple[RocketsPosition, str]]:
    """A random game: each position with the step that is played next."""
    rng, position = random.Random(seed), GAME.start(seed, options)
    for _ in range(most):
        legal = position.legal()
        if not legal:
            return
        step = rng.choice(legal)
        yield position, step
        position = position.copy()
        position.apply(step)


@settings(max_examples=30)
@given(SEEDS, OPTIONS)
def test_every_position_of_a_game(seed: int, options: dict[str, object]) -> None:
    for position, step in game(seed, options):
        line, key, numbers = position.line(), position.key, position.steps()
        assert position.board.faults() == []
        assert 0 < len(numbers) <= MAX_LEGAL_STEPS
        assert list(numbers) == sorted(set(numbers))
        assert len(position.raw()) == SIZE
        for text, number in numbers.items():
            assert step_text(number) == position.text(number) == text
            assert step_number(text) == number
        assert GAME.parse(line) == position
        assert GAME.parse(line).key == key
        assert (position.options, position.seat) == (options | position.options, position.deciders[0])
        board = position.board
        if board.round:
            held = sum(rocket[1] for rocket in board.rockets if rocket)
            assert held + len(board.boarded) == board.rules[0] * (board.rules[1] + 1)
        pickled = pickle.loads(pickle.dumps(position))
        for other in (position.copy(), copy.copy(position), copy.deepcopy(position), pickled):
            assert other == position
            assert hash(other) == hash(position)
            other.apply(step)
            assert other.key != key
            assert other != position
        assert (position.line(), position.key, position.legal()) == (line, key, list(numbers))


@settings(max_examples=30)
@given(SEEDS, OPTIONS)
def test_the_order_of_the_stack_never_shows(seed: int, options: dict[str, object]) -> None:
    """A position with another order of the stack and another stream looks the same to everyone."""
    rng, bot = random.Random(seed), Bot(Settings(seed=3))
    for position, _ in game(seed, options, 40):
        fields = position.line().split()
        laid, stack = fields[2].split("+")
        fields[2] = f"{laid}+{''.join(rng.sample(stack, len(stack)))}"
        fields[7] = f"{rng.getrandbits(64):016x}"
        other = GAME.parse(" ".join(fields))
        seen = position.observe(1)
        assert seen == other.observe(1)
        there = other.observe(2)
        assert (seen.line(), seen.key, seen.raw()) == (there.line(), there.key, there.raw())
        assert seen.stream is None
        assert seen.legal() == position.legal() == other.legal()
        assert seen.picture() == other.observe(1).picture()
        assert [seen.explain(step) for step in seen.legal()[:5]] == [other.explain(step) for step in seen.legal()[:5]]
        step = seen.legal()[-1]
        assert bot.explain(seen, step) == bot.explain(position, step) == bot.explain(other, step)
        assert seen.observe(2) == seen


def test_keys_differ_where_positions_do() -> None:
    keys: dict[int, str] = {}
    for seed in range(8):
        for position, _ in game(seed, {"Pilots": 2 + seed % 5, "AsteroidBelt": True}):
            public = " ".join(position.line().split()[:7])
            assert keys.setdefault(position.key, public) == public
    assert len(keys) > 500


def test_a_core_board_refuses_what_does_not_fit() -> None:
    rules = (2, 1, False, False, False)
    good = {
        "phase": "fly", "tiles": {312: 1, 313: 1}, "stack": b"", "rockets": [(312, 1), (313, 1)], "boarded": {},
        "order": [1], "round": 1, "die": 3,
    }  # fmt: skip
    assert Board(rules, **good).legal()
    for wrong in (
        {"phase": "fly", "die": 7}, {"tiles": {700: 1}}, {"tiles": {312: 4}}, {"rockets": [(312, 1)]}, {"order": []},
        {"rockets": [(312, 37), (313, 1)]}, {"rockets": [(312, 1), None]}, {"rockets": [(314, 1), (313, 1)]},
        {"order": [1, 1]}, {"order": [3]}, {"boarded": {1: 9}}, {"boarded": {3: 312}}, {"stack": b"\x09"},
        {"phase": "trace", "die": 2, "target": 2}, {"phase": "over"}, {"phase": "dream"},
    ):  # fmt: skip
        with pytest.raises(ValueError, match=r"\w"):
            Board(rules, **{**good, **wrong})
    board = Board(rules, **good)
    with pytest.raises(ValueError, match="not legal"):
        board.apply(step_number("aim:1"), 1)


# -- rarer events, on a board in two rows: 25 tiles from -12,0 to 12,0, and seven below its left end

ROW = [f"{q},0" for q in range(-12, 13)] + [f"{q},1" for q in range(-12, -5)]


def at(
    phase: str, rockets: str, boarded: str = "-", order: str = "5:123", tokens: str = "", stats: str = "", upto: int = 0
) -> RocketsPosition:
    """A position on that board, with the tile -5,1 more where there are asteroids."""
    names = [*ROW, *(["-5,1"] if tokens else [])]
    tiles = ";".join(name + "a" * (name in tokens.split()) for name in names) + "+"
    stats = stats or "0.0.-;0.0.-;0.0.-"
    options = f"n=3;shields=1;wormholes=0;asteroids={int(bool(tokens))};upto={upto}"
    return GAME.parse(f"{options} {phase} {tiles} {rockets} {boarded} {order} {stats} 0123456789abcdef")


def with_die(position: RocketsPosition, step: str, value: int) -> tuple[RocketsPosition, list[dict]]:
    """The position after a step that rolls this value first, by a stream that brings it."""
    fields = position.line().split()
    for stream in range(1000):
        fields[7] = f"{stream:016x}"
        after = GAME.parse(" ".join(fields))
        events = after.apply(step)
        rolled = next(event for event in events if event["type"] == "die")
        if rolled["value"] == value:
            return after, events
    raise AssertionError("no stream rolls that")


def types(events: list[dict]) -> list[str]:
    return [event["type"] for event in events]


def test_point_blank_both_survive() -> None:
    after, events = with_die(at("aim", "0,0:1;1,0:2;9,0:1"), "aim:2", 1)
    assert types(events) == ["aim", "die", "point_blank", "hit", "hit", "gives", "gives", "turn", "die"]
    assert events[2] == {"type": "point_blank", "pilot": 1, "target": 2, "distance": 1, "reached": True}
    assert events[5] == {"type": "gives", "pilot": 2, "to": 1, "shields": 1, "held": 2}
    assert events[6] == {"type": "gives", "pilot": 1, "to": 2, "shields": 1, "held": 2}
    assert after.line().split()[3] == "0,0:1;1,0:2;9,0:1"
    assert after.line().split()[6] == "1.0.2;1.0.1;0.0.-"


def test_point_blank_attacker_falls_and_survivors_keep_their_shields() -> None:
    after, events = with_die(at("aim", "0,0:0;2,0:2;2,0:0"), "aim:2", 2)
    assert types(events) == ["aim", "die", "point_blank", "hit", "hit", "hit", "destroyed", "destroyed", "win"]
    assert after.line().split()[1] == "over:2:last"
    assert after.line().split()[3] == "x;2,0:2;x"
    assert after.line().split()[6] == "2.1.23;1.1.1;0.0.-"
    assert after.line().split()[5] == "5:"


def test_point_blank_all_fall_together_and_share() -> None:
    after, events = with_die(at("aim", "0,0:0;2,0:0;2,0:0"), "aim:2", 2)
    assert events[-1]["winners"] == [1, 2, 3]
    assert after.result is not None
    assert after.result.scores == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    assert after.result.lines == ("result 123 together", "awards damage=1 kills=1 peace=3 pain=1")


def test_point_blank_target_falls_attacker_keeps() -> None:
    after, events = with_die(at("aim", "0,0:1;1,0:0;1,0:1"), "aim:2", 1)
    assert types(events)[3:8] == ["hit", "hit", "hit", "destroyed", "gives"]
    assert after.line().split()[3] == "0,0:2;x;1,0:0"
    assert after.line().split()[5] == "5:3"


def test_point_blank_out_of_reach() -> None:
    _, events = with_die(at("aim", "0,0:1;2,0:0;9,0:1"), "aim:2", 1)
    assert types(events) == ["aim", "die", "point_blank", "turn", "die"]
    assert events[2]["distance"] == 2
    assert not events[2]["reached"]
    blocked, events = with_die(at("aim*", "0,0:1;2,0:0;9,0:1", tokens="1,0"), "aim:2", 2)
    assert events[2]["distance"] is None
    assert blocked.board.mover == 2


def test_the_attacker_that_falls_drifts_no_more() -> None:
    after, events = with_die(at("aim", "0,0:0;1,0:2;9,0:1", tokens="5,0"), "aim:2", 1)
    assert "destroyed" in types(events)
    assert after.board.phase == "fly"
    after, events = with_die(at("aim", "0,0:1;1,0:2;9,0:1", tokens="5,0"), "aim:2", 1)
    assert after.board.phase == "after"
    assert after.legal() == ["drift:5,0>4,0", "drift:5,0>6,0", "stay"]


def test_a_jammed_belt_sheds_a_token_and_no_after_phase_follows_the_last() -> None:
    position = at("fly:2", "11,0:1;0,0:1;5,0:1", tokens="12,0")
    assert [step for step in position.legal() if "drift" in step] == ["drift:12,0>-"]
    events = position.apply("drift:12,0>-")
    assert events == [{"type": "removed", "pilot": 1, "tile": "12,0"}]
    assert position.line().split()[1] == "fly:2*"
    position.apply("fly:10,0;9,0")
    after, _ = with_die(position, "aim:3", 1)
    assert after.board.phase == "fly"
    assert after.board.mover == 2


def test_fenced_in_a_rocket_stays() -> None:
    position = at("fly:3", "12,0:1;0,0:1;5,0:1", tokens="11,0 10,0")
    assert position.legal()[-1] == "fly:-"
    assert position.apply("fly:-")[0] == {"type": "fly", "pilot": 1, "from": "12,0", "path": []}
    assert position.board.phase == "aim"


def test_no_attack_without_a_rival_on_another_space() -> None:
    position = at("fly:3", "0,0:1;3,0:1;x", order="5:12")
    events = position.apply("fly:1,0;2,0;3,0")
    assert types(events) == ["fly", "turn", "die"]
    position = at("fly:3", "0,0:1;3,0:1;x", order="5:12", tokens="9,0")
    assert types(position.apply("fly:1,0;2,0;3,0")) == ["fly"]
    assert position.line().split()[1] == "after"
    assert types(position.apply("stay")) == ["stay", "turn", "die"]


def test_pickups_on_the_way() -> None:
    position = at("fly:3", "0,0:1;9,0:1;x", "1@2,0;3@1,0", order="5:12")
    assert position.legal() == ["fly:-1,0;-2,0;-3,0", "fly:1,0;2,0;3,0"]
    events = position.apply("fly:1,0;2,0;3,0")
    assert events[1:] == [
        {"type": "pickup", "pilot": 1, "owner": 3, "tile": "1,0", "shields": 2},
        {"type": "pickup", "pilot": 1, "owner": 1, "tile": "2,0", "shields": 3},
    ]
    assert position.line().split()[4] == "-"


def test_a_shield_under_the_own_rocket_is_not_picked_up() -> None:
    position = at("fly:1", "0,0:1;9,0:1;x", "1@0,0", order="5:12", upto=1)
    position.apply("fly:1,0")
    assert position.line().split()[4] == "1@0,0"


def test_the_last_round_ends_the_game() -> None:
    position = at("trace:3:2", "0,0:1;9,0:3;4,0:3", order="200:1", stats="1.0.2;0.0.-;0.0.-")
    events = position.apply("trace:-")
    assert types(events) == ["trace", "win"]
    assert position.result is not None
    assert position.result.lines == ("result 23 rounds", "awards damage=1 kills=- peace=23 pain=1")
    assert position.result.scores == (0.0, 0.5, 0.5)
    assert position.stream == 0x0123456789ABCDEF
    assert (position.legal(), position.seat, position.line().split()[5]) == ([], 0, "200:")
    assert GAME.parse(position.line()) == position


def test_a_trace_hits_in_its_order_and_bursts() -> None:
    position = at("trace:4:2", "0,0:0;2,0:0;1,0:2", tokens="3,0")
    events = position.apply("trace:1,0;2,0;3,0")
    assert types(events) == ["trace", "hit", "gives", "hit", "destroyed"]
    assert events[0]["burst"]
    assert position.line().split()[3] == "0,0:1;x;1,0:1"
    assert position.line().split()[5] == "5:13"
    assert position.board.phase == "after"


def test_seats() -> None:
    assert [GAME.seat(str(seat)) for seat in range(1, 7)] == [1, 2, 3, 4, 5, 6]
    assert GAME.seat_name(4) == "4"
    position = GAME.start(1, {"Pilots": 3})
    assert position.steps(2) == {}
    assert position.legal(1) == ["tile:0,0"]
