"""The engines of a match as a person writes them: `name=a cmd=builtin option.Skill=20 nodes=500`.

The words are those of cutechess-cli and fastchess. Every error is one sentence that names the engine and the word.
"""

from __future__ import annotations

import itertools
import re
import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..errors import OptionError, SkyclaimError, quote
from ..options import Option
from .clocks import Limits

BUILTIN = "builtin"
#: what that stands for
OWN = (sys.executable, "-m", "skyclaim_engine")
TCP = re.compile(r"tcp://(\[[0-9a-fA-F:.]+\]|[^\s:/\[\]]+):(\d{1,5})", re.ASCII)
LIMITS = ("tc", "st", "nodes", "depth", "timemargin")
WORDS = ("name", "cmd", "dir", "restart", *LIMITS)
#: characters of a name
LONGEST_NAME = 40
#: kinds of option that a value can be checked for
CHECKED = ("check", "spin", "combo")


@dataclass(frozen=True)
class Spec:
    """One engine: its unique name, its command as written, its options and limits as texts.

    ``restart``: a new process for each game, not only after a fault.
    """

    name: str
    command: str
    options: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    folder: str | None = None
    restart: bool = False

    @property
    def limits(self) -> Limits:
        return Limits.parse(self.words)

    @property
    def argv(self) -> list[str]:
        """The command as a list of words; `builtin` as what stands for it."""
        return list(OWN) if self.command == BUILTIN else shlex.split(self.command)

    def record(self) -> dict[str, Any]:
        """The engine in a ledger's first line."""
        facts = {"name": self.name, "command": self.command, "options": dict(self.options), "limits": dict(self.words)}
        return {**facts, "dir": self.folder, "restart": self.restart}


def read_engines(engines: Sequence[Sequence[str]], each: Sequence[Sequence[str]] = ()) -> tuple[Spec, ...]:
    """The engines of `--engine` and `--each` arguments, each a list of words or one text of several.

    What an engine says itself goes before what is said for all. Raises SkyclaimError.
    """
    common: dict[str, str] = {}
    for words in each:
        common.update(_pairs(words, "--each"))
    if "name" in common:
        raise SkyclaimError(f"--each: name {quote(common['name'])} cannot be the same for all")
    read = [_pairs(words, f"engine {number}") for number, words in enumerate(engines, 1)]
    names: set[str] = set()
    for number, pairs in enumerate(read, 1):
        if "name" in pairs:
            _check_name(pairs["name"], number, names)
    return tuple(_spec({**_without_rivals(common, pairs), **pairs}, names) for pairs in read)


def _pairs(arguments: Sequence[str], whose: str) -> dict[str, str]:
    """KEY=VALUE words by key."""
    try:
        words = shlex.split(arguments[0]) if len(arguments) == 1 else list(arguments)
    except ValueError as error:
        raise SkyclaimError(f"{whose}: {quote(arguments[0])} cannot be read: {error}") from None
    pairs: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not word.isprintable():  # a line's end in a value would be another command
            raise SkyclaimError(f"{whose}: {quote(word)} has characters that cannot be printed")
        if not equals or (key not in WORDS and not key.startswith("option.")) or key == "option.":
            known = ", ".join((*WORDS, "option.NAME"))
            raise SkyclaimError(f"{whose}: {quote(word)} is not KEY=VALUE with one of the keys {known}")
        if key.lower() in map(str.lower, pairs):  # names of options are matched without case
            raise SkyclaimError(f"{whose}: {key} {quote(value)} is given twice")
        pairs[key] = value
    return pairs


def _without_rivals(common: Mapping[str, str], own: Mapping[str, str]) -> dict[str, str]:
    """What is said for all, but for the kind of clock if the engine has the other kind."""
    rivals = {"tc": "st", "st": "tc"}
    return {key: value for key, value in common.items() if rivals.get(key) not in own}


def _check_name(name: str, number: int, names: set[str]) -> None:
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable() or not name.strip():
        raise SkyclaimError(f"engine {number}: name {quote(name)} is not 1 to {LONGEST_NAME} printable characters")
    if name in names:
        raise SkyclaimError(f"engine {number}: name {quote(name)} is taken by an engine before it")
    names.add(name)


def _spec(pairs: Mapping[str, str], names: set[str]) -> Spec:
    command = pairs.get("cmd", "").strip()
    name = pairs.get("name") or _free_name(command, names)
    whose = f"engine {quote(name)}"
    if not command:
        raise SkyclaimError(f"{whose}: cmd is missing; it is a command, {BUILTIN}, or tcp://HOST:PORT")
    if command.startswith("tcp://"):
        found = TCP.fullmatch(command)
        if not found or not 0 < int(found[2]) < 1 << 16:
            raise SkyclaimError(f"{whose}: cmd {quote(command)} is not tcp://HOST:PORT")
    restart = pairs.get("restart", "off")
    if restart not in ("on", "off"):
        raise SkyclaimError(f"{whose}: restart {quote(restart)} is neither on nor off")
    options = {key.removeprefix("option."): value for key, value in pairs.items() if key.startswith("option.")}
    limits = {key: pairs[key] for key in LIMITS if key in pairs}
    spec = Spec(name, command, options, limits, pairs.get("dir"), restart == "on")
    try:
        Limits.parse(limits)
        shlex.split(command)
    except SkyclaimError as error:
        raise SkyclaimError(f"{whose}: {error}") from None
    except ValueError as error:
        raise SkyclaimError(f"{whose}: cmd {quote(command)} cannot be read: {error}") from None
    return spec


def _free_name(command: str, names: set[str]) -> str:
    """A name made of the command: its last part, with a number if that is taken."""
    stem = re.sub(r"[^\w.:-]+", "-", command.split(" ")[0].rpartition("/")[2])[: LONGEST_NAME - 4] or "engine"
    number = 1
    while (name := stem if number == 1 else f"{stem}-{number}") in names:
        number += 1
    names.add(name)
    return name


def declared(lines: Iterable[str]) -> dict[str, Option]:
    """The options that an engine declares in its answer to `uci`, by name in lower case; odd lines are left out."""
    found: dict[str, Option] = {}
    for line in lines:
        match = re.fullmatch(r"option\s+name\s+(.+?)\s+type\s+(\S+)(.*)", line)
        if not match:
            continue
        name, kind, rest = match.groups()
        words = rest.split()
        numbers = {key: int(value) for key, value in itertools.pairwise(words) if _is_bound(key, value)}
        choices = tuple(part.strip() for part in re.split(r"\bvar\b", rest)[1:])
        option = Option(name, kind, "", numbers.get("min", -(1 << 63)), numbers.get("max", 1 << 64), choices)
        found[name.lower()] = option
    return found


def _is_bound(key: str, value: str) -> bool:
    return key in ("min", "max") and re.fullmatch(r"-?\d{1,20}", value, re.ASCII) is not None


def check_value(options: Mapping[str, Option], name: str, value: str) -> None:
    """Raise OptionError if the engine has no such option, or if the value is none of it."""
    option = options.get(name.lower())
    if option is None:
        raise OptionError(f"option {quote(name)} is not one of the engine's")
    if option.kind in CHECKED:
        option.check(value)
