"""Mutated position lines of Islands and Rockets: each is read as a position that its own line stands for, or refused.

A refusal names the field and quotes what stands there. Nothing else may come of any text: no other error, no crash, no
position whose struct is out of order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import pytest

from skyclaim_engine.errors import RulesError, quote
from skyclaim_engine.game import Position
from skyclaim_engine.games import GAMES
from skyclaim_engine.games.islands import notation as islands_notation
from skyclaim_engine.games.rockets import notation as rockets_notation
from tests.vectors import rows

from .mutate import Mutator, count

SEED = 20_260_303
#: what separates the entries of a field
BETWEEN = re.compile(rb"([;,.:@+]+)")


@dataclass(frozen=True)
class Notation:
    """What is fuzzed of a game: its fields, its good lines, and parts of such for faults that are none."""

    fields: tuple[str, ...]
    corpus: tuple[bytes, ...]
    words: tuple[bytes, ...]


def islands_lines() -> list[str]:
    """Of starts, games, crowded boards and what is seen of them."""
    lines = [row["fen"] for name in ("setup", "orders", "observe") for row in rows("islands", name)]
    lines += [after for row in rows("islands", "games") for _, after in row["rounds"]]
    return lines + [line for row in rows("islands", "observe") for line in row["seen"].values()]


def rockets_lines() -> list[str]:
    """Of all phases, with every way of the options."""
    lines = [row["fen"] for name in ("setup", "legal", "perft", "observe") for row in rows("rockets", name)]
    lines += [after for row in rows("rockets", "games") for _, after in row["steps"][::7]]
    lines += [row["steps"][-1][1] for row in rows("rockets", "games")]
    return lines + [row["obs"] for row in rows("rockets", "observe")]


NOTATIONS = {
    "islands": Notation(
        islands_notation.FIELDS,
        tuple(line.encode() for line in islands_lines()),
        (
            *(b"?", b"-", b"H1.1.024.5", b"F.0.012.0", b"G.2.345.20", b"B.1.135.?", b"P.3.024.1", b"H2.1.345.21"),
            *(b"1@7", b"2@13,3@0", b"6@36", b"12", b"13", b"0.5", b"99.5", b"9999", b"0123456789abcdef"),
        ),
    ),
    "rockets": Notation(
        rockets_notation.FIELDS,
        tuple(line.encode() for line in rockets_lines()),
        (
            *(b"tile:o", b"tile:a", b"rock", b"rocket", b"shield", b"fly:4", b"fly:6*", b"aim", b"aim*", b"trace:5:2"),
            *(b"trace:3:1*", b"after", b"over:1:last", b"over:12:together", b"over:13:rounds", b"x", b"off:1"),
            *(
                b"0,0:0",
                b"-12,12",
                b"12,-12w",
                b"13,0",
                b"0,0a",
                b"1@0,0",
                b"6@1,1",
                b"200:12",
                b"201:1",
                b"0:",
                b"9.1.23",
            ),
            *(b"0.0.-", b"o12w1a0", b"+oooo", b"+wwwa", b"wormholes=1", b"asteroids=1", b"0123456789abcdef"),
        ),
    ),
}


class Entries(Mutator):
    """Besides the faults of any line, fields and entries of other good lines: their contradictions are subtler."""

    def __init__(self, seed: int, notation: Notation) -> None:
        super().__init__(seed, notation.corpus, notation.words)
        self.fields = len(notation.fields)

    def line(self) -> bytes:
        line = super().line() if self.random.random() < 0.5 else self.random.choice(self.corpus)
        while self.random.random() < 0.4:
            line = self._exchange(line)
        return line

    def _exchange(self, line: bytes) -> bytes:
        """The line with one field of another, or with one entry of a field exchanged for another of that field."""
        words, others = line.split(b" "), self.random.choice(self.corpus).split(b" ")
        place = self.random.randrange(min(len(words), self.fields))
        words[place] = self._entry(words[place], others[place]) if self.random.random() < 0.8 else others[place]
        return b" ".join(words)

    def _entry(self, word: bytes, other: bytes) -> bytes:
        """A field with one entry of another's in the place of one of its own, or beside it, or without one."""
        parts, entries = BETWEEN.split(word), BETWEEN.split(other)[::2]
        at = 2 * self.random.randrange((len(parts) + 1) // 2)
        way = self.random.random()
        if way < 0.7:
            parts[at] = self.random.choice(entries)
        elif way < 0.8:
            parts[at:at] = [self.random.choice(entries), self.random.choice((b";", b","))]
        elif way < 0.9:
            del parts[at : at + 2]
        else:
            turn = 2 * self.random.randrange((len(parts) + 1) // 2)
            parts[at], parts[turn] = parts[turn], parts[at]
        return b"".join(parts)


def check(game: str, text: str, observation: bool) -> str:
    """Read one text; which of the fields it was refused for, or that it was read."""
    try:
        position = GAMES[game].parse(text, observation=observation)
    except RulesError as error:
        check_reasons(error, text, NOTATIONS[game].fields)
        return error.reasons[0].field
    check_position(position, observation)
    if position.stream is not None and position.deciders:
        seats, number = position.deciders, len(text)
        steps = {seat: position.legal(seat) for seat in seats}
        chosen = {seat: steps[seat][number % len(steps[seat])].partition("/")[0] for seat in seats if steps[seat]}
        position.apply(position.joint(chosen))
        check_position(position, observation=False)
    return "good"


def check_position(position: Position, observation: bool) -> None:
    """Its line is read as the same again, its struct is in order, and there is something to do unless it is over."""
    line = position.line()
    again = position.game.parse(line, observation=observation)
    assert again == position
    assert again.line() == line
    assert again.key == position.key
    assert position.board.faults() == []  # type: ignore[attr-defined]
    assert bool(position.deciders) == (position.result is None)
    if not position.game.info.simultaneous:
        assert bool(position.legal()) == bool(position.deciders)


def check_reasons(error: RulesError, text: str, fields: tuple[str, ...]) -> None:
    """There are some, each names its field and quotes what stands in the text, and the message tells them all."""
    assert error.reasons
    assert str(error) == "; ".join(map(str, error.reasons))
    for reason in set(error.reasons):
        assert reason.field in (*fields, "line")
        assert reason.text in text
        assert str(reason).startswith(f"{reason.field} {quote(reason.text)}: ")
        assert str(reason).isprintable()


def run(game: str, lines: Iterable[bytes], handling: str = "surrogateescape") -> dict[str, int]:
    """Read all lines, as positions and observations in turn; how many were good, or refused for which field first."""
    seen: dict[str, int] = {}
    for number, line in enumerate(lines):
        text, observation = line.decode("utf-8", handling), looks_seen(line) != (number % 8 == 0)
        try:
            outcome = check(game, text, observation)
        except Exception as error:
            raise AssertionError(f"line {number} of {game}, {observation=}: {line[:2000]!r}") from error
        seen[outcome] = seen.get(outcome, 0) + 1
    return seen


def looks_seen(line: bytes) -> bool:
    """Whether a line is rather an observation: hidden numbers, or a stack that is only counted."""
    return b"?" in line or b"w0a" in line or re.search(rb"o\d+w\d", line) is not None


def fuzz(game: str, number: int, seed: int) -> None:
    notation = NOTATIONS[game]
    seen = run(game, Entries(seed, notation).lines(number))
    assert sum(seen.values()) == number
    if number >= 2_000:
        assert seen.keys() == {"good", "line", *notation.fields}, seen
        assert seen["good"] > number // 20, seen


@pytest.mark.parametrize("game", NOTATIONS)
def test_mutated_position_lines(game: str) -> None:
    fuzz(game, count(5_000), SEED)


@pytest.mark.soak
@pytest.mark.timeout(0)
@pytest.mark.parametrize("game", NOTATIONS)
def test_mutated_position_lines_at_length(game: str) -> None:
    fuzz(game, count(1_000_000), SEED + 1)


@pytest.mark.parametrize("game", NOTATIONS)
def test_the_lines_mutated_are_good(game: str) -> None:
    for line in NOTATIONS[game].corpus:
        assert check(game, line.decode(), looks_seen(line)) == "good"


@pytest.mark.parametrize("game", NOTATIONS)
def test_the_mutator_is_the_same_for_the_same_seed(game: str) -> None:
    first = list(Entries(1, NOTATIONS[game]).lines(200))
    assert first == list(Entries(1, NOTATIONS[game]).lines(200))
    assert first != list(Entries(2, NOTATIONS[game]).lines(200))


@pytest.mark.parametrize("game", NOTATIONS)
@pytest.mark.parametrize("letter", [",", ";", ".", "1", "o", " ", "?", "é", "\x00"])
def test_very_long_lines(game: str, letter: str) -> None:
    size = 1 << 16 if letter in ",;" else 1 << 18
    fields = len(NOTATIONS[game].fields)
    for text in (letter * size, *(field_too_long(game, place, letter * size) for place in range(fields))):
        assert check(game, text, False) != "good" or letter == " "


def field_too_long(game: str, place: int, text: str) -> str:
    """A good line with one field that is far too long."""
    words = NOTATIONS[game].corpus[0].decode().split(" ")
    words[place] += text
    return " ".join(words)
