"""The ledger of a match: append-only JSON lines, the first about the match, then one for each game that has ended.

It is the only state there is. A match that was interrupted at any moment, also by SIGKILL or a power cut, goes on by
reading it again.
"""

from __future__ import annotations

import fcntl
import json
import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from ..errors import SkyclaimError, quote
from .records import Record, check_game, check_header

#: fields of the first line that do not have to agree when a match is resumed
FREE = ("record", "version")
#: how every ledger begins: what does not is somebody else's file, and nothing of it is cut off
BEGIN = b'{"record":"match"'
#: characters of a path that a message shows
LONGEST_PATH = 500


class Ledger:
    """A ledger that is open for writing, by this process only.

    ``header`` is its first line as it stands in the file; ``notes`` are sentences for a person.
    """

    def __init__(self, path: str | Path, header: Record, resume: bool = False) -> None:
        """Begin a ledger, or with ``resume`` go on with one that is there and has the same ``header``.

        Raises SkyclaimError: another match writes to it, it is there already, it belongs to another match, or it is no
        ledger.
        """
        self.path, self.header = Path(path), header
        self.notes: list[str] = []
        self._name = _name(path)
        self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        try:
            self._open(resume)
        except BaseException:
            self.close()
            raise

    def _open(self, resume: bool) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SkyclaimError(f"{self._name}: another match is writing to it") from None
        if not stat.S_ISREG(os.fstat(self._file).st_mode):
            raise SkyclaimError(f"{self._name} is not a file that can be read again")
        size = os.fstat(self._file).st_size
        if size and not resume:
            raise SkyclaimError(f"{self._name} is there already; --resume goes on with it")
        whole = _whole_lines(self._file, size)
        if whole:
            if differences := differing(read_header(self.path), self.header):
                raise SkyclaimError(f"{self._name} is of another match: {'; '.join(differences)}")
        elif not BEGIN.startswith(os.pread(self._file, len(BEGIN), 0)):
            raise SkyclaimError(f"{self._name}: its first line is not about a match")
        if whole < size:
            os.ftruncate(self._file, whole)
            torn = f"a last line of {size - whole} bytes was torn and is cut off"
            self.notes.append(f"{self._name}: {torn}")
        if not whole:
            self.append(self.header)

    def append(self, record: Mapping[str, Any]) -> None:
        """Add one line, in one write, and see it to the disk; raises SkyclaimError if that fails."""
        data = f"{json.dumps(record, separators=(',', ':'), allow_nan=False)}\n".encode()
        try:
            written = os.write(self._file, data)
            os.fsync(self._file)
        except OSError as error:
            raise SkyclaimError(f"{self._name} cannot be written: {error.strerror}") from None
        if written != len(data):
            raise SkyclaimError(f"{self._name} cannot be written: a line was not taken whole")

    def games(self) -> Iterator[Record]:
        """The games so far, each once."""
        return read_games(self.path)

    def close(self) -> None:
        """Give the file free; twice is once."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def __enter__(self) -> Ledger:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def read_header(path: str | Path) -> Record:
    """The first line of a ledger; raises SkyclaimError for what is none, or is of another version."""
    return _header(path, _records(path))


def _header(path: str | Path, records: Iterator[tuple[int, Record]]) -> Record:
    _, header = next(records, (1, Record()))
    try:
        check_header(header)
    except SkyclaimError as error:
        raise SkyclaimError(f"{_name(path)}: {error}") from None
    return header


def is_begun(path: str | Path) -> bool:
    """Whether there is a file with a whole first line."""
    return Path(path).exists() and next(_records(path), None) is not None


def read_games(path: str | Path) -> Iterator[Record]:
    """The games of a ledger in the order in which they ended; of one that stands there twice the first.

    Raises SkyclaimError for a line that is no record, or whose game cannot be one of the match.
    """
    records = _records(path)
    header = _header(path, records)
    seen: set[tuple[int, int]] = set()
    for number, record in records:
        if record.get("record") != "game":
            continue
        try:
            check_game(record, header)
        except SkyclaimError as error:
            raise SkyclaimError(f"{_name(path)}: line {number}: {error}") from None
        if (key := (record["block"], record["game"])) not in seen:
            seen.add(key)
            yield record


def differing(old: Mapping[str, Any], new: Mapping[str, Any], where: str = "") -> list[str]:
    """Each field in which two headers differ, as a sentence's part."""
    found: list[str] = []
    for key in dict.fromkeys((*old, *new)):
        one, other = old.get(key), new.get(key)
        name = f"{where}{key}"
        if (not where and key in FREE) or one == other:
            continue
        if isinstance(one, dict) and isinstance(other, dict):
            found += differing(one, other, f"{name}.")
        elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
            old_items, new_items = ({str(n): item for n, item in enumerate(items, 1)} for items in (one, other))
            found += differing(old_items, new_items, f"{name} ")
        else:
            found.append(f"{name} was {quote(json.dumps(one))} and is {quote(json.dumps(other))}")
    return found


def _name(path: str | Path) -> str:
    return f"ledger {quote(str(path), LONGEST_PATH)}"


def _records(path: str | Path) -> Iterator[tuple[int, Record]]:
    """The whole lines of a file as objects, with their numbers; raises SkyclaimError for a line that is none."""
    with open(path, "rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                return  # torn, or being written
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                record = None
            if not isinstance(record, dict):
                raise SkyclaimError(f"{_name(path)}: line {number} is not a JSON object")
            yield number, record


def _whole_lines(file: int, size: int) -> int:
    """How many bytes of the file are whole lines."""
    end = size
    while end > 0:
        begin = max(0, end - (1 << 16))
        at = os.pread(file, end - begin, begin).rfind(b"\n")
        if at >= 0:
            return begin + at + 1
        end = begin
    return 0
