/** What a square says to someone who does not see it: "e4, red star, your scout power 2, can swap right". */

import { COLOURS } from "./stars.js";
import { SIDES, nameOf, placeOf } from "./position.js";

/** The way from one square to the next in the view of a seat: "left", "right", "up" or "down". */
export function wayTo(from, to, seat) {
  const [[x, y], [u, v]] = [placeOf(from, seat), placeOf(to, seat)];
  return u < x ? "left" : u > x ? "right" : v < y ? "up" : "down";
}

/**
 * The words of a square. `steps`: the legal steps from it (gestures.js), `targets`: what the selected square can do to
 * it, `selected`: whether it is that square; `say` gives the words.
 */
export function label(position, number, { seat, steps = [], targets = [], selected = false, say }) {
  const square = position.squares[number];
  const parts = [nameOf(number)];
  if (square.dark) parts.push(say("dark"));
  if (square.asteroid) parts.push(say("asteroid"));
  if (square.star) parts.push(say("star", { colour: say(COLOURS[square.star - 1]) }));
  if (square.drone) parts.push(...droneWords(square.drone, seat, say));
  if (square.wreck) parts.push(say("wreck", { rounds: Math.ceil(square.wreck / 2) }));
  if (square.land) parts.push(say(isOwn(square.land, seat) ? "land-yours" : "land-theirs"));
  if (selected) parts.push(say("selected"));
  if (targets.length) parts.push(say("target", { actions: targets.map(({ kind }) => say(kind)).join(", ") }));
  else if (steps.length) parts.push(say("can", { actions: actions(steps, number, seat, say) }));
  return parts.join(", ");
}

const isOwn = (side, seat) => SIDES.indexOf(side) + 1 === seat;

function droneWords(drone, seat, say) {
  const kind = say(isOwn(drone.side, seat) ? "yours" : "theirs", { kind: say(drone.kind) });
  const parts = [`${kind} ${say("power", { power: drone.power })}`];
  if (drone.missiles) parts.push(say(drone.kind === "M" ? "stock" : "missiles", { missiles: drone.missiles }));
  const colours = drone.colours.map((colour) => say(COLOURS[colour - 1])).join(" ");
  if (colours) parts.push(say("rides", { colours }));
  return parts;
}

function actions(steps, from, seat, say) {
  const kinds = [...new Set(steps.map((step) => step.kind))].filter((kind) => kind !== "swap");
  const ways = steps.filter((step) => step.kind === "swap").map((step) => say(wayTo(from, step.to, seat)));
  const words = kinds.map((kind) => say(kind));
  if (ways.length) words.push(say("swap-ways", { ways: ways.join(", ") }));
  return words.join(", ");
}
