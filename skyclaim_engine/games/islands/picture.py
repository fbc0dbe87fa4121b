"""The map as lines of text, at most 80 columns wide; with terminal colours if wanted.

     7 H1 --   island 7 is home 1; below it its owner and the squads there: seat 1 has 5
     1:5
        \\      a stroke is a port of the hub; where two strokes meet there is a bridge

`.` is a neutral island, `?` a number that is not seen, and `!` behind the squads says that the island is not supplied
for its owner. Colours repeat what the characters say already, so that nothing is lost without them.
"""

from __future__ import annotations

from ._core import ROUNDS, Board
from .notation import influence_text
from .orders import NEIGHBOURS, STRUCTURES

#: columns from one island to the next in its row, and the columns of an island itself
APART, WIDE = 10, 6
#: lines from a row to the next: strokes up, two lines of text, strokes down
HIGH = 4
#: steps to the right (in halves of an island) and down in each direction
RIGHT, DOWN = (2, 1, -1, -2, -1, 1), (0, -1, -1, 0, 1, 1)
#: by direction: where a port's stroke is, from the left edge and the upper line of its island, and how it looks
STROKES = ((6, 1, "--"), (5, 0, "/"), (0, 0, "\\"), (-2, 1, "--"), (1, 3, "/"), (4, 3, "\\"))
OBJECTIVES = (("beacons", "B"), ("factories", "F"), ("generators", "G"))

#: 256-colour numbers (ink, paper) of neutral islands and of the seats
INKS = ((250, 236), (231, 124), (231, 26), (16, 220), (231, 28), (16, 208), (231, 91))


def draw(board: Board, colour: bool = False) -> str:
    """The map, and below it how the seats stand. Of an observation only what it shows."""
    return "\n".join([*_map(board, colour), "", *_standing(board), "", *LEGEND])


LEGEND = (
    "7 H1 is island 7, home 1 (G generator, F factory, B beacon, P plain); 1:5 is seat 1",
    "with 5 squads, . neutral, ? not seen, ! not supplied. A stroke is a port of the hub,",
    "and where two strokes meet there is a bridge.",
)


def _places(seats: int) -> dict[int, tuple[int, int]]:
    """The left edge and the upper line of every island, found by walking from island to island."""
    at = {1: (0, 0)}
    todo = [1]
    while todo:
        island = todo.pop()
        x, y = at[island]
        for direction, other in enumerate(NEIGHBOURS[seats][island]):
            if other is not None and other not in at:
                at[other] = (x + RIGHT[direction] * APART // 2, y + DOWN[direction] * HIGH)
                todo.append(other)
    left, top = (min(place[i] for place in at.values()) for i in (0, 1))
    return {island: (x - left + 2, y - top) for island, (x, y) in at.items()}


def _map(board: Board, colour: bool) -> list[str]:
    places = _places(board.seats)
    width = max(x for x, _ in places.values()) + WIDE + 3
    canvas = [[" "] * width for _ in range(max(y for _, y in places.values()) + HIGH)]
    supplied = [frozenset[int](), *(board.supplied(seat) for seat in range(1, board.seats + 1))]
    structures, owners, squads, hubs = STRUCTURES[board.seats], board.owners, board.squads, board.hubs
    for island, (x, y) in places.items():
        owner = owners[island]
        force = "." if not owner else f"{owner}:{'?' if squads[island] is None else squads[island]}"
        if owner and island not in supplied[owner]:
            force += "!"
        for line, text in enumerate((f"{island} {structures[island]}", force), 1):
            canvas[y + line][x : x + WIDE] = [_paint(text.center(WIDE), colour, owner), *[""] * (WIDE - 1)]
        for port, (right, down, stroke) in enumerate(STROKES):
            if hubs[island] >> port & 1:
                for column, letter in enumerate(stroke):
                    canvas[y + down][x + right + column] = letter
    lines = ["".join(row).rstrip() for row in canvas]
    while lines and not lines[0]:
        del lines[0]
    while lines and not lines[-1]:
        del lines[-1]
    return lines


def _paint(text: str, colour: bool, owner: int) -> str:
    ink, paper = INKS[owner]
    return f"\x1b[38;5;{ink};48;5;{paper}m{text}\x1b[0m" if colour else text


def _standing(board: Board) -> list[str]:
    """The round, a line for each seat, and the scans."""
    head = "the game is over" if board.over else f"round {board.round} of {ROUNDS}"
    if board.seen_by:
        head += f", seen by seat {board.seen_by}"
    lines = [head, "seat  influence  energy  squads  beacons  factories  generators"]
    structures, owners = STRUCTURES[board.seats], board.owners
    for seat, (energy, influence) in enumerate(zip(board.energy, board.influence, strict=True), 1):
        own = [island for island, owner in enumerate(owners) if owner == seat]
        more = "+" if any(board.squads[island] is None for island in own) else ""
        counts = [sum(structures[island][0] == letter for island in own) for _, letter in OBJECTIVES]
        lines.append(
            f"{seat:>4}{influence_text(influence):>11}{'?' if energy is None else energy:>8}"
            f"{f'{board.total(seat)}{more}':>8}{counts[0]:>9}{counts[1]:>11}{counts[2]:>12}"
        )
    lines += [
        f"seat {seat} scanned island {island}" for seat, island in enumerate(board.scans, 1) if island is not None
    ]
    return lines
