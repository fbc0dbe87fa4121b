"""docs/rulings.md names every ruling of the rules page, and the names it gives are in the source."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RULINGS = (ROOT / "docs" / "rulings.md").read_text(encoding="utf-8")
RULES = (ROOT / "docs" / "rules" / "skyclaim.md").read_text(encoding="utf-8")


def test_every_ruling_is_listed_once() -> None:
    listed = re.findall(r"^\| (J\d+) \|", RULINGS, re.MULTILINE)
    assert listed == [f"J{n}" for n in range(1, len(listed) + 1)]
    assert set(re.findall(r"\bJ\d+\b", RULES)) == set(listed)


def test_the_names_exist() -> None:
    files = [*ROOT.glob("skyclaim_engine/_*.p*"), *ROOT.glob("skyclaim_engine/*.h")]
    files.append(ROOT / "skyclaim_engine/ratings.py")
    files += ROOT.glob("skyclaim_engine/games/skyclaim/*.py")
    source = "\n".join(path.read_text(encoding="utf-8") for path in files)
    rows = [row for row in RULINGS.splitlines() if row.startswith("| J")]
    for row in rows:
        names = re.findall(r"`([A-Za-z_]+)`", row.rsplit("|", 2)[1])
        assert names, row
        for name in names:
            assert re.search(rf"\b{name}\b", source), f"{name} is not in the source: {row}"
