"""Mutated lines, the same ones for the same seed; for protocol lines and position lines alike."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Sequence

#: how many lines a fuzz test runs; `make soak` runs a million
LINES = "SKYCLAIM_FUZZ_LINES"

#: texts that parsers are known to stumble over
NASTY = (
    *(b"0", b"-1", b"-0", b"00", b"+1", b"1_0", b"1e9", b"0x10", b"255", b"256", b"65536", b"2147483648"),
    *(b"9223372036854775808", b"18446744073709551615", b"18446744073709551616", b"9" * 40, b"1" * 5000),
    *(b"-", b"--", b"", b" ", b"\t", b"\r", b"\x00", b"\x1b[2J", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xef\xbb\xbf"),
    *(text.encode() for text in ("²", "٣", "é", "\u202e", "😀", "\u2028", "\u00a0", "İ")),
    *(b"'", b'"', b"\\", b"%s", b"{}", b",", b",,", b"/", b":", b"=", b"*", b"!", b"?", b"None", b"nan", b"true"),
)


def count(default: int) -> int:
    """The number of lines to run."""
    return int(os.environ.get(LINES, default))


class Mutator:
    """Lines made from a ``corpus`` of good ones: most with a fault or two, some as they are."""

    def __init__(self, seed: int, corpus: Sequence[bytes], words: Sequence[bytes] = ()) -> None:
        self.random = random.Random(seed)
        self.corpus = list(corpus)
        self.words = [*NASTY, *words, *{word for line in corpus for word in line.split()}]

    def lines(self, number: int) -> Iterator[bytes]:
        """``number`` lines."""
        for _ in range(number):
            yield self.line()

    def line(self) -> bytes:
        """One line."""
        line = self.random.choice(self.corpus)
        for _ in range(self.random.choice((0, 0, 1, 1, 1, 2, 2, 5))):
            line = self.random.choice(
                (self._flip, self._drop, self._insert, self._cut, self._repeat, self._replace, self._swap, self._join)
            )(line)
        return line.replace(b"\n", b"")

    def _at(self, line: bytes) -> int:
        return self.random.randint(0, len(line))

    def _span(self, line: bytes) -> tuple[int, int]:
        start = self._at(line)
        return start, min(len(line), start + self.random.choice((1, 1, 2, 5, 20)))

    def _flip(self, line: bytes) -> bytes:
        if not line:
            return line
        at = self.random.randrange(len(line))
        byte = (
            line[at] ^ (1 << self.random.randrange(8)) if self.random.random() < 0.5 else self.random.randrange(32, 127)
        )
        return line[:at] + bytes((byte,)) + line[at + 1 :]

    def _drop(self, line: bytes) -> bytes:
        start, end = self._span(line)
        return line[:start] + line[end:]

    def _insert(self, line: bytes) -> bytes:
        at = self._at(line)
        return line[:at] + self.random.choice(self.words) + line[at:]

    def _cut(self, line: bytes) -> bytes:
        at = self._at(line)
        return self.random.choice((line[:at], line[at:]))

    def _repeat(self, line: bytes) -> bytes:
        start, end = self._span(line)
        times = 40_000 if self.random.random() < 0.003 else self.random.choice((1, 2, 10))
        return line[:end] + line[start:end] * times + line[end:]

    def _replace(self, line: bytes) -> bytes:
        words = line.split(b" ")
        words[self.random.randrange(len(words))] = self.random.choice(self.words)
        return b" ".join(words)

    def _swap(self, line: bytes) -> bytes:
        words = line.split(b" ")
        a, b = self.random.randrange(len(words)), self.random.randrange(len(words))
        words[a], words[b] = words[b], words[a]
        return b" ".join(words)

    def _join(self, line: bytes) -> bytes:
        other = self.random.choice(self.corpus)
        return line[: self._at(line)] + other[self._at(other) :]
