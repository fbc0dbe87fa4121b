"""The words of `--engine` and `--each`, time controls, and what an engine declares."""

from __future__ import annotations

import sys

import pytest

from skyclaim_engine.arena.clocks import GRACE, MARGIN, Clock, Limits, deadline, go_words
from skyclaim_engine.arena.engines import check_value, declared, read_engines
from skyclaim_engine.errors import OptionError, SkyclaimError


def test_one_engine_in_one_text_or_in_words() -> None:
    text = 'name=a cmd="python3 my engine.py" option.Skill=20 "option.Move Overhead=5" nodes=500 dir=/tmp restart=on'
    words = ["name=a", "cmd=python3 my engine.py", "option.Skill=20", "option.Move Overhead=5", "nodes=500", "dir=/tmp"]
    [spec] = read_engines([[text]])
    assert read_engines([[*words, "restart=on"]]) == (spec,)
    assert spec.argv == ["python3", "my", "engine.py"]
    assert spec.options == {"Skill": "20", "Move Overhead": "5"}
    assert (spec.limits.nodes, spec.folder, spec.restart) == (500, "/tmp", True)
    assert spec.record() == {
        "name": "a", "command": "python3 my engine.py", "options": {"Skill": "20", "Move Overhead": "5"},
        "limits": {"nodes": "500"}, "dir": "/tmp", "restart": True,
    }  # fmt: skip


def test_what_stands_for_a_command() -> None:
    builtin, far = read_engines([["cmd=builtin"], ["cmd=tcp://127.0.0.1:5000"]])
    assert builtin.argv == [sys.executable, "-m", "skyclaim_engine"]
    assert far.argv == ["tcp://127.0.0.1:5000"]


def test_names_are_unique() -> None:
    specs = read_engines([["cmd=builtin"], ["cmd='/usr/bin/x --y'"], ["cmd=builtin"], ["name=builtin cmd=x"]])
    assert [spec.name for spec in specs] == ["builtin-2", "x", "builtin-3", "builtin"]


def test_each_is_for_all_but_the_engine_goes_first() -> None:
    one, other = read_engines(
        [["name=a nodes=7"], ["name=b", "st=0.5", "option.Skill=0"]], [["cmd=builtin option.Skill=50"], ["tc=60+0.6"]]
    )
    assert (one.options, one.words) == ({"Skill": "50"}, {"tc": "60+0.6", "nodes": "7"})
    assert (other.options, other.words) == ({"Skill": "0"}, {"st": "0.5"})


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("name=a", "engine 'a': cmd is missing"),
        ("", "engine 'engine': cmd is missing"),
        ("cmd=x colour=red", "engine 1: 'colour=red' is not KEY=VALUE"),
        ("cmd=x fast", "engine 1: 'fast' is not KEY=VALUE"),
        ("cmd=x option.=3", "'option.=3' is not KEY=VALUE"),
        ("cmd=x nodes=1 nodes=2", "nodes '2' is given twice"),
        ("cmd=x 'name=", "engine 1: .* cannot be read"),
        ("name= cmd=x", "name '' is not 1 to 40"),
        ("name=' ' cmd=x", "name ' ' is not 1 to 40"),
        ("cmd=x option.Skill=1 option.skill=2", "option.skill '2' is given twice"),
        ("name=a cmd=x tc=soon", r"engine 'a': tc 'soon' is not \[TURNS/\]"),
        ("name=a cmd=x tc=0", "engine 'a': tc '0': the time"),
        ("name=a cmd=x tc=1 st=1", "engine 'a': st '1': there is a tc too"),
        ("name=a cmd=x st=0", "engine 'a': st '0' is not a number of seconds"),
        ("name=a cmd=x nodes=0", "engine 'a': nodes '0' is not a whole number"),
        ("name=a cmd=x depth=256", r"engine 'a': depth '256' is not a whole number 1..255"),
        ("name=a cmd=x timemargin=-1", "engine 'a': timemargin '-1' is not a whole number"),
        ("name=a cmd=x restart=yes", "engine 'a': restart 'yes' is neither on nor off"),
        ("name=a cmd=tcp://nowhere", "engine 'a': cmd 'tcp://nowhere' is not tcp://HOST:PORT"),
        ("name=a cmd=tcp://h:70000", "is not tcp://HOST:PORT"),
    ],
)
def test_what_is_wrong_is_named(words: str, expected: str) -> None:
    with pytest.raises(SkyclaimError, match=expected):
        read_engines([[words]])


def test_more_names_that_are_wrong() -> None:
    with pytest.raises(SkyclaimError, match="engine 2: name 'a' is taken"):
        read_engines([["name=a cmd=x"], ["name=a cmd=y"]])
    with pytest.raises(SkyclaimError, match="--each: name 'a' cannot be the same for all"):
        read_engines([["cmd=x"]], [["name=a"]])
    for words in (["name=a\tb", "cmd=x"], ["cmd=x", "option.Log=a\nquit"]):
        with pytest.raises(SkyclaimError, match="has characters that cannot be printed"):
            read_engines([words])
    with pytest.raises(SkyclaimError, match="is not 1 to 40"):
        read_engines([["name=" + "a" * 41, "cmd=x"]])


@pytest.mark.parametrize(
    ("text", "moves", "base", "inc"),
    [
        ("60+0.6", 0, 60_000, 600),
        ("40/60", 40, 60_000, 0),
        ("5:00+3", 0, 300_000, 3000),
        ("2/1:0.5+1", 2, 60_500, 1000),
    ],
)
def test_time_controls(text: str, moves: int, base: int, inc: int) -> None:
    limits = Limits.parse({"tc": text})
    assert (limits.moves, limits.base, limits.inc, limits.margin) == (moves, base, inc, MARGIN)


def test_a_clock_runs_down_and_is_wound_up() -> None:
    clock = Clock(Limits.parse({"tc": "2/1+0.1", "timemargin": "50"}))
    assert clock.spend(400)
    assert clock.spend(300)  # the same turn: no increment between its steps
    assert clock.allowed() == 300
    clock.end_turn()
    assert (clock.allowed(), clock.to_go) == (400, 1)
    assert clock.spend(450)  # over by the margin and no more
    assert clock.allowed() == 0
    clock.end_turn()
    assert (clock.allowed(), clock.to_go) == (1100, 2)
    assert not clock.spend(1151)


def test_time_for_each_step_does_not_run_down() -> None:
    clock = Clock(Limits.parse({"st": "0.1", "timemargin": "0"}))
    assert [clock.spend(100), clock.spend(100), clock.spend(100.1)] == [True, True, False]
    assert deadline(clock, 60) == pytest.approx(0.1 + GRACE)


def test_without_a_limit_of_time_there_is_the_ceiling() -> None:
    clock = Clock(Limits.parse({"nodes": "5"}))
    assert clock.spend(1e9)
    assert deadline(clock, 60) == 60


def test_the_words_of_go() -> None:
    def words(*limits: dict[str, str], seat: int = 1) -> str:
        return go_words([Clock(Limits.parse(each)) for each in limits], seat)

    assert words({"st": "0.1", "depth": "3"}, {}) == "movetime 100 depth 3"
    assert words({"nodes": "5"}, {"tc": "60"}) == "nodes 5"
    assert words({"nodes": "5"}, {"tc": "60+1"}, seat=2) == "wtime 60000 btime 60000 winc 1000 binc 1000"
    assert words({"tc": "40/60"}, {"tc": "30+1"}) == "wtime 60000 btime 30000 winc 0 binc 1000 movestogo 40"
    assert words({"tc": "6"}, {"tc": "5"}, {"tc": "4+1"}) == "clocks 6000,5000,4000 incs 0,0,1000"
    assert words({}, {}) == ""


def test_declared_options_check_values() -> None:
    options = declared([
        "id name x",
        "option name Skill type spin default 5 min 0 max 10",
        "option name Move Overhead type spin default 5",
        "option name Style type combo default a var a var very odd",
        "option name Log type string default",
        "option name Clear type button",
        "option name broken",
    ])  # fmt: skip
    assert set(options) == {"skill", "move overhead", "style", "log", "clear"}
    for name, value in (("SKILL", "10"), ("Move Overhead", "99"), ("style", "very odd"), ("Log", "any thing")):
        check_value(options, name, value)
    for name, value, words in (
        ("Skill", "11", r"Skill: '11' is not in 0..10"),
        ("Style", "b", "Style: 'b' is not one of a, very odd"),
        ("Elo", "3", "'Elo' is not one of the engine's"),
    ):
        with pytest.raises(OptionError, match=words):
            check_value(options, name, value)
