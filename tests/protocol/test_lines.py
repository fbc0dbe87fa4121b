"""Bytes to lines, and lines to a descriptor."""

from __future__ import annotations

import os
import random
import threading

import pytest

from skyclaim_engine.protocol.lines import Lines
from skyclaim_engine.protocol.writer import Writer

from .host import GUARD


def test_chunks_may_fall_anywhere() -> None:
    text = b"uci\n\nisready\r\n" + b"x" * 50 + b"\nhalf"
    whole = text.split(b"\n")
    rng = random.Random(1)
    for _ in range(200):
        lines, got, at = Lines(), [], 0
        while at < len(text):
            step = rng.randint(1, 20)
            got += lines.feed(text[at : at + step])
            at += step
        assert [*got, *lines.finish()] == whole


def test_nothing_stands_after_the_last_line_break() -> None:
    lines = Lines()
    assert list(lines.feed(b"a\n")) == [b"a"]
    assert list(lines.finish()) == []


def test_an_overlong_line_takes_no_memory_and_the_next_one_is_whole() -> None:
    lines = Lines(limit=10)
    for _ in range(1000):
        assert list(lines.feed(b"x" * 1000)) == []
    assert list(lines.feed(b"\nok\n")) == [b"x" * 12, b"ok"]


def test_a_line_of_just_the_limit_is_whole() -> None:
    assert list(Lines(limit=3).feed(b"abc\r\nabcd\n")) == [b"abc\r", b"abcd"]


def test_lines_of_many_threads_do_not_mix() -> None:
    read, write = os.pipe()
    writer = Writer(write)
    lines = [letter * 5000 for letter in "abcdefgh"]

    def talk(line: str) -> None:
        for _ in range(20):
            writer.send(line, line)

    threads = [threading.Thread(target=talk, args=(line,)) for line in lines]
    got = bytearray()

    def listen() -> None:
        while chunk := os.read(read, 1 << 16):
            got.extend(chunk)

    listener = threading.Thread(target=listen)
    for thread in (listener, *threads):
        thread.start()
    for thread in threads:
        thread.join(GUARD)
    os.close(write)
    listener.join(GUARD)
    os.close(read)
    said = got.decode().splitlines()
    assert said[::2] == said[1::2]  # lines of one call stay together
    assert sorted(said) == sorted(lines * 40)


def test_a_closed_pipe_makes_the_writer_silent() -> None:
    read, write = os.pipe()
    os.close(read)
    writer = Writer(write)
    writer.send("a", "b")
    assert writer.closed
    writer.send("c")
    os.close(write)


def test_a_closed_descriptor_makes_the_writer_silent() -> None:
    read, write = os.pipe()
    os.close(read)
    os.close(write)
    writer = Writer(write)
    writer.send("a")
    assert writer.closed


def test_what_is_no_text_is_replaced(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    Writer(1).send("a\udc80b", "ü")
    assert capfdbinary.readouterr().out == "a?b\nü\n".encode()
