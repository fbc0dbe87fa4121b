"""A match from its beginning, or from where it was interrupted, to its end: games into the ledger and the summary.

Where the games are played is the runner's business: it is given the plan and what is to be played, and yields records.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Iterable
from typing import Literal

from .ledger import Ledger
from .live import Live
from .match import Plan, Task, tasks
from .records import Record
from .summary import Summary

Runner = Callable[[Plan, Iterable[Task]], Generator[Record, None, None]]
#: played to the end or to a decision, ended by a fault, or by the person
Ending = Literal["played", "aborted", "interrupted"]


def conduct(
    plan: Plan,
    runner: Runner,
    summary: Summary,
    ledger: Ledger | None = None,
    *,
    abort_on_fault: bool = False,
    every: int | None = None,
    keep: Callable[[Record], object] = lambda record: None,
) -> Ending:
    """Play what the ledger does not have yet; ``summary`` is fresh and holds everything afterwards.

    Each game is in the ledger before anything else is done with it; ``keep`` is called with it then. A test that is
    decided ends the match. At Ctrl-C the games under way are dropped, and the match can be resumed.
    """
    done: set[tuple[int, int]] = set()
    for record in ledger.games() if ledger else ():
        summary.add(record)
        done.add((record["block"], record["game"]))
    if summary.decided:
        return "played"
    live = Live(summary, plan.schedule.games, len(done), every)
    try:
        with contextlib.closing(runner(plan, tasks(plan, done))) as games:
            for record in games:
                if ledger:
                    ledger.append(record)
                keep(record)
                summary.add(record)
                live.show(record)
                if abort_on_fault and record["ended"] == "fault":
                    return "aborted"
                if summary.decided:
                    break
    except KeyboardInterrupt:
        return "interrupted"
    finally:
        live.close()
    return "played"
