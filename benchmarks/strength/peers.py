"""Who plays: full strength, and the peers that it is measured against, each by its name.

A peer sees what a seat sees, and nothing else. Chance of its own comes from the seed of the game.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from benchmarks.build import compiled
from skyclaim_engine import game, weights
from skyclaim_engine.game import Position
from skyclaim_engine.protocol.client import Client
from skyclaim_engine.search import Bot, Limits, Settings, StopFlag
from skyclaim_engine.search.skill import mix

HERE = Path(__file__).resolve().parent
#: the evaluation before anything was learned
FIRST_WEIGHTS = HERE / "first_weights.json"
#: seconds within which a child process must answer, beyond the time that it is given
PATIENCE = 60.0
#: random steps of a playout that is cut off
SHORT = 20


class Peer:
    """Plays a seat, with so many ``times`` our thinking time."""

    times = 1.0

    def begin(self, seed: int) -> None:
        """A new game."""
        self.seed = seed

    def choose(self, view: Position, ms: float) -> str:
        """The step of the seat to move, thought about for ``ms`` milliseconds."""
        raise NotImplementedError

    @property
    def simulations(self) -> int | None:
        """How many there were in all games; None where none are counted."""
        return None

    def close(self) -> None:
        """The end of all games."""


class FullStrength(Peer):
    """This engine, in this process: skill 100, one thread, the algorithm that it chooses itself."""

    def begin(self, seed: int) -> None:
        self.bot = Bot(Settings(skill=100, seed=seed, move_overhead=0))
        self.stop = StopFlag()

    def choose(self, view: Position, ms: float) -> str:
        step = self.bot.decide(view, Limits(movetime=max(1, round(ms))), self.stop, lambda told: None)
        assert step is not None, "the game goes on"
        return step


class Child(Peer):
    """This engine in a process of its own, with the first weights, which are global in a process."""

    def __init__(self, algorithm: str, limits: str = "", times: float = 1.0) -> None:
        self.limits, self.times = limits, times
        self.client = Client([sys.executable, "-m", "skyclaim_engine"])
        self.client.uci(PATIENCE)
        options = {"Weights": FIRST_WEIGHTS, "Algorithm": algorithm, "Move Overhead": 0}
        for name, value in options.items():
            self.client.ask(f"setoption name {name} value {value}", PATIENCE)

    def begin(self, seed: int) -> None:
        self.client.ask(f"ucinewgame\nsetoption name Seed value {seed}", PATIENCE)

    def choose(self, view: Position, ms: float) -> str:
        self.client.send(f"position obs {view.line()}", PATIENCE)
        answer = self.client.go(f"movetime {max(1, round(ms))} {self.limits}".rstrip(), PATIENCE + ms / 1000)
        assert answer.step is not None, "the game goes on"
        return answer.step

    def close(self) -> None:
        self.client.quit()


class Uct(Peer):
    """Plain UCT with random playouts of ``plies`` steps, to the end where it is below 0."""

    def __init__(self, plies: int = -1) -> None:
        self.plies = plies
        self.module = uct()
        self.search: Any = None

    def choose(self, view: Position, ms: float) -> str:
        if self.search is None:
            self.search = self.module.Uct(view)
        seed = mix(self.seed, view.key)
        return view.text(self.search.choose(view, view.seat, seed, ms / 1000, self.plies))

    @property
    def simulations(self) -> int | None:
        return self.search.simulations if self.search else 0


class Greedy(Peer):
    """What is most in squares at once; needs no time."""

    times = 10.0

    def __init__(self) -> None:
        self.module = compiled(HERE / "baselines.pyx")

    def choose(self, view: Position, ms: float) -> str:
        return view.text(self.module.greedy(view, mix(self.seed, view.key)))


class Halving(Greedy):
    """Sequential halving over the steps with two greedy steps behind each, judged by the first weights."""

    def begin(self, seed: int) -> None:
        super().begin(seed)
        game("skyclaim").use(weights.read(FIRST_WEIGHTS)[1], rival=True)

    def choose(self, view: Position, ms: float) -> str:
        return view.text(self.module.halving(view, view.seat, mix(self.seed, view.key), ms / 1000))


def uct() -> ModuleType:
    """The compiled UCT, and the random playout that OpenSpiel's bot uses too."""
    return compiled(HERE / "uct.pyx")


def openspiel() -> Peer:
    """OpenSpiel's MCTS bot; raises ImportError where the library is not installed."""
    from .openspiel import OpenSpiel

    return OpenSpiel()


#: by name: how each is made, and what it is
PEERS: dict[str, tuple[Callable[[], Peer], str]] = {
    "onestep": (lambda: Child("onestep"), "the one-step bot with the first weights"),
    "uct": (Uct, "plain UCT, random playouts to the end"),
    "uct-short": (lambda: Uct(SHORT), f"plain UCT, random playouts of {SHORT} steps and the lead in land"),
    "openspiel": (openspiel, "OpenSpiel's MCTS bot, 1,000 simulations a step, as long as it takes"),
    "greedy": (Greedy, "the largest own match or claim"),
    "halving": (Halving, "sequential halving, two greedy steps behind, first weights"),
    "expectimax": (lambda: Child("expectimax", "depth 2", 10.0), "expectimax two turns deep, first weights"),
    "self": (FullStrength, "full strength itself: with --times, what more time is worth"),
}
#: who is played where nobody is named
DEFAULT = [name for name in PEERS if name != "self"]
