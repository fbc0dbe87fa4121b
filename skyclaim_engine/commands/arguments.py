"""Readers of command-line arguments, for argparse: each says what is wrong in a few words."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from ..errors import quote


def up_to(most: int) -> Callable[[str], int]:
    """Reads a number 0..most."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit()) or int(text[:30]) > most:
            raise argparse.ArgumentTypeError(f"{quote(text)} is not a number 0..{most}")
        return int(text)

    return read


def option(text: str) -> tuple[str, str]:
    """Reads NAME=VALUE."""
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{quote(text)} is not NAME=VALUE")
    return name, value
