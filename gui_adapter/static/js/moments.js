/** On the card after a game: the three moments at which the chance to win changed most, found in the background. */

import { study, winOf } from "./analysis.js";
import { el, put } from "./dom.js";
import { told } from "./panels.js";
import { t } from "./text.js";

const MOST = 3;
/** ms for each moment, and the least change that is worth a word */
const BUDGET = 200;
const LEAST = 0.08;

/**
 * The steps that changed the viewer's chance most, in the order of the game: {moment, before, after}, where the step
 * led to the moment. The end of a game that somebody gave up is no step's doing, so with `given` it is left out.
 */
export function turningPoints(points, seat, given) {
  const wins = points.map((point) => winOf(point, seat));
  return wins
    .map((after, moment) => ({ moment, before: wins[moment - 1] ?? null, after }))
    .filter(({ moment, before, after }) => before !== null && after !== null && !(given && moment === wins.length - 1))
    .filter(({ before, after }) => Math.abs(after - before) >= LEAST)
    .sort((one, two) => Math.abs(two.after - two.before) - Math.abs(one.after - one.before))
    .slice(0, MOST)
    .sort((one, two) => one.moment - two.moment);
}

export class Moments {
  #net;
  #look;
  #root = el("div", { class: "moments" });
  #game = null;
  #study = null;

  /** `look(game, moment)` shows a moment of a game. */
  constructor(net, look) {
    this.#net = net;
    this.#look = look;
  }

  /** The element with the moments of the game of `state`, which is over. */
  of(state) {
    const { game } = state.result;
    if (Number.isInteger(game) && this.#game !== game) this.#find(game, state);
    return this.#root;
  }

  /** Let the engine go, and forget the game. */
  stop() {
    this.#study?.stop();
    this.#study = this.#game = null;
    put(this.#root);
  }

  async #find(game, state) {
    this.stop();
    this.#game = game;
    put(this.#root, el("p", { class: "note" }, t("moments-wait")));
    const points = [];
    try {
      const { moments, record } = await this.#net.request("game", { game });
      if (this.#game !== game) return;
      this.#study = study(this.#net, game, BUDGET, (message) => {
        for (const point of message.points) points[point.moment] = point;
      });
      await this.#study.done;
      if (this.#game === game) this.#draw(moments, turningPoints(points, state.seat, record.ended !== "rules"), state);
    } catch {
      // the card stands without them
      if (this.#game === game) put(this.#root);
    }
  }

  #draw(moments, found, state) {
    const share = (win) => Math.round(100 * win);
    const row = ({ moment, before, after }) => {
      const words = told(moments[moment], state).split(/(?<=\.) /, 1)[0];
      const change = t("moment-change", { before: share(before), after: share(after) });
      const name = `${t("turn-is", { n: moments[moment].turn })} ${words}`;
      return el(
        "li",
        {},
        el(
          "button",
          { type: "button", class: after < before ? "fell" : "rose", on: { click: () => this.#look(this.#game, moment) } },
          el("span", {}, name),
          el("small", {}, change),
        ),
      );
    };
    put(
      this.#root,
      el("h3", {}, t(found.length > 0 ? "moments" : "moments-none")),
      found.length > 0 && el("ol", {}, found.map(row)),
    );
  }
}
