"""What must hold for any line that a session gets, and a runner that sees to it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from tests.protocol.host import CODES, GUARD, Host

#: what a search that was running may still say before the answer to the next line
OF_A_SEARCH = re.compile(r"info |bestmove |Nodes searched: \d+$|.+: \d+$")


def run(lines: Iterable[bytes], host: Callable[[], Host], prelude: Iterable[str]) -> dict[str, int]:
    """Send ``lines`` to a session made by ``host`` and begun with ``prelude``; how often each answer came.

    For every line: no exception, no line of the log; whole lines; at most one `error` line, with a known code and
    nothing after it, and then the state is as it was before.
    """
    seen: dict[str, int] = {}
    session: Host | None = None
    for number, line in enumerate(lines):
        where = f"line {number}: {line[:2000]!r}"
        if session is None or session.session.ended:
            session = host()
            for words in prelude:
                assert not any(answer.startswith("error") for answer in session.send(words))
        before = session.state()
        try:
            said = session.send(line)
        except Exception as error:
            raise AssertionError(where) from error
        assert not session.logged, f"{where}\n{session.logged}"
        for answer in said:
            assert isinstance(answer, str), where
            assert "\n" not in answer, where
            assert "\r" not in answer, where
            answer.encode()
        errors = [answer for answer in said if answer.startswith("error ")]
        if errors:
            assert errors == said[-1:], f"{where}\n{said}"
            assert all(OF_A_SEARCH.match(answer) for answer in said[:-1]), f"{where}\n{said}"
            code, text = errors[0].split(" ", 2)[1:]
            assert code in CODES, f"{where}\n{errors}"
            assert text, where
            assert session.state() == before, f"{where}\n{errors}"
            # A fault of the engine itself is an error line as well, but it must not happen.
            assert "the engine failed" not in text, f"{where}\n{errors}"
        kind = errors[0].split()[1] if errors else said[-1].split(" ")[0] if said else "nothing"
        seen[kind] = seen.get(kind, 0) + 1
        if number % 2 and not session.session.ended:  # now and then the next line meets a running search
            session.send("stop")
        session.said.clear()
    if session is not None:
        assert session.session.close(GUARD)
        assert not session.logged
    return seen
