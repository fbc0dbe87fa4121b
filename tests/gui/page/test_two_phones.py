"""Play a friend: two phones, one board, and under fog each is sent only what its side sees."""

from __future__ import annotations

import json
import secrets
from types import SimpleNamespace
from typing import Any

import pytest

from gui_adapter import match, meeting
from tests.gui.page.conftest import SEED, Open
from tests.gui.page.phone import Background, Phone, begun, introduce, meet


def sides(one: Phone, other: Phone) -> tuple[Phone, Phone]:
    """South's phone and North's."""
    return (one, other) if one.state["seat"] == 1 else (other, one)


def test_the_lobby_and_a_shared_board(open_phone: Open) -> None:
    ann, ben = open_phone().open(), open_phone(color_scheme="light").open()
    ann.go("friends")
    ann.press("#ready")
    assert "Type your name" in ann.words("#notice")
    meet(ann, ben)
    south, north = sides(ann, ben)
    assert south.words("#turn").endswith("Your turn")
    assert north.words("#turn").endswith(f"{'Ann' if south is ann else 'Ben'}'s turn")
    assert south.words("#link") == north.words("#link") == "Connected"
    # each has its own side at the bottom: the own Command is in the lowest row of both
    bottom = []
    for phone, square in ((south, "f1"), (north, "f11")):
        box, board = phone.cell(square).bounding_box(), phone.page.locator("#board").bounding_box()
        bottom.append(board["y"] + board["height"] - box["y"] - box["height"])
    assert max(bottom) < 2
    for mover, other in ((south, north), (north, south)):
        mover.mine()
        step = mover.swap()
        mover.play(step)
        other.wait(lambda other=other, step=step: other.last == step)
        other.mine()
        mover.wait(lambda mover=mover: mover.drawn)
        assert mover.state["line"] == other.state["line"]


def test_leaving_counts_as_a_loss(open_phone: Open) -> None:
    ann, ben = (open_phone().open() for _ in range(2))
    meet(ann, ben)
    ann.press("#again")
    ann.answer("counts as a loss")
    ben.wait(lambda: ben.over and ben.shows("#after"))
    assert "left the match" in ben.words("#after")
    assert ben.state["result"]["rating"] == {"before": 1000, "after": 1016}
    ann.wait(lambda: ann.state["seats"][1]["kind"] == "bot")
    assert ann.state["seats"][0]["rating"] == 984


def test_who_is_gone_is_told(open_phone: Open) -> None:
    ann, ben = (open_phone().open() for _ in range(2))
    meet(ann, ben)
    assert "here" in ann.words("#them")
    ben.page.goto("about:blank")
    ann.wait(lambda: "reconnecting" in ann.words("#them"))
    ben.open()
    ann.wait(lambda: "here" in ann.words("#them"))
    ben.wait(lambda: ben.drawn)


def test_a_code(open_phone: Open) -> None:
    ann, ben = (open_phone().open() for _ in range(2))
    introduce(ann, ben)
    ann.press("text=Get a code")
    ann.wait(lambda: len(ann.words("#code")) == 4)
    ben.page.fill("#friend-code", "QQQQ")
    ben.press("text=Join")
    ben.wait(lambda: "nobody waits with it" in ben.words("#notice"))
    ben.page.fill("#friend-code", ann.words("#code").lower())
    ben.press("text=Join")
    ann.answer("Ben")
    begun(ann, ben)


def test_no_thanks(open_phone: Open) -> None:
    ann, ben = (open_phone().open() for _ in range(2))
    introduce(ann, ben)
    ann.press("#ready")
    ben.press("#players button")
    ann.answer("Ben", yes=False)
    ben.wait(lambda: "does not want to play" in ben.words("#notice"))
    assert not ben.state


@pytest.mark.parametrize("name", ["<img src=x>", "&amp;", "evil\u202egnp", "\u200b", "..."])
def test_a_name_that_is_none_is_refused(open_phone: Open, name: str) -> None:
    ann, ben = (open_phone().open() for _ in range(2))
    introduce(ann, ben)
    ann.page.fill("#friend-name", name)
    ann.press("#ready")
    ann.wait(lambda: "name" in ann.words("#notice"))
    assert ben.page.locator("#players button").count() == 0


def test_names_are_text(open_phone: Open) -> None:
    """Even if the server let one through."""
    phone = open_phone()
    name = "<img src=x onerror=alert(1)>"
    player = {"who": "1", "name": name, "rating": 1000.0, "game": "skyclaim", "options": {}, "timers": False}

    def join(page: Any) -> None:
        line = page.connect_to_server()
        line.on_message(
            lambda text: page.send(json.dumps({"t": "lobby", "players": [player]}) if '"t":"lobby"' in text else text)
        )

    phone.page.route_web_socket("**/ws", join)
    phone.open()
    phone.go("friends")
    phone.wait(lambda: phone.page.locator("#players button").count() == 1)
    assert phone.words("#players button").startswith(name)
    assert phone.page.locator("#players img").count() == 0


@pytest.mark.parametrize("fog", ["seam", "dark"])
def test_no_byte_tells_what_is_hidden(
    open_phone: Open, server: Background, monkeypatch: pytest.MonkeyPatch, fog: str
) -> None:
    """Two matches differ in what North cannot see, a star and the chance to come: North's phone is sent the same."""
    engines, start = server.server.engines, server.server.engines.start
    # whoever says yes plays South
    unshuffled = SimpleNamespace(token_hex=secrets.token_hex, SystemRandom=lambda: SimpleNamespace(shuffle=len))
    monkeypatch.setattr(meeting, "secrets", unshuffled)
    sent: list[list[str]] = []
    for hidden in (False, True):
        chance = SimpleNamespace(randbits=lambda bits, seed=7 + hidden: seed, token_hex=secrets.token_hex)
        monkeypatch.setattr(match, "secrets", chance)

        async def begin(game: str, options: Any, seed: int, hidden: bool = hidden) -> str:
            line = await start(game, options, SEED)
            return changed(line) if hidden else line

        monkeypatch.setattr(engines, "start", begin)
        ann, ben = (open_phone().open() for _ in range(2))
        ann.go("settings")
        ann.page.check(f"input[name=set-fog][value={fog}]", force=True)
        meet(ann, ben)
        assert ann.state["seat"] == 1
        for step in ("move:f1f2", "move:f11f10", "move:f2f1"):
            mover, other = (ann, ben) if step in ann.state["legal"] else (ben, ann)
            mover.mine().play(step)
            other.wait(lambda other=other: other.state["mover"] == other.state["seat"])
            other.mine()
        sent.append([blank(text) for text in ben.received if '"t":"event"' in text or '"t":"snapshot"' in text])
        for phone in (ann, ben):
            phone.page.goto("about:blank")
    assert sent[0] == sent[1]
    assert len(sent[0]) == 4


def changed(line: str) -> str:
    """The same position but for the star on a1, which North does not see; there is no line in it."""
    stars, rest = line.split(" ", 1)
    *rows, second, first = stars.split("/")
    colour = next(colour for colour in "12345" if colour not in first[:3] + second[:2])
    return f"{'/'.join([*rows, second, colour + first[1:]])} {rest}"


def blank(text: str) -> str:
    """A message without the name of the match and the id of the request, which are drawn."""
    message = json.loads(text)
    return json.dumps({**message, "match": "", "id": ""})
