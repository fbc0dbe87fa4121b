"""The page in a real browser, in front of a real server: what a person does with it, and what it was sent."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

from gui_adapter.server import Config, Server
from skyclaim_engine.games import GAMES
from skyclaim_engine.search.bot import Bot
from skyclaim_engine.search.settings import Limits, Settings
from skyclaim_engine.search.stop import StopFlag

T = TypeVar("T")
State = dict[str, Any]
#: seconds that anything may take
PATIENCE = 30.0
COLUMNS = "abcdefghijk"
SQUARE = re.compile(r"[a-k]\d+")
#: kinds of steps that are aimed or made by a button
BY_BUTTON = ("fire", "warp", "claim")


class Background:
    """A server in a thread of its own, since the browser's driver has the thread of the test."""

    def __init__(self, data: Path | None = None, **config: Any) -> None:
        self._config = {"data": data, **config}
        self._loop: Future[asyncio.AbstractEventLoop] = Future()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._live()), daemon=True)
        self._thread.start()
        self.start()

    async def _live(self) -> None:
        self._end = asyncio.Event()
        self._loop.set_result(asyncio.get_running_loop())
        await self._end.wait()

    def start(self, port: int = 0) -> None:
        self.server = Server(Config(port=port, **self._config))
        self.run(self.server.start())

    def restart(self) -> None:
        """End the server and start another one on the same port, with the same data and, as a courtesy, token."""
        token = self.server.gate.token
        self.run(self.server.stop())
        self.start(self.server.port)
        self.server.gate.token = token

    @property
    def url(self) -> str:
        return self.server.urls[0]

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop.result(PATIENCE)).result(PATIENCE)

    def close(self) -> None:
        self.run(self.server.stop())
        self._loop.result().call_soon_threadsafe(self._end.set)
        self._thread.join(PATIENCE)


class Phone:
    """A page with the eyes and fingers of a person; ``state`` is what the server last told it of the match."""

    def __init__(self, page: Any, url: str) -> None:
        self.page, self.url = page, url
        self.state: State = {}
        #: every message that the server sent, as text
        self.received: list[str] = []
        page.on("websocket", lambda socket: socket.on("framereceived", self._hear))

    def _hear(self, text: str | bytes) -> None:
        text = text if isinstance(text, str) else text.decode()
        self.received.append(text)
        message = json.loads(text)
        if message["t"] == "welcome" and message["match"]:
            message = message["match"]
        if message["t"] == "snapshot":
            self.state = message
        elif message["t"] == "event":
            self.state = {**message["state"], "match": message["match"], "seq": message["seq"]}

    def open(self) -> Phone:
        self.page.goto(self.url)
        self.page.wait_for_selector("body:not([data-screen=loading])")
        return self

    def wait(self, condition: Callable[[], Any], seconds: float = PATIENCE) -> None:
        """Until it is so; the page goes on meanwhile."""
        for _ in range(int(seconds * 50)):
            if condition():
                return
            self.page.wait_for_timeout(20)
        raise AssertionError(f"it did not come to that: turn {self.words('#turn')!r}, said {self.words('#message')!r}")

    def words(self, selector: str) -> str:
        return str(self.page.inner_text(selector))

    def shows(self, selector: str) -> bool:
        return bool(self.page.locator(selector).first.is_visible())

    def go(self, screen: str) -> None:
        """Another screen, by its name in the address; "" is the game."""
        self.page.evaluate("(screen) => { location.hash = screen; }", screen)
        self.page.wait_for_selector(f"body[data-screen={screen or 'game'}]")

    def answer(self, question: str, yes: bool = True) -> None:
        """Answer a question of the page that has these words."""
        self.wait(lambda: question in self.words("#confirm-text"))
        self.press("#confirm-yes" if yes else "#confirm-no")

    def resign(self) -> None:
        self.press("#menu")
        self.press("#menu-resign")
        self.answer("counts as a loss")
        self.wait(lambda: self.shows("#after"))

    # --- a match -----------------------------------------------------------------------------------------------------

    def begin(self) -> Phone:
        """Open the page and start a match with the settings as they are."""
        self.open()
        self.page.click("#play")
        return self.mine()

    @property
    def drawn(self) -> bool:
        """Whether the board shows the newest state."""
        return bool(self.page.get_attribute("#board", "data-seq") == str(self.state.get("seq")))

    @property
    def over(self) -> bool:
        return self.state.get("result") is not None

    @property
    def last(self) -> str:
        """The step that was made last, as far as it may be known."""
        moves = self.state["moves"]
        return str(moves[-1]["step"]) if moves else ""

    def swap(self) -> str:
        """A swap that could be made."""
        return str(next(step for step in self.state["legal"] if step.startswith("swap:")))

    def turn(self, step: str) -> None:
        """Play a step, and wait for the next decision."""
        seq = self.state["seq"]
        self.play(step)
        self.settled(seq)

    def mine(self) -> Phone:
        """Until it is this person's turn, or the match is over, and the board shows it."""
        self.wait(lambda: self.drawn and (self.over or self.state["mover"] == self.state["seat"]))
        return self

    def cell(self, square: str) -> Any:
        return self.page.locator(f'#board [role=gridcell][aria-label^="{square},"]')

    def tap(self, square: str) -> None:
        box = self.cell(square).bounding_box()
        self.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def press(self, selector: str) -> None:
        self.page.tap(selector)

    def play(self, step: str) -> None:
        """Play a step by taps alone."""
        kind, _, rest = step.partition(":")
        squares = SQUARE.findall(rest)
        selected = self.page.locator("#board .cell.selected")
        if squares and not (selected.count() and selected.get_attribute("aria-label").startswith(f"{squares[0]},")):
            if selected.count():  # it stayed selected after a free step
                self.press("#chips .chip-no")
            self.tap(squares[0])
        if kind in (*BY_BUTTON, "pass"):
            self.press(f"#chips .kind-{kind}")
        if len(squares) > 1:
            self.tap(squares[1])
        self._answer(kind, self.press)

    def _answer(self, kind: str, press: Callable[[str], None]) -> None:
        """Choose among several actions, and say yes, where the page asks."""
        if self.shows(f"#chips .chip-step.kind-{kind}"):
            press(f"#chips .chip-step.kind-{kind}")
        if self.shows("#chips .chip-yes"):
            press("#chips .chip-yes")

    def settled(self, seq: int) -> None:
        """Until the match has gone on from ``seq`` to this person's next decision."""
        self.wait(lambda: self.state["seq"] > seq)
        self.mine()

    # --- by keys -----------------------------------------------------------------------------------------------------

    def tab_to(self, selector: str) -> None:
        """Press Tab until the focus is there."""
        for _ in range(60):
            if self.page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"the Tab key does not lead to {selector}")

    def walk(self, square: str) -> None:
        """Move the focus on the board by arrow keys."""
        label = str(self.page.evaluate("() => document.activeElement.getAttribute('aria-label')"))
        at = label.split(",")[0]
        across, up = COLUMNS.index(square[0]) - COLUMNS.index(at[0]), int(square[1:]) - int(at[1:])
        for key, count in (("ArrowRight", across), ("ArrowLeft", -across), ("ArrowUp", up), ("ArrowDown", -up)):
            for _ in range(count):
                self.page.keyboard.press(key)

    def key_for(self, selector: str) -> None:
        self.page.keyboard.press(self.page.get_attribute(selector, "aria-keyshortcuts"))

    def play_by_keys(self, step: str) -> None:
        """Play a step from the south by keys alone."""
        kind, _, rest = step.partition(":")
        squares = SQUARE.findall(rest)
        self.tab_to("#board [role=gridcell]")
        self.page.keyboard.press("Escape")
        self.page.keyboard.press("Escape")
        if squares:
            self.walk(squares[0])
            self.page.keyboard.press("Enter")
        if kind in (*BY_BUTTON, "pass"):
            self.key_for(f"#chips .kind-{kind}")
        if len(squares) > 1:
            self.walk(squares[1])
            self.page.keyboard.press("Enter")
        self._answer(kind, self.key_for)


def introduce(ann: Phone, ben: Phone) -> None:
    """Both are on the screen where friends meet, and have names."""
    for phone, name in ((ann, "Ann"), (ben, "Ben")):
        phone.go("friends")
        phone.page.fill("#friend-name", name)


def meet(ann: Phone, ben: Phone) -> None:
    """Ann waits, Ben taps her name, and she says yes: both see the new match."""
    introduce(ann, ben)
    ann.press("#ready")
    ben.press("#players button")
    ann.answer("Ben")
    begun(ann, ben)


def begun(*phones: Phone) -> None:
    """Until a match of theirs is on the board of each."""
    for phone in phones:
        phone.wait(lambda phone=phone: phone.state and not phone.over and phone.drawn)


# --- what a person might choose --------------------------------------------------------------------------------------


def advice(state: State) -> str:
    """A good step for who sees this."""
    view = GAMES["skyclaim"].parse(state["line"], state["options"], observation=True)
    step = Bot(Settings(seed=1)).decide(view, Limits(nodes=1000), StopFlag(), lambda info: None)
    assert step is not None
    return step


def drones(line: str, letter: str) -> list[str]:
    """The squares of drones by their letter in a position line."""
    return re.findall(rf"(?:^|,){letter}([a-k]\d+)", line.split()[1])
