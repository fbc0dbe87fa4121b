/** Play a friend: a name, who waits, an invitation, and the four letters for when there is no list. */

import { ask, byId, el, put } from "./dom.js";
import { settings } from "./state.js";
import { t } from "./text.js";

export class Lobby {
  #net;
  #say;
  #free;
  #players = [];
  #waiting = false;
  #code = "";
  #asked = null;
  /** the name that the server knows */
  #called = "";

  /** `say(text)` tells the person something in passing; `free()` asks whether to give up the match under way. */
  constructor(net, say, free) {
    this.#net = net;
    this.#say = say;
    this.#free = free;
  }

  /** Draw the screen. */
  show() {
    const name = el("input", {
      type: "text",
      id: "friend-name",
      maxlength: 16,
      autocomplete: "nickname",
      value: settings.get("name"),
      on: { change: () => this.#named() },
    });
    const letters = el("input", {
      type: "text",
      id: "friend-code",
      maxlength: 4,
      autocomplete: "off",
      autocapitalize: "characters",
      spellcheck: "false",
      class: "grow",
    });
    put(
      byId("friends-body"),
      el(
        "div",
        { class: "stack" },
        el("label", { for: "friend-name" }, t("your-name")),
        name,
        el("button", {
          type: "button",
          id: "ready",
          class: "main",
          "aria-pressed": this.#waiting,
          on: { click: () => this.#wait(!this.#waiting) },
        }),
        el("p", { class: "note", id: "ready-note" }),
        el("p", { class: "note" }, t(document.body.dataset.lan === "true" ? "lan-on" : "lan-off")),
        el("h2", {}, t("who-waits")),
        el("ul", { class: "list", id: "players" }),
        el("h2", {}, t("by-code")),
        el("p", { class: "note" }, t("by-code-note")),
        el("button", { type: "button", on: { click: () => this.#make() } }, t("make-code")),
        el("p", { class: "code", id: "code", hidden: !this.#code }, this.#code),
        el("label", { for: "friend-code" }, t("friends-code")),
        el(
          "div",
          { class: "together" },
          letters,
          el("button", { type: "button", on: { click: () => this.#use(letters.value) } }, t("join")),
        ),
      ),
    );
    this.#draw();
  }

  /** The server's list of who waits. */
  lobby({ players }) {
    this.#players = players;
    if (byId("friends-body").firstChild) this.#draw();
  }

  /** Somebody wants to play. */
  async invited({ who, name, rating }) {
    put(byId("confirm-text"), t("invited", { name, rating: Math.round(rating) }));
    put(byId("confirm-yes"), t("accept"));
    put(byId("confirm-no"), t("decline"));
    this.#asked = who;
    const yes = (await ask(byId("confirm-dialog"))) === "yes";
    if (this.#asked === who) await this.#request(yes ? "accept" : "decline", { who });
  }

  /** The line is back: whoever was on the list wants to be there again. */
  rejoin() {
    this.#code = "";
    if (this.#waiting) this.#wait(true);
  }

  /** A match has begun: nobody waits any more. */
  reset() {
    this.#waiting = false;
    this.#code = "";
    if (byId("friends-body").firstChild) this.show();
  }

  #terms() {
    const { game, options, timers, handicap, asteroids } = settings.match();
    return { name: settings.get("name"), game, options, timers, handicap, asteroids };
  }

  /** Whether the person has a name, and the server knows it. */
  async #named() {
    const name = byId("friend-name").value.trim();
    if (!name) {
      this.#say(t("name-first"));
      byId("friend-name").focus();
      return false;
    }
    if (name !== this.#called && !(await this.#request("name", { name }))) return false;
    this.#called = name;
    settings.set("name", name);
    return true;
  }

  async #wait(on) {
    if (on && !(await this.#named())) return;
    if (await this.#request("wait", on ? { on, ...this.#terms() } : { on })) this.#waiting = on;
    this.#draw();
  }

  async #make() {
    if (!(await this.#named())) return;
    this.#code = (await this.#request("code", this.#terms()))?.code ?? "";
    byId("code").hidden = !this.#code;
    put(byId("code"), this.#code);
  }

  async #use(letters) {
    if (!(await this.#named())) return;
    await this.#request("usecode", { code: letters.trim().toUpperCase(), name: settings.get("name") });
  }

  async #invite(player) {
    if (!(await this.#named())) return;
    if (await this.#request("invite", { who: player.who })) this.#say(t("asked", { name: player.name }));
  }

  async #request(kind, fields) {
    try {
      return await this.#net.request(kind, fields);
    } catch (refused) {
      if (refused.code === "under-way" && (await this.#free())) return this.#request(kind, fields);
      if (refused.code !== "under-way") this.#say(refused.message || t("no-answer"));
      return null;
    }
  }

  #draw() {
    byId("ready").setAttribute("aria-pressed", String(this.#waiting));
    put(byId("ready"), t(this.#waiting ? "not-ready" : "ready"));
    put(byId("ready-note"), t(this.#waiting ? "waiting-note" : "ready-note"));
    put(
      byId("players"),
      this.#players.length === 0
        ? el("li", { class: "note" }, t("nobody-waits"))
        : this.#players.map((player) =>
            el(
              "li",
              {},
              el(
                "button",
                { type: "button", on: { click: () => this.#invite(player) } },
                player.name,
                el("small", {}, terms(player)),
              ),
            ),
          ),
    );
  }
}

/** What a waiting player plays: rating, fog, clock. */
function terms({ rating, options = {}, timers }) {
  return [
    t("rated", { rating: Math.round(rating) }),
    options.Fog && options.Fog !== "off" && t("terms-fog"),
    options.Salvage && t("set-salvage"),
    t(timers ? "terms-timers" : "terms-relaxed"),
    options.LandToWin && options.LandToWin !== 69 && t("terms-land", { n: options.LandToWin }),
  ]
    .filter(Boolean)
    .join(" · ");
}
