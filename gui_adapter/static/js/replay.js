/** The list of games, and one of them played again: step by step, with the analysis, to try again from any moment. */

import { Analysis, arrows } from "./analysis.js";
import { Board } from "./board.js";
import { byId, el, put, sign } from "./dom.js";
import { clothes } from "./game.js";
import { told } from "./panels.js";
import { day, result } from "./ratings.js";
import { settings } from "./state.js";
import { t } from "./text.js";

/** Draw the list of games; `open(game)` shows one, `say(text)` tells a trouble. */
export async function list({ net, open, say }) {
  const file = el("input", {
    type: "file",
    id: "import-file",
    accept: ".jsonl,.json,.txt",
    class: "unseen",
    tabindex: "-1",
    "aria-label": t("import"),
  });
  file.addEventListener("change", async () => {
    const [chosen] = file.files;
    file.value = "";
    if (!chosen) return;
    try {
      open((await net.request("import", { text: await chosen.text() })).game);
    } catch (refused) {
      say(refused.message);
    }
  });
  const rows = el("ul", { class: "list", id: "games-list" });
  const more = el("button", { type: "button", hidden: true }, t("more-games"));
  const load = async (before) => {
    const page = (await net.request("games", before === undefined ? {} : { before })).rows;
    rows.append(
      ...page.map((row) =>
        el(
          "li",
          {},
          el(
            "button",
            { type: "button", on: { click: () => open(row.game) } },
            [result(row.result), row.versus, Number.isFinite(row.skill) && t("skill-is", { skill: row.skill })]
              .filter(Boolean)
              .join(" · "),
            el(
              "small",
              {},
              [day(row.when), t("turns", { n: row.turns }), row.hints > 0 && t("hints-used", { n: row.hints })]
                .filter(Boolean)
                .join(" · "),
            ),
          ),
        ),
      ),
    );
    if (rows.childElementCount === 0) rows.append(el("li", { class: "note" }, t("no-games")));
    more.hidden = page.length < 50;
    more.onclick = () => load(page.at(-1).game);
  };
  await load();
  put(
    byId("games-body"),
    el(
      "div",
      { class: "stack" },
      rows,
      more,
      el("button", { type: "button", on: { click: () => file.click() } }, t("import")),
      file,
    ),
  );
}

/** Scroll a list, and nothing around it, until `row` is seen. */
function reveal(list, row) {
  const [outer, inner] = [list.getBoundingClientRect(), row.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop += inner.top - outer.top;
  else if (inner.bottom > outer.bottom) list.scrollTop += Math.min(inner.bottom - outer.bottom, inner.top - outer.top);
}

/** The replay screen for one game at a time. */
export class Replay {
  #net;
  #say;
  #retry;
  #id = null;
  #game = null;
  #board;
  #analysis = null;
  #at = 0;

  /** `say(text)` tells a trouble, `retry({game, moment})` starts a match there. */
  constructor({ net, say, retry }) {
    this.#net = net;
    this.#say = say;
    this.#retry = retry;
    const keys = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
    addEventListener(
      "keydown",
      (event) => {
        if (document.body.dataset.screen !== "replay" || event.altKey || event.ctrlKey || event.metaKey) return;
        if (!(event.key in keys) || event.target.closest?.("input, dialog")) return;
        event.preventDefault();
        event.stopPropagation();
        this.go(this.#at + keys[event.key]);
      },
      { capture: true },
    );
    this.#board = new Board(byId("replay-board"), clothes());
    settings.listen(() => this.#board.set(clothes()));
  }

  /** Show a game at a moment; one that is shown already stays where it is if no moment is asked for. */
  async show(id, moment) {
    if (this.#id === id && this.#game) {
      if (moment) this.go(moment);
      return;
    }
    this.leave();
    this.#id = id;
    this.#game = null;
    const game = await this.#net.request("game", { game: id });
    if (this.#id !== id) return;
    this.#game = game;
    this.#analysis = new Analysis({
      net: this.#net,
      root: byId("replay-analysis"),
      seat: this.#seat,
      moments: game.moments.length,
      go: (moment) => this.go(moment),
      changed: () => this.#found(),
    });
    const names = game.record.engines.map((name, index) => (index + 1 === game.seat ? t("you") : name));
    put(byId("replay-versus"), names.join(" – "));
    this.#keys();
    this.#list();
    this.#actions();
    this.go(moment);
  }

  /** Stop what runs for this screen. */
  leave() {
    this.#analysis?.stop();
  }

  /** Show a moment; those outside the game are its ends. */
  go(moment) {
    if (!this.#game) return;
    const { moments } = this.#game;
    this.#at = Math.min(Math.max(0, moment), moments.length - 1);
    const now = moments[this.#at];
    this.#board.show(this.#state(now));
    const words = now.step ? `${t("turn-is", { n: now.turn })} ${told(now, this.#state(now))}` : t("replay-start");
    put(byId("replay-text"), words);
    this.#analysis.at(this.#at);
    this.#arrows();
    for (const button of byId("replay-moves").querySelectorAll("button")) {
      const current = Number(button.dataset.moment) === this.#at;
      button.setAttribute("aria-current", String(current));
      if (current) reveal(byId("replay-moves"), button);
    }
  }

  get #seat() {
    return this.#game.seat ?? 1;
  }

  /** A moment as a state that nobody can do anything in. */
  #state(moment) {
    return {
      match: `replay-${this.#id}`,
      seq: this.#at,
      game: this.#game.header.game,
      seat: this.#seat,
      seats: this.#sides(),
      line: moment.line,
      turn: moment.turn,
      legal: [],
      mover: 0,
      options: this.#game.header.rules,
      result: null,
    };
  }

  #sides() {
    const { engines } = this.#game.record;
    return [1, 2].map((seat) => ({ seat, side: seat === 1 ? "S" : "N", name: engines[seat - 1], kind: "human" }));
  }

  #arrows() {
    this.#board.arrows(arrows(this.#analysis.point(this.#at)));
  }

  #found() {
    this.#arrows();
    for (const button of byId("replay-moves").querySelectorAll("button")) {
      const blunder = this.#analysis.blundered(Number(button.dataset.moment) - 1);
      button.parentElement.classList.toggle("blunder", blunder);
      button.querySelector("small").textContent = this.#label(Number(button.dataset.moment), blunder);
    }
  }

  #label(moment, blunder) {
    return t(blunder ? "turn-blunder" : "turn-is", { n: this.#game.moments[moment].turn });
  }

  #keys() {
    const key = (name, path, by) =>
      el("button", { type: "button", "aria-label": t(name), on: { click: () => this.go(this.#at + by) } }, sign(path));
    put(
      byId("replay-keys"),
      key("first", "M18 5l-8 7 8 7zM6 5v14", -Infinity),
      key("previous", "M16 5l-8 7 8 7z", -1),
      key("following", "M8 5l8 7-8 7z", 1),
      key("last", "M6 5l8 7-8 7zM18 5v14", Infinity),
    );
  }

  #list() {
    const row = (moment, index) =>
      moment.step &&
      el(
        "li",
        {},
        el(
          "button",
          { type: "button", data: { moment: index }, on: { click: () => this.go(index) } },
          el("small", {}, this.#label(index, false)),
          " ",
          told(moment, this.#state(moment)),
        ),
      );
    put(byId("replay-moves"), this.#game.moments.map(row));
  }

  #actions() {
    const button = (key, act) => el("button", { type: "button", on: { click: act } }, t(key));
    const analyse = button("analyse", () => {
      if (this.#analysis.running) this.#analysis.stop();
      else this.#analysis.start(this.#id).finally(label);
      label();
    });
    const label = () => put(analyse, t(this.#analysis.running ? "stop-analysis" : "analyse"));
    analyse.id = "analyse";
    const again = button("try-again-from-here", () => this.#retry({ game: this.#id, moment: this.#at }));
    put(
      byId("replay-actions"),
      analyse,
      again,
      button("export", () => this.#export()),
    );
  }

  async #export() {
    const file = await this.#try(this.#net.request("export", { game: this.#id }));
    if (!file) return;
    const address = URL.createObjectURL(new Blob([file.text], { type: "application/x-ndjson" }));
    const link = el("a", { href: address, download: file.name });
    document.body.append(link);
    link.click();
    link.remove();
    URL.revokeObjectURL(address);
  }

  async #try(request) {
    try {
      return await request;
    } catch (refused) {
      if (refused.message) this.#say(refused.message);
      return null;
    }
  }
}
