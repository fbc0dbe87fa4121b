"""The parsers of the protocol's words."""

from __future__ import annotations

import pytest

from skyclaim_engine.errors import ProtocolError
from skyclaim_engine.protocol import grammar
from skyclaim_engine.protocol.grammar import Go, Place
from skyclaim_engine.protocol.session import Session


def go(line: str) -> Go:
    return grammar.parse_go(line.split())


@pytest.mark.parametrize("command", grammar.COMMANDS, ids=lambda command: command.name)
def test_every_command_has_a_handler_and_says_what_it_does(command: grammar.Command) -> None:
    assert callable(getattr(Session, command.handler))
    assert command.usage.split()[0] == command.name
    assert command.help


def test_words_before_a_command_are_skipped() -> None:
    command, rest = grammar.find("joho setoption name a value b".split())
    assert command.name == "setoption"
    assert rest == "name a value b".split()


def test_an_unknown_command_is_named() -> None:
    with pytest.raises(ProtocolError, match="'Joho'") as caught:
        grammar.find(["Joho", "haha"])
    assert caught.value.code == "unknown-command"


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ("name Hash value 16", "Hash", "16"),
        ("name Move Overhead value 30", "Move Overhead", "30"),
        ("name Book value a b  value c", "Book", "a b value c"),
        ("name Clear", "Clear", None),
        ("name Fog value", "Fog", ""),
    ],
)
def test_setoption(line: str, name: str, value: str | None) -> None:
    assert grammar.parse_option(line.split()) == (name, value)


@pytest.mark.parametrize("line", ["", "Hash value 16", "name", "name value 16"])
def test_setoption_without_a_name(line: str) -> None:
    with pytest.raises(ProtocolError) as caught:
        grammar.parse_option(line.split())
    assert caught.value.code == "bad-argument"


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ("startpos", Place("startpos", None, "", ())),
        ("startpos seed 18446744073709551615", Place("startpos", 2**64 - 1, "seed 18446744073709551615", ())),
        ("startpos moves a b", Place("startpos", None, "", ("a", "b"))),
        ("startpos seed 0 moves", Place("startpos", 0, "seed 0", ())),
        ("fen 1 2 3 moves x", Place("fen", None, "1 2 3", ("x",))),
        ("obs 1 2 -", Place("obs", None, "1 2 -", ())),
        ("fen", Place("fen", None, "", ())),
    ],
)
def test_position(line: str, place: Place) -> None:
    assert grammar.parse_position(line.split()) == place


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("", "position"),
        ("start", "start"),
        ("startpos sead 1", "sead"),
        ("startpos seed", "seed"),
        ("startpos seed x", "x"),
        ("startpos seed -1", "-1"),
        ("startpos seed 18446744073709551616", "18446744073709551616"),
        ("startpos seed 1 2", "2"),
        ("startpos seed ²", "²"),
    ],
)
def test_a_wrong_position_names_the_word(line: str, word: str) -> None:
    with pytest.raises(ProtocolError, match=f"'{word}'"):
        grammar.parse_position(line.split())


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", Go()),
        ("movetime 5 nodes 6 depth 7", Go(movetime=5, nodes=6, depth=7)),
        ("infinite", Go(infinite=True)),
        ("wtime 9 btime 8 winc 1 binc 2 movestogo 3", Go(clocks=(9, 8), incs=(1, 2), movestogo=3)),
        ("wtime 9", Go(clocks=(9, 9))),
        ("btime -9 wtime 5", Go(clocks=(5, 0))),
        ("clocks 1,2,3 incs 4,5,6", Go(clocks=(1, 2, 3), incs=(4, 5, 6))),
        ("movetime 0 movestogo 0", Go(movetime=1)),
        ("hint", Go(hint=True)),
        ("perft 0", Go(perft=0)),
        ("perft 3 id x", Go(perft=3, tag="x")),
        ("id x nodes 1", Go(nodes=1, tag="x")),
        ("nodes 1 id nodes", Go(nodes=1, tag="nodes")),
        ("nodes 1 searchmoves a b id x", Go(nodes=1, searchmoves=("a", "b"), tag="x")),
        ("searchmoves a depth 3", Go(searchmoves=("a", "depth", "3"))),
    ],
)
def test_go(line: str, expected: Go) -> None:
    assert go(line) == expected


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("nodes", "nodes"),
        ("nodes 0", "0"),
        ("nodes 1.5", r"1\.5"),
        ("nodes 1 nodes 2", "nodes"),
        ("nodes 1" + "0" * 5000, "10000"),
        ("depth 256", "256"),
        ("depth -1", "-1"),
        ("clocks 1,,2", ""),
        ("clocks 5 wtime 5", "clocks"),
        ("ponder", "ponder"),
        ("id", "id"),
        ("id " + "x" * 65, "id"),
        ("id a id b", "id"),
        ("searchmoves", "searchmoves"),
        ("searchmoves id x", "searchmoves"),
        ("perft", "perft"),
        ("perft 2 nodes 5", "nodes"),
        ("perft 2 hint", "hint"),
        ("movetime 1000000000001", "1000000000001"),
    ],
)
def test_a_wrong_go_names_the_word(line: str, word: str) -> None:
    with pytest.raises(ProtocolError, match=f"'{word}") as caught:
        go(line)
    assert caught.value.code == "bad-argument"


def test_joint_steps_have_blanks_in_them() -> None:
    words = "1:march:7>1*3 scan:7 | 2:- 1:- | 2:scan:9".split()
    assert grammar.steps(words, joint=True) == ["1:march:7>1*3 scan:7 | 2:-", "1:- | 2:scan:9"]
    assert grammar.steps(words, joint=False) == words
    assert grammar.steps([], joint=True) == []
    assert grammar.steps(["x", "1:-"], joint=True) == ["x", "1:-"]


def test_order_sets_are_parted_by_bars() -> None:
    assert grammar.choices("a b | - |c".split(), joint=True) == ["a b", "-", "c"]
    assert grammar.choices("a b".split(), joint=False) == ["a", "b"]
    assert grammar.choices([], joint=True) == []
