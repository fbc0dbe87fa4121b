/**
 * What the engine makes of a game: who was winning at each moment as a line, the best steps as arrows, and where much
 * was thrown away. It comes point by point and can be stopped at any moment.
 */

import { el, put, random, svg } from "./dom.js";
import { nameOf, readStep, spoken } from "./position.js";
import { t } from "./text.js";

const WIDTH = 320;
const HEIGHT = 120;
const ARROWS = 3;
/** ms for each moment */
const BUDGET = 300;
const LONGEST = 15 * 60_000;

/** The viewer's expected result, from that of seat 1: the one place where it is turned round. Null: it is unknown. */
export function winOf(point, seat) {
  if (!Number.isFinite(point?.win)) return null;
  return seat === 2 ? 1 - point.win : point.win;
}

/** The arrows of a point's best steps, for the board. */
export function arrows(point) {
  return (point?.best ?? [])
    .slice(0, ARROWS)
    .map((step, index) => {
      const { from, to } = readStep(step);
      return to === null ? null : { from: nameOf(from ?? to), to: nameOf(to), rank: index + 1 };
    })
    .filter(Boolean);
}

/**
 * Have the engine look at a game, `ms` for each moment; `heard(message)` gets its points as they come. `done` is a
 * promise of the end, which fails with Refused when the server refuses or `stop()` is called.
 */
export function study(net, game, ms, heard) {
  const id = random(8);
  const onpart = (message) => {
    heard(message);
    return message.done >= message.total;
  };
  const done = net.request("analyse", { game, ms }, { id, onpart, patience: LONGEST });
  const stop = () => {
    net.send({ t: "cancel", id });
    net.forget(id);
  };
  return { done, stop };
}

export class Analysis {
  #net;
  #root;
  #seat;
  #moments;
  #go;
  #changed;
  #study = null;
  #points = new Map();
  #now = 0;
  #error = "";
  #total = 0;

  /** Draws into `root` for a viewer at `seat`; `go(moment)` shows a moment, `changed()` hears of every new point. */
  constructor({ net, root, seat, moments, go, changed }) {
    this.#net = net;
    this.#root = root;
    this.#seat = seat;
    this.#moments = moments;
    this.#go = go;
    this.#changed = changed;
    this.#draw();
  }

  /** What is known of a moment, or undefined. */
  point(moment) {
    return this.#points.get(moment);
  }

  /** Whether the step that was made then threw much of the win away. */
  blundered(moment) {
    return this.#points.get(moment)?.blunder ?? false;
  }

  /** Show where in the game the replay is. */
  at(moment) {
    this.#now = moment;
    this.#draw();
  }

  async start(game) {
    this.stop();
    this.#points.clear();
    this.#error = "";
    this.#total = 0;
    const own = study(this.#net, game, BUDGET, (message) => {
      this.#total = message.total;
      for (const point of message.points) this.#points.set(point.moment, point);
      this.#draw();
      this.#changed();
    });
    this.#study = own;
    this.#draw();
    try {
      await own.done;
    } catch (refused) {
      if (this.#study === own) this.#error = refused.message;
    }
    if (this.#study === own) this.#study = null;
    this.#draw();
  }

  /** Stop the engine, keep what it has found. */
  stop() {
    this.#study?.stop();
    this.#study = null;
  }

  get running() {
    return this.#study !== null;
  }

  #draw() {
    const points = [...this.#points.values()].sort((one, two) => one.moment - two.moment);
    put(
      this.#root,
      this.running &&
        el("progress", { max: Math.max(1, this.#total), value: points.length, "aria-label": t("analysing") }),
      this.#error && el("p", { class: "note" }, this.#error),
      points.length > 0 && this.#graph(points),
      points.length > 0 && el("p", { class: "note", id: "win-now" }, this.#words(this.#points.get(this.#now))),
    );
  }

  #words(point) {
    if (winOf(point, this.#seat) === null) return t("not-analysed");
    const win = point.forced
      ? t(winOf(point, this.#seat) === 1 ? "forced-own" : "forced-other", { n: point.forced })
      : t("win-chance", { n: Math.round(100 * winOf(point, this.#seat)) });
    const lost = point.blunder ? ` ${t("blunder", { n: Math.round(100 * point.loss) })}` : "";
    const [best] = point.best ?? [];
    const better = best && best !== point.played ? ` ${t("better", { step: spoken(best) })}` : "";
    return win + lost + better;
  }

  #graph(all) {
    const points = all.filter((point) => winOf(point, this.#seat) !== null);
    const last = Math.max(1, this.#moments - 1);
    const x = (moment) => (moment * WIDTH) / last;
    const y = (point) => (1 - winOf(point, this.#seat)) * HEIGHT;
    const chosen = ({ clientX, currentTarget }) => {
      const { left, width } = currentTarget.getBoundingClientRect();
      this.#go(Math.round(((clientX - left) / width) * last));
    };
    return svg(
      "svg",
      {
        class: "plot",
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
        role: "img",
        "aria-label": t("win-graph"),
        on: { click: chosen },
      },
      svg("line", { class: "axis", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      svg("polyline", { class: "line", points: points.map((point) => `${x(point.moment)},${y(point)}`).join(" ") }),
      points
        .filter(({ moment }) => this.blundered(moment))
        .map((point) => svg("circle", { class: "blunder", cx: x(point.moment), cy: y(point), r: 4 })),
      svg("line", { class: "now", x1: x(this.#now), x2: x(this.#now), y1: 0, y2: HEIGHT }),
    );
  }
}
