"""Runs the transcripts in documents: what the engine answers must be what stands there.

A transcript is a code block marked `transcript`. `> LINE` is sent; the lines after it are the answer. `…` stands for
anything within a line, and alone on a line for any number of lines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from skyclaim_engine.protocol.client import Client


@dataclass
class Turn:
    """A line that the host sends and the pattern of what comes back."""

    line: str
    expected: list[str] = field(default_factory=list)

    def fits(self, answer: list[str]) -> bool:
        pattern = "".join(
            r"(?:.*\n)*?" if line == "…" else re.escape(line).replace("…", ".*") + "\n" for line in self.expected
        )
        quiet = [line for line in answer if not line.startswith("info ")]  # of a search that runs meanwhile
        return any(re.fullmatch(pattern, "".join(f"{line}\n" for line in said)) for said in (answer, quiet))


def transcripts(document: Path) -> list[list[Turn]]:
    """The transcripts of a document in Markdown."""
    found = []
    for block in re.findall(r"^```transcript\n(.*?)^```$", document.read_text(encoding="utf-8"), re.M | re.S):
        turns: list[Turn] = []
        for line in block.splitlines():
            if line.startswith("> "):
                turns.append(Turn(line[2:]))
            else:
                turns[-1].expected.append(line)
        found.append(turns)
    return found


def answer(client: Client, line: str, deadline: float) -> list[str]:
    """Everything that the engine says to ``line``; to a `go` its whole search, unless it is `infinite`."""
    words = line.split()
    if words[0] == "quit":
        return [] if client.quit() == 0 else ["the exit status is not 0"]
    if words[0] == "go" and "infinite" not in words:
        return client.request(line, lambda said: said.startswith(("bestmove", "Nodes searched", "error ")), deadline)
    if words[0] == "isready":
        return client.request(line, lambda said: said == "readyok", deadline)
    return client.request(f"{line}\nisready", lambda said: said == "readyok", deadline)[:-1]
