"""A real server on loopback for the tests: pages that talk to it, and raw bytes for what no browser would send."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, ClassVar

from tornado.httpclient import HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

from gui_adapter.server import Config, Server

Message = dict[str, Any]
#: seconds that anything may take here
PATIENCE = 30.0
KEY = base64.b64encode(bytes(16)).decode()


def serve(test: Callable[[Server], Awaitable[None]], **config: Any) -> None:
    """Run a test with a server that keeps nothing."""

    async def main() -> None:
        async with serving(**config) as server:
            await test(server)

    asyncio.run(main())


@asynccontextmanager
async def serving(**config: Any) -> AsyncIterator[Server]:
    server = Server(Config(**config))
    await server.start()
    try:
        yield server
    finally:
        for page in [page for page in Page.opened if page.server is server]:
            Page.opened.remove(page)
            page.close()
            await page.closed()
        await server.stop()


class Page:
    """What a page does, without one: it joins, sends, and waits for what it is sent."""

    opened: ClassVar[list[Page]] = []

    def __init__(self, server: Server, me: str | None = None) -> None:
        self.server = server
        self.me = me or secrets.token_hex(16)
        self.heard: list[Message] = []
        self.over = False
        self.connection: WebSocketClientConnection

    async def connect(self, origin: str | None = "", **headers: str) -> Page:
        """Open the socket, by default as our own page does; with ``origin`` None no origin is sent."""
        port = self.server.port
        if origin is not None:
            headers["Origin"] = origin or f"http://127.0.0.1:{port}"
        request = HTTPRequest(f"ws://127.0.0.1:{port}/ws", headers=headers, request_timeout=PATIENCE)
        self.connection = await websocket_connect(request)
        self.opened.append(self)
        return self

    async def join(self, tab: str = "t1", **fields: Any) -> Message:
        """Connect and say hello; the welcome."""
        await self.connect()
        hello = {"t": "hello", "token": self.server.gate.token, "me": self.me, "tab": tab}
        await self.send(**{**hello, **fields})
        return await self.until("welcome")

    async def send(self, **message: Any) -> None:
        await self.write(json.dumps(message))

    async def write(self, text: str | bytes) -> None:
        await self.connection.write_message(text, binary=isinstance(text, bytes))

    async def read(self) -> Message | None:
        """The next message; None when the socket is closed."""
        text = None if self.over else await asyncio.wait_for(self.connection.read_message(), PATIENCE)
        if text is None:
            self.over = True
            return None
        self.heard.append(json.loads(text))
        return self.heard[-1]

    async def until(self, *kinds: str, **fields: Any) -> Message:
        """The next message of one of these kinds, and with these values."""
        while (message := await self.read()) is not None:
            if message["t"] in kinds and all(message.get(name) == value for name, value in fields.items()):
                return message
        raise AssertionError(f"closed by {self.connection.close_code} {self.connection.close_reason}")

    async def ask(self, kind: str, **fields: Any) -> Message:
        """Send a request; the message that answers it."""
        ident = fields.setdefault("id", secrets.token_hex(4))
        await self.send(t=kind, **fields)
        while (message := await self.read()) is not None:
            if message.get("id") == ident:
                return message
        raise AssertionError(f"closed by {self.connection.close_code} {self.connection.close_reason}")

    async def closed(self) -> tuple[int | None, str | None]:
        """Wait for the server to close the socket: its code and reason."""
        while await self.read() is not None:
            pass
        return self.connection.close_code, self.connection.close_reason

    def close(self) -> None:
        self.connection.close()


async def raw(server: Server, request: bytes, patience: float = PATIENCE) -> tuple[int, dict[str, str], bytes]:
    """Send bytes; the status, headers and body of the answer (status 0: the connection was closed without one)."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    try:
        writer.write(request)
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), patience)
        first, *lines = head.decode().rstrip().split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        body = await asyncio.wait_for(reader.readexactly(int(headers.get("content-length", 0))), patience)
        return int(first.split()[1]), headers, body
    except (asyncio.IncompleteReadError, ConnectionError):
        return 0, {}, b""
    finally:
        writer.close()


async def get(server: Server, path: str, host: str | None = None, **headers: str) -> tuple[int, dict[str, str], bytes]:
    """`GET` a path as it is written."""
    fields = {"Host": host or f"127.0.0.1:{server.port}", **{k.replace("_", "-"): v for k, v in headers.items()}}
    lines = [f"GET {path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items())]
    return await raw(server, ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"))


def handshake(server: Server, *lines: str, host: str | None = None) -> bytes:
    """The request that opens a socket, with these header lines added."""
    fixed = [
        "GET /ws HTTP/1.1", f"Host: {host or f'127.0.0.1:{server.port}'}", "Upgrade: websocket", "Connection: Upgrade",
        f"Sec-WebSocket-Key: {KEY}", "Sec-WebSocket-Version: 13",
    ]  # fmt: skip
    return ("\r\n".join([*fixed, *lines]) + "\r\n\r\n").encode()


def frame(opcode: int, data: bytes = b"", *, final: bool = True, rsv1: bool = False) -> bytes:
    """A frame as a client sends it: masked."""
    first = (0x80 if final else 0) | (0x40 if rsv1 else 0) | opcode
    if len(data) < 126:
        size = bytes([0x80 | len(data)])
    elif len(data) < 1 << 16:
        size = bytes([0x80 | 126]) + len(data).to_bytes(2, "big")
    else:
        size = bytes([0x80 | 127]) + len(data).to_bytes(8, "big")
    mask = os.urandom(4)
    return bytes([first]) + size + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(data))
