"""Every command for Islands and Rockets, asked of the real engine: orders, joint steps, seats, clocks, counts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from skyclaim_engine.protocol.client import Client, EngineRefused

from .host import GUARD
from .test_full_game import real

START = "position startpos seed 1"
#: seat 2 of 2 has lost everything
LOST = ("H2.2.025.5", "H2.0.025.0")
OPTIONS = [
    "option name UCI_Variant type combo default skyclaim var skyclaim var islands var rockets",
    "option name Seats type combo default 2 var 2 var 3 var 6",
    "option name Pilots type spin default 2 min 2 max 6",
    "option name Shields type spin default 1 min 1 max 5",
    "option name Wormholes type check default false",
    "option name AsteroidBelt type check default false",
    "option name UpToRoll type check default false",
]


def choose(engine: Client, variant: str, **options: object) -> None:
    """A position of the game, with these options and a fixed chance of the engine's own."""
    for name, value in {"UCI_Variant": variant, "Seed": 5, **options}.items():
        assert engine.ask(f"setoption name {name} value {value}") == []
    assert engine.ask(START) == []


@pytest.fixture
def engine() -> Iterator[Client]:
    with real() as client:
        yield client


@pytest.fixture
def islands(engine: Client) -> Client:
    choose(engine, "islands")
    return engine


@pytest.fixture
def rockets(engine: Client) -> Client:
    choose(engine, "rockets", Pilots=3, Wormholes="true", AsteroidBelt="true")
    return engine


def fen(engine: Client) -> str:
    return engine.ask("d")[-1]


def one(engine: Client, line: str) -> str:
    """The answer, which is one line."""
    [said] = engine.ask(line)
    return said


def refused(engine: Client, line: str, code: str, *words: str) -> None:
    """The line is answered by this error, and nothing changes."""
    before = fen(engine)
    send = (lambda: engine.go(line.removeprefix("go"), GUARD)) if line.split()[0] == "go" else lambda: engine.ask(line)
    with pytest.raises(EngineRefused) as caught:
        send()
    assert caught.value.code == code
    for word in words:
        assert word in caught.value.text
    assert fen(engine) == before


def orders_of(engine: Client, seat: int) -> dict[str, int]:
    """The legal single orders of a seat, with their costs."""
    pairs = (word.split("/") for word in one(engine, f"legal {seat}").split()[1:])
    return {order: int(cost) for order, cost in pairs}


def count(engine: Client, line: str) -> list[str]:
    """What a `go perft` says."""
    return engine.request(line, lambda said: said.startswith(("Nodes searched", "error")), GUARD)


# --- options ----------------------------------------------------------------------------------------------------------


def test_uci_declares_the_options_of_every_game(engine: Client) -> None:
    said = engine.uci()
    assert [line for line in said if line in OPTIONS] == OPTIONS


def test_the_game_and_its_options_apply_from_the_next_position(engine: Client) -> None:
    engine.ask(START)
    skyclaim = fen(engine)
    for line in ("UCI_Variant value Islands", "Seats value 3"):
        assert engine.ask(f"setoption name {line}") == []
        assert fen(engine) == skyclaim
    engine.ask(START)
    assert fen(engine).startswith("fen 3 1 B.0.024.0,")
    engine.ask("setoption name Seats value 6")
    engine.ask("setoption name UCI_Variant value rockets")
    engine.ask("setoption name pilots value 4")
    assert fen(engine).startswith("fen 3 1 ")
    engine.ask(START)
    assert fen(engine).startswith("fen n=4;shields=1;wormholes=0;asteroids=0;upto=0 tile:o ")
    engine.ask("setoption name UCI_Variant value islands")
    engine.ask(START)
    assert fen(engine).startswith("fen 6 1 -,")
    engine.ask("setoption name UCI_Variant value skyclaim")
    engine.ask(START)
    assert fen(engine) == skyclaim


@pytest.mark.parametrize(
    "line",
    ["Seats value 4", "Seats value 0", "Pilots value 7", "Pilots value 1", "Shields value 6", "UpToRoll value 1"],
)
def test_a_wrong_value_leaves_the_option(islands: Client, line: str) -> None:
    refused(islands, f"setoption name {line}", "bad-option", repr(line.split()[-1]))


def test_a_line_of_another_game_is_refused(islands: Client) -> None:
    line = fen(islands)
    islands.ask("setoption name UCI_Variant value rockets")
    refused(islands, f"position {line}", "bad-position")


# --- Islands: the referee ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_legal_lists_single_orders_with_their_costs(engine: Client, seats: int) -> None:
    choose(engine, "islands", Seats=seats)
    line = fen(engine)
    assert one(engine, "legal") == one(engine, "legal 1")
    for seat in range(1, seats + 1):
        orders = orders_of(engine, seat)
        assert len(orders) > 10
        assert list(orders) == sorted(orders)
        assert len(orders) + 1 < int(one(engine, f"orders {seat}").split()[1])
        for order, cost in list(orders.items())[::4]:
            parts = [f"{other}:{order if other == seat else '-'}" for other in range(1, seats + 1)]
            said = engine.ask(f"position {line}\napply {' | '.join(parts)}")
            told = json.loads(said[seat - 1].removeprefix("event "))
            assert (told["type"], told["seat"], told["orders"], told["cost"]) == ("orders", seat, [order], cost)
        engine.ask(f"position {line}")


def test_what_a_seat_sees_is_enough_for_its_own_orders(islands: Client) -> None:
    whole = {seat: islands.ask(f"legal {seat}\norders {seat}") for seat in (1, 2)}
    seen = {seat: one(islands, f"observe {seat}") for seat in (1, 2)}
    assert seen[1] != seen[2]
    for seat, observation in seen.items():
        islands.ask(f"position {observation}")
        assert one(islands, f"observe {seat}") == observation
        assert islands.ask(f"legal {seat}\norders {seat}") == whole[seat]
        assert islands.ask("legal") == whole[seat][:1]
        assert islands.ask(f"legal {3 - seat}") == ["legal"]
        refused(islands, f"observe {3 - seat}", "bad-argument", f"'{3 - seat}'")
        refused(islands, f"orders {3 - seat}", "bad-argument", f"'{3 - seat}'")
        refused(islands, "apply 1:- | 2:-", "bad-position", "observation")


@pytest.mark.parametrize("line", ["legal 7", "legal x", "legal 1 2", "orders 3", "orders 0", "orders", "observe 3"])
def test_a_wrong_seat(islands: Client, line: str) -> None:
    refused(islands, line, "bad-argument")


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ("-", ["one for each of 2 seats", "does not begin with 1:"]),
        ("1:-", ["one for each of 2 seats"]),
        ("1:- | 2:- | 3:-", ["one for each of 2 seats"]),
        ("2:- | 1:-", ["'2:-' does not begin with 1:", "'1:-' does not begin with 2:"]),
        ("1:- 2:-", ["one for each of 2 seats"]),
        ("1: | 2:-", ["seat 1: ", "missing"]),
        ("1:joho | 2:-", ["seat 1: 'joho'"]),
        ("1:- | 2:scan:99", ["seat 2: 'scan:99'"]),
        ("1:scan:13 | 2:scan:7", ["seat 1: 'scan:13'", "seat 2: 'scan:7'"]),
        ("1:recruit:7 recruit:7 | 2:-", ["seat 1: ", "recruit:7"]),
        ("1:fortify:7 recruit:7 rotate:7+ | 2:-", ["seat 1: ", "energy"]),
        ("1:march:7>8*1 march:7>1*1 march:7>18*1 scan:7 | 2:-", ["seat 1: "]),
    ],
)
def test_a_wrong_joint_step_says_why_and_changes_nothing(islands: Client, step: str, words: list[str]) -> None:
    refused(islands, f"apply {step}", "illegal-step", *words)
    refused(islands, f"{START} moves {step}", "illegal-step")


def test_blanks_in_a_joint_step_do_not_matter(islands: Client) -> None:
    said = islands.ask("apply 1:scan:7 rotate:7+ | 2:-")
    islands.ask(START)
    assert islands.ask("apply   1:  rotate:7+\tscan:7  |2:-") == said
    end = fen(islands)
    assert islands.ask(f"{START} moves 1:scan:7 rotate:7+ | 2:- 1:- | 2:scan:13") == []
    assert fen(islands) != end
    assert islands.ask(f"{START} moves 1:scan:7 rotate:7+ | 2:-") == []
    assert fen(islands) == end


def test_a_round_is_told_in_events(islands: Client) -> None:
    said = islands.ask("apply 1:march:7>8*2 scan:7 | 2:recruit:13")
    told = [json.loads(line.removeprefix("event ")) for line in said[:-1]]
    kinds = [event["type"] for event in told]
    assert kinds[:3] == ["orders", "orders", "scan"]
    assert {"recruit", "march", "capture", "income"} <= set(kinds)
    assert kinds[-1] == "round"
    assert said[-1] == fen(islands)


def test_a_seat_that_has_lost_everything_still_has_the_empty_set(islands: Client) -> None:
    line = fen(islands)
    assert line.count(LOST[0]) == 1
    islands.ask(f"position {line.replace(*LOST)}")
    assert orders_of(islands, 2) == {}
    assert one(islands, "orders 2") == "orders 1"
    seen = one(islands, "observe 2")
    islands.ask(f"position {seen}")
    for limits in ("nodes 100", "movetime 50", ""):
        assert islands.go(limits, GUARD).step == "-"


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ("-", ["No orders"]),
        ("scan:7", ["scan:7"]),
        ("scan:7/1", ["scan:7"]),
        ("march:7>8*2 rotate:7+", ["march:7>8*2", "rotate:7+", "island 8"]),
        ("2:scan:13", ["scan:13"]),
        ("1:scan:7 | 2:scan:13", ["Seat 1: scan:7", "Seat 2: scan:13"]),
    ],
)
def test_explain_an_order_a_set_or_a_joint_step(islands: Client, step: str, words: list[str]) -> None:
    said = one(islands, f"explain {step}")
    assert said.startswith("explain ")
    for word in words:
        assert word in said


def test_explain_refuses_what_is_not_legal(islands: Client) -> None:
    for step in ("joho", "scan:13", "1:scan:7 | 2:scan:7", "2:scan:7", "fortify:7 recruit:7 scan:7"):
        refused(islands, f"explain {step}", "illegal-step")
    refused(islands, "explain", "bad-argument")
    refused(islands, "explain 3:-", "bad-argument", "'3'")


# --- Islands: go ------------------------------------------------------------------------------------------------------


def test_go_decides_for_seat_1_or_for_the_seat_that_sees(engine: Client) -> None:
    choose(engine, "islands", Seats=6)
    seen = {seat: one(engine, f"observe {seat}") for seat in range(1, 7)}
    first = engine.go("nodes 400", GUARD).step
    for seat, observation in seen.items():
        own = orders_of(engine, seat)
        engine.ask(f"position {observation}")
        chosen = engine.go("nodes 400", GUARD).step
        assert chosen is not None
        assert {*chosen.split()} - {"-"} <= own.keys()
        assert seat > 1 or chosen == first
        engine.ask(START)


def test_searchmoves_are_sets_of_orders_parted_by_strokes(islands: Client) -> None:
    sets = ["-", "scan:7", "march:7>8*2 rotate:7+"]
    assert islands.go(f"nodes 50 searchmoves {' | '.join(sets)}", GUARD).step in sets
    for chosen in sets:
        answer = islands.go(f"nodes 50 searchmoves {chosen}", GUARD)
        assert answer.step == chosen
        assert answer.infos[-1].endswith(f" pv {chosen}")
    islands.ask("setoption name Skill value 0")
    assert {islands.go(f"searchmoves {' | '.join(sets)}", GUARD).step} <= {*sets}
    refused(islands, "go searchmoves - | scan:13", "illegal-step", "'scan:13'")
    refused(islands, "go searchmoves - | joho", "illegal-step", "'joho'")
    refused(islands, "go searchmoves - |", "illegal-step")
    refused(islands, "go searchmoves", "bad-argument", "'searchmoves'")


@pytest.mark.parametrize(
    "limits", ["", "nodes 100", "movetime 40", "depth 1", "wtime 900 btime 900 winc 1 binc 1", "hint nodes 100"]
)
def test_limits_and_hints(islands: Client, limits: str) -> None:
    chosen = islands.go(limits, GUARD).step
    assert chosen is not None
    assert one(islands, f"explain {chosen}")


def test_many_lines_show_different_sets(islands: Client) -> None:
    islands.ask("setoption name MultiPV value 3")
    infos = islands.go("nodes 2000", GUARD).infos[-3:]
    assert [re.search(r"multipv (\d)", info)[1] for info in infos] == ["1", "2", "3"]  # type: ignore[index]
    assert len({info.partition(" pv ")[2] for info in infos}) == 3


def test_explain_is_told_with_the_answer(islands: Client) -> None:
    islands.ask("setoption name Explain value true")
    answer = islands.go("nodes 400", GUARD)
    does, _, _ = one(islands, f"explain {answer.step}").removeprefix("explain ").partition(" That costs ")
    assert answer.infos[-1].startswith(f"string {does} That costs ")
    assert re.search(r"(About equal to the|The) next best set of orders, ", answer.infos[-1])


def test_a_hint_says_why(engine: Client) -> None:
    choose(engine, "skyclaim")
    engine.ask("setoption name Skill value 0")
    answer = engine.go("hint", GUARD)
    assert answer.step is not None
    start, end = re.fullmatch(r"swap:([a-k]\d+)([a-k]\d+)", answer.step).groups()  # type: ignore[union-attr]
    assert answer.infos[-1].startswith(f"string South swaps {start} and {end}. ")


def test_joint_steps_are_not_counted(islands: Client) -> None:
    for depth in (1, 2, 5):
        [said] = count(islands, f"go perft {depth}")
        assert said.startswith("error limit ")
        assert "joint steps of islands are too many" in said
    assert count(islands, "go perft 0") == ["Nodes searched: 1"]


# --- Rockets ----------------------------------------------------------------------------------------------------------


def flying(engine: Client) -> str:
    """Play on until a rocket flies; the position."""
    while not (line := fen(engine)).split()[2].startswith("fly:"):
        engine.ask(f"apply {one(engine, 'legal').split()[-1]}")
    return line


def test_the_referee_of_rockets(rockets: Client) -> None:
    line = flying(rockets)
    steps = one(rockets, "legal").split()[1:]
    assert steps == sorted(steps)
    assert [len(one(rockets, f"legal {seat}").split()) > 1 for seat in (1, 2, 3)].count(True) == 1
    assert len({one(rockets, f"observe {seat}") for seat in (1, 2, 3)}) == 1
    assert one(rockets, "observe 1").endswith(" -")
    for step in steps:
        assert one(rockets, f"explain {step}").startswith("explain ")
        assert json.loads(rockets.ask(f"apply {step}")[0].removeprefix("event "))["type"] in ("fly", "drift")
        rockets.ask(f"position {line}")
    terms = [said.split()[1] for said in rockets.ask("eval")]
    assert terms[-1] == "sum"
    assert len(set(terms)) == len(terms) > 3
    for command in ("apply", "explain"):
        refused(rockets, f"{command} fly:9,9", "illegal-step", "'fly:9,9'")
        refused(rockets, f"{command} joho", "illegal-step", "'joho'")
        refused(rockets, f"{command} tile:0,0", "illegal-step", "fly")
    refused(rockets, "orders 1", "bad-argument", "'orders'", "rockets")
    for command in ("observe 4", "observe 0", "legal 7", "legal x"):
        refused(rockets, command, "bad-argument")


def test_go_in_rockets(rockets: Client) -> None:
    flying(rockets)
    steps = one(rockets, "legal").split()[1:]
    for limits in ("", "nodes 100", "movetime 40", "clocks 900,900,900 incs 1,1,1", "hint nodes 100"):
        assert rockets.go(limits, GUARD).step in steps
    for step in steps[:3]:
        assert rockets.go(f"nodes 20 searchmoves {step}", GUARD).step == step
    refused(rockets, f"go searchmoves {steps[0]} joho", "illegal-step", "'joho'")
    whole = rockets.go("nodes 300", GUARD).step
    rockets.ask(f"position {one(rockets, 'observe 1')}")
    assert rockets.go("nodes 300", GUARD).step == whole


def test_steps_of_rockets_are_counted(rockets: Client) -> None:
    line = flying(rockets)
    steps = one(rockets, "legal").split()[1:]
    assert count(rockets, "go perft 1") == [*(f"{step}: 1" for step in steps), f"Nodes searched: {len(steps)}"]
    *parts, total = count(rockets, "go perft 2")
    assert [part.split(": ")[0] for part in parts] == steps
    assert sum(int(part.split(": ")[1]) for part in parts) == int(total.removeprefix("Nodes searched: "))
    for part in parts:
        step, number = part.split(": ")
        rockets.ask(f"position {line}\napply {step}")
        assert len(one(rockets, "legal").split()) - 1 == int(number)
    rockets.ask(f"position {one(rockets, 'observe 1')}")
    assert count(rockets, "go perft 1")[-1].startswith("error bad-position ")


# --- both -------------------------------------------------------------------------------------------------------------

MANY = [("islands", "Seats", 6), ("rockets", "Pilots", 6)]


@pytest.mark.parametrize(("variant", "option", "seats"), MANY)
def test_clocks_of_all_seats(engine: Client, variant: str, option: str, seats: int) -> None:
    choose(engine, variant, **{option: seats})
    clocks, incs = ",".join(["900"] * seats), ",".join(["5"] * seats)
    for limits in (f"clocks {clocks}", f"clocks {clocks} incs {incs}", f"incs {incs} clocks {clocks} movestogo 3"):
        assert engine.go(limits, GUARD).step is not None
    refused(engine, f"go clocks {clocks},900", "bad-argument", "'clocks'", f"not {seats + 1}")
    refused(engine, f"go clocks {clocks} incs 5", "bad-argument", "'incs'", "not 1")
    refused(engine, "go clocks 1,x", "bad-argument", "'x'")
    # a clock for each seat up to the one that decides is what it takes
    if variant == "islands":
        engine.ask(f"position {one(engine, 'observe 6')}")
        refused(engine, "go clocks 900,900,900,900,900", "bad-argument", "'clocks'", "not 5")
        refused(engine, "go wtime 900 btime 900", "bad-argument", "'clocks'", "not 2")


@pytest.mark.parametrize(("variant", "option", "seats"), MANY)
def test_questions_are_answered_during_a_search(engine: Client, variant: str, option: str, seats: int) -> None:
    choose(engine, variant, **{option: seats})
    questions = ["d", "legal 1", "observe 6", "eval"]
    before = [engine.ask(line) for line in questions]
    engine.send("go infinite id a")
    for line, said in zip(questions, before, strict=True):
        assert [answer for answer in engine.ask(line) if not answer.startswith("info ")] == said
    with pytest.raises(EngineRefused):
        engine.ask("apply joho")
    last = engine.request("stop", lambda said: said.startswith("bestmove "), GUARD)[-1]
    assert last.endswith(" id a")


@pytest.mark.parametrize(("variant", "option", "seats"), MANY)
def test_the_picture_of_any_number_of_seats(engine: Client, variant: str, option: str, seats: int) -> None:
    for number in (2, 3, seats):
        choose(engine, variant, **{option: number})
        *picture, line = engine.ask("d")
        assert line.startswith("fen ")
        assert len(picture) > 3
        assert engine.ask(f"position {line}") == []
        assert engine.ask("d") == [*picture, line]


def test_one_session_changes_the_game_in_the_middle(engine: Client) -> None:
    for variant in ("islands", "rockets", "skyclaim", "rockets", "islands"):
        choose(engine, variant)
        assert engine.go("nodes 100", GUARD).step not in (None, "")
