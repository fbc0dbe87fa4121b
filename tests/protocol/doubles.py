"""Ill-behaved engines: `python -m tests.protocol.doubles KIND`. Each answers the handshake and then goes wrong."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading


def say(text: str, end: str = "\n") -> None:
    sys.stdout.write(text + end)
    sys.stdout.flush()


def wait_for_ever() -> None:
    threading.Event().wait()


def on_go(kind: str, line: str) -> None:
    tag = line.split(" id ")[1].split()[0]
    if kind == "mute":
        wait_for_ever()
    elif kind == "chatty":
        while True:
            say("info string still thinking")
    elif kind == "noisy":
        sys.stderr.write("x" * 1_000_000 + "\nthe end\n")
        sys.stderr.flush()
    elif kind == "exits":
        sys.stderr.write("I have had enough\n")
        sys.exit(7)
    elif kind == "killed":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif kind == "closes":
        os.close(1)
        wait_for_ever()
    elif kind == "half":
        say("bestmo", end="")
        wait_for_ever()
    elif kind == "stale":
        say("bestmove old id 0\nbestmove older")
    elif kind == "crlf":
        say(f"  bestmove a b id {tag}\r")
        return
    elif kind == "binary":
        sys.stdout.buffer.write(b"info string \xff\x00\n" + b"x" * (1 << 20) + b"\n")
    elif kind == "refuses":
        say("error busy 'go': no")
        return
    say(f"bestmove step id {tag}")


def main(kind: str) -> None:
    if kind == "deaf":
        wait_for_ever()
    if kind == "stays":  # ignores all wishes, and so does the child that it leaves behind
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        child = subprocess.Popen([sys.executable, "-c", "import threading; threading.Event().wait()"])
        say(f"info string child {child.pid}")
    for line in sys.stdin:
        word = line.split()[0]
        if word == "uci":
            say(f"id name {kind}\nuciok")
        elif word == "isready":
            say("readyok")
        elif word == "go":
            on_go(kind, line.rstrip())
        elif word == "quit" and kind != "stays":
            return
    if kind == "stays":
        wait_for_ever()


if __name__ == "__main__":
    main(sys.argv[1])
