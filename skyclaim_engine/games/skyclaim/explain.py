"""What a step would do, and whether that is good or bad: for the protocol's `explain` and for a person at play.

The judgement uses what the mover may know and nothing of chance: the step is played on the mover's observation and the
events are read up to the first one that is not certain. What is good or bad then follows from a few plain facts.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, replace

from ..._board import KINDS, STEP_KINDS, Board
from ...game import Event
from . import events as core_events
from .narrate import THIRD_PERSON, Voice, narrate, number_of
from .picture import DRIFT_FROM, NAMES_OF_KINDS
from .squares import COLUMNS, NAMES

ASTEROID, DARK = 6, 7
OTHER = {"S": "N", "N": "S"}


@dataclass
class _Drone:
    side: str
    kind: str
    power: int
    missiles: int


class _Scene:
    """Drones, land, asteroids and stocks as the mover knows them; events change it. Squares are texts."""

    def __init__(self, view: Board) -> None:
        land = view.land
        self.drones = {
            NAMES[square]: _Drone("SN"[side], KINDS[kind], power, missiles)
            for square, side, kind, power, _, missiles in view.drones
        }
        self.land = {NAMES[i]: "SN"[owner - 1] for i, owner in enumerate(land) if owner}
        self.rocks = {NAMES[i] for i, code in enumerate(view.stars) if code == ASTEROID}
        self.dark = {NAMES[i] for i, code in enumerate(view.stars) if code == DARK}
        self.stock = dict(zip("SN", view.stock, strict=True))
        self.radius = view.rules[3]

    def copy(self) -> _Scene:
        other = copy(self)
        other.drones = {square: replace(drone) for square, drone in self.drones.items()}
        other.land, other.rocks, other.stock = dict(self.land), set(self.rocks), dict(self.stock)
        return other

    def play(self, event: Event, mover: str) -> None:
        kind = event["type"]
        if kind in ("move", "warp"):
            drone = self.drones.pop(event["from"])
            if event.get("how") not in ("stack", "bomb"):
                self.drones[event["to"]] = drone
        if kind == "warp":
            self.drones[event["to"]].power = event["power"]
        if kind in ("claim", "warp"):
            self.land.update(dict.fromkeys(event["taken"], mover))
        elif kind == "siege":
            self.land.pop(event["to"], None)
        elif kind == "turret":
            self.drones[event["square"]] = _Drone(mover, "T", 1, 0)
        elif kind == "drone":
            self.drones[event["square"]] = _Drone(event["side"], event["kind"], event["power"], event["missiles"])
        elif kind == "missile":
            self.drones[event["from"]].missiles -= 1
            if event["target"] == "drone":
                self.drones[event["to"]].power = event["power"]
            self.rocks.discard(event["to"])
        elif kind == "destroyed":
            # a taker is on the square already; then the one that went is not there any more
            if event["by"] not in ("take", "ram"):
                self.drones.pop(event["square"], None)
        elif kind == "load":
            self.drones[event["square"]].missiles = event["missiles"]
        elif kind == "stock":
            self.stock[event["side"]] = event["missiles"]

    def owned(self, side: str) -> int:
        return sum(owner == side for owner in self.land.values())

    def missiles(self, side: str) -> int:
        return int(self.stock[side]) + sum(drone.missiles for drone in self.drones.values() if drone.side == side)

    def command(self, side: str) -> str | None:
        return next((at for at, drone in self.drones.items() if drone.side == side and drone.kind == "M"), None)

    def claimable(self, square: str) -> int:
        """Open squares that a scout could claim from there."""
        block = [square, *beside(square)] if self.radius else [square]
        return sum(at not in self.land and at not in self.dark for at in block)

    def beside(self, square: str, side: str, kinds: str) -> list[str]:
        """Squares beside it where drones of the side and kinds stand."""
        return [at for at in beside(square) if at in self.drones and self._is(at, side, kinds)]

    def _is(self, square: str, side: str, kinds: str) -> bool:
        return self.drones[square].side == side and self.drones[square].kind in kinds

    def threats(self, side: str) -> dict[str, str]:
        """Drones that the side could destroy in its next turn by landing, sweeping or a turret: square -> by what."""
        found: dict[str, str] = {}
        for square, drone in self.drones.items():
            if drone.side == side:
                targets = {"R": self._strikes, "G": self._sweeps, "T": self._shots}.get(drone.kind)
                for target in targets(square) if targets else ():
                    found.setdefault(target, f"the {NAMES_OF_KINDS[drone.kind]} on {square}")
        return found

    def _strikes(self, start: str) -> Iterator[str]:
        for dx, dy in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            at = _beyond(start, dx, dy)
            while at and at not in self.drones and at not in self.rocks and at not in self.dark:
                at = _beyond(at, dx, dy)
            if at in self.drones and self._is(at, OTHER[self.drones[start].side], "SGRHWB"):
                yield at

    def _sweeps(self, start: str) -> Iterator[str]:
        side = self.drones[start].side
        for at in beside(start):
            if self.land.get(at) == side and at not in self.drones and at not in self.rocks:
                yield from self.beside(at, OTHER[side], "SGHW")

    def _shots(self, start: str) -> Iterator[str]:
        """A turret takes one power: only the last one counts here."""
        side = self.drones[start].side
        yield from (at for at in self.beside(start, OTHER[side], "SGRHWXB") if self.drones[at].power == 1)

    def siege_wins(self, side: str) -> bool:
        """Whether the side has won by a siege drone (rules 7)."""
        command = self.command(OTHER[side])
        return bool(command and self.beside(command, side, "X") and not self.beside(command, OTHER[side], "G"))


def _beyond(square: str, dx: int, dy: int) -> str:
    """The square so many columns and rows on; empty off the board."""
    x, y = COLUMNS.index(square[0]) + dx, int(square[1:]) + dy
    return f"{COLUMNS[x]}{y}" if 0 <= x < 11 and 1 <= y <= 11 else ""


def beside(square: str) -> list[str]:
    """The up to eight squares beside it."""
    around = (_beyond(square, dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy)
    return [at for at in around if at]


def _distance(one: str, other: str) -> int:
    return max(abs(COLUMNS.index(one[0]) - COLUMNS.index(other[0])), abs(int(one[1:]) - int(other[1:])))


class _Judgement:
    """What is certain of a step of the side to move, and what speaks for and against it."""

    def __init__(self, board: Board, number: int, voice: Voice, stream: int) -> None:
        if board.over:
            raise ValueError("the game is over")
        view = board.observe(board.mover)
        self.voice, self.me = voice, "SN"[board.mover]
        self.you = OTHER[self.me]
        self.need, self.last_turn = view.rules[2], view.turn >= view.rules[4]
        self.cleared = view.cleared
        self.before = _Scene(view)
        _, numbers = view.apply(number, stream)
        self.kind = STEP_KINDS[number >> 16]
        self.events, self.chancy = self._certain(core_events.decode(numbers))
        self.after = self.before.copy()
        for event in self.events:
            self.after.play(event, self.me)
        self.good: list[str] = []
        self.bad: list[str] = []
        self._weigh()

    def _certain(self, events: list[Event]) -> tuple[list[Event], bool]:
        """The events before the first flow, drift or turn, and whether stars flow.

        Where the other Command is in the dark, the core takes it to be gone; that says nothing.
        """
        known: list[Event] = []
        for event in events:
            if event["type"] in ("flow", "drift", "turn"):
                return known, event["type"] != "turn"
            if event["type"] == "win" and event["result"].endswith("asteroid"):
                continue
            # where the asteroid of a line of 6 comes down is drawn
            known.append({**event, "square": "the other side's land"} if event["type"] == "asteroid" else event)
        return known, False

    def what(self) -> str:
        return " ".join(narrate(self.events, self.me, self.voice))

    def why(self) -> str:
        judged = (("Good", self.good), ("Bad", self.bad))
        said = [f"{word}: {'; '.join(parts)}." for word, parts in judged if parts]
        if not said:
            said.append("About equal: nothing is won or lost at once.")
        if self._touches_dark():
            said.append("Stars in the dark may add to it.")
        elif self.chancy and not self.good:
            said.append("What falls is chance.")
        return " ".join(said)

    def _touches_dark(self) -> bool:
        """Whether a match may go on where the mover does not see."""
        groups = [group for event in self.events if event["type"] == "clear" for group in event["groups"]]
        return any(at in self.before.dark for group in groups for square in group["squares"] for at in beside(square))

    def _weigh(self) -> None:
        if self._decided():
            return
        self._weigh_land()
        self._weigh_drones()
        self._weigh_missiles()
        if self.kind not in ("fire", "turret"):
            self._weigh_dangers()
        self._weigh_places()
        self._weigh_turn()

    def _decided(self) -> bool:
        result = next((event["result"] for event in self.events if event["type"] == "win"), "")
        if result.startswith(self.me) or self.after.siege_wins(self.me):
            self.good.append("this wins at once")
        elif result or self.after.siege_wins(self.you):
            self.bad.append("this loses at once")
            if not result:
                self.bad.append(f"{self.voice.of(self.you)} siege drone would stand beside an unshielded Command")
        return bool(self.good or self.bad)

    def _weigh_land(self) -> None:
        more = self.after.owned(self.me) - self.before.owned(self.me)
        if more > 0:
            have = self.after.owned(self.me)
            self.good.append(f"{number_of(more, 'square')} more, {have} of the {self.need} that win")
        if self.after.owned(self.you) < self.before.owned(self.you):
            self.good.append(f"{self.voice.does(self.you, 'own')} a square less")

    def _weigh_drones(self) -> None:
        cleared = False
        for event in self.events:
            cleared = cleared or event["type"] == "clear"
            if event["type"] == "drone" and cleared:
                stacked, kind = event["how"] == "stacked", NAMES_OF_KINDS[event["kind"]]
                self.good.append(f"the {kind} on {event['square']} grows" if stacked else f"a {kind} more")
            elif event["type"] == "destroyed":
                lost, kind = event["side"] == self.me, NAMES_OF_KINDS[event["kind"]]
                text = f"{self.voice.of(event['side'])} {kind} is gone"
                (self.bad if lost else self.good).append(text)
            elif event["type"] == "missile" and event.get("power"):
                self.good.append(f"the stack on {event['to']} has power {event['power']} left")
            elif event["type"] == "move" and event["how"] == "bomb":
                self.bad.append("the bomb is spent")
            elif event["type"] == "move" and event["how"] == "stack":
                self.good.append("a stack stands more missiles")
                self.bad.append("one drone less to move")
            elif event["type"] == "turret":
                self.good.append("a turret guards the squares beside it")

    def _weigh_missiles(self) -> None:
        more = self.after.missiles(self.me) - self.before.missiles(self.me)
        if more > 0:
            self.good.append(f"{number_of(more, 'missile')} more")
        elif more < 0:
            self.bad.append(f"it costs {number_of(-more, 'missile')}")
        if any(event["type"] == "load" for event in self.events):
            self.good.append("the drone is loaded")

    def _origin(self, square: str) -> str:
        """Where the drone that now stands on a square stood before."""
        for event in self.events:
            if event["type"] in ("move", "warp") and event["to"] == square:
                return str(event["from"])
        return square

    def _weigh_dangers(self) -> None:
        """Own drones that come within the enemy's reach or out of it, and enemy drones that come within reach."""
        was, now = self.before.threats(self.you), self.after.threats(self.you)
        for square, by in now.items():
            origin = self._origin(square)
            if origin not in was or origin != square:
                kind = NAMES_OF_KINDS[self.after.drones[square].kind]
                still = "still " if origin in was else ""
                self.bad.append(f"{by} could {still}destroy the {kind} on {square}")
        for square, drone in self.after.drones.items():
            if drone.side == self.me and self._origin(square) in was and square not in now:
                self.good.append(f"the {NAMES_OF_KINDS[drone.kind]} is safe from {was[self._origin(square)]}")
        mine, aims = self.before.threats(self.me), self.after.threats(self.me)
        for square, by in aims.items():
            if square not in mine and square in self.before.drones:
                kind = NAMES_OF_KINDS[self.after.drones[square].kind]
                self.good.append(f"{by} threatens {self.voice.of(self.you)} {kind} on {square}")

    def _weigh_places(self) -> None:
        """What a scout could claim where it now stands, how near a siege drone has come."""
        for event in self.events:
            if event["type"] != "move" or event["how"] not in ("move", "ram"):
                continue
            start, end, kind = event["from"], event["to"], event["kind"]
            target = self.after.command(self.you)
            if kind == "S":
                here, there = self.before.claimable(start), self.after.claimable(end)
                if there > here:
                    self.good.append(f"the scout could claim {number_of(there, 'square')} next")
                elif there < here:
                    self.bad.append(f"the scout could claim {there} there, {here} before")
            elif kind == "X" and target:
                steps = _distance(end, target)
                if steps < _distance(start, target):
                    self.good.append(f"the siege drone comes within {steps} of {self.voice.of(self.you)} Command")

    def _weigh_turn(self) -> None:
        """The asteroids that a great clearing sets adrift, and the end of the game."""
        ends = self.kind not in ("fire", "turret")
        half = _own_half(self.me)
        first = next((event for event in self.events if event["type"] == "clear"), None)
        cleared = self.cleared
        if first:
            cleared += sum(square in half for group in first["groups"] for square in group["squares"])
        if ends and cleared >= DRIFT_FROM and self.after.rocks:
            self.bad.append(f"{cleared} stars cleared set the asteroids adrift toward {self.voice.name(self.me)}")
        if ends and self.last_turn:
            self.good.append("it is the last turn: more land wins now")


def _own_half(side: str) -> set[str]:
    rows = range(1, 6) if side == "S" else range(7, 12)
    return {f"{column}{row}" for column in COLUMNS for row in rows}


#: any stream does: nothing that depends on it is used
_STREAM = 0


def step(board: Board, number: int, voice: Voice = THIRD_PERSON, stream: int = _STREAM) -> str:
    """What a legal step of the side to move does for certain, and what is good or bad about it.

    Only what the mover may know is used. ``stream`` plays what comes after that and has no influence on the text.
    Raises ValueError for a step that is not legal.
    """
    judged = _Judgement(board, number, voice, stream)
    return f"{judged.what()} {judged.why()}"


def gain(board: Board, number: int) -> str:
    """The gain of a legal step in a word or two for a list: `scout`, `+7`, `takes raider`, `wins`; often empty."""
    judged = _Judgement(board, number, THIRD_PERSON, _STREAM)
    if "this wins at once" in judged.good:
        return "wins"
    if "this loses at once" in judged.bad:
        return "loses"
    words = []
    more = judged.after.owned(judged.me) - judged.before.owned(judged.me)
    if more:
        words.append(f"+{more}")
    cleared = False
    for event in judged.events:
        cleared = cleared or event["type"] == "clear"
        if event["type"] == "drone" and cleared:
            words.append(("+" if event["how"] == "stacked" else "") + NAMES_OF_KINDS[event["kind"]].split()[0])
        elif event["type"] == "destroyed" and event["side"] == judged.you:
            words.append("hits " + NAMES_OF_KINDS[event["kind"]].split()[0])
    return " ".join(words)
