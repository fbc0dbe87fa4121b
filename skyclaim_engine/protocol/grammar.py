"""What a line of the protocol may say: the table of commands and the parsers of their words.

The table drives the dispatch in ``session``, the answer to `help`, and the tables of `docs/protocol.md` (a test
holds the three together). Nothing here knows a game or has a state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, cast

from ..errors import ProtocolError, quote

#: the longest line that is read, in bytes without its end
MAX_LINE = 64 * 1024
#: the longest text of an error line, so that it stays well within what a host reads
MAX_ERROR = 16 * 1024
#: the longest word of `go … id WORD`, which comes back on every line of the search
MAX_ID = 64


@dataclass(frozen=True)
class Command:
    """One command: its first word, how it is written, what it does, and the method of Session that obeys it."""

    name: str
    usage: str
    help: str
    handler: str


COMMANDS = (
    Command("uci", "uci", "the engine's name and options, then uciok", "identify"),
    Command("isready", "isready", "readyok, once everything sent before has taken effect", "ready"),
    Command("setoption", "setoption name NAME [value VALUE]", "set an option", "set_option"),
    Command("ucinewgame", "ucinewgame", "forget what was learnt in the last game", "new_game"),
    Command(
        "position",
        "position startpos [seed N] | fen LINE | obs LINE [moves STEP ...]",
        "set up a position and play steps from it",
        "set_position",
    ),
    Command(
        "go",
        "go [LIMITS] [hint | perft N] [id WORD] [searchmoves STEP ...]",
        "search, or give a hint, or count",
        "go",
    ),
    Command("stop", "stop", "end the search; its bestmove is answered", "stop"),
    Command("quit", "quit", "end the engine", "quit"),
    Command("d", "d", "a picture of the board, then fen LINE", "draw"),
    Command("legal", "legal [SEAT]", "the legal steps", "legal"),
    Command("orders", "orders SEAT", "the number of legal order sets of a seat", "orders"),
    Command("apply", "apply STEP", "carry out a step: its events, the position, the result", "apply"),
    Command("observe", "observe SEAT", "what a seat sees, as obs LINE", "observe"),
    Command("eval", "eval", "the static evaluation, term by term", "evaluate"),
    Command("explain", "explain STEP", "what a legal step does and how good it is, in plain English", "explain"),
    Command("help", "help", "the commands, one a line", "help"),
)

_BY_NAME = {command.name: command for command in COMMANDS}

_MAX_MS = 10**12
_MAX_DEPTH = 255
#: the numbers that `go` takes, each with its range
GO_NUMBERS = {
    "movetime": (0, _MAX_MS),
    "nodes": (1, 10**18),
    "depth": (1, _MAX_DEPTH),
    "wtime": (-_MAX_MS, _MAX_MS),
    "btime": (-_MAX_MS, _MAX_MS),
    "winc": (0, _MAX_MS),
    "binc": (0, _MAX_MS),
    "movestogo": (0, 10**6),
    "perft": (0, _MAX_DEPTH),
}
#: the lists of milliseconds by seat that `go` takes, joined by commas
GO_LISTS = {"clocks": (-_MAX_MS, _MAX_MS), "incs": (0, _MAX_MS)}
#: the words of `go` that stand alone
GO_FLAGS = ("infinite", "hint")


@dataclass(frozen=True)
class Place:
    """A `position` command: where it starts from and the words of its moves."""

    kind: Literal["startpos", "fen", "obs"]
    seed: int | None
    line: str
    moves: tuple[str, ...]


@dataclass(frozen=True)
class Go:
    """A `go` command; the limits are as the search takes them, times in milliseconds and by seat."""

    movetime: int | None = None
    nodes: int | None = None
    depth: int | None = None
    infinite: bool = False
    clocks: tuple[int, ...] = ()
    incs: tuple[int, ...] = ()
    movestogo: int | None = None
    hint: bool = False
    perft: int | None = None
    tag: str | None = None
    searchmoves: tuple[str, ...] = field(default=())


def find(words: Sequence[str]) -> tuple[Command, list[str]]:
    """The first known command among ``words`` and the words after it; what stands before is skipped, as UCI asks."""
    for index, word in enumerate(words):
        if command := _BY_NAME.get(word):
            return command, list(words[index + 1 :])
    raise ProtocolError("unknown-command", f"{quote(words[0])}: not a command; 'help' lists them")


def parse_option(words: Sequence[str]) -> tuple[str, str | None]:
    """Name and value of a `setoption`; both may have blanks in them, the value may be missing."""
    if not words or words[0] != "name":
        raise _bad(words[0] if words else "setoption", "expected name NAME value VALUE")
    at = words.index("value") if "value" in words else None
    name = " ".join(words[1:at])
    if not name:
        raise _bad("name", "the name of the option is missing")
    return name, None if at is None else " ".join(words[at + 1 :])


def parse_position(words: Sequence[str]) -> Place:
    """Read `startpos [seed N] [moves …]`, `fen LINE [moves …]` or `obs LINE [moves …]`."""
    kind = words[0] if words else ""
    if kind not in ("startpos", "fen", "obs"):
        raise _bad(kind or "position", "expected startpos, fen or obs")
    at = words.index("moves") if "moves" in words else len(words)
    middle, moves = words[1:at], tuple(words[at + 1 :])
    seed = None
    if kind == "startpos" and middle:
        if middle[0] != "seed":
            raise _bad(middle[0], "expected seed or moves")
        if len(middle) < 2:
            raise _bad("seed", "the number is missing")
        if len(middle) > 2:
            raise _bad(middle[2], "expected moves")
        seed = whole("seed", middle[1], 0, 2**64 - 1)
    return Place(cast(Literal["startpos", "fen", "obs"], kind), seed, " ".join(middle), moves)


def parse_go(words: Sequence[str]) -> Go:
    """Read the words of a `go`; each may stand once, `searchmoves` takes the rest but for `id WORD`."""
    rest = list(words)
    found: dict[str, object] = {}
    if "id" in rest:
        at = rest.index("id")
        tag = rest[at + 1] if at + 1 < len(rest) else ""
        if not 0 < len(tag) <= MAX_ID:
            raise _bad("id", f"expected a word of at most {MAX_ID} characters after it")
        found["tag"] = tag
        del rest[at : at + 2]
    while rest:
        word = rest.pop(0)
        if word in found:
            raise _bad(word, "given twice")
        if word == "searchmoves":
            if not rest:
                raise _bad(word, "expected steps after it")
            found[word], rest = tuple(rest), []
        elif word in GO_FLAGS:
            found[word] = True
        elif word in GO_NUMBERS or word in GO_LISTS:
            if not rest:
                raise _bad(word, "the number is missing")
            text = rest.pop(0)
            if word in GO_NUMBERS:
                found[word] = whole(word, text, *GO_NUMBERS[word])
            else:
                found[word] = tuple(whole(word, part, *GO_LISTS[word]) for part in text.split(","))
        else:
            raise _bad(word, "not a word of go")
    return _go(found)


def _go(found: dict[str, object]) -> Go:
    """The command from the words found: the clocks in chess manner become clocks by seat, odd numbers are put right."""
    for chess, by_seat in ((("wtime", "btime"), "clocks"), (("winc", "binc"), "incs")):
        south, north = (cast("int | None", found.pop(word, None)) for word in chess)
        if south is None and north is None:
            continue
        if by_seat in found:
            raise _bad(by_seat, f"not together with {' or '.join(chess)}")
        given = cast(int, north if south is None else south)
        # A host that knows one clock only is taken to play both sides with it.
        found[by_seat] = (given if south is None else south, given if north is None else north)
    # A flagged clock may be negative and a host may have no time left at all; both mean: answer now.
    if "clocks" in found:
        found["clocks"] = tuple(max(0, clock) for clock in cast("tuple[int, ...]", found["clocks"]))
    if "movetime" in found:
        found["movetime"] = max(1, cast(int, found["movetime"]))
    if found.get("movestogo") == 0:
        del found["movestogo"]
    if "perft" in found:
        for word in found:
            if word not in ("perft", "tag"):
                raise _bad(word, "not together with perft")
    return Go(**found)  # type: ignore[arg-type]


def steps(words: Sequence[str], joint: bool) -> list[str]:
    """The steps in the words after `moves`.

    A step is one word, but a joint step (`1:ORDERS | 2:ORDERS`) has blanks in it and begins at a word `1:…`.
    """
    if not joint:
        return list(words)
    result: list[list[str]] = []
    for word in words:
        if word.startswith("1:") or not result:
            result.append([])
        result[-1].append(word)
    return [" ".join(step) for step in result]


def choices(words: Sequence[str], joint: bool) -> list[str]:
    """The steps in the words after `searchmoves`; order sets, which have blanks in them, are parted by `|`."""
    if not joint:
        return list(words)
    return [" ".join(part.split()) for part in " ".join(words).split("|")] if words else []


def one_word(words: Sequence[str], what: str) -> str:
    """The only argument of a command, ``what`` it is for the person who forgot it."""
    if len(words) != 1:
        raise _bad(words[1] if words else what, "one word too many" if words else "missing")
    return words[0]


def text(words: Sequence[str], what: str) -> str:
    """The rest of a line as one text."""
    if not words:
        raise _bad(what, "missing")
    return " ".join(words)


def whole(name: str, word: str, low: int, high: int) -> int:
    """A whole number in ``low``..``high``, in decimal digits."""
    digits = word.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        raise _bad(word, f"{name} takes a whole number")
    # int() refuses very long texts, and none of them is in any range
    number = int(word) if len(digits) < 30 else high + 1
    if not low <= number <= high:
        raise _bad(word, f"{name} is not in {low}..{high}")
    return number


def _bad(word: str, reason: str) -> ProtocolError:
    return ProtocolError("bad-argument", f"{quote(word)}: {reason}")
