/**
 * The match on the page: takes snapshots and numbered events from the server, lets the board play them in order, and
 * sends what the person does. It knows no rules: what may be done is what the state lists.
 *
 * An action carries an id and is kept until it is answered. After a lost line or a reload it is sent again with the
 * same id, which the server never does twice; one that came too late is refused, and the board shows what is.
 */

import { Board } from "./board.js";
import { byId, put, random } from "./dom.js";
import { Hint } from "./hint.js";
import { Moments } from "./moments.js";
import { Refused } from "./net.js";
import { resultCard, told, won } from "./panels.js";
import * as sound from "./sound.js";
import { settings, store, stored } from "./state.js";
import { t } from "./text.js";
import { voiced } from "./voice.js";

const PENDING = "skyclaim.pending";
/** with so many events waiting, the board catches up without animation */
const BEHIND = 4;

/** How a board is to look. */
export const clothes = () => ({ letters: settings.get("letters"), theme: settings.get("theme") });

export class Game {
  state = null;
  board;
  #net;
  #panels;
  #guided;
  #choose;
  #queue = [];
  #playing = false;
  #hint;
  #hinted = null;
  #moments;

  /**
   * `choose` has what the buttons after the game do, `look(game, moment)` shows a moment of one that has ended;
   * `guided` is told of every state and step.
   */
  constructor({ net, panels, guided, choose, look }) {
    this.#net = net;
    this.#panels = panels;
    this.#guided = guided;
    this.#choose = choose;
    this.#moments = new Moments(net, look);
    this.#hint = new Hint(() => this.hint());
    this.board = new Board(byId("board"), {
      ...clothes(),
      confirm: settings.get("confirm"),
      onStep: (step) => this.act(step),
      onAsk: (square) => this.#about(square),
      onMessage: (text) => this.say(text),
      preview: (step) => this.#try(net.request("preview", { match: this.state.match, step })),
    });
    put(byId("chips"), this.board.chips);
    settings.listen((name) => {
      this.board.set({ ...clothes(), confirm: settings.get("confirm") });
      if (name === "explain" && this.state) panels.show(this.state);
    });
  }

  /** The whole state from the server: whatever was under way on the page is dropped. */
  take(snapshot) {
    this.#queue = [];
    this.state = snapshot;
    this.#draw();
    this.#resend();
  }

  /** The next thing that happened. */
  async event(message) {
    if (message.match !== this.state?.match) return;
    this.#queue.push(message);
    if (this.#queue.length >= BEHIND) this.board.skip();
    if (this.#playing) return;
    this.#playing = true;
    while (this.#queue.length > 0) await this.#play(this.#queue.shift());
    this.#playing = false;
  }

  /** Carry out a step of the person's; throws Refused, so that the board takes it back. */
  act(step) {
    const { match, seq } = this.state;
    const pending = { match, seq, step, id: random(8) };
    store(PENDING, pending);
    return this.#send(pending);
  }

  /** Light the two stars of the best swap. */
  async hint() {
    const { match, seq } = this.state;
    const { squares } = (await this.#try(this.#net.request("hint", { match }))) ?? {};
    if (!squares?.length || this.state.seq !== seq) return;
    this.#hinted = { seq, squares };
    this.board.lead(squares);
    this.#panels.say(t("hint", { squares: squares.join(", ") }));
  }

  /** The engine's best swap for the guided game, or null. */
  async bestSwap() {
    return (await this.#try(this.#net.request("hint", { match: this.state.match })))?.step ?? null;
  }

  undo() {
    return this.#try(this.#net.request("undo", { match: this.state.match }));
  }

  resign() {
    return this.#try(this.#net.request("resign", { match: this.state.match }));
  }

  leave() {
    return this.#try(this.#net.request("leave", { match: this.state.match }));
  }

  get underway() {
    return this.state !== null && this.state.result === null;
  }

  /** Say a thing on the message line. */
  say(text) {
    this.#panels.say(this.state ? voiced(text, this.state) : text);
  }

  #draw() {
    const { state } = this;
    this.board.show(state);
    byId("board").dataset.seq = state.seq;
    this.#panels.show(state);
    this.#hint.show(state);
    if (this.#hinted?.seq === state.seq) this.board.lead(this.#hinted.squares);
    this.#guided.show(this);
    this.#after();
  }

  async #play(message) {
    if (message.seq <= this.state.seq) return;
    if (message.seq > this.state.seq + 1) {
      this.#queue = [];
      this.#net.send({ t: "snapshot", match: this.state.match });
      return;
    }
    const { match } = this.state;
    this.#panels.clock(message.state.clocks);
    this.#panels.say(told(message, this.state));
    sound.events(message.events);
    this.#guided.happened(message);
    await this.board.play(message);
    if (this.state.match !== match || message.seq !== this.state.seq + 1) return;
    this.state = { ...message.state, match, seq: message.seq };
    this.#draw();
    this.#check();
  }

  /** A board that is not the server's is drawn anew. Only a secure context has the digest; else `seq` has to do. */
  async #check() {
    const { hash, line, match, seq } = this.state;
    if (!crypto.subtle || !hash) return;
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(line)));
    const own = Array.from(digest.slice(0, 6), (byte) => byte.toString(16).padStart(2, "0")).join("");
    if (own !== hash && this.state.seq === seq) this.#net.send({ t: "snapshot", match });
  }

  async #send({ match, seq, step, id }) {
    try {
      await this.#net.request("act", { match, seq, step }, { id, resend: false });
    } catch (refused) {
      if (refused.code === "forgotten") return; // it has been sent again
      if (refused.code === "silent") this.#net.send({ t: "snapshot", match });
      if (stored(PENDING)?.id === id) store(PENDING, null);
      throw new Refused(refused.code, refused.message || t("not-done"));
    }
    if (stored(PENDING)?.id === id) store(PENDING, null);
  }

  #resend() {
    const pending = stored(PENDING);
    if (!pending) return;
    this.#net.forget(pending.id);
    if (pending.match === this.state.match) this.#send(pending).catch((refused) => this.board.refused(refused.message));
    else store(PENDING, null);
  }

  async #about(square) {
    const about = await this.#try(this.#net.request("about", { match: this.state.match, square }));
    if (!about) return;
    this.board.about(about);
    this.say(about.text);
  }

  #after() {
    const after = byId("after");
    const { result } = this.state;
    const before = after.hidden;
    after.hidden = !result;
    document.body.classList.toggle("over", Boolean(result));
    if (!result) {
      this.#moments.stop();
      return;
    }
    put(after, resultCard(this.state, this.#choose(this.state)), this.#moments.of(this.state));
    if (!before) return;
    after.querySelector("h2").focus({ preventScroll: true });
    sound.ending(won(this.state));
  }

  /** The answer, or null with the refusal said. */
  async #try(request) {
    try {
      return await request;
    } catch (refused) {
      if (refused.message) this.#panels.say(refused.message);
      return null;
    }
  }
}
