"""What happened, in the words of the rulebook.

``narrate`` turns events (docs/events.md) into sentences; ``witness`` takes out of events what a side in the fog does
not see.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from ...game import Event
from .picture import NAMES_OF_KINDS

#: stands for a square that is not seen, in the events that ``witness`` gives
UNSEEN = "?"
OTHER = {"S": "N", "N": "S"}
#: the rulebook's words for the shapes of docs/events.md, where they differ
SHAPES = {
    "block": "2 × 2 block", "hook": "L of 4", "corner": "L of two 3-lines", "T": "T of two 3-lines",
    "plus": "plus or X", "long corner": "L of 4 and 3", "cross": "line of 7 or a cross of 4",
    "great cross": "cross of 5 or a 2 × 3 block", "great block": "3 × 3 block",
}  # fmt: skip
FATES = {
    "take": "is taken", "missile": "is destroyed by a missile", "turret": "is shot down by a turret",
    "sweep": "is destroyed by the shield", "ram": "is rammed", "bomb": "is destroyed in the blast",
    "surround": "is surrounded and destroyed", "asteroid": "is crushed by an asteroid", "warp": "is used up",
}  # fmt: skip


@dataclass(frozen=True)
class Voice:
    """What the sides are called. A side called "you" gets the verbs and the possessive that go with it."""

    south: str = "South"
    north: str = "North"

    def name(self, side: str) -> str:
        return self.south if side == "S" else self.north

    def of(self, side: str) -> str:
        name = self.name(side)
        return "your" if name == "you" else f"{name}'s"

    def does(self, side: str, verb: str) -> str:
        """Subject and verb, `South swaps`, `you swap`."""
        name = self.name(side)
        return f"{name} {verb}" if name == "you" else f"{name} {verb}{'es' if verb.endswith('s') else 's'}"


THIRD_PERSON = Voice()


def narrate(events: Sequence[Event], mover: str, voice: Voice = THIRD_PERSON) -> list[str]:
    """One sentence or so for each thing that happened; ``mover`` ("S" or "N") is the side that made the step."""
    return _Narrator(events, mover, voice).sentences()


def number_of(count: int, what: str) -> str:
    """`a star`, `4 stars`, `no stars`."""
    return f"a {what}" if count == 1 else f"{count or 'no'} {what}s"


def join(parts: Sequence[str]) -> str:
    """`x`, `x and y`, `x, y and z`."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."


def _where(square: str) -> str:
    return "the dark" if square == UNSEEN else square


def _way(event: Event) -> str:
    start = "out of the dark" if event["from"] == UNSEEN else f"from {event['from']}"
    return f"{start} into the dark" if event["to"] == UNSEEN else f"{start} to {event['to']}"


class _Narrator:
    """Reads the events once, in order; a run of events that belong together becomes one sentence."""

    def __init__(self, events: Sequence[Event], mover: str, voice: Voice) -> None:
        self.events, self.mover, self.voice = events, mover, voice
        self.at = 0
        self.fallen = False  # whether stars have moved by themselves since the step
        self.falling = 0  # stars cleared by falling that are not told yet
        self.drifting = False

    def sentences(self) -> list[str]:
        told: list[str] = []
        while self.at < len(self.events):
            event = self.events[self.at]
            self.at += 1
            # a cascade is summed up when it is over
            if event["type"] not in ("clear", "flow"):
                told += self._falls()
            if text := getattr(self, f"_{event['type']}")(event):
                told.append(_sentence(text))
        return told + self._falls()

    def _falls(self) -> list[str]:
        count, self.falling = self.falling, 0
        return [_sentence(f"falling clears {number_of(count, 'star')}")] if count else []

    def _run(self, *types: str) -> Iterator[Event]:
        """The events that follow at once and are of these types."""
        while self.at < len(self.events) and self.events[self.at]["type"] in types:
            self.at += 1
            yield self.events[self.at - 1]

    # -- the step itself

    def _swap(self, event: Event) -> str:
        one, other = sorted((event["from"], event["to"]), key=UNSEEN.__eq__)
        text = f"{self.voice.does(self.mover, 'swap')} {one} "
        return text + ("with a star in the dark" if other == UNSEEN else f"and {other}")

    def _missile(self, event: Event) -> str:
        text = f"{self.voice.does(self.mover, 'fire')} a missile from {_where(event['from'])} "
        if event["to"] == UNSEEN:
            return f"{text}into the dark"
        if event["target"] != "drone":
            return f"{text}at the {event['target']} on {event['to']}"
        left = event["power"]
        return f"{text}at {event['to']}" + (f", where power {left} is left" if left else "")

    def _turret(self, event: Event) -> str:
        builds = self.voice.does(self.mover, "build")
        return f"{builds} a turret on {event['square']} for 10 missiles{self._stock_now()}"

    def _move(self, event: Event) -> str:
        who = f"{self.voice.of(self.mover)} {NAMES_OF_KINDS[event['kind']]}"
        if event["how"] == "stack":
            return f"{who} goes from {_where(event['from'])} onto the drone on {_where(event['to'])}"
        return f"{who} goes {_way(event)}" + (" and goes off" if event["how"] == "bomb" else "")

    def _claim(self, event: Event) -> str:
        who = f"{self.voice.of(self.mover)} scout"
        if event["square"] != UNSEEN:
            who += f" on {event['square']}"
        return f"{who} claims {number_of(len(event['taken']), 'square')}"

    def _warp(self, event: Event) -> str:
        text = f"{self.voice.of(self.mover)} warp drone jumps {_way(event)}"
        return text + (f" and takes {number_of(len(event['taken']), 'square')}" if event["taken"] else "")

    def _siege(self, event: Event) -> str:
        who = f"{self.voice.of(self.mover)} siege drone"
        return f"{who} fires from {_where(event['from'])}: {_where(event['to'])} is open again"

    def _pass(self, event: Event) -> str:
        return f"{self.voice.does(self.mover, 'pass')}: there is no action to take"

    # -- stars

    def _clear(self, event: Event) -> str:
        groups, count = event["groups"], sum(len(group["squares"]) for group in event["groups"])
        paid = list(self._payments())
        if self.fallen:
            self.falling += count
            paying = [group for group in groups if group["pays"]]
            if not paid or not paying:
                return ""
            several = "" if len(paying) > 1 else "s"
            shapes = join([_group(group) for group in paying])
            return f"by falling, {shapes} form{several} and pay{several} {join(paid)}"
        several = "" if len(groups) > 1 else "s"
        text = f"{join([_group(group) for group in groups])} clear{several} {number_of(count, 'star')}"
        if paid:
            return f"{text} and pay{several} {join(paid)}"
        if any(group["pays"] for group in groups):
            return f"{text}, which pays nothing now"
        return f"{text}, which pays nothing there" if any(group["shape"] for group in groups) else text

    def _payments(self) -> Iterator[str]:
        wreck = False
        for event in self._run("drone", "collected", "stock", "asteroid"):
            if event["type"] == "drone":
                kind = NAMES_OF_KINDS[event["kind"]]
                what = f"a {kind}" if event["how"] == "placed" else f"power {event['power']} to the {kind}"
                yield f"{what} on {event['square']}"
            elif event["type"] == "asteroid":
                yield f"an asteroid on {event['square']}"
            elif event["type"] == "stock":
                yield f"{'the missile of a wreck' if wreck else 'a missile'} (the stock is now {event['missiles']})"
            wreck = event["type"] == "collected"

    def _flow(self, event: Event) -> str:
        self.fallen = True
        return ""

    def _asteroid(self, event: Event) -> str:
        return f"the star on {event['square']} becomes an asteroid"

    def _drift(self, event: Event) -> str:
        self.fallen = True
        first, self.drifting = not self.drifting, True
        text = f"the asteroids drift one square toward {self.voice.name(self.mover)}" if first else ""
        if "hit" in event:
            hit = f"the stack on {_where(event['hit'])} is hit and has power {event['power']} left"
            text = f"{text}; {hit}" if text else hit
        return text

    # -- drones

    def _drone(self, event: Event) -> str:
        text = f"the {NAMES_OF_KINDS[event['kind']]} on {event['square']} now has power {event['power']}"
        return text + self._stock_now()

    def _destroyed(self, event: Event) -> str:
        """All that go in the same way at once, with what that pays."""
        gone, stocks, wrecks = [event], dict[str, int](), 0
        while self.at < len(self.events):
            after = self.events[self.at]
            if after["type"] == "stock":
                stocks[after["side"]] = after["missiles"]
            elif after["type"] == "wreck" and after["countdown"]:
                wrecks += 1
            elif after["type"] == "destroyed" and after["by"] == event["by"]:
                gone.append(after)
            else:
                break
            self.at += 1
        names = [f"{self.voice.of(e['side'])} {NAMES_OF_KINDS[e['kind']]} on {e['square']}" for e in gone]
        fate = FATES[event["by"]]
        text = f"{join(names)} {fate.replace('is', 'are', 1) if len(gone) > 1 else fate}"
        if wrecks:
            text += f" and leave{'' if len(gone) > 1 else 's'} {number_of(wrecks, 'wreck')}"
        return text + "".join(f"; {self.voice.of(side)} stock is now {now}" for side, now in stocks.items())

    def _blast(self, event: Event) -> str:
        return ""

    _sweep = _surround = _blast  # the destroyed drones that follow tell it

    def _turret_shot(self, event: Event) -> str:
        left = event["power"]
        text = f"{self.voice.of(self.mover)} turret on {_where(event['from'])} fires at {_where(event['to'])}"
        return text + (f", where power {left} is left" if left else "")

    def _load(self, event: Event) -> str:
        missiles = number_of(event["missiles"], "missile")
        return f"the drone on {event['square']} loads and holds {missiles}{self._stock_now()}"

    def _stock(self, event: Event) -> str:
        return f"{self.voice.of(event['side'])} stock is now {event['missiles']}"

    def _stock_now(self) -> str:
        """The `stock` event that follows, as the end of a sentence."""
        return "".join(f"; {self._stock(event)}" for event in list(self._run("stock"))[-1:])

    def _wreck(self, event: Event) -> str:
        if event["countdown"]:
            return f"a wreck lies on {event['square']}"
        return f"the wreck on {event['square']} is gone"

    def _collected(self, event: Event) -> str:
        return f"{self.voice.does(event['side'], 'collect')} the wreck on {event['square']}" + self._stock_now()

    # -- the game

    def _turn(self, event: Event) -> str:
        self.mover, self.fallen, self.drifting = event["side"], False, False
        return ""

    def _win(self, event: Event) -> str:
        if event["result"] == "draw turns":
            return "that was the last turn, and both own as much: a draw"
        side, _, reason = event["result"].split()
        wins, command = self.voice.does(side, "win"), f"{self.voice.of(OTHER[side])} Command"
        return {
            "land": f"{wins}: enough of the sky is {self.voice.of(side)}".replace(" is your", " is yours"),
            "siege": f"{wins}: a siege drone stands beside {command} and no shield does",
            "asteroid": f"{wins}: an asteroid has landed on {command}",
            "turns": f"that was the last turn: {wins} with more land",
        }[reason]


def _group(group: Event) -> str:
    shape: str | None = group["shape"]
    colour, count = f" in colour {group['colour']}", len(group["squares"])
    if group.get("dark"):
        return f"a match{colour} that runs into the dark"
    if shape is None:
        return f"a line of 3{colour}" if count == 3 else f"lines of 3{colour}"
    name = SHAPES.get(shape, shape)
    return f"{'an' if name.startswith('L ') else 'a'} {name}{colour}"


# -- what a side in the fog sees of it


def witness(events: Iterable[Event], side: str, light: Collection[str]) -> list[Event]:
    """What ``side``, which sees the squares ``light``, learns from events: the rest is left out.

    A square that is not seen becomes "?" where the event is seen in part. The own stock is known, the other one is not.
    """
    return [seen for event in events if (seen := _glimpse(event, side, light)) is not None]


def _glimpse(event: Event, side: str, light: Collection[str]) -> Event | None:
    kind, seen = event["type"], dict(event)
    if kind in ("turn", "win"):
        return seen
    if kind == "pass":
        return None
    if kind == "stock":
        return seen if event["side"] == side else None
    if kind == "clear":
        seen["groups"] = [part for group in event["groups"] if (part := _glimpse_group(group, light))]
        return seen if seen["groups"] else None
    if kind == "flow":
        seen["falls"] = [pair for pair in event["falls"] if pair[0] in light and pair[1] in light]
        seen["new"] = [pair for pair in event["new"] if pair[0] in light]
        return seen
    places = [name for name in ("from", "to", "square", "hit") if name in event]
    for name in ("taken", "squares"):
        if name in event:
            seen[name] = [square for square in event[name] if square in light]
    known = any(event[name] in light for name in places) or any(seen.get(name) for name in ("taken", "squares"))
    for name in places:
        seen[name] = event[name] if event[name] in light else UNSEEN
    return seen if known else None


def _glimpse_group(group: Event, light: Collection[str]) -> Event | None:
    squares = [square for square in group["squares"] if square in light]
    if len(squares) == len(group["squares"]):
        return group
    return {**group, "squares": squares, "shape": None, "pays": [], "dark": True} if squares else None
