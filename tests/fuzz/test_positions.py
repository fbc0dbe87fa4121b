"""Mutated position lines: each is read as a position that its own line stands for, or refused with reasons.

Nothing else may come of any text: no other error, no crash, no position whose struct is out of order.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

import pytest

from skyclaim_engine.errors import RulesError, quote
from skyclaim_engine.games import GAMES
from skyclaim_engine.games.skyclaim.notation import FIELDS
from tests.vectors import positions, rows

from .mutate import Mutator, count

GAME = GAMES["skyclaim"]
SEED = 20_260_202
#: each line is read under one of these, as a position or as an observation
DOORS = [
    ({"Fog": fog, "Salvage": salvage}, observation)
    for fog, salvage, observation in product(("off", "seam", "dark"), (True, False), (False, True))
]
#: parts of good lines, for faults that are none
WORDS = (
    *(b"?", b"#", b"S", b"N", b"B", b"11", b"10", b"4SSS4", b"4NNN4", b"11/11/11/11/11/11/11/11/11/11/11", b"d4:7"),
    *(b"Mf1", b"mf11!99", b"Se1=3!1", b"ha5*2=12345!2", b"Gf3*2", b"Te2", b"xe11", b"Rc5*3", b"*3", b"=25", b"!1"),
    *(b"5", b"k11:10", b"0123456789abcdef", b"400", b"401", b"999999999", b"1000000000"),
)


def corpus() -> list[bytes]:
    """Good lines: of games, of crowded boards, of set-ups and of what the sides see."""
    lines = [line for _, line in positions("skyclaim", "legal", "perft", "games", "cases", "chaos", "observe")]
    lines += [row["fen"] for row in rows("skyclaim", "setup")]
    lines += [row[side] for row in rows("skyclaim", "observe") for side in "SN"]
    return [line.encode() for line in lines]


class Fields(Mutator):
    """Besides the faults of any line, whole fields of other good lines: their contradictions are subtler."""

    def line(self) -> bytes:
        line = super().line() if self.random.random() < 0.6 else self.random.choice(self.corpus)
        while self.random.random() < 0.4:
            line = self._exchange(line)
        return line

    def _exchange(self, line: bytes) -> bytes:
        """The line with one field of another, or with one byte of a field changed for another of that field."""
        words, others = line.split(b" "), self.random.choice(self.corpus).split(b" ")
        place = self.random.randrange(min(len(words), 9))
        word = words[place]
        if word and self.random.random() < 0.6:
            at = self.random.randrange(len(word))
            letters = others[place] or b"-"
            at_other = self.random.randrange(len(letters))
            words[place] = word[:at] + letters[at_other : at_other + 1] + word[at + 1 :]
        else:
            words[place] = others[place]
        return b" ".join(words)


def check(text: str, options: dict[str, Any], observation: bool) -> str:
    """Read one text; which of the fields it was refused for, or that it was read."""
    try:
        position = GAME.parse(text, options, observation=observation)
    except RulesError as error:
        check_reasons(error, text)
        return error.reasons[0].field
    line = position.line()
    again = GAME.parse(line, options, observation=observation)
    assert again == position
    assert again.line() == line
    assert again.key == position.key
    assert position.board.faults() == []
    legal = position.legal()
    assert bool(legal) == (position.result is None)
    if position.stream is not None and legal:
        position.apply(legal[len(text) % len(legal)])
        assert position.board.faults() == []
    return "good"


def check_reasons(error: RulesError, text: str) -> None:
    """There are some, each names its field and quotes what stands in the text, and the message tells them all."""
    assert error.reasons
    assert str(error) == "; ".join(map(str, error.reasons))
    for reason in set(error.reasons):
        assert reason.field in (*FIELDS, "line")
        assert reason.text in text
        assert str(reason).startswith(f"{reason.field} {quote(reason.text)}: ")
        assert str(reason).isprintable()


def run(lines: Iterable[bytes], handling: str = "surrogateescape") -> dict[str, int]:
    """Read all lines through the doors in turn; how many were good, and how many were refused for which field first."""
    seen: dict[str, int] = {}
    for number, line in enumerate(lines):
        options, observation = DOORS[number % len(DOORS)]
        text = line.decode("utf-8", handling)
        try:
            outcome = check(text, options, observation)
        except Exception as error:
            raise AssertionError(f"line {number} under {options}, {observation=}: {line[:2000]!r}") from error
        seen[outcome] = seen.get(outcome, 0) + 1
    return seen


def fuzz(number: int, seed: int) -> None:
    seen = run(Fields(seed, corpus(), WORDS).lines(number))
    assert sum(seen.values()) == number
    if number >= 2_000:
        assert seen.keys() == {"good", "line", *FIELDS}, seen
        assert seen["good"] > number // 20, seen


def test_mutated_position_lines() -> None:
    fuzz(count(20_000), SEED)


@pytest.mark.soak
@pytest.mark.timeout(0)
def test_mutated_position_lines_at_length() -> None:
    fuzz(count(1_000_000), SEED + 1)


def test_the_mutator_is_the_same_for_the_same_seed() -> None:
    first = list(Fields(1, corpus(), WORDS).lines(200))
    assert first == list(Fields(1, corpus(), WORDS).lines(200))
    assert first != list(Fields(2, corpus(), WORDS).lines(200))


@pytest.mark.parametrize(
    ("letter", "size"), [(",", 1 << 16), *((letter, 1 << 20) for letter in ("1", "/", " ", "S", "?", "é", "\x00"))]
)
def test_very_long_lines(letter: str, size: int) -> None:
    for text in (letter * size, *(field_too_long(place, letter * size) for place in range(9))):
        assert check(text, {}, False) != "good" or letter == " "


def field_too_long(place: int, text: str) -> str:
    """A good line with one field that is far too long."""
    words = corpus()[0].decode().split(" ")
    words[place] += text
    return " ".join(words)
