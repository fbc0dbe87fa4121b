"""How people find each other: names, the list of who waits, and codes of four letters. Pure: no sockets, no matches."""

from __future__ import annotations

import re
import secrets
import time
import unicodedata
from collections.abc import Callable, Container
from dataclasses import dataclass, field

from skyclaim_engine.errors import quote

from .errors import Refused

LONGEST_NAME = 16
#: what a name may have beside letters, their marks, and digits
SIGNS = " -'’._"
#: letters and marks that nobody sees
UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
#: marks that may stand on one letter: some scripts need two, and more make towers that cover other lines
MARKS = 2
#: no vowels, so that no words come out, and no two letters that are easily taken for each other
LETTERS = "BCDFGHJKLMNPRSTWXZ"
CODE = 4
#: what can be read as a word all the same
UNWANTED = re.compile("FCK|FKN|SHT|CNT|KKK|DCK|CCK|NGR|FGT|WNK|BTCH|PSS|JZZ|SLT|HTLR")
#: seconds that a code lives
CODE_LIFE = 600.0
#: wrong codes that a client may try within so many seconds, the wait that follows, and the longest it can grow to
TRIES, WITHIN, WAIT, LONGEST_WAIT = 5, 60.0, 10.0, 3600.0
#: clients whose wrong tries are remembered; when there are more, nobody new may try
REMEMBERED = 1000


def check_name(value: object) -> str:
    """A person's name, tidied: 1 to 16 letters of any script, digits, blanks and a few signs. Raises Refused."""
    text = unicodedata.normalize("NFC", " ".join(value.split())) if isinstance(value, str) else ""
    shown = quote(value if isinstance(value, str) else str(value))
    if not 0 < len(text) <= LONGEST_NAME:
        raise Refused("bad-name", f"name {shown}: a name has 1 to {LONGEST_NAME} characters")
    kinds = [unicodedata.category(character)[0] for character in text]
    for character, kind in zip(text, kinds, strict=True):
        if (kind not in "LMN" and character not in SIGNS) or UNSEEN.match(character):
            raise Refused("bad-name", f"name {shown}: {quote(character)} cannot stand in a name")
    if not set(kinds) & {"L", "N"} or kinds[0] == "M" or "M" * (MARKS + 1) in "".join(kinds):
        raise Refused("bad-name", f"name {shown}: a name is made of letters")
    return text


def make_code(taken: Container[str]) -> str:
    """A code that is not ``taken``."""
    while True:
        code = "".join(secrets.choice(LETTERS) for _ in range(CODE))
        if code not in taken and not UNWANTED.search(code):
            return code


@dataclass
class Tries:
    """The wrong codes of each client: a few are let through, and then each makes the wait twice as long."""

    now: Callable[[], float] = time.monotonic
    _of: dict[str, _Record] = field(default_factory=dict)

    def check(self, client: str) -> None:
        """Raise Refused if the client has to wait."""
        now = self.now()
        if len(self._of) >= REMEMBERED:
            self._of = {name: record for name, record in self._of.items() if record.until > now - LONGEST_WAIT}
        record = self._of.get(client)
        if record is None and len(self._of) >= REMEMBERED:
            raise Refused("wait", "Too many people try codes just now. Try again later.")
        if record and record.until > now:
            raise Refused("wait", f"Too many wrong codes. Try again in {record.until - now:.0f} seconds.")

    def wrong(self, client: str) -> None:
        """Count a wrong code."""
        now = self.now()
        record = self._of.setdefault(client, _Record())
        record.times = [at for at in record.times if at > now - WITHIN] + [now]
        if len(record.times) >= TRIES or record.wait:
            record.wait = min(2 * record.wait or WAIT, LONGEST_WAIT)
            record.until = now + record.wait


@dataclass
class _Record:
    """When the last wrong codes came, the last wait, and when it ends."""

    times: list[float] = field(default_factory=list)
    wait: float = 0.0
    until: float = float("-inf")
