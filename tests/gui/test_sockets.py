"""The socket: what is a message, what closes it and with which code, and what happens to requests under way."""

from __future__ import annotations

import asyncio
import json

import pytest

from gui_adapter.errors import Refused
from gui_adapter.security import Caps
from gui_adapter.server import Server
from gui_adapter.sockets import parse

from .serving import PATIENCE, Page, frame, handshake, serve


async def joined(server: Server) -> Page:
    page = Page(server)
    await page.join()
    return page


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "x", "1", "[]", '"t"', "null", "{}", '{"t":1}', '{"t":null}', '{"t":""}', '{"t":"é"}',
        '{"t":"a\\nb"}', '{"t":"' + "x" * 65 + '"}', '{"t":"x","id":1}', '{"t":"x","id":""}',
        '{"t":"x","id":["a"]}', '{"t":"x","n":NaN}',
        '{"t":"x","n":-Infinity}', '{"t":"x"', '{"t":"x"}{"t":"y"}', '{"t":"x","n":"\\ud800"}', "[" * 60_000,
        '{"t":' * 30_000, '{"t":"x","n":' + "9" * 5000 + "}",
    ],
    ids=str,
)  # fmt: skip
def test_what_is_no_message_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(Refused) as caught:
        parse(text)
    assert caught.value.code == "bad-message"
    assert caught.value.text.isprintable()
    assert len(caught.value.text) < 200


def test_what_is_a_message() -> None:
    assert parse('{"t":"x"}') == {"t": "x"}
    assert parse('{"t":"x","id":null,"n":"\\u00e9 \\ud83d\\ude00"}')["n"] == "é 😀"
    assert parse('{"t":"x","id":"a-1"}')["id"] == "a-1"


def test_a_bad_message_changes_nothing() -> None:
    async def test(server: Server) -> None:
        page = await joined(server)
        for text in ("nonsense", "{}", '{"t":"x","id":1}'):
            await page.write(text)
            assert (await page.until("refused"))["code"] == "bad-message"
        assert (await page.ask("dance"))["code"] == "unknown"
        await page.send(t="games")
        assert (await page.until("refused"))["code"] == "bad-message"
        assert (await page.ask("games"))["rows"] == []

    serve(test)


def test_bytes_are_no_message() -> None:
    async def test(server: Server) -> None:
        page = await joined(server)
        await page.write(b'{"t":"ping"}')
        assert (await page.closed())[0] == 1003

    serve(test)


def test_hello_comes_first_and_soon() -> None:
    async def test(server: Server) -> None:
        page = await Page(server).connect()
        assert (await page.closed())[0] == 4400
        for message in ({"t": "ping"}, {"t": "new", "id": "1"}):
            page = await Page(server).connect()
            await page.send(**message)
            assert (await page.closed())[0] == 4400

    serve(test, caps=Caps(hello=0.2))


@pytest.mark.parametrize(
    "fields",
    [
        {"tab": "😀" * 60},
        {"me": None},
        {"me": "x"},
        {"me": "0" * 31},
        {"me": "G" * 32},
        {"me": 1},
        {"tab": None},
        {"tab": ""},
        {"tab": "é"},
    ],
    ids=str,
)
def test_a_hello_without_what_it_needs(fields: dict[str, object]) -> None:
    async def test(server: Server) -> None:
        page = await Page(server).connect()
        await page.send(**{"t": "hello", "token": server.gate.token, "me": "0" * 32, "tab": "t", **fields})
        code, reason = await page.closed()
        assert code == 4400
        assert reason

    serve(test)


def test_after_a_wrong_token_nothing_is_heard() -> None:
    async def test(server: Server) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(handshake(server))
        await reader.readuntil(b"\r\n\r\n")
        for token in ("wrong", server.gate.token):
            hello = {"t": "hello", "token": token, "me": "0" * 32, "tab": "t"}
            writer.write(frame(1, json.dumps(hello).encode()))
        said = await asyncio.wait_for(reader.read(), PATIENCE)
        assert said[2:4] == (4401).to_bytes(2, "big")
        assert b"welcome" not in said
        writer.close()

    serve(test)


def test_a_second_hello_is_nothing_new() -> None:
    async def test(server: Server) -> None:
        page = await joined(server)
        assert (await page.ask("hello", token="x"))["code"] == "unknown"

    serve(test)


def test_pieces_with_a_ping_between_them_are_one_message() -> None:
    async def test(server: Server) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(handshake(server))
        await reader.readuntil(b"\r\n\r\n")
        hello = json.dumps({"t": "hello", "token": server.gate.token, "me": "0" * 32, "tab": "t"}).encode()
        writer.write(frame(1, hello[:10], final=False) + frame(9, b"hey") + frame(0, hello[10:]))
        assert await asyncio.wait_for(reader.readexactly(5), PATIENCE) == b"\x8a\x03hey"
        await asyncio.wait_for(reader.readuntil(b"welcome"), PATIENCE)
        writer.close()

    serve(test)


@pytest.mark.parametrize(
    "data",
    [frame(3), frame(0, b"x"), frame(9, final=False), frame(1, b"\xff\xfe"), b"\x81\xff" + b"\xff" * 12, b"\xf1\x80"],
    ids=["opcode", "no beginning", "ping in pieces", "no text", "huge", "reserved"],
)
def test_broken_frames_close_the_socket_and_nothing_else(data: bytes) -> None:
    async def test(server: Server) -> None:
        page = await joined(server)
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(handshake(server) + data)
        await reader.readuntil(b"\r\n\r\n")
        await asyncio.wait_for(reader.read(), PATIENCE)
        writer.close()
        assert (await page.ask("games"))["rows"] == []

    serve(test)


def test_a_silent_socket_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gui_adapter.server.TICK", 0.05)

    async def test(server: Server) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(handshake(server))
        await reader.readuntil(b"\r\n\r\n")
        hello = json.dumps({"t": "hello", "token": server.gate.token, "me": "0" * 32, "tab": "t"}).encode()
        writer.write(frame(1, hello))
        rest = await asyncio.wait_for(reader.read(), PATIENCE)  # it answers no ping
        assert b"\x03\xe9" in rest
        writer.close()

    serve(test, caps=Caps(silence=0.5))


def test_a_page_that_answers_pings_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gui_adapter.server.TICK", 0.05)
    monkeypatch.setattr("gui_adapter.server.PING", 0.1)

    async def test(server: Server) -> None:
        page = await joined(server)
        assert page.heard
        await asyncio.sleep(1)
        assert (await page.ask("games"))["rows"] == []

    serve(test, caps=Caps(silence=0.5))


def test_what_was_asked_for_is_done_when_the_line_is_lost() -> None:
    async def test(server: Server) -> None:
        page = await joined(server)
        await page.send(t="new", id="n1")
        page.close()
        again = Page(server, page.me)
        await again.join()
        await again.send(t="new", id="n1")
        snapshot = await again.until("snapshot")
        assert len(server.hub._matches) == 1
        assert snapshot["seat"] == 1

    serve(test)


def test_a_fault_of_ours_is_an_answer_and_a_line_in_the_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def test(server: Server) -> None:
        page = await joined(server)

        async def broken(*args: object) -> None:
            raise ZeroDivisionError

        monkeypatch.setattr(server.hub.library, "games", broken)
        answer = await page.ask("games")
        assert answer["code"] == "fault"
        assert "ZeroDivision" not in answer["text"]
        assert (await page.ask("ratings"))["t"] == "ratings"

    serve(test)
    assert "ZeroDivisionError" in caplog.text


def test_after_everybody_has_gone_nothing_is_left() -> None:
    async def test(server: Server) -> None:
        pages = [await joined(server) for _ in range(5)]
        for page in pages:
            await page.ask("wait", on=True)
            page.close()
        while server.sockets:
            await asyncio.sleep(0.01)
        assert server.hub.people() == []
        last = await joined(server)
        assert (await last.until("lobby"))["players"] == []

    serve(test)
