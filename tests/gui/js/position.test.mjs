import assert from "node:assert/strict";
import test from "node:test";
import {
  SQUARES, nameOf, neighbours, parse, placeOf, readStep, spoken, squareAt, squareOf,
} from "../../../gui_adapter/static/js/position.js";

const STARS = `123451234#?/${Array(9).fill("54321543215").join("/")}/12345123451`;
const LAND = "4NNN3?/4NNN4/4NNN4/11/11/11/11/11/4SSS4/4SSS4/4SSS4";
const line = (changes = {}) => {
  const fields = { stars: STARS, drones: "Mf1!12,Se1*2=135!1,Te2,ha5=12345!2,rb10", land: LAND, side: "S", cleared: "3",
    wrecks: "d4:7,k10:1", lit: "10S/11/11/11/11/11/11/11/11/11/SSS8", turn: "17", stream: "-", ...changes };
  return Object.values(fields).join(" ");
};

test("squares have names, and no other text is a square", () => {
  for (let square = 0; square < SQUARES; square++) assert.equal(squareOf(nameOf(square)), square);
  for (const word of ["", "?", "a0", "a12", "l1", "A1", "a1b2", "a01"]) assert.equal(squareOf(word), null, word);
});

test("each seat has its own back row at the bottom", () => {
  assert.deepEqual(placeOf(squareOf("a1"), 1), [0, 10]);
  assert.deepEqual(placeOf(squareOf("a1"), 2), [10, 0]);
  assert.deepEqual(placeOf(squareOf("k11"), 2), [0, 10]);
  for (const seat of [1, 2]) {
    for (let square = 0; square < SQUARES; square++) assert.equal(squareAt(...placeOf(square, seat), seat), square);
    assert.equal(squareAt(-1, 0, seat), null);
    assert.equal(squareAt(0, 11, seat), null);
  }
});

test("a corner has three neighbours, a square inside eight", () => {
  assert.deepEqual(neighbours(squareOf("a1")).map(nameOf).sort(), ["a2", "b1", "b2"]);
  assert.equal(neighbours(squareOf("f6")).length, 8);
});

test("a line is read whole", () => {
  const { squares, side, cleared, turn } = parse(line());
  const at = (name) => squares[squareOf(name)];
  assert.deepEqual([side, cleared, turn], ["S", 3, 17]);
  assert.equal(at("a11").star, 1);
  assert.equal(at("b1").star, 2);
  assert.ok(at("j11").asteroid);
  assert.ok(at("k11").dark);
  assert.equal(at("k11").star, 0);
  assert.deepEqual([at("e11").land, at("e1").land, at("a1").land, at("k11").land], ["N", "S", "", ""]);
  assert.deepEqual(at("e1").drone, { side: "S", kind: "S", power: 2, colours: [1, 3, 5], missiles: 1 });
  assert.deepEqual(at("a5").drone, { side: "N", kind: "H", power: 1, colours: [1, 2, 3, 4, 5], missiles: 2 });
  assert.deepEqual(at("f1").drone, { side: "S", kind: "M", power: 1, colours: [], missiles: 12 });
  assert.equal(at("e2").drone.kind, "T");
  assert.deepEqual([at("d4").wreck, at("k10").wreck, at("a1").wreck], [7, 1, 0]);
  assert.deepEqual(squares.flatMap(({ lit }, square) => (lit ? [nameOf(square)] : [])), ["a1", "b1", "c1", "k11"]);
});

test("what is wrong is named and quoted", () => {
  const wrong = [
    ["a b c", /9 fields, not 3/],
    [line({ stars: STARS.replace("1", "6") }), /STARS: '6'/],
    [line({ stars: STARS.slice(1) }), /STARS: the row '23451234#\?' has 10 squares/],
    [line({ land: "11/11" }), /LAND: 2 rows/],
    [line({ land: LAND.replace("4S", "5S") }), /LAND: the row '5SSS4' has 12/],
    [line({ drones: "Qf1" }), /DRONES: 'Qf1'/],
    [line({ drones: "Mf12" }), /DRONES: 'Mf12'/],
    [line({ wrecks: "z9:1" }), /WRECKS: 'z9:1'/],
    [line({ side: "E" }), /SIDE: 'E'/],
    [line({ land: LAND.replace("11/11", "999999999999/11") }), /LAND: the row '999999999999'/],
  ];
  for (const [text, message] of wrong) assert.throws(() => parse(text), { message });
});

test("steps are read with their squares", () => {
  const read = (text) => {
    const { kind, from, to } = readStep(text);
    return [kind, from === null ? null : nameOf(from), to === null ? null : nameOf(to)];
  };
  assert.deepEqual(read("swap:a10a11"), ["swap", "a10", "a11"]);
  assert.deepEqual(read("fire:e1k11"), ["fire", "e1", "k11"]);
  assert.deepEqual(read("move:a1b1"), ["move", "a1", "b1"]);
  assert.deepEqual(read("claim:e5"), ["claim", "e5", "e5"]);
  assert.deepEqual(read("turret:e2"), ["turret", null, "e2"]);
  assert.deepEqual(read("pass"), ["pass", null, null]);
  assert.deepEqual(read("move:e1?"), ["", null, null]);
});

test("a step for people has its squares apart", () => {
  assert.equal(spoken("fire:e1d11"), "fire e1–d11");
  assert.equal(spoken("claim:k10"), "claim k10");
  assert.equal(spoken("pass"), "pass");
});
