"""A bad engine: `python tests/doubles/engine.py KIND [GO]`, by default from the third `go` on.

It is the real engine, so that it plays properly, but for what the methods `hear_KIND` do with a line of the host, and
`say_KIND` with a line of the engine.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time

from skyclaim_engine.protocol.session import Session

#: what is wrong with an engine, and the word for it in a match (None: nothing that a match at fixed limits can see)
KINDS: dict[str, str | None] = {
    "mute": "hang",  # says nothing any more
    "deaf": "hang",  # does not read any more
    "chatty": "hang",  # talks for ever and does not answer
    "half-line": "hang",  # stops in the middle of `bestmove`
    "never-ready": "hang",  # does not answer `isready`, from the beginning
    "slow": "time",  # needs LATE seconds for a step
    "late": "hang",  # answers a search when the next one is asked for
    "crasher": "crash",  # exits with status 3
    "killed": "crash",  # dies by a signal
    "closes": "crash",  # closes its output and stays
    "orphans": "crash",  # dies, but a child keeps its pipes open
    "liar": "illegal",  # plays what is not legal
    "binary": "malformed",  # says what is no text
    "long-line": "malformed",  # says a line of 10 MB
    "no-id": "malformed",  # answers without the id
    "misspelt": "malformed",  # says `bestmovex`
    "no-step": "malformed",  # says `bestmove` and no step
    "doubled": "doubled",  # answers twice
    "refuses": "refused",  # answers every `go` by an error
    "crlf": None,  # ends its lines by CR LF and indents them, which is allowed
    "noisy": None,  # writes 1 MB to stderr, which is allowed
    "fork": None,  # leaves a child behind
    "fork-away": None,  # leaves a child in a session of its own behind
    "fickle": None,  # plays any legal step
    "peeks": None,  # plays by what chance will bring
    "absent": None,  # does not answer `isready` during a search
    "ignores-stop": None,
    "ignores-quit": None,  # and the end of its input, and SIGTERM
}
#: seconds that the slow one adds to its searches
LATE = 1.0
#: a program that stays, whoever wants it to end
STAYS = [sys.executable, "-c", "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); signal.pause()"]


def wait_for_ever() -> None:
    while True:
        signal.pause()


class Double:
    """The real engine with one fault."""

    def __init__(self, kind: str, at: int) -> None:
        self.at = at
        self.searches = 0
        self.hear = getattr(self, f"hear_{kind.replace('-', '_')}", None)
        self.say = getattr(self, f"say_{kind.replace('-', '_')}", None)
        self.kept: str | None = None
        self.lock = threading.Lock()
        self.session = Session(self.answer)

    def run(self) -> None:
        """One conversation."""
        if self.hear == self.hear_ignores_quit:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        sys.stdin.reconfigure(errors="replace", newline="\n")  # type: ignore[union-attr]
        for line in sys.stdin:
            self.searches += line.split()[:1] == ["go"]
            if self.hear and self.begun:
                self.hear(line.strip())
            elif not self.session.handle(line.rstrip("\n")):
                break
        self.session.close()
        if self.hear == self.hear_ignores_quit:
            wait_for_ever()

    @property
    def begun(self) -> bool:
        return self.searches >= self.at

    def answer(self, *lines: str) -> None:
        for line in lines:
            if self.say and self.begun:
                self.say(line)
            else:
                self.write(line)

    def write(self, text: str | bytes, end: bytes = b"\n") -> None:
        data = (text.encode() if isinstance(text, str) else text) + end
        with self.lock:
            while data:
                data = data[os.write(1, data) :]

    # --- faults in what is said --------------------------------------------------------------------------------------

    def say_mute(self, line: str) -> None:
        pass

    def say_half_line(self, line: str) -> None:
        if line.startswith("bestmove"):
            self.write("bestmo", b"")
            self.say = self.say_mute
        else:
            self.write(line)

    def say_never_ready(self, line: str) -> None:
        if line != "readyok":
            self.write(line)

    def say_slow(self, line: str) -> None:
        if line.startswith("bestmove"):
            time.sleep(LATE)
        self.write(line)

    def say_late(self, line: str) -> None:
        if line.startswith("bestmove"):
            if self.kept:
                self.write(self.kept)
                self.write(line)
                self.kept = None
            else:
                self.kept = line
        else:
            self.write(line)

    def say_liar(self, line: str) -> None:
        self.write(self.changed(line, "bestmove swap:a1k11"))

    def say_binary(self, line: str) -> None:
        if line.startswith("bestmove"):
            self.write(b"info string \xff\xfe\x00\x01")
        self.write(line)

    def say_long_line(self, line: str) -> None:
        if line.startswith("bestmove"):
            self.write(b"info string " + b"x" * 10_000_000)
        self.write(line)

    def say_no_id(self, line: str) -> None:
        self.write(line.rpartition(" id ")[0] or line)

    def say_misspelt(self, line: str) -> None:
        self.write(line.replace("bestmove", "bestmovex"))

    def say_no_step(self, line: str) -> None:
        self.write(self.changed(line, "bestmove"))

    def say_doubled(self, line: str) -> None:
        self.write(f"{line}\n{line}" if line.startswith("bestmove") else line)

    def say_absent(self, line: str) -> None:
        if line != "readyok" or self.session.wait(0):
            self.write(line)

    def say_fickle(self, line: str) -> None:
        self.write(self.changed(line, f"bestmove {self.any_step(random.SystemRandom())}"))

    def say_peeks(self, line: str) -> None:
        position = self.session.position
        self.write(self.changed(line, f"bestmove {self.any_step(random.Random(position and position.stream))}"))

    def any_step(self, chance: random.Random) -> str:
        """A legal step; where orders are given, a set of one."""
        position = self.session.position
        steps = position.legal() if position else []
        return chance.choice(steps).partition("/")[0] if steps else "none"

    def say_crlf(self, line: str) -> None:
        self.write(f"  {line} \r")

    @staticmethod
    def changed(line: str, answer: str) -> str:
        """A `bestmove` line with another answer before its id; any other line as it is."""
        return answer + "".join(line.rpartition(" id ")[1:]) if line.startswith("bestmove ") else line

    # --- faults in what is heard -------------------------------------------------------------------------------------

    def hear_deaf(self, line: str) -> None:
        wait_for_ever()

    def hear_chatty(self, line: str) -> None:
        while True:
            self.write("info string still thinking")

    def hear_crasher(self, line: str) -> None:
        os.write(2, b"I have had enough\n")
        os._exit(3)

    def hear_killed(self, line: str) -> None:
        os.kill(os.getpid(), signal.SIGSEGV)

    def hear_closes(self, line: str) -> None:
        os.close(1)
        wait_for_ever()

    def hear_orphans(self, line: str) -> None:
        subprocess.Popen(STAYS, start_new_session=True)
        os._exit(4)

    def hear_refuses(self, line: str) -> None:
        if line.startswith("go"):
            self.write("error limit 'go': not today")
        else:
            self.pass_on(line)

    def hear_noisy(self, line: str) -> None:
        sys.stderr.write("x" * 1_000_000 + "\nthe end\n")
        sys.stderr.flush()
        self.pass_on(line)

    def hear_fork(self, line: str) -> None:
        subprocess.Popen(STAYS)
        self.hear = self.pass_on
        self.pass_on(line)

    def hear_fork_away(self, line: str) -> None:
        subprocess.Popen(STAYS, start_new_session=True)
        self.hear = self.pass_on
        self.pass_on(line)

    def hear_ignores_stop(self, line: str) -> None:
        if line != "stop":
            self.pass_on(line)

    def hear_ignores_quit(self, line: str) -> None:
        if line != "quit":
            self.session.handle(line)

    def pass_on(self, line: str) -> None:
        """What the real engine does."""
        if not self.session.handle(line):
            os._exit(0)


if __name__ == "__main__":
    kind, at = sys.argv[1], int([*sys.argv, "3"][2])
    if kind not in KINDS:
        sys.exit(f"{kind} is none of {', '.join(KINDS)}")
    Double(kind, 0 if kind == "never-ready" else at).run()
