"""Limits of an engine and the clock of a seat, in milliseconds. Time that passed is handed in."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..errors import SkyclaimError, quote

#: milliseconds over a time limit that are forgiven where `timemargin` does not say otherwise: a busy machine must not
#: decide games
MARGIN = 100
#: seconds that an engine gets to answer after its limit and margin; then it hangs
GRACE = 2.0
MOST_MS = 10**9

NUMBER = r"\d{1,6}(?:\.\d{1,3})?"
SECONDS = re.compile(NUMBER, re.ASCII)
TIME_CONTROL = re.compile(rf"(?:(\d{{1,4}})/)?(?:(\d{{1,6}}):)?({NUMBER})(?:\+({NUMBER}))?", re.ASCII)
WHOLE = re.compile(r"\d{1,18}", re.ASCII)


@dataclass(frozen=True)
class Limits:
    """What bounds one engine. ``moves`` turns are played in ``base`` ms (0: the whole game), each turn adds ``inc``.

    ``movetime`` is for each step; ``nodes`` and ``depth`` go with any of these or alone; ``margin`` is in ms.
    """

    moves: int = 0
    base: int | None = None
    inc: int = 0
    movetime: int | None = None
    nodes: int | None = None
    depth: int | None = None
    margin: int = MARGIN

    @classmethod
    def parse(cls, words: Mapping[str, str]) -> Limits:
        """Read `tc`, `st`, `nodes`, `depth` and `timemargin`; raises SkyclaimError that names the word."""
        if "tc" in words and "st" in words:
            raise SkyclaimError(f"st {quote(words['st'])}: there is a tc too, and only one of them can be")
        moves, base, inc = _time_control(words["tc"]) if "tc" in words else (0, None, 0)
        return cls(
            moves,
            base,
            inc,
            _seconds("st", words["st"]) if "st" in words else None,
            _whole("nodes", words["nodes"], 1) if "nodes" in words else None,
            _whole("depth", words["depth"], 1, 255) if "depth" in words else None,
            _whole("timemargin", words["timemargin"], 0, MOST_MS) if "timemargin" in words else MARGIN,
        )


class Clock:
    """The time of one seat. A clock that is not running down (no `tc`) always gives the same allowance."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        #: ms left of the game or the session; meaningless without `tc`
        self.left = float(limits.base or 0)
        #: turns to play until the clock is set anew, 0: none
        self.to_go = limits.moves

    def allowed(self) -> float | None:
        """Milliseconds that the next step may take, the margin not counted; None without a limit of time."""
        return self.left if self.limits.base is not None else self.limits.movetime

    def spend(self, elapsed: float) -> bool:
        """Take off ``elapsed`` ms of a step; False if that is more than allowed and forgiven."""
        allowed = self.allowed()
        self.left = max(0.0, self.left - elapsed)
        return allowed is None or elapsed <= allowed + self.limits.margin

    def end_turn(self) -> None:
        """A turn is over, however many steps it had: the increment is added, and now and then the base time."""
        self.left += self.limits.inc
        if self.to_go:
            self.to_go -= 1
            if not self.to_go:
                self.to_go = self.limits.moves
                self.left += self.limits.base or 0


def deadline(clock: Clock, ceiling: float) -> float:
    """Seconds after which an engine that has not answered hangs; ``ceiling`` where there is no limit of time."""
    allowed = clock.allowed()
    return ceiling if allowed is None else (allowed + clock.limits.margin) / 1000 + GRACE


def go_words(clocks: Sequence[Clock], seat: int) -> str:
    """The words after `go` for ``seat`` (1..n). Who has no clock of its own shows the time of the one that decides."""
    own = clocks[seat - 1]
    limits, words = own.limits, []
    if limits.base is not None:
        shown = [clock if clock.limits.base is not None else own for clock in clocks]
        left, incs = [int(clock.left) for clock in shown], [clock.limits.inc for clock in shown]
        if len(clocks) == 2:
            words.append(f"wtime {left[0]} btime {left[1]} winc {incs[0]} binc {incs[1]}")
        else:
            words.append(f"clocks {','.join(map(str, left))} incs {','.join(map(str, incs))}")
        if own.to_go:
            words.append(f"movestogo {own.to_go}")
    for name in ("movetime", "nodes", "depth"):
        if (number := getattr(limits, name)) is not None:
            words.append(f"{name} {number}")
    return " ".join(words)


def _time_control(text: str) -> tuple[int, int, int]:
    """`40/60+0.6`, `60+0.6`, `5:00+3`: turns, base and increment in ms."""
    found = TIME_CONTROL.fullmatch(text)
    if not found:
        raise SkyclaimError(f"tc {quote(text)} is not [TURNS/][MINUTES:]SECONDS[+INCREMENT]")
    moves, minutes, seconds, inc = found.groups()
    base = round(1000 * (60 * int(minutes or 0) + float(seconds)))
    if not 0 < base <= MOST_MS:
        raise SkyclaimError(f"tc {quote(text)}: the time is not in 0.001..{MOST_MS // 1000} seconds")
    return int(moves or 0), base, round(1000 * float(inc or 0))


def _seconds(name: str, text: str) -> int:
    if not SECONDS.fullmatch(text) or not float(text):
        raise SkyclaimError(f"{name} {quote(text)} is not a number of seconds above 0")
    return round(1000 * float(text))


def _whole(name: str, text: str, low: int, high: int = 10**18) -> int:
    if not WHOLE.fullmatch(text) or not low <= int(text) <= high:
        raise SkyclaimError(f"{name} {quote(text)} is not a whole number {low}..{high}")
    return int(text)
