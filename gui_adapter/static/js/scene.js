/**
 * What stands on the board, as elements: the 121 squares of the grid, and above them layers of stars, wrecks, drones
 * and things in flight, which are moved by `transform` alone. The scene can be drawn as a position says, or changed beat
 * by beat (animate.js); it knows no rule.
 */

import { el, svg } from "./dom.js";
import { drawAsteroid, drawDrone, drawStar, drawWreck } from "./stars.js";
import { SIDES, SIZE, SQUARES, neighbours, placeOf, squareAt } from "./position.js";

/** More things than this are not moved at once: they jump, so that a slow phone keeps up. */
const MOVING_AT_ONCE = 60;
const EASE = "cubic-bezier(.3,.1,.3,1)";

export const groundOf = (square) => ((square % SIZE + Math.floor(square / SIZE)) % 2 ? "white" : "red");

export class Scene {
  constructor(root, name) {
    this.root = root;
    this.grid = el("div", { class: "grid", role: "grid", "aria-label": name });
    const layer = (kind) => el("div", { class: `layer ${kind}`, "aria-hidden": "true" });
    this.lands = svg("svg", { class: "layer lands", viewBox: "0 0 110 110", "aria-hidden": "true" });
    this.marks = layer("marks");
    this.starLayer = layer("stars");
    this.droneLayer = layer("drones");
    this.flights = layer("flights");
    this.arrows = svg("svg", { class: "layer arrows", viewBox: "0 0 110 110", "aria-hidden": "true" });
    root.replaceChildren(this.grid, this.starLayer, this.lands, this.droneLayer, this.marks, this.arrows, this.flights);
    this.stars = new Map(); // square -> {el, what: "1".."5" or "#"}
    this.drones = new Map(); // square -> {el, drone}
    this.wrecks = new Map(); // square -> {el, countdown}
    this.land = Array(SQUARES).fill("");
    this.running = new Set();
    this.turnTo(1);
  }

  /** Build the squares in the order in which this seat reads them. Everything is to be drawn again afterwards. */
  turnTo(seat) {
    this.seat = seat;
    this.cells = Array(SQUARES);
    const rows = [...Array(SIZE).keys()].map((row) => el("div", { class: "row", role: "row" },
      [...Array(SIZE).keys()].map((column) => {
        const square = squareAt(column, row, seat);
        return (this.cells[square] = el("div", { role: "gridcell", tabindex: "-1" }));
      })));
    this.grid.replaceChildren(...rows);
    for (const things of [this.stars, this.drones, this.wrecks]) {
      for (const { el: thing } of things.values()) thing.remove();
      things.clear();
    }
  }

  /** Where a square is, as a `transform` of a thing that is as large as a square. */
  at(square) {
    const [column, row] = placeOf(square, this.seat);
    return `translate(${column * 100}%, ${row * 100}%)`;
  }

  /** A thing with a drawing in it, on a square of a layer. */
  put(layer, square, drawing, kind = "") {
    const thing = el("div", { class: `thing ${kind}` }, drawing);
    thing.style.transform = this.at(square);
    layer.append(thing);
    return thing;
  }

  draw(position) {
    this.flights.replaceChildren();
    position.squares.forEach((square, number) => {
      this.setStar(number, square.asteroid ? "#" : square.star ? String(square.star) : "");
      this.setDrone(number, square.drone);
      this.setWreck(number, square.wreck);
      this.land[number] = square.land;
      const lit = square.lit && square.land !== SIDES[this.seat - 1];
      this.cells[number].className = `cell ${groundOf(number)}${square.dark ? " dark" : ""}${lit ? " lit" : ""}`;
    });
    this.drawLand();
    this.settle();
  }

  setStar(square, what) {
    const known = this.stars.get(square);
    if (known?.what === what) {
      known.el.style.transform = this.at(square);
      return;
    }
    known?.el.remove();
    this.stars.delete(square);
    if (what === "") return;
    const drawing = what === "#" ? drawAsteroid() : drawStar(Number(what));
    this.stars.set(square, { el: this.put(this.starLayer, square, drawing, what === "#" ? "asteroid" : "star"), what });
  }

  setDrone(square, drone) {
    const known = this.drones.get(square);
    if (known && drone && JSON.stringify(known.drone) === JSON.stringify(drone)) {
      known.el.style.transform = this.at(square);
      return;
    }
    known?.el.remove();
    this.drones.delete(square);
    if (!drone) return;
    const whose = SIDES.indexOf(drone.side) + 1 === this.seat ? "own" : "other";
    const thing = this.put(this.droneLayer, square, drawDrone(drone, groundOf(square)), `drone ${whose}`);
    this.drones.set(square, { el: thing, drone });
  }

  /** Change what is known of a drone that is there. */
  alter(square, change) {
    const known = this.drones.get(square);
    if (known) this.setDrone(square, { ...known.drone, ...change(known.drone) });
  }

  setWreck(square, countdown) {
    const known = this.wrecks.get(square);
    if (known?.countdown === countdown) return;
    known?.el.remove();
    this.wrecks.delete(square);
    if (countdown > 0) {
      this.wrecks.set(square, { el: this.put(this.starLayer, square, drawWreck(countdown), "wreck"), countdown });
    }
  }

  /** The tint of the squares, the border around the land of each side, the seam, the names of rows and columns. */
  drawLand() {
    const own = SIDES[this.seat - 1];
    const edges = { own: "", other: "" };
    this.land.forEach((side, square) => {
      const whose = side === "" ? "open" : side === own ? "own" : "other";
      for (const each of ["open", "own", "other"]) this.cells[square].classList.toggle(`land-${each}`, each === whose);
      if (side !== "") edges[whose] += this.#border(square);
    });
    const drawn = ["own", "other"].map((whose) => svg("path", { d: edges[whose] || "M0 0", class: `border ${whose}` }));
    const seam = [50, 60].map((y) => svg("line", { x1: 0, x2: 110, y1: y, y2: y, class: "seam" }));
    this.lands.replaceChildren(...seam, ...drawn, ...this.#names());
  }

  #border(square) {
    const [column, row] = placeOf(square, this.seat);
    const [left, top, right, bottom] = [column * 10 + 0.5, row * 10 + 0.5, column * 10 + 9.5, row * 10 + 9.5];
    const differs = (x, y) => {
      const next = squareAt(x, y, this.seat);
      return next === null || this.land[next] !== this.land[square];
    };
    return (differs(column, row - 1) ? `M${left} ${top}H${right}` : "") +
      (differs(column, row + 1) ? `M${left} ${bottom}H${right}` : "") +
      (differs(column - 1, row) ? `M${left} ${top}V${bottom}` : "") +
      (differs(column + 1, row) ? `M${right} ${top}V${bottom}` : "");
  }

  #names() {
    const names = [];
    for (let step = 0; step < SIZE; step++) {
      const letter = "abcdefghijk"[squareAt(step, SIZE - 1, this.seat) % SIZE];
      const number = Math.floor(squareAt(0, step, this.seat) / SIZE) + 1;
      names.push(svg("text", { x: step * 10 + 5, y: 113.3, class: "name column" }, letter),
        svg("text", { x: 0.7, y: step * 10 + 3, class: "name" }, String(number)));
    }
    return names;
  }

  /** A star under a drone is drawn small in the corner, so that both can be seen. */
  settle() {
    for (const [square, { el: thing }] of this.stars) thing.classList.toggle("under", this.drones.has(square));
  }

  // ---- changes, one beat at a time -------------------------------------------------------------------------------
  // What stands where changes at once, only the pictures take their time: a state may be drawn at any moment between.

  /**
   * Make the changes of a beat, each by the method of its name; resolves after `ms`, when they are made. `mover` is the
   * side whose step it is.
   */
  async play({ ms, changes }, mover) {
    const moving = changes.reduce((sum, { pairs = [0], fresh = [] }) => sum + pairs.length + fresh.length, 0);
    const time = moving > MOVING_AT_ONCE ? 0 : ms;
    await Promise.all(changes.map((change) => this[change.what](change, time, mover)));
    this.settle();
  }

  /** Bring whatever is moving to its end at once. */
  finish() {
    for (const animation of this.running) animation.finish();
  }

  async #animate(thing, frames, ms) {
    if (ms === 0) return;
    const animation = thing.animate(frames, { duration: ms, easing: EASE });
    this.running.add(animation);
    await animation.finished.catch(() => null);
    this.running.delete(animation);
  }

  #glide(thing, to, ms) {
    const from = thing.style.transform;
    thing.style.transform = this.at(to);
    return this.#animate(thing, [{ transform: from }, { transform: this.at(to) }], ms);
  }

  async #vanish(thing, ms) {
    const place = thing.style.transform;
    await this.#animate(thing, [
      { transform: `${place} scale(1)`, opacity: 1 },
      { transform: `${place} scale(1.25)`, opacity: 1, offset: 0.4 },
      { transform: `${place} scale(.1)`, opacity: 0 }], ms);
    thing.remove();
  }

  /** A ring that opens on a square and is gone. */
  async flash(square, kind, ms) {
    if (ms === 0) return;
    const thing = this.put(this.flights, square, el("div", { class: `flash ${kind}` }));
    const place = this.at(square);
    await this.#animate(thing, [{ transform: `${place} scale(.3)`, opacity: 1 },
      { transform: `${place} scale(1.5)`, opacity: 0 }], ms);
    thing.remove();
  }

  async swap({ from, to }, ms) {
    const [one, two] = [this.stars.get(from), this.stars.get(to)];
    this.stars.delete(from);
    this.stars.delete(to);
    if (one) this.stars.set(to, one);
    if (two) this.stars.set(from, two);
    await Promise.all([one && this.#glide(one.el, to, ms), two && this.#glide(two.el, from, ms)]);
  }

  async clear({ squares, colour }, ms) {
    await Promise.all(squares.map((square) => {
      const star = this.stars.get(square);
      this.stars.delete(square);
      return Promise.all([star && this.#vanish(star.el, ms), this.flash(square, `star-${colour}`, ms)]);
    }));
  }

  async fall({ pairs, fresh, toward }, ms) {
    const falling = pairs.map(([from, to]) => [this.stars.get(from), from, to]);
    for (const [, from] of falling) this.stars.delete(from);
    const moves = [];
    for (const [star, , to] of falling) {
      if (!star) continue;
      this.stars.get(to)?.el.remove();
      this.stars.set(to, star);
      moves.push(this.#glide(star.el, to, ms));
    }
    const height = new Map(); // of a column: how many new stars come into it
    for (const [square] of fresh) height.set(square % SIZE, (height.get(square % SIZE) ?? 0) + 1);
    const away = SIDES.indexOf(toward) + 1 === this.seat ? -100 : 100;
    for (const [square, colour] of fresh) {
      this.setStar(square, "");
      this.setStar(square, String(colour));
      const place = this.at(square);
      const start = `${place} translate(0, ${away * height.get(square % SIZE)}%)`;
      moves.push(this.#animate(this.stars.get(square).el,
        [{ transform: start, opacity: 0 }, { transform: place, opacity: 1 }], ms));
    }
    await Promise.all(moves);
  }

  async fly({ from, to, kind }, ms) {
    if (ms === 0) return;
    const thing = this.put(this.flights, from, el("div", { class: `missile ${kind}` }));
    await this.#glide(thing, to, ms * 0.7);
    thing.remove();
    await this.flash(to, "fire", ms * 0.3);
  }

  async step({ from, to, how }, ms) {
    const [drone, there] = [this.drones.get(from), this.drones.get(to)];
    if (!drone) return;
    this.drones.delete(from);
    if (how !== "stack" || !there) this.drones.set(to, drone);
    this.settle();
    await this.#glide(drone.el, to, ms);
    if (how === "stack" && there) drone.el.remove();
    else there?.el.remove(); // of a take, a ram or a bomb: it lies under the one that came
    if (drone.drone.kind === "R") drone.el.replaceChildren(drawDrone(drone.drone, groundOf(to)));
  }

  async drift({ from, to }, ms) {
    if (from === to) return this.shake(from, ms);
    // the star of the new square comes to the old one
    await this.swap({ from, to }, ms);
  }

  async shake(square, ms) {
    const thing = (this.drones.get(square) ?? this.stars.get(square))?.el;
    if (!thing) return;
    const place = this.at(square);
    const frames = [0, 7, -7, 4, 0].map((shift) => ({ transform: `${place} translate(${shift}%, 0)` }));
    await this.#animate(thing, frames, ms);
  }

  /** Two stars that change places and come back: only shown, nothing has changed. */
  async snap({ from, to }, ms) {
    const [one, two] = [this.at(from), this.at(to)].map((transform) => ({ transform }));
    await Promise.all([[from, [one, two, one]], [to, [two, one, two]]].map(([square, frames]) => {
      const star = this.stars.get(square);
      return star && this.#animate(star.el, frames, 2 * ms);
    }));
  }

  async appear({ square, drone }, ms) {
    this.setDrone(square, drone);
    this.settle();
    const thing = this.drones.get(square).el;
    const place = this.at(square);
    await Promise.all([this.flash(square, "fresh", ms),
      this.#animate(thing, [{ transform: `${place} scale(.2)` }, { transform: `${place} scale(1.15)`, offset: 0.7 },
        { transform: place }], ms)]);
  }

  async turret({ square }, ms, mover) {
    await this.appear({ square, drone: { side: mover, kind: "T", power: 1, colours: [], missiles: 0 } }, ms);
  }

  async gone({ square, by }, ms) {
    if (by === "take" || by === "ram") return; // the one that landed there stands there now
    const drone = this.drones.get(square);
    this.drones.delete(square);
    if (drone) await Promise.all([this.#vanish(drone.el, ms), this.flash(square, "fire", ms)]);
  }

  async goneStar({ square }, ms) {
    const star = this.stars.get(square);
    this.stars.delete(square);
    if (star) await this.#vanish(star.el, ms);
  }

  async rock({ square }, ms) {
    this.setStar(square, "#");
    await this.flash(square, "fire", ms);
  }

  async claim({ squares }, ms, mover) {
    for (const square of squares) this.land[square] = mover;
    this.drawLand();
    const whose = SIDES.indexOf(mover) + 1 === this.seat ? "own" : "other";
    await Promise.all(squares.map((square) => this.flash(square, `land-${whose}`, ms)));
  }

  async open({ squares }) {
    for (const square of squares) this.land[square] = "";
    this.drawLand();
  }

  async blast({ square }, ms) {
    await Promise.all([square, ...neighbours(square)].map((each) => this.flash(each, "fire", ms)));
  }

  async rings({ squares }, ms) {
    await Promise.all(squares.map((square) => this.flash(square, "fire", ms)));
  }

  async power({ square, power }) {
    if (power > 0) this.alter(square, () => ({ power }));
  }

  async spent({ square }) {
    this.alter(square, (drone) => ({ missiles: Math.max(0, drone.missiles - 1) }));
  }

  async count({ square, missiles }) {
    this.alter(square, () => ({ missiles }));
  }

  async stock({ side, missiles }) {
    for (const [square, { drone }] of this.drones) {
      if (drone.kind === "M" && drone.side === side) this.alter(square, () => ({ missiles }));
    }
  }

  async wreck({ square, countdown }) {
    this.setWreck(square, countdown);
  }
}
