/**
 * The board of the page: shows a state, plays an event, and turns taps, drags and keys into steps.
 *
 *     const board = new Board(root, { onStep, onAsk, onMessage, preview, letters, theme, confirm, view });
 *     root's neighbour.append(board.chips);
 *     board.show(state); await board.play(event);
 *
 * `onStep(step)` may answer with a promise: when it fails, or gives {t: "refused", text}, the step returns.
 * `preview(step)` gives a promise of {text, squares, score} or null. Squares from and to the page are texts ("e4").
 */

import { el } from "./dom.js";
import { film } from "./animate.js";
import { CHIPS, Gestures, walk } from "./gestures.js";
import { label } from "./labels.js";
import { drawArrow, drawSign, drawTarget } from "./marks.js";
import { Pointer } from "./pointer.js";
import { SIDES, nameOf, parse, readStep, squareOf } from "./position.js";
import { Scene } from "./scene.js";
import { paint } from "./stars.js";
import { t } from "./text.js";

/** So many events may wait to be played; with more the page is behind, and jumps to the newest. */
const WAITING = 2;
const SNAP = 170;

/** The words of the board among those of the page. */
const say = (key, values) => t(`board-${key}`, values);

export class Board {
  constructor(root, options = {}) {
    this.options = { onStep: () => null, onAsk: () => null, onMessage: () => null, preview: async () => null,
      letters: false, theme: "dark", confirm: "some", view: 1, ...options };
    this.root = root;
    root.classList.add("board");
    this.scene = new Scene(root, say("board"));
    this.gestures = new Gestures();
    this.chips = el("div", { class: "chips", role: "toolbar", "aria-label": say("chips") });
    this.slots = Array(CHIPS).fill("");
    this.chips.append(...this.slots.map(() => el("div", { class: "slot" })));
    this.position = null;
    this.state = null;
    this.cursor = null;
    this.last = [];
    this.led = [];
    this.wanted = null; // the step that the person is led to
    this.best = [];
    this.wondered = null; // the square that was asked about, and the answer
    this.told = null;
    this.asked = null; // the answer of preview
    this.films = Promise.resolve();
    this.snapshots = 0; // that were shown: films that were ordered before the last of them are dropped
    this.waiting = 0;
    this.playing = false;
    this.hurried = false;
    this.pointer = new Pointer(root, this);
    root.addEventListener("keydown", (event) => this.#key(event));
    root.addEventListener("focusin", (event) => this.#focused(event.target));
    this.chips.addEventListener("keydown", (event) => this.#key(event));
    document.addEventListener("keydown", () => root.classList.add("with-keys"), true);
    document.addEventListener("visibilitychange", () => document.hidden && this.skip());
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.dark.addEventListener("change", () => this.set({}));
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    this.set({});
  }

  /** Change settings while it stands: letters, theme ("dark", "light" or "auto"), confirm. */
  set(options) {
    Object.assign(this.options, options);
    const { theme, letters, confirm } = this.options;
    const shown = theme === "auto" ? (this.dark.matches ? "dark" : "light") : theme;
    this.root.dataset.theme = shown;
    this.chips.dataset.theme = shown;
    this.root.classList.toggle("with-letters", Boolean(letters));
    paint(this.root, shown);
    this.gestures.confirm = confirm;
  }

  get seat() {
    return this.state?.seat || this.options.view;
  }

  /** Whether something is being played. */
  get busy() {
    return this.waiting > 0;
  }

  // ---- what the host says ----------------------------------------------------------------------------------------

  /** Show a state (a snapshot) as it is, at once. Films that still play are dropped. */
  show(state) {
    this.skip();
    this.snapshots += 1;
    this.#draw(state, state.moves?.at(-1) ?? {});
  }

  /** Play an event, then show its state; resolves when that is done. Events are played one after the other. */
  play(event) {
    if (this.waiting >= WAITING) this.skip();
    this.waiting += 1;
    const { snapshots } = this;
    this.films = this.films.then(() => this.#play(event, snapshots)).finally(() => {
      this.waiting -= 1;
      if (this.waiting === 0) this.playing = this.hurried = false;
    });
    return this.films;
  }

  /** Bring what is being played to its end at once. */
  skip() {
    if (!this.busy) return;
    this.hurried = true;
    this.scene.finish();
  }

  async #play(event, snapshots) {
    if (snapshots !== this.snapshots) return;
    const { scene } = this;
    this.playing = true;
    this.#unmark();
    const reduced = this.still.matches || document.hidden;
    const mover = SIDES[event.seat - 1] ?? this.position?.side ?? "S";
    try {
      for (const beat of film(event.events ?? [], { reduced })) {
        await scene.play(this.hurried || document.hidden ? { ...beat, ms: 0 } : beat, mover);
        if (snapshots !== this.snapshots) return;
      }
    } catch (error) {
      console.warn("an event could not be shown", error); // the state that it led to can
    }
    if (event.state) this.#draw(event.state, event);
  }

  /** Draw a state; `made` is the step that led to it, {step, events}, as far as it is known. */
  #draw(state, made) {
    this.playing = false;
    let position;
    try {
      position = parse(state.line);
    } catch (error) {
      this.options.onMessage(say("no-position", { reason: error.message }));
      return;
    }
    const match = state.match ?? this.state?.match;
    if (match !== this.state?.match) this.cursor = null;
    if (state.line !== this.state?.line) {
      [this.led, this.best, this.wanted] = [[], [], null];
      this.pointer.forget(); // a press that began on another board means nothing on this one
    }
    this.state = { ...state, match };
    this.position = position;
    this.last = traces(made);
    const focused = this.scene.grid.contains(document.activeElement);
    if (this.scene.seat !== this.seat) this.scene.turnTo(this.seat);
    this.scene.draw(position);
    [this.wondered, this.told, this.asked] = [null, null, null];
    this.gestures.see(facts(position, state, this.seat));
    this.cursor ??= this.gestures.facts.command ?? 0;
    this.redraw();
    if (this.gestures.phase === "preview") this.#preview(this.gestures.step.text);
    if (focused && !this.scene.grid.contains(document.activeElement)) this.focus();
  }

  /** The host refused the step that was sent: it returns. */
  refused(text) {
    this.gestures.input({ type: "refused" });
    this.options.onMessage(text || say("refused"));
    this.redraw();
  }

  /** Light squares (a hint) until the board changes; [] puts the lights out. */
  lead(squares) {
    this.led = squares.map(squareOf).filter((square) => square !== null);
    this.redraw();
  }

  /** Light what to tap next, square or chip, to make this step, until the board changes; null puts the lights out. */
  guide(step) {
    this.wanted = step;
    this.redraw();
  }

  /** Arrows of best steps, [{from, to, rank}], until the board changes; [] takes them away. */
  arrows(list) {
    this.best = list.map((arrow) => ({ ...arrow, from: squareOf(arrow.from), to: squareOf(arrow.to) }))
      .filter(({ from, to }) => from !== null && to !== null).sort((one, two) => two.rank - one.rank);
    this.redraw();
  }

  /** The answer about the square that was asked for last: {square, go, take, fire}; null takes the lights away. */
  about(answer) {
    if (answer && squareOf(answer.square) !== this.wondered) return;
    this.told = answer;
    this.redraw();
  }

  /** Put the focus on the board. */
  focus() {
    this.scene.cells[this.cursor ?? 0].focus({ preventScroll: true });
  }

  // ---- what the person does --------------------------------------------------------------------------------------

  /** One input for the gestures, and what follows from it. */
  input(event) {
    if (!this.position) return;
    if (this.busy) {
      this.skip(); // the first touch ends the film and does nothing else
      return;
    }
    if (event.square !== undefined && event.square !== null) this.cursor = event.square;
    [this.wondered, this.told, this.asked] = [null, null, null];
    const effects = this.gestures.input(event);
    this.redraw();
    for (const effect of effects) this.#do(effect);
  }

  #do({ do: what, step, square, from, to, key }) {
    if (what === "send") this.#send(step);
    else if (what === "preview") this.#preview(step);
    else if (what === "ask") this.#ask(square);
    else if (what === "say") this.options.onMessage(say(key));
    else if (what === "snap") this.scene.snap({ from, to }, this.still.matches ? 0 : SNAP);
    else if (what === "shake") this.scene.shake(square, this.still.matches ? 0 : 2 * SNAP);
  }

  #ask(square) {
    this.wondered = square;
    this.options.onAsk(nameOf(square));
  }

  async #send(step) {
    try {
      const answer = await this.options.onStep(step);
      if (answer?.t === "refused") this.refused(answer.text);
    } catch (error) {
      this.refused(error?.message);
    }
  }

  async #preview(step) {
    const answer = await Promise.resolve(this.options.preview(step)).catch(() => null);
    if (!answer || this.gestures.phase !== "preview" || this.gestures.step.text !== step) return;
    this.asked = answer;
    if (answer.text) this.options.onMessage(answer.text);
    this.redraw();
  }

  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const to = this.cursor === null ? null : walk(this.cursor, event.key, this.seat);
    const inChips = this.chips.contains(event.target);
    if (to !== null && !inChips) {
      this.cursor = to;
      this.redraw();
      this.focus();
    } else if (["Enter", " "].includes(event.key) && !inChips) this.input({ type: "tap", square: this.cursor });
    else if (event.key === "Escape") this.input({ type: "back" });
    else if (event.key >= "1" && event.key <= String(CHIPS)) this.input({ type: "chip", place: Number(event.key) });
    else return;
    event.preventDefault();
  }

  #focused(cell) {
    const square = this.scene.cells.indexOf(cell);
    if (square < 0 || square === this.cursor) return;
    this.cursor = square;
    this.redraw();
  }

  // ---- marks, labels, chips --------------------------------------------------------------------------------------

  /** Nothing is lit while a film is on. */
  #unmark() {
    this.scene.marks.replaceChildren();
    this.scene.arrows.replaceChildren();
    for (const cell of this.scene.cells) cell.classList.remove("selected");
    this.#drawChips(Array(CHIPS).fill(null));
  }

  redraw() {
    if (!this.position || this.playing) return;
    const { gestures, scene } = this;
    const targets = gestures.targets;
    const marks = [];
    const mark = (square, kind, drawing = null) => marks.push([square, kind, drawing]);
    for (const square of this.last) mark(square, "last");
    for (const [name, kind] of this.#told()) mark(squareOf(name), kind);
    if (gestures.phase === "preview" || gestures.phase === "sent") {
      const { step: { kind, to }, phase } = gestures;
      mark(to, `aimed ${phase}`, drawTarget([kind]));
      for (const name of this.asked?.squares ?? []) mark(squareOf(name), "touched");
      const score = this.asked?.score;
      if (score) mark(to, "score", el("span", {}, score > 0 ? `+${score}` : String(score)));
    } else {
      for (const [square, steps] of targets) mark(square, "lit", drawTarget(steps.map((step) => step.kind)));
    }
    const next = this.wanted === null ? {} : gestures.next(this.wanted);
    for (const square of [...this.led, next.square ?? null]) mark(square, "led");
    scene.marks.replaceChildren();
    for (const [square, kind, drawing] of marks) {
      if (square !== null) scene.put(scene.marks, square, drawing ?? "", `mark ${kind}`);
    }
    scene.arrows.replaceChildren(...this.best.map((arrow) => drawArrow(arrow, this.seat)), ...this.#aim());
    this.#drawCells(targets);
    this.#drawChips(gestures.chips, next.place);
    const sent = gestures.phase === "sent" ? gestures.step : {};
    const half = (things, squares) => things.forEach(({ el: thing }, square) =>
      thing.classList.toggle("sent", squares.includes(square)));
    half(scene.stars, sent.kind === "swap" ? [sent.from, sent.to] : []);
    half(scene.drones, sent.kind === "swap" ? [] : [sent.from]);
  }

  #told() {
    const { selected, facts } = this.gestures;
    if (!this.told || facts.own.has(selected)) return []; // what is lit for an own drone says as much
    const kinds = [["go", "may-go"], ["take", "may-take"], ["fire", "may-fire"]];
    return kinds.flatMap(([part, kind]) => (this.told[part] ?? []).map((name) => [name, kind]));
  }

  /** The line of a shot that is being considered. */
  #aim() {
    const { phase, step } = this.gestures;
    if (phase !== "preview" || !["fire", "siege", "warp"].includes(step.kind)) return [];
    return [drawArrow({ from: step.from, to: step.to, rank: 3, kind: "shot" }, this.seat)];
  }

  #drawCells(targets) {
    const { gestures, seat } = this;
    this.scene.cells.forEach((cell, square) => {
      const selected = square === gestures.selected;
      cell.classList.toggle("selected", selected);
      put(cell, "tabindex", square === this.cursor ? "0" : "-1");
      put(cell, "aria-selected", String(selected));
      put(cell, "aria-label", label(this.position, square, {
        seat, say, selected, steps: gestures.stepsFrom(square), targets: targets.get(square) }));
    });
  }

  #drawChips(chips, led) {
    const focused = this.chips.contains(document.activeElement);
    chips.forEach((chip, place) => {
      const lit = place + 1 === led;
      const shown = JSON.stringify([chip, lit]);
      if (this.slots[place] === shown) return;
      this.slots[place] = shown;
      this.chips.children[place].replaceChildren(chip ? this.#chip(chip, place + 1, lit) : "");
    });
    if (focused && !this.chips.contains(document.activeElement)) this.focus();
  }

  #chip(chip, place, lit) {
    const text = say(`chip-${chip.kind}`);
    return el("button", {
      type: "button", class: `chip chip-${chip.what} kind-${chip.kind}${chip.likely ? " likely" : ""}${lit ? " led" : ""}`,
      "aria-keyshortcuts": place, "aria-pressed": chip.what === "aim" ? String(chip.pressed) : null,
      data: { step: chip.step ?? "" }, on: { click: () => this.input({ type: "chip", place }) },
    }, drawSign(chip.what === "yes" ? "yes" : chip.kind), el("span", {}, text));
  }
}

/** Set an attribute where it differs, so that nothing is announced anew without need. */
function put(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** What the gestures have to know of a position. */
function facts(position, state, seat) {
  const side = SIDES[seat - 1];
  const legal = state.result ? [] : state.legal ?? [];
  const where = (test) => new Set(position.squares.flatMap((square, number) => (test(square) ? [number] : [])));
  const command = position.squares.findIndex(({ drone }) => drone?.kind === "M" && drone.side === side);
  return {
    mine: legal.length > 0, seat, legal, command: command < 0 ? null : command,
    own: where(({ drone }) => drone?.side === side),
    stars: where(({ star, land, drone }) => star > 0 && [side, ""].includes(land) && (!drone || drone.side === side)),
    hard: where(({ drone, asteroid }) => asteroid || (drone && drone.side !== side)),
  };
}

/** The squares of the step that was made last, to be marked: those of its text, or of its first event. */
function traces({ step, events }) {
  const { from, to } = step ? readStep(step) : {};
  const first = events?.[0] ?? {};
  const named = step ? [from, to] : [first.from, first.to, first.square].map((name) => squareOf(name ?? ""));
  return [...new Set(named)].filter((square) => square !== null && square !== undefined);
}
