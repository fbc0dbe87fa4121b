"""Vectors: what independent programs, written from the rules alone, answer. One JSON object a line.

| file of skyclaim/ | one row |
|---|---|
| setup | seed, asteroids south and north: the start position |
| legal | options, position: all legal steps, sorted |
| perft | options, position: counts for depth 1, 2 (and 3), of some the divide at depth 2 |
| games | options, start, every step with the position after it, the result (null where the game was cut) |
| cases | single steps picked for rare events, by name |
| chaos | positions that no game would reach: legal list, some steps with the position after and the result |
| observe | options, position: what South and North see |
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent

#: rows by file; a file that lost rows must not pass unseen
SKYCLAIM_ROWS = {"setup": 20, "legal": 60, "perft": 30, "games": 20, "cases": 272, "chaos": 125, "observe": 30}


@cache
def rows(game: str, name: str) -> list[dict[str, Any]]:
    """All rows of one file; for reading only."""
    with (ROOT / game / f"{name}.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def positions(game: str, *names: str) -> list[tuple[dict[str, Any], str]]:
    """(options, line) of every row of these files that has a position of its own."""
    return [(row["options"], row["fen"]) for name in names for row in rows(game, name)]
