"""What happened in a round, in words: the events of docs/events-islands.md as sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...game import Event

FAILURES = {
    "supply": "the island is not supplied any more",
    "limit": "it has 20 squads already",
    "bridge": "there is no bridge now, and the squads stay",
}
ONE = {"generators": "generator", "factories": "factory", "beacons": "beacon"}


def narrate(events: Iterable[Event]) -> list[str]:
    """One sentence for each thing that happened; nothing for the orders themselves and for a round that begins."""
    sentences = []
    for event in events:
        if text := TELLERS[event["type"]](event):
            sentences.append(text[:1].upper() + text[1:] + ".")
    return sentences


def number_of(count: int, what: str, many: str = "") -> str:
    """`1 squad`, `4 squads`, `no squads`."""
    return f"{count or 'no'} {what if count == 1 else many or what + 's'}"


def join(parts: Sequence[str]) -> str:
    """`x`, `x and y`, `x, y and z`."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def seats_of(seats: Sequence[int]) -> str:
    return f"seat{'s' if len(seats) > 1 else ''} {join([str(seat) for seat in seats])}"


def influence_of(points: float) -> str:
    return f"{points:g} influence"


def _orders(event: Event) -> str:
    orders = " ".join(event["orders"]) or "no orders"
    return f"seat {event['seat']} gives {orders}" + (f" for {event['cost']} energy" if event["cost"] else "")


def _rotate(event: Event) -> str:
    by, who = event["by"], seats_of(list(dict.fromkeys(event["seats"])))
    if not by:
        return f"the turns of the hub of island {event['island']} by {who} cancel"
    way = f"{number_of(abs(by), 'step')} {'left' if by > 0 else 'right'}"
    return f"the hub of island {event['island']} turns {way}, by {who}"


def _bridge(event: Event) -> str:
    one, other = event["islands"]
    return f"the bridge between islands {one} and {other} {'opens' if event['open'] else 'is gone'}"


def _cut_off(event: Event) -> str:
    islands = event["islands"]
    where = f"island{'s' if len(islands) > 1 else ''} {join([str(island) for island in islands])}"
    return f"the squads of seat {event['seat']} on {where} are cut off"


def _recruit(event: Event) -> str:
    added = number_of(event["added"], "squad")
    return f"seat {event['seat']} recruits {added} on island {event['island']}, {event['squads']} are there now"


def _failed(event: Event) -> str:
    text = f"{event['order']} of seat {event['seat']} fails: {FAILURES[event['reason']]}"
    return text + (f" (refund {event['refund']})" if event["refund"] else "")


def _march(event: Event) -> str:
    march = "squad marches" if event["squads"] == 1 else "squads march"
    return f"{event['squads']} {march} from island {event['from']} to island {event['to']} for seat {event['seat']}"


def _battle(event: Event) -> str:
    sides = [
        f"seat {side['seat']} with {number_of(side['squads'], 'squad')}, strength {side['strength']}"
        + (" (fortified)" if side["fortified"] else "")
        for side in event["sides"]
    ]
    if not event["winner"]:
        end = "all are wiped out"
    else:
        left = number_of(event["left"], "squad")
        end = f"seat {event['winner']} wins, {left} {'is' if event['left'] == 1 else 'are'} left"
    return f"battle on island {event['island']}: {join(sides)}; {end}"


def _capture(event: Event) -> str:
    whose = f"from seat {event['from']}" if event["from"] else "which was neutral"
    return f"seat {event['seat']} takes island {event['island']}, {whose}"


def _contest(event: Event) -> str:
    what = event["objective"]
    if not event["seats"]:
        return f"nobody has any {what}, so the contest pays nobody"
    most = max(event["counts"])
    owned = f"{number_of(most, ONE[what], what)}{'' if what == 'beacons' else ' supplied'}"
    tie = " each" if len(event["seats"]) > 1 else ""
    gets = f"{'get' if tie else 'gets'} {influence_of(event['points'])}{tie}"
    return f"the contest for {what}: {seats_of(event['seats'])} with {owned} {gets}"


def _influence(event: Event) -> str:
    return f"seat {event['seat']} wins {influence_of(event['points'])} and has {event['influence']:g}"


def _win(event: Event) -> str:
    shares = dict(word.split(":") for word in event["result"].split())
    winners = [int(seat) for seat, share in shares.items() if share != "0"]
    return f"{seats_of(winners)} {'share the win' if len(winners) > 1 else 'wins'}"


#: by type; those that tell nothing give an empty text
TELLERS = {
    "orders": _orders,
    "scan": lambda event: f"seat {event['seat']} scans around island {event['island']}",
    "rotate": _rotate,
    "bridge": _bridge,
    "cut_off": _cut_off,
    "recruit": _recruit,
    "fortify": lambda event: f"seat {event['seat']} fortifies island {event['island']}",
    "failed": _failed,
    "march": _march,
    "battle": _battle,
    "capture": _capture,
    "beacon": lambda event: "",  # the influence that follows sums it up
    "contest": _contest,
    "influence": _influence,
    "income": lambda event: "",
    "round": lambda event: f"round {event['round']} begins",
    "win": _win,
}
