/**
 * What a position line of Skyclaim says (docs/rules/skyclaim.md, section 11), and the texts of steps. Nothing here
 * knows a rule: what is legal comes from the engine.
 *
 * A square is a number, 0 (a1) to 120 (k11), row by row; outside it is a text such as "e4".
 */

export const SIZE = 11;
export const SQUARES = SIZE * SIZE;
export const SIDES = ["S", "N"]; // of seats 1 and 2
const COLUMNS = "abcdefghijk";

export const nameOf = (square) => COLUMNS[square % SIZE] + (Math.floor(square / SIZE) + 1);

/** The square of a text such as "e4"; null for anything else, "?" (a square that is not seen) included. */
export function squareOf(name) {
  const found = /^([a-k])(1[01]|[1-9])$/.exec(name);
  return found ? (found[2] - 1) * SIZE + COLUMNS.indexOf(found[1]) : null;
}

export const neighbours = (square) => [...around(square, true)];
export const beside = (square) => [...around(square, false)];

/** The squares next to this one: all eight, or only the four side by side with it. */
function* around(square, corners) {
  const column = square % SIZE;
  const row = Math.floor(square / SIZE);
  for (let y = row - 1; y <= row + 1; y++) {
    for (let x = column - 1; x <= column + 1; x++) {
      const steps = Math.abs(x - column) + Math.abs(y - row);
      if (x >= 0 && x < SIZE && y >= 0 && y < SIZE && steps > 0 && (corners || steps === 1)) yield y * SIZE + x;
    }
  }
}

/**
 * Where a square is drawn, [column, row] from the top left: each side has its own back row at the bottom, so seat 2
 * sees the board turned by half a turn.
 */
export function placeOf(square, seat) {
  const shown = seat === 2 ? SQUARES - 1 - square : square;
  return [shown % SIZE, SIZE - 1 - Math.floor(shown / SIZE)];
}

export function squareAt(column, row, seat) {
  if (column < 0 || row < 0 || column >= SIZE || row >= SIZE) return null;
  const shown = (SIZE - 1 - row) * SIZE + column;
  return seat === 2 ? SQUARES - 1 - shown : shown;
}

/** A step's text as {text, kind, from, to}; squares that it does not name are null, and a claim is at home. */
export function readStep(text) {
  const found = /^([a-z]+)(?::([a-k](?:1[01]|[1-9]))([a-k](?:1[01]|[1-9]))?)?$/.exec(text);
  if (!found) return { text, kind: "", from: null, to: null };
  const [, kind, first, second] = found;
  if (kind === "turret") return { text, kind, from: null, to: squareOf(first) };
  return { text, kind, from: squareOf(first ?? ""), to: squareOf(second ?? first ?? "") };
}

/** A step's text for people: "fire:e1d4" is "fire e1–d4". */
export function spoken(text) {
  return text.replace(":", " ").replace(/(\d)(?=[a-k])/g, "$1–");
}

/**
 * A position line as {squares, side, cleared, turn}. Each of the 121 squares is {star (1..5, 0 for none), asteroid,
 * dark, land ("S", "N" or ""), lit (for good: it was owned once; with fog only), wreck (its countdown or 0), drone};
 * a drone is {side, kind, power, colours, missiles} or null.
 *
 * Throws an Error that names the field and quotes the word.
 */
export function parse(line) {
  const fields = line.split(" ");
  if (fields.length !== 9) throw new Error(`a position has 9 fields, not ${fields.length}: '${line.slice(0, 60)}'`);
  const [stars, drones, land, side, cleared, wrecks, lit, turn] = fields;
  const squares = readRows("STARS", stars, "12345#?", false).map((letter) => ({
    star: Number(letter) || 0, asteroid: letter === "#", dark: letter === "?",
    land: "", lit: false, wreck: 0, drone: null,
  }));
  readRows("LAND", land, "SN?", true).forEach((letter, square) => {
    squares[square].land = letter === "?" ? "" : letter;
  });
  if (lit !== "-") {
    readRows("LIT", lit, "SNB?", true).forEach((letter, square) => (squares[square].lit = letter !== ""));
  }
  for (const word of listed(drones)) {
    const [square, drone] = readDrone(word);
    squares[square].drone = drone;
  }
  for (const word of listed(wrecks)) {
    const [name, countdown] = word.split(":");
    const square = squareOf(name);
    if (square === null || !(countdown > 0)) throw new Error(`WRECKS: '${word}' is no wreck`);
    squares[square].wreck = Number(countdown);
  }
  if (!SIDES.includes(side)) throw new Error(`SIDE: '${side}' is neither S nor N`);
  return { squares, side, cleared: Number(cleared), turn: Number(turn) };
}

const listed = (field) => (field === "-" ? [] : field.split(","));

function readDrone(word) {
  const found = /^([MSGRHWXBTmsgrhwxbt])([a-k]\d\d?)(?:\*([23]))?(?:=([1-5]+))?(?:!(\d+))?$/.exec(word);
  const square = found ? squareOf(found[2]) : null;
  if (square === null) throw new Error(`DRONES: '${word}' is no drone`);
  const [, letter, , power, colours, missiles] = found;
  const kind = letter.toUpperCase();
  return [square, {
    side: letter === kind ? "S" : "N", kind, power: Number(power ?? 1),
    colours: [...(colours ?? "")].map(Number), missiles: Number(missiles ?? 0),
  }];
}

/** 121 letters by square, from rows 11 to 1; where counts are allowed they stand for that many squares of "". */
function readRows(field, text, letters, counts) {
  const rows = text.split("/").map((row) => {
    const read = [];
    for (const [word] of row.matchAll(counts ? /\d+|[^\d]/g : /./g)) {
      if (counts && /^\d+$/.test(word)) read.push(...Array(Math.min(Number(word), SIZE + 1)).fill(""));
      else if (letters.includes(word)) read.push(word);
      else throw new Error(`${field}: '${word}' is not in '${letters}'`);
    }
    if (read.length !== SIZE) throw new Error(`${field}: the row '${row}' has ${read.length} squares, not ${SIZE}`);
    return read;
  });
  if (rows.length !== SIZE) throw new Error(`${field}: ${rows.length} rows, not ${SIZE}`);
  return rows.reverse().flat();
}
