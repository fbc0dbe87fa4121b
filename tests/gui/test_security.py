"""Who may talk to the server, and how much: the security list of the web server, each line a test."""

from __future__ import annotations

import asyncio
import json
import logging
import mimetypes
import os
from pathlib import Path

import psutil
import pytest

from gui_adapter import assets
from gui_adapter import server as module
from gui_adapter.errors import Refused
from gui_adapter.lobby import check_name
from gui_adapter.security import HEADERS, Caps
from gui_adapter.server import Config, Server, bind
from skyclaim_engine.errors import SkyclaimError

from .serving import PATIENCE, Page, frame, get, handshake, raw, serve, serving

NOBODY = "203.0.113.9"


def listening(port: int) -> set[str]:
    """The addresses at which anybody listens on a port, as /proc has them."""
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return {fields[1].split(":")[0] for fields in lines if fields[3] == "0A" and int(fields[1][-4:], 16) == port}


# -- where it listens, and under which names


def test_bind() -> None:
    async def test(server: Server) -> None:
        assert listening(server.port) == {"0100007F"}

    serve(test)


def test_bind_to_the_network_only_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "lan_address", lambda: "127.0.0.2")

    async def test(server: Server) -> None:
        assert listening(server.port) == {"0100007F", "0200007F"}
        assert server.urls[1] == f"http://127.0.0.2:{server.port}/#k={server.gate.token}"
        assert (await get(server, "/", f"127.0.0.2:{server.port}"))[0] == 200
        assert (await Page(server).join())["lan"] is True

    serve(test, lan=True)


@pytest.mark.parametrize(
    ("address", "lan"), [("0.0.0.0", False), ("0.0.0.0", True), ("", True), ("::", True), (NOBODY, False)]
)
def test_bind_refuses_what_is_open_to_all(address: str, lan: bool) -> None:
    with pytest.raises(SkyclaimError, match=r"only 127\.0\.0\.1 is served"):
        bind([address], 0, lan)


def test_a_port_that_is_taken_gives_the_next_one() -> None:
    async def test(server: Server) -> None:
        async with serving(port=server.port) as other:
            assert other.port > server.port
            assert (await get(other, "/"))[0] == 200

    serve(test)


def test_host() -> None:
    async def test(server: Server) -> None:
        port = server.port
        for host in (f"127.0.0.1:{port}", f"localhost:{port}", f"LocalHost:{port}"):
            assert (await get(server, "/", host))[0] == 200
        wrong = [
            "evil.example", f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{port + 1}", f"127.0.0.1:{port}.evil",
            f"evil.example@127.0.0.1:{port}", f"localhost.:{port}", f"0.0.0.0:{port}", f"[::1]:{port}", "null", " ",
        ]  # fmt: skip
        for host in wrong:
            for path in ("/", "/js/main.js", "/nothing", "/ws"):
                assert (await get(server, path, host))[0] in (400, 421), host
            assert (await raw(server, handshake(server, host=host)))[0] in (400, 421), host
        assert (await get(server, "/", "evil.example"))[0] == 421
        line = f"Host: 127.0.0.1:{port}\r\n"
        assert (await raw(server, f"GET / HTTP/1.1\r\n{line}Host: evil.example\r\n\r\n".encode()))[0] in (400, 421)
        assert (await raw(server, f"GET / HTTP/1.1\r\n{line}{line}\r\n".encode()))[0] in (400, 421)
        assert (await raw(server, b"GET / HTTP/1.1\r\n\r\n"))[0] in (400, 421)
        assert (await raw(server, f"GET http://evil.example/ HTTP/1.1\r\n{line}\r\n".encode()))[0] in (400, 404, 421)

    serve(test)


# -- who may open a socket


def test_origin() -> None:
    async def test(server: Server) -> None:
        port = server.port
        wrong = [
            "http://evil.example", f"http://evil.example:{port}", "null", f"https://127.0.0.1:{port}", "http://127.0.0.1",
            f"http://127.0.0.1:{port + 1}", f"http://127.0.0.1:{port}.evil.example", f"http://127.0.0.1:{port}0",
            f"http://evil.example/http://127.0.0.1:{port}", f"http://evil127.0.0.1:{port}", f"http://127.0.0.1:{port}/",
            f"http://127.0.0.1:{port} http://evil.example", "file://", f"HTTP://127.0.0.1:{port}",
        ]  # fmt: skip
        for origin in wrong:
            assert (await raw(server, handshake(server, f"Origin: {origin}")))[0] == 403, origin
        for origin in (f"http://127.0.0.1:{port}", f"http://localhost:{port}"):
            assert (await raw(server, handshake(server, f"Origin: {origin}")))[0] == 101
        friendly = handshake(server, "Origin: http://evil.example", "Sec-Fetch-Site: same-origin")
        assert (await raw(server, friendly))[0] == 403
        two = handshake(server, f"Origin: http://127.0.0.1:{port}", "Origin: http://evil.example")
        assert (await raw(server, two))[0] in (400, 403)

    serve(test)


def test_origin_may_be_absent_with_the_token_only() -> None:
    async def test(server: Server) -> None:
        for token, welcome in ((server.gate.token, True), ("", False)):
            page = await Page(server).connect(None)
            await page.send(t="hello", token=token, me=page.me, tab="t")
            if welcome:
                await page.until("welcome")
            else:
                assert (await page.closed())[0] == 4401

    serve(test)


def test_token(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)

    async def test(server: Server) -> None:
        token = server.gate.token
        assert len(token) >= 22
        wrong = ["", token[:-1], token + "x", token.swapcase(), None, 1, ["x"], {"a": token}, "é" * 24]
        for guess in wrong:
            page = await Page(server).connect()
            await page.send(t="hello", token=guess, me=page.me, tab="t")
            assert (await page.closed())[0] == 4401
            assert page.heard == []
        page = await Page(server).connect()
        await page.send(t="games", id="1", token=token)
        assert (await page.closed())[0] == 4400
        await Page(server).join()
        assert token not in caplog.text
        async with serving() as other:
            assert other.gate.token != token

    serve(test)


# -- what is served


PROBES = [
    "/../secret.txt", "/../../../../etc/passwd", "/..%2fserver.py", "/%2e%2e/server.py", "/%2e%2e%2fserver.py",
    "/js/../../server.py", "/..\\server.py", "/js/..%5c..%5cserver.py", "//etc/passwd", "/./index.html", "/%00",
    "/index.html%00.js", "/" + "a" * 5000, "/index.html/", "/js", "/js/", "/static/index.html", "/INDEX.HTML",
    "/%69ndex.html", "/.", "/..", "/%c0%ae%c0%ae/server.py", "/server.py", "/__init__.py", "*", "index.html",
]  # fmt: skip


def test_static() -> None:
    async def test(server: Server) -> None:
        for path in PROBES:
            status, headers, body = await get(server, path)
            assert status in (0, 400, 404), path
            assert b"root:" not in body
            assert b"import" not in body
        status, headers, page = await get(server, "/")
        assert (status, headers["cache-control"]) == (200, "no-cache")
        assert (await get(server, "/index.html"))[2] == page
        assert (await get(server, "/?k=1"))[2] == page
        again = await get(server, "/", If_None_Match=headers["etag"])
        assert (again[0], again[2]) == (304, b"")
        assert (await get(server, "/", If_None_Match='"other"'))[0] == 200

    serve(test)


def test_what_the_page_names_is_served_for_ever() -> None:
    async def test(server: Server) -> None:
        page = (await get(server, "/"))[2].decode()
        version = page.partition('src="')[2].partition("/")[0]
        for name in ("js/main.js", "style.css"):
            status, headers, body = await get(server, f"/{version}/{name}")
            assert (status, headers["cache-control"]) == (200, assets.FOR_EVER)
            assert body == (assets.FOLDER / name).read_bytes()
            assert (await get(server, f"/{name}"))[1]["cache-control"] == "no-cache"
        assert (await get(server, f"/{'0' * 16}/style.css"))[0] == 404

    serve(test)


def test_the_table_has_no_links_and_no_unknown_types(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text('<a href="a.js"></a><a href="b.js"></a>')
    (tmp_path / "a.js").write_text("1")
    (tmp_path / "notes.txt").write_text("secret")
    (tmp_path / "b.js").symlink_to("/etc/passwd")
    (tmp_path / "c").symlink_to("/etc")
    table = assets.load(tmp_path)
    names = {name for name in table if "/" not in name}
    assert names == {"index.html", "a.js"}
    assert b'/a.js"' in table["index.html"].data
    assert b'"b.js"' in table["index.html"].data
    before = {name for name in table if "/" in name}
    (tmp_path / "a.js").write_text("2")
    assert before.isdisjoint(name for name in assets.load(tmp_path) if "/" in name)


def test_mime(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(mimetypes.types_map, ".js", "text/plain")
    mimetypes.add_type("text/plain", ".js")

    async def test(server: Server) -> None:
        assert (await get(server, "/js/main.js"))[1]["content-type"] == "text/javascript; charset=utf-8"
        assert (await get(server, "/"))[1]["content-type"] == "text/html; charset=utf-8"

    try:
        serve(test)
    finally:
        mimetypes.init()


def test_headers() -> None:
    async def test(server: Server) -> None:
        host = f"Host: 127.0.0.1:{server.port}\r\n"
        etag = (await get(server, "/"))[1]["etag"]
        answers = [
            (200, await get(server, "/")),
            (200, await get(server, "/js/main.js")),
            (304, await get(server, "/", If_None_Match=etag)),
            (404, await get(server, "/nothing")),
            (421, await get(server, "/", "evil.example")),
            (405, await raw(server, f"POST / HTTP/1.1\r\n{host}Content-Length: 0\r\n\r\n".encode())),
            (405, await raw(server, f"DELETE /style.css HTTP/1.1\r\n{host}\r\n".encode())),
            (400, await get(server, "/ws")),
            (403, await raw(server, handshake(server, "Origin: http://evil.example"))),
        ]
        for status, (found, headers, body) in answers:
            assert found == status
            for name, value in HEADERS.items():
                if name != "Cache-Control":
                    assert headers[name.lower()] == value, (status, name)
            assert "server" not in headers
            assert "set-cookie" not in headers
            assert b"Traceback" not in body
            assert b"nothing" not in body or status == 200

    serve(test)


def test_the_page_obeys_its_own_policy() -> None:
    page = (assets.FOLDER / "index.html").read_text()
    assert " style=" not in page
    assert "<style" not in page
    assert (
        " on" not in page.replace(" on ", " ").lower().replace(" one", "").replace(" only", "") or "onclick" not in page
    )
    assert page.count("<script") == page.count('<script type="module" src=')
    assert "http://" not in page
    assert "https://" not in page


# -- names


HOSTILE = [
    "", " ", "\t\n", "a" * 17, "x" * 10_000, "<b>x</b>", "<script>1</script>", "a&amp;b", "a\"b", "`x`", "a\x00b",
    "a\x1bb", "a\x7fb", "a\u0085b\x01", "\u202eabc", "abc\u2066", "\u200bx", "x\u200d", "\ufeffx", "a\u00adb",
    "a\u0334\u0335\u0336", "\u0301abc", "\u3164", "\u115f", "\ue000", "\U000e0041bc", "\ud83d", "😀", "a/b", "a\\b",
    "a;b", "$(x)", "-.-", "a\u2028b\u2029\u2063",
    None, 1, ["x"], {"a": 1}, True,
]  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_names(name: object) -> None:
    with pytest.raises(Refused) as caught:
        check_name(name)
    assert caught.value.code == "bad-name"
    assert caught.value.text.isprintable()


@pytest.mark.parametrize(
    ("name", "tidy"),
    [
        ("Ada", "Ada"), ("  Ada   L. ", "Ada L."), ("Zoë", "Zoë"), ("Zoe\u0308", "Zoë"), ("李雷", "李雷"),
        ("Ольга", "Ольга"), ("نور", "نور"), ("अनुष्का", "अनुष्का"), ("O'Neil-Smith_2", "O'Neil-Smith_2"), ("7", "7"),
        ("a" * 16, "a" * 16),
    ],
)  # fmt: skip
def test_names_of_any_script(name: str, tidy: str) -> None:
    assert check_name(name) == tidy


def test_names_are_checked_wherever_they_come_in() -> None:
    async def test(server: Server) -> None:
        page = Page(server)
        assert (await page.join(name="<b>"))["you"]["name"] == "Player"
        assert "cannot stand in a name" in (await page.until("notice"))["text"]
        page = Page(server)
        assert (await page.join(name="Ada"))["you"]["name"] == "Ada"
        for kind, fields in (("name", {}), ("wait", {"on": True}), ("code", {}), ("usecode", {"code": "BCDF"})):
            answer = await page.ask(kind, **fields, name="<b>")
            assert answer["code"] in ("bad-name", "no-code"), kind
        page.close()
        assert (await Page(server, page.me).join())["you"]["name"] == "Ada"

    serve(test)


# -- limits


async def joined(server: Server) -> Page:
    page = Page(server)
    await page.join()
    return page


def test_limit_of_a_message() -> None:
    async def test(server: Server) -> None:
        page = await joined(server)
        empty = len(json.dumps({"t": "ping", "n": ""}))
        await page.send(t="ping", n="x" * ((64 << 10) - empty))
        assert len((await page.until("pong"))["n"]) == (64 << 10) - empty
        await page.send(t="ping", n="x" * ((64 << 10) - empty + 1))
        assert (await page.closed())[0] == 1009
        page = await joined(server)
        text = json.dumps({"t": "ping", "n": "é" * (40 << 10)})  # what counts is bytes, not letters
        await page.write(text.encode().decode())
        assert (await page.closed())[0] == 1009

    serve(test)


def test_limit_of_a_message_in_pieces() -> None:
    async def test(server: Server) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(handshake(server))
        await reader.readuntil(b"\r\n\r\n")
        writer.write(frame(1, b"x" * (40 << 10), final=False))
        writer.write(frame(0, b"x" * (40 << 10))[:14])  # what is too much is known before it is there
        code = (await asyncio.wait_for(reader.read(), PATIENCE))[2:4]
        assert int.from_bytes(code, "big") == 1009
        writer.close()

    serve(test)


def test_limit_of_headers_and_body() -> None:
    async def test(server: Server) -> None:
        assert (await get(server, "/", X="x" * (14 << 10)))[0] == 200
        assert (await get(server, "/", X="x" * (17 << 10)))[0] in (0, 400, 431)
        post = f"POST / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Length: %d\r\n\r\n"
        assert (await raw(server, (post % (64 << 10)).encode() + b"x" * (64 << 10)))[0] == 405
        assert (await raw(server, (post % ((64 << 10) + 1)).encode()))[0] in (0, 400, 413)

    serve(test)


def test_limit_of_messages() -> None:
    async def test(server: Server) -> None:
        page = await joined(server)
        for n in range(39):  # the first of the burst was `hello`
            await page.send(t="ping", n=n)
        assert (await page.until("pong", n=38))["n"] == 38
        await page.send(t="ping", n=39)
        assert (await page.closed())[0] == 1008

    # a rate at which nothing comes back while the test runs
    serve(test, caps=Caps(rate=0.01))


def test_messages_come_back_with_time() -> None:
    async def test(server: Server) -> None:
        page = await joined(server)
        for n in range(60):
            await page.send(t="ping", n=n)
            await page.until("pong", n=n)
            await asyncio.sleep(0.005)

    serve(test, caps=Caps(rate=1000, burst=4))


def test_limit_of_sockets_of_an_address() -> None:
    async def test(server: Server) -> None:
        pages = [await joined(server) for _ in range(8)]
        ninth = await Page(server).connect()
        assert (await ninth.closed())[0] == 1013
        pages[0].close()
        await pages[0].closed()
        await joined(server)

    serve(test)


def test_limit_of_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(server: Server) -> None:
        pages = [await joined(server) for _ in range(64)]
        last = await Page(server).connect()
        assert (await last.closed())[0] == 1013
        assert all(page.connection.close_code is None for page in pages)

    serve(test, caps=Caps(sockets_of_one=100))


def test_limit_of_games() -> None:
    async def test(server: Server) -> None:
        one, two, three = [await joined(server) for _ in range(3)]
        assert (await one.ask("new"))["t"] == "snapshot"
        second = await two.ask("new")
        assert (await three.ask("new"))["code"] == "full"
        await two.ask("resign", match=second["match"])
        assert (await three.ask("new"))["t"] == "snapshot"

    serve(test, caps=Caps(games=2))


def test_limit_of_requests_at_once() -> None:
    """Whoever asks too much at once is not read until answers are out; nothing is lost, and others are served."""

    async def test(server: Server) -> None:
        page, other = await joined(server), await joined(server)
        match = (await page.ask("new"))["match"]
        for n in range(30):
            await page.send(t="hint", id=f"h{n}", match=match)
        assert (await other.ask("new"))["t"] == "snapshot"
        answered = {(await page.until("hint"))["id"] for _ in range(30)}
        assert len(answered) == 30

    serve(test, caps=Caps(at_once=2))


# -- readers who do not read, compression, the end


def test_slow_reader(caplog: pytest.LogCaptureFixture) -> None:
    """A page that does not read is closed, and what waits for it stays small."""

    async def test(server: Server) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port, limit=1 << 10)
        writer.write(handshake(server))
        await reader.readuntil(b"\r\n\r\n")
        hello = {"t": "hello", "token": server.gate.token, "me": "0" * 32, "tab": "t"}
        writer.write(frame(1, json.dumps(hello).encode()))
        other = await joined(server)
        (socket,) = [each for each in server.sockets if each.joined and each is not server.hub.people()[-1].socket]
        before = psutil.Process().memory_info().rss
        message = {"t": "notice", "text": "x" * 50_000}
        while not socket.closed:
            for _ in range(20):
                socket.post(message)
            await asyncio.sleep(0.01)
            await other.send(t="ping", n=1)
            await other.until("pong")
        assert psutil.Process().memory_info().rss - before < 20 << 20
        assert caplog.text == ""
        writer.close()

    serve(test, caps=Caps(write=0.3, rate=1000))


def test_a_reader_that_stops_in_the_middle_is_closed_in_time() -> None:
    async def test(server: Server) -> None:
        page = await joined(server)
        (socket,) = server.sockets

        async def stuck(*args: object) -> None:
            await asyncio.sleep(60)

        socket.write_message = stuck  # type: ignore[method-assign, assignment]
        socket.post({"t": "notice", "text": ""})
        assert (await page.closed())[0] == 1013

    serve(test, caps=Caps(write=0.1))


def test_no_deflate() -> None:
    async def test(server: Server) -> None:
        offer = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits"
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(handshake(server, offer))
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        assert head.startswith("http/1.1 101 ")
        assert "sec-websocket-extensions" not in head
        # first an answer to no ping, then a compressed message, which nobody has agreed to
        writer.write(frame(0xA) + frame(1, b"\xaa\x56\x2a\x01\x00", rsv1=True))
        assert b"{" not in await asyncio.wait_for(reader.read(), PATIENCE)
        writer.close()

    serve(test)


def test_shutdown() -> None:
    """With a match under way, a search running and a page that does not read, the end comes and is told."""

    async def test() -> None:
        server = Server(Config())
        await server.start()
        page, deaf = await joined(server), await Page(server).connect()
        match = await page.ask("new", skill=100)
        await page.send(t="act", id="a", match=match["match"], seq=match["seq"], step="claim:e1")
        await page.until("ack")
        pids = server.engines.referee.pids() + server.engines.bots.pids()
        assert pids
        os.kill(pids[0], 19)  # and an engine that hangs
        await asyncio.wait_for(server.stop(), PATIENCE)
        assert not any(psutil.pid_exists(pid) for pid in pids)
        code, reason = await page.closed()
        assert code == 1001
        assert reason
        assert "again" in reason
        page.close()
        deaf.close()

    asyncio.run(test())
