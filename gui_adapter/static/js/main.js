/**
 * Starts everything, and decides which screen is shown. A screen is named in the address (`#replay/12`), so that the
 * browser's own back button and a reload work; the token that came in the address is kept for this tab and taken out.
 */

import { ask, byId, el, put, random, sign } from "./dom.js";
import { Game } from "./game.js";
import { Guided } from "./guided.js";
import { Lobby } from "./lobby.js";
import { Net, Refused } from "./net.js";
import { Panels } from "./panels.js";
import * as ratings from "./ratings.js";
import { list, Replay } from "./replay.js";
import * as settingsScreen from "./settings.js";
import * as sound from "./sound.js";
import { me, settings, theme } from "./state.js";
import { fill, load, t } from "./text.js";

const TOKEN = "skyclaim.token";
const TAB = random(8);
const NOTICE = 6000;
const HARDER = 10;
const HELP = [
  ["help-goal", "help-goal-text"],
  ["help-touch", "help-touch-text"],
  ["help-keys", "help-keys-text"],
  ["help-drones", "help-drones-text"],
];

let net;
let game;
let panels;
let lobby;
let replay;
let noticeTimer = 0;
let welcomed = false;
/** a game was asked for: its snapshot brings the game's screen forward */
let expected = false;

function token() {
  const found = /(?:^#|&)k=([^&]+)/.exec(location.hash);
  if (found) {
    sessionStorage.setItem(TOKEN, decodeURIComponent(found[1]));
    history.replaceState(null, "", location.pathname + location.search);
  }
  return sessionStorage.getItem(TOKEN) ?? "";
}

function notice(text) {
  if (!text) return;
  put(byId("notice"), text);
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => put(byId("notice"), ""), NOTICE);
}

async function confirm(key, yes, no) {
  put(byId("confirm-text"), t(key));
  put(byId("confirm-yes"), t(yes));
  put(byId("confirm-no"), t(no));
  return (await ask(byId("confirm-dialog"))) === "yes";
}

// --- screens ---------------------------------------------------------------------------------------------------------

const SCREENS = {
  game: () => {},
  home: () => {
    put(byId("home-skill"), settingsScreen.range("skill", { min: 0, max: 100, step: 10 }, "home-skill-range"));
    const first = !settings.get("welcomed");
    put(byId("home-words"), t(first ? "home-first" : "home-words"));
    byId("play").classList.toggle("main", !first);
    byId("home-guided").classList.toggle("main", first);
    byId(first ? "home-guided" : "play").after(byId(first ? "play" : "home-guided"));
  },
  settings: () => settingsScreen.show({ newGame: () => start(), guided: () => guidedGame() }),
  friends: () => lobby.show(),
  ratings: () => ratings.show(net),
  games: () => list({ net, open: (id) => go(`replay/${id}`), say: notice }),
  replay: (id, moment) => replay.show(Number(id), Number(moment ?? 0)),
};

function go(screen) {
  if (screen === "back") {
    go(document.body.dataset.screen === "replay" ? "games" : "");
    return;
  }
  if (location.hash === `#${screen}` || (screen === "" && location.hash === "")) route();
  else location.hash = screen;
}

/** Show the screen that the address names; without one, the game, or the first screen where there is no game. */
async function route() {
  if (!welcomed) return;
  const [named, ...rest] = location.hash.slice(1).split("/");
  let screen = Object.hasOwn(SCREENS, named) ? named : "game";
  if (screen === "game" && !game.state) screen = "home";
  if (document.body.dataset.screen === "replay" && screen !== "replay") replay.leave();
  show(screen);
  try {
    await SCREENS[screen](...rest);
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused;
    notice(refused.message || t("no-answer"));
  }
}

function show(screen) {
  const before = document.body.dataset.screen;
  document.body.dataset.screen = screen;
  document.body.classList.toggle("playing", Boolean(game?.state));
  for (const section of document.querySelectorAll(".screen")) {
    // beside the board there may be another screen: layout.css decides by the width
    section.hidden =
      section.id !== screen && !(section.id === "game" && game?.state && screen !== "replay" && screen !== "stopped");
  }
  if (before !== screen && before !== "loading") {
    const title = byId(screen).querySelector("h1");
    title.tabIndex = -1;
    title.focus({ preventScroll: true });
    scrollTo(0, 0);
  }
}

function stop(text) {
  put(byId("stopped-text"), text);
  welcomed = false;
  show("stopped");
}

// --- games -----------------------------------------------------------------------------------------------------------

/** Ask before the match under way is ended: `rated` where that moves a rating, `unrated` where it does not. */
function confirmEnd(rated, unrated, yes) {
  return confirm(game.state?.rated === false ? unrated : rated, yes, "keep-playing");
}

/** Ask for a match, "new" or "retry"; one that is under way is given up only after asking. */
async function begin(kind, fields, force = false) {
  expected = true;
  try {
    await net.request(kind, { ...fields, force });
  } catch (refused) {
    expected = false;
    if (refused.code !== "under-way") notice(refused.message || t("no-answer"));
    else if (await confirmEnd("counts-as-loss", "ends-the-game", "start-anyway")) await begin(kind, fields, true);
  }
}

/** Start a match with the settings. */
function start(fields = {}) {
  settings.set("welcomed", true);
  return begin("new", { ...settings.match(), guided: false, ...fields });
}

function guidedGame() {
  return start({
    guided: true,
    skill: 0,
    timers: false,
    handicap: false,
    options: { ...settings.match().options, Fog: "dark" },
  });
}

/** Leave the match under way, after asking: whether that was done. */
async function giveUp() {
  return (await confirmEnd("counts-as-loss", "ends-the-game", "leave")) && (await game.leave()) !== null;
}

/** What the buttons after a game do. */
function choose(state) {
  const bot = state.seats.find((seat) => seat.kind === "bot");
  return {
    again: bot ? () => start() : null,
    harder:
      bot && bot.skill < 100
        ? () => {
            settings.set("skill", Math.min(100, bot.skill + HARDER));
            start();
          }
        : null,
    look: Number.isInteger(state.result.game) ? () => go(`replay/${state.result.game}`) : null,
    friend: () => go("friends"),
  };
}

// --- messages --------------------------------------------------------------------------------------------------------

const HEARD = {
  welcome({ version, match, lan }) {
    const first = !welcomed;
    welcomed = true;
    document.body.dataset.version = version;
    document.body.dataset.lan = String(lan);
    if (match) game.take(match);
    else lobby.rejoin();
    // a line that comes back leaves the screen as it is
    if (first || document.body.dataset.screen === "home") route();
  },
  snapshot(message) {
    const begun = game.state?.match !== message.match;
    game.take(message);
    if (begun) {
      lobby.reset();
      put(byId("notice"), "");
    }
    if (expected || begun) go("");
    expected = false;
    document.body.classList.add("playing");
  },
  event: (message) => game.event(message),
  clock: ({ match, ms, running, move_ms }) => match === game.state?.match && panels.clock({ ms, running, move_ms }),
  presence({ match, seats }) {
    if (match !== game.state?.match) return;
    game.state.seats = seats;
    panels.presence(seats);
  },
  lobby: (message) => lobby.lobby(message),
  invited: (message) => lobby.invited(message),
  notice: ({ text }) => notice(text),
  engine: ({ state, text }) => (state === "ok" ? notice(t("engine-ok")) : notice(text || t(`engine-${state}`))),
};

// --- controls --------------------------------------------------------------------------------------------------------

async function menu() {
  byId("menu-resign").hidden = !game.underway;
  const chosen = await ask(byId("menu-dialog"));
  if (chosen === "resign") await resign();
  else if (chosen === "moves") {
    byId("moves-dialog").showModal();
    byId("moves-all").scrollTop = byId("moves-all").scrollHeight;
  } else if (chosen === "help") byId("help-dialog").showModal();
  else if (chosen === "guided") guidedGame();
  else if (chosen === "game") go("");
  else if (chosen) go(chosen);
}

async function resign() {
  if (await confirmEnd("resign-sure", "resign-unrated", "resign")) await game.resign();
}

function mute() {
  const on = settings.get("sound");
  byId("mute").setAttribute("aria-label", t(on ? "sound-off" : "sound-on"));
  put(
    byId("mute"),
    sign(`M4 9h4l5-4v14l-5-4H4z ${on ? "M16 9a4 4 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11" : "M16 9l5 6M21 9l-5 6"}`),
  );
}

function dress() {
  document.documentElement.dataset.theme = theme();
}

const KEYS = {
  "?": () => byId("help-dialog").showModal(),
  c: () => game.say(panels.clocksInWords()),
  l: () => game.say(panels.lastInWords()),
  s: () => game.say(panels.landInWords()),
  h: () => game.underway && game.hint(),
};

function keyboard(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.("input, select, dialog")) return;
  if (document.body.dataset.screen !== "game") return;
  const act = KEYS[event.key.toLowerCase()];
  if (!act) return;
  event.preventDefault();
  act();
}

function controls() {
  for (const button of document.querySelectorAll("[data-go]")) {
    button.addEventListener("click", () => (button.dataset.go === "guided" ? guidedGame() : go(button.dataset.go)));
  }
  byId("play").addEventListener("click", () => start());
  byId("again").addEventListener("click", () => start());
  byId("undo").addEventListener("click", () => game.undo());
  byId("menu").addEventListener("click", menu);
  byId("stopped-again").addEventListener("click", () => location.reload());
  byId("mute").addEventListener("click", () => settings.set("sound", !settings.get("sound")));
  put(
    byId("help-body"),
    HELP.map(([title, text]) => [el("h3", {}, t(title)), el("p", {}, t(text))]),
  );
  addEventListener("keydown", keyboard);
  addEventListener("hashchange", route);
  matchMedia("(prefers-color-scheme: light)").addEventListener("change", dress);
  settings.listen((name) => {
    if (name === "theme") dress();
    if (name === "sound") mute();
  });
}

async function main() {
  dress();
  await load("en");
  fill(document);
  const key = token();
  panels = new Panels();
  net = new Net({
    hello: () => ({
      t: "hello",
      token: key,
      me: me(),
      tab: TAB,
      ...(settings.get("name") ? { name: settings.get("name") } : {}),
    }),
    onmessage: (message) => HEARD[message.t]?.(message),
    onstatus: (status, text) => {
      panels.link(status);
      if (status === "closed") stop(text || t("stopped"));
    },
  });
  const look = (id, moment) => go(`replay/${id}/${moment}`);
  game = new Game({ net, panels, choose, look, guided: new Guided(() => start()) });
  lobby = new Lobby(net, notice, giveUp);
  replay = new Replay({ net, say: notice, retry: (moment) => begin("retry", moment) });
  controls();
  mute();
  sound.listen();
  net.connect();
}

main();
