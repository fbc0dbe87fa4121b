"""What happened, in words: events (docs/events-rockets.md) become sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...game import Event


@dataclass(frozen=True)
class Voice:
    """What the pilots are called. The pilot called ``you`` gets the verbs and the possessive that go with it."""

    you: int = 0

    def name(self, pilot: int) -> str:
        return "you" if pilot == self.you else f"pilot {pilot}"

    def of(self, pilot: int) -> str:
        return "your" if pilot == self.you else f"pilot {pilot}'s"

    def own(self, pilot: int) -> str:
        """What stands for the subject's possessive."""
        return "your" if pilot == self.you else "its"

    def does(self, pilot: int, verb: str) -> str:
        """Subject and verb, `pilot 2 flies`, `you fly`; the verb is given as others do it."""
        return f"you {PLAIN.get(verb, verb.removesuffix('s'))}" if pilot == self.you else f"pilot {pilot} {verb}"


#: verbs whose form for "you" is not that of the third person without its s
PLAIN = {"flies": "fly", "is": "are", "has": "have", "reaches": "reach", "cannot": "cannot"}
THIRD_PERSON = Voice()
KINDS = {"space": "a space tile", "wormhole": "a wormhole tile", "asteroid": "the asteroid tile"}


def narrate(events: Sequence[Event], voice: Voice = THIRD_PERSON) -> list[str]:
    """One sentence for each thing that happened."""
    told: list[str] = []
    for event in events:
        text = SENTENCES[event["type"]](event, voice)
        told.append(text[:1].upper() + text[1:] + ".")
    return told


def join(parts: Sequence[str]) -> str:
    """`x`, `x and y`, `x, y and z`."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def number_of(count: int, what: str) -> str:
    """`a shield`, `4 shields`, `no shields`."""
    return f"a {what}" if count == 1 else f"{count or 'no'} {what}s"


def _names(pilots: Sequence[int], voice: Voice) -> str:
    return join([voice.name(pilot) for pilot in pilots])


def _way(event: Event) -> str:
    return " ".join(event["path"])


def _fly(event: Event, voice: Voice) -> str:
    if not event["path"]:
        return f"{voice.does(event['pilot'], 'cannot')} fly from {event['from']}"
    return f"{voice.does(event['pilot'], 'flies')} from {event['from']} by {_way(event)}"


def _trace(event: Event, voice: Voice) -> str:
    if not event["path"]:
        return f"{voice.does(event['pilot'], 'fires')} at nothing"
    burst = ", where the shot bursts on an asteroid" if event["burst"] else ""
    return f"{voice.of(event['pilot'])} shot goes by {_way(event)}{burst}"


def _pickup(event: Event, voice: Voice) -> str:
    own = event["pilot"] == event["owner"]
    whose = f"{voice.own(event['pilot'])} own" if own else voice.of(event["owner"])
    holds = "hold" if event["pilot"] == voice.you else "holds"
    held = number_of(event["shields"], "shield")
    return f"{voice.does(event['pilot'], 'picks')} up {whose} shield on {event['tile']} and now {holds} {held}"


def _point_blank(event: Event, voice: Voice) -> str:
    pilot, target, distance = event["pilot"], event["target"], event["distance"]
    if event["reached"]:
        return f"{voice.does(pilot, 'reaches')} {voice.name(target)} at point-blank, {number_of(distance, 'move')} away"
    far = "there is no way" if distance is None else f"it is {distance} moves away"
    return f"{voice.does(target, 'is')} out of reach for point-blank: {far}"


def _gives(event: Event, voice: Voice) -> str:
    has = "have" if event["pilot"] == voice.you else "has"
    gives = voice.does(event["pilot"], "gives")
    return f"{gives} {voice.name(event['to'])} a shield and {has} {event['shields'] or 'none'} left"


def _win(event: Event, voice: Voice) -> str:
    winners = _names(event["winners"], voice)
    how = {
        "last": "as the last rocket", "together": "as all fell together", "rounds": "on shields after the last round",
    }[event["how"]]  # fmt: skip
    given = [f"{name} to {_names(pilots, voice)}" for name, pilots in event["awards"].items() if pilots]
    wins = "win" if event["winners"] == [voice.you] else "wins"
    share = "share the win" if len(event["winners"]) > 1 else wins
    return f"{winners} {share} {how}; awards: {', '.join(given)}"


SENTENCES = {
    "tile": lambda e, v: f"{v.does(e['pilot'], 'lays')} {KINDS[e['kind']]} at {e['tile']}",
    "token": lambda e, v: f"{v.does(e['pilot'], 'puts')} an asteroid token on {e['tile']}",
    "rocket": lambda e, v: f"{v.does(e['pilot'], 'places')} {v.own(e['pilot'])} rocket on {e['tile']}",
    "shield": lambda e, v: f"{v.does(e['pilot'], 'places')} {v.of(e['owner'])} spare shield on {e['tile']}",
    "fly": _fly,
    "aim": lambda e, v: f"{v.does(e['pilot'], 'aims')} at {v.name(e['target'])}",
    "trace": _trace,
    "drift": lambda e, v: f"{v.does(e['pilot'], 'drifts')} the asteroid from {e['from']} to {e['to']}",
    "removed": lambda e, v: f"the belt is jammed: {v.does(e['pilot'], 'takes')} off the asteroid on {e['tile']}",
    "stay": lambda e, v: f"{v.does(e['pilot'], 'leaves')} the asteroids where they are",
    "left_out": lambda e, v: f"there is no place for {number_of(e['tokens'], 'more asteroid token')}",
    "drawn": lambda e, v: f"{v.does(e['pilot'], 'draws')} {KINDS[e['kind']]}",
    "placing": lambda e, v: f"all tiles lie; rockets are placed in the order {_names(e['order'], v)}",
    "pickup": _pickup,
    "die": lambda e, v: f"{v.does(e['pilot'], 'rolls')} a {e['value']} with the {e['die']} die",
    "point_blank": _point_blank,
    "hit": lambda e, v: f"{v.does(e['by'], 'hits')} {v.name(e['pilot'])} on {e['tile']}",
    "gives": _gives,
    "destroyed": lambda e, v: f"{v.of(e['pilot'])} rocket is destroyed, and {v.does(e['by'], 'collects')} it",
    "round": lambda e, v: f"round {e['round']}, in the order {_names(e['order'], v)}",
    "turn": lambda e, v: f"it is {v.of(e['pilot'])} turn",
    "win": _win,
}  # fmt: skip
