"""`check-engine`: plays through the whole protocol and says, item by item, what an engine does wrong."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from ..errors import SkyclaimError, quote
from ..game import Game
from ..games import GAMES
from ..protocol.client import EngineError
from . import check_games as games
from . import check_lines as lines
from . import check_search as search
from .examiner import Examiner, Fail, Skip

OK, FAIL, SKIP = "ok", "FAIL", "skip"


@dataclass(frozen=True)
class Check:
    """One item: its name, what it does with an engine, and the items without which it makes no sense.

    ``run`` raises Fail or Skip; its docstring says what should be.
    """

    name: str
    run: Callable[[Examiner], None]
    needs: tuple[str, ...] = ()

    @property
    def rule(self) -> str:
        """What should be, in a sentence."""
        run = self.run.func if isinstance(self.run, partial) else self.run
        return " ".join((run.__doc__ or "").split())


@dataclass(frozen=True)
class Outcome:
    """How an item went: `ok`, `FAIL` or `skip`; ``text`` says why, of an `ok` what it was about."""

    check: str
    verdict: str
    text: str


_TALK = ("handshake", "isready")
_GO = (*_TALK, "go")
_STOP = (*_GO, "infinite")
_BESIDE = (*_STOP, "isready-in-search")

#: all items, in the order in which they are gone through
CHECKS = (
    Check("handshake", lines.handshake),
    Check("isready", lines.readiness, ("handshake",)),
    Check("unknown-command", lines.unknown_command, _TALK),
    Check("white-space", lines.white_space, _TALK),
    Check("too-long", lines.too_long, _TALK),
    Check("options", lines.options, _TALK),
    Check("option-errors", lines.option_errors, _TALK),
    Check("no-position", lines.no_position, _TALK),
    Check("position", lines.positions, _TALK),
    Check("go", search.answer, (*_TALK, "position")),
    Check("one-bestmove", search.one_answer, _GO),
    Check("id", search.ids, _GO),
    Check("limits", search.limits, _GO),
    Check("limit-errors", search.limit_errors, _GO),
    Check("in-time", search.in_time, _GO),
    Check("searchmoves", search.searchmoves, _GO),
    Check("moves", search.moves, (*_GO, "searchmoves")),
    Check("position-errors", lines.position_errors, (*_GO, "searchmoves")),
    Check("infinite", search.infinite, _GO),
    Check("stop", search.stop, _STOP),
    Check("isready-in-search", search.ready_in_search, _STOP),
    Check("busy", search.busy, (*_BESIDE, "id")),
    Check("errors-in-search", search.errors_in_search, _BESIDE),
    Check("changes-in-search", search.changes_in_search, _GO),
    Check("hint", search.hint, _GO),
    Check("perft", search.counts, _GO),
    *(Check(f"game-{name}", partial(games.plain_game, game=game), _GO) for name, game in GAMES.items()),
    *(Check(f"game-{name}-options", partial(games.full_game, game=game), _GO) for name, game in GAMES.items()),
    Check("repeatability", games.repeatability, _GO),
    Check("honesty", games.honesty, (*_GO, "repeatability")),
    Check("legal", games.legal, _TALK),
    Check("orders", games.orders, _TALK),
    Check("apply", games.apply, _TALK),
    Check("observe", games.observe, _TALK),
    Check("d", games.draw, _TALK),
    Check("eval", games.evaluate, _TALK),
    Check("explain", games.explain, _TALK),
    Check("help", games.listing, _TALK),
    Check("end-of-input", lines.end_of_input, _TALK),
    Check("end-of-input-in-search", lines.end_in_search, _GO),
    Check("quit-in-search", lines.quit_in_search, _GO),
    Check("nothing-left", lines.nothing_left, _GO),
)


def examine(
    command: str | Sequence[str],
    *,
    timeout: float = 10.0,
    games: Mapping[str, Game] = GAMES,
    only: Collection[str] = (),
) -> Generator[Outcome, None, None]:
    """Go through the items, or those that are named and what they need, and yield how each went.

    ``timeout`` is in seconds for each request. Whatever the engine does, this ends, and leaves no process behind.
    Raises SkyclaimError for a name that is none.
    """
    chosen = _chosen(only)
    engine = Examiner(command, timeout, games)
    passed: set[str] = set()
    try:
        for check in (check for check in CHECKS if check.name in chosen):
            outcome = _outcome(engine, check, passed)
            if outcome.verdict == OK:
                passed.add(check.name)
            yield outcome
    finally:
        engine.end()


def _chosen(only: Collection[str]) -> set[str]:
    names = {check.name for check in CHECKS}
    for name in only:
        if name not in names:
            raise SkyclaimError(f"check {quote(name)} is none of {', '.join(check.name for check in CHECKS)}")
    chosen = set(only) or names
    for check in reversed(CHECKS):  # what is needed stands before what needs it
        if check.name in chosen:
            chosen.update(check.needs)
    return chosen


def _outcome(engine: Examiner, check: Check, passed: set[str]) -> Outcome:
    """Run one item. After a failure the next one gets a new process, so that faults do not add up."""
    if missing := [need for need in check.needs if need not in passed]:
        return Outcome(check.name, SKIP, f"makes no sense without {missing[-1]}")
    try:
        check.run(engine)
        return Outcome(check.name, OK, check.rule)
    except Skip as reason:
        return Outcome(check.name, SKIP, str(reason))
    except Fail as failure:
        text = str(failure)
    except EngineError as error:
        came = str(error).partition("\n")[0]
        text = str(Fail(engine.sent, "an answer", came))
    engine.end()
    return Outcome(check.name, FAIL, text)
