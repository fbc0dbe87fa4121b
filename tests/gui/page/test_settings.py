"""Every setting of the page: it can be changed, is kept, and does what it says."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.gui.page.conftest import Open
from tests.gui.page.phone import SQUARE, Phone, State, advice


def change(phone: Phone, name: str, value: Any) -> None:
    """Change a setting as a person does."""
    if isinstance(value, bool):
        phone.page.set_checked(f"#set-{name}", value)
    elif isinstance(value, int):
        phone.page.fill(f"#set-{name}", str(value))
    else:
        phone.page.check(f"input[name=set-{name}][value={value}]", force=True)


def shown(phone: Phone, name: str) -> Any:
    if phone.page.locator(f"#set-{name}[type=checkbox]").count():
        return phone.page.is_checked(f"#set-{name}")
    if phone.page.locator(f"#set-{name}").count():
        return int(phone.page.input_value(f"#set-{name}"))
    return phone.page.input_value(f"input[name=set-{name}]:checked")


def start(phone: Phone) -> State:
    before = phone.state.get("match")
    phone.press("#settings-body >> text=New game")
    phone.wait(lambda: phone.state.get("match") not in (None, before))
    return phone.mine().state


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("skill", 40, lambda state: state["seats"][1]["skill"]),
        ("timers", True, lambda state: state["clocks"] is not None),
        ("fog", "seam", lambda state: state["options"]["Fog"]),
        ("fog", "dark", lambda state: state["options"]["Fog"]),
        ("salvage", True, lambda state: state["options"]["Salvage"]),
        ("land", 60, lambda state: state["options"]["LandToWin"]),
        ("asteroids", 3, lambda state: state["options"]["AsteroidsSouth"]),
        ("practice", True, lambda state: not state["rated"]),
    ],
)  # fmt: skip
def test_of_the_match(phone: Phone, name: str, value: Any, told: Any) -> None:
    phone.open()
    phone.go("settings")
    assert shown(phone, name) != value
    change(phone, name, value)
    phone.page.reload()
    phone.page.wait_for_selector("#settings-body h2")
    assert shown(phone, name) == value
    assert told(start(phone)) == value


def test_handicap_moves_the_asteroids(phone: Phone) -> None:
    phone.open()
    phone.go("settings")
    change(phone, "handicap", True)
    change(phone, "skill", 80)
    state = start(phone)
    # 1000 against 1760: 15 rocks, eight more for the stronger and six, all there are, fewer for the weaker
    assert (state["options"]["AsteroidsSouth"], state["options"]["AsteroidsNorth"]) == (0, 14)


def test_timers_show_both_clocks(phone: Phone) -> None:
    phone.open()
    phone.go("settings")
    change(phone, "timers", True)
    start(phone)
    phone.wait(lambda: phone.words("#us .clock").startswith(("19:59", "20:00")))
    assert phone.words("#them .clock") == "20:00"
    phone.page.keyboard.press("c")
    assert "Your clock: " in phone.words("#message")


def written(step: str) -> str:
    """As the page writes a step: `swap b6–c6`."""
    return re.sub(r":([a-k]\d+)([a-k]\d+)?", lambda squares: " " + "–".join(filter(None, squares.groups())), step)


def test_explain_moves(phone: Phone) -> None:
    phone.begin()
    phone.turn(phone.swap())
    yours, theirs = phone.page.locator("#message p").all_inner_texts()
    assert yours.startswith("You swap ")
    assert theirs.startswith("The bot")
    phone.go("settings")
    change(phone, "explain", False)
    phone.go("")
    step = phone.swap()
    phone.turn(step)
    theirs = phone.last
    said = phone.page.locator("#message p").all_inner_texts()
    assert said == [f"You: {written(step)}.", f"The other side: {written(theirs)}."]


def test_what_is_asked_before_it_is_done(phone: Phone) -> None:
    phone.begin()
    phone.tap("e1")
    phone.press("#chips .kind-claim")
    assert phone.shows("#chips .chip-yes")
    phone.go("settings")
    change(phone, "confirm", "never")
    phone.go("")
    phone.page.reload()
    phone.mine()
    seq = phone.state["seq"]
    phone.tap("e1")
    phone.press("#chips .kind-claim")
    phone.settled(seq)
    phone.go("settings")
    change(phone, "confirm", "always")
    phone.go("")
    one, other = SQUARE.findall(phone.swap())
    phone.tap(one)
    phone.tap(other)
    assert phone.shows("#chips .chip-yes")


@pytest.mark.parametrize(("chosen", "system", "seen"), [
    ("dark", "light", "dark"), ("light", "dark", "light"), ("auto", "dark", "dark"), ("auto", "light", "light"),
])  # fmt: skip
def test_theme(open_phone: Open, chosen: str, system: str, seen: str) -> None:
    phone = open_phone(color_scheme=system).begin()
    phone.go("settings")
    change(phone, "theme", chosen)
    assert phone.page.get_attribute("html", "data-theme") == seen
    assert phone.page.get_attribute("#board", "data-theme") == seen


def test_theme_follows_the_system(phone: Phone) -> None:
    phone.begin()
    phone.page.emulate_media(color_scheme="light")
    for part in ("html", "#board"):
        phone.wait(lambda part=part: phone.page.get_attribute(part, "data-theme") == "light")


def test_letters_on_stars(phone: Phone) -> None:
    phone.begin()
    assert phone.page.locator("#board .letter:visible").count() == 0
    phone.go("settings")
    change(phone, "letters", True)
    phone.go("")
    assert phone.page.locator("#board .letter:visible").count() > 80


def test_sound_is_made_after_the_first_tap_only(phone: Phone) -> None:
    phone.page.add_init_script("""
        window.made = 0; window.voices = 0;
        const Real = window.AudioContext;
        window.AudioContext = class extends Real {
          constructor() { super(); window.made += 1; }
          createOscillator() { window.voices += 1; return super.createOscillator(); }
        };""")
    phone.open()
    assert phone.page.evaluate("() => window.made") == 0
    phone.press("#play")
    phone.mine()
    assert phone.page.evaluate("() => window.made") == 1
    phone.turn(advice(phone.state))
    voices = phone.page.evaluate("() => window.voices")
    assert voices > 0
    phone.press("#mute")
    assert phone.page.get_attribute("#mute", "aria-label") == "Turn sound on"
    phone.turn(advice(phone.state))
    assert phone.page.evaluate("() => window.voices") == voices


def test_nonsense_in_the_browser_is_dropped(phone: Phone) -> None:
    phone.page.add_init_script("""
        localStorage.setItem("skyclaim.settings", JSON.stringify({ skill: "much", land: 90, unknown: 1 }));
        localStorage.setItem("skyclaim.me", "short"); localStorage.setItem("skyclaim.pending", "{");""")
    phone.begin()
    assert phone.state["seats"][1]["skill"] == 10
    assert phone.state["options"]["LandToWin"] == 90
