"""The core's speed, beside the limit of the star part and beside public libraries, all in one run.

    python benchmarks/core.py [--limit FILE.c] [--peers] [--repeats N] [--json]

Every figure is a median of repeats in processor time; ratios are the thing to quote, since machines are shared. The
limit program (plain C that knows only stars) is compiled twice, for this processor and for the x86-64 baseline, and
runs turn by turn with our own star part under the same rules. `--peers` measures the libraries that are installed
(`pip install skyclaim-engine[bench]`).
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tqdm import tqdm

from skyclaim_engine import game
from skyclaim_engine._bench import Corpus
from skyclaim_engine._board import LEVELS, SIZE, Board, instruction_level, use_instruction_level
from skyclaim_engine.games.islands import _bench as islands
from skyclaim_engine.games.rockets import _bench as rockets
from skyclaim_engine.games.rockets._core import NAMES as CELL_NAMES
from skyclaim_engine.games.rockets._core import Board as RocketsBoard
from skyclaim_engine.perft import perft

ROOT = Path(__file__).resolve().parents[1]
LIMIT = ROOT.parent / "shared" / "peers" / "limit.c"
OURS = ["-O3", "-fno-tree-slp-vectorize", "-I", str(ROOT / "skyclaim_engine")]
#: what a release has to reach: name in the corpus, what it is, at most so many nanoseconds
BARS = (
    ("matched", "all matched squares of a board", 60),
    ("swaps", "the legal swaps as masks", 200),
    ("legal", "all legal steps of a middle-game position", 1000),
    ("copy", "a position copied", 20),
    ("swap", "swap with cascade, payment and end of turn", 800),
    ("playout", "a ply of a random playout", 1e9 / 700_000),
)
PERFT_BAR = 1_500_000  # steps a second, every leaf's steps generated
THREADS_BAR = 1.8


def middle_game(count: int = 240) -> list[Board]:
    """Positions from random games, 2 to 120 steps in."""
    rng, boards = random.Random(3), list[Board]()
    for seed in range(count):
        position = game("skyclaim").start(seed)
        board, stream = position.board.copy(), position.stream
        for _ in range(rng.randrange(2, 120)):
            steps = board.legal()
            if not steps:
                break
            stream, _ = board.apply(rng.choice(steps), stream)
        if not board.over:
            boards.append(board)
    return boards


def core(repeats: int) -> list[dict[str, object]]:
    """One row for each figure and instruction level."""
    corpus, best = Corpus(middle_game()), instruction_level()
    levels = [level for level in LEVELS if use_instruction_level(level) == level]
    times: dict[tuple[str, str], list[float]] = {}
    for _ in tqdm(range(repeats), desc="core", disable=None, file=sys.stderr):
        for level in levels:
            use_instruction_level(level)
            for name, _, _ in BARS:
                figure = getattr(corpus, name)(40 if name != "playout" else 200)
                times.setdefault((name, level), []).append(figure)
            for threads in (1, 2):
                processor, wall = perft_times(threads)
                times.setdefault((f"perft {threads}", level), []).append(processor)
                times.setdefault((f"perft {threads}, wall", level), []).append(wall)
    use_instruction_level(best)
    rows: list[dict[str, object]] = []
    for level in levels:
        for name, text, bar in BARS:
            rows.append(row(text, level, times[name, level], "ns", bar))
        one, two = times["perft 1, wall", level], times["perft 2, wall", level]
        text = "perft 3 of set-up 1 6 6, each leaf's steps listed"
        rows.append(row(text, level, times["perft 1", level], "ns a step", 1e9 / PERFT_BAR))
        speedups = [a / b for a, b in zip(one, two, strict=True)]
        rows.append(row("the same by two threads, times faster", level, speedups, "x", THREADS_BAR))
    return rows


def perft_times(threads: int) -> tuple[float, float]:
    """Nanoseconds a step of perft 3, of processor and of wall time: every step played, every leaf's steps listed."""
    position = game("skyclaim").start(1)
    steps = perft(position, 2) + perft(position, 1)
    begin, wall = time.process_time(), time.perf_counter()
    steps += perft(position, 3, threads=threads, leaves=True)
    return 1e9 * (time.process_time() - begin) / steps, 1e9 * (time.perf_counter() - wall) / steps


def row(text: str, level: str, values: list[float], unit: str, bar: float) -> dict[str, object]:
    median = statistics.median(values)
    return {"what": text, "level": level, "median": median, "best": min(values), "unit": unit, "bar": bar}


def small_games(repeats: int) -> list[dict[str, object]]:
    """Islands and Rockets, each over positions from random games."""
    two_seats, squads = islands.Corpus(islands.played(2000, 2)), islands.Corpus(islands.played(300, 2, 1, 12))
    flying, playing = rockets.Corpus(open_boards(200)), rockets.Corpus(rocket_games(40))
    figures: tuple[tuple[str, Callable[[], float], str, float | None], ...] = (
        ("Islands: a round resolved, 2 seats", lambda: two_seats.resolve(10), "ns", 1e9 / 300_000),
        ("Islands: a legal order set sampled", lambda: two_seats.sample(10), "ns", 1e9 / 200_000),
        ("Islands: the count of a seat's sets, 12 squads", lambda: squads.count(20), "ns", 1e6),
        ("Rockets: a step applied", lambda: playing.apply(20), "ns", 1e9 / 500_000),
        ("Rockets: all flights of a 6, open 35-tile board", lambda: flying.flights(5), "ns", 50_000),
        ("Rockets: all traces of a 6", lambda: flying.traces(5), "ns", 100_000),
    )
    times: dict[str, list[float]] = {}
    for _ in tqdm(range(repeats), desc="small games", disable=None, file=sys.stderr):
        for text, measure, _, _ in figures:
            times.setdefault(text, []).append(measure())
    return [row(text, "", times[text], unit, bar) for text, _, unit, bar in figures]


def open_boards(count: int) -> list[RocketsBoard]:
    """Two pilots on a hexagon of 35 tiles without tokens, a 6 thrown, rockets and shields anywhere."""
    rng, cell = random.Random(5), {name: number for number, name in enumerate(CELL_NAMES)}
    hexagon = [(q, r) for q in range(-3, 4) for r in range(-3, 4) if abs(q + r) <= 3]
    places = [place for place in hexagon if place not in ((3, 0), (-3, 0))]
    cells = [cell[f"{q},{r}"] for q, r in places]
    boards = []
    for _ in range(count):
        ships = [(rng.choice(cells), 1) for _ in range(2)]
        shields = {pilot: rng.choice(cells) for pilot in (1, 2)}
        rules, tiles = (2, 1, False, False, False), dict.fromkeys(cells, 1)
        boards.append(RocketsBoard(rules, "fly", tiles, b"", ships, shields, [1], 1, None, die=6))
    return boards


def rocket_games(count: int) -> list[RocketsBoard]:
    """Positions after the tiles are laid, from random games of all options."""
    boards = []
    for seed in range(count):
        rng = random.Random(seed)
        options = {"Pilots": 2 + seed % 5, "Wormholes": seed & 1 > 0, "AsteroidBelt": seed & 2 > 0}
        position = game("rockets").start(seed, options)
        while position.result is None and len(boards) < 30 * (seed + 1):
            if position.board.phase not in ("tile", "rock") and rng.random() < 0.2:
                boards.append(position.board.copy())
            position.apply(rng.choice(position.legal()))
    return boards


def star_part(limit: Path, repeats: int) -> list[dict[str, object]]:
    """Our star part and the limit program's, run in turn; ratios to the limit's portable build."""
    with tempfile.TemporaryDirectory() as folder:
        ours, native, baseline = (str(Path(folder) / name) for name in ("ours", "native", "baseline"))
        builds = (
            ["gcc", *OURS, "-o", ours, str(ROOT / "benchmarks" / "star_part.c")],
            ["gcc", "-O3", "-march=native", "-fno-tree-slp-vectorize", "-o", native, str(limit)],
            ["gcc", "-O3", "-DNO_AVX", "-fno-tree-slp-vectorize", "-fno-tree-vectorize", "-o", baseline, str(limit)],
        )
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda command: subprocess.run(command, check=True), builds))
        times: dict[str, list[float]] = {}
        for _ in tqdm(range(repeats), desc="star part", disable=None, file=sys.stderr):
            for line in output(ours).splitlines():
                name, _, median, *_ = line.split()
                times.setdefault(f"ours, {name}", []).append(float(median))
            times.setdefault("limit, portable", []).append(limit_swap(output(baseline), "u64x3"))
            times.setdefault("limit, native", []).append(limit_swap(output(native), "avx2"))
    base = times["limit, portable"]
    return [
        {
            "what": f"star part, swap with cascade: {name}",
            "median": statistics.median(values),
            "unit": "ns",
            "ratio": statistics.median(a / b for a, b in zip(values, base, strict=True)),
            "bar": 2.0 if name.startswith("ours") else None,
        }
        for name, values in times.items()
    ]


def output(program: str) -> str:
    return subprocess.run([program], check=True, capture_output=True, text=True).stdout


def limit_swap(text: str, build: str) -> float:
    """The median of the limit program's «swap with full cascade»."""
    part = text.split("swap with full cascade", 1)[1].splitlines()[1:]
    line = next(line for line in part if line.split()[0] == build)
    return float(line.split("median", 1)[1].split()[0])


def tell(rows: list[dict[str, object]]) -> None:
    for r in rows:
        level, bar = r.get("level", ""), r.get("bar")
        text = f"{r['what']:<55} {level:<9} {r['median']:>12,.1f} {r['unit']}"
        if r.get("ratio") is not None:
            text += f"   {r['ratio']:.2f} of the limit's portable build"
        if bar:
            text += f"   (bar {bar:,.1f})"
        print(text)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=Path, default=LIMIT, help="the limit program's source")
    parser.add_argument("--peers", action="store_true", help="measure public libraries too")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    rows = core(args.repeats) + small_games(args.repeats)
    if args.limit.is_file():
        rows += star_part(args.limit, args.repeats)
    else:
        print(f"no limit program at {args.limit}: the star part is left out (--limit FILE)", file=sys.stderr)
    if args.peers:
        import peers

        rows += peers.measure()
    if args.json:
        print(json.dumps(rows, indent=1))
    else:
        print(f"position {SIZE} bytes, medians of {args.repeats}")
        tell(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
