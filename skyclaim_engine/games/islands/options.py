"""Islands' rule options (protocol.md)."""

from __future__ import annotations

from ...options import Option
from ._core import SEATS

OPTIONS = (Option("Seats", "combo", str(SEATS[0]), choices=tuple(map(str, SEATS))),)
