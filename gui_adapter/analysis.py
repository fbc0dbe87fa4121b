"""What an engine thinks of a game that has ended: who stood to win at each moment, and which steps threw it away.

Every moment is judged as its mover saw it, so that nobody is blamed for what they could not know.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Sequence
from typing import Any

from skyclaim_engine.protocol.client import Answer

from .engines import Lease
from .library import options_of
from .match import Host
from .readers import reader
from .store import Json

Message = dict[str, Any]

#: ms for each moment: the usual, and the bounds of what can be asked for
USUAL_MS, LEAST_MS, MOST_MS = 200, 20, 5_000
#: the best steps that are shown
LINES = 3
#: a step that costs so much of the win is a blunder
BLUNDER = 0.10

_INFO = re.compile(r"score win (\d(?:\.\d+)?).* multipv (\d+) pv (\S+)")
#: a win that is proved and not estimated, which is the one that is told without a lead in land (docs/search.md)
_PROVED = re.compile(r"\bdepth (\d+) .*\bscore win 1\.000 multipv 1 ")


async def analyse(
    host: Host, lease: Lease, header: Json, game: Json, moments: Sequence[Message], ms: int = USUAL_MS
) -> AsyncIterator[Message]:
    """A message for each moment, in order: how many are `done` of the `total`, and its point.

    A point has `win` (the share of seat 1, null where the engine said nothing), the `best` steps, the one that was
    `played` (null at the end), its `loss` against the best, whether it is a `blunder`, and in `forced` within how many
    of its turns the mover could have won for certain: 1, 2 or null. Whoever cancels the task that waits for this stops
    the engine.
    """
    ms = min(max(ms, LEAST_MS), MOST_MS)
    for number, moment in enumerate(moments):
        if number + 1 < len(moments):
            point = await _judge(host, lease, header, moment["line"], moments[number + 1]["step"], ms)
        else:
            point = _point(game["result"][0], None)
        yield {"done": number + 1, "total": len(moments), "points": [{"moment": number, **point}]}


async def _judge(host: Host, lease: Lease, header: Json, line: str, played: str, ms: int) -> Message:
    kind, options = header["game"], options_of(header)
    _, mover = reader(kind).turn(line)
    seen = await host.engines.observe(kind, options, line, mover)

    async def search(limits: str) -> Answer:
        extra = {"MultiPV": LINES}
        return await host.engines.go(lease, kind, options, seen, f"movetime {ms}{limits}", extra=extra)

    answer = await search("")
    best = ranking(answer)
    if not best:
        return _point(None, played)
    win = dict(best).get(played)
    if win is None:
        win = dict(ranking(await search(f" searchmoves {played}"))).get(played, best[0][1])
    loss = round(max(0.0, best[0][1] - win), 3)
    share = best[0][1] if mover == 1 else 1 - best[0][1]
    return {
        "win": round(share, 3), "best": [step for step, _ in best], "played": played, "loss": loss,
        "blunder": loss >= BLUNDER, "forced": forced(answer),
    }  # fmt: skip


def _point(win: float | None, played: str | None) -> Message:
    """A point where the engine has nothing to say about a step."""
    return {"win": win, "best": [], "played": played, "loss": 0.0, "blunder": False, "forced": None}


def forced(answer: Answer) -> int | None:
    """Within how many of its turns the seat that moves wins whatever comes: 1, 2, or None if that is not proved."""
    infos = [info for info in answer.infos if " multipv 1 " in info]
    proof = _PROVED.search(infos[-1]) if infos else None
    return proof and (1 if proof[1] == "1" else 2)


def ranking(answer: Answer) -> list[tuple[str, float]]:
    """The steps of the last ranking that a search told, the best first, each with the mover's share of the win."""
    steps: list[tuple[str, float]] = []
    for info in answer.infos:
        if found := _INFO.search(info):
            if found[2] == "1":
                steps = []
            steps.append((found[3], float(found[1])))
    return steps
