"""An engine of toy games in a process of its own: `python -m tests.protocol.toy_engine [patient]`.

The patient one gives a search all the time it wants, so that a slow machine changes nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from skyclaim_engine.protocol import stdio
from skyclaim_engine.protocol.session import Session

from .host import GUARD
from .toy import GAMES, ToyBot, divide


def make(send: Callable[..., None]) -> Session:
    print("nothing but answers is on stdout, whoever prints")
    return Session(send, games=GAMES, bot=ToyBot, divide=divide)


if __name__ == "__main__":
    if sys.argv[1:] == ["patient"]:
        stdio.GRACE = stdio.PATIENCE = GUARD
    sys.exit(stdio.run(make=make))
