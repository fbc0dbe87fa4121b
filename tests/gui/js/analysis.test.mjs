/** What is made of an analysis, of a result, and of the land in a position. */

import assert from "node:assert/strict";
import test from "node:test";

import { arrows, winOf } from "../../../gui_adapter/static/js/analysis.js";
import { turningPoints } from "../../../gui_adapter/static/js/moments.js";
import { land, won } from "../../../gui_adapter/static/js/panels.js";

test("who has won is told from the result", () => {
  const seats = [{ side: "S" }, { side: "N" }];
  assert.equal(won({ result: { line: "N wins resign" }, seat: 2, seats }), true);
  assert.equal(won({ result: { line: "N wins land" }, seat: 1, seats }), false);
  assert.equal(won({ result: { line: "draw turns" }, seat: 1, seats }), false);
});

test("land is counted where it is seen", () => {
  const rows = ["4NNN4", "????NN?????", ...Array(7).fill("11"), "4SSS4", "SS9"].join("/");
  assert.deepEqual(land(`stars drones ${rows} S 0 - - 1 -`), { S: 5, N: 5 });
});

test("the chance to win is the viewer's", () => {
  assert.equal(winOf({ win: 0.75 }, 1), 0.75);
  assert.equal(winOf({ win: 0.75 }, 2), 0.25);
});

test("what is not known is not half", () => {
  assert.equal(winOf({ win: null }, 2), null);
  assert.equal(winOf(undefined, 1), null);
});

test("the best steps become arrows, three at most", () => {
  const best = ["swap:a1b1", "claim:e5", "pass", "move:a1a2"];
  assert.deepEqual(arrows({ best }), [
    { from: "a1", to: "b1", rank: 1 },
    { from: "e5", to: "e5", rank: 2 },
  ]);
  assert.deepEqual(arrows(undefined), []);
});

const points = (...wins) => wins.map((win, moment) => ({ moment, win }));

test("the three moments that changed most are told in the order of the game", () => {
  const found = turningPoints(points(0.5, 0.6, 0.2, 0.25, 0.9, 0.7, 1), 1, false);
  assert.deepEqual(found.map(({ moment }) => moment), [2, 4, 6]);
  assert.deepEqual(found[0], { moment: 2, before: 0.6, after: 0.2 });
  const [other] = turningPoints(points(0.5, 0.25), 2, false);
  assert.deepEqual(other, { moment: 1, before: 0.5, after: 0.75 });
});

test("small changes, the unknown, and a game that was given up are no moments", () => {
  assert.deepEqual(turningPoints(points(0.5, 0.55, null, 0.9, 0), 1, true), []);
  assert.deepEqual(turningPoints(points(0.5, 0), 1, false).length, 1);
  assert.deepEqual(turningPoints([], 1, false), []);
});
