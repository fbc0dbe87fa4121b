"""The pictures of the page in docs/img, made anew: a real server, Chromium, and a person who takes the engine's advice.

Needs the extra `ui` and Debian's chromium: `python tools/screenshots.py [FOLDER]`.
"""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from playwright.async_api import Page, async_playwright

from gui_adapter import match
from gui_adapter.server import Config, Server
from skyclaim_engine.games import GAMES
from skyclaim_engine.search.bot import Bot
from skyclaim_engine.search.settings import Limits, Settings
from skyclaim_engine.search.stop import StopFlag

FOLDER = Path(__file__).parents[1] / "docs" / "img"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
PHONE = {"viewport": {"width": 360, "height": 640}, "device_scale_factor": 1.5, "reduced_motion": "reduce"}
DESKTOP = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}
SQUARE = re.compile(r"[a-k]\d+")
#: of the board and its chance, so that the pictures stay as they are
SEED = 2
TURNS = 12


class Sitter:
    """One page, and what it was last sent."""

    def __init__(self, page: Page, folder: Path) -> None:
        self.page, self.folder = page, folder
        self.state: dict[str, Any] = {}
        page.on("websocket", lambda socket: socket.on("framereceived", self._hear))

    def _hear(self, text: str | bytes) -> None:
        message = json.loads(text)
        if message["t"] == "snapshot":
            self.state = message
        elif message["t"] == "event":
            self.state = {**message["state"], "seq": message["seq"]}

    async def mine(self, after: int = -1) -> None:
        """Until the board shows this person's turn, after the state of this number."""
        while not self.state or self.state["seq"] <= after or not await self._shows_mine():
            await self.page.wait_for_timeout(50)

    async def _shows_mine(self) -> bool:
        drawn = await self.page.get_attribute("#board", "data-seq") == str(self.state["seq"])
        return drawn and (self.state["result"] is not None or self.state["mover"] == self.state["seat"])

    async def play(self, turns: int) -> None:
        """Play some steps."""
        for _ in range(turns):
            seq = self.state["seq"]
            view = GAMES["skyclaim"].parse(self.state["line"], self.state["options"], observation=True)
            step = Bot(Settings(seed=1)).decide(view, Limits(nodes=1000), StopFlag(), lambda info: None)
            await tap(self.page, str(step))
            await self.mine(seq)

    async def go(self, screen: str) -> None:
        await self.page.evaluate("(screen) => { location.hash = screen; }", screen)
        await self.page.wait_for_timeout(300)

    async def shoot(self, name: str) -> None:
        await self.page.screenshot(path=self.folder / f"{name}.png")


async def tap(page: Page, step: str) -> None:
    """Make a step as a person does: square, button, square, yes."""
    kind, _, rest = step.partition(":")
    squares = SQUARE.findall(rest)
    await page.click(f'#board [aria-label^="{squares[0]},"]')
    if kind in ("claim", "fire", "warp"):
        await page.click(f"#chips .kind-{kind}")
    if len(squares) > 1:
        await page.click(f'#board [aria-label^="{squares[1]},"]')
    for answer in (f".chip-step.kind-{kind}", ".chip-yes"):
        if await page.locator(f"#chips {answer}").count():
            await page.click(f"#chips {answer}")


async def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    server = Server(Config())
    await server.start()
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)

        async def sitter(scheme: Any, **size: Any) -> Sitter:
            context = await browser.new_context(color_scheme=scheme, **size)
            sitter = Sitter(await context.new_page(), folder)
            await sitter.page.goto(server.urls[0])
            await sitter.page.wait_for_selector("body:not([data-screen=loading])")
            return sitter

        phone = await sitter("dark", **PHONE)
        await phone.shoot("home")
        await phone.page.click("#home-guided")
        await phone.mine()
        await phone.page.click("#guide-bar >> text=Next")
        await phone.shoot("guided")

        phone = await sitter("dark", **PHONE)
        await phone.page.click("#play")
        await phone.mine()
        await phone.play(TURNS)
        await phone.shoot("game")
        await phone.page.click('#board [aria-label*="your scout"] >> nth=0')
        await phone.page.wait_for_timeout(400)
        await phone.shoot("targets")
        await phone.page.keyboard.press("Escape")
        await phone.go("settings")
        await phone.shoot("settings")
        await phone.go("")
        await phone.page.click("#menu")
        await phone.page.click("#menu-resign")
        await phone.page.click("#confirm-yes")
        await phone.page.wait_for_selector("#after .moments h3", timeout=60_000)
        await phone.page.wait_for_timeout(400)
        await phone.shoot("result")

        # the same person at a desk
        desk = await sitter("dark", storage_state=await phone.page.context.storage_state(), **DESKTOP)
        await desk.go("games")
        await desk.page.click("#games-list button")
        await desk.page.click("#analyse")
        await desk.page.wait_for_selector("#analyse:has-text('Analyse')", timeout=120_000)
        for _ in range(TURNS):
            await desk.page.keyboard.press("ArrowRight")
        await desk.page.mouse.move(0, 0)
        await desk.page.wait_for_timeout(400)
        await desk.shoot("analysis")

        light = await sitter("light", **PHONE)
        await light.page.click("#play")
        await light.mine()
        await light.play(TURNS)
        await light.shoot("game-light")
        await light.go("friends")
        await light.shoot("friends")

        desktop = await sitter("dark", **DESKTOP)
        await desktop.page.click("#play")
        await desktop.mine()
        await desktop.play(TURNS)
        await desktop.shoot("desktop")
        await browser.close()
    await server.stop()


if __name__ == "__main__":
    drawn = SimpleNamespace(randbits=lambda bits: SEED, token_hex=secrets.token_hex)
    with patch.object(match, "secrets", drawn):
        asyncio.run(main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER))
