/** What this browser keeps: the settings, and the secret by which the server knows the player. */

import { random } from "./dom.js";

const SETTINGS = "skyclaim.settings";
const ME = "skyclaim.me";

/** Every setting with its default; what is stored and not named here, or of another type, is dropped. */
export const DEFAULTS = Object.freeze({
  skill: 10,
  timers: false,
  fog: "off",
  salvage: false,
  land: 69,
  handicap: false,
  asteroids: 6,
  practice: false,
  explain: true,
  hints: true,
  sound: true,
  theme: "auto",
  letters: false,
  confirm: "some",
  name: "",
  welcomed: false,
});

/** Storage that may be missing or full (a private window): then the choice holds until the page is closed. */
const fallback = new Map();
const storage = {
  get(key) {
    try {
      return localStorage.getItem(key) ?? fallback.get(key) ?? null;
    } catch {
      return fallback.get(key) ?? null;
    }
  },
  set(key, value) {
    fallback.set(key, value);
    try {
      localStorage.setItem(key, value);
    } catch {
      // kept in `fallback`
    }
  },
  remove(key) {
    fallback.delete(key);
    try {
      localStorage.removeItem(key);
    } catch {
      // nothing was stored
    }
  },
};

/** A JSON value of the browser's storage, or null where there is none that can be read. */
export function stored(key) {
  try {
    return JSON.parse(storage.get(key) ?? "null");
  } catch {
    return null;
  }
}

/** Keep a JSON value; null forgets it. */
export function store(key, value) {
  if (value === null) storage.remove(key);
  else storage.set(key, JSON.stringify(value));
}

class Settings {
  #values = { ...DEFAULTS };
  #listeners = [];

  constructor() {
    for (const [name, value] of Object.entries(stored(SETTINGS) ?? {})) {
      if (typeof value === typeof DEFAULTS[name]) this.#values[name] = value;
    }
  }

  get(name) {
    return this.#values[name];
  }

  set(name, value) {
    if (this.#values[name] === value) return;
    this.#values[name] = value;
    store(SETTINGS, this.#values);
    for (const listener of this.#listeners) listener(name, value);
  }

  /** Call `listener(name, value)` at every change. */
  listen(listener) {
    this.#listeners.push(listener);
  }

  /** What a new match is asked for. */
  match() {
    return {
      game: "skyclaim",
      options: { Fog: this.get("fog"), Salvage: this.get("salvage"), LandToWin: this.get("land") },
      skill: this.get("skill"),
      timers: this.get("timers"),
      handicap: this.get("handicap"),
      asteroids: this.get("asteroids"),
      practice: this.get("practice"),
    };
  }
}

export const settings = new Settings();

/** The player's secret: 128 random bits, made once for this browser. */
export function me() {
  let secret = stored(ME);
  if (typeof secret !== "string" || !/^[0-9a-f]{32}$/.test(secret)) {
    secret = random(16);
    store(ME, secret);
  }
  return secret;
}

/** "dark" or "light": the chosen theme, or the system's. */
export function theme() {
  const chosen = settings.get("theme");
  if (chosen !== "auto") return chosen;
  return matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
}
