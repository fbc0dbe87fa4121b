"""An engine under examination: what is sent to it, what it answers, and what should have come instead."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from ..errors import SkyclaimError, quote
from ..game import Game, Position
from ..games import GAMES
from ..options import Option, Value
from ..protocol.client import Client, EngineTimeout

#: the words that may follow `error`
CODES = (
    "unknown-command",
    "bad-argument",
    "bad-option",
    "bad-position",
    "illegal-step",
    "no-position",
    "busy",
    "too-long",
    "limit",
)
#: the option that chooses the game, and that of the engine's own chance
VARIANT, SEED = "UCI_Variant", "Seed"
#: seconds that a new process gets for its first answer at least
START = 10.0
#: how often an engine may try to be in time: a machine may be busy with other things for a moment
TRIES = 3


class Fail(Exception):
    """What was sent, what should have come, and what came."""

    def __init__(self, sent: str, expected: str, came: str | Sequence[str]) -> None:
        heard = came if isinstance(came, str) else _shown(came)
        super().__init__(f"sent {quote(sent)}; expected {expected}; came {heard}")


class Skip(Exception):
    """Why there is nothing to check."""


@dataclass(frozen=True)
class Search:
    """What one `go` brought: its `bestmove` or `error` line, what came before that, and what after it unasked."""

    sent: str
    last: str
    before: list[str]
    after: list[str]
    seconds: float

    @property
    def step(self) -> str:
        """The step of the `bestmove`, without the id."""
        return " ".join(self.last.partition(" id ")[0].split()[1:])


@dataclass
class Examiner:
    """Holds the conversation. An engine that is lost is started anew for the next question.

    ``timeout`` is in seconds, for each request; ``games`` are those that may be asked for.
    """

    command: str | Sequence[str]
    timeout: float = 10.0
    games: Mapping[str, Game] = field(default_factory=lambda: GAMES)
    #: the options that the engine has declared, by name in lower case
    options: dict[str, Option] = field(default_factory=dict)
    #: the text that was sent last
    sent: str = ""
    _client: Client | None = None
    _tags: Iterator[int] = field(default_factory=itertools.count)

    # --- the process -------------------------------------------------------------------------------------------------

    @property
    def client(self) -> Client:
        if self._client is None:
            self.sent = "uci"
            self._client = Client(self.command)
            self._client.uci(max(self.timeout, START))
        return self._client

    def start(self) -> Client:
        """A new process that has heard nothing but `uci`."""
        self.end()
        return self.client

    def end(self) -> None:
        """End the process and all that it has started."""
        if self._client is not None:
            self._client.kill()
            self._client = None

    # --- questions ---------------------------------------------------------------------------------------------------

    def lines(self, text: str, until: Callable[[str], bool]) -> list[str]:
        """Send ``text``, which may have several lines, and return what comes up to what ``until`` is true of."""
        client = self.client
        self.sent = text
        return client.request(text, until, self.timeout)

    def say(self, text: str) -> list[str]:
        """What is answered to a command, without the `info` lines of a search that runs."""
        lines = self.lines(f"{text}\nisready", lambda line: line == "readyok")[:-1]
        self.sent = text
        return [line for line in lines if not _begins(line, "info")]

    def quiet(self, text: str) -> None:
        """Send a command that has no answer; raises Fail if there is one."""
        self.expect(text, [])

    def expect(self, text: str, answer: list[str]) -> None:
        """Send a command that has exactly that answer; raises Fail."""
        if (came := self.say(text)) != answer:
            raise Fail(text, _shown(answer), came)

    def ready(self, text: str = "isready") -> None:
        """Send an `isready`, however it is written; raises Fail if it is not answered by one `readyok` alone."""
        came = [line for line in self.lines(text, lambda line: line == "readyok") if not _begins(line, "info")]
        came += self.say("")
        if came != ["readyok"]:
            raise Fail(text, "one 'readyok'", came)

    def refuse(self, text: str, code: str = "") -> None:
        """Send what must be answered by one error line, with that code if one is given; raises Fail."""
        came = self.say(text)
        words = came[0].split() if len(came) == 1 else []
        if len(words) < 3 or words[0] != "error" or words[1] not in ([code] if code else CODES):
            raise Fail(text, f"one line 'error {code or 'CODE'} TEXT'", came)

    def offered(self, text: str) -> list[str]:
        """The answer to a command that an engine need not have; raises Skip."""
        came = self.say(text)
        if came and came[0].startswith("error unknown-command"):
            raise Skip(f"the engine has no command {quote(text.split()[0])}")
        return came

    def listen(self, seconds: float) -> list[str]:
        """What comes unasked within ``seconds``, without `info` lines."""
        end, lines = time.monotonic() + seconds, []
        try:
            while True:
                lines.append(self.client.receive(end - time.monotonic()))
        except EngineTimeout:
            return [line for line in lines if not _begins(line, "info")]

    # --- searches ----------------------------------------------------------------------------------------------------

    def tag(self) -> str:
        """A word for `go … id` that was not used before."""
        return f"c{next(self._tags)}"

    def search(self, limits: str) -> Search:
        """A whole search by `go id TAG LIMITS`; raises Fail if it is answered by an error."""
        text = f"go id {self.tag()} {limits}".rstrip()
        begin = time.perf_counter()
        *before, last = self.lines(text, _ends_search)
        seconds = time.perf_counter() - begin
        after = self.say("")
        if _begins(last, "error"):
            raise Fail(text, "a bestmove", [last])
        return Search(text, last, before, after, seconds)

    def begin(self) -> str:
        """Begin a search without end by `go infinite`; its id."""
        tag = self.tag()
        self.sent = f"go infinite id {tag}"
        self.client.send(self.sent, self.timeout)
        return tag

    def finish(self, text: str = "stop") -> Search:
        """End the search that runs, by ``text``."""
        begin = time.perf_counter()
        *before, last = self.lines(text, lambda line: _begins(line, "bestmove"))
        seconds = time.perf_counter() - begin
        return Search(text, last, before, self.say(""), seconds)

    def play(self, position: Position, limits: str = "nodes 100") -> Search:
        """A search in a position that the engine is at, with a legal answer; raises Fail."""
        search = self.search(limits)
        self.legal(position, search)
        return search

    def legal(self, position: Position, search: Search, seat: int | None = None) -> None:
        """Raises Fail unless the search's answer is a legal step of ``seat`` (the one that decides)."""
        if fault := illegal(position, search.step, seat or position.seat):
            raise Fail(search.sent, f"a legal step in {position.line()}", f"{quote(search.last)}: {fault}")

    def in_time(self, sent: str, limit: float, measure: Callable[[], float]) -> None:
        """Raises Fail if ``measure`` gives more than ``limit`` seconds every time."""
        taken = min(itertools.islice(_until_below(limit, measure), TRIES))
        if taken > limit:
            raise Fail(sent, f"an answer within {1000 * limit:.0f} ms", f"one after {1000 * taken:.0f} ms")

    # --- games -------------------------------------------------------------------------------------------------------

    @property
    def variants(self) -> list[Game]:
        """The games that are asked for and that the engine plays. Without the option, it plays the first of all."""
        declared = self.options.get(VARIANT.lower())
        names = declared.choices if declared else tuple(GAMES)[:1]
        return [game for name, game in self.games.items() if name in names]

    def use(self, game: Game, values: Mapping[str, Value] | None = None) -> dict[str, Value]:
        """Let the engine play a game by the rules ``values``, else by the defaults; those that it knows of are given
        back. Raises Skip if it does not play the game."""
        if game not in self.variants:
            raise Skip(f"the engine does not offer {game.info.name}, or it is not asked for")
        if VARIANT.lower() in self.options:
            self.quiet(f"setoption name {VARIANT} value {game.info.name}")
        known = [option for option in game.options if option.name.lower() in self.options]
        chosen = {option.name: (values or {}).get(option.name, option.default) for option in known}
        for name, value in chosen.items():
            self.quiet(f"setoption name {name} value {str(value).lower() if isinstance(value, bool) else value}")
        return chosen

    def first_game(self) -> Game:
        """The first game that the engine plays, by its default rules; raises Skip."""
        if not self.variants:
            raise Skip("the engine offers none of the games that are asked for")
        game = self.variants[0]
        self.use(game)
        return game

    def place(self, seed: int = 1, steps: int = 4) -> Position:
        """Send a position of the first game, after some random steps."""
        position = walk(self.first_game().start(seed), seed, steps)
        self.quiet(f"position fen {position.line()}")
        return position

    def seeded(self) -> None:
        """Make the engine's own chance repeatable; raises Skip if it has no option for that."""
        if SEED.lower() not in self.options:
            raise Skip(f"the engine has no option {quote(SEED)}")
        self.quiet(f"setoption name {SEED} value 7")


def illegal(position: Position, step: str, seat: int) -> str:
    """Why a step is not legal; empty if it is, whether it is listed or only leads where a listed one leads."""
    try:
        if position.game.info.simultaneous:
            position.number(step, seat)
        else:
            position.copy().apply(step)
    except SkyclaimError as error:
        return str(error)
    return ""


def walk(position: Position, seed: int, steps: int) -> Position:
    """``position`` after at most so many random steps; it is changed."""
    random = Random(seed)
    while position.deciders and steps > 0:
        position.apply(position.joint({seat: random_step(position, seat, random) for seat in position.deciders}))
        steps -= 1
    return position


def random_step(position: Position, seat: int, random: Random) -> str:
    """A step of ``seat``; where sets of orders are given, a set of one."""
    return single(random.choice(position.legal(seat) or ["-"]))


def single(step: str) -> str:
    """A listed step without the cost that an order has."""
    return step.partition("/")[0]


def _until_below(limit: float, measure: Callable[[], float]) -> Iterator[float]:
    while True:
        yield (taken := measure())
        if taken <= limit:
            return


def _begins(line: str, word: str) -> bool:
    return line.split(maxsplit=1)[:1] == [word]


def _ends_search(line: str) -> bool:
    return _begins(line, "bestmove") or _begins(line, "error")


def _shown(lines: Sequence[str]) -> str:
    """The first lines of an answer, for a sentence."""
    if not lines:
        return "no answer"
    more = f" and {len(lines) - 2} more lines" if len(lines) > 2 else ""
    return ", ".join(quote(line, 100) for line in lines[:2]) + more
