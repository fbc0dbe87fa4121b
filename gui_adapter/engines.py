"""The engines behind the page: their processes, and what is asked of them in the line protocol.

There are two pools of processes: a referee, and the bots. Every request says all that it depends on (the game, the
options, the position), so that any process can answer it, a failed one can be started anew and asked again, and a
match needs none of its own. A match has a ``Lease``: whom to tell about trouble, and the seed of the bot's chance.

An engine may hang, crash or lie. It is killed then, and the request is put to a new process; if that fails too, or if
there were too many restarts within a minute, ``EngineDown`` says so.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import resource
import secrets
import sys
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

from skyclaim_engine.errors import quote
from skyclaim_engine.protocol.client import Answer, Client, EngineError, EngineMalformed, EngineRefused

from .errors import EngineDown, Refused

COMMAND = (sys.executable, "-m", "skyclaim_engine")
#: seconds that an engine gets to start, and to answer (for a search: after the time that it may take)
START, PATIENCE = 15.0, 5.0
#: how often a pool may start an engine anew within so many seconds
RESTARTS, MINUTE = 3, 60.0
#: refusals that are the engine's own trouble, whatever was asked
FAULTS = ("limit", "busy")
#: how often a request is tried
ATTEMPTS = 2
#: bytes that a process may have, so that a search for one match or one analysis cannot take the memory of all
MEMORY = 4 << 30
#: seconds without a request after which a process is ended
IDLE = 300.0
#: characters of anything that is put into a line
LONGEST = 8192

Value = bool | int | str
Event = dict[str, Any]
#: is told the state (`ok`, `restarting` or `down`) and a sentence
Report = Callable[[str, str], None]
T = TypeVar("T")

_DECLARED = re.compile(r"option name (.+?) type \w+ default (.*?)(?: min -?\d+| max -?\d+| var .*)*")


class Applied(NamedTuple):
    """A step carried out: what happened, the position after it, and if that ended the game the words of `result`."""

    events: list[Event]
    line: str
    result: str | None


class Survey(NamedTuple):
    """What each seat sees of a position, as an observation line, and its legal steps: none if it does not decide."""

    seen: dict[int, str]
    legal: dict[int, list[str]]


class Lease:
    """A match's claim on the bots. ``report`` is called in the event loop when their state changes."""

    def __init__(self, report: Report, seed: int | None = None) -> None:
        self.seed = secrets.randbits(62) + 1 if seed is None else seed
        self._report, self._state = report, ("ok", "")

    def tell(self, state: str, text: str = "") -> None:
        if (state, text) != self._state:
            self._state = (state, text)
            self._report(state, text)


class Engine:
    """One process at a time, used by one task at a time; its requests block a thread, not the event loop."""

    def __init__(self, command: Sequence[str], threads: ThreadPoolExecutor, patience: float) -> None:
        self._command, self._threads, self._patience = command, threads, patience
        self.client: Client | None = None
        self._defaults: dict[str, str] = {}
        self._options: dict[str, str] = {}
        self.used = time.monotonic()

    async def start(self) -> None:
        """Start the process, if there is none; raises EngineError."""
        if self.client is None:
            await self._call(self._start)

    async def ask(self, options: Mapping[str, str], lines: Iterable[str]) -> list[str]:
        """The answers to ``lines``, with all options at their defaults but these; raises EngineError."""
        return await self._call(lambda: self._ask(options, lines))

    async def go(self, options: Mapping[str, str], position: str, words: str, seconds: float) -> Answer:
        """Search from a position; raises EngineError if that takes much more than ``seconds``."""

        def search() -> Answer:
            self._ask(options, [f"position {position}"])
            assert self.client
            return self.client.go(words, seconds + self._patience)

        return await self._call(search)

    async def drop(self) -> None:
        """End the process at once."""
        if client := self.client:
            self.client = None
            await asyncio.shield(asyncio.get_running_loop().run_in_executor(self._threads, client.kill))

    def interrupt(self) -> None:
        """Kill the process: a request that is under way fails at once."""
        if self.client:
            self.client.interrupt()

    async def _call(self, work: Callable[[], T]) -> T:
        self.used = time.monotonic()
        job = asyncio.get_running_loop().run_in_executor(self._threads, work)
        try:
            return await asyncio.shield(job)
        except asyncio.CancelledError:
            self.interrupt()
            await asyncio.wait([job])
            if not job.cancelled():
                job.exception()  # it is nobody's business any more
            raise

    def _start(self) -> None:
        self.client = client = Client(self._command)
        if hasattr(resource, "prlimit"):  # Linux
            resource.prlimit(client.pid, resource.RLIMIT_AS, (MEMORY, MEMORY))
        found = (_DECLARED.fullmatch(line) for line in client.uci(START))
        self._defaults = {match[1]: match[2] for match in found if match}
        self._options = dict(self._defaults)

    def _ask(self, options: Mapping[str, str], lines: Iterable[str]) -> list[str]:
        assert self.client
        wanted = {**self._defaults, **options}
        changes = [f"setoption name {k} value {v}" for k, v in wanted.items() if self._options.get(k) != v]
        self._options = {}  # should one be refused, all are sent again
        answers = self.client.ask("\n".join([*changes, *lines]), self._patience)
        self._options = wanted
        return answers


class Pool:
    """Engines for whoever comes, first come first served; at most ``size`` processes, started when they are needed."""

    def __init__(self, command: Sequence[str], size: int, patience: float, name: str) -> None:
        self._name = name
        self._threads = ThreadPoolExecutor(size, name)
        self._engines = [Engine(command, self._threads, patience) for _ in range(size)]
        self._free = list(self._engines)
        self._gate = asyncio.Semaphore(size)
        self._faults: deque[float] = deque()
        self._closed = False

    async def run(self, lease: Lease, work: Callable[[Engine], Awaitable[T]]) -> T:
        """What ``work`` makes of an engine; raises Refused as the engine says it, or EngineDown."""
        async with self._gate:
            engine = self._free.pop()  # the one used last, so that others can become idle
            try:
                return await self._attempt(engine, lease, work)
            except asyncio.CancelledError:
                await engine.drop()
                raise
            finally:
                self._free.append(engine)

    async def _attempt(self, engine: Engine, lease: Lease, work: Callable[[Engine], Awaitable[T]]) -> T:
        for _ in range(ATTEMPTS):
            self._check_ration(lease)
            try:
                await engine.start()
                answer = await work(engine)
            except EngineError as error:
                if isinstance(error, EngineRefused) and error.code not in FAULTS:
                    lease.tell("ok")
                    raise Refused(error.code, error.text) from None
                await engine.drop()
                self._faults.append(time.monotonic())
                fault = _first_line(error)
                lease.tell("restarting", f"The {self._name} has failed and is started again: {fault}")
            else:
                lease.tell("ok")
                return answer
        text = f"The {self._name} has failed again: {fault}"
        lease.tell("down", text)
        raise EngineDown(text, 1.0)

    def _check_ration(self, lease: Lease) -> None:
        now = time.monotonic()
        while self._faults and self._faults[0] < now - MINUTE:
            self._faults.popleft()
        if self._closed:
            raise EngineDown("The server is being shut down.", MINUTE)
        if len(self._faults) > RESTARTS:
            text = f"The {self._name} has failed {len(self._faults)} times within a minute and rests for a while."
            lease.tell("down", text)
            raise EngineDown(text, self._faults[0] + MINUTE - now)

    async def end_idle(self, seconds: float = IDLE) -> None:
        """End the processes that nobody has used for ``seconds``."""
        for engine in [engine for engine in self._free if engine.used < time.monotonic() - seconds]:
            await engine.drop()

    async def close(self) -> None:
        """End all processes at once, whatever they do."""
        self._closed = True
        for engine in self._engines:
            engine.interrupt()
        await asyncio.gather(*(engine.drop() for engine in self._engines))
        self._threads.shutdown(wait=False)

    def pids(self) -> list[int]:
        """The processes that run."""
        return [engine.client.pid for engine in self._engines if engine.client]


class Engines:
    """All that is asked of engines. ``report`` is told when the referee's state changes.

    ``options`` are those of the game, by name; those left out are at their defaults. A ``line`` is a whole position, or
    with ``seen`` an observation. All methods raise Refused, with the engine's code and words, and EngineDown.
    """

    def __init__(
        self,
        report: Report = lambda state, text: None,
        *,
        command: Sequence[str] = COMMAND,
        bots: Sequence[str] | None = None,
        size: int = 0,
        patience: float = PATIENCE,
    ) -> None:
        self._own = Lease(report)
        self.referee = Pool(command, 1, patience, "referee")
        self.bots = Pool(bots or command, size or max(2, os.cpu_count() or 1), patience, "bot")

    def lease(self, report: Report, seed: int | None = None) -> Lease:
        """A claim on the bots for a match; the same seed plays the same."""
        return Lease(report, seed)

    async def start(self, game: str, options: Mapping[str, Value], seed: int) -> str:
        """The start position of a seed."""
        return await self._refer(game, options, f"startpos seed {seed}", "d", read=_after("fen"))

    async def apply(self, game: str, options: Mapping[str, Value], line: str, step: str) -> Applied:
        """Carry out a step with the stream of chance in the line."""
        return await self._refer(game, options, f"fen {line}", f"apply {step}", read=_applied)

    async def survey(self, game: str, options: Mapping[str, Value], line: str, seats: Sequence[int]) -> Survey:
        """What all ``seats`` see and may do, in one request."""

        def read(answers: list[str]) -> Survey:
            seen, legal = _all("obs", answers), _all("legal", answers)
            if not len(seen) == len(legal) == len(seats):
                raise EngineMalformed("it has not said what each seat sees and may do")
            return Survey(dict(zip(seats, seen, strict=True)), dict(zip(seats, map(str.split, legal), strict=True)))

        words = [f"{word} {seat}" for seat in seats for word in ("observe", "legal")]
        return await self._refer(game, options, f"fen {line}", *words, read=read)

    async def legal(
        self, game: str, options: Mapping[str, Value], line: str, *, seat: int | None = None, seen: bool = False
    ) -> list[str]:
        """The legal steps of who decides, or of ``seat``, which may have none."""
        words = "legal" if seat is None else f"legal {seat}"
        return (await self._refer(game, options, _position(line, seen), words, read=_after("legal"))).split()

    async def observe(self, game: str, options: Mapping[str, Value], line: str, seat: int) -> str:
        """What a seat sees, as an observation line."""
        return await self._refer(game, options, f"fen {line}", f"observe {seat}", read=_after("obs"))

    async def explain(
        self, game: str, options: Mapping[str, Value], line: str, step: str, *, seen: bool = False
    ) -> str:
        """One sentence about a legal step."""
        return await self._refer(game, options, _position(line, seen), f"explain {step}", read=_after("explain"))

    async def evaluate(
        self, game: str, options: Mapping[str, Value], line: str, *, seen: bool = False
    ) -> dict[str, float]:
        """The static evaluation for the seat to move, term by term."""

        def read(answers: list[str]) -> dict[str, float]:
            try:
                return {term: float(value) for term, value in (text.split() for text in _all("eval", answers))}
            except ValueError:
                raise EngineMalformed("it has answered 'eval' with something else than numbers") from None

        return await self._refer(game, options, _position(line, seen), "eval", read=read)

    async def go(
        self,
        lease: Lease,
        game: str,
        options: Mapping[str, Value],
        view: str,
        limits: str = "",
        skill: int = 100,
        extra: Mapping[str, Value] | None = None,
        *,
        seconds: float = 10.0,
    ) -> Answer:
        """The bot's step for what its seat sees, found legal by the referee.

        ``extra`` are options of the engine, such as MultiPV; ``seconds`` is what a search within ``limits`` may take.
        Whoever cancels this ends the search at once.
        """
        wanted = _options(game, {**options, "Skill": skill, "Seed": lease.seed, **(extra or {})})

        async def work(engine: Engine) -> Answer:
            answer = await engine.go(wanted, f"obs {view}", limits, seconds)
            if answer.step is not None or "hint" not in limits.split():
                await self._need_legal(game, options, view, answer.step or "none")
            return answer

        _check(view, limits)
        return await self.bots.run(lease, work)

    async def hint(self, lease: Lease, game: str, options: Mapping[str, Value], view: str, ms: int = 300) -> str | None:
        """The step to show to a person, None if there is none."""
        return (await self.go(lease, game, options, view, f"hint movetime {ms}")).step

    async def end_idle(self) -> None:
        """End the processes that nobody has used for a while; to be called now and then."""
        await self.bots.end_idle()

    async def close(self) -> None:
        """End all processes."""
        await asyncio.gather(self.referee.close(), self.bots.close())

    async def _need_legal(self, game: str, options: Mapping[str, Value], view: str, step: str) -> None:
        """Raise EngineMalformed for a step that the referee does not allow."""
        if step in await self.legal(game, options, view, seen=True):
            return
        try:  # not all that is legal need be listed; and what is wrong with a step is in the referee's words
            await self.explain(game, options, view, step, seen=True)
        except EngineDown:
            raise
        except Refused as error:
            raise EngineMalformed(f"it played {quote(step)}, which is not legal: {error.text}") from None

    async def _refer(
        self, game: str, options: Mapping[str, Value], position: str, *words: str, read: Callable[[list[str]], T]
    ) -> T:
        """Ask the referee. It answers all, so whoever loses interest does not stop it."""
        _check(position, *words)
        wanted = _options(game, options)

        async def work(engine: Engine) -> T:
            return read(await engine.ask(wanted, [f"position {position}", *words]))

        request = asyncio.ensure_future(self.referee.run(self._own, work))
        request.add_done_callback(lambda done: done.cancelled() or done.exception())  # though nobody may wait for it
        return await asyncio.shield(request)


def _check(*texts: str) -> None:
    """Raise Refused for what must not stand in a line of the protocol."""
    for text in texts:
        if not text.isprintable() or len(text) > LONGEST:
            raise Refused("bad-argument", f"{quote(text)} is not one line of text")


def _options(game: str, options: Mapping[str, Value]) -> dict[str, str]:
    """Options as the protocol writes them, the choice of the game first; raises Refused."""
    texts = {"UCI_Variant": game}
    texts |= {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in options.items()}
    _check(*texts, *texts.values())
    return texts


def _position(line: str, seen: bool) -> str:
    return f"{'obs' if seen else 'fen'} {line}"


def _all(word: str, answers: Iterable[str]) -> list[str]:
    """What stands after ``word`` in each line that begins with it."""
    return [answer.removeprefix(word).strip() for answer in answers if answer.partition(" ")[0] == word]


def _after(word: str) -> Callable[[list[str]], str]:
    """Reads what stands after ``word`` in the one line that begins with it; raises EngineMalformed."""

    def read(answers: list[str]) -> str:
        if len(found := _all(word, answers)) != 1:
            raise EngineMalformed(f"it has not answered with {quote(word)}")
        return found[0]

    return read


def _applied(answers: list[str]) -> Applied:
    """Reads the answer to `apply`; raises EngineMalformed."""
    try:
        events = [dict(json.loads(text)) for text in _all("event", answers)]
    except (ValueError, TypeError):
        raise EngineMalformed("it has said an event that is no JSON object") from None
    result = _all("result", answers)
    return Applied(events, _after("fen")(answers), result[0] if result else None)


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
