"""Checks of the conversation: the handshake, options, positions, errors, and how the engine ends."""

from __future__ import annotations

import re
import time

from ..options import Option, Value
from .examiner import VARIANT, Examiner, Fail, Skip, single, walk

#: seconds in which an engine must end
END = 1.0
#: bytes of a line that is too long
TOO_LONG = 70_000

_DECLARATION = re.compile(r"option name (.+?) type (check|spin|combo|string|button)(?: (.*))?")
_KEYS = re.compile(r"(?:^| )(default|min|max|var)(?: |$)")


def handshake(engine: Examiner) -> None:
    """`uci`: id name, id author, well-formed options, uciok."""
    engine.start()
    lines = engine.lines("uci", lambda line: line == "uciok")[:-1]
    for words in ("id name ", "id author "):
        if sum(line.startswith(words) for line in lines) != 1:
            raise Fail("uci", f"one line '{words}…'", [line for line in lines if line.startswith("id")])
    engine.options = {}
    for line in lines:
        if line.startswith("option "):
            if option := declared(line):
                engine.options[option.name.lower()] = option
        elif line and not line.startswith(("id ", "info ")):
            raise Fail("uci", "lines 'id …' and 'option …' only", [line])
    again = engine.lines("uci", lambda line: line == "uciok")[:-1]
    if different := [line for line in again if line not in lines]:
        raise Fail("uci", "the same answer as before", different)


def declared(line: str) -> Option | None:
    """The option of a declaration, None for a button or a text; raises Fail."""
    found = _DECLARATION.fullmatch(line)
    if not found:
        raise Fail("uci", "'option name NAME type check|spin|combo|string|button …'", [line])
    name, kind, rest = found[1], found[2], found[3] or ""
    _, *parts = _KEYS.split(rest)
    values = list(zip(parts[::2], (part.strip() for part in parts[1::2]), strict=True))
    given = dict(values)
    try:
        if kind == "check":
            return Option(name, kind, _checked(Option(name, kind, False), given["default"]))
        if kind == "spin":
            option = Option(name, kind, int(given["default"]), int(given["min"]), int(given["max"]))
        elif kind == "combo":
            choices = tuple(value for key, value in values if key == "var")
            option = Option(name, kind, given["default"], choices=choices)
        else:
            return None
        _checked(option, given["default"])
        return option
    except (KeyError, ValueError):
        raise Fail("uci", "a default, for a spin min and max, and a default among the values", [line]) from None


def _checked(option: Option, text: str) -> Value:
    return option.check(text)


def readiness(engine: Examiner) -> None:
    """`isready` is answered by `readyok` and nothing else."""
    engine.ready()
    if late := [line for line in engine.lines("uci", lambda line: line == "uciok") if line == "readyok"]:
        raise Fail("isready", "one 'readyok'", ["readyok", *late])


def unknown_command(engine: Examiner) -> None:
    """A line with no command in it is answered by `error unknown-command`, and the engine goes on."""
    for text in ("joho", "joho 1 2 3", "änderung …", "bestmove", "%s %n \\x00"):
        engine.refuse(text, "unknown-command")


def white_space(engine: Examiner) -> None:
    """White space, CR LF, empty lines and unknown words before a command are tolerated."""
    for text in ("", " \t ", "\r", "\n\n"):
        engine.quiet(text)
    for text in ("  \t isready \t ", "isready\r", "joho isready"):
        engine.ready(text)


def too_long(engine: Examiner) -> None:
    """A line over 64 KiB is answered by `error too-long`, and the engine goes on."""
    for text in ("x" * TOO_LONG, "isready" + " " * TOO_LONG):
        engine.refuse(text, "too-long")
    engine.ready()


def options(engine: Examiner) -> None:
    """`setoption` with a good value is silent, whatever the case of the name."""
    if not engine.options:
        raise Skip("the engine declares no options")
    for option in engine.options.values():
        value = str(option.default).lower() if option.kind == "check" else str(option.default)
        engine.quiet(f"setoption name {option.name} value {value}")
        engine.quiet(f"setoption name {option.name.upper()} value {value}")


def option_errors(engine: Examiner) -> None:
    """A wrong option or value is answered by `error bad-option`, and the old value stays."""
    engine.refuse("setoption name No Such Option value 1", "bad-option")
    for option in engine.options.values():
        wrong = {"check": ["maybe"], "spin": [str(option.low - 1), str(option.high + 1), "x"], "combo": ["no such"]}
        for value in wrong[option.kind]:
            engine.refuse(f"setoption name {option.name} value {value}", "bad-option")
    engine.first_game()
    if VARIANT.lower() in engine.options:
        game = engine.variants[-1]
        engine.use(game)
        engine.refuse(f"setoption name {VARIANT} value no such", "bad-option")
        engine.quiet(f"position fen {game.start(1).line()}")


def no_position(engine: Examiner) -> None:
    """`go` before any position is answered by `error no-position`."""
    engine.start()
    engine.refuse("go nodes 1", "no-position")


def positions(engine: Examiner) -> None:
    """`position startpos`, `fen`, `obs` and `moves` are silent, in every game."""
    engine.first_game()
    for game in engine.variants:
        engine.use(game)
        start = game.start(5)
        moves = list[str]()
        position = start.copy()
        while len(moves) < 3 and position.deciders:
            step = position.joint({seat: single((position.legal(seat) or ["-"])[0]) for seat in position.deciders})
            moves.append(step)
            position.apply(step)
        engine.quiet("position startpos")
        engine.quiet("position startpos seed 5")
        for line in (start.line(), position.line()):
            engine.quiet(f"position fen {line}")
        engine.quiet(f"position fen {start.line()} moves {' '.join(moves)}")
        for seat in position.deciders:
            engine.quiet(f"position obs {position.observe(seat).line()}")


def position_errors(engine: Examiner) -> None:
    """A wrong position is answered by one error, and the old position stays."""
    old = engine.place(1, 0)
    other = walk(old.game.start(2), 2, 5)
    theirs = set(other.legal(old.seat))
    own = next((single(step) for step in old.legal() if step not in theirs), None)
    for text in ("", "joho", "startpos seed x", "startpos seed -1", "fen", "fen joho", "obs joho", "startpos joho"):
        engine.refuse(f"position {text}".rstrip())
    engine.refuse(f"position fen {other.line()} moves nonsense", "illegal-step")
    engine.refuse(f"position fen {other.line()} joho")
    if own is None:
        raise Skip("the two positions tried have the same steps")
    search = engine.search(f"nodes 20 searchmoves {own}")
    if search.step != own:
        raise Fail(search.sent, f"{own}, as the position before the wrong ones is still there", [search.last])


def end_of_input(engine: Examiner) -> None:
    """At the end of the input the engine ends with status 0 within a second."""

    def measure() -> float:
        engine.start()
        engine.quiet("")
        return _ending(engine, "the end of the input", engine.client.close_input)

    engine.in_time("the end of the input", END, measure)


def end_in_search(engine: Examiner) -> None:
    """At the end of the input during a search the engine ends with status 0 within a second."""

    def measure() -> float:
        engine.start()
        engine.place()
        engine.begin()
        return _ending(engine, "the end of the input during a search", engine.client.close_input)

    engine.in_time("the end of the input during a search", END, measure)


def quit_in_search(engine: Examiner) -> None:
    """`quit` during a search ends the engine with status 0 within a second."""

    def measure() -> float:
        engine.start()
        engine.place()
        engine.begin()
        return _ending(engine, "quit", lambda: engine.client.send("quit", engine.timeout))

    engine.in_time("quit", END, measure)


def _ending(engine: Examiner, sent: str, end: object) -> float:
    """Seconds that the engine takes to end; raises Fail if it does not, or with another status than 0."""
    assert callable(end)
    begin = time.perf_counter()
    end()
    status = engine.client.wait(END + 1.0)
    seconds = time.perf_counter() - begin
    if status is None:
        raise Fail(sent, "the end of the engine within a second", "no end")
    if status:
        raise Fail(sent, "the end of the engine with status 0", f"status {status}")
    return seconds


def nothing_left(engine: Examiner) -> None:
    """No process is left when the engine has ended."""
    client = engine.start()
    if not client.pid:
        raise Skip("the engine is at an address")
    engine.place()
    engine.search("nodes 20")
    client.send("quit", engine.timeout)
    client.wait(END + 1.0)
    if left := client.family():
        raise Fail("quit", "no process left", f"{len(left)} that still run: {', '.join(map(str, left))}")
