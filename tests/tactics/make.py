"""Makes the suite: `python -m tests.tactics.make [SEED]` adds to suite.txt what a class lacks.

Positions of games between bots, and the same with a few drones set elsewhere (sieges seldom come to the Command by
themselves), are sorted into the classes by the proofs.
"""

from __future__ import annotations

import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

from skyclaim_engine.games.skyclaim.position import SkyclaimPosition
from skyclaim_engine.games.skyclaim.squares import NAMES
from skyclaim_engine.search import Bot, Limits, Settings, StopFlag

from .proof import (
    KINDS,
    MARGIN,
    PROOFS,
    after,
    best_by_count,
    can_win,
    count,
    draws,
    hopeless,
    left_by_reply,
    loss,
    outcomes,
    squares,
    winning,
)
from .scenes import SCENES, SKYCLAIM, Scene

SUITE = Path(__file__).with_name("suite.txt")
SEED = 1
#: how many positions of each class
EACH = {
    "siege": 30,
    "land": 30,
    "asteroid": 12,
    "missile-win": 26,
    "next": 20,
    "defence": 46,
    "take": 12,
    "save-siege": 10,
    "missile": 8,
}
#: the kind of all good steps
KIND = {"siege": "move:", "missile-win": "fire:", "take": "take:", "missile": "fire:"}
#: seconds of the processor that one proof may take
PATIENCE = 3.0


def games(rng: Random) -> Iterator[SkyclaimPosition]:
    """Positions of games between bots of any skill."""
    while True:
        position = SKYCLAIM.start(rng.getrandbits(64))
        bots = [Bot(Settings(seed=rng.getrandbits(60), skill=rng.choice((70, 100)))) for _ in range(2)]
        wait = rng.randrange(6, 60)
        while position.result is None and position.turn < 390:
            step = bots[position.seat - 1].decide(position, Limits(nodes=300), StopFlag(), lambda line: None)
            assert step is not None
            position.apply(step)
            wait -= 1
            if not wait and position.result is None:
                yield position.copy()
                wait = rng.randrange(10, 40)


def few(position: SkyclaimPosition) -> bool:
    """Whether neither side has many free steps, so that trying everything ends."""
    loaded = [sum(d[5] for d in position.board.drones if d[1] == side and KINDS[d[2]] != "M") for side in (0, 1)]
    return max(loaded) <= 1 and max(position.board.stock) < 10


class TooLong(Exception):
    """A proof takes longer than PATIENCE."""


def give_up(*_: object) -> None:
    raise TooLong


def in_time(name: str, position: SkyclaimPosition) -> list[str]:
    """``answer``, or none if that takes too long."""
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    try:
        return answer(name, position)
    except TooLong:
        return []
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def answer(name: str, position: SkyclaimPosition) -> list[str]:
    """The good steps, if the position belongs into the class and is worth asking; otherwise none."""
    wins = PROOFS[name] is winning
    if not few(position) or (hopeless(position) if wins else can_win(position)):
        return []
    if not wins and not promising(name, position):
        return []
    good = PROOFS[name](position)
    return good if good and fits(name, position, good) else []


def fits(name: str, position: SkyclaimPosition, good: list[str]) -> bool:
    """Whether these good steps are what the class is about."""
    if PROOFS[name] is best_by_count and others_gain(position, good):
        return False
    if name in KIND:
        return all(step.startswith(KIND[name]) for step in good)
    if name == "land":
        return any(step.startswith(("claim:", "warp:")) for step in good)
    if name == "asteroid":
        return all(draws(position, step) for step in good)
    if name == "save-siege":
        return set(good) <= set(moves_of_sieges(position))
    return len(good) <= len(position.legal()) / 4


def others_gain(position: SkyclaimPosition, good: list[str]) -> bool:
    """Whether any other step may gain something at once: then it is a matter of taste what is best."""
    now, seat = count(position, position.seat), position.seat
    rest = [step for step in position.legal() if step not in good and not step.startswith("take:")]
    return any(count(there, seat) > now + 1 for step in rest for there in outcomes(position, step))


def promising(name: str, position: SkyclaimPosition) -> bool:
    """Whether a glance says that the position may belong into the class, and that the proof will end."""
    seat, steps = position.seat, position.legal()
    some = Random(position.key).sample(steps, min(20, len(steps)))
    if name == "next":
        return not any(step.startswith("fire:") for step in steps)
    if name == "defence":
        return sum(loss(position, step) == 0 for step in some) <= 6
    if len(position.board.drones) > 13 or any(KINDS[drone[2]] == "W" for drone in position.board.drones):
        return False  # too much to try
    if name == "save-siege":
        own = moves_of_sieges(position)
        rest = [step for step in some if step not in own]
        return bool(own and rest) and max(left(position, step) for step in own) > max(
            left(position, step) for step in rest
        )
    gained = {step: count(after(position, step, 1), seat) for step in steps}
    best = max((gain for step, gain in gained.items() if step.startswith(KIND[name])), default=-1000)
    return best >= (count(position, seat) + MARGIN if name == "missile" else max(gained.values()))


def left(position: SkyclaimPosition, step: str) -> float:
    """The count after a step and the worst reply to it."""
    there = after(position, step, 1)
    return left_by_reply(there, position.seat, -1000, []) if there.seat else count(there, position.seat)


def moves_of_sieges(position: SkyclaimPosition) -> list[str]:
    """The steps with which a siege of the mover leaves its square."""
    drones = position.board.drones
    own = {NAMES[square] for square, side, kind, *_ in drones if side == position.seat - 1 and KINDS[kind] == "X"}
    return [
        step for step in position.legal() if step.startswith(("move:", "ram:", "stack:")) and squares(step)[0] in own
    ]


def main(seed: int) -> None:
    rng = Random(seed)
    signal.signal(signal.SIGPROF, give_up)
    wanted = dict(EACH)
    lines = SUITE.read_text().splitlines() if SUITE.exists() else []
    for line in lines:
        wanted[line.split(" | ")[0]] -= 1
    began = time.monotonic()
    spent: Counter[str] = Counter()
    for found in games(rng):
        names = [name for name in wanted if wanted[name] > 0]
        if not names:
            break
        for name in names:
            clock = time.monotonic()
            for _ in range(8):
                scene = Scene(found, rng)
                SCENES[name](scene)
                position = scene.position()
                good = in_time(name, position) if position else []
                if position and good:
                    lines.append(f"{name} | {' '.join(good)} | {position.line()}")
                    wanted[name] -= 1
                    break
            spent[name] += time.monotonic() - clock
        lines.sort(key=lambda line: list(PROOFS).index(line.split(" | ")[0]))
        SUITE.write_text("\n".join(lines) + "\n")
        print(f"{time.monotonic() - began:.0f} s", wanted, {k: round(v) for k, v in spent.items()}, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else SEED)
