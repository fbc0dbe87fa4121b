"""Drives any engine that speaks the protocol, as a child process or at a `tcp://` address.

There are no threads: whoever asks waits for the engine itself, and takes what it says meanwhile on stdout and stderr.
Every request has one absolute deadline, whether lines arrive or not. An engine that talks while nobody asks fills its
pipe and waits.
"""

from __future__ import annotations

import re
import shlex
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import TracebackType

from ..errors import plain, quote
from .child import STEP, Child
from .dialogue import Dialogue
from .grammar import MAX_LINE
from .wire import PREFIX, Wire

#: seconds that the engine gets to answer, where a request does not say otherwise
DEADLINE = 10.0
#: how many of the last lines exchanged, and of stderr, an exception shows, and how much of each
REMEMBERED, SHOWN = 30, 200
#: the last `info` lines of a search that its answer keeps, and the lines that any other answer may have
INFOS, LONGEST_ANSWER = 1000, 1 << 17

_UNANSWERED = "did not answer in time"
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_NUMBERED = re.compile(r"bestmove .*\bid ([0-9]{1,9})")


class EngineError(Exception):
    """Something is wrong with an engine; the text has the last lines exchanged and the end of its stderr.

    ``kind`` is the word for it in a match's ledger.
    """

    kind = "fault"


class EngineDied(EngineError):
    """The engine has ended, or closed its output, without answering."""

    kind = "crash"


class EngineTimeout(EngineError):
    """The engine has not answered before the deadline, whether it was silent or talked about other things."""

    kind = "hang"


class EngineMalformed(EngineError):
    """The engine has said what is no line of the protocol, or a `bestmove` that is none for the search asked for."""

    kind = "malformed"


class EngineRefused(EngineError):
    """The engine has answered `error CODE TEXT`."""

    kind = "refused"

    def __init__(self, line: str, details: str) -> None:
        self.code, _, self.text = line.removeprefix("error ").partition(" ")
        super().__init__(f"{plain(line)}{details}")


@dataclass(frozen=True)
class Answer:
    """What a `go` brought: the step (None for `bestmove none`), and the last `info` lines without that word and the id.

    ``seconds`` is the time from the beginning of `go` to the `bestmove` read.
    """

    step: str | None
    infos: list[str] = field(default_factory=list)
    seconds: float = 0.0


class Client:
    """One engine. All methods are for one thread at a time."""

    def __init__(self, command: str | Sequence[str], cwd: str | None = None) -> None:
        """Start the engine in the folder ``cwd``, or connect to its address; raises EngineDied."""
        try:
            self.command = shlex.split(command) if isinstance(command, str) else list(command)
        except ValueError as error:
            raise EngineDied(f"{quote(str(command))} cannot be started: {error}") from None
        #: `bestmove` lines that came in vain since this list was cleared, each with its kind: `doubled`, a second one
        #: of a search that was answered already, or `late`, that of a search that was given up
        self.oddities: list[tuple[str, str]] = []
        self._searches = 0
        self._given_up: set[int] = set()
        self._exchange: deque[str] = deque(maxlen=REMEMBERED)
        self._last_sent = ""
        try:
            is_address = len(self.command) == 1 and self.command[0].startswith(PREFIX)
            self._channel = Wire(self.command[0]) if is_address else Child(self.command, cwd)
        except OSError as error:
            raise EngineDied(f"{quote(self._name())} cannot be started: {error.strerror or error}") from error
        self._dialogue = Dialogue(self._channel)

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.quit()

    @property
    def pid(self) -> int:
        """The engine's process; 0 for one at an address."""
        return self._channel.pid

    # --- lines -------------------------------------------------------------------------------------------------------

    def send(self, line: str, deadline: float = DEADLINE) -> None:
        """Send one line; raises EngineDied, or EngineTimeout if the engine does not read for ``deadline`` seconds."""
        self._send(line, time.monotonic() + deadline)

    def request(self, line: str, until: Callable[[str], bool], deadline: float = DEADLINE) -> list[str]:
        """Send ``line`` and return the lines that come, up to and with the first that satisfies ``until``."""
        end = time.monotonic() + deadline
        self._send(line, end)
        lines = []
        while True:
            lines.append(self._receive(end))
            if until(lines[-1]):
                return lines
            if len(lines) == LONGEST_ANSWER:
                raise self._timeout(f"said {LONGEST_ANSWER} lines and no answer")

    def receive(self, deadline: float = DEADLINE) -> str:
        """The next line; raises EngineDied, EngineTimeout or EngineMalformed."""
        return self._receive(time.monotonic() + deadline)

    # --- requests ----------------------------------------------------------------------------------------------------

    def uci(self, deadline: float = DEADLINE) -> list[str]:
        """The handshake: the lines of the engine's answer before `uciok`."""
        return self.request("uci", _is("uciok"), deadline)[:-1]

    def isready(self, deadline: float = DEADLINE) -> None:
        """Wait until everything sent before has taken effect."""
        self._answers("isready", deadline)

    def ask(self, line: str, deadline: float = DEADLINE) -> list[str]:
        """The answer to any command but `go`, found by an `isready` behind it; raises EngineRefused."""
        lines = self._answers(f"{line}\nisready", deadline)
        for answer in lines:
            if _is("error")(answer):
                raise EngineRefused(answer, self.details())
        return lines

    def go(self, limits: str = "", deadline: float = DEADLINE) -> Answer:
        """Search within ``limits`` (the words after `go`); raises EngineRefused and EngineMalformed.

        The search has an id, and a `bestmove` of an older one goes to ``oddities`` and is not taken for this one's.
        """
        self._searches += 1
        number = self._searches
        ending = f" id {number}"
        end = time.monotonic() + deadline
        infos: deque[str] = deque(maxlen=INFOS)
        self._given_up.add(number)
        sent_at = time.perf_counter()  # before the write, within which the engine may already be at work
        self._send(f"go{ending} {limits}".rstrip(), end)
        while True:
            line = self._receive(end)
            if line.startswith("info "):
                infos.append(line.removeprefix("info ").removesuffix(ending))
            elif line.startswith("bestmove"):
                if _is("bestmove")(line) and line.endswith(ending):
                    break
                if not self._is_odd(line):
                    raise EngineMalformed(f"{self._name()}: {quote(line)} does not end this search{self.details()}")
                infos.clear()  # they were of that search, too
            elif _is("error")(line):
                raise EngineRefused(line, self.details())
        self._given_up.discard(number)
        step = " ".join(line.removesuffix(ending).split()[1:])
        if not step:
            raise EngineMalformed(f"{self._name()}: {quote(line)} has no step{self.details()}")
        return Answer(None if step == "none" else step, list(infos), self._dialogue.read_at - sent_at)

    # --- the end -----------------------------------------------------------------------------------------------------

    def quit(self) -> int:
        """End the engine: `quit`, then SIGTERM, then SIGKILL for it and all it has started. The exit status."""
        channel = self._channel
        if channel.open:
            try:
                self._send("quit", time.monotonic() + STEP)
                self.wait(STEP)
            except EngineError:
                pass
            if channel.status is None:
                channel.terminate()
                self.wait(STEP)
        return self.kill()

    def kill(self) -> int:
        """End the engine and all it has started, at once. The exit status."""
        self._dialogue.close()
        self._channel.kill()
        return self._channel.status or 0

    def interrupt(self) -> None:
        """From any thread: let a request that is under way in another one fail, since the engine is at its end."""
        if self._channel.open:
            self._channel.interrupt()

    def close_input(self) -> None:
        """End the engine's input; nothing can be sent after it."""
        self._channel.close_input()

    def wait(self, seconds: float) -> int | None:
        """Wait for the engine to end by itself; its exit status, or None if it has not. What it says is dropped."""
        end = time.monotonic() + seconds
        try:
            self._dialogue.drain(end)
        except TimeoutError:
            pass
        return self._channel.wait(max(0.0, end - time.monotonic()))

    def family(self) -> list[int]:
        """The processes that run now and are the engine or were started by it, directly or not (on Linux)."""
        return self._channel.family()

    def details(self) -> str:
        """The last lines exchanged and the end of stderr, for a person."""
        parts = ["", "last lines exchanged:"]
        if self._last_sent not in self._exchange:
            parts += [self._last_sent, "…"]
        parts += self._exchange
        if self._dialogue.log:
            parts += ["stderr:", *self._dialogue.log]
        return "\n  ".join(plain(part if len(part) <= SHOWN else f"{part[:SHOWN]}…") for part in parts)

    # --- inside ------------------------------------------------------------------------------------------------------

    def _answers(self, text: str, deadline: float) -> list[str]:
        """The lines that come before the `readyok` of the `isready` at the end of ``text``, without the oddities."""
        return [line for line in self.request(text, _is("readyok"), deadline)[:-1] if not self._is_odd(line)]

    def _is_odd(self, line: str) -> bool:
        """Whether it is the `bestmove` of an older search of ours; it is noted then."""
        found = _NUMBERED.fullmatch(line)
        number = int(found[1]) if found else 0
        if not 0 < number <= self._searches:
            return False
        self.oddities.append(("late" if number in self._given_up else "doubled", line))
        self._given_up.discard(number)
        return True

    def _send(self, text: str, end: float) -> None:
        for line in text.split("\n"):
            self._last_sent = f"> {line}"
            self._exchange.append(self._last_sent)
        if not self._channel.open:
            raise self._died()
        try:
            self._dialogue.write(f"{text}\n".encode(), end)
        except TimeoutError:
            raise self._timeout("does not read") from None
        except OSError:
            raise self._died() from None

    def _receive(self, end: float) -> str:
        try:
            text = self._checked(self._dialogue.read(end))
        except TimeoutError:
            raise self._timeout(_UNANSWERED) from None
        except EOFError:
            raise self._died() from None
        self._exchange.append(f"< {text}")
        # Checked with every line: an engine that talks without end is out of time as well as one that is silent.
        if time.monotonic() > end:
            raise self._timeout(_UNANSWERED)
        return text

    def _checked(self, line: bytes) -> str:
        """The text of a line, trimmed; raises EngineMalformed."""
        try:
            text = line.decode().strip()
            fault = "control characters" if _CONTROL.search(text) else ""
        except UnicodeDecodeError:
            text, fault = line.decode("utf-8", "replace"), "bytes that are no UTF-8"
        if len(line.removesuffix(b"\r")) > MAX_LINE:
            fault = f"more than {MAX_LINE} bytes"
        if fault:
            self._exchange.append(f"< {quote(text, SHOWN)[1:-1]}")
            raise EngineMalformed(f"{self._name()} said a line with {fault}: {quote(text)}{self.details()}")
        return text

    def _name(self) -> str:
        return shlex.join(self.command)

    def _timeout(self, complaint: str) -> EngineTimeout:
        if half := self._dialogue.half:
            complaint += f", but said {quote(half.decode('utf-8', 'replace'))} without a line's end"
        elif complaint == _UNANSWERED and self._exchange[-1] != self._last_sent:
            complaint += f", though it said {quote(self._exchange[-1].removeprefix('< '))}"
        return EngineTimeout(f"{self._name()} {complaint}{self.details()}")

    def _died(self) -> EngineDied:
        status = self._channel.wait(STEP) if self._channel.open else self._channel.status
        how = "closed its output" if status is None else f"ended with status {status}"
        if self._channel.open:
            self._dialogue.drain_log()
        return EngineDied(f"{self._name()} {how}{self.details()}")


def _is(word: str) -> Callable[[str], bool]:
    """Whether a line begins with ``word``, as a whole."""
    return lambda line: line == word or line.startswith(word + " ")
