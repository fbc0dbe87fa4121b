"""The hint: thirty idle seconds on the own turn, with a clock that the test moves."""

from __future__ import annotations

import json

import pytest

from tests.gui.page.phone import Phone

LIT = "#board .mark.led"


def sit(phone: Phone, seconds: int) -> None:
    """Let the page's clock run, in pieces that leave the server time to answer the page's heartbeat."""
    for _ in range(seconds):
        phone.page.clock.run_for(1000)
        phone.page.wait_for_timeout(5)


def begin(phone: Phone, **settings: object) -> Phone:
    phone.page.clock.install()
    phone.page.add_init_script(f"localStorage.setItem('skyclaim.settings', '{json.dumps(settings)}')")
    return phone.begin()


@pytest.mark.parametrize("skill", [0, 50])
def test_two_stars_light_up(phone: Phone, skill: int) -> None:
    begin(phone, skill=skill)
    sit(phone, 29)
    assert phone.page.locator(LIT).count() == 0
    sit(phone, 2)
    phone.wait(lambda: phone.page.locator(LIT).count() == 2)
    assert "A good swap" in phone.words("#message")


def test_any_input_starts_the_count_anew(phone: Phone) -> None:
    begin(phone)
    sit(phone, 20)
    phone.page.keyboard.press("s")
    sit(phone, 20)
    phone.tap("f6")
    sit(phone, 20)
    assert phone.page.locator(LIT).count() == 0
    sit(phone, 12)
    phone.wait(lambda: phone.page.locator(LIT).count() == 2)


@pytest.mark.parametrize("settings", [{"hints": False}, {"skill": 60}])
def test_not_where_it_is_not_wanted(phone: Phone, settings: dict[str, object]) -> None:
    begin(phone, **settings)
    sit(phone, 40)
    phone.page.wait_for_timeout(700)
    assert phone.page.locator(LIT).count() == 0


def test_not_behind_a_dialog(phone: Phone) -> None:
    begin(phone)
    phone.press("#menu")
    sit(phone, 45)
    phone.page.wait_for_timeout(700)
    assert phone.page.locator(LIT).count() == 0
    phone.press("#menu-dialog button[value=game]")
    sit(phone, 32)
    phone.wait(lambda: phone.page.locator(LIT).count() == 2)


def test_the_key_asks_at_once(phone: Phone) -> None:
    phone.begin()
    phone.page.keyboard.press("h")
    phone.wait(lambda: phone.page.locator(LIT).count() == 2)
