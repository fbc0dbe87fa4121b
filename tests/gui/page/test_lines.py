"""A line is lost, a page loaded anew, a server starts again, an engine dies: the match goes on."""

from __future__ import annotations

import json
import os
import signal
from typing import Any

import pytest

from tests.gui.page.conftest import Open
from tests.gui.page.phone import SQUARE, Background, Phone, meet


class Wire:
    """Stands between a page and the server; `cut` says at which message of the page the line is lost, and when."""

    def __init__(self, page: Any) -> None:
        self.cut = ""  # "before": the message is lost with the line; "after": it arrives, and the answer is lost
        self.acts: list[dict[str, Any]] = []
        page.route_web_socket("**/ws", self._join)

    def _join(self, page: Any) -> None:
        server = page.connect_to_server()
        open_ = [True]

        def lose() -> None:
            open_[0] = False
            page.close(code=1001, reason="lost")
            server.close(code=1001, reason="lost")

        def from_page(text: str) -> None:
            if not open_[0]:
                return
            message = json.loads(text)
            if message["t"] == "act":
                self.acts.append(message)
                cut, self.cut = self.cut, ""
                if cut == "before":
                    lose()
                    return
                if cut == "after":
                    server.send(text)
                    lose()
                    return
            server.send(text)

        page.on_message(from_page)
        server.on_message(lambda text: page.send(text) if open_[0] else None)


@pytest.mark.parametrize("cut", ["before", "after"])
def test_a_line_lost_in_the_middle_of_a_move(phone: Phone, cut: str) -> None:
    wire = Wire(phone.page)
    phone.begin()
    step = phone.swap()
    wire.cut = cut
    phone.play(step)
    phone.wait(lambda: phone.words("#link") == "Reconnecting")
    phone.wait(lambda: phone.words("#link") == "Connected")
    phone.wait(lambda: len(phone.state["moves"]) >= 2)
    phone.mine()
    # the same action came twice under one name, and was done once
    assert len({act["id"] for act in wire.acts}) == 1
    assert len(wire.acts) == 2
    assert [move["step"] for move in phone.state["moves"] if move["seat"] == 1] == [step]


def test_two_phones_and_a_lost_line(open_phone: Open) -> None:
    ann, ben = open_phone(), open_phone()
    wires = {phone: Wire(phone.page) for phone in (ann, ben)}
    meet(ann.open(), ben.open())
    mover, other = (ann, ben) if ann.state["seat"] == 1 else (ben, ann)
    wires[mover].cut = "after"
    step = mover.swap()
    mover.play(step)
    other.wait(lambda: other.last == step and other.drawn)
    mover.wait(lambda: mover.words("#link") == "Connected" and mover.last == step and mover.drawn)
    assert mover.state["line"] == other.state["line"]
    assert len(mover.state["moves"]) == 1
    other.wait(lambda: "here" in other.words("#them"))
    other.mine()


def test_a_line_that_goes_silent(phone: Phone) -> None:
    """An open socket through which nothing comes any more is given up after nine seconds."""
    phone.page.clock.install()
    silent = [False]

    def join(page: Any) -> None:
        server = page.connect_to_server()
        page.on_message(lambda text: None if silent[0] else server.send(text))
        server.on_message(lambda text: None if silent[0] else page.send(text))

    phone.page.route_web_socket("**/ws", join)
    phone.begin()
    silent[0] = True
    for _ in range(8):
        phone.page.clock.run_for(1000)
    assert phone.words("#link") == "Connected"
    for _ in range(6):
        phone.page.clock.run_for(1000)
    assert phone.words("#link") == "Reconnecting"
    silent[0] = False
    for _ in range(15):
        phone.page.clock.run_for(1000)
        phone.page.wait_for_timeout(50)
    phone.wait(lambda: phone.words("#link") == "Connected")


@pytest.mark.parametrize(
    "where", ["home", "game", "selected", "preview", "sent", "over", "settings", "friends", "games", "replay"]
)
def test_a_reload_in_every_state(phone: Phone, where: str) -> None:
    wire = Wire(phone.page) if where == "sent" else None
    phone.open()
    if where != "home":
        phone.press("#play")
        phone.mine()
    step = phone.swap() if where != "home" else ""
    if where == "selected":
        phone.tap(SQUARE.findall(step)[0])
    elif where == "preview":
        phone.tap("e1")
        phone.press("#chips .kind-claim")
    elif where == "sent":
        assert wire is not None
        wire.cut = "before"
        phone.play(step)
        phone.wait(lambda: len(wire.acts) == 1)
    elif where in ("over", "replay"):
        phone.resign()
    if where == "replay":
        phone.press("#after >> text=Look")
        phone.wait(lambda: phone.shows("#replay-keys"))
    elif where in ("settings", "friends", "games"):
        phone.go(where)
    phone.page.reload()
    screen = {"selected": "game", "preview": "game", "sent": "game", "over": "game"}.get(where, where)
    phone.page.wait_for_selector(f"body[data-screen={screen}]")
    if where == "replay":
        phone.wait(lambda: "The start" in phone.words("#replay-text"))
    elif where == "sent":
        phone.wait(lambda: phone.state["moves"] and phone.state["moves"][0]["step"] == step)
        phone.mine()
    elif where == "over":
        phone.wait(lambda: phone.shows("#after"))
    elif where != "home":
        phone.mine()
        # nothing is half done: the step can be made from the start
        assert not phone.shows("#chips .chip-yes")
        assert phone.page.locator("#board .cell.selected").count() == 0


def test_a_reload_while_the_bot_thinks(phone: Phone) -> None:
    phone.begin()
    seq, step = phone.state["seq"], phone.swap()
    phone.play(step)
    phone.wait(lambda: phone.state["seq"] > seq)
    phone.page.reload()
    phone.wait(lambda: phone.state["moves"][0]["step"] == step)
    phone.mine()


def test_the_server_starts_again(phone: Phone, server: Background) -> None:
    phone.begin()
    phone.turn(phone.swap())
    line, match = phone.state["line"], phone.state["match"]
    server.restart()
    phone.wait(lambda: phone.words("#link") == "Reconnecting")
    phone.wait(lambda: phone.words("#link") == "Connected")
    phone.mine()
    assert (phone.state["line"], phone.state["match"]) == (line, match)
    phone.turn(phone.swap())


def test_a_server_of_another_start_sends_the_page_away(phone: Phone, server: Background) -> None:
    phone.begin()
    server.server.gate.token = "another"
    phone.page.reload()
    phone.page.wait_for_selector("body[data-screen=stopped]")
    assert "not valid any more" in phone.words("#stopped")


def test_of_two_tabs_the_newer_one_plays(phone: Phone, open_phone: Open) -> None:
    phone.begin()
    tab = Phone(phone.page.context.new_page(), phone.url).open()
    tab.mine()
    assert tab.state["match"] == phone.state["match"]
    phone.page.wait_for_selector("body[data-screen=stopped]")
    assert "tab" in phone.words("#stopped")


@pytest.mark.parametrize("which", ["bots", "referee", "both"])
def test_a_killed_engine(phone: Phone, server: Background, which: str) -> None:
    phone.begin()
    engines = server.server.engines
    # a first turn, so that both run
    phone.turn(phone.swap())
    pools = {"bots": [engines.bots], "referee": [engines.referee], "both": [engines.bots, engines.referee]}[which]
    for pid in [pid for pool in pools for pid in pool.pids()]:
        os.kill(pid, signal.SIGKILL)
    phone.turn(phone.swap())
    assert any('"t":"engine"' in text for text in phone.received)
    assert "ngine" in phone.words("#notice")
    assert phone.state["moves"][-1]["seat"] == 2
