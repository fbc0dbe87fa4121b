/** What the page says: its own words, and the engine's sentences told to a person. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const file = new URL("../../../gui_adapter/static/en.json", import.meta.url);
const words = JSON.parse(readFileSync(file, "utf8"));
globalThis.fetch = async () => ({ ok: true, json: async () => words });

const { load, t } = await import("../../../gui_adapter/static/js/text.js");
const { voiced } = await import("../../../gui_adapter/static/js/voice.js");
await load("en");

const BOT = [{ kind: "human" }, { kind: "bot" }];
const south = (text) => voiced(text, { seat: 1, seats: BOT });
const PEOPLE = [{ kind: "human", name: "Ann" }, { kind: "human", name: "Ben" }];
const north = (text) => voiced(text, { seat: 2, seats: PEOPLE });

test("words are filled in, and a number chooses the plural", () => {
  assert.equal(t("land", { n: 9, goal: 69 }), "9 of 69");
  assert.equal(t("turns", { n: 1 }), "1 turn");
  assert.equal(t("turns", { n: 2 }), "2 turns");
});

test("a key that is missing is never shown", () => {
  assert.throws(() => t("no-such-key"), /no words for the key "no-such-key"/);
});

test("who looks on is you", () => {
  assert.equal(south("South swaps a1 and b1."), "You swap a1 and b1.");
  assert.equal(south("South passes: there is no action to take."), "You pass: there is no action to take.");
  assert.equal(south("South's scout claims 2 squares."), "Your scout claims 2 squares.");
  assert.equal(south("Bad: South's raider is gone; they drift toward South."),
    "Bad: your raider is gone; they drift toward you.");
});

test("the other side has its name", () => {
  assert.equal(south("North's siege drone goes from e11 to e10."), "The bot's siege drone goes from e11 to e10.");
  assert.equal(south("A star on North's land."), "A star on the bot's land.");
  assert.equal(north("South fires a missile. North owns a square less."),
    "Ann fires a missile. You own a square less.");
});

test("a name is put in as it is", () => {
  const state = { seat: 1, seats: [{ kind: "human" }, { kind: "human", name: "$& $1" }] };
  assert.equal(voiced("North's scout", state), "$& $1's scout");
});

test("colours have names", () => {
  assert.equal(south("A line of 4 in colour 3 clears 4 stars."), "A line of 4 in green clears 4 stars.");
});
