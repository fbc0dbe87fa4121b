"""The WebSocket at `/ws`: one JSON object a message, in and out, checked before anything is done with it.

The codes with which a socket is closed; a page comes back by itself after those below 4000:

| code | why |
|---|---|
| 1001 | the server ends, or has heard nothing from the page for too long |
| 1003, 1009 | a message that is not text, or is too long |
| 1008 | too many messages |
| 1013 | the page does not read fast enough, or there are too many sockets |
| 4400 | the first message is not a good `hello` |
| 4401 | the token is not that of this start of the server |
| 4409 | the same player has opened another tab |
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from typing import Any, Protocol

from tornado.web import HTTPError
from tornado.websocket import WebSocketClosedError, WebSocketHandler

from skyclaim_engine.errors import quote

from .errors import Refused
from .security import Bucket, Caps, Crowd, Gate, Guarded

log = logging.getLogger(__name__)

Message = dict[str, Any]

#: characters of a message's `t` and `id`
LONGEST_WORD = 64
#: bytes of the reason for which a socket is closed
LONGEST_REASON = 123


class Front(Protocol):
    """What the sockets need of the hub."""

    async def join(self, socket: Socket, hello: Message) -> None:
        """A socket has said `hello` with the right token; raises Refused."""

    async def handle(self, socket: Socket, message: Message) -> None:
        """Carry out a message of one that has joined; raises Refused."""

    def leave(self, socket: Socket) -> None:
        """A socket that had joined, or was about to, is closed."""


class Socket(Guarded, WebSocketHandler):
    """One tab of one page."""

    def initialize(self, gate: Gate, caps: Caps, crowd: Crowd, front: Front, sockets: set[Socket]) -> None:
        self.gate, self.caps, self.crowd, self.front, self.sockets = gate, caps, crowd, front, sockets
        #: when something was last heard: from the page's own code, and from the browser at all
        self.alive = self.heard = time.monotonic()
        #: the page says that it is not to be seen
        self.hidden = False
        self.address = ""
        self.joined = self.ending = self.closed = self._entered = False
        self._bucket = Bucket(caps.rate, caps.burst)
        self._room = asyncio.Semaphore(caps.at_once)
        self._out: asyncio.Queue[str] = asyncio.Queue()
        self._waiting = 0  # characters in the queue
        self._writer: asyncio.Task[None] | None = None
        #: requests under way; they go on when the socket is closed, since what was begun is finished
        self.tasks: set[asyncio.Task[None]] = set()

    def prepare(self) -> None:
        """Refuse foreign origins here: Tornado asks ``check_origin`` only about those that it takes for foreign."""
        super().prepare()
        if not self.gate.origin_fits(self.request):
            raise HTTPError(403)

    def check_origin(self, origin: str) -> bool:
        return True

    def open(self) -> None:
        self.sockets.add(self)
        self.address = str(self.request.remote_ip)
        self._entered = self.crowd.enter(self.address)
        if not self._entered:
            self.close(1013, "There are too many connections.")
            return
        self.set_nodelay(True)
        self._writer = asyncio.create_task(self._write())
        asyncio.get_running_loop().call_later(self.caps.hello, self._expect_hello)

    def close(self, code: int | None = None, reason: str | None = None) -> None:
        """End the conversation: from now on nothing is heard and nothing is said."""
        self.ending = True
        # the frame that ends a conversation has room for so many bytes
        super().close(code, reason and reason.encode()[:LONGEST_REASON].decode(errors="ignore"))

    async def on_message(self, text: str | bytes) -> None:
        self.alive = self.heard = time.monotonic()
        if self.ending:
            return
        if isinstance(text, bytes):
            self.close(1003, "A message is text.")
        elif not self._bucket.take():
            self.close(1008, "Too many messages.")
        else:
            await self._hear(text)

    def on_pong(self, data: bytes) -> None:
        self.heard = time.monotonic()

    def on_close(self) -> None:
        self.ending = self.closed = True
        self.sockets.discard(self)
        if self._writer:
            self._writer.cancel()
        if self._entered:
            self.crowd.leave(self.address)
        self.front.leave(self)

    def post(self, message: Message) -> None:
        """Send a message as soon as the page has taken those before it; one that is too slow is closed."""
        if self._waiting > self.caps.queue:
            self._too_slow()
        elif not self.ending:
            text = json.dumps(message, separators=(",", ":"))
            self._waiting += len(text)
            self._out.put_nowait(text)

    async def _hear(self, text: str) -> None:
        try:
            message = parse(text)
        except Refused as error:
            self.post({"t": "refused", "id": None, "code": error.code, "text": error.text})
            return
        if not self.joined:
            await self._greet(message)
        elif message["t"] == "ping":
            self.hidden = message.get("hidden") is True
            self.post({"t": "pong", "n": message.get("n")})
        else:
            await self._room.acquire()  # whoever asks too much at once waits here, and is not read meanwhile
            task = asyncio.create_task(self._serve(message))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    async def _greet(self, message: Message) -> None:
        if message["t"] != "hello":
            self.close(4400, "The first message is hello.")
        elif not self.gate.token_fits(message.get("token")):
            self.close(4401, "This link is not valid any more. Open the one that the server shows now.")
        else:
            self.joined = True
            try:
                await self.front.join(self, message)
            except Refused as error:
                self.close(4400, error.text)

    async def _serve(self, message: Message) -> None:
        try:
            await self.front.handle(self, message)
        except Refused as error:
            self.post({"t": "refused", "id": message.get("id"), "code": error.code, "text": error.text})
        except Exception:
            log.exception("at a message %s", quote(str(message["t"])))
            text = "The server failed at this; its log says more."
            self.post({"t": "refused", "id": message.get("id"), "code": "fault", "text": text})
        finally:
            self._room.release()

    async def _write(self) -> None:
        try:
            while True:
                text = await self._out.get()
                # not `wait_for`, since Tornado does not expect that a write is cancelled
                written = asyncio.ensure_future(self.write_message(text))
                written.add_done_callback(lambda done: done.cancelled() or done.exception())
                if not (await asyncio.wait([written], timeout=self.caps.write + len(text) / self.caps.pace))[0]:
                    self._too_slow()
                    return
                written.result()
                self._waiting -= len(text)
        except WebSocketClosedError:
            pass

    def _too_slow(self) -> None:
        self.close(1013, "The connection is too slow.")

    def _expect_hello(self) -> None:
        if not self.joined:
            self.close(4400, "There was no hello.")


def parse(text: str) -> Message:
    """A message of a page: an object with a type `t`, and if it has an `id`, one that can be sent back."""
    try:
        message = json.loads(text, parse_constant=_refuse_number)
        if "\\u" in text:
            json.dumps(message, ensure_ascii=False).encode()  # half a character can be escaped, but is no text
    except (ValueError, RecursionError):
        raise Refused("bad-message", "A message is one JSON object.") from None
    if not isinstance(message, dict):
        raise Refused("bad-message", "A message is one JSON object.")
    for name, needed in (("t", True), ("id", False)):
        word = message.get(name)
        if word is None and not needed:
            continue
        if not is_word(word):
            raise Refused("bad-message", f"{name} {quote(json.dumps(word))} is not a word.")
    return message


def is_word(value: object) -> bool:
    """Whether it is a short text that can be sent back as it came."""
    return isinstance(value, str) and 0 < len(value) <= LONGEST_WORD and value.isascii() and value.isprintable()


def _refuse_number(word: str) -> float:
    raise ValueError(word)
