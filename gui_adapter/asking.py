"""What a person may ask about a match without changing it. The answers are made of what their seat sees alone."""

from __future__ import annotations

from skyclaim_engine.errors import SkyclaimError

from .engines import Engines, Lease
from .errors import EngineDown, Refused
from .facts import Facts
from .view import Message

#: the hint's time in ms, and the highest skill at which there is one (rulebook)
HINT_MS, HINT_SKILL = 300, 50


async def about(engines: Engines, facts: Facts, seat: int, square: str) -> Message:
    """What stands on a square and what it could do if its side were on turn, as far as ``seat`` can know."""
    try:
        text, line = facts.reader.facing(facts.seen[seat], square, seat)
    except SkyclaimError as error:
        raise Refused("bad-argument", str(error)) from None
    steps: list[str] = []
    if line and not facts.outcome:
        try:
            steps = await engines.legal(facts.game, facts.options, line, seen=True)
        except EngineDown:
            raise
        except Refused:
            pass  # what is seen of the other side in the fog need not be a position of its own
    return {"square": square, "text": text, **facts.reader.reach(steps, square)}


async def preview(engines: Engines, facts: Facts, seat: int, step: str) -> Message:
    """What a legal step of ``seat`` would do, as far as that is certain."""
    need_turn(facts, seat)
    text = await engines.explain(facts.game, facts.options, facts.seen[seat], step, seen=True)
    squares, score = facts.reader.touched(facts.seen[seat], step, facts.options)
    return {"step": step, "text": text, "squares": squares, "score": score}


async def hint(engines: Engines, lease: Lease, facts: Facts, seat: int) -> Message:
    """A good step for a person on turn against a bot of at most half skill; its `step` is null if there is none."""
    need_turn(facts, seat)
    skill = facts.seats[facts.bot - 1].skill if facts.bot else None
    if skill is None or skill > HINT_SKILL:
        raise Refused("no-hint", f"There are hints against the bot up to skill {HINT_SKILL} only.")
    seen = facts.seen[seat]
    step = await engines.hint(lease, facts.game, facts.options, seen, HINT_MS)
    return {"step": step, "squares": facts.reader.touched(seen, step, facts.options)[0] if step else []}


def need_turn(facts: Facts, seat: int) -> None:
    """Raise Refused unless ``seat`` decides now."""
    if facts.outcome:
        raise Refused("over", "The match is over.")
    if facts.mover != seat:
        raise Refused("not-your-turn", "It is the other side's turn.")


def why_no_undo(facts: Facts) -> str:
    """Why nothing can be taken back, in a sentence."""
    if facts.outcome:
        return "The match is over."
    if not facts.bot:
        return "Against a person nothing is taken back."
    if not facts.past:
        return "There is nothing to take back."
    return "You have seen what was there, so nothing is taken back in a game that counts."
