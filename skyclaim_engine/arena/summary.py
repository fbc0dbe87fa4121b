"""Everything a report on a match needs, game by game: counts and histograms are kept, games are not.

Made of a ledger's header and its game records, in any order. A record that is there already counts once.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ..errors import plain
from .all_play import Block, Ratings, rate
from .elo import Estimate, elo, los, mean_score, normalised_elo, pair_ratio, shown
from .plackett_luce import Placement, placement
from .sprt import Sprt, State
from .tables import table

Record = Mapping[str, Any]

HALF = Fraction(1, 2)
NAIVE = "naive after early stopping: a match that stops when it looks decided looks more decided than it is"


def share(engines: Sequence[str], result: Sequence[float], one: str, other: str) -> Fraction:
    """The score of ``one`` against ``other`` in a game that both play: the Mann–Whitney share of their seats."""
    mine = [part for name, part in zip(engines, result, strict=True) if name == one]
    theirs = [part for name, part in zip(engines, result, strict=True) if name == other]
    return mann_whitney(mine, theirs)


def mann_whitney(mine: Sequence[float], theirs: Sequence[float]) -> Fraction:
    """The mean over all pairs of 1 where the first has more of the win, ½ where as much, else 0."""
    halves = sum(2 if a > b else a == b for a in mine for b in theirs)
    return Fraction(halves, 2 * len(mine) * len(theirs))


@dataclass
class Histograms:
    """Games and complete blocks from one side: ``blocks`` counts scores, ``block_games`` the games in them."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    points: Fraction = Fraction(0)
    blocks: Counter[Fraction] = field(default_factory=Counter)
    block_games: int = 0

    def add_game(self, score: Fraction) -> None:
        """Count a game by its score of 0..1."""
        self.wins += score > HALF
        self.draws += score == HALF
        self.losses += score < HALF
        self.points += score

    def add_block(self, scores: Sequence[Fraction]) -> Fraction:
        """Count a complete block by the scores of its games; returns their mean."""
        mean = sum(scores, Fraction(0)) / len(scores)
        self.blocks[mean] += 1
        self.block_games += len(scores)
        return mean

    @property
    def games(self) -> int:
        """How many games there are, those of blocks that are not complete among them."""
        return self.wins + self.draws + self.losses

    @property
    def size(self) -> float:
        """The mean number of games in a complete block."""
        return self.block_games / self.blocks.total() if self.blocks else 1.0

    @property
    def score(self) -> float | None:
        """The mean score of all games."""
        return float(self.points / self.games) if self.games else None

    @property
    def draw_rate(self) -> float | None:
        """The part of all games that were drawn."""
        return self.draws / self.games if self.games else None

    @property
    def elo(self) -> Estimate | None:
        """Elo of this side, from complete blocks."""
        return elo(self.blocks, self.size)

    def json(self) -> dict[str, object]:
        """For machines: counts of games and blocks, and what they say; what is not defined is null."""
        normalised = normalised_elo(self.blocks, self.size)
        return {
            "games": self.games, "wins": self.wins, "draws": self.draws, "losses": self.losses,
            "score": self.score, "draw_rate": self.draw_rate,
            "blocks": {str(score): self.blocks[score] for score in sorted(self.blocks)},
            "games_per_block": self.size, "block_score": mean_score(self.blocks),
            "elo": (estimate := self.elo) and estimate.json(),
            "normalised_elo": normalised and normalised.json(),
            "los": los(self.blocks), "pair_ratio": pair_ratio(self.blocks),
        }  # fmt: skip


class Summary:
    """The state of a match; ``header`` is the ledger's first line, whose `sprt`, if any, is what is tested.

    ``pairs``: the histograms of one engine against another, in the header's order of engines; ``first_seat``: of the
    first seat against the others; ``llr`` and ``decided``: of the test. The test takes complete blocks in the order of
    their numbers only, so that it does not depend on which game ended first, and keeps what it once decided.
    """

    def __init__(self, header: Record, anchors: Mapping[str, float] | None = None) -> None:
        self.header = header
        self.anchors = dict(anchors or {})
        self.names = [str(engine["name"]) for engine in header["engines"]]
        self.sprt = Sprt.parse(header["sprt"]) if header.get("sprt") else None
        self.pairs: dict[tuple[str, str], Histograms] = {}
        self.first_seat = Histograms()
        self.blocks: Counter[Block] = Counter()
        self.games = self.turns = 0
        self.ended: Counter[str] = Counter()
        self.faults: Counter[tuple[str, str]] = Counter()
        self.milliseconds: Counter[str] = Counter()
        self.steps: Counter[str] = Counter()
        self.llr = 0.0
        self.decided: State | None = None
        self._tested = Histograms()
        self._open: dict[int, dict[int, tuple[Record, Placement]]] = {}
        self._waiting: dict[int, list[Fraction]] = {}
        self._next = 0

    def add(self, record: Record) -> None:
        """Count the game of a record; lines that are no games are passed over."""
        if record.get("record") != "game":
            return
        block, number = record["block"], record["game"]
        if block < self._next or block in self._waiting or number in self._open.get(block, {}):
            return
        engines, result = record["engines"], record["result"]
        self.games += 1
        self.turns += record["turns"]
        self.ended[record["ended"]] += 1
        if fault := record.get("fault"):
            self.faults[fault["engine"], fault["kind"]] += 1
        for seat, spent in zip(record["seats"], record["times"], strict=False):
            self.milliseconds[engines[seat - 1]] += spent
            self.steps[engines[seat - 1]] += 1
        for one, other in self._meetings(engines):
            if (one, other) not in self.pairs:
                self.pairs[one, other] = Histograms()
                self.pairs = dict(sorted(self.pairs.items(), key=lambda item: [*map(self.names.index, item[0])]))
            self.pairs[one, other].add_game(share(engines, result, one, other))
        self.first_seat.add_game(mann_whitney(result[:1], result[1:]))
        games = self._open.setdefault(block, {})
        games[number] = {"engines": engines, "result": result}, placement(engines, result)
        if len(games) == len(engines):
            del self._open[block]
            self._complete(block, [record for record, _ in games.values()])
            self.blocks[tuple(sorted(placed for _, placed in games.values()))] += 1

    def _meetings(self, engines: Sequence[str]) -> list[tuple[str, str]]:
        playing = set(engines)
        return list(itertools.combinations([name for name in self.names if name in playing], 2))

    def _complete(self, block: int, games: Sequence[Record]) -> None:
        tested: list[Fraction] = []
        for one, other in self._meetings(games[0]["engines"]):
            scores = [share(game["engines"], game["result"], one, other) for game in games]
            self.pairs[one, other].add_block(scores)
            if [one, other] == self.names[:2]:
                tested = scores
        self.first_seat.add_block([mann_whitney(game["result"][:1], game["result"][1:]) for game in games])
        self._waiting[block] = tested
        while self._next in self._waiting:
            scores = self._waiting.pop(self._next)
            self._next += 1
            if self.sprt and scores and not self.decided:
                self._tested.add_block(scores)
                self.llr = self.sprt.llr(self._tested.blocks, self._tested.size)
                self.decided = self.sprt.verdict(self.llr)

    @property
    def step_times(self) -> dict[str, float]:
        """The mean time of a step by engine, in milliseconds, of those that have made one."""
        return {name: self.milliseconds[name] / self.steps[name] for name in self.names if self.steps[name]}

    @property
    def ratings(self) -> Ratings | None:
        """The ratings of all engines at once, where there are more than two of them or of seats."""
        if not self.blocks or (len(self.names) == 2 and not self.anchors and self._seats == 2):
            return None
        played = {name for block in self.blocks for game in block for name in game.engines}
        return rate(self.blocks, {name: rating for name, rating in self.anchors.items() if name in played})

    @property
    def _seats(self) -> int:
        return len(next(iter(self.blocks))[0].engines) if self.blocks else 2

    def headline(self) -> str:
        """One line for a live view: the score, Elo and the test; with more than two engines, who leads."""
        if len(self.names) > 2:
            points = {name: self._against_all(name) for name in self.names}
            leader = max(points, key=lambda name: points[name] or 0.0)
            return f"{plain(leader)} leads with {_percent(points[leader])}"
        pair = next(iter(self.pairs.values()), Histograms())
        text = f"{plain(self.names[0])} {_percent(pair.score)}, Elo {shown(pair.elo)}"
        return f"{text}, {self._test()}" if self.sprt else text

    def _against_all(self, name: str) -> float | None:
        points, games = Fraction(0), 0
        for (one, other), pair in self.pairs.items():
            if name in (one, other):
                points += pair.points if name == one else pair.games - pair.points
                games += pair.games
        return float(points / games) if games else None

    def _test(self) -> str:
        if not self.sprt:
            return ""
        lower, upper = self.sprt.bounds
        verdict = f", {self.decided} accepted" if self.decided else ""
        return f"LLR {self.llr:z.2f} [{lower:.2f}, {upper:.2f}]{verdict}"

    def text(self) -> str:
        """The report, in lines."""
        seed = f", seed {self.header['seed']}" if "seed" in self.header else ""
        blocks = self.blocks.total()
        lines = [f"{self.header.get('game', 'match')}: {self.games} games, {blocks} complete blocks{seed}"]
        if not self.games:
            return lines[0]
        rows = [["engine", "against", "games", "W", "D", "L", "score", "Elo", "nElo", "LOS", "draws", "pair ratio"]]
        for (one, other), pair in self.pairs.items():
            ratio = pair_ratio(pair.blocks)
            rows.append([
                one, other, *map(str, (pair.games, pair.wins, pair.draws, pair.losses)), _percent(pair.score),
                shown(pair.elo), shown(normalised_elo(pair.blocks, pair.size)), _percent(los(pair.blocks)),
                _percent(pair.draw_rate), "n/a" if ratio is None else f"{ratio:.2f}",
            ])  # fmt: skip
        lines += table(rows, left=2)
        if len(self.pairs) == 1:
            (pair,) = self.pairs.values()
            counts = ", ".join(f"{score}: {pair.blocks[score]}" for score in sorted(pair.blocks))
            lines.append(f"blocks by score: {counts or 'none'}")
        if self.sprt:
            lines.append(f"sprt {self.sprt}: {self._test()} after {self._tested.blocks.total()} blocks in order")
            if self.decided:
                lines.append(f"Elo and nElo are {NAIVE}")
            elif self.sprt.model == "normalized" and set(self._tested.blocks) == {HALF}:
                lines.append("all blocks are level: model normalized needs thousands of them, logistic hundreds")
        if ratings := self.ratings:
            lines += self._ratings(ratings)
        first = self.first_seat
        lines.append(f"first seat: {_percent(first.score)}, Elo {shown(first.elo)}")
        lines.append("ended by " + ", ".join(f"{how}: {count}" for how, count in self.ended.most_common()))
        for (name, kind), count in sorted(self.faults.items()):
            lines.append(f"fault of {plain(name)}: {kind}, {count} games")
        lines.append(f"turns a game: {self.turns / self.games:.1f}")
        lines.append(f"ms a step: {', '.join(f'{plain(name)} {ms:.2f}' for name, ms in self.step_times.items())}")
        return "\n".join(lines)

    def _ratings(self, ratings: Ratings) -> list[str]:
        zero = "relative to the anchors" if self.anchors else "mean 0"
        lines = [f"ratings of all at once, {zero}; first seat {shown(ratings.first_seat)}"]
        lines += table([["engine", "rating", "score"]] + [
            [name, shown(rating), _percent(self._against_all(name))] for name, rating in ratings.engines.items()
        ])  # fmt: skip
        if len(ratings.groups) > 1:
            groups = "; ".join(", ".join(map(plain, group)) for group in ratings.groups)
            lines.append(f"no games connect these groups, each has its own zero: {groups}")
        return lines

    def json(self) -> dict[str, object]:
        """The report for machines: finite numbers, or null for what is not defined."""
        test = self.sprt and {
            **vars(self.sprt), "llr": self.llr, "bounds": list(self.sprt.bounds), "decided": self.decided,
            "blocks": self._tested.blocks.total(),
        }  # fmt: skip
        return {
            "game": self.header.get("game"), "seed": self.header.get("seed"),
            "games": self.games, "blocks": self.blocks.total(),
            "pairs": [{"engine": one, "against": other, **pair.json()} for (one, other), pair in self.pairs.items()],
            "sprt": test, "naive": bool(self.decided),
            "ratings": (ratings := self.ratings) and ratings.json(),
            "first_seat": self.first_seat.json(),
            "ended": dict(self.ended),
            "faults": [{"engine": name, "kind": kind, "games": n} for (name, kind), n in sorted(self.faults.items())],
            "turns": self.turns / self.games if self.games else None,
            "ms_a_step": self.step_times,
        }  # fmt: skip


def _percent(part: float | None) -> str:
    return "n/a" if part is None else f"{100 * part:.1f} %"
