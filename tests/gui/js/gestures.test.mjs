import assert from "node:assert/strict";
import test from "node:test";
import { ASKING, Gestures, walk } from "../../../gui_adapter/static/js/gestures.js";
import { nameOf, squareOf } from "../../../gui_adapter/static/js/position.js";

const set = (names) => new Set(names.split(" ").filter(Boolean).map(squareOf));

/** Gestures that see a board: own drones, stars that may be tried, enemy drones and asteroids, legal steps. */
function board(legal, { hard = "", mine = true, seat = 1, ...options } = {}) {
  const gestures = new Gestures(options);
  const see = (steps) => gestures.see({
    mine, seat, legal: steps.split(" ").filter(Boolean), hard: set(hard), command: squareOf("f1"),
    own: set("e1 f1 g1"), stars: set("d1 e1 e2 e3 e4 f1 f4 f5 g1") });
  see(legal);
  return Object.assign(gestures, { again: see });
}

const tap = (gestures, ...names) => names.map((name) => gestures.input({ type: "tap", square: squareOf(name) })).at(-1);
const chip = (gestures, place) => gestures.input({ type: "chip", place });
const drag = (gestures, from, to, dx, dy) => [gestures.input({ type: "drag", square: squareOf(from) }),
  gestures.input({ type: "drop", square: to && squareOf(to), dx, dy })].at(-1);
const lit = (gestures) => [...gestures.targets.keys()].map(nameOf).sort();
const shown = (gestures) => gestures.chips.map((one) => one && `${one.what} ${one.kind}`);
const sent = (step) => [{ do: "send", step }];

test("two taps swap, in either direction, and nothing more is taken until the host answers", () => {
  for (const way of [["e3", "e4"], ["e4", "e3"]]) {
    const gestures = board("swap:e3e4");
    assert.deepEqual(tap(gestures, way[0]), []);
    assert.deepEqual(lit(gestures), [way[1]]);
    assert.deepEqual(tap(gestures, way[1]), sent("swap:e3e4"));
    assert.deepEqual(tap(gestures, "e3", "e4"), []);
    assert.equal(gestures.phase, "sent");
  }
});

test("the host's refusal gives the selection back", () => {
  const gestures = board("move:e1e2");
  tap(gestures, "e1", "e2");
  gestures.input({ type: "refused" });
  assert.deepEqual([gestures.phase, nameOf(gestures.selected), lit(gestures)], ["selected", "e1", ["e2"]]);
});

test("a refusal when nothing was sent changes nothing", () => {
  const gestures = board("move:e1e2");
  tap(gestures, "e1");
  gestures.input({ type: "refused" });
  assert.equal(gestures.phase, "selected");
});

test("a swap that makes no line snaps back and says so, and the selection moves on", () => {
  const gestures = board("swap:f4f5");
  assert.deepEqual(tap(gestures, "e3", "e4"),
    [{ do: "snap", from: squareOf("e3"), to: squareOf("e4") }, { do: "say", key: "no-line" }]);
  assert.deepEqual([gestures.phase, nameOf(gestures.selected)], ["selected", "e4"]);
});

test("a tap on another own piece selects it, on the same one nothing, elsewhere asks what is there", () => {
  const gestures = board("swap:f4f5 move:g1g2");
  tap(gestures, "f4", "g1");
  assert.equal(nameOf(gestures.selected), "g1");
  assert.deepEqual(tap(gestures, "g1"), []);
  assert.equal(gestures.phase, "idle");
  assert.deepEqual(tap(gestures, "k11"), [{ do: "ask", square: squareOf("k11") }]);
  assert.equal(gestures.phase, "idle");
});

test("while it is not one's turn every tap only asks", () => {
  const gestures = board("", { mine: false });
  assert.deepEqual(tap(gestures, "e1"), [{ do: "ask", square: squareOf("e1") }]);
  assert.deepEqual(drag(gestures, "e1", "e2", 0, -1), []);
  assert.equal(gestures.phase, "idle");
});

test("several actions on a target give chips, the likeliest first; the board stays alive", () => {
  const gestures = board("move:e1e2 swap:e1e2 move:g1g2");
  tap(gestures, "e1", "e2");
  assert.equal(gestures.phase, "choosing");
  assert.deepEqual(shown(gestures), ["step move", "step swap", null, "no no", null]);
  assert.ok(gestures.chips[0].likely);
  assert.deepEqual(chip(gestures, 3), []);
  assert.deepEqual(chip(gestures, 2), sent("swap:e1e2"));
  const other = board("move:e1e2 swap:e1e2 move:g1g2");
  tap(other, "e1", "e2", "g1");
  assert.equal(nameOf(other.selected), "g1");
  const same = board("move:e1e2 swap:e1e2");
  assert.deepEqual(tap(same, "e1", "e2", "e2"), sent("move:e1e2"));
});

test("what cannot be taken back asks first: tap again, the tick, or back", () => {
  const steps = { claim: "claim:e1", stack: "stack:e1g1", bomb: "bomb:e1e2", siege: "siege:e1e2" };
  for (const [kind, step] of Object.entries(steps)) {
    assert.ok(ASKING.includes(kind));
    const target = kind === "claim" ? "e1" : kind === "stack" ? "g1" : "e2";
    const gestures = board(step);
    assert.deepEqual(tap(gestures, "e1", target), [{ do: "preview", step }]);
    assert.deepEqual(shown(gestures), [null, null, null, "no no", `yes ${kind}`]);
    gestures.input({ type: "back" });
    assert.equal(gestures.phase, "selected");
    tap(gestures, target);
    assert.deepEqual(tap(gestures, "k11"), [], "a tap elsewhere is no");
    assert.equal(gestures.phase, "selected");
    tap(gestures, target);
    assert.deepEqual(tap(gestures, target), sent(step));
  }
});

test("confirm: never asks nothing, always asks everything", () => {
  assert.deepEqual(tap(board("claim:e1", { confirm: "never" }), "e1", "e1"), sent("claim:e1"));
  const always = board("swap:e3e4 pass", { confirm: "always" });
  assert.deepEqual(tap(always, "e4", "e3"), [{ do: "preview", step: "swap:e3e4" }]);
  assert.deepEqual(chip(always, 5), sent("swap:e3e4"));
});

test("yes and no never stand where a choice stood", () => {
  const gestures = board("fire:e1e2 claim:e1 warp:e1k5 move:e1e2 swap:e1e2");
  tap(gestures, "e1");
  for (const place of [4, 5]) assert.ok(["no", undefined].includes(gestures.chips[place - 1]?.what));
  tap(gestures, "e2");
  assert.notEqual(gestures.chips[4]?.what, "step");
});

test("shots at stars, warps and turrets are aimed for by a chip; drones and asteroids can be shot at directly", () => {
  const gestures = board("fire:e1e2 fire:e1e3 fire:e1e4 move:e1e2", { hard: "e4" });
  tap(gestures, "e1");
  assert.deepEqual(lit(gestures), ["e2", "e4"]);
  assert.deepEqual(gestures.targets.get(squareOf("e2")).map(({ kind }) => kind), ["move"]);
  assert.deepEqual(shown(gestures), ["aim fire", null, null, "no no", null]);
  chip(gestures, 1);
  assert.deepEqual(lit(gestures), ["e2", "e3", "e4"]);
  assert.deepEqual(tap(gestures, "e2"), [{ do: "preview", step: "fire:e1e2" }]);
  gestures.input({ type: "back" });
  assert.equal(gestures.aim, "fire", "back to aiming");
  gestures.input({ type: "back" });
  assert.deepEqual([gestures.aim, gestures.phase], [null, "selected"]);
  gestures.input({ type: "back" });
  assert.equal(gestures.phase, "idle");
});

test("a turret is built from the Command", () => {
  const gestures = board("turret:e2 turret:g2");
  tap(gestures, "f1");
  assert.deepEqual(lit(gestures), []);
  chip(gestures, 1);
  assert.deepEqual(lit(gestures), ["e2", "g2"]);
  tap(gestures, "g2");
  assert.deepEqual(chip(gestures, 5), sent("turret:g2"));
});

test("pass has a chip where it is legal, and only there", () => {
  assert.deepEqual(chip(board("pass"), 1), sent("pass"));
  assert.deepEqual(shown(board("move:e1e2")), [null, null, null, null, null]);
});

test("a drone is dragged to its target; elsewhere everything is as before", () => {
  const gestures = board("move:e1e2 move:g1g2");
  assert.deepEqual(drag(gestures, "e1", "e2", 0, -1), sent("move:e1e2"));
  const other = board("move:e1e2 move:g1g2");
  tap(other, "g1");
  assert.deepEqual(drag(other, "e1", "k9", 6, -8), []);
  assert.equal(nameOf(other.selected), "g1");
  drag(other, "e1", null, 30, 30);
  assert.equal(nameOf(other.selected), "g1");
  other.input({ type: "drag", square: squareOf("e1") });
  assert.equal(nameOf(other.selected), "e1");
  other.input({ type: "cancel" });
  assert.equal(nameOf(other.selected), "g1");
  assert.deepEqual(drag(other, "k11", "k10", 0, 1), [], "what is not one's own cannot be dragged");
});

test("a drone that is dropped where several things can be done gives chips, and a claim is no accident", () => {
  const gestures = board("move:e1e2 swap:e1e2 claim:e1");
  drag(gestures, "e1", "e2", 0, -1);
  assert.equal(gestures.phase, "choosing");
  const still = board("claim:e1");
  assert.deepEqual(drag(still, "e1", "e1", 0.3, 0.1), []);
  assert.equal(still.phase, "idle");
});

test("a star is swiped along the longer axis; near the diagonal it only shakes", () => {
  assert.deepEqual(drag(board("swap:e3e4"), "e3", "e4", 0.1, -0.9), sent("swap:e3e4"));
  assert.deepEqual(drag(board("swap:e3e4"), "e3", "k9", 0.3, -7), sent("swap:e3e4"));
  const shake = [{ do: "shake", square: squareOf("e3") }];
  for (const [dx, dy] of [[0.7, -0.7], [-0.7, -0.5], [0.5, -0.8]]) {
    assert.deepEqual(drag(board("swap:e3e4"), "e3", "f4", dx, dy), shake);
  }
  assert.deepEqual(drag(board("swap:e3e4"), "e3", "k9", -2, 0.1), shake, "nothing to swap with there");
  assert.deepEqual(drag(board("swap:e3e4"), "e3", "e2", 0, 1).map((effect) => effect.do), ["snap", "say"]);
});

test("the other seat swipes in its own view", () => {
  assert.deepEqual(drag(board("swap:e3e4", { seat: 2 }), "e3", "e4", 0, 1), sent("swap:e3e4"));
});

test("a selection stays over a new state where it still means something", () => {
  const gestures = board("fire:e1e2 move:e1e2");
  tap(gestures, "e1");
  gestures.again("move:e1e2");
  assert.equal(nameOf(gestures.selected), "e1");
  gestures.again("move:g1g2");
  assert.equal(gestures.phase, "idle");
});

test("a question stays while its step is legal, and is dropped with it", () => {
  const gestures = board("claim:e1 move:g1g2");
  tap(gestures, "e1", "e1");
  gestures.again("claim:e1");
  assert.equal(gestures.phase, "preview");
  gestures.again("move:g1g2");
  assert.equal(gestures.phase, "idle");
});

test("no series of inputs sends what is not legal, or sends twice without an answer", () => {
  const legal = "fire:e1e2 fire:e1e4 claim:e1 move:e1e2 swap:e1e2 swap:e3e4 stack:e1g1 turret:g2 pass";
  let seed = 1;
  const draw = (count) => ((seed = (seed * 48271) % 2147483647) % count);
  for (let game = 0; game < 300; game++) {
    const gestures = board(legal, { hard: "e4", confirm: ["some", "never", "always"][game % 3] });
    let waits = false;
    for (let step = 0; step < 60; step++) {
      const square = draw(9) * 11 % 55 + draw(9);
      const [dx, dy] = [draw(5) - 2, draw(5) - 2];
      const event = [{ type: "tap", square }, { type: "chip", place: 1 + draw(5) }, { type: "back" },
        { type: "drag", square }, { type: "drop", square, dx, dy }, { type: "cancel" }][draw(6)];
      for (const effect of gestures.input(event)) {
        if (effect.do === "preview") assert.ok(legal.split(" ").includes(effect.step));
        if (effect.do !== "send") continue;
        assert.ok(!waits && legal.split(" ").includes(effect.step));
        waits = true;
      }
      if (waits && draw(4) === 0) {
        waits = false;
        gestures.input({ type: "refused" });
      }
    }
  }
});

test("arrow keys walk in the view of the seat and stop at the edge", () => {
  const from = squareOf("e4");
  const keys = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End"];
  assert.deepEqual(keys.map((key) => nameOf(walk(from, key, 1))), ["e5", "e3", "d4", "f4", "a4", "k4"]);
  assert.deepEqual(["ArrowUp", "ArrowRight"].map((key) => nameOf(walk(from, key, 2))), ["e3", "d4"]);
  assert.equal(walk(squareOf("a1"), "ArrowDown", 1), squareOf("a1"));
  assert.equal(walk(from, "x", 1), null);
});

/** What is to be tapped next for a step, again and again, until it was sent: squares by name, chips by kind. */
function way(gestures, step) {
  const taps = [];
  for (let effects = []; !effects.some((effect) => effect.do === "send"); ) {
    const { square, place } = gestures.next(step);
    taps.push(place ? shown(gestures)[place - 1] : nameOf(square));
    effects = place ? chip(gestures, place) : gestures.input({ type: "tap", square });
    assert.ok(taps.length < 9, taps.join());
    if (effects.some((effect) => effect.do === "send")) assert.equal(effects[0].step, step);
  }
  return taps;
}

test("what to tap next leads to each step, from wherever one is", () => {
  const legal = "swap:e1e2 swap:f4f5 move:e1e2 claim:e1 fire:e1e4 fire:e1d4 turret:g2 warp:g1e4 move:g1g2";
  const ways = {
    "swap:f4f5": ["f4", "f5"],
    "swap:e1e2": ["e1", "e2", "step swap"],
    "move:e1e2": ["e1", "e2", "step move"],
    "claim:e1": ["e1", "step claim", "yes claim"],
    "fire:e1d4": ["e1", "d4", "yes fire"],
    "fire:e1e4": ["e1", "aim fire", "e4", "yes fire"],
    "warp:g1e4": ["g1", "aim warp", "e4", "yes warp"],
    "turret:g2": ["f1", "aim turret", "g2", "yes turret"],
    "move:g1g2": ["g1", "g2"],
  };
  for (const [step, taps] of Object.entries(ways)) assert.deepEqual(way(board(legal, { hard: "d4" }), step), taps, step);
  const gestures = board(legal, { hard: "d4" });
  tap(gestures, "g1");
  chip(gestures, shown(gestures).indexOf("aim warp") + 1);
  assert.deepEqual(way(gestures, "move:g1g2"), ["no no", "g2"]);
  const other = board(legal, { hard: "d4" });
  tap(other, "e1", "d4");
  assert.deepEqual(way(other, "claim:e1"), ["no no", "step claim", "yes claim"]);
  assert.deepEqual(other.next("claim:e1"), {});
  assert.deepEqual(way(board("pass"), "pass"), ["step pass"]);
});
