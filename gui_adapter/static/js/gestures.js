/**
 * One grammar for finger, mouse and keyboard: inputs go in, effects come out. There is no page in here and no rule:
 * what is legal is the list that the engine gave.
 *
 * Phases: `idle`; `selected` (a square, whose targets are lit); `choosing` (a target with several actions); `preview`
 * (a step that waits for yes or no); `sent` (nothing is taken until the host answers).
 *
 * Effects: {do: "send", step} · {do: "preview", step} · {do: "ask", square} (what is this?) · {do: "say", key} ·
 * {do: "snap", from, to} (a swap that makes no line) · {do: "shake", square}.
 */

import { SIZE, beside, placeOf, readStep, squareAt } from "./position.js";

/** Kinds that have a chip to aim with, because their targets would cover everything else. */
export const AIMED = ["fire", "warp", "turret"];
/** Kinds that ask before they are done: they cannot be taken for anything else, and a slip would cost much. */
export const ASKING = ["fire", "claim", "stack", "bomb", "warp", "siege", "turret"];
/** What a target with several actions offers first. */
const LIKELY = ["take", "bomb", "ram", "stack", "move", "claim", "swap", "siege", "fire", "warp", "turret"];
/** Of 45 degrees, how far a swipe may be from the diagonal and still be no swap. */
const UNCLEAR = 20;
/** The places of the chips: an answer never stands where a choice stood, so no finger meets the wrong one. */
export const CHIPS = 5;
const NO_SLOT = CHIPS - 1;
const YES_SLOT = CHIPS;

const IDLE = { phase: "idle", selected: null, aim: null, choices: [], step: null };

export class Gestures {
  /** `confirm`: "some" (the kinds of ASKING ask), "always" or "never". */
  constructor({ confirm = "some" } = {}) {
    this.confirm = confirm;
    const none = new Set();
    this.facts = { mine: false, seat: 1, legal: [], own: none, stars: none, hard: none, command: null };
    this.from = new Map();
    this.forget();
  }

  forget() {
    Object.assign(this, IDLE);
    this.drag = null;
  }

  /**
   * What stands on the board now: `mine` (it is this seat's decision), `seat`, `legal` (texts), and the squares `own`
   * (with an own drone), `stars` (a star that the seat may try to swap), `hard` (an enemy drone or an asteroid),
   * `command`. A selection stays where it still means something; a step that was sent is over.
   */
  see(facts) {
    this.facts = facts;
    this.from = new Map();
    for (const step of facts.legal.map(readStep)) {
      if (step.kind === "turret") step.from = facts.command;
      this.#list(step);
      if (step.kind === "swap") this.#list({ ...step, from: step.to, to: step.from });
    }
    this.drag = null;
    if (this.phase === "preview" && facts.legal.includes(this.step.text)) return;
    const kept = this.phase !== "idle" && facts.mine && this.from.has(this.selected) && facts.own.has(this.selected);
    const { selected } = this;
    this.forget();
    if (kept) Object.assign(this, { phase: "selected", selected });
  }

  #list(step) {
    if (step.from === null) return;
    if (!this.from.has(step.from)) this.from.set(step.from, []);
    this.from.get(step.from).push(step);
  }

  /** The legal steps from a square, each once. */
  stepsFrom(square) {
    return this.from.get(square) ?? [];
  }

  selectable(square) {
    return this.facts.mine && (this.from.has(square) || this.facts.stars.has(square));
  }

  #needsAim(step) {
    return step.kind === "fire" ? !this.facts.hard.has(step.to) : AIMED.includes(step.kind);
  }

  /** What can be done with the selected square: target square -> steps, the likeliest first. */
  get targets() {
    const found = new Map();
    if (this.selected === null) return found;
    for (const step of this.stepsFrom(this.selected)) {
      if (this.aim ? step.kind !== this.aim : this.#needsAim(step)) continue;
      found.set(step.to, [...(found.get(step.to) ?? []), step]);
    }
    for (const steps of found.values()) steps.sort((one, two) => LIKELY.indexOf(one.kind) - LIKELY.indexOf(two.kind));
    return found;
  }

  /** The chips, null for an empty place: {what: "aim", "step", "no" or "yes", kind, step, pressed, likely}. */
  get chips() {
    const chips = Array(CHIPS).fill(null);
    const no = { what: "no", kind: "no" };
    if (this.phase === "preview") {
      chips[YES_SLOT - 1] = { what: "yes", kind: this.step.kind, step: this.step.text, likely: true };
      chips[NO_SLOT - 1] = no;
    } else if (this.phase === "choosing") {
      this.choices.slice(0, NO_SLOT - 1).forEach((step, place) => {
        chips[place] = { what: "step", kind: step.kind, step: step.text, likely: place === 0 };
      });
      chips[NO_SLOT - 1] = no;
    } else if (this.phase === "selected") {
      const kinds = new Set(this.stepsFrom(this.selected).map((step) => step.kind));
      const claim = this.stepsFrom(this.selected).find((step) => step.kind === "claim");
      const aims = AIMED.filter((kind) => kinds.has(kind));
      aims.forEach((kind, place) => (chips[place] = { what: "aim", kind, pressed: this.aim === kind }));
      if (claim) chips[aims.length] = { what: "step", kind: "claim", step: claim.text };
      chips[NO_SLOT - 1] = no;
    } else if (this.phase === "idle" && this.facts.mine && this.facts.legal.includes("pass")) {
      chips[0] = { what: "step", kind: "pass", step: "pass" };
    }
    return chips;
  }

  /** What to tap next to make a legal step: {square} or {place} of a chip (1..5); {} while nothing is taken. */
  next(text) {
    const { from, kind } = readStep(text);
    const place = (wanted) => this.chips.findIndex((chip) => chip && wanted(chip)) + 1;
    const own = place((chip) => chip.step === text);
    if (own) return { place: own };
    if (this.phase === "sent") return {};
    if (this.phase === "preview" || this.phase === "choosing") return { place: NO_SLOT };
    const step = this.stepsFrom(this.selected).find((each) => each.text === text);
    if (!step) return { square: from ?? this.facts.command };
    if (this.targets.get(step.to)?.includes(step)) return { square: step.to };
    return { place: place((chip) => chip.what === "aim" && chip.kind === kind) || NO_SLOT };
  }

  /**
   * One input, its effects: {type: "tap", square} · {type: "chip", place} (1..5) · {type: "back"} · {type: "refused"}
   * (by the host) · {type: "drag", square} (it begins) · {type: "cancel"} (of the drag) ·
   * {type: "drop", square, dx, dy} (where, and how far in squares to the right and down).
   */
  input(event) {
    if (event.type === "refused") return this.#refused();
    if (this.phase === "sent") return [];
    if (event.type === "tap") return this.#tap(event.square);
    if (event.type === "chip") return this.#chip(this.chips[event.place - 1]);
    if (event.type === "back") return this.#back();
    if (event.type === "drag") return this.#begin(event.square);
    if (event.type === "drop") return this.#drop(event);
    if (event.type === "cancel") return this.#restore();
    return [];
  }

  #tap(square) {
    if (!this.facts.mine) return [{ do: "ask", square }];
    if (this.phase === "preview") return square === this.step.to ? this.#send(this.step) : this.#back();
    if (this.phase === "choosing") {
      if (square === this.choices[0].to) return this.#pick(this.choices[0]);
      this.#back();
    }
    if (this.phase === "selected") {
      const steps = this.targets.get(square);
      if (steps) return this.#aimAt(steps);
      if (square === this.selected) return this.#back();
      if (this.#triedSwap(square)) return this.#snap(square);
    }
    return this.#select(square);
  }

  #aimAt(steps) {
    if (steps.length === 1) return this.#pick(steps[0]);
    this.phase = "choosing";
    this.choices = steps;
    return [];
  }

  #select(square) {
    this.forget();
    if (!this.selectable(square)) return [{ do: "ask", square }];
    this.phase = "selected";
    this.selected = square;
    return this.facts.own.has(square) || this.facts.hard.has(square) ? [{ do: "ask", square }] : [];
  }

  #triedSwap(square) {
    return !this.aim && this.facts.stars.has(this.selected) && this.facts.stars.has(square) &&
      !this.facts.own.has(square) && beside(this.selected).includes(square);
  }

  #snap(square) {
    const from = this.selected;
    this.#select(square);
    return [{ do: "snap", from, to: square }, { do: "say", key: "no-line" }];
  }

  #pick(step) {
    const asks = this.confirm === "always" || (this.confirm === "some" && ASKING.includes(step.kind));
    if (!asks) return this.#send(step);
    this.phase = "preview";
    this.step = step;
    return [{ do: "preview", step: step.text }];
  }

  #send(step) {
    this.phase = "sent";
    this.step = step;
    this.drag = null;
    return [{ do: "send", step: step.text }];
  }

  #chip(chip) {
    if (!chip) return [];
    if (chip.what === "yes") return this.#send(this.step);
    if (chip.what === "no") return this.#back();
    if (chip.what === "step") return this.#pick(chip.kind === "pass" ? readStep("pass") : this.#find(chip.step));
    this.aim = this.aim === chip.kind ? null : chip.kind;
    return [];
  }

  #find(text) {
    return this.stepsFrom(this.selected).find((step) => step.text === text);
  }

  /** One thing back: the question, then the aim, then the selection. */
  #back() {
    if (this.phase === "preview" || this.phase === "choosing") {
      const { selected, aim } = this;
      this.forget();
      if (selected !== null) Object.assign(this, { phase: "selected", selected, aim });
    } else if (this.aim) {
      this.aim = null;
    } else {
      this.forget();
    }
    return [];
  }

  #refused() {
    if (this.phase === "sent") {
      this.phase = "preview";
      this.#back();
    }
    return [];
  }

  #begin(square) {
    if (!this.selectable(square)) return [];
    const { phase, selected, aim, choices, step } = this;
    const before = { phase, selected, aim, choices, step };
    this.forget();
    Object.assign(this, { phase: "selected", selected: square, aim: selected === square ? aim : null });
    this.drag = { before };
    return [];
  }

  #restore() {
    if (this.drag) Object.assign(this, this.drag.before, { drag: null });
    return [];
  }

  #drop({ square, dx, dy }) {
    if (!this.drag) return [];
    if (!this.facts.own.has(this.selected)) return this.#swipe(dx, dy);
    const steps = square === this.selected ? null : this.targets.get(square);
    if (!steps) return this.#restore();
    this.drag = null;
    return this.#aimAt(steps);
  }

  /** A star is swiped, not carried: the longer axis says where to, and too near to the diagonal nothing does. */
  #swipe(dx, dy) {
    const from = this.selected;
    const angle = (Math.atan2(Math.abs(dy), Math.abs(dx)) * 180) / Math.PI;
    const [column, row] = placeOf(from, this.facts.seat);
    const across = Math.abs(dx) > Math.abs(dy);
    const clear = Math.abs(angle - 45) >= UNCLEAR;
    const to = squareAt(column + (across ? Math.sign(dx) : 0), row + (across ? 0 : Math.sign(dy)), this.facts.seat);
    const step = this.stepsFrom(from).find((known) => known.kind === "swap" && known.to === to);
    if (clear && step) {
      this.drag = null;
      return this.#pick(step);
    }
    const tried = clear && to !== null && this.facts.stars.has(from) && this.facts.stars.has(to);
    this.#restore();
    return tried ? [{ do: "snap", from, to }, { do: "say", key: "no-line" }] : [{ do: "shake", square: from }];
  }
}

/** Where an arrow key leads from a square, in the view of a seat; the square itself at the edge. */
export function walk(square, key, seat) {
  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const [column, row] = placeOf(square, seat);
  if (key === "Home") return squareAt(0, row, seat);
  if (key === "End") return squareAt(SIZE - 1, row, seat);
  const way = ways[key];
  return way ? squareAt(column + way[0], row + way[1], seat) ?? square : null;
}
