"""What public libraries do in the nearest comparable work: processor time on one core, medians of five.

A library that is not installed, or does not work here, is a row that says so. None of them knows this game's rules, so
these are orders of magnitude, not races.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version


def measure() -> list[dict[str, object]]:
    """Rows as those of core.py, in nanoseconds for one operation."""
    rows: list[dict[str, object]] = []
    for name, library in (("tile-match-gym", tile_match_gym), ("chess", python_chess), ("open-spiel", open_spiel)):
        try:
            for text, seconds in library():
                rows.append({"what": f"{name} {version(name)}: {text}", "median": 1e9 * seconds, "unit": "ns"})
        except Exception as error:
            reason = f"{name}: not measured ({type(error).__name__}: {error})"
            rows.append({"what": reason[:110], "median": 0.0, "unit": "ns"})
    return rows


def median_seconds(work: Callable[[], int], repeats: int = 5) -> float:
    """Processor seconds for one of the operations that ``work`` does and counts."""
    times = []
    for _ in range(repeats):
        begin = time.process_time()
        done = work()
        times.append((time.process_time() - begin) / done)
    return statistics.median(times)


def tile_match_gym() -> Iterator[tuple[str, float]]:
    """Plain match-3 on 11 x 11 with five colours."""
    import numpy
    from tile_match_gym.board import Board, is_move_effective

    board = Board(11, 11, 5, [], [], numpy.random.default_rng(3))
    board.generate_board()
    rng = random.Random(5)

    def legal() -> list[object]:
        return [swap for swap in board.action_to_coords if is_move_effective(board.board, *swap)]

    def swaps() -> int:
        for _ in range(40):
            board.move(*rng.choice(chosen))
            chosen[:] = legal()
        return 40

    chosen = legal()
    yield "legal swaps listed", median_seconds(lambda: sum(bool(legal()) for _ in range(20)))
    yield "swap with cascade, legal swaps listed", median_seconds(swaps)


def python_chess() -> Iterator[tuple[str, float]]:
    """Perft of the start position, every step played."""
    import chess

    def perft(board: chess.Board, depth: int) -> int:
        if depth == 0:
            return 1
        total = 0
        for move in board.legal_moves:
            board.push(move)
            total += perft(board, depth - 1)
            board.pop()
        return total

    yield "a step of perft 3, played", median_seconds(lambda: perft(chess.Board(), 3))


def open_spiel() -> Iterator[tuple[str, float]]:
    """Plies of random games inside the library's own rollouts."""
    import pyspiel

    for name, plies in (("breakthrough", 64), ("hex(board_size=11)", 108), ("backgammon", 211)):
        game = pyspiel.load_game(name)

        def rollouts(game: object = game) -> int:
            state = game.new_initial_state()  # type: ignore[attr-defined]
            while state.is_chance_node():
                state.apply_action(state.chance_outcomes()[0][0])
            bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(20, 7), 2.0, 10, 1000, False, 42, False)
            bot.mcts_search(state)
            return 200

        yield f"a ply of a random game of {name}", median_seconds(rollouts) / plies
