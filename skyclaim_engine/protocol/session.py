"""The protocol as a state machine: a line in, lines out. It knows no transport and no game.

One thread calls ``handle``, line by line. A search runs in a thread of its own on its own copy of the position, and
the session stays free to answer. What a line does, it does whole: every handler first reads and checks all of it and
changes the state last, so that a line which is answered by `error` has changed nothing and stopped no search.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, runtime_checkable

from .. import games as registry
from .. import perft, search
from ..errors import OptionError, ProtocolError, SkyclaimError, StreamUnknown, quote
from ..game import Game, Position
from ..options import Option, Value
from ..weights import read as read_weights
from . import grammar
from .version import NAME, version
from .worker import Task, Worker

#: the option that chooses the game
VARIANT = "UCI_Variant"
#: the option that has the evaluation weigh by a file
WEIGHTS = "Weights"
#: the engine's option for its own chance; a `startpos` without a seed follows it too
SEED = "Seed"
#: seconds that a search gets to obey when the session ends
PATIENCE = 0.4

Report = Callable[[search.Info | str], None]


class Brain(Protocol):
    """What the session needs of a bot; ``search.Bot`` is the one that is used."""

    settings: search.Settings

    def new_game(self) -> None:
        """Forget the tree and all beliefs."""

    def see(self, position: Position) -> None:
        """Take in what the seat to move can see of it."""

    def decide(self, position: Position, limits: search.Limits, stop: search.StopFlag, report: Report) -> str | None:
        """The step to play."""

    def hint(self, position: Position, limits: search.Limits, stop: search.StopFlag, report: Report) -> str | None:
        """The step to show to a person, if there is one."""

    def explain(self, position: Position, step: str) -> str:
        """In plain English what a legal step does and how good it is; raises IllegalStep."""


@runtime_checkable
class CountsOrders(Protocol):
    """A position of a game with simultaneous orders."""

    def orders(self, seat: int) -> int:
        """The number of different legal order sets of ``seat``, the empty one included."""


def complain(text: str) -> None:
    """Log to stderr, if there is one."""
    try:
        print(text, file=sys.stderr, flush=True)
    except (OSError, ValueError):
        pass


class Session:
    """One host's conversation: its options, its position, its search.

    ``send`` writes lines (those of one call together, from any thread); ``log`` takes what a person should see of
    faults in the engine itself.
    """

    def __init__(
        self,
        send: Callable[..., None],
        *,
        games: Mapping[str, Game] = registry.GAMES,
        bot: Callable[[search.Settings], Brain] = search.Bot,
        divide: Callable[..., dict[str, int]] = perft.divide,
        log: Callable[[str], None] = complain,
    ) -> None:
        self.games = games
        self.options = all_options(games)
        self.values: dict[str, Value] = {option.name: option.default for option in self.options.values()}
        self.position: Position | None = None
        self.ended = False
        self.bot = bot(_settings(self.values))
        self._send = send
        self._divide = divide
        self._log = log
        self._worker = Worker(self._say, log)

    def handle(self, line: bytes | str) -> bool:
        """Obey one line; False when the session is over. Whatever stands in the line, it does not raise."""
        if self.ended:
            return False
        try:
            if words := _words(line):
                command, rest = grammar.find(words)
                getattr(self, command.handler)(rest)
        except SkyclaimError as error:
            self._say(_error(error.code, str(error)))
        except Exception as error:  # a fault of ours: the host gets an answer, the log the trace
            self._log(traceback.format_exc())
            self._say(_error("limit", f"the engine failed at this line: {error!r}"))
        return not self.ended

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the running search to end by itself, if it ever does; True when there is none any more."""
        return self._worker.wait(seconds)

    def close(self, seconds: float | None = PATIENCE) -> bool:
        """End the session and its search; False if the search has not obeyed within ``seconds``."""
        self.ended = True
        return self._worker.close(seconds)

    # --- the handlers, in the order of the table of commands ---------------------------------------------------------

    def identify(self, words: list[str]) -> None:
        declared = (option.describe() for option in self.options.values())
        self._say(f"id name {NAME} {version()}", f"id author the {NAME} authors", *declared, "uciok")

    def ready(self, words: list[str]) -> None:
        self._say("readyok")

    def set_option(self, words: list[str]) -> None:
        name, text = grammar.parse_option(words)
        option = self.options.get(name.lower())
        if option is None:
            raise OptionError(f"option {quote(name)} is not known; 'uci' lists the options")
        if text is None:
            raise OptionError(f"option {option.name}: the value is missing")
        values = {**self.values, option.name: option.check(text)}
        settings = _settings(values)
        if option.name == WEIGHTS:
            self._weigh(str(values[WEIGHTS]))
        self._worker.end()
        if settings != self.bot.settings:
            self.bot.settings = settings
        self.values = values

    def new_game(self, words: list[str]) -> None:
        self._worker.end()
        self.bot.new_game()

    def set_position(self, words: list[str]) -> None:
        place = grammar.parse_position(words)
        game = self.games[str(self.values[VARIANT])]
        options = {option.name: self.values[option.name] for option in game.options}
        if place.kind == "startpos":
            position = game.start(self._seed() if place.seed is None else place.seed, options)
        else:
            position = game.parse(place.line, options, observation=place.kind == "obs")
        if place.moves:
            _need_stream(position, "moves")
        for step in grammar.steps(place.moves, game.info.simultaneous):
            position.apply(step)
        self._worker.end()
        if self.position is not None and self.position.game is not game:
            self.bot.new_game()
        self.bot.see(position)
        self.position = position

    def go(self, words: list[str]) -> None:
        go = grammar.parse_go(words)
        if self._worker.busy:
            raise ProtocolError("busy", "'go': a search is running; 'stop' ends it")
        position = self._here().copy()
        task = Task(go.tag, go.infinite)
        if go.perft is not None:
            _need_stream(position, "perft")
            depth = go.perft
            self._start(task, lambda: self._count(position, depth, task))
            return
        if position.result is not None:
            self._say(f"bestmove none{task.suffix}")
            return
        limits = _limits(go, position)
        self._start(task, lambda: self._think(position, limits, task, go.hint))

    def stop(self, words: list[str]) -> None:
        self._worker.end()

    def quit(self, words: list[str]) -> None:
        self.close()

    def draw(self, words: list[str]) -> None:
        position = self._here()
        self._say(*position.picture().splitlines(), f"fen {position.line()}")

    def legal(self, words: list[str]) -> None:
        position = self._here()
        seat = position.game.seat(grammar.one_word(words, "SEAT")) if words else None
        self._say(" ".join(["legal", *position.legal(seat)]))

    def orders(self, words: list[str]) -> None:
        position = self._here()
        if not isinstance(position, CountsOrders):
            raise ProtocolError("bad-argument", f"'orders': {position.game.info.name} has no simultaneous orders")
        seat = position.game.seat(grammar.one_word(words, "SEAT"))
        self._say(f"orders {position.orders(seat)}")

    def apply(self, words: list[str]) -> None:
        position = self._here().copy()
        events = position.apply(grammar.text(words, "STEP"))
        answer = [f"event {json.dumps(event, separators=(',', ':'), ensure_ascii=False)}" for event in events]
        answer.append(f"fen {position.line()}")
        if position.result is not None:
            answer.extend(position.result.lines)
        self._worker.end()
        self.position = position
        self._say(*answer)

    def observe(self, words: list[str]) -> None:
        position = self._here()
        seat = position.game.seat(grammar.one_word(words, "SEAT"))
        self._say(f"obs {position.observe(seat).line()}")

    def evaluate(self, words: list[str]) -> None:
        position = self._here()
        # as everywhere, nothing that the seat to move could not know
        seen = position.observe(position.seat) if position.seat else position
        self._say(*(f"eval {name} {value:+.3f}" for name, value in seen.evaluate()))

    def explain(self, words: list[str]) -> None:
        self._say(f"explain {self.bot.explain(self._here(), grammar.text(words, 'STEP'))}")

    def help(self, words: list[str]) -> None:
        self._say(*(f"{command.usage}: {command.help}" for command in grammar.COMMANDS))

    # --- what runs in the worker's thread ----------------------------------------------------------------------------

    def _think(self, position: Position, limits: search.Limits, task: Task, hint: bool) -> list[str]:
        """The last lines of a search, whatever happens in it: the host waits for a step and must not wait for ever."""

        def report(info: search.Info | str) -> None:
            text = f"string {info}" if isinstance(info, str) else info.line()
            self._say(f"info {text}{task.suffix}")

        ask = self.bot.hint if hint else self.bot.decide
        try:
            step = ask(position.copy(), limits, task.flag, report)
            if step is not None:
                _need_legal(position, [step])
            elif not hint:
                raise RuntimeError("the bot has no step although the game goes on")
        except Exception:
            self._log(traceback.format_exc())
            step = None if hint else _any_step(position, limits)
            report("the search failed" + (f"; {step} is not its choice but the first legal step" if step else ""))
        if limits.infinite:
            task.stopped.wait()  # a bot that is done early, in a random turn for example, still keeps its answer back
        return [f"bestmove {step or 'none'}{task.suffix}"]

    def _count(self, position: Position, depth: int, task: Task) -> list[str]:
        """The last lines of a perft."""
        threads = self.bot.settings.threads
        try:
            parts = self._divide(position, depth, threads=threads, stop=task.flag) if depth else {}
        except SkyclaimError as error:  # which may say no more than that it was stopped
            parts = None
            refusal = _error(error.code, str(error))
        except Exception as error:
            self._log(traceback.format_exc())
            return [_error("limit", f"'perft': the engine failed: {error!r}")]
        if task.flag.is_set():
            return [f"info string the count was stopped{task.suffix}"]
        if parts is None:
            return [refusal]
        total = sum(parts.values()) if depth else 1
        return [*(f"{step}: {number}" for step, number in parts.items()), f"Nodes searched: {total}"]

    # --- helpers -----------------------------------------------------------------------------------------------------

    def _here(self) -> Position:
        if self.position is None:
            raise ProtocolError("no-position", "there is no position yet; send 'position' first")
        return self.position

    def _weigh(self, path: str) -> None:
        """Take the weights of a file, or without one those that every game has of its own."""
        if not path:
            for game in self.games.values():
                if game.scales:
                    game.use(None)
            return
        try:
            name, weights = read_weights(path)
        except SkyclaimError as error:
            raise OptionError(f"option {WEIGHTS}: {error}") from None
        if name not in self.games:
            raise OptionError(f"option {WEIGHTS}: {quote(path)} is for {quote(name)}, which is not known")
        try:
            self.games[name].use(weights)
        except SkyclaimError as error:
            raise OptionError(f"option {WEIGHTS}: {error}") from None

    def _seed(self) -> int:
        return int(self.values.get(SEED, 0)) or int.from_bytes(os.urandom(8), "little")

    def _start(self, task: Task, work: Callable[[], list[str]]) -> None:
        try:
            self._worker.start(task, work)
        except RuntimeError as error:
            raise ProtocolError("limit", f"'go': {error}") from error

    def _say(self, *lines: str) -> None:
        """Send lines, each of them certainly one."""
        self._send(*(line.replace("\r", " ").replace("\n", " ") for line in lines))


def all_options(games: Mapping[str, Game]) -> dict[str, Option]:
    """Every option by its name in lower case: the choice of the game, the engine's own, and the rules of all games.

    Games may share an option if they declare it alike.
    """
    variant = Option(VARIANT, "combo", next(iter(games)), choices=tuple(games))
    own = [variant, *search.ENGINE_OPTIONS]
    if any(game.scales for game in games.values()):
        own.append(Option(WEIGHTS, "string", ""))
    options = {option.name.lower(): option for option in own}
    for game in games.values():
        for option in game.options:
            if options.setdefault(option.name.lower(), option) != option:
                raise ValueError(f"{game.info.name} declares the option {option.name} unlike another")
    return options


def _words(line: bytes | str) -> list[str]:
    """The words of a line; bytes that are no UTF-8 become replacement characters."""
    data = (line.encode("utf-8", "replace") if isinstance(line, str) else line).removesuffix(b"\r")
    if len(data) > grammar.MAX_LINE:
        start = quote(data[:20].decode("utf-8", "replace"))
        raise ProtocolError("too-long", f"the line that begins {start} is over {grammar.MAX_LINE} bytes")
    return data.decode("utf-8", "replace").split()


def _error(code: str, text: str) -> str:
    if len(text) > grammar.MAX_ERROR:
        text = text[: grammar.MAX_ERROR - 1] + "…"
    return f"error {code} {text}"


def _settings(values: Mapping[str, Value]) -> search.Settings:
    return search.Settings.from_options({option.name: values[option.name] for option in search.ENGINE_OPTIONS})


def _limits(go: grammar.Go, position: Position) -> search.Limits:
    """The search's limits, with what depends on the game checked: the number of clocks, and the steps."""
    info = position.game.info
    low, high = info.seats
    for name, numbers in (("clocks", go.clocks), ("incs", go.incs)):
        if numbers and not max(low, position.seat) <= len(numbers) <= high:
            raise ProtocolError("bad-argument", f"{quote(name)}: one number for each seat, not {len(numbers)}")
    chosen = grammar.choices(go.searchmoves, info.simultaneous)
    _need_legal(position, chosen)
    return search.Limits(
        movetime=go.movetime,
        nodes=go.nodes,
        depth=go.depth,
        infinite=go.infinite,
        searchmoves=tuple(dict.fromkeys(chosen)),
        clocks=go.clocks,
        incs=go.incs,
        movestogo=go.movestogo,
    )


def _need_stream(position: Position, word: str) -> None:
    if position.stream is None and position.game.info.chance:
        raise StreamUnknown(f"{quote(word)}: the stream of chance of this position is not known")


def _need_legal(position: Position, steps: Sequence[str]) -> None:
    """Raise IllegalStep for the first step that the seat to move may not choose."""
    for step in steps:
        position.number(step, position.seat)


def _any_step(position: Position, limits: search.Limits) -> str:
    """A step without thinking. Where orders are given together, the empty set is always legal."""
    if limits.searchmoves:
        return limits.searchmoves[0]
    return "-" if position.game.info.simultaneous else position.legal()[0]
