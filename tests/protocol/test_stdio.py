"""The engine as a process: what happens on its standard streams, with the toy games and with the real ones."""

from __future__ import annotations

import signal
import subprocess

import pytest

from .host import GUARD
from .processes import ENGINES, ROOT, Pipes, converse

START = b"position startpos seed 1\n"


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> list[str]:
    return ENGINES[request.param]


def answers(engine: list[str], data: bytes) -> list[str]:
    """What the engine says to ``data``; it must end well and complain of nothing."""
    status, lines, log = converse(engine, data)
    assert status == 0
    assert "Traceback" not in log
    return lines


def test_the_handshake(engine: list[str]) -> None:
    lines = answers(engine, b"uci\nisready\nquit\n")
    assert lines[0].startswith("id name ")
    assert lines[-2:] == ["uciok", "readyok"]
    assert all(line.startswith(("id ", "option name ")) for line in lines[:-2])


def test_no_input_at_all(engine: list[str]) -> None:
    assert answers(engine, b"") == []


def test_empty_lines(engine: list[str]) -> None:
    assert answers(engine, b"\n\r\n \n\t\n\nisready\n") == ["readyok"]


def test_crlf(engine: list[str]) -> None:
    assert answers(engine, b"isready\r\nposition startpos seed 1\r\nisready\r\nquit\r\n") == ["readyok", "readyok"]


def test_tabs(engine: list[str]) -> None:
    [legal] = answers(engine, b"\tposition\tstartpos\t seed \t1\t\n\tlegal\n")
    assert legal.startswith("legal ")


def test_a_line_of_a_mebibyte(engine: list[str]) -> None:
    flood, ready = answers(engine, b"go " + b"x" * (1 << 20) + b"\nisready\n")
    assert flood.startswith("error too-long ")
    assert ready == "readyok"


def test_a_mebibyte_without_a_line_end(engine: list[str]) -> None:
    [flood] = answers(engine, b"x" * (1 << 20))
    assert flood.startswith("error too-long ")


def test_half_a_line_at_the_end_of_the_input_is_a_line(engine: list[str]) -> None:
    assert answers(engine, b"isready") == ["readyok"]
    [error] = answers(engine, b"isrea")
    assert error.startswith("error unknown-command 'isrea'")


def test_bytes_that_are_no_text(engine: list[str]) -> None:
    lines = answers(engine, b"\xff\xfe\x00\n\xc3\nisready \x80\nsetoption name \xf0 value \x00\n")
    assert [line.split()[:2] for line in lines] == [
        ["error", "unknown-command"],
        ["error", "unknown-command"],
        ["readyok"],
        ["error", "bad-option"],
    ]


def test_stop_before_go(engine: list[str]) -> None:
    assert answers(engine, b"stop\n" + START + b"stop\nisready\n") == ["readyok"]


def test_go_without_a_position(engine: list[str]) -> None:
    [error] = answers(engine, b"go nodes 10\n")
    assert error.startswith("error no-position ")


def test_what_ends_by_itself_may_do_so_at_the_end_of_the_input() -> None:
    patient = [*ENGINES["toy"], "patient"]
    assert answers(patient, START + b"go perft 3\n")[-1] == "Nodes searched: 64"
    assert answers(patient, START + b"go nodes 5 id x\n")[-1] == "bestmove roll:3 id x"


def test_the_end_of_the_input_stops_an_endless_search_which_answers() -> None:
    assert answers([*ENGINES["toy"], "patient"], START + b"go infinite id x\n")[-1] == "bestmove roll:3 id x"


@pytest.mark.parametrize("line", [b"go infinite", b"go perft 9"])
def test_the_end_of_the_input_ends_any_search(engine: list[str], line: bytes) -> None:
    answers(engine, START + line + b"\n")


def test_go_twice(engine: list[str]) -> None:
    with Pipes(engine) as pipes:
        pipes.write(START + b"go infinite id a\ngo infinite id b\n")
        assert pipes.read_until(b"error").startswith(b"error busy ")
        pipes.write(b"stop\n")
        assert pipes.read_until(b"bestmove").rstrip().endswith(b" id a")
        pipes.write(b"go nodes 10 id b\n")
        assert pipes.read_until(b"bestmove").rstrip().endswith(b" id b")


def test_isready_during_a_search(engine: list[str]) -> None:
    with Pipes(engine) as pipes:
        pipes.write(START + b"go infinite\nisready\n")
        pipes.read_until(b"readyok")
        pipes.write(b"stop\nisready\n")
        pipes.read_until(b"bestmove")
        pipes.read_until(b"readyok")


def test_a_position_during_a_search(engine: list[str]) -> None:
    with Pipes(engine) as pipes:
        pipes.write(START + b"d\ngo infinite id a\n" + START.replace(b"1", b"2") + b"d\n")
        first = pipes.read_until(b"fen")
        assert pipes.read_until(b"bestmove").rstrip().endswith(b" id a")
        assert pipes.read_until(b"fen") != first


def test_quit_during_a_search(engine: list[str]) -> None:
    with Pipes(engine) as pipes:
        pipes.write(START + b"go infinite\nisready\n")
        pipes.read_until(b"readyok")
        pipes.write(b"quit\n")
        assert pipes.status() == 0


def test_what_comes_after_quit_is_not_read(engine: list[str]) -> None:
    assert answers(engine, b"quit\nisready\n" * 3) == []


def test_a_host_that_closes_its_end_and_goes(engine: list[str]) -> None:
    with Pipes(engine) as pipes:
        pipes.write(START + b"go infinite\n")
        pipes.stdout.close()
        pipes.write(b"uci\nstop\nd\n" * 50)
        pipes.stdin.close()
        assert pipes.status() == 0


def test_a_closed_stdout_does_not_end_the_engine(engine: list[str]) -> None:
    with Pipes(engine) as pipes:
        pipes.stdout.close()
        pipes.write(b"isready\n" + START + b"d\n" * 20 + b"quit\n")
        assert pipes.status() == 0


def test_a_host_that_never_reads_cannot_keep_the_engine(engine: list[str]) -> None:
    with Pipes(engine) as pipes:
        pipes.write(b"uci\n" * 200)  # far more than a pipe holds
        pipes.stdin.close()
        assert pipes.status() == 0


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_streams_that_were_never_open(engine: list[str], closed: str) -> None:
    script = f'exec "$@" {closed}'
    done = subprocess.run(
        ["sh", "-c", script, "sh", *engine], input=b"isready\nquit\n", capture_output=True, cwd=ROOT, timeout=GUARD
    )
    assert done.returncode == 0
    assert done.stdout == (b"readyok\n" if closed == "2>&-" else b"")


def test_an_interrupt_ends_it_with_its_own_status(engine: list[str]) -> None:
    with Pipes(engine) as pipes:
        pipes.write(b"isready\n")
        pipes.read_until(b"readyok")
        pipes.process.send_signal(signal.SIGINT)
        assert pipes.status() == 130
