"""Rockets' position notation (rules 7): the one door from a line to a checked Board, and the way back.

A line goes through two stages. Each field is read by itself into a `Setup`; then the fields are held against each
other. Every fault of both stages is reported at once, each as a ParseError that names its field and quotes the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache

from ...errors import ParseError, RulesError
from ._core import HIT_LIMIT, NAMES, PLACES, ROUND_LIMIT, SHIELD_LIMIT, TILE_LETTERS, Board
from .options import Rules
from .spaces import CELL

FIELDS = ("OPTIONS", "PHASE", "TILES", "ROCKETS", "BOARDED", "ORDER", "STATS", "RNG")
#: name and allowed values of each option, in order
OPTION_VALUES = {"n": "23456", "shields": "12345", "wormholes": "01", "asteroids": "01", "upto": "01"}
SPACE, WORM, TOKEN = 1, 2, 3
SUFFIX = {"": SPACE, "w": WORM, "a": TOKEN}
SPACE_TILES, WORM_TILES, MOST_TOKENS = 32, 3, 3

PLACE = r"-?[0-9]{1,2},-?[0-9]{1,2}"
COUNT = r"0|[1-9][0-9]{0,3}"
PHASE = re.compile(
    r"(?:tile:(?P<hand>[owa])|(?P<plain>rock|rocket|shield|after)|fly:(?P<white>[1-6])(?P<f>\*?)|(?P<aim>aim)(?P<a>\*?)"
    r"|trace:(?P<red>[3-6]):(?P<target>[1-6])(?P<t>\*?)|over:(?P<winners>[1-6]+):(?P<how>last|together|rounds))",
    re.ASCII,
)
TILE = re.compile(rf"({PLACE})([wa]?)", re.ASCII)
STACK = re.compile(r"[owa]*", re.ASCII)
COUNTS = re.compile(rf"o({COUNT})w({COUNT})a({COUNT})", re.ASCII)
ROCKET = re.compile(rf"({PLACE}|off):({COUNT})", re.ASCII)
BOARDED = re.compile(rf"([1-6])@({PLACE})", re.ASCII)
ORDER = re.compile(rf"({COUNT}):([1-6]*)", re.ASCII)
STATS = re.compile(rf"({COUNT})\.({COUNT})\.(-|[1-6]+)", re.ASCII)
STREAM = re.compile(r"[0-9a-f]{16}", re.ASCII)

Faults = Iterable["str | ParseError"]


@dataclass
class Setup:
    """A line's fields as read, not yet held against each other. Spaces are cells, pilots seats."""

    rules: Rules = (2, 1, False, False, False)
    phase: str = ""
    hand: int = 0
    die: int = 0
    target: int = 0
    drifted: bool = False
    winners: tuple[int, ...] = ()
    how: str = ""
    tiles: dict[int, int] = field(default_factory=dict)
    stack: bytes = b""
    counted: bool = False
    rockets: list[tuple[int | None, int] | None] = field(default_factory=list)
    boarded: dict[int, int] = field(default_factory=dict)
    order: tuple[int, ...] = ()
    round: int = 0
    stats: list[tuple[int, int, tuple[int, ...]]] = field(default_factory=list)
    stream: int | None = None

    @property
    def alive(self) -> list[int]:
        """The pilots who are not destroyed."""
        return [pilot for pilot, rocket in enumerate(self.rockets, 1) if rocket]

    def at(self, pilot: int) -> int | None:
        """The cell of a pilot's rocket, None for one that is off or destroyed."""
        rocket = self.rockets[pilot - 1]
        return rocket[0] if rocket else None

    def held(self, pilot: int) -> int:
        """The shields that a pilot holds."""
        rocket = self.rockets[pilot - 1]
        return rocket[1] if rocket else 0


def parse(line: str, observation: bool = False) -> tuple[Board, int | None]:
    """The Board of a line and its stream (None for `-`). With ``observation`` the stack is counted, not listed.

    Raises RulesError with every reason.
    """
    words = line.split()
    if len(words) != len(FIELDS):
        raise RulesError([ParseError("line", line, f"has {len(words)} fields, not the 8 of {' '.join(FIELDS)}")])
    setup, faults = Setup(), []
    for name, text in zip(FIELDS, words, strict=True):
        for fault in READERS[name](setup, text):
            faults.append(fault if isinstance(fault, ParseError) else ParseError(name, text, fault))
    # fields that could not be read would only give rise to false reasons
    if not faults:
        faults = list(contradictions(setup, dict(zip(FIELDS, words, strict=True)), observation))
    if faults:
        raise RulesError(faults)
    board = Board(setup.rules, setup.phase, setup.tiles, setup.stack, setup.rockets, setup.boarded, setup.order,
                  setup.round, setup.stats, setup.hand, setup.die, setup.target, setup.drifted, setup.winners,
                  setup.how, observation)  # fmt: skip
    return board, setup.stream


# -- reading one field each: a reader fills its part of the Setup and yields what is wrong with the text


def read_options(setup: Setup, text: str) -> Faults:
    words = text.split(";")
    if len(words) != len(OPTION_VALUES):
        yield f"has {len(words)} options, not the {len(OPTION_VALUES)} of {';'.join(OPTION_VALUES)}"
        return
    values = []
    for word, (name, allowed) in zip(words, OPTION_VALUES.items(), strict=True):
        found, equals, value = word.partition("=")
        if found != name or not equals or len(value) != 1 or value not in allowed:
            yield ParseError("OPTIONS", word, f"is not {name}= with one of {' '.join(allowed)}")
        else:
            values.append(int(value))
    if len(values) == len(OPTION_VALUES):
        setup.rules = (values[0], values[1], bool(values[2]), bool(values[3]), bool(values[4]))


def read_phase(setup: Setup, text: str) -> Faults:
    found = PHASE.fullmatch(text)
    if not found:
        yield (
            "is no phase: tile:o, rock, rocket, shield, fly:4, aim, trace:5:2, after or over:13:rounds; "
            "fly, aim and trace with * once the drift is used"
        )
        return
    setup.phase = found["plain"] or text.split(":")[0].rstrip("*")
    setup.hand = TILE_LETTERS.index(found["hand"]) if found["hand"] else 0
    setup.die = int(found["white"] or found["red"] or 0)
    setup.target = int(found["target"] or 0)
    setup.drifted = text.endswith("*")
    setup.how = found["how"] or ""
    setup.winners = tuple(map(int, found["winners"] or ""))
    if list(setup.winners) != sorted(set(setup.winners)):
        yield "the winners are not ascending"


def read_tiles(setup: Setup, text: str) -> Faults:
    if text.count("+") != 1:
        yield "is not the tiles, one + and the stack"
        return
    laid, stack = text.split("+")
    for word in laid.split(";") if laid != "-" else ():
        found = TILE.fullmatch(word)
        cell = CELL.get(found[1]) if found else None
        if not found or cell is None:
            yield ParseError("TILES", word, "is no tile: q,r within -12..12, and w or a behind")
        elif cell in setup.tiles:
            yield ParseError("TILES", word, "lies on another tile")
        else:
            setup.tiles[cell] = SUFFIX[found[2]]
    counts = COUNTS.fullmatch(stack)
    if counts and max(int(count) for count in counts.groups()) <= SPACE_TILES:
        setup.counted = True
        setup.stack = b"".join(bytes([kind]) * int(n) for kind, n in enumerate(counts.groups(), 1))
    elif STACK.fullmatch(stack):
        setup.stack = bytes(TILE_LETTERS.index(letter) for letter in stack)
    else:
        yield ParseError("TILES", stack, "is no stack: letters o, w and a, or in an observation their counts o1w2a0")


def read_rockets(setup: Setup, text: str) -> Faults:
    for word in text.split(";"):
        found = ROCKET.fullmatch(word)
        if word == "x":
            setup.rockets.append(None)
        elif not found or (found[1] != "off" and found[1] not in CELL) or int(found[2]) > SHIELD_LIMIT:
            yield ParseError("ROCKETS", word, f"is no rocket: q,r:shields, off:shields or x, shields 0..{SHIELD_LIMIT}")
        else:
            setup.rockets.append((CELL.get(found[1]), int(found[2])))


def read_boarded(setup: Setup, text: str) -> Faults:
    for word in text.split(";") if text != "-" else ():
        found = BOARDED.fullmatch(word)
        if not found or found[2] not in CELL:
            yield ParseError("BOARDED", word, "is no boarded shield: pilot@q,r")
        elif int(found[1]) in setup.boarded:
            yield ParseError("BOARDED", word, "is the pilot's second boarded shield")
        else:
            setup.boarded[int(found[1])] = CELL[found[2]]


def read_order(setup: Setup, text: str) -> Faults:
    found = ORDER.fullmatch(text)
    if not found or int(found[1]) > ROUND_LIMIT:
        yield f"is no order: the round 0..{ROUND_LIMIT}, a colon, the pilots still to move"
        return
    setup.round, setup.order = int(found[1]), tuple(map(int, found[2]))
    if len(set(setup.order)) != len(setup.order):
        yield "has a pilot twice"


def read_stats(setup: Setup, text: str) -> Faults:
    for word in text.split(";"):
        found = STATS.fullmatch(word)
        if not found:
            yield ParseError("STATS", word, f"is not hits.kills.victims, numbers 0..{HIT_LIMIT} and pilots or -")
            continue
        victims = tuple(map(int, found[3].replace("-", "")))
        if list(victims) != sorted(set(victims)):
            yield ParseError("STATS", word, "the victims are not ascending")
        setup.stats.append((int(found[1]), int(found[2]), victims))


def read_stream(setup: Setup, text: str) -> Faults:
    if STREAM.fullmatch(text):
        setup.stream = int(text, 16)
    elif text != "-":
        yield "is neither - nor 16 hexadecimal digits"


READERS: dict[str, Callable[[Setup, str], Faults]] = {
    "OPTIONS": read_options, "PHASE": read_phase, "TILES": read_tiles, "ROCKETS": read_rockets,
    "BOARDED": read_boarded, "ORDER": read_order, "STATS": read_stats, "RNG": read_stream,
}  # fmt: skip


# -- holding the fields against each other

LAYING = ("tile", "rock")
PLACING = ("rocket", "shield")


def contradictions(setup: Setup, words: dict[str, str], observation: bool) -> Iterator[ParseError]:
    """What cannot be, field by field; each check takes those before it for granted only where it must."""
    pilots = setup.rules[0]
    for name, entries in (("ROCKETS", setup.rockets), ("STATS", setup.stats)):
        if len(entries) != pilots:
            yield ParseError(name, words[name], f"has {len(entries)} pilots, not {pilots}")
            return
    parts = list(strangers(setup, words))
    yield from parts
    if parts:
        return
    for check in (check_phase, check_tiles, check_rockets, check_boarded, check_order, check_stats):
        yield from (ParseError(name, text, reason) for name, text, reason in check(setup, words, observation))
    if observation and setup.stream is not None:
        yield ParseError("RNG", words["RNG"], "an observation has no stream")


def strangers(setup: Setup, words: dict[str, str]) -> Iterator[ParseError]:
    """Pilots whose number is over that of the options."""
    pilots = setup.rules[0]
    named = {
        "PHASE": (*setup.winners, setup.target),
        "BOARDED": tuple(setup.boarded),
        "ORDER": setup.order,
        "STATS": tuple(victim for stat in setup.stats for victim in stat[2]),
    }
    for name, seats in named.items():
        if max(seats, default=0) > pilots:
            yield ParseError(name, words[name], f"there are only {pilots} pilots")


Reasons = Iterator[tuple[str, str, str]]


def check_phase(setup: Setup, words: dict[str, str], observation: bool) -> Reasons:
    def wrong(reason: str) -> tuple[str, str, str]:
        return "PHASE", words["PHASE"], reason

    if not setup.rules[3] and (setup.phase in ("rock", "after") or setup.drifted):
        yield wrong("there are no asteroids")
    elif setup.phase == "after" and TOKEN not in setup.tiles.values():
        yield wrong("there is no token left to drift")
    alive = setup.alive
    if setup.phase in ("fly", "aim", "trace", "after") and setup.order and setup.order[0] in alive:
        here = setup.at(setup.order[0])
        targets = [pilot for pilot in alive if setup.at(pilot) != here]
        if setup.phase == "aim" and not targets:
            yield wrong("there is no rocket to aim at: all are on the space of the pilot on turn")
        if setup.phase == "trace" and setup.target not in targets:
            yield wrong(f"pilot {setup.target} is not a rival on another space")
    if setup.phase == "over":
        most = max((setup.held(pilot) for pilot in alive), default=0)
        right = {
            "last": len(alive) == 1 and list(setup.winners) == alive,
            "together": not alive,
            "rounds": len(alive) > 1 and list(setup.winners) == [p for p in alive if setup.held(p) == most],
        }
        if not right[setup.how]:
            yield wrong("does not fit the rockets that are left")
        if setup.how == "rounds" and setup.round != ROUND_LIMIT:
            yield wrong(f"the game ends by rounds after round {ROUND_LIMIT}")


def check_tiles(setup: Setup, words: dict[str, str], observation: bool) -> Reasons:
    laid, stack = words["TILES"].split("+")
    _, _, worms, rocks, _ = setup.rules
    kinds = list(setup.tiles.values())
    tokens, ahead = kinds.count(TOKEN), bytes([setup.hand] * (setup.hand > 0)) + setup.stack
    if observation != setup.counted:
        only = "only an" if setup.counted else "an"
        yield "TILES", stack, f"{only} observation counts the stack"
    for cell, kind in setup.tiles.items():
        if kind == TOKEN and not rocks:
            yield "TILES", f"{NAMES[cell]}a", "there are no asteroids"
    if tokens > MOST_TOKENS:
        yield "TILES", laid, f"has {tokens} tokens, more than {MOST_TOKENS}"
    if (found := kinds.count(WORM) + ahead.count(WORM)) != WORM_TILES * worms:
        yield "TILES", words["TILES"], f"there are {found} wormhole tiles with the stack and the hand, not {3 * worms}"
    if ahead.count(TOKEN) > rocks:
        yield "TILES", stack, f"there are {ahead.count(TOKEN)} asteroid tiles, not {int(rocks)}"
    total = SPACE_TILES + WORM_TILES * worms + rocks
    if (found := len(kinds) + len(ahead)) != total:
        yield "TILES", words["TILES"], f"there are {found} tiles with the stack and the hand, not {total}"
    if setup.phase not in LAYING and setup.stack:
        yield "TILES", stack, f"in the phase {setup.phase} no tile is left"
    if setup.tiles and len(connected(setup.tiles)) < len(setup.tiles):
        apart = min(set(setup.tiles) - connected(setup.tiles))
        yield "TILES", laid, f"{NAMES[apart]} and others do not hang together with the rest"
    if rocks and setup.phase in (*LAYING, *PLACING):
        lies = ahead.count(TOKEN) == 0
        if lies != (tokens > 0):
            reason = "has no token although the asteroid tile lies" if lies else "has a token before its tile"
            yield "TILES", laid, reason
        elif tokens < MOST_TOKENS and setup.phase == "rock" and not token_places(setup.tiles):
            yield "TILES", laid, "has no place for the token that is due"
        elif tokens == MOST_TOKENS and setup.phase == "rock":
            yield "TILES", laid, "has all its tokens already"


def check_rockets(setup: Setup, words: dict[str, str], observation: bool) -> Reasons:
    shields = setup.rules[1]
    names = dict(enumerate(words["ROCKETS"].split(";"), 1))
    for pilot, name in names.items():
        cell = setup.at(pilot)
        if setup.phase in (*LAYING, *PLACING) and (setup.rockets[pilot - 1] is None or setup.held(pilot) != shields):
            yield "ROCKETS", name, f"each holds {shields} before the first round"
        elif cell is not None and setup.phase in LAYING:
            yield "ROCKETS", name, "is on the board while tiles are laid"
        elif cell is None and setup.rockets[pilot - 1] and setup.phase not in (*LAYING, *PLACING):
            yield "ROCKETS", name, "is not on the board although all are placed"
        elif cell is not None and (reason := no_space(setup.tiles, cell)):
            yield "ROCKETS", name, reason
        elif cell is not None and setup.tiles[cell] == TOKEN:
            yield "ROCKETS", name, "stands on an asteroid token"
    if setup.phase != "over" and len(setup.alive) < 2:
        yield "ROCKETS", words["ROCKETS"], "fewer than two are left, so the game is over"


def check_boarded(setup: Setup, words: dict[str, str], observation: bool) -> Reasons:
    for pilot, cell in setup.boarded.items():
        name = f"{pilot}@{NAMES[cell]}"
        if setup.phase in LAYING:
            yield "BOARDED", name, "is boarded while tiles are laid"
        elif reason := no_space(setup.tiles, cell):
            yield "BOARDED", name, reason
        elif setup.phase in PLACING and setup.tiles[cell] == TOKEN:
            yield "BOARDED", name, "is boarded on an asteroid token"


def check_order(setup: Setup, words: dict[str, str], observation: bool) -> Reasons:
    def wrong(reason: str) -> tuple[str, str, str]:
        return "ORDER", words["ORDER"], reason

    pilots = setup.rules[0]
    if setup.phase in (*LAYING, *PLACING):
        if setup.round:
            yield wrong("the first round has not begun, so the round is 0")
    elif not setup.round:
        yield wrong("the rounds count from 1")
    if setup.phase == "over":
        if setup.order:
            yield wrong("the game is over, so nobody is to move")
        return
    if not setup.order:
        yield wrong("nobody is to move although the game goes on")
    elif setup.phase in LAYING:
        first = (len(setup.tiles) - (setup.phase == "rock")) % pilots + 1
        if setup.order != tuple(range(first, pilots + 1)):
            yield wrong(f"with so many tiles those still to lay are {''.join(map(str, range(first, pilots + 1)))}")
    elif setup.phase in PLACING:
        off = {pilot for pilot in setup.alive if setup.at(pilot) is None}
        if off != set(setup.order[setup.phase == "shield" :]):
            yield wrong("those still to place are not those whose rockets are off")
        placed = set(range(1, pilots + 1)) - set(setup.order)
        # each who is done has placed the shield of the one after him
        boarded = set(setup.boarded) - {setup.order[0]}
        fits = len(boarded) == len(placed) - 1 and boarded < placed and setup.order[0] in setup.boarded
        if not (fits if placed else not setup.boarded):
            yield "BOARDED", words["BOARDED"], "is not what those who have placed have boarded"
    else:
        gone = [pilot for pilot in setup.order if setup.rockets[pilot - 1] is None]
        if gone:
            yield wrong(f"pilot {gone[0]} is destroyed")


def check_stats(setup: Setup, words: dict[str, str], observation: bool) -> Reasons:
    for pilot, (name, (hits, kills, victims)) in enumerate(zip(words["STATS"].split(";"), setup.stats, strict=True), 1):
        if pilot in victims:
            yield "STATS", name, f"pilot {pilot} cannot hit itself"
        elif not kills <= len(victims) <= hits or (hits > 0) != bool(victims):
            yield "STATS", name, "hits are at least as many as victims, and these as kills; none without the other"
        elif hits and setup.phase in (*LAYING, *PLACING):
            yield "STATS", name, "nobody is hit before the first round"


@cache
def neighbours(cell: int) -> tuple[int, ...]:
    """The cells of the up to six neighbouring places (rules 1)."""
    q, r = PLACES[cell]
    beside = ((q + 1, r), (q + 1, r - 1), (q, r - 1), (q - 1, r), (q - 1, r + 1), (q, r + 1))
    return tuple(CELL[name] for name in (f"{a},{b}" for a, b in beside) if name in CELL)


def connected(tiles: Iterable[int]) -> set[int]:
    """The tiles that hang together with the first one."""
    left = set(tiles)
    edge = [next(iter(tiles))]
    found = set(edge)
    while edge:
        more = {cell for start in edge for cell in neighbours(start)} & left - found
        found |= more
        edge = list(more)
    return found


def token_places(tiles: dict[int, int]) -> set[int]:
    """Where the next token of the asteroid tile may go (rules 2)."""
    beside = {cell for start, kind in tiles.items() if kind == TOKEN for cell in neighbours(start)}
    return {cell for cell in beside if tiles.get(cell) == SPACE}


def no_space(tiles: dict[int, int], cell: int) -> str:
    """Why a cell names no space; empty if it names one."""
    if cell not in tiles:
        return f"there is no tile at {NAMES[cell]}"
    if tiles[cell] == WORM and cell != (right := written(tiles)):
        return f"the wormhole space is written {NAMES[right]}"
    return ""


def written(tiles: dict[int, int]) -> int:
    """The cell at which the wormhole space is written (rules 4)."""
    return min((cell for cell, kind in tiles.items() if kind == WORM), key=reading_order)


def reading_order(cell: int) -> tuple[int, int]:
    """Orders cells by (r, q)."""
    q, r = PLACES[cell]
    return r, q


# -- the way back


def line(board: Board, stream: int | None) -> str:
    """The canonical line of a position or observation."""
    pilots, shields, worms, rocks, up_to = board.rules
    rockets = (rocket_text(rocket) for rocket in board.rockets)
    boarded = (f"{pilot}@{NAMES[cell]}" for pilot, cell in sorted(board.boarded.items()))
    stats = (f"{hits}.{kills}.{''.join(map(str, victims)) or '-'}" for hits, kills, victims in board.stats)
    return " ".join((
        f"n={pilots};shields={shields};wormholes={int(worms)};asteroids={int(rocks)};upto={int(up_to)}",
        phase_text(board),
        tiles_text(board),
        ";".join(rockets),
        ";".join(boarded) or "-",
        f"{board.round}:{''.join(map(str, board.order))}",
        ";".join(stats),
        "-" if stream is None else f"{stream:016x}",
    ))  # fmt: skip


def phase_text(board: Board) -> str:
    text = board.phase
    if text == "tile":
        return f"tile:{TILE_LETTERS[board.hand]}"
    if text == "over":
        return f"over:{''.join(map(str, board.winners))}:{board.how}"
    if text == "fly":
        text = f"fly:{board.die}"
    elif text == "trace":
        text = f"trace:{board.die}:{board.target}"
    return text + "*" * board.drifted


def tiles_text(board: Board) -> str:
    tiles = board.tiles
    laid = (NAMES[cell] + ("", "", "w", "a")[tiles[cell]] for cell in sorted(tiles, key=reading_order))
    stack = board.stack
    if board.hidden:
        ahead = f"o{stack.count(SPACE)}w{stack.count(WORM)}a{stack.count(TOKEN)}"
    else:
        ahead = "".join(TILE_LETTERS[kind] for kind in stack)
    return f"{';'.join(laid) or '-'}+{ahead}"


def rocket_text(rocket: tuple[int | None, int] | None) -> str:
    if rocket is None:
        return "x"
    cell, held = rocket
    return f"{'off' if cell is None else NAMES[cell]}:{held}"
