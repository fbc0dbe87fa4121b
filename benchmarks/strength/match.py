"""Pairs of games from one start with sides exchanged, chance keyed by seed, turn and seat, and what they add up to."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from skyclaim_engine import game
from skyclaim_engine.arena.elo import elo, mean_score
from skyclaim_engine.arena.referee import key_chance
from skyclaim_engine.game import Position
from skyclaim_engine.search.skill import mix

from .peers import Peer


@dataclass
class Side:
    """What one of the two has done so far."""

    steps: int = 0
    seconds: float = 0.0

    @property
    def ms(self) -> float:
        """Milliseconds a step."""
        return 1000 * self.seconds / max(1, self.steps)


@dataclass
class Match:
    """Full strength against a peer: the results of whole pairs are ``pairs``, those of all games ``scores``."""

    peer: str
    ours: Side = field(default_factory=Side)
    theirs: Side = field(default_factory=Side)
    scores: list[float] = field(default_factory=list)
    pairs: dict[Fraction, int] = field(default_factory=dict)
    simulations: float | None = None

    def add(self, score: float) -> None:
        """One game's score for us; the games of a pair come one after the other."""
        self.scores.append(score)
        if len(self.scores) % 2 == 0:
            pair = Fraction(sum(self.scores[-2:])) / 2
            self.pairs[pair] = self.pairs.get(pair, 0) + 1

    def figures(self) -> dict[str, object]:
        """All of it for machines; ``score`` and its 95 % interval are of whole pairs, None before the first."""
        estimate = elo(self.pairs, 2)
        interval = [share(estimate.low), share(estimate.high)] if estimate else None
        return {
            "peer": self.peer, "games": len(self.scores), "won": self.scores.count(1.0),
            "drawn": self.scores.count(0.5), "lost": self.scores.count(0.0),
            "score": mean_score(self.pairs), "interval": interval, "elo": estimate.json() if estimate else None,
            "ms": [self.ours.ms, self.theirs.ms], "steps": [self.ours.steps, self.theirs.steps],
            "simulations": self.simulations,
        }  # fmt: skip

    def line(self) -> str:
        """The row of a table."""
        figures, estimate = self.figures(), elo(self.pairs, 2)
        row = f"{self.peer:<11}{figures['games']:>6}{figures['won']:>6}{figures['drawn']:>5}{figures['lost']:>5}"
        if estimate:
            low, high = share(estimate.low), share(estimate.high)
            row += f"{mean_score(self.pairs):>9.1%}{f'{low:.1%} … {high:.1%}':>17}{estimate!s:>16}"
        else:
            row += f"{'n/a':>9}{'n/a':>17}{'n/a':>16}"
        row += f"{self.ours.ms:>10.1f}{self.theirs.ms:>10.1f}"
        return row if self.simulations is None else f"{row}{self.simulations:>12,.0f}"


HEADER = (
    f"{'peer':<11}{'games':>6}{'W':>6}{'D':>5}{'L':>5}{'score':>9}{'95 %':>17}{'Elo':>16}{'ms ours':>10}{'theirs':>10}"
    f"{'simulations':>12}"
)


def share(points: float) -> float:
    """The score that a difference in Elo stands for."""
    return 1 / (1 + math.pow(10, -points / 400))


def play_game(start: Position, seed: int, players: tuple[Peer, Peer], sides: tuple[Side, Side], ms: float) -> float:
    """One game from ``start``, the first player as South, each with ``ms`` times its own; the score of South."""
    position, turn = start.copy(), 0
    for seat, player in enumerate(players, 1):
        player.begin(mix(seed, seat) >> 1 | 1)
    while position.deciders:
        if position.turn != turn:
            turn = position.turn
            key_chance(position, seed)
        player, side = players[position.seat - 1], sides[position.seat - 1]
        view, begin = position.observe(position.seat), time.perf_counter()
        step = player.choose(view, ms * player.times)
        side.seconds += time.perf_counter() - begin
        side.steps += 1
        position.apply(step)
    assert position.result, "nobody decides"
    return position.result.scores[0]


def play_match(match: Match, ours: Peer, theirs: Peer, games: int, seed: int, ms: float) -> Iterator[None]:
    """Play so many games, rounded up to pairs, and add each to ``match`` when it has ended."""
    for pair in range((games + 1) // 2):
        number = mix(seed, pair)
        start = game("skyclaim").start(number)
        for south in (True, False):
            players = (ours, theirs) if south else (theirs, ours)
            sides = (match.ours, match.theirs) if south else (match.theirs, match.ours)
            score = play_game(start, number, players, sides, ms)
            if theirs.simulations is not None:
                match.simulations = theirs.simulations / max(1, match.theirs.steps)
            match.add(score if south else 1 - score)
            yield
