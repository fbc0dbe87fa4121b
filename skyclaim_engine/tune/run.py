"""Tuning from the first iteration or the last interruption to the end: games in processes, progress, what is kept."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing import get_context, parent_process
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from ..errors import SkyclaimError, quote
from ..game import Game
from ..games import game as find_game
from ..search.skill import mix
from ..weights import VERSION
from .quick import duel
from .spsa import Spsa

#: iterations between two savings
SAVE_EVERY = 50

Weights = dict[str, float]


@dataclass
class Tuning:
    """A game's weights in the making: ``fixed`` are those that are not tuned, ``names`` the parameters of ``spsa``."""

    game: str
    names: tuple[str, ...]
    fixed: Weights
    spsa: Spsa
    concurrency: int

    @classmethod
    def begin(cls, game: Game, weights: Weights, seed: int, total: int, concurrency: int) -> Tuning:
        """Start from ``weights``; raises SkyclaimError for a game without weights to tune."""
        if not game.scales:
            raise SkyclaimError(f"variant {quote(game.info.name)} has no weights to tune")
        names = tuple(game.scales)
        values = np.array([weights.get(name, 0.0) for name in names])
        fixed = {name: value for name, value in weights.items() if name not in game.scales}
        spsa = Spsa.begin(values, np.array([game.scales[name] for name in names]), seed, total)
        return cls(game.info.name, names, fixed, spsa, concurrency)

    def weights(self, values: Any = None) -> Weights:
        """The weights at these values of the parameters; without them, the result so far."""
        found = self.spsa.mean if values is None else values
        return {**self.fixed, **{name: round(float(value), 4) for name, value in zip(self.names, found, strict=True)}}

    @property
    def command(self) -> str:
        """What makes these weights again, from the same beginning."""
        numbers = f"--pairs {self.spsa.total} --seed {self.spsa.seed} --concurrency {self.concurrency}"
        return f"skyclaim tune --variant {self.game} {numbers}"

    def save(self, path: Path) -> None:
        """Keep everything, so that a file is either as it was or whole."""
        state = {
            "version": VERSION, "game": self.game, "made": self.command,
            "pairs": self.spsa.done, "weights": self.weights(),
            "state": {"values": list(self.spsa.values), "mean": list(self.spsa.mean)},
        }  # fmt: skip
        part = path.with_name(path.name + ".part")
        part.write_text(json.dumps(state, indent=1) + "\n", "utf-8")
        os.replace(part, path)

    def load(self, path: Path) -> None:
        """Go on from a file; raises SkyclaimError if it is of another tuning."""
        try:
            state = json.loads(path.read_text("utf-8"))
            made, done = state["made"], int(state["pairs"])
            values, mean = (np.array(state["state"][name], float) for name in ("values", "mean"))
        except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
            raise SkyclaimError(f"{path}: there is no tuning to go on with: {error!r}") from None
        if state.get("game") != self.game or made != self.command:
            raise SkyclaimError(f"{path}: it was made by {quote(str(made))}, which is not this tuning")
        for numbers in (values, mean):
            if numbers.shape != (len(self.names),) or not np.isfinite(numbers).all():
                raise SkyclaimError(f"{path}: its state is not {len(self.names)} numbers, one for each parameter")
        if not 0 <= done <= self.spsa.total:
            raise SkyclaimError(f"{path}: pairs {quote(str(done))} is not in 0..{self.spsa.total}")
        self.spsa.values, self.spsa.mean, self.spsa.done = values, mean, done

    def play(self, path: Path) -> None:
        """All iterations that are left, kept in ``path`` as it goes on; Ctrl-C is raised when everything is kept."""
        begun = self.spsa.done
        self.save(path)  # where nothing can be kept, this is the time to know
        with _players(self.concurrency) as players, tqdm(
            total=self.spsa.total, initial=begun, unit="pair", disable=None
        ) as progress:
            try:
                while self.spsa.done < self.spsa.total:
                    before = self.spsa.done
                    self.spsa = self._after_batch(players)
                    progress.update(self.spsa.done - before)
                    if self.spsa.done // SAVE_EVERY > before // SAVE_EVERY:
                        self.save(path)
            finally:
                self.save(path)

    def _after_batch(self, players: Any) -> Spsa:
        """What is known after the next pairs, all of which are played with the values of now.

        One that is interrupted counts for nothing: what is left of it could not be played with these values any more.
        """
        spsa = replace(self.spsa)
        batch = range(spsa.done, min(spsa.done + self.concurrency, spsa.total))
        jobs = []
        for iteration in batch:
            one, other = (self.weights(values) for values in spsa.candidates(iteration))
            jobs.append((self.game, one, other, mix(spsa.seed, iteration)))
        for iteration, result in zip(batch, players.map(play_pair, jobs), strict=True):
            spsa.learn(iteration, result)
        return spsa


def play_pair(job: tuple[str, Weights, Weights, int]) -> float:
    """Two games from one start with seats exchanged: what the first weights scored less what the others did, -1..1."""
    name, one, other, seed = job
    game = find_game(name)
    game.use(one)
    game.use(other, rival=True)
    start = game.start(seed)
    return duel(start, seed, 2)[0] - duel(start, seed, 1)[0]


@contextmanager
def _players(concurrency: int) -> Iterator[Any]:
    """Processes for the games, since weights are a process's own; no process where one is enough."""
    if concurrency == 1:
        yield _Here()
        return
    pool = ProcessPoolExecutor(concurrency, get_context("forkserver"), initializer=_serve_the_parent)
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


class _Here:
    map = staticmethod(map)


def _serve_the_parent() -> None:
    """What ends a tuning is for the parent, which keeps what there is; and without a parent there is nothing to do."""
    for interrupt in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(interrupt, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_parent, daemon=True).start()


def _end_with_the_parent() -> None:
    if parent := parent_process():
        parent.join()
    os._exit(1)
