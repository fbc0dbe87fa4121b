"""Skyclaim's matches, groups and shapes, found by trying every placement (rules 4)."""

from __future__ import annotations

from .skyclaim_notation import BESIDE, COLOURS, SIZE, SQUARES, on_board, square_at, square_from

# ---------------------------------------------------------------- patterns

LINE_OF_3 = [(0, 0), (1, 0), (2, 0)]
DIAGONAL_OF_4 = [(0, 0), (1, 1), (2, 2), (3, 3)]
BLOCK = [(0, 0), (1, 0), (0, 1), (1, 1)]
HOOK = [(0, 0), (1, 0), (2, 0), (0, 1)]
CORNER = [(0, 0), (1, 0), (2, 0), (0, 1), (0, 2)]
TEE = [(0, 0), (1, 0), (2, 0), (1, 1), (1, 2)]
PLUS = [(1, 1), (0, 1), (2, 1), (1, 0), (1, 2)]
CROSS_OF_DIAGONALS = [(1, 1), (0, 0), (2, 0), (0, 2), (2, 2)]
VEE = [(0, 0), (1, 1), (2, 2), (-1, 1), (-2, 2)]
LONG_CORNER = [(0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (0, 2)]
BLOCK_2_BY_3 = [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]
BLOCK_3_BY_3 = [(x, y) for x in range(3) for y in range(3)]


def placements(pattern) -> list[frozenset[int]]:
    """Every rotation and reflection of a pattern, on every place where it fits (rules 4)."""
    found = set()
    for turn in (
        lambda x, y: (x, y),
        lambda x, y: (-x, y),
        lambda x, y: (x, -y),
        lambda x, y: (-x, -y),
        lambda x, y: (y, x),
        lambda x, y: (-y, x),
        lambda x, y: (y, -x),
        lambda x, y: (-y, -x),
    ):
        turned = [turn(x, y) for x, y in pattern]
        for left in range(-SIZE, 2 * SIZE):
            for low in range(-SIZE, 2 * SIZE):
                moved = [(left + x, low + y) for x, y in turned]
                if all(on_board(x, y) for x, y in moved):
                    found.add(frozenset(square_at(x, y) for x, y in moved))
    return sorted(found, key=sorted)


# ---------------------------------------------------------------- matches (rules 4)

MATCHES = sorted(
    {
        placement
        for pattern in (LINE_OF_3, DIAGONAL_OF_4, BLOCK, HOOK, CROSS_OF_DIAGONALS, VEE)
        for placement in placements(pattern)
    },
    key=sorted,
)
MATCHES_AT = {square: [p for p in MATCHES if square in p] for square in SQUARES}


def one_colour(stars, placement) -> int | None:
    """The colour that all squares of a placement hold, or None (rules 4)."""
    colours = {stars[square] for square in placement}
    colour = colours.pop()
    return colour if not colours and colour in COLOURS else None


def is_matched(stars, square: int) -> bool:
    """Whether the star on a square is matched (rules 4)."""
    return any(one_colour(stars, placement) for placement in MATCHES_AT[square])


def matched_squares(stars) -> dict[int, set[int]]:
    """The matched squares of each colour (rules 4)."""
    matched = {colour: set() for colour in COLOURS}
    for placement in MATCHES:
        colour = one_colour(stars, placement)
        if colour is not None:
            matched[colour] |= placement
    return matched


def groups_of(squares: set[int]) -> list[set[int]]:
    """[J7] The sets of squares that hang together by sides or corners (rules 4)."""
    left, groups = set(squares), []
    while left:
        group, edge = set(), {left.pop()}
        while edge:
            square = edge.pop()
            group.add(square)
            edge |= {n for n in BESIDE[square] if n in squares and n not in group}
        left -= group
        groups.append(group)
    return groups


# ---------------------------------------------------------------- shapes (rules 4)

ACROSS, DOWN = (1, 0), (0, 1)
RUN_DIRECTIONS = (ACROSS, DOWN, (1, 1), (1, -1))


def run_length(group, square: int, direction) -> int:
    """How many squares of the group lie in a row through a square of it (rules 4)."""
    dx, dy = direction
    length = 1
    for sign in (1, -1):
        at = square_from(square, sign * dx, sign * dy)
        while at in group:
            length += 1
            at = square_from(at, sign * dx, sign * dy)
    return length


def has_run(group, length: int) -> bool:
    """Whether a run of at least this length is in the group, in any direction (rules 4)."""
    return any(run_length(group, s, d) >= length for s in group for d in RUN_DIRECTIONS)


def has_crossing(group, long: int, short: int) -> bool:
    """Whether two runs of at least these lengths cross, one across and one down (rules 4)."""
    for square in group:
        lengths = (run_length(group, square, ACROSS), run_length(group, square, DOWN))
        if max(lengths) >= long and min(lengths) >= short:
            return True
    return False


PLACEMENTS = {
    pattern_name: placements(pattern)
    for pattern_name, pattern in {
        "block": BLOCK,
        "hook": HOOK,
        "corner": CORNER,
        "tee": TEE,
        "plus": PLUS,
        "diagonals": CROSS_OF_DIAGONALS,
        "vee": VEE,
        "long corner": LONG_CORNER,
        "2 by 3": BLOCK_2_BY_3,
        "3 by 3": BLOCK_3_BY_3,
    }.items()
}


def holds(group, pattern_name: str) -> bool:
    """Whether a pattern lies inside the group, in any rotation or reflection (rules 4)."""
    return any(placement <= group for placement in PLACEMENTS[pattern_name])


# Row of the table: what the group has to contain (rules 4).
ROW_TESTS = {
    1: lambda group: has_run(group, 4),
    2: lambda group: holds(group, "block"),
    3: lambda group: has_run(group, 5),
    4: lambda group: holds(group, "hook"),
    5: lambda group: has_run(group, 6),
    6: lambda group: holds(group, "corner"),
    7: lambda group: holds(group, "tee"),
    8: lambda group: holds(group, "plus") or holds(group, "diagonals"),
    9: lambda group: holds(group, "vee"),
    10: lambda group: holds(group, "long corner"),
    11: lambda group: has_run(group, 7) or has_crossing(group, 4, 4) or has_crossing(group, 5, 3),
    12: lambda group: has_crossing(group, 5, 4) or holds(group, "2 by 3"),
    13: lambda group: holds(group, "3 by 3"),
}

ROW_NAMES = {
    1: "line of 4",
    2: "block",
    3: "line of 5",
    4: "hook",
    5: "line of 6",
    6: "corner",
    7: "T",
    8: "plus",
    9: "V",
    10: "long corner",
    11: "cross",
    12: "great cross",
    13: "great block",
}

ROW_PAYS = {
    1: ["S"],
    2: ["G"],
    3: ["R"],
    4: ["R"],
    5: ["H"],
    6: ["B"],
    7: ["R"],
    8: ["H"],
    9: ["H"],
    10: ["X"],
    11: ["W"],
    12: ["W", "X"],
    13: ["W", "X", "H"],
}

# The right column of the table; every other row pays nothing at nine drones.
ROWS_PAYING_A_MISSILE_AT_NINE = (3, 4, 7)
ROWS_PAYING_AN_ASTEROID_AT_NINE = (5,)

# The square colour that a raider of the row prefers.
ROW_WANTS_RED = {3: False, 4: True, 7: True}


def row_of(group) -> int | None:
    """[J8] The last row of the table that the group contains, or None (rules 4)."""
    rows = [number for number, test in ROW_TESTS.items() if test(group)]
    return max(rows) if rows else None
