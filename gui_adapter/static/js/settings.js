/** The settings of the rulebook, drawn from a table. A choice is kept at once; those of a match count from the next. */

import { byId, el, put } from "./dom.js";
import { settings } from "./state.js";
import { t } from "./text.js";

const PARTS = [
  [
    "settings-match",
    [
      ["skill", "range", { min: 0, max: 100, step: 10 }],
      ["timers", "switch"],
      ["fog", "choice", ["off", "seam", "dark"]],
      ["salvage", "switch"],
      ["land", "range", { min: 60, max: 100, step: 1 }],
      ["handicap", "switch"],
      ["asteroids", "range", { min: 0, max: 20, step: 1 }],
      ["practice", "switch"],
    ],
  ],
  [
    "settings-help",
    [
      ["explain", "switch"],
      ["hints", "switch"],
      ["confirm", "choice", ["some", "always", "never"]],
    ],
  ],
  [
    "settings-look",
    [
      ["theme", "choice", ["auto", "dark", "light"]],
      ["letters", "switch"],
      ["sound", "switch"],
    ],
  ],
];

function note(name) {
  return el("p", { class: "note", id: `note-${name}` }, t(`${name}-note`));
}

function toggle(name) {
  const box = el("input", {
    type: "checkbox",
    id: `set-${name}`,
    checked: settings.get(name),
    "aria-describedby": `note-${name}`,
    on: { change: () => settings.set(name, box.checked) },
  });
  return el(
    "div",
    { class: "setting" },
    el("label", { class: "switch" }, box, el("span", {}, t(`set-${name}`))),
    note(name),
  );
}

function choice(name, values) {
  const radios = values.map((value) =>
    el(
      "label",
      {},
      el("input", {
        type: "radio",
        name: `set-${name}`,
        value,
        checked: settings.get(name) === value,
        on: { change: () => settings.set(name, value) },
      }),
      el("span", {}, t(`${name}-${value}`)),
    ),
  );
  return el(
    "div",
    { class: "setting", role: "radiogroup", "aria-labelledby": `label-${name}`, "aria-describedby": `note-${name}` },
    el("span", { class: "label", id: `label-${name}` }, t(`set-${name}`)),
    el("div", { class: "choices" }, radios),
    note(name),
  );
}

/** A number with a slider; also used on the first screen for the bot's skill. */
export function range(name, { min, max, step }, id = `set-${name}`) {
  const shown = el("output", { for: id }, String(settings.get(name)));
  const slider = el("input", {
    type: "range",
    id,
    min,
    max,
    step,
    value: settings.get(name),
    on: {
      input: () => {
        shown.textContent = slider.value;
        settings.set(name, Number(slider.value));
      },
    },
  });
  return el(
    "div",
    { class: "setting" },
    el("label", { for: id }, t(`set-${name}`)),
    el("div", { class: "number" }, slider, shown),
    id === `set-${name}` && note(name),
  );
}

const KINDS = { range, switch: toggle, choice };

/** Draw the screen; `newGame` and `guided` are what its two buttons do. */
export function show({ newGame, guided }) {
  const parts = PARTS.map(([title, rows]) =>
    el(
      "section",
      { "aria-labelledby": title },
      el("h2", { id: title }, t(title)),
      rows.map(([name, kind, more]) => KINDS[kind](name, more)),
    ),
  );
  put(
    byId("settings-body"),
    el("p", { class: "note" }, t("settings-count-from-next")),
    parts,
    el(
      "div",
      { class: "stack" },
      el("button", { type: "button", on: { click: guided } }, t("guided-first-game")),
      el("button", { type: "button", class: "main", on: { click: newGame } }, t("new-game")),
    ),
  );
}
