"""`skyclaim play` and `skyclaim serve`, as a person starts and ends them."""

from __future__ import annotations

import io
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from gui_adapter import server
from skyclaim_engine import cli
from skyclaim_engine.commands import serve
from skyclaim_engine.errors import SkyclaimError

from .serving import PATIENCE

ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/#k=\S{22,}")
SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")

Start = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start `skyclaim` with its data in a folder of the test's, and nothing of the machine's screen."""
    running: list[subprocess.Popen[str]] = []

    def run(*args: str, **environment: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "skyclaim_engine.cli", *args, "--data", str(tmp_path / "data"), "--port", "0"]
        kept = {name: value for name, value in os.environ.items() if name not in SCREENS}
        pipe = subprocess.PIPE
        running.append(
            subprocess.Popen(command, stdout=pipe, stderr=pipe, stdin=pipe, text=True, env={**kept, **environment})
        )
        return running[-1]

    yield run
    for process in running:
        process.kill()
        process.communicate()


def address(process: subprocess.Popen[str]) -> str:
    """The address that is printed first."""
    assert process.stdout
    found = ADDRESS.search(line := process.stdout.readline())
    assert found, line
    return found[0]


def ended(process: subprocess.Popen[str], number: signal.Signals = signal.SIGINT) -> tuple[int, str, str]:
    """End a process: its status, and what else it printed."""
    assert process.stdout
    assert process.stderr
    process.send_signal(number)
    out, err = process.stdout.read(), process.stderr.read()  # not `communicate`, which forgets what was read ahead
    return process.wait(PATIENCE), out, err


def test_the_page_is_served_until_ctrl_c(start: Start, tmp_path: Path) -> None:
    process = start("serve")
    url = address(process)
    with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
        assert b"<title>Skyclaim</title>" in answer.read()
    children = psutil.Process(process.pid).children(recursive=True)
    status, out, err = ended(process)
    assert (status, err) == (0, "")
    assert out.endswith("The games are saved. Goodbye.\n")
    assert not any(child.is_running() for child in children)
    files = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "data").iterdir()}
    assert {"skyclaim.db", "server.log", "running"} <= set(files)
    assert set(files.values()) == {0o600}
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700
    token = url.partition("#k=")[2]
    assert not any(token in path.read_text("latin-1") for path in (tmp_path / "data").iterdir())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_other_ways_to_end_it(start: Start, number: signal.Signals) -> None:
    process = start("serve")
    address(process)
    assert ended(process, number)[0] == 0


def test_a_server_that_is_killed_leaves_nothing_in_the_way(start: Start) -> None:
    process = start("serve")
    first = address(process)
    process.kill()
    process.wait()
    process = start("serve")
    assert address(process) != first


def test_a_second_one_says_where_the_first_one_is(start: Start) -> None:
    url = address(start("serve"))
    out, err = start("play", "--no-browser").communicate(timeout=PATIENCE)
    assert (out, err) == (f"Skyclaim runs already:  {url}\n", "")


def test_play_opens_the_browser(start: Start, tmp_path: Path) -> None:
    browser, opened = tmp_path / "browser", tmp_path / "opened"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {opened}.new && mv {opened}.new {opened}\n')
    browser.chmod(0o755)
    process = start("play", BROWSER=f"{browser} %s")
    url = address(process)
    while not opened.exists():
        assert process.poll() is None
    assert opened.read_text() == url
    assert ended(process)[0] == 0


def test_play_without_a_screen_and_without_a_browser(start: Start) -> None:
    process = start("play")
    address(process)
    assert "There is no screen here" in ended(process)[1]


def test_no_browser_is_opened_unless_asked_for(start: Start, tmp_path: Path) -> None:
    for args in (("play", "--no-browser"), ("serve",)):
        process = start(*args, BROWSER=f"touch {tmp_path / 'opened'} %s")
        address(process)
        assert "screen" not in ended(process)[1]
        assert not (tmp_path / "opened").exists()


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"nonsense" * 200, "not a database"), (None, "newer than this program")],
    ids=["no", "newer"],
)
def test_data_that_cannot_be_used_are_named_and_kept(
    start: Start, tmp_path: Path, content: bytes | None, reason: str
) -> None:
    file = tmp_path / "data" / server.FILE
    file.parent.mkdir()
    if content is None:
        with closing(sqlite3.connect(file)) as db:
            db.execute("PRAGMA user_version = 1000")
    else:
        file.write_bytes(content)
    process = start("serve")
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err.count("\n")) == (1, "", 1)
    assert reason in err
    assert str(tmp_path) in err
    if content is None:
        with closing(sqlite3.connect(file)) as db:
            assert db.execute("PRAGMA user_version").fetchone() == (1000,)
    else:
        assert file.read_bytes() == content


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ("--skill 20", "--skill goes with --terminal"),
        ("--land-to-win 70", "--land-to-win goes with --terminal"),
        ("--two", "--two goes with --terminal"),
        ("--terminal --lan", "--lan does not go with --terminal"),
        ("--terminal --port 9000", "--port does not go with --terminal"),
    ],
)
def test_arguments_of_the_other_kind_of_game(args: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["play", *args.split()]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert words in err


@pytest.mark.parametrize(
    "args", ["--port x", "--port -1", "--port 65536", "--lan yes", "--data=", "--host 0.0.0.0", "x"]
)
def test_a_wrong_command_line_is_status_2(args: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main(["serve", *args.split()])
    assert caught.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_where_the_data_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    assert serve.data_folder() == Path("/home/ada/.local/share/skyclaim")
    monkeypatch.setenv("XDG_DATA_HOME", "relative")  # which is to be ignored
    assert serve.data_folder() == Path("/home/ada/.local/share/skyclaim")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert serve.data_folder() == Path("/data/skyclaim")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_address_for_phones_comes_with_a_warning_and_a_code(monkeypatch: pytest.MonkeyPatch) -> None:
    for screen, code in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr(sys, "stdout", screen)
        serve.announce(["http://127.0.0.1:8765/#k=x", "http://192.0.2.7:8765/#k=x"])
        text = screen.getvalue()
        assert "http://192.0.2.7:8765/#k=x" in text
        assert "not encrypted" in text
        assert ("▄" in text) is code
    monkeypatch.setattr(sys, "stdout", screen := Terminal())
    serve.announce(["http://127.0.0.1:8765/#k=x"])
    assert "encrypted" not in screen.getvalue()


def test_without_a_network_there_is_no_lan(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(*args: object) -> None:
        raise OSError

    class Nowhere(socket.socket):
        connect = unreachable

    monkeypatch.setattr("gui_adapter.server.socket.socket", Nowhere)
    with pytest.raises(SkyclaimError, match="--lan"):
        server.lan_address()
