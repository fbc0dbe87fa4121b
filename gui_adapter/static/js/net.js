/**
 * The line to the server: one WebSocket, opened again whenever it is lost.
 *
 * A socket that says nothing is dead long before the browser says so, so the page sends a `ping` every 2.5 s and gives
 * up after 9 s without any word. Requests carry an id and are answered once; those that were waiting when the line was
 * lost are sent again after the next `welcome`, and the server does nothing twice.
 */

import { random } from "./dom.js";

const BEAT = 2500;
const SILENCE = 9000;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 4000;
const PATIENCE = 30000;
/** close codes from 4000 on are the server's own words: it does not want this page back */
const FINAL = 4000;

/** The server's "no" to a request: a code for the page and a sentence for the person. */
export class Refused extends Error {
  constructor(code, text) {
    super(text);
    this.code = code;
  }
}

export class Net {
  #hello;
  #onmessage;
  #onstatus;
  #socket = null;
  #status = "";
  #heard = 0;
  #beats = 0;
  #wait = FIRST_WAIT;
  #again = 0;
  #welcome = false;
  #waiting = new Map();

  /**
   * `hello()` gives the first message, `onmessage(message)` hears every message, `onstatus(status, text)` hears
   * "connecting", "open", "lost" and, for good, "closed" with the server's reason.
   */
  constructor({ hello, onmessage, onstatus }) {
    this.#hello = hello;
    this.#onmessage = onmessage;
    this.#onstatus = onstatus;
    setInterval(() => this.#beat(), BEAT);
    document.addEventListener("visibilitychange", () => this.#hurry());
    addEventListener("online", () => this.#hurry());
    addEventListener("pageshow", () => this.#hurry());
  }

  get open() {
    return this.#welcome;
  }

  connect() {
    if (this.#socket || this.#status === "closed") return;
    clearTimeout(this.#again);
    this.#tell(this.#status === "lost" ? "lost" : "connecting");
    const address = new URL("ws", document.baseURI);
    address.protocol = address.protocol.replace("http", "ws");
    address.hash = "";
    const socket = new WebSocket(address);
    this.#socket = socket;
    this.#heard = Date.now();
    socket.addEventListener("open", () => socket.send(JSON.stringify(this.#hello())));
    socket.addEventListener("message", ({ data }) => socket === this.#socket && this.#hear(data));
    socket.addEventListener("close", ({ code, reason }) => socket === this.#socket && this.#lost(code, reason));
  }

  /** Send a message that needs no answer; false, and nothing else, without a line. */
  send(message) {
    if (!this.#welcome) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /**
   * Ask, and answer with the message that bears the request's id. Throws Refused: the server's, or "silent" when there
   * is no answer in time. `onpart` hears answers that come in parts and says true at the last one; `resend` false: the
   * caller sends again itself; `patience` in ms.
   */
  request(t, fields = {}, { id = random(8), onpart = () => true, resend = true, patience = PATIENCE } = {}) {
    const message = { t, id, ...fields };
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#settle(id)?.reject(new Refused("silent", "")), patience);
      this.#waiting.set(id, { message, resolve, reject, onpart, resend, timer });
      this.send(message);
    });
  }

  /** Stop waiting for the answer to a request. */
  forget(id) {
    this.#settle(id)?.reject(new Refused("forgotten", ""));
  }

  #settle(id) {
    const waiting = this.#waiting.get(id);
    if (waiting) clearTimeout(waiting.timer);
    this.#waiting.delete(id);
    return waiting;
  }

  #hear(data) {
    this.#heard = Date.now();
    const message = JSON.parse(data);
    if (message.t === "welcome") {
      this.#welcome = true;
      this.#wait = FIRST_WAIT;
      this.#tell("open");
    }
    const waiting = this.#waiting.get(message.id);
    if (waiting && message.t === "refused") this.#settle(message.id).reject(new Refused(message.code, message.text));
    else if (waiting && waiting.onpart(message)) this.#settle(message.id).resolve(message);
    this.#onmessage(message);
    if (message.t === "welcome") this.#resend();
  }

  #resend() {
    for (const { message, resend } of this.#waiting.values()) if (resend) this.send(message);
  }

  #beat() {
    if (!this.#socket) return;
    if (Date.now() - this.#heard > SILENCE) this.#drop();
    else this.send({ t: "ping", n: ++this.#beats, hidden: document.hidden });
  }

  /** Come back to life: try at once instead of after the wait. */
  #hurry() {
    if (!this.#socket) this.connect();
    else this.#beat();
  }

  #drop() {
    const socket = this.#socket;
    this.#lost(0, "");
    socket.close();
  }

  #lost(code, reason) {
    this.#socket = null;
    this.#welcome = false;
    if (code >= FINAL) {
      this.#tell("closed", reason);
      return;
    }
    this.#tell("lost");
    // jitter, so that not every page comes back in the same moment
    this.#again = setTimeout(() => this.connect(), this.#wait * (0.75 + Math.random() / 2));
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT);
  }

  #tell(status, text = "") {
    if (status === this.#status) return;
    this.#status = status;
    this.#onstatus(status, text);
  }
}
