/** What is made of an analysis, and of the land in a position. */

import assert from "node:assert/strict";
import test from "node:test";

import { arrows, winOf } from "../../../gui_adapter/static/js/analysis.js";

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
