import assert from "node:assert/strict";
import test from "node:test";
import { LONGEST, PACE, film } from "../../../gui_adapter/static/js/animate.js";
import { squareOf } from "../../../gui_adapter/static/js/position.js";

const WAVE = [
  { type: "clear", wave: 1,
    groups: [{ squares: ["e1", "e2", "e3", "e4"], colour: 3, shape: "line of 4", pays: ["S"] }] },
  { type: "drone", square: "e1", side: "S", kind: "S", power: 1, colours: [3], missiles: 0, how: "placed" },
  { type: "stock", side: "S", missiles: 4 },
  { type: "flow", toward: "S", falls: [["e5", "e1"]], new: [["e11", 2]] },
];

test("beats come in the order of the events, each with its time", () => {
  const beats = film([{ type: "swap", from: "e4", to: "f4" }, ...WAVE, { type: "turn", turn: 2, side: "N" }]);
  assert.deepEqual(beats.map(({ ms, changes }) => [ms, ...changes.map(({ what }) => what)]), [
    [PACE.swap, "swap"], [PACE.clear, "clear"], [PACE.drone, "appear", "stock"], [PACE.flow, "fall"]]);
  assert.deepEqual(beats[3].changes[0], { what: "fall", toward: "S", pairs: [[squareOf("e5"), squareOf("e1")]],
    fresh: [[squareOf("e11"), 2]] });
});

test("a cascade keeps its pace, 120 to 180 ms a step", () => {
  for (const kind of ["swap", "clear", "flow", "drone"]) assert.ok(PACE[kind] >= 120 && PACE[kind] <= 180, kind);
});

test("what happens side by side is one beat", () => {
  const drift = ["a4", "c5", "k2"].map((from) => ({ type: "drift", from, to: from.replace(/\d/, (row) => row - 1) }));
  const gone = ["a3", "c4"].map((square) => ({ type: "destroyed", square, side: "S", kind: "S", by: "asteroid" }));
  assert.deepEqual(film([...drift, ...gone]).map(({ changes }) => changes.length), [3, 2]);
});

test("a hundred waves are played faster, and none takes for ever", () => {
  const beats = film(Array(100).fill(WAVE).flat());
  assert.ok(beats.reduce((sum, { ms }) => sum + ms, 0) <= LONGEST * 1.01);
  assert.equal(beats.length, 300);
});

test("with reduced motion nothing takes time, and nothing is left out", () => {
  const beats = film(WAVE, { reduced: true });
  assert.ok(beats.every(({ ms }) => ms === 0));
  assert.equal(beats.flatMap(({ changes }) => changes).length, 4);
});

test("what the viewer does not see changes nothing, the rest does", () => {
  const events = [
    { type: "move", from: "?", to: "e4", kind: "S", how: "move" },
    { type: "destroyed", square: "?", side: "N", kind: "S", by: "bomb" },
    { type: "missile", from: "?", to: "e4", target: "drone", power: 1 },
    { type: "claim", square: "?", taken: ["e4", "e5"] },
    { type: "clear", wave: 1, groups: [{ squares: ["e4"], colour: 1, shape: null, pays: [], dark: true }] }];
  assert.deepEqual(film(events).flatMap(({ changes }) => changes.map(({ what }) => what)), ["power", "claim", "clear"]);
});

test("an event of a kind that is not known is passed over", () => {
  assert.deepEqual(film([{ type: "supernova", square: "e4" }, { type: "pass" }]), []);
});
