"""A browser for all of these tests, and for each a server, pages of its own, and a look at what must never happen."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gui_adapter import match
from tests.gui.page.phone import PATIENCE, Background, Phone

CHROMIUM = shutil.which("chromium")
#: no sandbox, since the tests may run as root; and nothing that the browser would ask of other hosts by itself
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--no-first-run",
    "--disable-sync", "--autoplay-policy=user-gesture-required",
]  # fmt: skip
PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True}
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
#: the seed of every board and of its chance
SEED = 7
Open = Callable[..., Phone]


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: the page is not tested")
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed (apt install chromium): the page is not tested")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches begin alike; their names stay secret."""
    fixed = SimpleNamespace(randbits=lambda bits: SEED, token_hex=secrets.token_hex)
    monkeypatch.setattr(match, "secrets", fixed)


@pytest.fixture
def server(tmp_path: Path, seeds: None) -> Iterator[Background]:
    server = Background(tmp_path)
    yield server
    server.close()


@pytest.fixture
def open_phone(browser: Any, server: Background) -> Iterator[Open]:
    """Opens pages, each as another person; none may complain, or talk to anybody but the server."""
    faults: list[str] = []
    contexts: list[Any] = []

    def watch(page: Any) -> None:
        page.on("console", lambda said: faults.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("request", lambda asked: faults.append(asked.url) if not known(asked.url) else None)

    def known(url: str) -> bool:
        return url.startswith((f"http://127.0.0.1:{server.server.port}/", "data:", "blob:"))

    def opened(url: str = "", **wanted: Any) -> Phone:
        quick = {"reduced_motion": "reduce", "color_scheme": "dark", **PHONE}
        context = browser.new_context(**{**quick, **wanted})
        context.set_default_timeout(1000 * PATIENCE)
        contexts.append(context)
        page = context.new_page()
        watch(page)
        return Phone(page, url or server.url)

    yield opened
    for context in contexts:
        context.close()
    assert faults == []


@pytest.fixture
def phone(open_phone: Open) -> Phone:
    return open_phone()
