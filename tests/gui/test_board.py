"""The board of the page in a real browser: what it shows, takes and plays, without a server."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from gui_adapter.readers import reader
from skyclaim_engine.games import GAMES
from skyclaim_engine.games.skyclaim.position import SkyclaimPosition
from tests.positions import OPTION_SETS, crowded

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: the board is not tested")
CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed: the board is not tested")

SKYCLAIM = GAMES["skyclaim"]
STATIC = Path(__file__).parents[2] / "gui_adapter" / "static"
TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".json": "application/json"}
STRICT = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'"
HARNESS = {
    "index.html": """<!doctype html><html lang="en"><title>board</title><link rel="icon" href="data:,">
        <link rel="stylesheet" href="board.css"><div id="board"></div><div id="chips"></div>
        <script type="module" src="harness.js"></script></html>""",
    "harness.js": """import { Board } from "./js/board.js";
        import { parse } from "./js/position.js";
        import { load } from "./js/text.js";
        await load("en");
        const log = window.log = [];
        const note = (what, answer) => (word) => { log.push(`${what} ${word}`); return answer?.(); };
        window.parse = parse;
        window.board = new Board(document.getElementById("board"), {
          onStep: note("step", () => window.answer?.()), onAsk: note("ask"),
          onMessage: note("say"),
          preview: async (step) => ({ step, text: `try ${step}`, squares: ["e2"], score: 3 }) });
        document.getElementById("chips").append(board.chips);""",
}  # fmt: skip
#: what differs between what the board shows and a position line, a sentence each
DIFFERENCES = """(line) => {
  const { stars, drones, wrecks, land, starLayer, droneLayer, flights } = board.scene;
  const found = parse(line).squares.flatMap((square, number) => {
    const star = square.asteroid ? "#" : square.star ? String(square.star) : "";
    const drone = JSON.stringify(drones.get(number)?.drone ?? null);
    return [
      star !== (stars.get(number)?.what ?? "") && `${number}: star ${stars.get(number)?.what} for ${star}`,
      drone !== JSON.stringify(square.drone) && `${number}: ${drone} for ${JSON.stringify(square.drone)}`,
      land[number] !== square.land && `${number}: land ${land[number]} for ${square.land}`,
      square.wreck > 0 !== wrecks.has(number) && `${number}: wreck ${square.wreck}`,
    ].filter(Boolean);
  });
  if (starLayer.children.length !== stars.size + wrecks.size) found.push("stars that nobody knows");
  if (droneLayer.children.length !== drones.size) found.push("drones that nobody knows");
  if (flights.children.length) found.push("something is still in flight");
  return found;
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    # of this module only: while Playwright's loop is there, no other test could run one of its own
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 352, "height": 640}, has_touch=True)
    page = context.new_page()
    faults: list[str] = []
    page.on("console", lambda message: faults.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.route("**/*", serve)
    page.goto("http://board.test/index.html")
    page.wait_for_function("() => window.board")
    page.faults = faults
    yield page
    context.close()
    assert faults == []


def serve(route: Any) -> None:
    name = route.request.url.removeprefix("http://board.test/")
    body = HARNESS[name] if name in HARNESS else (STATIC / name).read_text()
    kind = TYPES[Path(name).suffix]
    route.fulfill(body=body, content_type=f"{kind}; charset=utf-8", headers={"Content-Security-Policy": STRICT})


def state(position: SkyclaimPosition, seat: int = 1, **more: Any) -> dict[str, Any]:
    legal = list(position.steps()) if position.deciders == (seat,) else []
    return {"match": "m", "seat": seat, "line": position.observe(seat).line(), "legal": legal, "result": None, **more}


def event(position: SkyclaimPosition, step: str, seat: int = 1) -> dict[str, Any]:
    """Play the step; the event as a viewer's page gets it."""
    mover = position.deciders[0]
    events = position.apply(step)
    return {"match": "m", "seat": mover, "step": step, "events": events, "state": state(position, seat)}


def show(page: Any, shown: dict[str, Any], **options: Any) -> None:
    page.evaluate("([state, options]) => { board.set(options); board.show(state); log.length = 0; }", [shown, options])


def middle(page: Any, square: str, seat: int = 1) -> tuple[float, float]:
    box = page.locator("#board").bounding_box()
    column, row = ord(square[0]) - ord("a"), int(square[1:]) - 1
    column, row = (column, 10 - row) if seat == 1 else (10 - column, row)
    return box["x"] + (column + 0.5) * box["width"] / 11, box["y"] + (row + 0.5) * box["height"] / 11


def tap(page: Any, *squares: str, seat: int = 1) -> None:
    for square in squares:
        page.touchscreen.tap(*middle(page, square, seat))


def drag(page: Any, start: str, end: str) -> None:
    page.mouse.move(*middle(page, start))
    page.mouse.down()
    page.mouse.move(*middle(page, end), steps=6)
    page.mouse.up()


def press(page: Any, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def log(page: Any) -> list[str]:
    return page.evaluate("() => log.splice(0)")


def phase(page: Any) -> str:
    return page.evaluate("() => board.gestures.phase")


def label(page: Any, square: str) -> str:
    return page.locator(f'[role=gridcell][aria-label^="{square},"]').get_attribute("aria-label")


@pytest.fixture
def start() -> SkyclaimPosition:
    return SKYCLAIM.start(7)


def test_a_grid_with_words(page: Any, start: SkyclaimPosition) -> None:
    show(page, state(start))
    assert page.locator("[role=grid] > [role=row] > [role=gridcell]").count() == 121
    assert page.locator("[role=gridcell][tabindex='0']").count() == 1
    assert label(page, "e1").startswith("e1, green star, your scout power 1, 1 loaded, rides green, your land, can ")
    assert label(page, "f9") == "f9, violet star, enemy shield power 2, enemy land"
    assert page.locator("[role=gridcell]").first.get_attribute("aria-label").startswith("a11,")


def test_the_viewer_s_side_is_at_the_bottom(page: Any, start: SkyclaimPosition) -> None:
    show(page, state(start, seat=2))
    assert page.locator("[role=gridcell]").first.get_attribute("aria-label").startswith("k1,")
    assert page.locator("[role=gridcell]").last.get_attribute("aria-label").startswith("a11,")
    assert "your command" in label(page, "f11")
    below = page.evaluate("() => board.scene.drones.get(115).el.getBoundingClientRect().y")
    assert below > page.evaluate("() => board.scene.drones.get(5).el.getBoundingClientRect().y")


def test_a_swap_by_taps_and_by_swipe(page: Any, start: SkyclaimPosition) -> None:
    swap = next(step for step in start.steps() if step.startswith("swap:") and step[6] == "8" and step[8] == "8")
    one, two = swap[5:7], swap[7:9]
    for way in (lambda: tap(page, one, two), lambda: tap(page, two, one), lambda: drag(page, one, two)):
        show(page, state(start))
        way()
        assert log(page) == [f"step {swap}"]
        tap(page, one, two)
        assert log(page) == [], "nothing is taken before the answer"


def test_a_swap_without_a_line_snaps_back(page: Any, start: SkyclaimPosition) -> None:
    show(page, state(start, legal=["claim:e1"]))
    tap(page, "a8", "b8")
    assert log(page) == ["say That swap makes no line, so the stars snap back."]
    assert page.evaluate(DIFFERENCES, start.line()) == []


def test_a_refused_step_returns_with_the_reason(page: Any, start: SkyclaimPosition) -> None:
    show(page, state(start))
    page.evaluate("() => { window.answer = async () => ({ t: 'refused', text: 'too late' }); }")
    tap(page, "e1", "e2")
    page.wait_for_function("() => board.gestures.phase === 'selected'")
    assert log(page) == ["ask e1", "step move:e1e2", "say too late"]
    page.evaluate("() => { window.answer = () => Promise.reject(new Error('no line')); }")
    tap(page, "e2")
    page.wait_for_function("() => board.gestures.phase === 'selected'")
    assert log(page) == ["step move:e1e2", "say no line"]


def test_a_question_shows_what_is_known_and_is_answered_by_chip(page: Any, start: SkyclaimPosition) -> None:
    show(page, state(start))
    tap(page, "e1", "e1")
    page.wait_for_selector(".mark.score")
    assert page.locator(".mark.score").inner_text() == "+3"
    assert page.locator(".mark.touched").count() == 1
    assert page.locator(".chips button").all_inner_texts() == ["Back", "Claim"]
    for chip in page.locator(".chips button").all():
        assert min(chip.bounding_box()["width"], chip.bounding_box()["height"]) >= 44
    page.get_by_role("button", name="Back").tap()
    assert phase(page) == "selected"
    page.get_by_role("button", name="Claim").tap()
    page.get_by_role("button", name="Claim").tap()
    assert log(page) == ["ask e1", "say try claim:e1", "say try claim:e1", "step claim:e1"]


def test_everything_by_keyboard(page: Any, start: SkyclaimPosition) -> None:
    show(page, state(start))
    press(page, "Tab", "ArrowLeft", "Enter")
    assert page.evaluate("() => document.activeElement.ariaLabel").startswith("e1,")
    assert ", selected" in label(page, "e1")
    assert label(page, "e2").endswith("target: move")
    press(page, "1", "ArrowUp", "ArrowUp")
    assert label(page, "e3").endswith("target: fire")
    press(page, " ")
    assert phase(page) == "preview"
    press(page, "Escape", "Escape", "Escape", "Escape")
    assert phase(page) == "idle"
    press(page, "ArrowDown", "ArrowDown", "Enter", "2", "5")
    assert log(page)[-1] == "step claim:e1"


def test_the_focus_is_never_lost(page: Any, start: SkyclaimPosition) -> None:
    show(page, state(start))
    tap(page, "e1")
    page.locator(".chips button").first.focus()
    press(page, "Escape")
    assert page.evaluate("() => document.activeElement.role") == "gridcell"
    show(page, state(start, seat=2))
    assert page.evaluate("() => document.activeElement.role") == "gridcell"


def test_a_drone_is_dragged_and_a_second_finger_takes_it_back(page: Any, start: SkyclaimPosition) -> None:
    show(page, state(start))
    touches = page.context.new_cdp_session(page)

    def touch(kind: str, *squares: str) -> None:
        points = [dict(zip("xy", middle(page, square), strict=True), id=at) for at, square in enumerate(squares)]
        touches.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", "e1")
    touch("touchMove", "e2")
    assert page.locator(".carried").count() == 1
    touch("touchStart", "e2", "a9")
    touch("touchEnd")
    assert (log(page), phase(page), page.locator(".carried").count()) == ([], "idle", 0)
    touch("touchStart", "e1")
    touch("touchMove", "e2")
    touch("touchEnd")
    assert log(page) == ["step move:e1e2"]
    touch("touchStart", "e1")
    start.apply("claim:e1")
    show(page, state(start, seat=2))
    touch("touchEnd")
    assert log(page) == [], "a press that began before the board changed does nothing after it"
    start = SKYCLAIM.start(7)
    show(page, state(start))
    drag(page, "e1", "e2")
    assert log(page) == ["step move:e1e2"]


def test_lights_arrows_and_answers(page: Any, start: SkyclaimPosition) -> None:
    show(page, state(start))
    page.evaluate("() => { board.lead(['a8', 'b8']); board.arrows([{ from: 'a8', to: 'b8', rank: 1 }]); }")
    tap(page, "f9")
    page.evaluate("() => board.about({ square: 'f9', go: ['f8'], take: ['e8'], fire: [] })")
    counts = [page.locator(f".mark.{kind}").count() for kind in ("led", "may-go", "may-take", "may-fire")]
    assert counts == [2, 1, 1, 0]
    assert page.locator(".arrow").count() == 1
    page.evaluate("() => board.about({ square: 'a1', go: ['a2', 'a3'] })")
    assert page.locator(".mark.may-go").count() == 1, "an answer that comes too late is not shown"
    page.evaluate("() => { board.lead([]); board.arrows([]); board.about(null); }")
    assert page.locator(".mark, .arrow").count() == 0
    page.evaluate("() => { board.lead(['a8']); board.arrows([{ from: 'a8', to: 'b8', rank: 1 }]); }")
    show(page, state(start))
    assert page.locator(".mark, .arrow").count() == 2, "they stay while the board does"
    start.apply("move:e1e2")
    show(page, state(start))
    assert page.locator(".mark, .arrow").count() == 0


def test_what_is_dark_has_nothing_on_it(page: Any) -> None:
    position = SKYCLAIM.start(7, {"Fog": "dark"})
    show(page, state(position))
    dark = position.observe(1).line().split()[0].count("?")
    assert page.locator(".cell.dark").count() == dark > 60
    assert page.evaluate("() => board.scene.starLayer.children.length") == 121 - dark
    assert page.locator("[role=gridcell][aria-label='k11, dark']").count() == 1


def test_a_line_that_cannot_be_read_is_said(page: Any, start: SkyclaimPosition) -> None:
    show(page, state(start))
    page.evaluate("() => board.show({ ...board.state, line: 'nonsense' })")
    assert log(page) == ["say The board could not be read: a position has 9 fields, not 1: 'nonsense'."]
    assert page.evaluate(DIFFERENCES, start.line()) == []


@pytest.mark.parametrize("seat", [1, 2])
def test_films_lead_where_the_game_went(page: Any, seat: int) -> None:
    """Every step of random games and crowded boards: after the film alone, the board shows the next position."""
    rng = Random(seat)
    scenes = []
    for options in OPTION_SETS:
        for _ in range(12):
            position = SKYCLAIM.parse(crowded(rng, options).line(), options)
            if position.deciders:
                scenes.append(scene(position, rng, seat))
        position = SKYCLAIM.start(rng.getrandbits(64), options)
        for _ in range(6):
            if position.deciders:
                scenes.append(scene(position, rng, seat))
    types = {made["type"] for _, event, _ in scenes for made in event["events"]}
    assert types >= {
        "swap",
        "missile",
        "move",
        "claim",
        "warp",
        "clear",
        "flow",
        "drone",
        "destroyed",
        "blast",
        "drift",
    }
    page.emulate_media(reduced_motion="reduce")
    wrong = page.evaluate(
        f"""async (scenes) => {{
          const differences = {DIFFERENCES};
          const wrong = [];
          for (const [before, event, line] of scenes) {{
            board.show(before);
            await board.play(event);
            const found = differences(line);
            if (found.length) wrong.push([before.line, event.step, ...found.slice(0, 3)].join(" | "));
          }}
          return wrong;
        }}""",
        scenes,
    )
    assert wrong == []


def scene(position: SkyclaimPosition, rng: Random, seat: int) -> tuple[dict[str, Any], dict[str, Any], str]:
    """A state, the event of a step without its state, and the position that it leads to. Everything is seen."""
    before = state(position, seat, line=position.line())
    kinds = sorted({step.partition(":")[0] for step in position.steps()})
    kind = rng.choice(kinds)
    made = event(position, rng.choice([step for step in position.steps() if step.partition(":")[0] == kind]), seat)
    del made["state"]
    return before, made, position.line()


def test_films_in_the_fog_end_in_what_is_seen(page: Any) -> None:
    page.emulate_media(reduced_motion="reduce")
    rng = Random(3)
    for fog in ("seam", "dark"):
        position = SKYCLAIM.start(rng.getrandbits(64), {"Fog": fog})
        show(page, state(position))
        for _ in range(25):
            before, seat = position.observe(1).line(), position.deciders[0]
            made = event(position, rng.choice(position.legal()))
            after = made["state"]["line"]
            made["events"] = reader("skyclaim").witness(made["events"], 1, before, after) if seat == 1 else []
            page.evaluate("(made) => board.play(made)", made)
            assert page.evaluate(DIFFERENCES, after) == []


def test_a_film_moves_and_a_touch_ends_it(page: Any, start: SkyclaimPosition) -> None:
    show(page, state(start))
    made = event(start, next(step for step in start.steps() if step.startswith("swap:")))
    page.evaluate("(made) => { window.over = false; board.play(made).then(() => (window.over = true)); }", made)
    page.wait_for_function("() => document.getAnimations().some(({ playState }) => playState === 'running')")
    # a film that nobody ends does not end by itself: every animation is held
    page.evaluate("() => document.getAnimations().forEach((animation) => animation.pause())")
    assert page.evaluate("() => board.busy && !window.over")
    tap(page, "a8")
    page.wait_for_function("() => window.over")
    assert page.evaluate(DIFFERENCES, start.line()) == []
    assert (log(page), phase(page)) == ([], "idle"), "the touch did nothing else"


def test_events_are_played_one_after_the_other(page: Any, start: SkyclaimPosition) -> None:
    show(page, state(start))
    made = [event(start, step) for step in ("move:e1e2", "move:e11e10")]
    page.evaluate("(made) => Promise.all(made.map((one) => board.play(one)))", made)
    assert page.evaluate(DIFFERENCES, start.line()) == []
    assert page.evaluate("() => [board.busy, board.state.line]") == [False, start.observe(1).line()]


def test_a_snapshot_ends_the_films(page: Any, start: SkyclaimPosition) -> None:
    show(page, state(start))
    made = event(start.copy(), next(step for step in start.steps() if step.startswith("swap:")))
    later = SKYCLAIM.start(8)
    page.evaluate(
        """async ([made, snapshot]) => {
          const films = [made, made].map((one) => board.play(one));
          await new Promise(requestAnimationFrame);
          board.show(snapshot);
          await Promise.all(films);
        }""",
        [made, state(later)],
    )
    assert page.evaluate(DIFFERENCES, later.line()) == []
    assert page.evaluate("() => board.busy") is False


def test_an_event_that_makes_no_sense_leads_to_its_state_all_the_same(page: Any, start: SkyclaimPosition) -> None:
    show(page, state(start))
    made = event(start, "move:e1e2")
    page.evaluate("(made) => board.play(made)", {**made, "events": [{"type": "flow"}, {"type": "clear", "groups": 7}]})
    assert page.evaluate(DIFFERENCES, start.line()) == []
    (fault,) = page.faults
    assert "an event could not be shown" in fault
    page.faults.clear()


def test_reduced_motion_moves_nothing(page: Any, start: SkyclaimPosition) -> None:
    page.emulate_media(reduced_motion="reduce")
    show(page, state(start))
    made = event(start, next(step for step in start.steps() if step.startswith("swap:")))
    started = page.evaluate(
        """async (made) => {
          let started = 0;
          const animate = Element.prototype.animate;
          Element.prototype.animate = function (...given) { started += 1; return animate.apply(this, given); };
          await board.play(made);
          return started;
        }""",
        made,
    )
    assert started == 0
    assert page.evaluate(DIFFERENCES, start.line()) == []


def test_themes_and_letters(page: Any, start: SkyclaimPosition) -> None:
    show(page, state(start), theme="light", letters=True)
    colour = "() => getComputedStyle(document.querySelector('.star .star-1')).fill"
    light = page.evaluate(colour)
    assert page.locator(".star .letter").first.is_visible()
    show(page, state(start), theme="auto", letters=False)
    assert not page.locator(".star .letter").first.is_visible()
    for scheme, same in (("dark", "false"), ("light", "true")):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function(f"(light) => (({colour})() === light) === {same}", arg=light)
