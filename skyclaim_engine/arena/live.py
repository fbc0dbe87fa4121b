"""What a person sees while a match runs: one line that is kept up to date, the faults, and now and then the table."""

from __future__ import annotations

import sys
import time

from tqdm import tqdm

from .records import Record
from .summary import Summary


class Live:
    """The line on stderr, silent where that is no terminal; ``close`` ends it.

    ``done`` of ``games`` are played already; the table is printed after ``every`` so many.
    """

    def __init__(self, summary: Summary, games: int, done: int, every: int | None) -> None:
        self._summary, self._every = summary, every
        self._games, self._done, self._played, self._begin = games, done, 0, time.monotonic()
        self._told: set[tuple[str, str]] = set()
        self._bar = tqdm(total=games, initial=done, unit="game", disable=None, file=sys.stderr, bar_format="{desc}")
        self._bar.set_description_str(self._line())

    def show(self, record: Record) -> None:
        """A game has ended and is in the summary."""
        self._played += 1
        if fault := record.get("fault"):
            self._tell_fault(record, fault)
        self._bar.set_description_str(self._line(), refresh=False)
        self._bar.update()
        if self._every and self._played % self._every == 0:
            tqdm.write(self._summary.text(), file=sys.stderr)

    def close(self) -> None:
        """Leave the line as it stands."""
        self._bar.close()

    def _line(self) -> str:
        """`120/1000 games  a +17.4 ± 9.1  LLR 0.42 [-2.94, 2.94]  3600 games/h  15 min left`."""
        seconds, done = max(time.monotonic() - self._begin, 1e-3), self._done + self._played
        parts = [f"{done}/{self._games} games", self._summary.headline()]
        if self._played:
            speed = self._played / seconds
            parts += [f"{3600 * speed:.0f} games/h", f"{_span((self._games - done) / speed)} left"]
        return "  ".join(part for part in parts if part)

    def _tell_fault(self, record: Record, fault: Record) -> None:
        """The first of its kind with all that is known, the others in a sentence."""
        engine, kind = fault["engine"], fault["kind"]
        first, _, details = fault["text"].partition("\n")
        text = f"game {record['block']}.{record['game']}: {engine} loses by {kind}: {first}"
        if (engine, kind) not in self._told:
            self._told.add((engine, kind))
            text += f"\n{details}" if details else ""
        tqdm.write(text, file=sys.stderr)


def _span(seconds: float) -> str:
    """A time as a person says it."""
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.0f} s"
