/**
 * Finger and mouse on the board, as inputs of the gestures. Pointer events only; the square is that of the nearest
 * middle, whatever element lies there.
 */

import { SIZE, squareAt } from "./position.js";

/** How far, in pixels, a press may wander and still be a tap. */
const SLACK = { mouse: 3, touch: 8, pen: 8 };
/** Half of the strip between two squares that belongs to neither, in pixels. */
const STRIP = 1;
/** How far above the finger the carried drone is shown, in squares, so that the finger does not hide it. */
const LIFT = 0.8;

export class Pointer {
  /** `board` has `input`, `seat`, `busy`, `skip`, `gestures` and `scene`. */
  constructor(root, board) {
    this.root = root;
    this.board = board;
    this.press = null;
    root.addEventListener("pointerdown", (event) => this.#down(event));
    root.addEventListener("pointermove", (event) => this.#moved(event));
    root.addEventListener("pointerup", (event) => this.#up(event));
    root.addEventListener("pointercancel", () => this.#cancel());
    root.addEventListener("contextmenu", (event) => event.preventDefault());
    root.addEventListener("dragstart", (event) => event.preventDefault());
  }

  /** The square at a point of the window, null on the strip between two. */
  #square({ clientX, clientY }, strip = STRIP) {
    const box = this.root.getBoundingClientRect();
    const size = box.width / SIZE;
    const [x, y] = [(clientX - box.left) / size, (clientY - box.top) / size];
    const inner = (part) => Math.abs(part - Math.round(part)) * size >= strip || part < 0.5 || part > SIZE - 0.5;
    return inner(x) && inner(y) ? squareAt(Math.floor(x), Math.floor(y), this.board.seat) : null;
  }

  #down(event) {
    if (event.button !== 0) return;
    this.root.classList.remove("with-keys"); // the ring of the focus is for keys
    if (this.press) return this.#cancel(); // a second finger means: no
    if (this.board.busy) return this.board.skip();
    const square = this.#square(event);
    if (square === null) return;
    if (event.isTrusted) this.root.setPointerCapture(event.pointerId);
    event.preventDefault();
    const { pointerId: id, pointerType: type, clientX: x, clientY: y } = event;
    this.press = { id, type, x, y, square, dragged: false };
  }

  #moved(event) {
    const { press, board } = this;
    if (!press || event.pointerId !== press.id) return;
    const [dx, dy] = [event.clientX - press.x, event.clientY - press.y];
    if (!press.dragged && Math.hypot(dx, dy) > (SLACK[press.type] ?? SLACK.touch)) {
      press.dragged = true;
      board.input({ type: "drag", square: press.square });
    }
    if (press.dragged && board.gestures.drag) this.#carry(press, dx, dy, this.#square(event, 0));
  }

  /** The drone goes along with the pointer; a star only to its neighbour, along the longer axis. */
  #carry(press, dx, dy, over) {
    const { scene, gestures } = this.board;
    const drone = gestures.facts.own.has(press.square) && scene.drones.get(press.square);
    const thing = (drone || scene.stars.get(press.square))?.el;
    const size = this.root.getBoundingClientRect().width / SIZE;
    const [x, y] = drone ? [dx, dy - (press.type === "mouse" ? 0 : LIFT * size)] : along(dx, dy, size);
    if (press.thing !== thing) this.#release();
    press.thing = thing;
    thing?.classList.add("carried");
    if (thing) thing.style.translate = `${x}px ${y}px`;
    if (press.over === over) return;
    press.over = over;
    for (const cell of scene.cells) cell.classList.remove("over");
    if (drone && over !== null && gestures.targets.has(over)) scene.cells[over].classList.add("over");
  }

  #release() {
    const thing = this.press?.thing;
    if (!thing) return;
    thing.classList.remove("carried");
    thing.style.translate = "";
    this.press.thing = null;
    for (const cell of this.board.scene.cells) cell.classList.remove("over");
  }

  #up(event) {
    const { press, board } = this;
    if (!press || event.pointerId !== press.id) return;
    this.#release();
    this.press = null;
    const square = this.#square(event, press.dragged ? 0 : STRIP);
    const size = this.root.getBoundingClientRect().width / SIZE;
    if (press.dragged) {
      board.input({ type: "drop", square, dx: (event.clientX - press.x) / size, dy: (event.clientY - press.y) / size });
    } else {
      board.input({ type: "tap", square: press.square });
      board.focus();
    }
  }

  #cancel() {
    const dragged = this.press?.dragged;
    this.forget();
    if (dragged) this.board.input({ type: "cancel" });
  }

  /** Forget the press that is under way. */
  forget() {
    this.#release();
    this.press = null;
  }
}

const along = (dx, dy, most) => {
  const within = (part) => Math.max(-most, Math.min(most, part));
  return Math.abs(dx) > Math.abs(dy) ? [within(dx), 0] : [0, within(dy)];
};
