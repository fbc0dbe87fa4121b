"""Readers of command-line arguments, for argparse: each says what is wrong in a few words."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from ..errors import quote


def number(low: int, high: int) -> Callable[[str], int]:
    """Reads a number ``low``..``high``, neither below 0."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit()) or not low <= int(text[:30]) <= high:
            raise argparse.ArgumentTypeError(f"{quote(text)} is not a number {low}..{high}")
        return int(text)

    return read


def file(text: str) -> str:
    """Reads the name of a file; an empty one is more likely a variable that is not set than a wish for none."""
    if not text:
        raise argparse.ArgumentTypeError("'' is not the name of a file")
    return text


def option(text: str) -> tuple[str, str]:
    """Reads NAME=VALUE."""
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{quote(text)} is not NAME=VALUE")
    return name, value
