"""`skyclaim play --terminal`: what a person types, what they are shown, and that no input ends or spoils a game."""

from __future__ import annotations

import builtins
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyclaim_engine import cli
from skyclaim_engine.commands import terminal
from skyclaim_engine.commands.terminal import Match, Refusal, Table, find_step
from skyclaim_engine.games.skyclaim.position import GAME
from skyclaim_engine.options import Value, complete

Play = Callable[..., tuple[int, str]]
PROMPT = "South, turn 1> "


@pytest.fixture
def skyclaim_play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Play:
    """`skyclaim play` with these arguments and typed lines: the exit status and what is printed."""

    def run(*lines: str, args: str = "--seed 1") -> tuple[int, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        status = cli.main(["play", "--terminal", *args.split()])
        out, err = capsys.readouterr()
        assert err == ""
        return status, out

    return run


def match(seed: int = 1, you: int | None = 1, **options: Value) -> Match:
    return Match.start(seed, complete(GAME.options, options), you, 10)


def table(game: Match) -> Table:
    return Table(game, colour=False)


def last_answer(out: str) -> str:
    """What is printed after the last but one prompt, without what was typed."""
    return out.split("> ")[-2].split("\n", 1)[1].rsplit("\n", 1)[0]


# -- the conversation


def test_the_first_minute(skyclaim_play: Play) -> None:
    status, out = skyclaim_play("hint", "list", "why e4e5", "e4e5", "quit")
    assert status == 0
    assert out.startswith("Skyclaim, game 1. You are South")
    assert "69 of the 121 squares win" in " ".join(out.split())
    assert "\nTry " in out
    assert " 1 e1 +2\n" in out
    assert "e4e5 raider" in out
    assert "You swap e4 and e5." in out
    assert "The bot" in out.split("You swap e4 and e5.")[-1]
    assert "South, turn 3> quit\nGoodbye.\n" in out
    assert "\x1b" not in out
    assert max(map(len, out.split("\n"))) <= 100


def test_the_end_of_the_input_is_a_goodbye(skyclaim_play: Play) -> None:
    assert skyclaim_play()[0] == 0
    status, out = skyclaim_play("claim")
    assert (status, out[-9:]) == (0, "Goodbye.\n")


def test_an_interrupt_is_status_130(skyclaim_play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(builtins, "input", interrupt)
    status, out = skyclaim_play()
    assert (status, out[-10:]) == (130, "\nGoodbye.\n")


def test_the_same_seed_and_the_same_lines_are_the_same_game(skyclaim_play: Play) -> None:
    lines = ("claim", "e4e5", "1", "1", "fen", "drones", "quit")
    assert skyclaim_play(*lines) == skyclaim_play(*lines)
    assert skyclaim_play(*lines) != skyclaim_play(*lines, args="--seed 2")


def test_north_is_asked_after_the_bot_has_begun(skyclaim_play: Play) -> None:
    out = skyclaim_play("claim g11", args="--seed 1 --side N --skill 100")[1]
    assert "You are North" in out
    assert out.index("The bot") < out.index("North, turn 2> claim g11\nYour scout")


def test_two_people_take_turns(skyclaim_play: Play) -> None:
    out = skyclaim_play("claim", "claim", "undo", "quit", args="--seed 1 --two")[1]
    assert "South, turn 1> claim\nSouth's scout on e1 claims" in out
    assert "North, turn 2> claim\nNorth's scout on g11 claims" in out
    assert "South, turn 3> undo" in out
    assert "North, turn 2> quit" in out


def test_a_free_step_leaves_the_turn(skyclaim_play: Play) -> None:
    out = skyclaim_play("fire:e1c3", "quit")[1]
    assert "It is still your turn" in out
    assert "South, turn 1> quit" in out


def test_a_game_to_its_end_and_on_from_there(skyclaim_play: Play) -> None:
    lines = ["claim", *["1"] * 5, "hint", "undo", "new 5", "quit"]
    out = skyclaim_play(*lines, args="--seed 1 --turn-limit 6")[1]
    assert "That was the last turn" in " ".join(out.split())
    assert "The game is over. 'undo' takes your last step back" in out
    assert "The game is over: 'undo', 'new' or 'quit'." in out
    assert "over, turn 7> undo" in out
    assert "South, turn 5> new 5\nSkyclaim, game 5. You are South" in out


@pytest.mark.parametrize("word", ["help", "rules", "legend", "drones", "board", "fen", "list", "list swap", "list e4"])
def test_what_can_be_looked_at_changes_nothing(skyclaim_play: Play, word: str) -> None:
    out = skyclaim_play(word, "fen", "quit")[1]
    assert last_answer(out) == GAME.start(1).line()
    assert len(out.split(PROMPT)[1].split("\n")) > 1


# -- what is typed


@pytest.mark.parametrize("text", ["swap:e4e5", "e4e5", "e5e4", "E4 E5", "swap e4-e5", "SWAP:e5e4", "e4,e5", "2"])
def test_ways_to_type_a_step(text: str) -> None:
    game = match()
    assert find_step(text, table(game).steps(), game.view()) == "swap:e4e5"


@pytest.mark.parametrize("text", ["claim", "claim e1", "claim:e1", "e1", "1"])
def test_ways_to_claim(text: str) -> None:
    game = match()
    assert find_step(text, table(game).steps(), game.view()) == "claim:e1"


def test_every_step_has_its_number_and_its_text() -> None:
    game = match()
    steps = table(game).steps()
    assert sorted(steps) == game.position.legal()
    for number, step in enumerate(steps, 1):
        assert find_step(str(number), steps, game.view()) == find_step(step, steps, game.view()) == step


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("joho", "'joho' is neither a step nor a command; 'help' shows what there is."),
        ("a1a2", "Swapping a1 and a2 makes no line, so they snap back."),
        ("swap a1c1", "The stars on a1 and c1 are not side by side, so they cannot be swapped."),
        ("b4c4", "There is an asteroid on c4: it cannot be swapped."),
        ("e11e10", "The star on e11 is on the other side's land: it cannot be swapped."),
        ("e1k9", "The drone on e1 has no such step to k9; 'list e1' shows what it can do."),
        ("move a5b5", "You have no drone on a5; 'list' shows the legal steps."),
        ("claim b3", "There is no legal claim b3 now; 'list' shows the legal steps."),
        ("take", "There is no legal take now; 'list' shows the legal steps."),
        ("stack", "That could be stack:e1f3 or stack:e1g1: type one of them."),
        ("swap", "That could be any of 35 steps: say which square."),
        ("e1e2", "That could be move:e1e2 or fire:e1e2: type one of them."),
        ("0", "There is no step 0: the list has 1 to 83."),
        ("999999999999", "There is no step 999999999: the list has 1 to 83."),
        ("why", "'why' needs a step, as in 'why e4e5'."),
        ("why 0", "There is no step 0: the list has 1 to 83."),
        ("hint me", "'hint' stands alone, without 'me'."),
        ("list take", "There is no legal step for 'take' now."),
        ("list all", "'all' is neither a square nor a kind of step"),
        ("undo", "There is nothing to take back."),
        ("new x", "The seed 'x' is not in 0..2^64 - 1."),
        ("save", "'save' needs the name of a file."),
        ("load", "'load' needs the name of a file."),
        ("load /", "'/' cannot be read: Is a directory."),
        ("load nowhere/at/all", "'nowhere/at/all' cannot be read: No such file or directory."),
        ("save \0", "'\\x00' cannot be written:"),
        ("save ~nobody-of-this-name/x", "'~nobody-of-this-name/x': there is no such home folder."),
    ],
)
def test_a_wrong_line_is_one_sentence_and_changes_nothing(skyclaim_play: Play, text: str, reason: str) -> None:
    status, out = skyclaim_play(text, "fen", "quit")
    assert status == 0
    answer = " ".join(out.split(PROMPT)[1].split("\n", 1)[1].split())
    assert answer.startswith(reason)
    assert last_answer(out) == GAME.start(1).line()


@given(st.text(max_size=30))
def test_any_text_is_a_step_or_is_refused(text: str) -> None:
    game = match()
    steps = game.position.legal()
    try:
        found = find_step(text, steps, game.position)
    except Refusal as refusal:
        found = str(refusal)
    assert found in steps or "\n" not in found


def test_bytes_that_are_no_text(skyclaim_play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    skyclaim_play()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfe\nquit\n"), "utf-8"))
    assert cli.main(["play", "--terminal", "--seed", "1"]) == 0


# -- going back, and files


def test_undo_restores_the_stream() -> None:
    game = match()
    before = game.position.copy()
    game.play("swap:e4e5")
    assert game.bot_decides
    assert game.position != before
    assert game.undo()
    assert game.position == before
    assert game.position.stream == before.stream
    assert not game.undo()


def test_undo_goes_to_the_previous_decision(skyclaim_play: Play) -> None:
    out = skyclaim_play("claim", "1", "undo", "fen", "undo", "fen", "undo", "quit")[1]
    first = GAME.start(1).line()
    assert f"South, turn 1> fen\n{first}\n" in out
    assert "South, turn 3> fen\n" in out
    assert "South, turn 1> undo\nThere is nothing to take back.\n" in out


def test_a_game_is_kept_and_gone_on_with(skyclaim_play: Play, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    out = skyclaim_play("claim", f"save {file}", f"save {file}", "1", "fen", "quit", args="--seed 1 --salvage")[1]
    assert f"kept in {file}" in " ".join(out.split())
    again = skyclaim_play(f"load {file}", "1", "fen", "quit", args="--seed 9 --side N")[1]
    assert last_answer(again) == last_answer(out)
    assert json.loads(file.read_text())["options"]["Salvage"] is True


def test_another_file_is_not_written_over(skyclaim_play: Play, tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("dear you")
    out = skyclaim_play(f"save {file}", "quit")[1]
    assert "is there already and is not a saved game" in " ".join(out.split())
    assert file.read_text() == "dear you"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (None, "that is not a saved game"),
        ({"skyclaim": 2}, "that is not a saved game"),
        ({"position": "x"}, "the saved game is not right: line 'x': has 1 fields"),
        ({"options": {"Fog": "thick"}}, "the saved game is not right: option Fog: 'thick'"),
        ({"options": 5}, "the saved game is not right: something is missing"),
        ({"you": "Q"}, "the saved game is not right: seat 'Q'"),
        ({"skill": 1000}, "the saved game is not right: option Skill"),
        ({"seed": "x"}, "the saved game is not right: seed 'x' is not a whole number"),
        ({"seed": -5}, "the saved game is not right: seed '-5' is not in 0..2^64 - 1"),
        ({"seed": float("inf")}, "the saved game is not right: seed 'inf' is not a whole number"),
        ({"position": GAME.start(1).observe(1).line()}, "the saved game does not know its stream of chance"),
    ],
)
def test_a_file_that_is_no_game(change: dict[str, object] | None, reason: str) -> None:
    facts = json.loads(match().save())
    text = "dear you" if change is None else json.dumps({**facts, **change})
    with pytest.raises(Refusal) as caught:
        Match.load(text)
    assert str(caught.value).startswith(reason)


# -- fog, colours, the command line


@pytest.mark.parametrize("fog", ["seam", "dark"])
def test_under_fog_a_person_is_shown_what_they_see(fog: str) -> None:
    game = match(Fog=fog)
    assert game.view() == game.position.observe(1)
    game.play("claim:e1")
    step = next(step for step in game.position.legal() if step.startswith("move:f11"))
    assert game.play(step) == []  # the other Command moves in the dark
    assert game.view() == game.position.observe(1)
    assert sorted(table(game).steps()) == game.view().legal()


def test_in_the_dark_the_bot_is_heard_only(skyclaim_play: Play) -> None:
    out = skyclaim_play("claim", "fen", args="--seed 1 --fog dark")[1]
    assert "There is fog" in out
    assert "???" in out.split("fen\n")[1]
    assert "x" not in out.split("fen\n")[1].split(" ")[1]  # no drone of the other side


def test_after_the_end_the_fog_lifts() -> None:
    game = match(Fog="dark", TurnLimit=1)
    game.play("claim:e1")
    assert game.position.result is not None
    assert game.view() == game.position


def test_colours_only_on_a_terminal_that_wants_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: False, raising=False)
    assert not terminal._wants_colour(False)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    assert terminal._wants_colour(False)
    assert not terminal._wants_colour(True)
    monkeypatch.setenv("TERM", "dumb")
    assert not terminal._wants_colour(False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    assert not terminal._wants_colour(False)


@pytest.mark.parametrize(
    "args",
    ["--skill 101", "--skill x", "--side W", "--seed -1", "--fog thick", "--land-to-win 5", "--turn-limit 0", "e4e5"],
)
def test_a_wrong_command_line_is_status_2(args: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main(["play", "--terminal", *args.split()])
    assert caught.value.code == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)


def test_two_people_and_fog_do_not_go_together(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["play", "--terminal", "--two", "--fog", "dark"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "fog" in err
