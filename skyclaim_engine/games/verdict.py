"""What a search found out about a step (``facts.Facts``), in the sentences that all games share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..facts import EQUAL, Facts

#: leads that differ by less are not told
LEAST_LEAD = 0.1


@dataclass(frozen=True)
class Words:
    """A game's own words: what its steps are called, the players, and a step as something done, `claiming on e1`.

    ``doing`` says a step as things stand, ``replying`` one after the step that is explained, which is the ``mover``'s;
    ``instead`` and ``answers`` go before the name of a seat and between it and its reply. ``lead`` says what a lead is
    counted in.
    """

    noun: str
    mover: int
    name: Callable[[int], str]
    doing: Callable[[str], str]
    replying: Callable[[str], str]
    instead: str = "after other steps"
    answers: str = "could answer by"
    lead: str = ""


def sentences(facts: Facts, words: Words) -> list[str]:
    """How the step compares with the best other one, what it prevents, and what others could do about it."""
    if facts.role == "random":
        return ["This turn is a random one."]
    return [*_gained(facts), *_prevented(facts, words), *_compared(facts, words), *_answered(facts, words)]


def _gained(facts: Facts) -> Iterator[str]:
    if facts.gain is not None:
        gains = "gains" if facts.gain > 0 else "loses"
        yield f"On average it {gains} {100 * abs(facts.gain):.1f} % of the win at once."


def _prevented(facts: Facts, words: Words) -> Iterator[str]:
    if reply := facts.prevented:
        answer = f"{words.name(reply.seat)} {words.answers} {words.doing(reply.step)}"
        yield f"It prevents worse: {words.instead} {answer}, which would cost {_share(reply.cost)} more."


def _compared(facts: Facts, words: Words) -> Iterator[str]:
    if facts.other is None:
        return
    other = words.doing(facts.other.step)
    if abs(facts.margin) < EQUAL:
        yield f"About equal to the {'best other' if facts.role == 'asked' else 'next best'} {words.noun}, {other}."
    elif facts.margin > 0:
        yield f"The next best {words.noun}, {other}, is {_apart(facts, words, 'behind', 'ahead')}."
    else:
        yield f"The best {words.noun}, {other}, is {_apart(facts, words, 'ahead', 'behind')}."


def _apart(facts: Facts, words: Words, where: str, elsewhere: str) -> str:
    """`9 % of the win and 2.0 squares of land behind`."""
    lead = f"{abs(facts.lead):.1f} {words.lead}"
    if not words.lead or abs(facts.lead) < LEAST_LEAD:
        return f"{_share(abs(facts.margin))} {where}"
    if (facts.lead > 0) == (facts.margin > 0):
        return f"{_share(abs(facts.margin))} and {lead} {where}"
    return f"{_share(abs(facts.margin))} {where}, though {lead} {elsewhere}"


def _answered(facts: Facts, words: Words) -> Iterator[str]:
    reply = facts.reply
    if reply and reply.cost >= EQUAL:
        answer = f"{words.name(reply.seat)} {words.answers} {words.replying(reply.step)}"
        yield f"{answer[:1].upper()}{answer[1:]}, which would cost {words.name(words.mover)} {_share(reply.cost)}."


def _share(win: float) -> str:
    return f"{100 * win:.0f} % of the win"
