"""How the facts about a step are found (``facts.Facts``): what it is compared with, and what others could do about it.

The comparison uses the search that the bot plays by, the replies one step of lookahead. Everything is bounded by nodes
and follows from the observation and a seed alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from ..facts import EQUAL, Choice, Facts, Reply, Role
from ..game import Position
from .algorithms import NO_DEPTH, Algorithm, Budget
from .replies import gain, is_free, replies
from .skill import EXPERT, mix
from .stop import StopFlag

#: nodes to find the best of the other steps, and to compare it with the one that is asked about
RIVAL_NODES, DUEL_NODES = 4000, 4000
#: samples in which a reply must be legal to be told: the first choose it, and the rest, fresh ones, say what it costs
SAMPLES, CHOOSING = 20, 8
#: how many other steps show what is prevented, most of which must agree, and in how many samples each
PROBES, PROBE_SAMPLES = 5, 6
#: how much that must be worth, and how many times the error of sampling
PREVENTED, CERTAINTY = 0.05, 3.0
#: samples of what a free step gains
GAIN_SAMPLES = 500
#: the least skill that thinks of the reply (docs/skill.md)
REPLY_FROM = 50

#: what a reply (seat, step) costs, by sample; a sample in which it is not legal is left out
Costs = dict[tuple[int, int], list[float]]


def of_a_choice(
    view: Position,
    seat: int,
    step: str,
    ranked: Sequence[Choice],
    numbers: dict[str, int],
    role: Role,
    knowledge: int,
    search: Algorithm,
    seed: int,
    late: Callable[[], bool],
) -> Facts:
    """Of the step that a search has chosen among ``numbers``; ``ranked`` are those that it reached, best first.

    When it is ``late`` before that is known, nothing is said of what the step prevents.
    """
    number, of_a_kind = numbers[step], search.one_step
    rivals = _rivals(view, numbers, number, of_a_kind)
    other = next((choice for choice in ranked if choice.step in rivals), None)
    prevented = None
    if knowledge >= REPLY_FROM:
        costs = _costs(view, seat, number, seed, PROBE_SAMPLES, late)
        prevented = _prevented(view, seat, costs, numbers, number, seed, late)
    gained = _gain(view, seat, number, seed) if of_a_kind else None
    return Facts(role, knowledge, ranked[0] if ranked else None, other, None, prevented, of_a_kind, gained)


def of_a_question(
    view: Position, seat: int, number: int, numbers: dict[str, int], search: Algorithm, seed: int
) -> Facts:
    """Of any step, by a small search of its own over ``numbers``."""
    of_a_kind = search.one_step
    rivals = _rivals(view, numbers, number, of_a_kind)
    chosen = other = None
    if rivals:
        choices = list(rivals.items())
        ranked = _search(view, seat, [number for _, number in choices], search, mix(seed, 1), RIVAL_NODES)
        rival, rival_number = choices[ranked[0][0]]
        # both anew and alike: the best of many was lucky too
        duel = sorted(_search(view, seat, [number, rival_number], search, mix(seed, 2), DUEL_NODES))
        chosen, other = (
            Choice(step, win, lead) for step, (_, win, lead) in zip((view.text(number), rival), duel, strict=True)
        )
    costs = _costs(view, seat, number, seed, SAMPLES)
    prevented = _prevented(view, seat, costs, numbers, number, seed)
    gained = _gain(view, seat, number, seed) if of_a_kind else None
    return Facts("asked", EXPERT, chosen, other, _costliest(view, costs), prevented, of_a_kind, gained)


def _rivals(view: Position, numbers: dict[str, int], number: int, of_a_kind: bool) -> dict[str, int]:
    """The other steps, or those of its kind: one step ahead, what follows a free step is still to come."""
    table = view.game.table
    free = is_free(table, number)
    return {s: n for s, n in numbers.items() if n != number and not (of_a_kind and is_free(table, n) != free)}


def _gain(view: Position, seat: int, number: int, seed: int) -> float | None:
    """What a free step adds at once; None for other steps."""
    return gain(view, seat, number, mix(seed, 6), GAIN_SAMPLES) if is_free(view.game.table, number) else None


def _search(
    view: Position, seat: int, numbers: list[int], search: Algorithm, seed: int, nodes: int
) -> tuple[tuple[int, float, float | None], ...]:
    budget = Budget(None, nodes, NO_DEPTH, 0.0, False, 1, EXPERT, StopFlag())
    *_, last = search.think(view, seat, numbers, seed, budget)
    return last.steps


def _never() -> bool:
    """Who is asked takes the time that it needs."""
    return False


def _costs(
    view: Position, seat: int, number: int, seed: int, samples: int, late: Callable[[], bool] = _never
) -> Costs:
    found: Costs = {}
    for sample in range(samples):
        if late():
            break
        win, after = replies(view, seat, number, mix(seed, 3, sample))
        for reply, left in after.items():
            found.setdefault(reply, []).append(win - left)
    return found


def _costliest(view: Position, costs: Costs) -> Reply | None:
    """The reply that costs most of those that are possible for certain and that the seat sees coming."""
    sure = {reply: by_sample for reply, by_sample in costs.items() if len(by_sample) == SAMPLES}
    for seat, number in sorted(sure, key=lambda reply: -sum(sure[reply][:CHOOSING])):
        if view.sees(number, seat):
            return Reply(seat, view.text(number), _mean(sure[seat, number][CHOOSING:]))
    return None


def _prevented(
    view: Position,
    seat: int,
    costs: Costs,
    numbers: dict[str, int],
    number: int,
    seed: int,
    late: Callable[[], bool] = _never,
) -> Reply | None:
    """The reply that costs most more after most of some other steps than after the one with these ``costs``.

    None where a reply to the step itself costs as much, and where it is ``late`` before that is known.
    """
    others = list(_rivals(view, numbers, number, True).values())
    if not costs or not others:
        return None
    probes = [0] if view.game.info.simultaneous else _drawn(others, mix(seed, 4))
    tables = [_costs(view, seat, probe, mix(seed, 5, probe), PROBE_SAMPLES, late) for probe in probes]
    if late():
        return None
    gains = {}
    for reply in set().union(*tables):
        gain = sorted(_surely_more(table.get(reply, []), costs.get(reply, [0.0])) for table in tables)[len(tables) // 2]
        if gain and view.sees(reply[1], reply[0]):
            gains[reply] = gain
    if not gains:
        return None
    most = max(gains, key=lambda reply: (gains[reply], reply))
    left = max(_mean(by_sample) for by_sample in costs.values() if len(by_sample) >= PROBE_SAMPLES)
    if left > gains[most] + _mean(costs.get(most, [0.0])) - EQUAL:
        return None
    return Reply(most[0], view.text(most[1]), gains[most])


def _surely_more(more: Sequence[float], less: Sequence[float]) -> float:
    """By how much the mean of ``more`` is greater; 0 if that is little, may be luck, or has too few samples to tell."""
    if len(more) < PROBE_SAMPLES or (difference := _mean(more) - _mean(less)) < PREVENTED:
        return 0.0
    return difference if difference > CERTAINTY * math.sqrt(_error(more) + _error(less)) else 0.0


def _error(numbers: Sequence[float]) -> float:
    """The variance of the mean."""
    mean = _mean(numbers)
    return sum((number - mean) ** 2 for number in numbers) / max(len(numbers) - 1, 1) / len(numbers)


def _drawn(numbers: list[int], seed: int) -> list[int]:
    """Some of the numbers, spread over them all."""
    count, first = len(numbers), seed % len(numbers)
    return list(dict.fromkeys(numbers[(first + i * count // PROBES) % count] for i in range(PROBES)))


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)
