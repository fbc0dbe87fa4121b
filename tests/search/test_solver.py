"""The certain wins and losses at the root: that they are found, that they come first, and the limits."""

from __future__ import annotations

import pytest

from skyclaim_engine import game
from skyclaim_engine.search import Bot, Info, Limits, Settings, StopFlag
from skyclaim_engine.search.algorithms import ALGORITHMS, LOSS, OPEN, WIN, WIN_LATER, WIN_NEXT, unfit
from skyclaim_engine.search.solver import Solver, is_solvable

SKYCLAIM = game("skyclaim")
PLENTY = 1 << 40
#: a board without a match
STARS = (
    "12345123451/34512345123/51234512345/23451234512/45123451234/12345123451/34512345123/51234512345/23451234512/"
    "45123451234/12345123451"
)
OPEN_LAND = "/".join(["11"] * 11)

FITTING = sorted(name for name in ALGORITHMS if not unfit(name, game("skyclaim")))


def line(drones: str, land: str = OPEN_LAND, side: str = "S") -> str:
    return f"{STARS} {drones} {land} {side} 0 - - 9 0000000000000007"


def verdicts(text: str, nodes: int = PLENTY, options: dict[str, object] | None = None) -> dict[str, int]:
    position = SKYCLAIM.parse(text, options)
    view = position.observe(position.seat)
    steps = view.steps()
    solver = Solver(view, position.seat, list(steps.values()), 5)
    solver.run(nodes, 0.0, StopFlag())
    assert solver.nodes <= nodes
    return dict(zip(steps, solver.verdicts(), strict=True))


def those(found: dict[str, int], verdict: int) -> set[str]:
    return {step for step, value in found.items() if value == verdict}


def told(text: str, algorithm: str, limits: Limits, multipv: int = 1) -> tuple[str | None, list[Info]]:
    lines: list[Info] = []
    settings = Settings(seed=3, algorithm=algorithm, multipv=multipv)
    step = Bot(settings).decide(SKYCLAIM.parse(text), limits, StopFlag(), lines.append)  # type: ignore[arg-type]
    return step, lines


def test_a_siege_beside_the_command_wins() -> None:
    found = verdicts(line("Ma1,Xe9,mf11"))
    assert those(found, WIN) == {"move:e9e10", "move:e9f10"}


def test_no_siege_wins_past_a_shield_until_it_is_shot() -> None:
    assert not those(verdicts(line("Ma1,Xe9,gg10,mf11")), WIN)
    found = verdicts(line("Ma1,Xe9,Sg8=1!1,gg10,mf11"))
    assert those(found, WIN_LATER) == {"fire:g8g10"}
    assert those(verdicts(line("Ma1,Xe9,Xe10,Sg8=1!1,gg10,mf11")), WIN) == {"fire:g8g10"}


def test_the_last_squares_of_land_win() -> None:
    land = "11/11/11/11/11/SSSSSSSSSSS/SSSSSSSSSSS/SSSSSSSSSSS/SSSSSSSSSSS/SSSSSSSSSSS/SSSSS6"
    found = verdicts(line("Ma1,Sc8=1,Wk1=2,mf11", land))
    assert "claim:c8" in those(found, WIN)
    assert {step.partition(":")[0] for step in those(found, WIN)} == {"claim", "warp"}


def test_an_asteroid_that_surely_falls_on_the_command_wins() -> None:
    stars = STARS.split("/")
    stars[0] = stars[0][:5] + "#" + stars[0][6:]
    text = f"{'/'.join(stars)} Ma1,rf10*2,mf9 {OPEN_LAND} S 8 - - 9 0000000000000007"
    found = verdicts(text)
    assert those(found, WIN) == set(found)


def test_only_what_stops_the_siege_is_not_lost() -> None:
    found = verdicts(line("Ma1,Gb3,xc3,mf11"))
    assert those(found, LOSS)
    assert {"move:b3a2", "move:b3b2", "move:a1b1"} & those(found, OPEN)
    assert "move:b3c4" in those(found, LOSS)


def test_a_free_step_is_lost_if_all_actions_are_and_it_changes_nothing() -> None:
    found = verdicts(line("Ma1,Sk11=1!1,xc1,xc3,xa3,mf11"))
    assert set(found.values()) == {LOSS}
    found = verdicts(line("Ma1,Sd1=1!1,Ga11,xc3,mf11"))
    assert found["fire:d1c3"] == OPEN


def test_two_sieges_win_next_turn_whatever_comes() -> None:
    found = verdicts(line("Ma1,Xe8,Xg8,mf11"))
    assert those(found, WIN_NEXT)
    assert not those(verdicts(line("Ma1,mf11,Xe7")), WIN_NEXT)


@pytest.mark.parametrize("algorithm", FITTING)
def test_a_certain_win_is_told_at_once(algorithm: str) -> None:
    step, lines = told(line("Ma1,Xe9,mf11"), algorithm, Limits(nodes=20_000), multipv=5)
    assert step in ("move:e9e10", "move:e9f10")
    assert [info.multipv for info in lines] == [1, 2]
    assert all(info.win == 1 and info.nodes < 100 for info in lines)


@pytest.mark.parametrize("algorithm", FITTING)
def test_what_loses_at_once_comes_last(algorithm: str) -> None:
    text = line("Ma1,Gb3,xc3,mf11")
    found = verdicts(text)
    step, lines = told(text, algorithm, Limits(nodes=20_000), multipv=500)
    assert step in those(found, OPEN)
    last = lines[-len(found) :]
    kept = len(found) - len(those(found, LOSS))
    assert [info.pv[0] in those(found, LOSS) for info in last] == [place >= kept for place in range(len(found))]


def test_at_a_limit_what_is_not_certain_stays_open() -> None:
    text = line("Ma1,Gb3,xc3,mf11")
    whole, part = verdicts(text), verdicts(text, 40)
    assert all(value in (OPEN, whole[step]) for step, value in part.items())
    assert set(verdicts(text, 0).values()) == {OPEN}


def test_nothing_is_spent_where_nobody_is_within_reach() -> None:
    view = SKYCLAIM.start(6).observe(1)
    solver = Solver(view, 1, list(view.steps().values()), 5)
    solver.run(PLENTY, 0.0, StopFlag())
    assert solver.nodes == 0
    assert set(solver.verdicts()) == {OPEN}


def test_a_stop_ends_it() -> None:
    flag = StopFlag()
    flag.set()
    view = SKYCLAIM.parse(line("Ma1,Gb3,xc3,mf11")).observe(1)
    solver = Solver(view, 1, list(view.steps().values()), 5)
    solver.run(PLENTY, 0.0, flag)
    assert solver.nodes <= 2


@pytest.mark.parametrize("name", ["islands", "rockets"])
def test_a_game_that_cannot_tell_is_searched_as_ever(name: str) -> None:
    assert not is_solvable(game(name).table)
    with pytest.raises(ValueError, match=name):
        Solver(game(name).start(6).observe(1), 1, [0], 1)
