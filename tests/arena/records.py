"""Ledgers made up for tests: a header, and games with a given or a drawn result."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

Record = dict[str, Any]

SHARES = {"1": [1.0, 0.0], "=": [0.5, 0.5], "0": [0.0, 1.0]}


def header(*names: str, **more: object) -> Record:
    """The first line of a ledger."""
    return {"record": "match", "game": "skyclaim", "seed": 7, "engines": [{"name": name} for name in names], **more}


def game(block: int, number: int, engines: Sequence[str], result: Sequence[float], **more: object) -> Record:
    """A game of two steps of each seat."""
    seats = [*range(1, len(engines) + 1)] * 2
    return {
        "record": "game", "block": block, "game": number, "engines": list(engines), "result": list(result),
        "ended": "rules", "turns": 30, "seats": seats, "times": [float(seat) for seat in seats], **more,
    }  # fmt: skip


def pair(block: int, one: str, other: str, results: str) -> list[Record]:
    """A block of two games; the results are those of ``one``, which sits first and then second."""
    return [
        game(block, 0, [one, other], SHARES[results[0]]),
        game(block, 1, [other, one], SHARES[results[1]][::-1]),
    ]


def drawn(names: Sequence[str], blocks: int, seed: int) -> Iterator[Record]:
    """Blocks of all pairs by turns, with results by chance in which earlier names are a little better."""
    random = Random(seed)
    meetings = itertools.cycle(itertools.combinations(names, 2))
    for block in range(blocks):
        yield from pair(block, *next(meetings), "".join(random.choices("1=0", [5, 3, 4], k=2)))
