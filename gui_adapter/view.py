"""What a seat may know of a match: the one place that makes what a person is sent.

Where something is hidden, nothing that is made here depends on what the seat does not know: it is told its own steps
as far as it saw them, and of the other seat's the new observation and nothing else. A step that it does not notice is
not told at all, so that even the numbers of the messages say nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from .clocks import MOVE_MS
from .facts import Facts, Move, Outcome
from .readers import Event

Message = dict[str, Any]

#: moves that a state tells
LISTED = 200
#: for each end that is none by the rules: what the winner and the loser are told
ENDS = {
    "resign": ("You win: the other side has resigned.", "You have resigned."),
    "time": ("You win: the other side has run out of time.", "You lose: you have run out of time."),
    "left": ("You win: the other side has left the match.", "You have left the match, which counts as a loss."),
}


def view(facts: Facts, seat: int, now: float) -> Message:
    """The state of a match as ``seat`` may know it."""
    seen, mover = facts.seen[seat], facts.mover
    return {
        "game": facts.game,
        "seat": seat,
        "seats": seats(facts),
        "line": seen,
        "legal": facts.legal[seat] if mover == seat else [],
        "mover": mover,
        "turn": facts.turn,
        "result": facts.outcome and _result(facts, facts.outcome, seat),
        "clocks": clocks(facts, now),
        "options": facts.options,
        "rated": facts.weight > 0,
        "guided": facts.guided,
        "undo": facts.can_undo and not facts.seats[seat - 1].is_bot,
        "thinking": mover != 0 and mover == facts.bot,
        "moves": _moves(facts, seat),
        "hash": hashlib.sha256(seen.encode()).hexdigest()[:12],
    }


def snapshot(facts: Facts, seat: int, now: float) -> Message:
    """The whole state as a message."""
    return {"t": "snapshot", "match": facts.ident, "seq": facts.seqs[seat], **view(facts, seat, now)}


def notices(facts: Facts, seat: int, before: Mapping[int, str]) -> bool:
    """Whether the last move means anything to ``seat``; ``before`` are the observations before it, by seat."""
    if not facts.hidden or facts.moves[-1].seat == seat or facts.outcome:
        return True
    return facts.seen[seat] != before[seat] or facts.mover == seat


def event(facts: Facts, seat: int, before: Mapping[int, str], events: list[Event], now: float) -> Message:
    """The last move as ``seat`` may know it, with the new state."""
    move = facts.moves[-1]
    told: Message = {"t": "event", "match": facts.ident, "seq": facts.seqs[seat], "seat": move.seat}
    if not facts.hidden:
        told |= {"step": move.step, "events": events, "text": move.text}
    elif move.seat == seat:
        seen = facts.reader.witness(events, seat, before[seat], facts.seen[seat])
        told |= {"step": move.step, "events": seen, "text": move.text}
    else:
        told |= {"events": [], "text": move.noticed}
    return {**told, "state": view(facts, seat, now)}


def clocks(facts: Facts, now: float) -> Message | None:
    """The clocks, None where there are none; ``move_ms`` is what is left of the turn of who runs."""
    if facts.clocks is None:
        return None
    turn = facts.clocks.turn_left(now) if facts.clocks.running else MOVE_MS
    return {"ms": facts.clocks.remaining(now), "running": facts.clocks.running, "move_ms": turn}


def seats(facts: Facts) -> list[Message]:
    """Who plays, and whether they are there."""
    told: list[Message] = []
    for number, (side, seat) in enumerate(zip(facts.reader.sides, facts.seats, strict=True), 1):
        told.append({
            "seat": number, "side": side, "name": seat.name, "rating": seat.rating,
            "kind": "bot" if seat.is_bot else "human", "presence": seat.presence,
        })  # fmt: skip
        if seat.is_bot:
            told[-1]["skill"] = seat.skill
    return told


def _moves(facts: Facts, seat: int) -> list[Message]:
    if not facts.hidden:
        return [_move(move) for move in facts.moves[-LISTED:]]
    listed: list[Message] = []
    for move in facts.moves:  # all of them: how many the other seat made must not show in where the list begins
        if move.seat == seat:
            listed.append(_move(move))
        # of the other seat: that a turn of it is over, however many steps that were, and what was seen of it
        elif move.turn != facts.turn or facts.outcome:
            if not listed or listed[-1]["turn"] != move.turn:
                listed.append({"turn": move.turn, "seat": move.seat, "step": None, "text": ""})
            listed[-1]["text"] = f"{listed[-1]['text']} {move.noticed}".strip()
    return listed[-LISTED:]


def _move(move: Move) -> Message:
    return {"turn": move.turn, "seat": move.seat, "step": move.step, "text": move.text}


def _result(facts: Facts, outcome: Outcome, seat: int) -> Message:
    won, lost = ENDS.get(outcome.line.rpartition(" ")[2], ("", ""))
    text = won if outcome.scores[seat - 1] else lost
    rating = outcome.ratings[seat - 1]
    return {
        "line": outcome.line,
        "text": text or facts.reader.sentence(outcome.line, seat),
        "rating": rating and {"before": rating[0], "after": rating[1]},
        "game": outcome.game,
    }
