"""Engines as processes, for tests that need bytes and signals: the real one and the one of the toy games."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from .host import GUARD

ROOT = Path(__file__).parents[2]
ENGINES = {
    "toy": [sys.executable, "-m", "tests.protocol.toy_engine"],
    "real": [sys.executable, "-m", "skyclaim_engine"],
}


def converse(command: list[str], data: bytes) -> tuple[int, list[str], str]:
    """Send ``data`` and the end of the input; exit status, the lines of stdout, and stderr."""
    done = subprocess.run(command, input=data, capture_output=True, cwd=ROOT, timeout=GUARD, check=False)
    return done.returncode, done.stdout.decode().splitlines(), done.stderr.decode()


class Pipes:
    """An engine whose pipes a test holds in its own hands."""

    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT
        )
        assert self.process.stdin and self.process.stdout
        self.stdin, self.stdout = self.process.stdin, self.process.stdout

    def __enter__(self) -> Pipes:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.stdin, self.stdout):
            try:
                stream.close()
            except BrokenPipeError:
                pass

    def write(self, data: bytes) -> None:
        os.write(self.stdin.fileno(), data)

    def read_until(self, word: bytes) -> bytes:
        """The line that begins with ``word``, the next such one."""
        while not (line := self.stdout.readline()).startswith(word):
            assert line, f"the engine ended before it said {word!r}"
        return line

    def status(self) -> int:
        return self.process.wait(GUARD)
