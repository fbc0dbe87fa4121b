"""In plain English: what a step does for certain, and what speaks for and against it."""

from __future__ import annotations

from collections.abc import Iterator

from ...facts import Facts
from ..verdict import Words, sentences
from ._core import NAMES, PLACES, Board
from .events import decode
from .narrate import THIRD_PERSON, Voice, join, narrate, number_of
from .spaces import kind_of, path_of, step_number

#: events from the first of these on are chance
CHANCE = {"drawn", "placing", "die", "round", "turn"}
POINT_BLANK = 2
TOKEN = 3
SHOTS = range(3, 7)
#: any stream does: nothing that depends on it is used
STREAM = 0


def step(board: Board, number: int, voice: Voice = THIRD_PERSON, facts: Facts | None = None) -> str:
    """What a step of the pilot on turn does for certain, what is good or bad about it, and what a search found out.

    Of a random turn it is only said what is done. Raises ValueError for a step that is not legal.
    """
    after = board.copy()
    _, numbers = after.apply(number, STREAM)
    known = []
    for event in decode(numbers):
        if event["type"] in CHANCE:
            break
        known.append(event)
    judged = sentences(facts, _words(board, voice)) if facts else []
    if facts and facts.role == "random":
        return " ".join([*narrate(known, voice), *judged])
    kind = kind_of(number)
    why = {
        "tile": _tile, "rock": _token, "rocket": _rocket, "shield": _shield, "fly": _fly, "aim": _aim, "trace": _trace,
        "drift": _drift, "stay": _stay,
    }[kind](board, after, path_of(number), voice)  # fmt: skip
    return " ".join([*narrate(known, voice), *(text[:1].upper() + text[1:] + "." for text in why), *judged])


def _words(board: Board, voice: Voice) -> Words:
    def doing(text: str) -> str:
        return _doing(text, voice)

    return Words("step", board.mover, voice.name, doing, doing)


def _doing(text: str, voice: Voice) -> str:
    """A step's text as something done, `flying by 0,1 1,1`."""
    number = step_number(text)
    kind, path = kind_of(number), path_of(number)
    if kind == "aim":
        return f"aiming at {voice.name(path[0] + 1)}"
    if kind == "stay":
        return "leaving the asteroids where they are"
    if not path:
        return {"fly": "not flying", "trace": "firing at nothing"}[kind]
    places = [NAMES[cell] for cell in path]
    if kind == "drift" and places[1:]:
        return f"drifting the asteroid from {places[0]} to {places[1]}"
    return f"{DOING[kind]} {' '.join(places)}"


DOING = {
    "tile": "laying the tile at", "rock": "putting an asteroid token on", "rocket": "placing the rocket on",
    "shield": "placing the spare shield on", "fly": "flying by", "trace": "shooting by",
    "drift": "taking off the asteroid on",
}  # fmt: skip


Reasons = Iterator[str]


def _places(board: Board) -> dict[int, int]:
    """Where the rockets are, by pilot."""
    return {i: rocket[0] for i, rocket in enumerate(board.rockets, 1) if rocket and rocket[0] is not None}


def _held(board: Board, pilot: int) -> int:
    """The shields that a pilot holds."""
    rocket = board.rockets[pilot - 1]
    return rocket[1] if rocket else 0


def _tile(board: Board, after: Board, path: list[int], voice: Voice) -> Reasons:
    q, r = PLACES[path[0]]
    beside = {(q + 1, r), (q + 1, r - 1), (q, r - 1), (q - 1, r), (q - 1, r + 1), (q, r + 1)}
    yield f"it touches {number_of(sum(PLACES[cell] in beside for cell in board.tiles), 'tile')}"


def _token(board: Board, after: Board, path: list[int], voice: Voice) -> Reasons:
    yield "nobody can enter that tile until the asteroid drifts on"


def _rocket(board: Board, after: Board, path: list[int], voice: Voice) -> Reasons:
    yield from _spare(after, board.mover, path[0], voice)
    yield from _nearest(after, board.mover, voice)


def _shield(board: Board, after: Board, path: list[int], voice: Voice) -> Reasons:
    places = _places(board)
    if board.owner in places:
        moves = board.distance(places[board.owner], path[0])
        far = "cannot get there now" if moves is None else f"has {number_of(moves, 'move')} to it"
        yield f"{voice.of(board.owner)} rocket {far}"


def _spare(board: Board, pilot: int, cell: int, voice: Voice) -> Reasons:
    """How far the pilot's own shield is from a space."""
    if pilot in board.boarded:
        moves = board.distance(cell, board.boarded[pilot])
        far = "cannot be reached" if moves is None else f"is {number_of(moves, 'move')} away"
        yield f"{voice.of(pilot)} own shield on {NAMES[board.boarded[pilot]]} {far}"


def _nearest(board: Board, pilot: int, voice: Voice) -> Reasons:
    """How far the nearest rival is."""
    places = _places(board)
    moves = {rival: board.distance(places[pilot], cell) for rival, cell in places.items() if rival != pilot}
    near = {rival: far for rival, far in moves.items() if far is not None}
    if near:
        rival = min(near, key=lambda rival: near[rival])
        where = f"is {number_of(near[rival], 'move')} away" if near[rival] else "is on the same space"
        yield f"{voice.name(rival)}, the nearest, {where}"


def _fly(board: Board, after: Board, path: list[int], voice: Voice) -> Reasons:
    pilot = board.mover
    if path and len(path) < board.die:
        yield "the way ends there" if not board.rules[4] else "it stops early"
    if pilot not in after.boarded and pilot in board.boarded:
        yield "good: a shield more"
    yield from _spare(after, pilot, path[-1] if path else _places(board)[pilot], voice)
    if after.phase != "aim":
        yield "all rivals are on the same space, so there is no attack"
        return
    yield from _prospects(after, voice)


def _prospects(board: Board, voice: Voice) -> Reasons:
    """Whom the shots of the red die can hit; ``board`` is one where the pilot on turn aims."""
    for die in SHOTS:
        reach = _best_hits(_tracing(board, die))
        if reach:
            yield f"with a {die} a shot can hit {join([voice.name(pilot) for pilot in reach])}"
            return
    yield "no shot can hit anybody from there"


def _tracing(board: Board, die: int) -> Board:
    """The same board with the red die rolled."""
    places = _places(board)
    target = next(pilot for pilot, cell in places.items() if cell != places[board.mover])
    return Board(board.rules, "trace", board.tiles, board.stack, board.rockets, board.boarded, board.order, board.round,
                 board.stats, die=die, target=target)  # fmt: skip


def _hits(board: Board, number: int) -> list[int]:
    """The rivals that a trace hits."""
    path = path_of(number)
    return [pilot for pilot, cell in _places(board).items() if cell in path]


def _best_hits(board: Board) -> list[int]:
    """The most rivals that one trace can hit."""
    return max((_hits(board, number) for number in board.legal()), key=len)


def _aim(board: Board, after: Board, path: list[int], voice: Voice) -> Reasons:
    pilot, target = board.mover, path[0] + 1
    places = _places(board)
    moves = board.distance(places[pilot], places[target])
    if moves is not None and moves <= POINT_BLANK:
        faces = "a 1 or 2" if moves == 1 else "a 2"
        yield f"{faces} is point-blank: both are hit"
        if not _held(board, pilot):
            yield f"bad: {voice.does(pilot, 'holds')} no shield and would be destroyed by it"
        if not _held(board, target):
            yield f"good: {voice.does(target, 'holds')} no shield and would be destroyed by it"
    else:
        yield "a 1 or 2 does nothing: the target is out of reach"
    yield from _prospects(board, voice)


def _trace(board: Board, after: Board, path: list[int], voice: Voice) -> Reasons:
    hit = [pilot for pilot, cell in _places(board).items() if cell in path]
    best = _best_hits(board)
    if after.over:
        yield "good: this wins"
    elif len(best) > len(hit):
        yield f"bad: another shot would hit {join([voice.name(pilot) for pilot in best])}"
    elif hit:
        yield "good: no shot hits more"
    else:
        yield "no shot can hit anybody"


def _drift(board: Board, after: Board, path: list[int], voice: Voice) -> Reasons:
    pilot, changed = board.mover, False
    for name, cell in sorted(board.boarded.items()):
        if len(path) > 1 and cell == path[1]:
            yield f"it covers {voice.of(name)} shield"
        if cell == path[0]:
            yield f"it uncovers {voice.of(name)} shield"
    for rival, cell in _places(board).items():
        before, now = (_exits(one, cell) for one in (board, after))
        if now != before:
            changed = True
            speaks = "good" if (now > before) == (rival == pilot) else "bad"
            yield f"{speaks}: {voice.does(rival, 'has')} {number_of(now, 'way')} out, {before} before"
    if not changed:
        yield "no rocket has more or fewer ways out by it"


def _exits(board: Board, cell: int) -> int:
    """How many spaces a rocket there could fly to at once."""
    tokens = {at for at, kind in board.tiles.items() if kind == TOKEN}
    return sum(at not in tokens for at in board.touching(cell))


def _stay(board: Board, after: Board, path: list[int], voice: Voice) -> Reasons:
    yield "that ends the turn"
