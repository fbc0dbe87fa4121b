"""The real engine behind a glass that bends: `python tests/doubles/bent.py hear|say PATTERN REPLACEMENT`.

What matches the pattern in a line of the host (`hear`) or of the engine (`say`) is replaced before it arrives; the
replacement may have several lines.
"""

from __future__ import annotations

import os
import re
import sys

from skyclaim_engine.protocol.session import Session


def main(direction: str, pattern: str, replacement: str) -> None:
    def bend(line: str, here: str) -> list[str]:
        return re.sub(pattern, replacement, line).split("\n") if direction == here else [line]

    def say(*lines: str) -> None:
        os.write(1, "".join(f"{part}\n" for line in lines for part in bend(line, "say")).encode())

    session = Session(say)
    sys.stdin.reconfigure(newline="\n")  # type: ignore[union-attr]
    for line in sys.stdin:
        if not all(session.handle(part) for part in bend(line.rstrip("\n"), "hear")):
            break
    session.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
