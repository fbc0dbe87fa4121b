"""After the game: the result, the list of games, replay, analysis, files, ratings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gui_adapter import analysis
from tests.gui.page.phone import Phone, advice

MOVES = 6


def played(phone: Phone, steps: int = MOVES) -> Phone:
    """A game of a few steps, given up."""
    phone.begin()
    for _ in range(steps):
        phone.turn(advice(phone.state))
    phone.resign()
    return phone


def at(phone: Phone) -> str:
    """The moment that the replay is at."""
    return str(phone.page.get_attribute("#replay-moves button[aria-current=true]", "data-moment"))


def look(phone: Phone) -> None:
    phone.press("#after >> text=Look")
    phone.wait(lambda: "The start" in phone.words("#replay-text"))


def test_the_result_and_what_next(phone: Phone) -> None:
    played(phone, 1)
    assert phone.words("#after h2") == "You have resigned."
    assert "Your rating is 998, 2 less." in phone.words("#after")
    match = phone.state["match"]
    phone.press("#after >> text=Harder")
    phone.wait(lambda: phone.state["match"] != match)
    phone.mine()
    assert phone.state["seats"][1]["skill"] == 20
    assert not phone.shows("#after")


def test_a_new_game_while_one_is_under_way_asks(phone: Phone) -> None:
    phone.begin()
    match = phone.state["match"]
    phone.press("#again")
    phone.answer("counts as a loss", yes=False)
    phone.page.wait_for_timeout(200)
    assert phone.state["match"] == match
    phone.press("#again")
    phone.press("#confirm-yes")
    phone.wait(lambda: phone.state["match"] != match)
    phone.go("ratings")
    phone.wait(lambda: phone.words("#rating-now") == "998")
    assert phone.page.locator("#ratings tbody tr").count() == 1
    assert phone.page.locator("#ratings .plot polyline").count() == 1


def test_undo_in_practice(phone: Phone) -> None:
    phone.page.add_init_script("localStorage.setItem('skyclaim.settings', JSON.stringify({ practice: true }))")
    phone.begin()
    assert phone.page.is_disabled("#undo")
    before, step = phone.state["line"], phone.swap()
    phone.turn(step)
    first = phone.state["moves"][0]
    seq = phone.state["seq"]
    phone.press("#undo")
    phone.settled(seq)
    assert phone.state["line"] == before
    phone.turn(step)
    assert phone.state["moves"][0] == first


def test_replay_by_keys(phone: Phone) -> None:
    played(phone)
    moves = phone.state["moves"]
    look(phone)
    keys = phone.page.keyboard
    keys.press("ArrowRight")
    assert at(phone) == "1"
    assert phone.shows("#replay-text")
    keys.press("End")
    assert phone.page.evaluate("() => scrollY") == 0, "only the list scrolls"
    last = at(phone)
    assert last == str(len(moves))
    keys.press("ArrowLeft")
    keys.press("ArrowRight")
    keys.press("ArrowRight")
    assert at(phone) == last
    keys.press("Home")
    assert phone.page.locator("#replay-moves button[aria-current=true]").count() == 0
    phone.press("#replay-keys button >> nth=2")
    assert at(phone) == "1"


def test_analysis_graph_arrows_and_another_try(phone: Phone) -> None:
    played(phone)
    moments = len(phone.state["moves"]) + 1
    look(phone)
    phone.press("#analyse")
    assert phone.words("#analyse") == "Stop"
    phone.wait(lambda: phone.words("#analyse") == "Analyse", 60)
    points = phone.page.get_attribute("#replay .plot .line", "points").split()
    assert len(points) == moments
    assert "chance to win" in phone.words("#win-now")
    assert phone.page.locator("#replay-board .arrow").count() >= 1
    # the graph leads to a moment
    box = phone.page.locator("#replay .plot").bounding_box()
    phone.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    middle = (moments - 1) / 2
    assert abs(int(at(phone)) - middle) <= 0.5
    phone.page.keyboard.press("Home")
    match = phone.state["match"]
    phone.press("text=Try again from here")
    phone.wait(lambda: phone.state["match"] != match)
    phone.mine()
    assert not phone.state["rated"]
    assert phone.state["turn"] == 1


def test_the_moments_that_decided_it(phone: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the card, each leading to its moment in the replay; and there, that a win was certain."""
    known: dict[str, float] = {}

    async def judge(host: object, lease: object, header: object, line: str, played: str, ms: int) -> dict[str, object]:
        win = known.setdefault(line, [0.5, 0.9, 0.85, 1.0][min(len(known), 3)])
        point = {"best": [], "played": played, "loss": 0.0, "blunder": False}
        return {**point, "win": win, "forced": 1 if win == 1 else None}

    monkeypatch.setattr(analysis, "_judge", judge)
    played(phone, 3)
    rows = phone.page.locator("#after .moments button")
    phone.wait(lambda: rows.count() > 0)
    assert ["50% → 90%" in rows.nth(0).inner_text(), "85% → 100%" in rows.nth(1).inner_text()] == [True, True]
    assert rows.count() == 2, "that it was given up is no moment"
    rows.nth(1).tap()
    phone.wait(lambda: phone.shows("#replay-keys button") and at(phone) == "3")
    phone.press("#analyse")
    phone.wait(lambda: "in this turn, whatever comes" in phone.words("#win-now"))


def test_hints_are_told_in_the_list(phone: Phone) -> None:
    phone.begin()
    phone.page.keyboard.press("h")
    phone.wait(lambda: "A good swap" in phone.words("#message"))
    phone.resign()
    phone.go("games")
    phone.wait(lambda: "1 hint" in phone.words("#games-list"))


def test_analysis_can_be_stopped(phone: Phone) -> None:
    played(phone)
    look(phone)
    phone.press("#analyse")
    phone.wait(lambda: phone.page.locator("#replay-analysis progress").count() == 1)
    phone.press("#analyse")
    assert phone.words("#analyse") == "Analyse"
    seen = len(phone.received)
    phone.page.wait_for_timeout(1500)
    assert [text for text in phone.received[seen:] if '"analysis"' in text] == []


def test_a_game_as_a_file(phone: Phone, tmp_path: Path) -> None:
    played(phone)
    look(phone)
    with phone.page.expect_download() as waiting:
        phone.press("text=Save as a file")
    file = tmp_path / waiting.value.suggested_filename
    waiting.value.save_as(file)
    header, game = (json.loads(line) for line in file.read_text().splitlines())
    assert header["record"] == "match"
    assert len(game["steps"]) == len(phone.state["moves"])
    phone.press("#replay .back")
    phone.page.wait_for_selector("#games-list button")
    phone.page.set_input_files("#import-file", file)
    phone.wait(lambda: phone.page.evaluate("() => document.body.dataset.screen") == "replay")
    phone.wait(lambda: phone.page.locator("#replay-moves button").count() == len(game["steps"]))
    # what is no record is refused in a sentence
    file.write_text("nothing")
    phone.press("#replay .back")
    phone.page.wait_for_selector("#games-list button")
    assert phone.page.locator("#games-list button").count() == 2
    phone.page.set_input_files("#import-file", file)
    phone.wait(lambda: phone.shows("#notice"))
