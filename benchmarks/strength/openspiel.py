"""Skyclaim as a game of OpenSpiel, and OpenSpiel's own MCTS bot playing it.

Chance is a node of its own after each step: one of CHANCES refills, drawn once for each place in the tree, since the
bot's tree cannot have children that are legal at one time and not at another. Its leaves are valued by a random playout
of 20 steps and what the lead in land stands for then: random games to the end would take many times as long.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy
import pyspiel
from open_spiel.python.algorithms.mcts import MCTSBot

from skyclaim_engine import game
from skyclaim_engine.game import Position
from skyclaim_engine.search.skill import mix

from .peers import SHORT, Peer, uct

SIMULATIONS = 1000
#: the exploration constant for returns of -1..1, as in the library's examples; 0.1 to 2 play much the same
EXPLORATION = 2.0
CHANCES = 8
STEP_NUMBERS = 1 << 20

TYPE = pyspiel.GameType(
    short_name="skyclaim", long_name="Skyclaim", dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION, utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL, max_num_players=2, min_num_players=2,
    provides_information_state_string=False, provides_information_state_tensor=False,
    provides_observation_string=False, provides_observation_tensor=False, parameter_specification={},
)  # fmt: skip
INFO = pyspiel.GameInfo(
    num_distinct_actions=STEP_NUMBERS, max_chance_outcomes=CHANCES, num_players=2,
    min_utility=-1.0, max_utility=1.0, utility_sum=0.0, max_game_length=100_000,
)  # fmt: skip


class Skyclaim(pyspiel.Game):  # type: ignore[misc]
    """The game; a search begins at a position that is given, not at a set-up."""

    def __init__(self, params: Any = None) -> None:
        super().__init__(TYPE, INFO, params or {})

    def new_initial_state(self) -> State:
        start: Any = game("skyclaim").start(1)
        return State(self, start.board, 1)


class State(pyspiel.State):  # type: ignore[misc]
    """A board, the step that chance is still to be drawn for (None in a decision node), and a number for its chance."""

    def __init__(self, whose: Skyclaim, board: Any, path: int, pending: int | None = None) -> None:
        super().__init__(whose)
        self.whose, self.board, self.path, self.pending = whose, board, path, pending

    def clone(self) -> State:
        return State(self.whose, self.board.copy(), self.path, self.pending)

    def current_player(self) -> int:
        if self.board.over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self.pending is not None else int(self.board.mover)

    def is_terminal(self) -> bool:
        return bool(self.board.over)

    def is_chance_node(self) -> bool:
        return self.pending is not None

    def legal_actions(self, player: int | None = None) -> list[int]:
        return self._legal_actions(player)

    def _legal_actions(self, player: int | None) -> list[int]:
        return list(range(CHANCES)) if self.pending is not None else sorted(self.board.legal())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(number, 1 / CHANCES) for number in range(CHANCES)]

    def apply_action(self, action: int) -> None:
        self._apply_action(action)

    def _apply_action(self, action: int) -> None:
        self.path = mix(self.path, int(action))
        if self.pending is None:
            self.pending = int(action)
        else:
            self.board.apply(self.pending, self.path)
            self.pending = None

    def _action_to_string(self, player: int, action: int) -> str:
        return game("skyclaim").start(1).text(action)

    def returns(self) -> list[float]:
        winner = self.board.winner if self.board.over else None
        return [0.0, 0.0] if winner is None else [1.0, -1.0] if winner == 0 else [-1.0, 1.0]

    def __str__(self) -> str:
        return f"{self.board.key:016x} {self.pending}"


class Playout:
    """The bot's evaluator: a truncated random playout, as the bot's own but compiled, and the same prior for all."""

    def __init__(self, seed: int) -> None:
        self.seeds: Iterator[int] = (mix(seed, number) for number in itertools.count())
        self.shares_of = uct().shares_of

    def evaluate(self, state: State) -> numpy.ndarray[Any, Any]:
        board = state.board
        if state.pending is not None:
            board = board.copy()
            board.apply(state.pending, next(self.seeds))
        south, north = self.shares_of(game("skyclaim"), board.raw(), 2, next(self.seeds), SHORT)
        return numpy.array([south - north, north - south])

    def prior(self, state: State) -> list[tuple[int, float]]:
        if state.is_chance_node():
            return state.chance_outcomes()
        steps = state.legal_actions()
        return [(step, 1 / len(steps)) for step in steps]


class OpenSpiel(Peer):
    """OpenSpiel's bot with SIMULATIONS a step, whatever time it is given; fewer once it has proven how the game ends.

    It does not play with fog.
    """

    def __init__(self) -> None:
        uct()
        self.game, self.done = Skyclaim(), 0

    def choose(self, view: Position, ms: float) -> str:
        seed = mix(self.seed, view.key)
        bot = MCTSBot(
            self.game, EXPLORATION, SIMULATIONS, Playout(seed), random_state=numpy.random.RandomState(seed % 2**32)
        )
        root = bot.mcts_search(State(self.game, view.board.copy(), seed))  # type: ignore[attr-defined]
        self.done += root.explore_count
        return view.text(int(root.best_child().action))

    @property
    def simulations(self) -> int | None:
        return self.done
