"""The clocks of a match with timers: 20 minutes a seat, and 60 seconds a turn; out of either loses (rulebook).

Time is handed in, in seconds of a monotonic clock; what is left is in milliseconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

BASE_MS = 20 * 60_000
MOVE_MS = 60_000


@dataclass
class Clocks:
    """``left`` is by seat as it was at ``since``; ``used`` is what the running seat had spent of its turn by then.

    While they are ``paused`` no time passes for anybody.
    """

    left: list[float] = field(default_factory=lambda: [float(BASE_MS)] * 2)
    used: float = 0.0
    running: int = 0
    since: float = 0.0
    paused: bool = False

    def run(self, seat: int, now: float) -> None:
        """Let the clock of ``seat`` run (0: none); its turn begins anew if another one's was running."""
        self._settle(now)
        if seat != self.running:
            self.running, self.used = seat, 0.0

    def remaining(self, now: float) -> list[int]:
        """What each seat has left of the game."""
        left = list(self.left)
        if self.running:
            left[self.running - 1] -= self._spent(now)
        return [max(0, round(ms)) for ms in left]

    def turn_left(self, now: float) -> int:
        """What the running seat has left of its turn."""
        return max(0, round(MOVE_MS - self.used - self._spent(now)))

    def due(self, now: float) -> float | None:
        """Seconds until the running seat is out of time; 0 or less: it is. None where no clock runs."""
        if not self.running or self.paused:
            return None
        return (min(self.left[self.running - 1], MOVE_MS - self.used) - self._spent(now)) / 1000

    def resume(self, now: float) -> None:
        """Let time pass again."""
        if self.paused:
            self.paused, self.since = False, now

    def save(self, now: float) -> dict[str, Any]:
        """What stands on them now, for ``load``."""
        self._settle(now)
        return {"left": list(self.left), "used": self.used, "running": self.running}

    @classmethod
    def load(cls, saved: Mapping[str, Any], now: float, paused: bool = False) -> Clocks:
        """They go on from ``now``, or when they are resumed: the time between counts for nobody."""
        return cls(list(saved["left"]), saved["used"], saved["running"], now, paused)

    def _spent(self, now: float) -> float:
        return 0.0 if self.paused else 1000 * (now - self.since)

    def _settle(self, now: float) -> None:
        if self.running:
            spent = self._spent(now)
            self.left[self.running - 1] = max(0.0, self.left[self.running - 1] - spent)
            self.used += spent
        self.since = now
