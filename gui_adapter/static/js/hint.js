/**
 * The hint: with the bot at skill 50 or under, whoever sits for 30 s on the own turn is shown the two stars of the best
 * swap. Any input starts the count anew; nothing counts while the page is hidden or a dialog is open.
 */

import { settings } from "./state.js";

const IDLE = 30_000;
const MOST_SKILL = 50;

export class Hint {
  #ask;
  #timer = 0;
  #due = false;

  /** `ask()` asks the server and lights the squares. */
  constructor(ask) {
    this.#ask = ask;
    for (const input of ["pointerdown", "keydown"]) addEventListener(input, () => this.#restart(), { capture: true });
    document.addEventListener("visibilitychange", () => this.#restart());
  }

  /** A new state: count if it is one in which a hint may come. */
  show(state) {
    this.#due =
      !state.result && !state.guided && state.mover === state.seat && state.legal.length > 0 && this.#easy(state);
    this.#restart();
  }

  #easy({ seats }) {
    const bot = seats.find((seat) => seat.kind === "bot");
    return bot !== undefined && bot.skill <= MOST_SKILL;
  }

  #restart() {
    clearTimeout(this.#timer);
    if (this.#due && !document.hidden) this.#timer = setTimeout(() => this.#now(), IDLE);
  }

  #now() {
    if (document.querySelector("dialog[open]")) this.#restart();
    else if (settings.get("hints")) this.#ask();
  }
}
