/** The player's rating and how it came about: a number, a line, and the same as a table. */

import { byId, el, put, svg } from "./dom.js";
import { settings } from "./state.js";
import { t } from "./text.js";

const WIDTH = 320;
const HEIGHT = 140;
const EDGE = 36;

/** A rating history as a picture: `values` from the oldest to the newest. */
export function line(values, label) {
  const low = Math.floor((Math.min(...values) - 10) / 50) * 50;
  const high = Math.ceil((Math.max(...values) + 10) / 50) * 50;
  const x = (index) => EDGE + (index * (WIDTH - EDGE - 10)) / Math.max(1, values.length - 1);
  const y = (value) => 10 + ((high - value) * (HEIGHT - 20)) / (high - low);
  const last = values.length - 1;
  return svg(
    "svg",
    { class: "plot", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label },
    [low, high].map((value) => [
      svg("line", { class: "axis", x1: EDGE, x2: WIDTH - 10, y1: y(value), y2: y(value) }),
      svg("text", { x: EDGE - 4, y: y(value) + 4, "text-anchor": "end" }, String(value)),
    ]),
    svg("polyline", { class: "line", points: values.map((value, index) => `${x(index)},${y(value)}`).join(" ") }),
    svg("circle", { class: "point", cx: x(last), cy: y(values[last]), r: 4 }),
  );
}

/** A moment, in ISO form, as the reader of the page writes it. */
export function day(when) {
  return new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" }).format(new Date(when));
}

/** Ask the server and draw the screen. */
export async function show(net) {
  const { name, rating, history } = await net.request("ratings");
  const values = history.map((game) => game.rating);
  put(
    byId("ratings-body"),
    el("p", { class: "note" }, settings.get("name") ? t("rating-of", { name }) : t("rating-own")),
    el("p", { class: "big", id: "rating-now" }, String(Math.round(rating))),
    values.length === 0 && el("p", {}, t("no-ratings")),
    values.length > 0 && line([1000, ...values], t("rating-plot", { n: values.length, rating: Math.round(rating) })),
    values.length > 0 &&
      el(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-labelledby": "ratings-title" },
        el(
          "table",
          {},
          el(
            "thead",
            {},
            el(
              "tr",
              {},
              ["when", "versus", "result", "rating"].map((key) => el("th", { scope: "col" }, t(`column-${key}`))),
            ),
          ),
          el(
            "tbody",
            {},
            history
              .toReversed()
              .map((game) =>
                el(
                  "tr",
                  {},
                  el("td", {}, day(game.when)),
                  el("td", {}, game.versus),
                  el("td", {}, result(game.result)),
                  el("td", {}, String(Math.round(game.rating))),
                ),
              ),
          ),
        ),
      ),
  );
}

/** A result of the viewer's in words: `won`, `drawn`, `lost` or `watched`, or their share of the win. */
export function result(value) {
  return t(`result-${{ 1: "won", 0.5: "drawn", 0: "lost" }[value] ?? value}`);
}
