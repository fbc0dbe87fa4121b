"""Skyclaim on paper: squares, drones, the stream and the one-line position text.

Plain data and text only. The rules that act on them are in ``skyclaim.py``; the
sections named here are those of ``docs/rules/skyclaim.md``.
"""

from __future__ import annotations

from dataclasses import dataclass, field

SIZE = 11
SQUARES = range(SIZE * SIZE)
COLOURS = (1, 2, 3, 4, 5)
SIDES = ("S", "N")

# A square of the star layer holds a colour 1..5 or one of these. EMPTY lives only inside a wave.
ASTEROID = "#"
DARK = "?"
EMPTY = " "

# A square of the land layer holds "S", "N", OPEN or DARK.
OPEN = "."

STOCK_LIMIT = 99

OPTION_DEFAULTS = {
    "Salvage": False,
    "Fog": "off",
    "LandToWin": 69,
    "ClaimRadius": 1,
    "TurnLimit": 400,
}


# ---------------------------------------------------------------- squares (rules 1)


def square_at(x: int, y: int) -> int:
    """The index of column x and row y, both 0..10 (rules 1)."""
    return SIZE * y + x


def column(square: int) -> int:
    """The column 0..10 of a square (rules 1)."""
    return square % SIZE


def row(square: int) -> int:
    """The row 0..10 of a square (rules 1)."""
    return square // SIZE


def on_board(x: int, y: int) -> bool:
    """Whether the column and the row are on the board (rules 1)."""
    return 0 <= x < SIZE and 0 <= y < SIZE


def name(square: int) -> str:
    """The text of a square, such as ``e4`` (rules 1)."""
    return "abcdefghijk"[column(square)] + str(row(square) + 1)


SQUARE_NAMED = {name(square): square for square in SQUARES}


def square_named(text: str) -> int:
    """The square with this text; ValueError where there is none (rules 1)."""
    if text not in SQUARE_NAMED:
        raise ValueError(f"no square {text!r}")
    return SQUARE_NAMED[text]


def split_squares(text: str) -> list[int]:
    """The squares of ``e5`` or ``e5f11``; ValueError where it is no such text (rules 5)."""
    for cut in (2, 3):
        first, second = text[:cut], text[cut:]
        try:
            return [square_named(first)] + ([square_named(second)] if second else [])
        except ValueError:
            continue
    raise ValueError(f"no squares {text!r}")


def other(side: str) -> str:
    """The other side."""
    return "N" if side == "S" else "S"


def view(side: str, square: int) -> int:
    """[J1] The place of a square in a side's view; its own inverse (rules 1)."""
    return square if side == "S" else 120 - square


def in_view(side: str, squares) -> list[int]:
    """The squares in the view order of a side (rules 1)."""
    return sorted(squares, key=lambda square: view(side, square))


def in_own_half(side: str, square: int) -> bool:
    """[J2] Rows 1..5 in the side's view; the seam is in neither half (rules 1)."""
    return row(view(side, square)) <= 4


def is_red(square: int) -> bool:
    """[J3] The checkerboard: a1 is red (rules 1)."""
    return (column(square) + row(square)) % 2 == 0


def distance(a: int, b: int) -> int:
    """The larger of the column and the row distance (rules 5)."""
    return max(abs(column(a) - column(b)), abs(row(a) - row(b)))


ORTHOGONAL = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))

BESIDE = {a: [b for b in SQUARES if distance(a, b) == 1] for a in SQUARES}


def square_from(square: int, dx: int, dy: int) -> int | None:
    """The square dx columns and dy rows away, or None off the board (rules 1)."""
    x, y = column(square) + dx, row(square) + dy
    return square_at(x, y) if on_board(x, y) else None


# ---------------------------------------------------------------- drones (rules 2)


@dataclass
class Drone:
    """A drone or a turret; for M the missiles are the side's stock (rules 2)."""

    side: str
    kind: str
    power: int = 1
    rides: set[int] = field(default_factory=set)
    missiles: int = 0

    def copy(self) -> Drone:
        """A drone of its own, equal to this one."""
        return Drone(self.side, self.kind, self.power, set(self.rides), self.missiles)


# ---------------------------------------------------------------- the stream (rules 3)

MASK_64 = (1 << 64) - 1


def next_in_stream(state: int) -> tuple[int, int]:
    """The next SplitMix64 state, and its number (rules 3)."""
    state = (state + 0x9E3779B97F4A7C15) & MASK_64
    z = state
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK_64
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK_64
    return state, z ^ (z >> 31)


# ---------------------------------------------------------------- position text (rules 11)


def format_rows(squares) -> str:
    """One character a square, as rows 11 to 1 (rules 11)."""
    rows = []
    for y in reversed(range(SIZE)):
        rows.append("".join(str(squares[square_at(x, y)]) for x in range(SIZE)))
    return "/".join(rows)


def format_rows_counted(squares) -> str:
    """As ``format_rows``, with a number for that many open squares (rules 11)."""
    rows = []
    for text in format_rows(squares).split("/"):
        for count in range(SIZE, 0, -1):
            text = text.replace(OPEN * count, f"{count},")
        rows.append(text.replace(",", ""))
    return "/".join(rows)


def parse_rows(text: str, allowed: str) -> list[str]:
    """One character a square from rows 11 to 1; numbers stand for open squares (rules 11)."""
    squares = [OPEN] * len(SQUARES)
    rows = text.split("/")
    if len(rows) != SIZE:
        raise ValueError(f"not {SIZE} rows: {text!r}")
    for y, row_text in zip(reversed(range(SIZE)), rows, strict=True):
        x = 0
        while row_text:
            digits = row_text[: len(row_text) - len(row_text.lstrip("0123456789"))]
            if digits and OPEN in allowed:
                x += int(digits)
                row_text = row_text[len(digits) :]
            elif row_text[0] in allowed and x < SIZE:
                squares[square_at(x, y)] = row_text[0]
                x += 1
                row_text = row_text[1:]
            else:
                raise ValueError(f"a wrong row in {text!r}")
        if x != SIZE:
            raise ValueError(f"a row of {x} squares in {text!r}")
    return squares


def parse_stars(text: str) -> list:
    """The STARS field (rules 11)."""
    characters = parse_rows(text, "12345" + ASTEROID + DARK)
    return [int(c) if c in "12345" else c for c in characters]


def format_drone(square: int, drone: Drone) -> str:
    """One drone of the DRONES field, such as ``Se1=3!1`` (rules 11)."""
    text = (drone.kind if drone.side == "S" else drone.kind.lower()) + name(square)
    if drone.power != 1:
        text += f"*{drone.power}"
    if drone.rides:
        text += "=" + "".join(str(colour) for colour in sorted(drone.rides))
    if drone.missiles:
        text += f"!{drone.missiles}"
    return text


def parse_drone(text: str) -> tuple[int, Drone]:
    """The square and the drone of one entry of the DRONES field (rules 11)."""
    rest, _, missiles = text.partition("!")
    rest, _, rides = rest.partition("=")
    rest, _, power = rest.partition("*")
    letter, square = rest[0], square_named(rest[1:])
    if letter.upper() not in "MSGRHWXBT":
        raise ValueError(f"no drone {text!r}")
    side = "S" if letter.isupper() else "N"
    drone = Drone(side, letter.upper(), int(power or 1), {int(c) for c in rides}, int(missiles or 0))
    return square, drone


def format_list(entries: list[str]) -> str:
    """Entries separated by commas, or ``-`` (rules 11)."""
    return ",".join(entries) if entries else "-"


def parse_list(text: str) -> list[str]:
    """The entries of a list, none for ``-`` (rules 11)."""
    return [] if text == "-" else text.split(",")


def format_lit(lit: dict[str, set[int]]) -> str:
    """The LIT field with fog on (rules 11)."""
    letters = []
    for square in SQUARES:
        south, north = square in lit["S"], square in lit["N"]
        letters.append("B" if south and north else "S" if south else "N" if north else OPEN)
    return format_rows_counted(letters)


def parse_lit(text: str) -> dict[str, set[int]]:
    """The LIT field with fog on, other than ``-`` (rules 11)."""
    letters = parse_rows(text, "SNB" + OPEN)
    return {side: {i for i in SQUARES if letters[i] in (side, "B")} for side in SIDES}


def format_stream(state: int | None) -> str:
    """The RNG field (rules 11)."""
    return "-" if state is None else f"{state:016x}"


def parse_stream(text: str) -> int | None:
    """The RNG field (rules 11)."""
    return None if text == "-" else int(text, 16)


def half_turn_step(text: str) -> str:
    """The step as it is written on the board turned by 180 degrees (rules 12)."""
    kind, colon, squares = text.partition(":")
    turned = [120 - square for square in split_squares(squares)] if colon else []
    if kind == "swap":
        turned.sort()
    return kind + colon + "".join(name(square) for square in turned)
