"""The board as hexagons of text, as wide as it is; with terminal colours if wanted.

A tile has its place above and below what is on it:

    / 2,-1 \\   a space tile with the rockets of pilots 1 and 3, and the boarded shield of pilot 2
    \\ 13 b  /   (shields are letters: a is pilot 1's)
    \\ ##    /   an asteroid token
    \\ @     /   a wormhole tile; rockets and shields in the wormhole space are shown on one of them

Colours repeat what the characters say already, so that nothing is lost without them.
"""

from __future__ import annotations

from collections.abc import Iterator

from ._core import NAMES, PLACES, ROUND_LIMIT, Board
from .events import awards_text

SPACE, WORM, TOKEN = 1, 2, 3
SHIELDS = " abcdef"
NARROW, WIDE = 8, 10  # even, so that rows can be shifted by half a tile

#: 256-colour numbers: the pilots', told apart with every kind of colour blindness, and those of the board
PILOT_INK = (0, 214, 75, 35, 227, 160, 175)
EDGE_INK, PLACE_INK, TOKEN_INK, WORM_INK = 240, 245, 250, 141

KINDS = ("", "a space", "a wormhole", "the asteroid")


def draw(board: Board, colour: bool = False) -> str:
    """The board, and below it how things stand. Of an observation only what it shows."""
    return "\n".join([*_board(board, colour), "", *_standing(board, colour)])


def legend() -> str:
    """What the characters of the picture mean."""
    return "\n".join((
        "/ 2,-1 \\  a tile: its place, and below it what is there",
        "1 to 6    the pilots' rockets;  a to f  the pilots' boarded shields (a is pilot 1's)",
        "##        an asteroid token: nobody enters, shots burst there",
        "@         a wormhole tile: all of them are one space",
    ))  # fmt: skip


def _paint(text: str, colour: bool, ink: int, bold: bool = False) -> str:
    return f"\x1b[{'1;' * bold}38;5;{ink}m{text}\x1b[0m" if colour and text else text


def _board(board: Board, colour: bool) -> Iterator[str]:
    tiles = board.tiles
    if not tiles:
        yield "no tile lies yet"
        return
    places = {PLACES[cell]: cell for cell in tiles}
    width = NARROW if max(len(NAMES[cell]) for cell in tiles) <= NARROW - 2 else WIDE
    left = min(2 * q + r for q, r in places)
    for row in range(min(r for _, r in places), max(r for _, r in places) + 1):
        upper, lower, at = "", "", 0
        for q in sorted(q for q, r in places if r == row):
            begin = (2 * q + row - left) * width // 2
            cell = places[q, row]
            gap, at = " " * (begin - at), begin + width
            name = NAMES[cell].center(width - 2)
            edges = [_paint(edge, colour, EDGE_INK) for edge in "/\\"]
            upper += gap + edges[0] + _paint(name, colour, PLACE_INK) + edges[1]
            lower += gap + edges[1] + _content(board, cell, tiles[cell], width - 2, colour) + edges[0]
        yield upper
        yield lower


def _content(board: Board, cell: int, kind: int, width: int, colour: bool) -> str:
    """What is on a tile, so many characters; where there is too much, a + at the end (the list below has it all)."""
    parts = [("##", TOKEN_INK)] if kind == TOKEN else [("@", WORM_INK)] if kind == WORM else []
    rockets = [i for i, rocket in enumerate(board.rockets, 1) if rocket and rocket[0] == cell]
    shields = [pilot for pilot, at in board.boarded.items() if at == cell]
    if rockets:
        parts += [(" ", 0)] * bool(parts) + [(str(pilot), PILOT_INK[pilot]) for pilot in rockets]
    if shields:
        parts += [(" ", 0)] * bool(parts) + [(SHIELDS[pilot], PILOT_INK[pilot]) for pilot in shields]
    while sum(len(text) for text, _ in parts) > width:
        parts = [*parts[:-2], ("+", PLACE_INK)]
    blank = width - sum(len(text) for text, _ in parts)
    shown = "".join(_paint(text, colour, ink, bold=True) for text, ink in parts)
    return " " * (blank // 2) + shown + " " * (blank - blank // 2)


def _standing(board: Board, colour: bool) -> Iterator[str]:
    yield _headline(board)
    if board.stack:
        yield "still to draw: " + ", ".join(_counts(board.stack))
    for pilot, (rocket, (hits, kills, victims)) in enumerate(zip(board.rockets, board.stats, strict=True), 1):
        name = _paint(f"pilot {pilot}", colour, PILOT_INK[pilot], bold=True)
        if rocket is None:
            facts = ["destroyed"]
        else:
            cell, held = rocket
            facts = ["not placed" if cell is None else f"at {NAMES[cell]}", f"{held} shield{'s' * (held != 1)}"]
        if pilot in board.boarded:
            facts.append(f"spare shield on {NAMES[board.boarded[pilot]]}")
        if hits:
            rivals = " ".join(map(str, victims))
            facts.append(f"{hits} hit{'s' * (hits != 1)} (of {rivals}), {kills} kill{'s' * (kills != 1)}")
        yield f"{name}  {', '.join(facts)}"


def _counts(stack: bytes) -> list[str]:
    words = (("space tile", SPACE), ("wormhole tile", WORM), ("asteroid tile", TOKEN))
    counts = ((stack.count(kind), word) for word, kind in words)
    return [f"{n} {word}{'s' * (n != 1)}" for n, word in counts if n]


def _headline(board: Board) -> str:
    if board.over:
        winners = " and ".join(f"pilot {pilot}" for pilot in board.winners)
        return f"{winners} won ({board.how}) in round {board.round}; {awards_text(board.awards)}"
    pilot = f"pilot {board.mover}"
    if board.phase in ("tile", "rock", "rocket", "shield"):
        return {
            "tile": f"{pilot} lays {KINDS[board.hand]} tile",
            "rock": f"{pilot} places an asteroid token",
            "rocket": f"{pilot} places its rocket",
            "shield": f"{pilot} places the spare shield of pilot {board.owner}",
        }[board.phase]
    due = {
        "fly": f"flies {board.die}",
        "aim": "aims",
        "trace": f"traces up to {board.die}, aiming at pilot {board.target}",
        "after": "may drift a token",
    }[board.phase]
    later = ", then " + " ".join(map(str, board.order[1:])) if len(board.order) > 1 else ""
    drifted = ", the drift is used" if board.drifted else ""
    return f"round {board.round} of {ROUND_LIMIT}: {pilot} {due}{drifted}{later}"
