/**
 * The events of a step (docs/events.md) as a film: beats one after the other, each with its time and what changes on
 * the board. Pure: it neither sees the page nor keeps a clock. Squares that the viewer does not see ("?") change nothing.
 *
 * A beat is {ms, changes}; a change is {what, …}, where `what` is the method of the Scene that makes it, with squares
 * as numbers.
 */

import { squareOf } from "./position.js";

/** Milliseconds of a beat: those of a cascade lie within 120 and 180. */
export const PACE = {
  swap: 170, clear: 150, flow: 170, drone: 150, missile: 230, move: 200, claim: 220, warp: 260, siege: 230, blast: 260,
  shot: 170, drift: 180, destroyed: 150, ring: 200, small: 0,
};
/** No film is longer; one that would be is played faster, and below the shortest beat it jumps. */
export const LONGEST = 6000;
const SHORTEST = 40;

const squares = (names) => names.map(squareOf).filter((square) => square !== null);

/** Beats of the events of one step, in order. `reduced`: nothing moves, all changes at once. */
export function film(events, { reduced = false } = {}) {
  const beats = [];
  for (const event of events) {
    const beat = BEATS[event.type]?.(event);
    if (!beat || beat.changes.length === 0) continue;
    const last = beats.at(-1);
    // what takes no time, and what a wave pays, belongs to the beat before it
    if (last && (beat.ms === 0 || (beat.joins && last.joins === beat.joins))) last.changes.push(...beat.changes);
    else beats.push(beat);
  }
  const total = beats.reduce((sum, beat) => sum + beat.ms, 0);
  const faster = reduced ? 0 : Math.min(1, LONGEST / Math.max(total, 1));
  return beats.map(({ ms, changes }) => ({ ms: paced(ms * faster), changes }));
}

function paced(ms) {
  return ms < SHORTEST ? 0 : Math.round(ms);
}

const beat = (ms, changes, joins = null) => ({ ms, joins, changes: changes.filter(known) });
/** Whether the viewer sees all of a change; one that goes from or to the dark is left to the next picture. */
const known = (change) => ["from", "to", "square"].every((name) => change[name] !== null);
const one = (what, event, more = {}) => ({ what, square: squareOf(event.square), ...more });
const way = (what, event, more = {}) => ({ what, from: squareOf(event.from), to: squareOf(event.to), ...more });

const BEATS = {
  swap: (event) => beat(PACE.swap, [way("swap", event)]),
  missile: (event) => beat(PACE.missile, [
    way("fly", event, { kind: "missile" }),
    ...(event.target === "drone" ? [{ what: "power", square: squareOf(event.to), power: event.power }]
      : [{ what: "goneStar", square: squareOf(event.to) }]),
    { what: "spent", square: squareOf(event.from) }]),
  turret: (event) => beat(PACE.drone, [one("turret", event)]),
  move: (event) => beat(PACE.move, [way("step", event, { how: event.how })]),
  claim: (event) => beat(PACE.claim, [{ what: "claim", squares: squares(event.taken) }]),
  warp: (event) => beat(PACE.warp, [
    way("step", event, { how: "warp" }),
    { what: "claim", squares: squares(event.taken) },
    { what: "power", square: squareOf(event.to), power: event.power }]),
  siege: (event) => beat(PACE.siege, [way("fly", event, { kind: "siege" }),
    { what: "open", squares: squares([event.to]) }]),
  clear: (event) => beat(PACE.clear, event.groups.map((group) => (
    { what: "clear", squares: squares(group.squares), colour: group.colour, pays: group.pays }))),
  flow: (event) => beat(PACE.flow, [{ what: "fall", toward: event.toward,
    pairs: event.falls.map(([from, to]) => [squareOf(from), squareOf(to)]),
    fresh: event.new.map(([name, colour]) => [squareOf(name), colour]) }]),
  drone: ({ square, side, kind, power, colours, missiles }) => beat(PACE.drone, [
    { what: "appear", square: squareOf(square), drone: { side, kind, power, colours, missiles } }], "pays"),
  asteroid: (event) => beat(PACE.drone, [one("rock", event)], "pays"),
  destroyed: (event) => beat(PACE.destroyed, [one("gone", event, { by: event.by })], "destroyed"),
  blast: (event) => beat(PACE.blast, [one("blast", event, { squares: squares(event.squares) }), one("gone", event)]),
  sweep: (event) => beat(PACE.ring, [one("rings", event, { squares: squares(event.squares) })]),
  surround: (event) => beat(PACE.ring, [{ what: "rings", squares: squares(event.squares) }]),
  turret_shot: (event) => beat(PACE.shot, [way("fly", event, { kind: "shot" }),
    { what: "power", square: squareOf(event.to), power: event.power }]),
  load: (event) => beat(PACE.small, [one("count", event, { missiles: event.missiles })]),
  stock: (event) => beat(PACE.small, [{ what: "stock", side: event.side, missiles: event.missiles }]),
  wreck: (event) => beat(PACE.small, [one("wreck", event, { countdown: event.countdown })]),
  collected: (event) => beat(PACE.small, [one("wreck", event, { countdown: 0 })]),
  drift: (event) => beat(PACE.drift, [way("drift", event),
    ...(event.hit ? [{ what: "power", square: squareOf(event.hit), power: event.power }] : [])], "drift"),
};
