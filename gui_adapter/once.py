"""Requests that are done once, however often they come."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable

from .errors import EngineDown

#: answers that are kept
KEPT = 128


class Once:
    """What was asked under which name, and the answer, or the Refused that was one."""

    def __init__(self) -> None:
        self._answers: dict[Hashable, asyncio.Future[int]] = {}

    async def do(self, name: Hashable, work: Callable[[], Awaitable[int]]) -> int:
        """The answer of ``work``, which is done now unless it was begun before. Nothing stops it half-way."""
        answer = self._answers.get(name)
        if answer is None:
            answer = self._answers[name] = asyncio.ensure_future(work())
            answer.add_done_callback(lambda done: self._forget(name, done))
        return await asyncio.shield(answer)

    async def settle(self) -> None:
        """Wait until everything is done that was begun."""
        await asyncio.gather(*self._answers.values(), return_exceptions=True)

    def _forget(self, name: Hashable, done: asyncio.Future[int]) -> None:
        """Keep the last answers only, and none of an engine that was down: nothing was done then."""
        if done.cancelled() or isinstance(done.exception(), EngineDown):
            self._answers.pop(name, None)
        while len(self._answers) > KEPT:
            del self._answers[next(iter(self._answers))]
