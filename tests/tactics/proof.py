"""What is certain in a Skyclaim position, by trying everything on the public API; the search of the engine has no part.

A step that draws nothing from the stream has one outcome. Any other is tried with STREAMS streams, and what is claimed
must hold in each of them; a win must hold in an outcome too in which nothing came after the first wave, if there is
one. That is more than a sample: while a side resolves, chance only adds to what is sure to come (drones and power of
its own, squares cleared, asteroids on land of the other side without a drone), and neither a siege beside the Command
nor a drift onto it is undone by more of these.

Wins and losses are exact in this sense. What a turn gains is told by a plain count of land and drones after the other
side's worst reply, over the steps in which chance has no part; swaps come in by the mean of their outcomes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain

from skyclaim_engine.errors import IllegalStep
from skyclaim_engine.games.skyclaim.position import SkyclaimPosition
from skyclaim_engine.games.skyclaim.squares import INDEX

STREAMS = 6
#: a drone or turret in squares of land, for the plain count; each power over 1 is one more
VALUE = {"S": 4, "G": 3, "R": 4, "H": 5, "W": 6, "X": 6, "B": 3, "T": 3, "M": 0}
KINDS = ".SGRHWXBMT"
ASTEROID = 6
FREE = ("fire:", "turret:")


def after(position: SkyclaimPosition, step: str, stream: int) -> SkyclaimPosition:
    """The position after a step, its chance drawn from ``stream``."""
    there = position.copy()
    there.restream(stream)
    there.apply(step)
    return there


def outcomes(position: SkyclaimPosition, step: str) -> Iterator[SkyclaimPosition]:
    """What a step may lead to: one position if it draws nothing, one for each stream otherwise."""
    for stream in range(1, STREAMS + 1):
        there = after(position, step, stream)
        yield there
        if there.stream == stream:
            return


def poorest(position: SkyclaimPosition, step: str) -> Iterator[SkyclaimPosition]:
    """An outcome of a step that draws in which nothing came after the first wave, if one is found soon."""
    for stream in range(STREAMS + 1, 20 * STREAMS):
        there = position.copy()
        there.restream(stream)
        events = there.apply(step)
        if there.stream == stream:
            return
        if max((event["wave"] for event in events if event["type"] == "clear"), default=1) == 1:
            yield there
            return


def draws(position: SkyclaimPosition, step: str) -> bool:
    """Whether chance has a part in the step."""
    return after(position, step, 1).stream != 1


def won(position: SkyclaimPosition, seat: int) -> bool:
    """Whether the game is over and ``seat`` has won."""
    return position.result is not None and position.result.scores[seat - 1] == 1


def actions_first(position: SkyclaimPosition) -> list[str]:
    """The legal steps, free ones last."""
    return sorted(position.legal(), key=lambda step: step.startswith(FREE))


# ------------------------------------------------------------------------------------------------ wins in this turn


def hopeless(position: SkyclaimPosition) -> bool:
    """Whether no turn of the mover can win, seen without trying (rules 7, 8); False says nothing."""
    board, me = position.board, position.seat - 1
    if board.land_owned[me] + 9 >= int(position.options["LandToWin"]) or position.turn == position.options["TurnLimit"]:
        return False  # a claim or warp takes up to nine squares
    home = next((square for square, side, kind, *_ in board.drones if KINDS[kind] == "M" and side != me), None)
    if home is None:
        return False
    row = home // 11 if me == 0 else 10 - home // 11
    if row <= 5:
        return False  # a match can pay a siege beside it
    if row <= 8:  # an asteroid two squares beyond, over a drone, can be carried onto it
        beyond = home + (22 if me == 0 else -22)
        if board.stars[beyond] == ASTEROID or board.land[beyond] == 2 - me:
            return False
    near = [distance(square, home) for square, side, kind, *_ in board.drones if side == me and KINDS[kind] == "X"]
    if min(near, default=11) > 2:
        return True
    guards = [
        power
        for square, side, kind, power, *_ in board.drones
        if side != me and KINDS[kind] == "G" and distance(square, home) == 1
    ]
    missiles = sum(drone[5] for drone in board.drones if drone[1] == me and KINDS[drone[2]] in "SH")
    return 1 not in near and sum(guards) > missiles  # the action brings the siege, so that missiles must clear the way


def distance(one: int, other: int) -> int:
    """The steps between two squares."""
    return max(abs(one % 11 - other % 11), abs(one // 11 - other // 11))


def wins_by(position: SkyclaimPosition, step: str) -> bool:
    """Whether the mover wins with this step or, if it is a free one, later in the same turn, whatever chance brings."""
    seat = position.seat
    return all(
        won(there, seat) or (there.seat == seat and can_win(there))
        for there in chain(outcomes(position, step), poorest(position, step))
    )


def can_win(position: SkyclaimPosition) -> bool:
    """Whether the mover can win in this turn, whatever chance brings."""
    return not hopeless(position) and any(wins_by(position, step) for step in actions_first(position))


def winning(position: SkyclaimPosition) -> list[str]:
    """The steps that win in this turn, or keep a win of this turn."""
    return [step for step in position.legal() if wins_by(position, step)]


# ------------------------------------------------------------------------------------------------ the other side's win


def loss(position: SkyclaimPosition, step: str) -> float:
    """In which part of its outcomes the step lets the other side win in its next turn.

    After a free step that is so if no step after it is entirely safe.
    """
    seat = position.seat
    lost = [
        not any(loss(there, later) == 0 for later in actions_first(there))
        if there.seat == seat
        else won(there, 3 - seat) or (not won(there, seat) and can_win(there))
        for there in outcomes(position, step)
    ]
    return sum(lost) / len(lost)


def losses(position: SkyclaimPosition) -> dict[str, float]:
    """``loss`` for every step."""
    return {step: loss(position, step) for step in position.legal()}


# ------------------------------------------------------------------------------------------------ wins in the next turn


def cornered(position: SkyclaimPosition, seat: int, first: list[str]) -> bool:
    """Whether ``seat`` can win in its next turn whatever the other side, which is to move, does and chance brings.

    ``first`` is what refuted earlier tries, to be tried first.
    """
    steps = position.legal()
    for step in [reply for reply in first if reply in steps] + actions_first(position):
        for there in outcomes(position, step):
            if won(there, seat) or (there.seat == seat and can_win(there)):
                continue
            if there.seat == position.seat and cornered(there, seat, first):
                continue
            if step not in first:
                first.insert(0, step)
            return False
    return True


def winning_next(position: SkyclaimPosition) -> list[str]:
    """The actions after which every reply leaves the mover a win; it has no free steps and no win in this turn."""
    seat, first = position.seat, list[str]()
    return [
        step
        for step in position.legal()
        if all(there.seat == 3 - seat and cornered(there, seat, first) for there in outcomes(position, step))
    ]


# ------------------------------------------------------------------------------------------------ what a turn gains

#: what by the count is as good as the best
MARGIN = 3


def count(position: SkyclaimPosition, seat: int) -> int:
    """Land, drones and turrets of ``seat``, less the other side's, in squares of land; a decided game is 1000."""
    if position.result is not None:
        return 1000 if won(position, seat) else -1000
    own, others = position.board.land_owned if seat == 1 else position.board.land_owned[::-1]
    total = own - others
    for _, side, kind, power, *_ in position.board.drones:
        value = VALUE[KINDS[kind]] + power - 1
        total += value if side == seat - 1 else -value
    return total


def certain(position: SkyclaimPosition) -> list[str]:
    """The steps that the count of a reply looks at: those in which chance has no part, turrets apart."""
    drones = {square for square, *_ in position.board.drones}
    return [
        step
        for step in position.legal()
        if not step.startswith(("swap:", "turret:")) and not (step.startswith("fire:") and target(step) not in drones)
    ]


def squares(step: str) -> list[str]:
    """The squares that a step names."""
    return re.findall("[a-k][0-9]+", step.partition(":")[2])


def target(step: str) -> int:
    """The square index of the last square that a step names."""
    return INDEX[squares(step)[-1]]


def left_by_reply(position: SkyclaimPosition, seat: int, enough: float, first: list[str]) -> float:
    """The least count that the other side, which is to move, can leave; less than ``enough`` is not looked into.

    ``first`` is what answered earlier steps well, to be tried first.
    """
    least = float("inf")
    for step in chain(tuple(first), late(certain, position)):
        try:
            there = after(position, step, 1)
        except IllegalStep:
            continue
        if there.stream != 1:
            continue
        value = left_by_reply(there, seat, enough, first) if there.seat == position.seat else count(there, seat)
        least = min(least, value)
        if least < enough:
            first[:] = [step, *(reply for reply in first if reply != step)][:4]
            return least
    return least


def late(steps: Callable[[SkyclaimPosition], list[str]], position: SkyclaimPosition) -> Iterator[str]:
    """The steps of a position, made when the first is asked for."""
    yield from steps(position)


def gains(position: SkyclaimPosition) -> dict[str, float]:
    """What each step comes to by the count: with the best rest of the turn, after the other side's worst reply.

    Steps with a part of chance count as the mean of their outcomes. What is more than MARGIN below the best is only
    known to be so. Turrets and missiles at stars are not looked at.
    """
    first: list[str] = []

    def value_of(here: SkyclaimPosition, step: str, enough: float) -> float:
        total, n = 0.0, 0
        for there in outcomes(here, step):
            value = -float("inf")
            if there.seat == position.seat:
                for follow in certain(there):
                    value = max(value, value_of(there, follow, max(enough, value + 0.5)))  # whole numbers
            elif there.seat == 0:
                value = count(there, position.seat)
            else:
                value = left_by_reply(there, position.seat, enough, first)
            total, n = total + value, n + 1
        return total / n

    drones = {square for square, *_ in position.board.drones}
    best, values = -float("inf"), {}
    for step in sorted(position.legal(), key=lambda step: (step.startswith("swap:"), step[:4] not in ("take", "fire"))):
        if step.startswith("turret:") or (step.startswith("fire:") and target(step) not in drones):
            continue
        values[step] = value_of(position, step, best - MARGIN)
        best = max(best, values[step])
    return values


def best_by_count(position: SkyclaimPosition) -> list[str]:
    """The steps that come to less than MARGIN below the most that any step comes to."""
    values = gains(position)
    least = max(values.values()) - MARGIN
    return [step for step, value in values.items() if value > least]


def safe(position: SkyclaimPosition) -> list[str]:
    """The steps that never let the other side win at once, if all others mostly do; otherwise none."""
    lost = losses(position)
    return [] if any(0 < part < 0.5 for part in lost.values()) else [step for step in lost if not lost[step]]


#: how the good steps of a class are proven
PROOFS: dict[str, Callable[[SkyclaimPosition], list[str]]] = {
    "siege": winning,
    "land": winning,
    "asteroid": winning,
    "missile-win": winning,
    "next": winning_next,
    "defence": safe,
    "take": best_by_count,
    "save-siege": best_by_count,
    "missile": best_by_count,
}
