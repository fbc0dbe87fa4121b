"""The guided first game: it lights what to tap, waits, and never gets stuck."""

from __future__ import annotations

import re

from tests.gui.page.phone import SQUARE, Phone, advice

LIT = "#board .mark.led"


def begin(phone: Phone) -> None:
    phone.open()
    phone.press("#home-guided")
    phone.mine()


def lit(phone: Phone) -> str:
    """The one square that is lit."""
    squares = phone.page.wait_for_function(
        """() => {
            const squares = [...document.querySelectorAll("#board .mark.led")].map((mark) => {
                const { left, top, width, height } = mark.getBoundingClientRect();
                return [...document.querySelectorAll("#board [role=gridcell]")].find((cell) => {
                    const box = cell.getBoundingClientRect();
                    return Math.abs(box.left - left) < width / 2 && Math.abs(box.top - top) < height / 2;
                }).getAttribute("aria-label").split(",")[0];
            });
            return squares.length && squares;
        }"""
    ).json_value()
    (square,) = squares
    return str(square)


def lit_for_good(phone: Phone) -> int:
    return str(phone.state["line"].split()[6]).count("S")


def follow(phone: Phone) -> str:
    """Do what the guide says, tapping what is lit; the kind of step that this was."""
    seq = phone.state["seq"]
    phone.wait(lambda: SQUARE.search(phone.words("#guide p:last-child")))
    text = phone.words("#guide p:last-child")
    named = SQUARE.findall(text)
    phone.wait(lambda: lit(phone) == named[0])
    phone.tap(named[0])
    for kind in ("Claim", "Fire"):
        if f"then {kind}" in text:
            phone.press(f"#chips .kind-{kind.lower()}.led")
    if len(named) > 1:
        phone.wait(lambda: lit(phone) == named[1])
        phone.tap(named[1])
    if "then Swap" in text:
        phone.press("#chips .chip-step.kind-swap.led")
    if phone.shows("#chips .chip-yes"):
        assert "then the tick" in text or "asks first" in text
        phone.press("#chips .chip-yes.led")
    phone.settled(seq)
    own = [move for move in phone.state["moves"] if move["seat"] == 1]
    return str(own[-1]["step"]).split(":")[0]


def test_it_shows_everything_in_turn(phone: Phone) -> None:
    begin(phone)
    state = phone.state
    assert state["guided"]
    assert not state["rated"]
    assert state["clocks"] is None
    assert state["options"]["Fog"] == "dark"
    assert state["seats"][1]["skill"] == 0
    assert phone.page.locator(LIT).count() == 0
    phone.press("#guide-bar >> text=Next")
    dark = phone.state["line"].count("?")
    assert follow(phone) == "move"
    assert phone.state["line"].count("?") < dark
    kept = lit_for_good(phone)
    assert follow(phone) == "claim"
    assert lit_for_good(phone) > kept
    assert "lit for the whole game" in phone.words("#guide")
    assert follow(phone) == "swap"
    assert follow(phone) == "fire"
    assert follow(phone) == "stack"
    # there may be no missile to load yet: then the game goes on, and nothing is lit
    if phone.page.locator(LIT).count():
        assert follow(phone) == "move"
    else:
        assert "Command" in phone.words("#guide")
        phone.press("#guide-bar >> text=/^Skip$/")
    assert "all there is to know" in phone.words("#guide")
    phone.press("#guide-bar >> text=Play on")
    assert not phone.shows("#guide")
    assert phone.shows("#bar")


def test_other_steps_do_not_stick(phone: Phone) -> None:
    begin(phone)
    for _ in range(12):
        if phone.over:
            break
        phone.turn(advice(phone.state))
        assert phone.over or phone.words("#guide p:last-child")


def test_each_part_can_be_skipped(phone: Phone) -> None:
    begin(phone)
    phone.press("#guide-bar >> text=Next")
    texts = []
    while phone.page.locator("#guide-bar >> text=/^Skip$/").count():
        text = phone.words("#guide p:last-child")
        texts.append(text)
        phone.press("#guide-bar >> text=/^Skip$/")
        phone.wait(lambda text=text: phone.words("#guide p:last-child") != text)
    assert len(set(texts)) == 6
    assert phone.page.locator(LIT).count() == 0


def test_all_of_it_can_be_skipped_and_stays_so(phone: Phone) -> None:
    begin(phone)
    phone.press("#guide-bar >> text=Skip all")
    assert not phone.shows("#guide")
    phone.page.reload()
    phone.mine()
    assert not phone.shows("#guide")


def test_a_reload_goes_on_where_it_was(phone: Phone) -> None:
    begin(phone)
    phone.press("#guide-bar >> text=Next")
    follow(phone)
    text = phone.words("#guide p:last-child")
    phone.page.reload()
    phone.mine()
    phone.wait(lambda: phone.shows("#guide"))
    assert phone.words("#guide p:last-child") == text
    lit(phone)


def test_it_is_offered_once_and_always_in_settings_and_menu(phone: Phone) -> None:
    phone.open()
    assert re.search("main", phone.page.get_attribute("#home-guided", "class") or "")
    phone.press("#play")
    phone.mine()
    phone.press("#menu")
    assert phone.page.locator("#menu-dialog button[value=guided]").is_visible()
    phone.press("#menu-dialog button[value=settings]")
    phone.press("#settings-body >> text=Guided first game")
    phone.answer("counts as a loss")
    phone.wait(lambda: phone.state["guided"])
    phone.wait(lambda: phone.shows("#guide"))


def test_after_a_free_step_the_way_goes_on(phone: Phone) -> None:
    """The scout is still chosen then, so what is lit is where it goes."""
    begin(phone)
    phone.press("#guide-bar >> text=Next")
    assert lit(phone) == "e1"
    phone.turn(next(step for step in phone.state["legal"] if step.startswith("fire:e1")))
    _, goal = SQUARE.findall(phone.words("#guide p:last-child"))
    phone.wait(lambda: lit(phone) == goal)
