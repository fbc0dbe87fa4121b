"""What a step would do, and whether that is good or bad: for the protocol's `explain` and for a person at play.

The judgement uses what the mover may know and nothing of chance: the step is played on the mover's observation and the
events are read up to the first one that is not certain. What is good or bad then follows from a few plain facts, each
told from the skill on that knows of it; what a search found out comes after them.
"""

from __future__ import annotations

from ..._board import STEP_KINDS, Board
from ...facts import Facts
from ...game import Event
from ..verdict import Words, sentences
from . import events as core_events
from .narrate import THIRD_PERSON, Voice, narrate, number_of
from .phrases import doing
from .picture import DRIFT_FROM, NAMES_OF_KINDS
from .scene import OTHER, Scene, beside, distance
from .squares import COLUMNS

#: the least skill that knows of it (docs/skill.md): what a step pays, land, takes and what threatens them, stacks and
#: turrets, what the other side could do, sieges, drift
PAY, LAND, TAKES, STACKS, REPLY, SIEGES, DRIFT = 10, 20, 30, 40, 50, 60, 70
FREE_STEPS = ("fire", "turret")


class _Judgement:
    """What is certain of a step of the side to move, and what speaks for and against it."""

    def __init__(self, board: Board, number: int, voice: Voice, stream: int, knowledge: int = 100) -> None:
        if board.over:
            raise ValueError("the game is over")
        view = board.observe(board.mover)
        self.voice, self.me, self.knowledge = voice, "SN"[board.mover], knowledge
        self.you = OTHER[self.me]
        self.need, self.last_turn = view.rules[2], view.turn >= view.rules[4]
        self.cleared = view.cleared
        self.before = Scene(view)
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

    def why(self, facts: Facts | None) -> str:
        if facts and facts.role == "random":
            return " ".join(sentences(facts, self._words(facts)))
        judged = (("Good", self.good), ("Bad", self.bad))
        said = [f"{word}: {'; '.join(parts)}." for word, parts in judged if parts]
        if not said and not facts:
            said.append("About equal: nothing is won or lost at once.")
        if self._touches_dark():
            said.append("Stars in the dark may add to it.")
        elif self.chancy and not self.good:
            said.append("What falls is chance.")
        if facts:
            said += sentences(facts, self._words(facts))
        return " ".join(said)

    def _words(self, facts: Facts) -> Words:
        kind = "free step" if self.kind in FREE_STEPS else "action"
        return Words(
            noun="one" if facts.role == "hint" else kind if facts.of_a_kind else "step",
            mover="SN".index(self.me) + 1,
            name=lambda seat: self.voice.name("SN"[seat - 1]),
            doing=lambda step: doing(step, self.before.standing),
            replying=lambda step: doing(step, self.after.standing),
            lead="squares of land",
        )

    def _touches_dark(self) -> bool:
        """Whether a match may go on where the mover does not see."""
        groups = [group for event in self.events if event["type"] == "clear" for group in event["groups"]]
        return any(at in self.before.dark for group in groups for square in group["squares"] for at in beside(square))

    def _for(self, level: int, text: str) -> None:
        """Something good that is known from a skill on."""
        if self.knowledge >= level:
            self.good.append(text)

    def _against(self, level: int, text: str) -> None:
        """Something bad that is known from a skill on."""
        if self.knowledge >= level:
            self.bad.append(text)

    def _weigh(self) -> None:
        if self._decided():
            return
        self._weigh_land()
        self._weigh_drones()
        self._weigh_missiles()
        if self.kind not in FREE_STEPS:
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
            self._for(LAND, f"{number_of(more, 'square')} more, {have} of the {self.need} that win")
        if self.after.owned(self.you) < self.before.owned(self.you):
            self._for(LAND, f"{self.voice.does(self.you, 'own')} a square less")

    def _weigh_drones(self) -> None:
        cleared = False
        for event in self.events:
            cleared = cleared or event["type"] == "clear"
            if event["type"] == "drone" and cleared:
                stacked, kind = event["how"] == "stacked", NAMES_OF_KINDS[event["kind"]]
                if stacked:
                    self._for(STACKS, f"the {kind} on {event['square']} grows")
                else:
                    self._for(PAY, f"a {kind} more")
            elif event["type"] == "destroyed":
                lost, kind = event["side"] == self.me, NAMES_OF_KINDS[event["kind"]]
                (self._against if lost else self._for)(TAKES, f"{self.voice.of(event['side'])} {kind} is gone")
            elif event["type"] == "missile" and event.get("power"):
                self._for(TAKES, f"the stack on {event['to']} has power {event['power']} left")
            elif event["type"] == "move" and event["how"] == "bomb":
                self._against(TAKES, "the bomb is spent")
            elif event["type"] == "move" and event["how"] == "stack":
                self._for(STACKS, "a stack stands more missiles")
                self._against(STACKS, "one drone less to move")
            elif event["type"] == "turret":
                self._for(STACKS, "a turret guards the squares beside it")

    def _weigh_missiles(self) -> None:
        more = self.after.missiles(self.me) - self.before.missiles(self.me)
        if more > 0:
            self._for(PAY, f"{number_of(more, 'missile')} more")
        elif more < 0:
            self._against(PAY, f"it costs {number_of(-more, 'missile')}")
        if any(event["type"] == "load" for event in self.events):
            self._for(TAKES, "the drone is loaded")

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
                self._against(REPLY, f"{by} could {still}destroy the {kind} on {square}")
        for square, drone in self.after.drones.items():
            if drone.side == self.me and self._origin(square) in was and square not in now:
                self._for(REPLY, f"the {NAMES_OF_KINDS[drone.kind]} is safe from {was[self._origin(square)]}")
        mine, aims = self.before.threats(self.me), self.after.threats(self.me)
        for square, by in aims.items():
            if square not in mine and square in self.before.drones:
                kind = NAMES_OF_KINDS[self.after.drones[square].kind]
                self._for(TAKES, f"{by} threatens {self.voice.of(self.you)} {kind} on {square}")

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
                    self._for(LAND, f"the scout could claim {number_of(there, 'square')} next")
                elif there < here:
                    self._against(LAND, f"the scout could claim {there} there, {here} before")
            elif kind == "X" and target:
                steps = distance(end, target)
                if steps < distance(start, target):
                    self._for(SIEGES, f"the siege drone comes within {steps} of {self.voice.of(self.you)} Command")

    def _weigh_turn(self) -> None:
        """The asteroids that a great clearing sets adrift, and the end of the game."""
        ends = self.kind not in FREE_STEPS
        half = _own_half(self.me)
        first = next((event for event in self.events if event["type"] == "clear"), None)
        cleared = self.cleared
        if first:
            cleared += sum(square in half for group in first["groups"] for square in group["squares"])
        if ends and cleared >= DRIFT_FROM and self.after.rocks:
            self._against(DRIFT, f"{cleared} stars cleared set the asteroids adrift toward {self.voice.name(self.me)}")
        if ends and self.last_turn:
            self._for(LAND, "it is the last turn: more land wins now")


def _own_half(side: str) -> set[str]:
    rows = range(1, 6) if side == "S" else range(7, 12)
    return {f"{column}{row}" for column in COLUMNS for row in rows}


#: any stream does: nothing that depends on it is used
_STREAM = 0


def step(
    board: Board, number: int, voice: Voice = THIRD_PERSON, stream: int = _STREAM, facts: Facts | None = None
) -> str:
    """What a legal step of the side to move does for certain, what is good or bad about it, what a search found out.

    Only what the mover may know is used, and of that what the skill of ``facts`` knows; of a random turn it is only
    said what is done. ``stream`` plays what comes after that and has no influence on the text. Raises ValueError for a
    step that is not legal.
    """
    judged = _Judgement(board, number, voice, stream, facts.knowledge if facts else 100)
    return f"{judged.what()} {judged.why(facts)}".strip()


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
