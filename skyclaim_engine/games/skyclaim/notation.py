"""Skyclaim's position notation (rules 11): the one door from a line to a checked Board, and the way back.

A line goes through two stages. Each field is read by itself into a `Setup`; then the fields are held against each
other. Every fault of both stages is reported at once, each as a ParseError that names its field and quotes the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from ..._board import KINDS, Board
from ...errors import ParseError, RulesError
from .squares import INDEX, NAMES

FIELDS = ("STARS", "DRONES", "LAND", "SIDE", "CLEARED", "WRECKS", "LIT", "TURN", "RNG")
ASTEROID, DARK = 6, 7
STAR_CODES = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "#": ASTEROID, "?": DARK}
STAR_LETTERS = b"012345#?".ljust(256)
COMMAND, TURRET = KINDS.index("M"), KINDS.index("T")
HOLD = {KINDS.index("S"): 1, KINDS.index("H"): 2}
#: what a number in a line may be at most; no game comes near
MOST = 999_999_999
MOST_STOCK, MOST_COUNTDOWN = 99, 10

DRONE = re.compile(r"([A-Za-z])([a-k](?:1[01]|[1-9]))(?:\*([23]))?(?:=([1-5]+))?(?:!([1-9][0-9]?))?", re.ASCII)
#: ride colours as they are written, each with its set of bits
RIDES = {"".join(str(c) for c in range(1, 6) if rides >> c - 1 & 1): rides for rides in range(32)}
COLOURS = tuple(RIDES)
WRECK = re.compile(r"([a-k](?:1[01]|[1-9])):(10|[1-9])", re.ASCII)
NUMBER = re.compile(r"0|[1-9][0-9]{0,8}", re.ASCII)
ROW_WORD = re.compile(r"[0-9]+|[^0-9]")
EMPTY = {str(number): number for number in range(1, 12)}
STREAM = re.compile(r"[0-9a-f]{16}", re.ASCII)

Rules = tuple[bool, int, int, int, int]


@dataclass
class Setup:
    """A line's fields as read, not yet held against each other. Squares are indices 0..120."""

    stars: list[int] = field(default_factory=lambda: [1] * 121)
    drones: list[tuple[int, int, int, int, int, int]] = field(default_factory=list)
    stock: list[int] = field(default_factory=lambda: [0, 0])
    land: list[int] = field(default_factory=lambda: [0] * 121)
    dark_land: set[int] = field(default_factory=set)
    side: int = 0
    cleared: int = 0
    wrecks: dict[int, int] = field(default_factory=dict)
    lit: list[int] | None = None
    turn: int = 1
    stream: int | None = None


def parse(line: str, rules: Rules, observation: bool = False) -> tuple[Board, int | None]:
    """The Board of a line and its stream (None for `-`), under the rules (salvage, fog, land, radius, limit).

    With ``observation`` the line is what the side to move sees: dark squares are allowed, the stream is not used.
    Raises RulesError with every reason.
    """
    words = line.split()
    if len(words) != len(FIELDS):
        raise RulesError([ParseError("line", line, f"has {len(words)} fields, not the 9 of {' '.join(FIELDS)}")])
    setup, faults = Setup(), []
    for name, text in zip(FIELDS, words, strict=True):
        for fault in READERS[name](setup, text):
            faults.append(fault if isinstance(fault, ParseError) else ParseError(name, text, fault))
    readable = set(FIELDS) - {fault.field for fault in faults}
    faults += contradictions(setup, words, rules, observation, readable)
    if faults:
        raise RulesError(faults)
    # `-` stands for the land owned now; what the other side has lit is not in an observation
    lit = setup.land if setup.lit is None else setup.lit
    if observation:
        lit = [value & setup.side + 1 for value in lit]
    board = Board(
        bytes(setup.stars),
        setup.drones,
        bytes(setup.land),
        bytes(lit),
        setup.wrecks,
        setup.side,
        setup.cleared,
        setup.turn,
        (setup.stock[0], setup.stock[1]),
        rules,
        setup.side + 1 if observation else 0,
    )
    if observation and DARK in setup.stars:
        light = board.seen(setup.side)
        unlit = [NAMES[i] for i in range(121) if light[i] and setup.stars[i] == DARK]
        if unlit:
            reason = f"{', '.join(unlit)} is dark, but {words[3]} sees it"
            raise RulesError([ParseError("STARS", words[0], reason)])
    return board, None if observation else setup.stream


# -- reading one field each: a reader fills its part of the Setup and yields what is wrong with the text

Faults = Iterable["str | ParseError"]


def read_stars(setup: Setup, text: str) -> Faults:
    rows = text.split("/")
    if len(rows) != 11:
        yield f"has {len(rows)} rows, not 11"
        return
    for y, row in zip(range(10, -1, -1), rows, strict=True):
        if len(row) != 11:
            yield ParseError("STARS", row, f"row {y + 1} has {len(row)} squares, not 11")
            continue
        for i, letter in enumerate(row, 11 * y):
            if letter not in STAR_CODES:
                yield ParseError("STARS", letter, f"{NAMES[i]} is none of 1 2 3 4 5 # ?")
            else:
                setup.stars[i] = STAR_CODES[letter]


def read_drones(setup: Setup, text: str) -> Faults:
    if text == "-":
        return
    for word in text.split(","):
        found = DRONE.fullmatch(word)
        if not found or found[1].upper() not in KINDS[1:]:
            yield ParseError("DRONES", word, "is no drone: letter, square, *power, =colours, !missiles")
            continue
        letter, name, power, colours, missiles = found.groups()
        side, kind, square = int(letter.islower()), KINDS.index(letter.upper()), INDEX[name]
        rides = RIDES.get(colours or "")
        if rides is None:
            yield ParseError("DRONES", word, "the ride colours are not ascending")
        if kind in (COMMAND, TURRET) and (power or colours):
            yield ParseError("DRONES", word, "a Command or turret has neither power nor ride colours")
            continue
        if kind != COMMAND and missiles and int(missiles) > HOLD.get(kind, 0):
            yield ParseError("DRONES", word, f"can hold {HOLD.get(kind, 0)} missiles")
            continue
        if kind == COMMAND:
            setup.stock[side] = int(missiles or 0)
        loaded = int(missiles or 0) if kind != COMMAND else 0
        setup.drones.append((square, side, kind, int(power or 1), rides or 0, loaded))


def read_rows(name: str, text: str, letters: dict[str, int]) -> tuple[list[int], list[str | ParseError]]:
    """Eleven rows of letters and of numbers that stand for so many squares with nothing: values, faults."""
    values, faults = [0] * 121, list[str | ParseError]()
    rows = text.split("/")
    if len(rows) != 11:
        return values, [f"has {len(rows)} rows, not 11"]
    for y, row in zip(range(10, -1, -1), rows, strict=True):
        x = 0
        for word in ROW_WORD.findall(row):
            if word in letters:
                if x < 11:
                    values[11 * y + x] = letters[word]
                x += 1
            elif word in EMPTY:
                x += EMPTY[word]
            else:
                faults.append(ParseError(name, word, f"row {y + 1} has only {' '.join(letters)} and numbers 1..11"))
                break
        else:
            if x != 11:
                faults.append(ParseError(name, row, f"row {y + 1} has {x} squares, not 11"))
    return values, faults


def read_land(setup: Setup, text: str) -> Faults:
    values, faults = read_rows("LAND", text, {"S": 1, "N": 2, "?": 3})
    setup.dark_land = {i for i in range(121) if values[i] == 3}
    setup.land = [value % 3 for value in values]
    return faults


def read_side(setup: Setup, text: str) -> Faults:
    if text not in ("S", "N"):
        yield "is neither S nor N"
    setup.side = int(text == "N")


def read_cleared(setup: Setup, text: str) -> Faults:
    if not NUMBER.fullmatch(text):
        yield f"is not a number 0..{MOST}"
    else:
        setup.cleared = int(text)


def read_wrecks(setup: Setup, text: str) -> Faults:
    if text == "-":
        return
    for word in text.split(","):
        found = WRECK.fullmatch(word)
        if not found:
            yield ParseError("WRECKS", word, f"is no wreck: square, colon, countdown 1..{MOST_COUNTDOWN}")
        elif INDEX[found[1]] in setup.wrecks:
            yield ParseError("WRECKS", word, "is the second wreck on its square")
        else:
            setup.wrecks[INDEX[found[1]]] = int(found[2])


def read_lit(setup: Setup, text: str) -> Faults:
    if text == "-":
        return []
    setup.lit, faults = read_rows("LIT", text, {"S": 1, "N": 2, "B": 3})
    return faults


def read_turn(setup: Setup, text: str) -> Faults:
    if not NUMBER.fullmatch(text) or text == "0":
        yield f"is not a number 1..{MOST}"
    else:
        setup.turn = int(text)


def read_stream(setup: Setup, text: str) -> Faults:
    if text == "-":
        return
    if not STREAM.fullmatch(text):
        yield "is neither 16 hexadecimal digits in lower case nor -"
    else:
        setup.stream = int(text, 16)


READERS: dict[str, Callable[[Setup, str], Faults]] = dict(
    zip(
        FIELDS,
        (read_stars, read_drones, read_land, read_side, read_cleared, read_wrecks, read_lit, read_turn, read_stream),
        strict=True,
    )
)


def contradictions(
    setup: Setup, words: list[str], rules: Rules, observation: bool, readable: set[str]
) -> Iterable[ParseError]:
    """What is wrong between fields that each can be read; those that cannot would only give rise to false reasons."""
    salvage, fog = rules[0], rules[1]
    if "STARS" in readable:
        yield from dark_faults(setup, words[2], observation and bool(fog), "LAND" in readable)
    taken = {square for square, *_ in setup.drones}
    if "DRONES" in readable:
        yield from drone_faults(setup, words[1].split(","), "STARS" in readable)
    for square, countdown in setup.wrecks.items() if "WRECKS" in readable else ():
        word = f"{NAMES[square]}:{countdown}"
        if not salvage:
            yield ParseError("WRECKS", word, "there are wrecks only with Salvage")
        elif "STARS" in readable and setup.stars[square] in NO_STAR:
            yield ParseError("WRECKS", word, f"lies on {NO_STAR[setup.stars[square]]}")
        elif "DRONES" in readable and square in taken:
            yield ParseError("WRECKS", word, "lies where a drone stands")
    if observation and fog and setup.lit is not None and {"LIT", "SIDE"} <= readable:
        theirs = [i for i in range(121) if setup.lit[i] & (1 if setup.side else 2)]
        if theirs:
            yield ParseError("LIT", words[6], f"{NAMES[theirs[0]]} is lit for the other side, which is not seen")
    if observation and setup.stream is not None:
        yield ParseError("RNG", words[8], "an observation has no stream: -")


#: what is no place for a drone or wreck
NO_STAR = {ASTEROID: "an asteroid", DARK: "a dark square"}


def dark_faults(setup: Setup, land: str, allowed: bool, land_readable: bool) -> Iterable[ParseError]:
    """Dark squares are there in an observation under fog only, and the same ones in STARS and LAND."""
    dark = {i for i in range(121) if setup.stars[i] == DARK}
    if dark and not allowed:
        reason = f"{NAMES[min(dark)]} is dark, which only an observation under fog allows"
        yield ParseError("STARS", "?", reason)
    elif land_readable and dark != setup.dark_land:
        odd = NAMES[min(dark ^ setup.dark_land)]
        yield ParseError("LAND", land, f"{odd} is dark in only one of STARS and LAND")


def drone_faults(setup: Setup, words: list[str], stars_readable: bool) -> Iterable[ParseError]:
    """Each drone stands alone, on a star; each side has one Command at most."""
    taken: set[int] = set()
    commands: set[int] = set()
    for word, (square, side, kind, *_) in zip(words, setup.drones, strict=False):
        if stars_readable and setup.stars[square] in NO_STAR:
            yield ParseError("DRONES", word, f"stands on {NO_STAR[setup.stars[square]]}")
        if square in taken:
            yield ParseError("DRONES", word, "stands where another drone stands")
        if kind == COMMAND and side in commands:
            yield ParseError("DRONES", word, "is the side's second Command")
        taken.add(square)
        if kind == COMMAND:
            commands.add(side)


# -- and back


def line(board: Board, stream: int | None) -> str:
    """The canonical line of a Board; `-` for a stream that is not known."""
    stars, land = board.stars, board.land
    letters = bytes(stars).translate(STAR_LETTERS).decode()
    rows = [letters[11 * y : 11 * y + 11] for y in range(10, -1, -1)]
    shown = [3 if star == DARK else owner for star, owner in zip(stars, land, strict=True)]
    wrecks = ",".join(f"{NAMES[square]}:{left}" for square, left in sorted(board.wrecks.items()))
    return " ".join((
        "/".join(rows),
        ",".join(drone_text(board, *drone) for drone in board.drones) or "-",
        format_rows(shown, "SN?"),
        "SN"[board.mover],
        str(board.cleared),
        wrecks or "-",
        format_rows(board.lit, "SNB") if board.rules[1] else "-",
        str(board.turn),
        "-" if stream is None else f"{stream:016x}",
    ))  # fmt: skip


def drone_text(board: Board, square: int, side: int, kind: int, power: int, rides: int, missiles: int) -> str:
    """One drone, `ha5*2=12345!2`; a Command shows its side's stock."""
    letter = KINDS[kind].lower() if side else KINDS[kind]
    text = letter + NAMES[square]
    if power > 1:
        text += f"*{power}"
    if rides:
        text += "=" + COLOURS[rides]
    if kind == COMMAND:
        missiles = board.stock[side]
    return text + (f"!{missiles}" if missiles else "")


def format_rows(values: Iterable[int], letters: str) -> str:
    """Rows 11 to 1: the letter of each value from 1 up, runs of 0 as numbers."""
    values = list(values)
    rows = []
    for y in range(10, -1, -1):
        row, empty = "", 0
        for value in values[11 * y : 11 * y + 11]:
            if not value:
                empty += 1
                continue
            row += (str(empty) if empty else "") + letters[value - 1]
            empty = 0
        rows.append(row + (str(empty) if empty else ""))
    return "/".join(rows)
