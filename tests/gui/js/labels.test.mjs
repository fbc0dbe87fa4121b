import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { label, wayTo } from "../../../gui_adapter/static/js/labels.js";
import { parse, readStep, squareOf } from "../../../gui_adapter/static/js/position.js";

const file = new URL("../../../gui_adapter/static/en.json", import.meta.url);
const texts = JSON.parse(readFileSync(file, "utf8"));
globalThis.fetch = async () => ({ ok: true, json: async () => texts });

const { load, t } = await import("../../../gui_adapter/static/js/text.js");
await load("en");
const say = (key, values) => t(`board-${key}`, values);

const STARS = `123451234#?/${Array(10).fill("12345123451").join("/")}`;
const LINE = `${STARS} Mf1!12,Se4*2=13!1,ha5*3=2!2 ${Array(10).fill("11").join("/")}/4SSS4 S 0 d4:7 - 1 -`;
const position = parse(LINE);
const words = (name, more = {}) => label(position, squareOf(name), { seat: 1, say, ...more });

test("a square says what it holds and what can be done from it", () => {
  const steps = ["swap:e4f4", "move:e4e5", "claim:e4"].map(readStep);
  assert.equal(words("e4", { steps }),
    "e4, violet star, your scout power 2, 1 loaded, rides red green, can move, claim, swap right");
  assert.equal(words("a5"), "a5, red star, enemy hunter power 3, 2 loaded, rides yellow");
  assert.equal(words("f1"), "f1, red star, your command power 1, 12 in stock, your land");
  assert.equal(words("d4"), "d4, blue star, wreck, 4 rounds left");
  assert.equal(words("j11"), "j11, asteroid");
  assert.equal(words("k11"), "k11, dark");
});

test("a target says what would be done to it, the selected square that it is", () => {
  const targets = ["move:e4e5", "fire:e4e5"].map(readStep);
  assert.equal(words("e5", { targets }), "e5, violet star, target: move, fire");
  assert.match(words("e4", { selected: true }), /, selected$/);
});

test("ways are those of the viewer", () => {
  const ways = (seat) => ["d4", "f4", "e3", "e5"].map((to) => wayTo(squareOf("e4"), squareOf(to), seat));
  assert.deepEqual(ways(1), ["left", "right", "down", "up"]);
  assert.deepEqual(ways(2), ["right", "left", "up", "down"]);
  assert.match(label(position, squareOf("a5"), { seat: 2, say }), /your hunter/);
});
