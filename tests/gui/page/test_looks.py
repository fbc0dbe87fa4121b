"""How the page looks and reads: sizes, themes, accessibility, a longer language, and speed that a person feels."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.gui.page.conftest import Open
from tests.gui.page.phone import Phone, advice

STATIC = Path(__file__).parents[3] / "gui_adapter" / "static"
AXE = "4.14.1"
AXE_SHA256 = "e6b0ce02b84d892e2e33e403485e7f3d6c29e2be6df65daf44d89ba564139745"
SIZES = [(320, 568), (360, 640), (390, 844), (640, 360), (768, 1024), (1280, 800)]


def box(phone: Phone, selector: str) -> dict[str, float]:
    return dict(phone.page.locator(selector).bounding_box())


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_game_fits_without_scrolling(open_phone: Open, width: int, height: int) -> None:
    phone = open_phone(viewport={"width": width, "height": height}).begin()
    phone.tap("e1")
    page = phone.page.evaluate("() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    assert page == [width, height]
    for part in ("#board", "#chips", "#bar", "#message"):
        found = box(phone, part)
        assert found["x"] >= 0
        assert found["y"] >= 0
        assert found["x"] + found["width"] <= width
        assert found["y"] + found["height"] <= height
    board = box(phone, "#board")
    assert abs(board["width"] - board["height"]) < 1
    if width == 360:
        assert board["width"] == 352
    # the names of the columns hide nothing and are not hidden: they stand between the board and what is below it
    us = box(phone, "#us")
    below = us["y"] if us["x"] < board["width"] else height
    for name in phone.page.locator("#board .name.column").all():
        found = name.bounding_box()
        assert found["y"] >= board["y"] + board["height"] - 1
        assert found["y"] + found["height"] <= below + 1
    for button in phone.page.locator("#game button:visible").all():
        found = button.bounding_box()
        assert min(found["width"], found["height"]) >= 44


@pytest.mark.parametrize("screen", ["home", "settings", "friends", "ratings", "games"])
@pytest.mark.parametrize("width", [320, 360])
def test_no_screen_is_too_wide(open_phone: Open, screen: str, width: int) -> None:
    phone = open_phone(viewport={"width": width, "height": 640}).open()
    phone.go(screen)
    assert phone.page.evaluate("() => document.documentElement.scrollWidth") <= width


def test_panels_stand_beside_the_board(open_phone: Open) -> None:
    phone = open_phone(viewport={"width": 1280, "height": 800}).begin()
    board, side = box(phone, "#board"), box(phone, "#game .side")
    assert side["x"] > board["x"] + board["width"]
    assert phone.shows("#moves")
    phone.go("settings")
    phone.page.wait_for_selector("#settings-body h2")
    assert box(phone, "#settings")["x"] > board["x"] + board["width"]
    assert phone.shows("#board")


def longer(words: dict[str, Any]) -> dict[str, Any]:
    """Another language: 40 % longer."""

    def stretch(text: str) -> str:
        return text + "~" * (len(text) * 2 // 5)

    return {key: stretch(text) if isinstance(text, str) else {form: stretch(each) for form, each in text.items()}
            for key, text in words.items()}  # fmt: skip


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_a_longer_language_fits(open_phone: Open, direction: str) -> None:
    phone = open_phone()
    words = json.dumps(longer(json.loads((STATIC / "en.json").read_text())))
    phone.page.route("**/en.json", lambda route: route.fulfill(body=words, content_type="application/json"))
    turn = f"document.addEventListener('DOMContentLoaded', () => {{ document.dir = '{direction}'; }})"
    phone.page.add_init_script(turn)
    phone.open()
    phone.press("#play")
    phone.mine()
    for screen in ("", "settings", "friends", "ratings", "games"):
        phone.go(screen)
        assert phone.page.evaluate("() => document.documentElement.scrollWidth") <= 360, screen


def test_every_word_is_in_the_file() -> None:
    """What the page asks for by name is there, and nothing else is."""
    words = json.loads((STATIC / "en.json").read_text())
    source = "\n".join(path.read_text() for path in [STATIC / "index.html", *(STATIC / "js").glob("*.js")])
    # keys that are put together: a part of the name stands in the source, with a ${…} after or before it
    parts = re.findall(r"`(?:([a-z-]+-)\$\{[^`]*|\$\{[^}]*\}(-[a-z]+))`", source)
    starts, ends = (tuple(filter(None, column)) for column in zip(*parts, strict=True))
    assert starts
    assert ends
    choices = ("confirm-", "fog-", "theme-")
    made = [key for key in words if key.startswith((*starts, *choices)) or key.endswith(ends)]
    assert [key for key in words if f'"{key}"' not in source and key not in made] == []
    asked = re.findall(r"\bt\(\"([^\"]+)\"|data-text=\"([^\"]+)\"", source)
    assert [key for key in map("".join, asked) if key not in words] == []


@pytest.fixture(scope="session")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The source of axe-core, which is fetched for the tests only."""
    folder = tmp_path_factory.mktemp("axe")
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed: axe-core cannot be fetched")
    fetched = subprocess.run([npm, "pack", "--silent", f"axe-core@{AXE}"], cwd=folder, capture_output=True, timeout=120)
    if fetched.returncode:
        pytest.skip("npm could not fetch axe-core")
    archive = folder / f"axe-core-{AXE}.tgz"
    assert hashlib.sha256(archive.read_bytes()).hexdigest() == AXE_SHA256
    with tarfile.open(archive) as packed:
        source = packed.extractfile("package/axe.min.js")
        assert source is not None
        return source.read().decode()


def at_home(phone: Phone) -> None:
    phone.open()


def at_game(phone: Phone) -> None:
    phone.begin()
    phone.turn(advice(phone.state))
    phone.tap("f1")


def at_menu(phone: Phone) -> None:
    phone.begin()
    phone.press("#menu")


def at_help(phone: Phone) -> None:
    phone.begin()
    phone.page.keyboard.press("?")


def at_guide(phone: Phone) -> None:
    phone.open()
    phone.press("#home-guided")
    phone.mine()


def at_end(phone: Phone) -> None:
    phone.begin()
    phone.resign()


def at_replay(phone: Phone) -> None:
    at_end(phone)
    phone.press("#after >> text=Look")
    phone.wait(lambda: phone.shows("#replay-keys button"))


def at_screen(name: str) -> Callable[[Phone], None]:
    def go(phone: Phone) -> None:
        phone.open()
        phone.go(name)
        phone.page.wait_for_selector(f"#{name}-body > *")

    return go


STATES = {
    "home": at_home, "game": at_game, "menu": at_menu, "help": at_help, "guide": at_guide, "end": at_end,
    "replay": at_replay, **{name: at_screen(name) for name in ("settings", "friends", "ratings", "games")},
}  # fmt: skip


@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("state", STATES)
def test_axe_finds_nothing(open_phone: Open, axe: str, state: str, scheme: str) -> None:
    phone = open_phone(color_scheme=scheme, bypass_csp=True)
    STATES[state](phone)
    phone.page.evaluate(axe)
    found = phone.page.evaluate("async () => (await axe.run()).violations")
    assert [(fault["id"], node["html"]) for fault in found for node in fault["nodes"]] == []


def test_a_tap_answers_at_once(phone: Phone) -> None:
    """What a tap chooses is marked in the same task, before anything is asked of the server."""
    phone.begin()
    phone.page.evaluate("""() => {
        const board = document.getElementById("board");
        board.addEventListener("pointerup", () => { window.marked = board.querySelectorAll(".cell.selected").length; });
    }""")
    phone.tap("e1")
    assert phone.page.evaluate("() => window.marked") == 1


def test_a_sentence_is_shown_from_its_beginning(open_phone: Open) -> None:
    phone = open_phone(viewport={"width": 320, "height": 568}).begin()
    phone.turn(advice(phone.state))
    box = "document.getElementById('message')"
    assert phone.page.evaluate(f"() => {box}.scrollHeight > {box}.clientHeight"), "it has more to say than fits"
    top = f"{box}.lastElementChild.getBoundingClientRect().top - {box}.getBoundingClientRect().top"
    assert phone.page.evaluate(f"() => {top}") >= 0


def test_moves_are_read_out(phone: Phone) -> None:
    phone.begin()
    assert phone.page.get_attribute("#message", "aria-live") == "polite"
    assert phone.page.get_attribute("#alarm", "role") == "alert"
    phone.page.keyboard.press("s")
    assert "You hold 9 squares, the other side 9. 69 win." in phone.words("#message")
    phone.page.keyboard.press("l")
    assert "Nothing has been played yet." in phone.words("#message")
    phone.page.keyboard.press("?")
    assert phone.shows("#help-dialog")
