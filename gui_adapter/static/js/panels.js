/**
 * What stands around the board: both players with land and clock, the connection, whose turn it is, what was said, the
 * list of moves, and after the game its result. Everything here is drawn from the state the server sent.
 */

import { byId, el, put } from "./dom.js";
import { spoken } from "./position.js";
import { settings } from "./state.js";
import { t } from "./text.js";
import { voiced } from "./voice.js";

const TICK = 250;
const SHORT = 10_000;
/** sentences that stay on the message line: one of each side's as a rule */
const KEPT = 2;

/** How many squares each side owns in an observation line: {S, N}; what is dark is in neither. */
export function land(line) {
  const count = { S: 0, N: 0 };
  for (const letter of line.split(" ")[2] ?? "") if (letter in count) count[letter] += 1;
  return count;
}

/** Whether the viewer of a state that is over has won: the first word of the result is the winner's side. */
export function won({ result, seat, seats }) {
  return result.line.split(" ")[0] === seats[seat - 1].side;
}

/** The server's sentence about a step, or, with Explain moves off, the bare step; told to the viewer of `state`. */
export function told({ seat, step, text }, state) {
  if (settings.get("explain") && text) return voiced(text, state);
  if (!step) return t("step-hidden");
  return t(seat === state.seat ? "step-own" : "step-other", { step: spoken(step) });
}

function minutes(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export class Panels {
  #state = null;
  #clocks = null;
  #clocksAt = 0;
  #warned = false;
  /** the number of the state whose moves are in the lists */
  #listed = -1;
  #link = "connecting";

  constructor() {
    setInterval(() => this.#tick(), TICK);
  }

  /** The connection: "connecting", "open", "lost" or "closed". */
  link(status) {
    this.#link = status;
    byId("dot").dataset.link = status;
    this.#turn();
  }

  /** Draw everything that a whole state says. */
  show(state) {
    const another = state.match !== this.#state?.match;
    this.#state = state;
    if (another) {
      byId("message").replaceChildren();
      if (state.moves.length === 0 && state.mover === state.seat) this.say(t("begin"));
    }
    this.clock(state.clocks);
    this.#who(byId("them"), 3 - state.seat);
    this.#who(byId("us"), state.seat);
    this.#turn();
    this.#moves();
    const undo = byId("undo");
    undo.hidden = state.seats.every((seat) => seat.kind === "human");
    undo.disabled = !state.undo;
  }

  /** The clocks as the server has them now; null without timers. */
  clock(clocks) {
    if (clocks?.running !== this.#clocks?.running) this.#warned = false;
    this.#clocks = clocks;
    this.#clocksAt = Date.now();
  }

  /** Who is here: `seats` as in the state. */
  presence(seats) {
    if (this.#state) this.show({ ...this.#state, seats, clocks: this.#remaining() });
  }

  /** Say a sentence; the one before it stays, quieter. */
  say(text) {
    if (!text) return;
    const message = byId("message");
    if (message.lastElementChild?.textContent === text) return;
    const said = el("p", {}, text);
    message.append(said);
    while (message.childElementCount > KEPT) message.firstElementChild.remove();
    // a long sentence is read from its beginning
    // whole pixels, rounded down: half a pixel less and the sentence would be cut off
    message.scrollTop += Math.floor(said.getBoundingClientRect().top - message.getBoundingClientRect().top);
  }

  /** What the keys C, L and S read out. */
  clocksInWords() {
    const clocks = this.#remaining();
    if (!clocks) return t("no-clock");
    return t("clocks-are", {
      you: minutes(clocks.ms[this.#state.seat - 1]),
      them: minutes(clocks.ms[2 - this.#state.seat]),
    });
  }

  lastInWords() {
    const last = this.#state?.moves.at(-1);
    return last ? t("last-step", { text: told(last, this.#state) }) : t("no-steps");
  }

  landInWords() {
    if (!this.#state) return "";
    const count = land(this.#state.line);
    const [mine, theirs] = this.#sides().map((side) => count[side]);
    return t("land-is", { you: mine, them: theirs, goal: this.#goal() });
  }

  #sides() {
    const { seats, seat } = this.#state;
    return [seats[seat - 1].side, seats[2 - seat].side];
  }

  #goal() {
    return this.#state.options.LandToWin ?? 69;
  }

  #who(line, seat) {
    const { seats, seat: own, line: position } = this.#state;
    const player = seats[seat - 1];
    const isBot = player.kind === "bot";
    const about = [
      isBot && t("skill-is", { skill: player.skill }),
      Number.isFinite(player.rating) && t("rated", { rating: Math.round(player.rating) }),
      !isBot && seat !== own && t(`presence-${player.presence}`),
    ].filter(Boolean);
    put(
      line,
      el("span", { class: "badge", "aria-hidden": "true", data: { own: seat === own } }),
      el(
        "span",
        { class: "name" },
        isBot ? t("the-bot") : seat === own ? settings.get("name") || t("you") : player.name || t("friend"),
      ),
      el("span", { class: "about" }, about.join(" · ")),
      // of the other side's land in the dark only what is seen is known
      el(
        "span",
        { class: "land" },
        t(seat !== own && position.split(" ")[2].includes("?") ? "land-seen" : "land", {
          n: land(position)[player.side],
          goal: this.#goal(),
        }),
      ),
      this.#clocks && el("span", { class: "clock", data: { seat } }),
    );
    this.#tick();
  }

  #turn() {
    put(byId("link"), t(`link-${this.#link}`));
    put(byId("turn"), this.#state ? ` · ${this.#whose()}` : "");
    document.title = this.#state ? `${this.#whose()} – Skyclaim` : "Skyclaim";
  }

  #whose() {
    const { result, mover, seat, seats, thinking } = this.#state;
    if (result) return t("game-over");
    if (mover === seat) return t("your-turn");
    const other = seats[2 - seat];
    if (other.kind === "bot") return t(thinking ? "bot-thinks" : "bots-turn");
    return t("their-turn", { name: other.name || t("friend") });
  }

  #moves() {
    for (const id of ["moves", "moves-all"]) {
      const list = byId(id);
      const changed = this.#state.seq !== this.#listed;
      const row = (move) => el("li", {}, el("small", {}, t("turn-is", { n: move.turn })), " ", told(move, this.#state));
      put(list, this.#state.moves.map(row));
      if (changed) list.scrollTop = list.scrollHeight;
    }
    this.#listed = this.#state.seq;
  }

  /** The clocks with the time since the server's word taken off the one that runs. */
  #remaining() {
    if (!this.#clocks) return null;
    const { ms, running, move_ms: move } = this.#clocks;
    const gone = running ? Date.now() - this.#clocksAt : 0;
    return {
      ms: ms.map((left, index) => (index + 1 === running ? Math.max(0, left - gone) : left)),
      running,
      move_ms: Number.isFinite(move) ? Math.max(0, move - gone) : move,
    };
  }

  #tick() {
    const clocks = this.#remaining();
    if (!clocks) return;
    for (const face of document.querySelectorAll(".who .clock")) {
      const seat = Number(face.dataset.seat);
      const running = seat === clocks.running;
      const left = Math.min(
        clocks.ms[seat - 1],
        running && Number.isFinite(clocks.move_ms) ? clocks.move_ms : Infinity,
      );
      const move = running && Number.isFinite(clocks.move_ms) ? ` · ${Math.ceil(clocks.move_ms / 1000)}` : "";
      put(face, minutes(clocks.ms[seat - 1]) + move);
      face.classList.toggle("running", running);
      face.classList.toggle("short", running && left < SHORT);
      if (running && seat === this.#state.seat && left < SHORT && !this.#warned) {
        this.#warned = true;
        put(byId("alarm"), t("seconds-left", { n: Math.ceil(left / 1000) }));
      }
    }
  }
}

/**
 * The card after the game: what happened in a sentence, the rating, and what next. `choose` has a function for each
 * button: again, harder (null where there is no harder bot), look, friend.
 */
export function resultCard(state, choose) {
  const { text, rating } = state.result;
  const change = rating && Math.round(rating.after) - Math.round(rating.before);
  const button = (key, main) =>
    choose[key] &&
    el("button", { type: "button", class: main ? "main" : null, on: { click: choose[key] } }, t(`after-${key}`));
  return [
    el("h2", { tabindex: "-1" }, text),
    el(
      "p",
      { class: "note" },
      rating
        ? t(change < 0 ? "rating-down" : "rating-up", { rating: Math.round(rating.after), change: Math.abs(change) })
        : t("unrated"),
    ),
    el("div", { class: "next" }, button("again", true), button("harder"), button("look"), button("friend")),
  ];
}
