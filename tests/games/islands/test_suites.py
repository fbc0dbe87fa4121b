"""The suites of counts in perft/islands/ (rules 8)."""

from __future__ import annotations

from pathlib import Path

import pytest

from skyclaim_engine.errors import LimitError
from skyclaim_engine.games.islands.position import GAME

from .games import scene

SUITES = Path(__file__).resolve().parents[3] / "perft" / "islands"


@pytest.mark.parametrize("name", ["games", "crowded", "joint"])
def test_counts(name: str) -> None:
    checked = 0
    for text in (SUITES / f"{name}.perft").read_text(encoding="utf-8").splitlines():
        if text.startswith("# "):
            continue
        line, *fields = text.split(" ;")
        position = GAME.parse(line)
        assert position.line() == line
        for field in fields:
            what, count = field.split()
            number = int(what[1:])
            found = position.orders(number) if what[0] == "O" else position.board.perft(number)
            assert found == int(count), (line, what)
            checked += 1
    assert checked >= {"games": 800, "crowded": 150, "joint": 13}[name]


def test_perft_by_listing() -> None:
    """The sum over all joint steps, walked in the open."""
    position = scene({7: "1.234.1", 13: "2.015.0"}, energy="0,1", number=11)
    assert position.board.perft(0) == 1
    assert position.board.perft(1) == position.orders(1) * position.orders(2)
    total, deeper = 0, 0
    for one in position.order_sets(1):
        for two in position.order_sets(2):
            after = position.copy()
            after.apply(f"1:{one} | 2:{two}")
            total += after.orders(1) * after.orders(2)
            deeper += 0 if after.turn == 12 else 1
    assert position.board.perft(2) == total > 1000
    assert deeper == 0
    assert position.board.perft(3, most=10**7) == 0  # there is no third round
    with pytest.raises(LimitError, match="limit of 5 rounds"):
        position.board.perft(2, most=5)
