"""Whole games against the bot of the beginner setting: by taps alone, and by keys alone."""

from __future__ import annotations

import pytest

from tests.gui.page.conftest import DESKTOP, Open
from tests.gui.page.phone import Phone, advice

#: own steps after which a game against a bot that mostly plays at random is long won
LONGEST = 200


def finish(phone: Phone, way: str) -> None:
    play = {"taps": phone.play, "keys": phone.play_by_keys}[way]
    for _ in range(LONGEST):
        if phone.over:
            return
        seq = phone.state["seq"]
        play(advice(phone.state))
        phone.settled(seq)
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_by_taps_alone(open_phone: Open, size: str) -> None:
    phone = open_phone(**({} if size == "phone" else {**DESKTOP, "has_touch": True}))
    phone.open()
    phone.press("#play")
    finish(phone.mine(), "taps")
    assert phone.words("#after h2") == phone.state["result"]["text"]
    before, after = (phone.state["result"]["rating"][key] for key in ("before", "after"))
    assert before == 1000
    assert f"Your rating is {after:.0f}" in phone.words("#after")
    assert phone.words("#turn").endswith("Game over")


def test_by_keys_alone(phone: Phone) -> None:
    phone.open()
    phone.tab_to("#play")
    phone.page.keyboard.press("Enter")
    finish(phone.mine(), "keys")
    assert phone.state["result"]["text"] == phone.words("#after h2")
    # the focus is on the result, and from there on the buttons
    assert phone.page.evaluate("() => document.activeElement.textContent") == phone.words("#after h2")
    phone.tab_to("#after button")
    assert phone.page.evaluate("() => document.activeElement.textContent") == "Again"
    match = phone.state["match"]
    phone.page.keyboard.press("Enter")
    phone.wait(lambda: phone.state["match"] != match)
