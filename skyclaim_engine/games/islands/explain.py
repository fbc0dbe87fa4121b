"""What a set of orders would do, and whether that is good or bad: for the protocol's `explain` and for people at play.

It uses what the seat may know and nothing else. What comes of the orders is told as if the others gave none, and only
as far as the seat sees the numbers of squads concerned.
"""

from __future__ import annotations

from ...facts import Facts
from ...game import Event
from ..verdict import Words, sentences
from . import events as core_events
from . import narrate
from ._core import Board
from .evaluate import terms
from .orders import FORTIFY, MARCH, NEIGHBOURS, RECRUIT, ROTATE, SCAN, STRUCTURES, order_text, split

KINDS = {"P": "plain island", "F": "factory", "G": "generator", "B": "beacon"}
#: where the numbers that are not seen are drawn from; any stream will do
STREAM, SAMPLES = 20, 8
#: what counts as equal, in points of influence
NOTHING = 0.05
#: the terms that are told at most
TOLD = 3


def orders(board: Board, seat: int, number: int, facts: Facts | None = None) -> str:
    """What a legal set of orders of a seat does if the others give none, how good that is, and what a search found out.

    Of a random turn it is only said what is done.
    """
    view = board if board.seen_by == seat else board.observe(seat)
    judged = sentences(facts, _words(seat)) if facts else []
    if not number:
        return " ".join(["No orders: the squads stay where they are, and the energy is kept.", *judged])
    ordered = sorted(split(number), key=lambda order: order_text(order, view.seats))
    said = [f"{_order(view, seat, order)}." for order in ordered]
    cost, energy = view.cost(seat, number), view.energy[seat - 1] or 0
    said.append(f"That costs {cost} of {energy} energy." if cost else "That costs nothing.")
    said += _outcome(view, seat, number)
    if not facts or facts.role != "random":
        said.append(_worth(view, seat, number))
    return " ".join([*said, *judged])


def _words(seat: int) -> Words:
    def name(other: int) -> str:
        return "you" if other == seat else f"seat {other}"

    def doing(step: str) -> str:
        return "no orders" if step == "-" else step

    return Words("set of orders", seat, name, doing, doing, "without it", "could order at the same time")


def name(view: Board, island: int, seat: int) -> str:
    """An island as the seat would speak of it, `island 1, a neutral generator`."""
    structure, owner = STRUCTURES[view.seats][island], view.owners[island]
    kind = f"home of seat {structure[1:]}" if structure[0] == "H" else KINDS[structure[0]]
    if structure == f"H{seat}":
        kind = "home"
    whose = "your own" if owner == seat else f"seat {owner}'s" if owner else "a neutral"
    return f"island {island}, {whose} {kind}"


def _order(view: Board, seat: int, order: int) -> str:
    kind, island = order >> 14, order >> 8 & 63
    text = order_text(order, view.seats)
    if kind == MARCH:
        direction = order >> 5 & 7
        to = NEIGHBOURS[view.seats][island][direction]
        assert to is not None
        bridge = "the bridge is open" if view.bridges()[island] >> direction & 1 else "the bridge is not there yet"
        squads = narrate.number_of(order & 31, "squad")
        left = f"{(view.squads[island] or 0) - (order & 31) or 'none'} of its squads if no other march leaves"
        target = f"{name(view, to, seat)}{_force(view, to, seat)}"
        return f"{text}: {squads} to {target}; {bridge}, and island {island} keeps {left}"
    where = name(view, island, seat)
    if kind == RECRUIT:
        return f"{text}: up to 2 new squads on {where}, for {view.cost(seat, order)} energy"
    if kind == ROTATE:
        return f"{text}: the hub of {where} turns one step {'left' if order & 1 else 'right'}"
    if kind == FORTIFY:
        return f"{text}: 2 more strength in defence on {where}"
    assert kind == SCAN
    return f"{text}: next round you see all numbers within two hexagons of island {island}"


def _force(view: Board, island: int, seat: int) -> str:
    """Who stands there, as far as the seat sees."""
    if view.owners[island] in (0, seat):
        return ""
    squads = view.squads[island]
    return " with a number of squads that you do not see" if squads is None else f" with {squads or 'no'} squads"


def _after(view: Board, seat: int, number: int, stream: int) -> tuple[Board, list[Event]]:
    """The position after the round, and its events, if the others give no orders."""
    truth, _ = view.imagine(stream)
    sets = [number if other == seat else 0 for other in range(1, view.seats + 1)]
    return truth, core_events.decode(truth.apply(sets), view.seats)


def _outcome(view: Board, seat: int, number: int) -> list[str]:
    """What follows from the orders for certain if the others give none."""
    told = []
    dark = set[int]()
    for event in _after(view, seat, number, STREAM)[1]:
        kind = event["type"]
        if kind == "march" and view.squads[event["to"]] is None and view.owners[event["to"]]:
            dark.add(event["to"])
        if (
            kind in ("bridge", "failed")
            or (kind in ("battle", "capture") and event["island"] not in dark)
            or (kind == "cut_off" and event["seat"] == seat)
        ):
            told.append(event)
    sentences = narrate.narrate(told)
    for island in sorted(dark):
        sentences.append(f"What the battle on island {island} brings depends on numbers that you do not see.")
    return ["If the others stand still:", *sentences] if sentences else []


def _worth(view: Board, seat: int, number: int) -> str:
    """The judgement of the evaluation, against giving no orders."""
    gains: dict[str, float] = {}
    for sample in range(SAMPLES):
        after, before = (_after(view, seat, choice, STREAM + sample)[0] for choice in (number, 0))
        if after.over:
            return _last(view, seat, number)
        for (term, value), (_, other) in zip(terms(after, seat), terms(before, seat), strict=True):
            gains[term] = gains.get(term, 0.0) + (value - other) / SAMPLES
    total = gains.pop("sum")
    if abs(total) < NOTHING:
        return "About as good as no orders."
    largest = sorted(gains.items(), key=lambda item: -abs(item[1]))[:TOLD]
    reasons = ", ".join(f"{term} {value:+.1f}" for term, value in largest if abs(value) >= NOTHING)
    return f"{'Good' if total > 0 else 'Bad'}: {total:+.1f} points of influence beside no orders ({reasons})."


def _last(view: Board, seat: int, number: int) -> str:
    """In the last round only the points count."""
    won = [_after(view, seat, choice, STREAM)[0].influence[seat - 1] for choice in (number, 0)]
    return f"In the last round this makes {(won[0] - won[1]) / 2:+g} influence beside no orders."
