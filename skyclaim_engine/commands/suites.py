"""The suites of counts in `perft/`.

A suite is a text: on each line a position, then fields after ` ;`, each `D<depth> <count>`, `O<seat> <count>` (legal
order sets, where all seats decide at once) or an option and its value. Lines that begin with `# ` are comments.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import ParseError, SkyclaimError
from ..game import Game, Position

SUITES = Path(__file__).resolve().parents[2] / "perft"


@dataclass
class Row:
    """One line of a suite: where it stands, the position and the counts by `D<depth>` or `O<seat>`."""

    where: str
    position: Position
    counts: dict[str, int] = field(default_factory=dict)


def read_suite(path: Path, game: Game, options: dict[str, object]) -> Iterator[Row]:
    """The rows of a suite; raises SkyclaimError that names the line at fault."""
    for number, text in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        if not text.strip() or text.startswith("# "):
            continue
        line, *fields = text.split(" ;")
        given, counts = dict(options), {}
        try:
            for word in fields:
                name, _, value = word.strip().partition(" ")
                if name[:1] in ("D", "O") and name[1:].isdecimal() and value.isdecimal():
                    counts[name] = int(value)
                else:
                    given[name] = value
            yield Row(f"{path.name}:{number}", game.parse(line, given), counts)
        except SkyclaimError as error:
            raise ParseError(f"{path.name}:{number}", text, str(error)) from error
