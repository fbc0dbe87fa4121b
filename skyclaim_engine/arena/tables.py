"""Tables of text in columns, for a terminal: names may hold any character, of any width."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from ..errors import plain


def width(text: str) -> int:
    """How many columns of a terminal ``text`` takes (Unicode's East Asian width; marks take none)."""
    return sum(
        0 if unicodedata.category(c) in ("Mn", "Me", "Cf") else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def table(rows: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """Lines with the columns of ``rows`` aligned, the first ``left`` of them to the left, the others to the right."""
    cells = [[plain(cell) for cell in row] for row in rows]
    widths = [max(width(cell) for cell in column) for column in zip(*cells, strict=True)]
    lines = []
    for row in cells:
        padded = []
        for place, (cell, wanted) in enumerate(zip(row, widths, strict=True)):
            space = " " * (wanted - width(cell))
            padded.append(cell + space if place < left else space + cell)
        lines.append("  ".join(padded).rstrip())
    return lines
