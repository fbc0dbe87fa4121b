/**
 * The guided first game: a dark board, no clock, and one prompt after another, each with a real step lit on the board.
 *
 * A prompt is shown when one of the steps that the server lists would show it, and is over when a step of the person's
 * did, whichever it was. While none can be shown the game simply goes on, so nothing here can get stuck; each prompt
 * can be skipped, and all of them at once.
 */

import { byId, el, put } from "./dom.js";
import { nameOf, neighbours, parse, readStep } from "./position.js";
import { store, stored } from "./state.js";
import { t } from "./text.js";

const PROGRESS = "skyclaim.guided";

/** What a prompt may choose from: the position, the own side and the legal steps, read. */
class Scene {
  constructor(state) {
    this.squares = parse(state.line).squares;
    this.side = state.seats[state.seat - 1].side;
    this.steps = state.legal.map(readStep);
  }

  of(kind) {
    return this.steps.filter((step) => step.kind === kind);
  }

  at(square) {
    return this.squares[square];
  }

  own(kind) {
    return this.squares.filter(({ drone }) => drone?.side === this.side && drone.kind === kind).length;
  }

  /** How many squares a claim from here could take; what is dark may be open. */
  open(square) {
    return [square, ...neighbours(square)].filter((place) => this.at(place).land === "").length;
  }

  besideCommand(square) {
    return neighbours(square).some(
      (place) => this.at(place).drone?.side === this.side && this.at(place).drone.kind === "M",
    );
  }
}

/** The step with the most of something; undefined of none. */
function best(steps, worth) {
  return steps.map((step) => [worth(step), step]).sort(([one], [two]) => two - one)[0]?.[1];
}

/**
 * The prompts in order. `pick(scene, bestSwap)` finds the step to light, undefined while there is none; `done(step,
 * events)` says whether an own step showed it. `words` and `seen` choose among the texts of a prompt. A prompt without
 * `pick` only has something to say.
 */
const PROMPTS = [
  { key: "look" },
  {
    key: "move",
    pick: (scene) =>
      best(
        scene.of("move").filter(({ from }) => scene.at(from).drone?.kind === "S"),
        ({ to }) => scene.open(to),
      ),
    done: ({ kind }) => kind === "move",
  },
  {
    key: "claim",
    pick: (scene) => best(scene.of("claim"), ({ from }) => scene.open(from)),
    done: ({ kind }) => kind === "claim",
  },
  {
    key: "swap",
    pick: (scene, bestSwap) => scene.of("swap").find(({ text }) => text === bestSwap) ?? scene.of("swap")[0],
    // where a drone could go there too, the page asks
    words: ({ steps }, { from, to }) =>
      steps.some((step) => step.kind !== "swap" && step.from === from && step.to === to) ? "-choice" : "",
    done: ({ kind }) => kind === "swap",
    seen: (events) => (events.some(({ type }) => type === "drone") ? "drone" : "seen"),
  },
  {
    key: "fire",
    pick: (scene) => best(scene.of("fire"), ({ to }) => (scene.at(to).drone ? 2 : Number(scene.at(to).asteroid))),
    words: (scene, { to }) => (scene.at(to).drone || scene.at(to).asteroid ? "" : "-star"),
    done: ({ kind }) => kind === "fire",
  },
  {
    key: "stack",
    // the last scout is not to disappear into a stack
    pick: (scene) =>
      best(
        scene
          .of("stack")
          .filter(
            ({ from, to }) =>
              scene.own("S") > 1 || scene.at(from).drone.kind !== "S" || scene.at(to).drone.kind === "S",
          ),
        ({ from }) => Number(scene.at(from).drone.kind === "G"),
      ),
    done: ({ kind }) => kind === "stack",
  },
  {
    key: "load",
    pick: (scene) =>
      scene
        .of("move")
        .find(
          ({ from, to }) =>
            ["S", "H"].includes(scene.at(from).drone?.kind) &&
            scene.at(from).drone.missiles === 0 &&
            scene.squares.some(({ drone }) => drone?.side === scene.side && drone.kind === "M" && drone.missiles > 0) &&
            scene.besideCommand(to),
        ),
    done: (_, events) => events.some(({ type }) => type === "load"),
  },
];

export class Guided {
  #game = null;
  #seen = "";
  #swap = null;
  #leave;

  /** `leave()` is called when the person has seen everything and wants a game of the usual kind. */
  constructor(leave) {
    this.#leave = leave;
  }

  /** A new state of the match. */
  async show(game) {
    this.#game = game;
    const guiding = this.#progress() !== null;
    document.body.classList.toggle("guided", guiding);
    for (const id of ["guide", "guide-bar"]) byId(id).hidden = !guiding;
    if (!guiding) return;
    const { state } = game;
    if (state.mover === state.seat && this.#now().prompt?.key === "swap" && this.#swap?.seq !== state.seq) {
      put(byId("guide"), this.#said());
      this.#swap = { seq: state.seq, step: await game.bestSwap() };
      if (game.state.seq !== state.seq) return;
    }
    this.#unselect();
    this.#draw();
  }

  /** What stays chosen after a free step would take the square to tap next for its target. */
  #unselect() {
    const { board } = this.#game;
    const { step } = this.#now();
    const { selected } = board.gestures;
    if (selected !== null && step && step.from !== selected) board.input({ type: "back" });
  }

  /** A step was made. */
  happened({ seat, step, events }) {
    const done = this.#progress();
    if (!step || !done || seat !== this.#game.state.seat) return;
    const prompt = PROMPTS.find((each) => !done.includes(each.key) && each.done?.(readStep(step), events));
    if (prompt) this.#finish(prompt.key, t(`guided-${prompt.key}-${prompt.seen?.(events) ?? "seen"}`));
  }

  /** What is done in this match, or null where there is nothing (more) to guide. */
  #progress() {
    const state = this.#game?.state;
    if (!state?.guided || state.result) return null;
    const kept = stored(PROGRESS);
    const done = kept?.match === state.match && Array.isArray(kept.done) ? kept.done : [];
    return done.includes("all") ? null : done;
  }

  #finish(key, seen = "") {
    this.#seen = seen;
    store(PROGRESS, { match: this.#game.state.match, done: [...this.#progress(), key] });
  }

  #skip(key) {
    this.#finish(key);
    this.#game.board.guide(null);
    this.show(this.#game);
  }

  /** The prompt to show and its step: the first that can be shown, or the first of those that wait. */
  #now() {
    const left = PROMPTS.filter(({ key }) => !this.#progress().includes(key));
    if (left.length === 0 || !left[0].pick) return { prompt: left[0] };
    const scene = new Scene(this.#game.state);
    for (const prompt of left) {
      const step = prompt.pick(scene, this.#swap?.step);
      if (step) return { prompt, step, scene };
    }
    return { prompt: left[0] };
  }

  #draw() {
    this.#lead();
    const { state } = this.#game;
    // what was said stays while the other side moves
    if (state.mover !== state.seat && byId("guide").firstChild) return;
    const now = this.#now();
    const { prompt } = now;
    put(byId("guide"), this.#said(), el("p", {}, prompt ? this.#sentence(now) : t("guided-end")));
    const button = (key, act, main) =>
      el("button", { type: "button", class: main ? "main" : null, on: { click: act } }, t(key));
    const all = (key) => button(key, () => this.#skip("all"));
    if (!prompt) put(byId("guide-bar"), all("guided-stay"), button("new-game", this.#leave, true));
    else if (!prompt.pick)
      put(
        byId("guide-bar"),
        all("skip-all"),
        button("next", () => this.#skip(prompt.key), true),
      );
    else
      put(
        byId("guide-bar"),
        all("skip-all"),
        button("skip", () => this.#skip(prompt.key)),
      );
  }

  /** What the step before has shown. */
  #said() {
    return this.#seen && el("p", { class: "note" }, this.#seen);
  }

  #sentence({ prompt: { key, pick, words }, step, scene }) {
    if (!pick) return t(`guided-${key}`);
    if (!step) return t(`guided-${key}-later`);
    return t(`guided-${key}${words?.(scene, step) ?? ""}`, { from: nameOf(step.from), to: nameOf(step.to) });
  }

  /** Light what to tap next: where the step begins, where it goes, or a button. */
  #lead() {
    const { state, board } = this.#game;
    board.guide((state.mover === state.seat && this.#now().step?.text) || null);
  }
}
