"""docs/rulings.md names every ruling of the rules pages, and the names it gives are in the source."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
RULINGS = (ROOT / "docs" / "rulings.md").read_text(encoding="utf-8")
#: the files that hold each game's rules
SOURCES = {
    "skyclaim": ("_board.p*", "_lanes.h", "ratings.py", "games/skyclaim/*.py"),
    "islands": ("games/islands/*.p*",),
    "rockets": ("games/rockets/*.p*", "games/rockets/*.h"),
}


def rows(game: str) -> list[str]:
    """The rows of a game's table."""
    part = RULINGS.split(f"\n## {game.title()}\n", 1)[1].split("\n## ", 1)[0]
    return [row for row in part.splitlines() if row.startswith("| J")]


@pytest.mark.parametrize("game", SOURCES)
def test_every_ruling_is_listed_once(game: str) -> None:
    listed = [row.split("|")[1].strip() for row in rows(game)]
    assert listed == [f"J{n}" for n in range(1, len(listed) + 1)]
    rules = (ROOT / "docs" / "rules" / f"{game}.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\bJ\d+\b", rules)) == set(listed)


@pytest.mark.parametrize("game", SOURCES)
def test_the_names_exist(game: str) -> None:
    paths = [path for glob in SOURCES[game] for path in (ROOT / "skyclaim_engine").glob(glob)]
    source = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    for row in rows(game):
        names = re.findall(r"`([A-Za-z_]+)`", row.rsplit("|", 2)[1])
        assert names, row
        for name in names:
            assert re.search(rf"\b{name}\b", source), f"{name} is not in the source: {row}"
