"""The README's examples are run, and must print what it says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from skyclaim_engine import GAMES

README = (Path(__file__).resolve().parents[1] / "README.md").read_text(encoding="utf-8")


def blocks() -> list[str]:
    """The README's code blocks in order."""
    return re.findall(r"^```\w*\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def pattern(shown: str) -> re.Pattern[str]:
    """The text with each … standing for any text."""
    return re.compile(".*?".join(re.escape(part) for part in shown.split("…")), re.DOTALL)


def test_the_first_screen_gives_the_two_commands() -> None:
    first = README.split("## ", 1)[0]
    assert "make play " in first
    assert "make test " in first


def test_the_library_example() -> None:
    code, shown = blocks()[1:3]
    assert len([line for line in code.splitlines() if line.strip()]) <= 10
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == shown


def test_the_loop_over_all_games() -> None:
    ran = subprocess.run([sys.executable, "-c", blocks()[3]], capture_output=True, text=True, check=True)
    assert [line.split()[:2] for line in ran.stdout.splitlines()] == [[name, "result"] for name in GAMES]


def test_the_transcript() -> None:
    transcript = blocks()[4]
    lines = transcript.splitlines()
    assert len(lines) == 10
    sent = "".join(line.removeprefix("> ") + "\n" for line in lines if line.startswith("> "))
    answers = "".join(line + "\n" for line in lines if not line.startswith("> "))
    command = [sys.executable, "-m", "skyclaim_engine"]
    # the engine is given time to think by a host that waits: the last line is sent, then nothing until bestmove
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        engine.stdin.write(sent)
        engine.stdin.flush()
        heard = ""
        while not heard.rpartition("\n")[0].rpartition("\n")[2].startswith("bestmove"):
            line = engine.stdout.readline()
            assert line, f"the engine ended early, after:\n{heard}"
            heard += line
        engine.stdin.write("quit\n")
    assert engine.returncode == 0
    assert pattern(answers).fullmatch(heard), heard


def test_the_commands_of_a_match(tmp_path: Path) -> None:
    script = blocks()[5]
    assert script.count("skyclaim ") == 5  # four commands, and the engine that one of them checks
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path}
    ran = subprocess.run(["sh", "-ec", script], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    for word in ("Elo", "strictly rising", "handshake"):
        assert word in ran.stdout


def test_what_the_readme_links_to_is_there() -> None:
    root = Path(__file__).resolve().parents[1]
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (root / target).exists(), target
