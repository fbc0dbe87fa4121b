/** The marks of the board: a target by its kind of action, arrows, and the signs on the chips. */

import { svg } from "./dom.js";
import { placeOf } from "./position.js";

/** The sign of each kind of action in a box of 16 by 16, as strokes. */
const SIGNS = {
  swap: "M3 6H12L9.5 3.5M13 10H4L6.5 12.5",
  move: "M8 5.5A2.5 2.5 0 1 1 7.99 5.5",
  take: "M4 4L12 12M12 4L4 12",
  ram: "M4 4L12 12M12 4L4 12",
  stack: "M8 3V13M3 8H13",
  bomb: "M8 2V14M2 8H14M4 4L12 12M12 4L4 12",
  claim: "M5 14V3L12 5.5L5 8.5",
  fire: "M8 1.5V5M8 11V14.5M1.5 8H5M11 8H14.5M8 7.9V8.1",
  warp: "M8 3A5 5 0 1 1 3 8M8 6A2 2 0 1 1 6 8",
  siege: "M3 12L8 4L13 12M5.5 12H10.5",
  turret: "M4 4H12M8 4V13",
  pass: "M3 4L8 8L3 12M8 4L13 8L8 12",
  no: "M4 4L12 12M12 4L4 12",
  yes: "M3 8.5L6.5 12L13 4.5",
};

export const drawSign = (kind) =>
  svg("svg", { viewBox: "0 0 16 16", class: "sign", "aria-hidden": "true" }, svg("path", { d: SIGNS[kind] }));

/**
 * A target: a frame in the colour of its likeliest action, and a badge with the sign of each, two at most. They are in
 * the corner where a drone has nothing but the star below it.
 */
export function drawTarget(kinds) {
  const badges = [...new Set(kinds)].slice(0, 2).map((kind, place) => svg("g", {
    class: `badge kind-${kind}`, transform: `translate(${26 - place * 14} 26)` },
  svg("circle", { cx: 7, cy: 7, r: 7 }), svg("path", { d: SIGNS[kind], transform: "translate(2.2 2.2) scale(.6)" })));
  return svg("svg", { viewBox: "0 0 40 40", class: `shape target kind-${kinds[0]}` },
    ["halo", "frame"].map((part) => svg("rect", { x: 2, y: 2, width: 36, height: 36, rx: 5, class: part })), badges);
}

/** An arrow between the middles of two squares in a drawing of 110 by 110; the best, `rank` 1, is the widest. */
export function drawArrow({ from, to, rank = 1, kind = "best" }, seat) {
  const middle = (square) => placeOf(square, seat).map((part) => part * 10 + 5);
  const [[x, y], [u, v]] = [middle(from), middle(to)];
  const length = Math.hypot(u - x, v - y) || 1;
  const [across, down] = [(u - x) / length, (v - y) / length];
  const width = Math.max(0.7, 2.1 - 0.5 * (rank - 1));
  const [tipX, tipY] = [u - across * 1.5, v - down * 1.5];
  const [neckX, neckY] = [tipX - across * 3, tipY - down * 3];
  const head = [[tipX, tipY], [neckX - down * width * 1.3, neckY + across * width * 1.3],
    [neckX + down * width * 1.3, neckY - across * width * 1.3]];
  return svg("g", { class: `arrow ${kind} rank-${rank}` },
    svg("line", { x1: x, y1: y, x2: neckX, y2: neckY, "stroke-width": width }),
    svg("polygon", { points: head.map((point) => point.map((part) => part.toFixed(2)).join(",")).join(" ") }),
    kind === "best" ? [svg("circle", { cx: (x + u) / 2, cy: (y + v) / 2, r: 2.4 }),
      svg("text", { x: (x + u) / 2, y: (y + v) / 2 + 1.2 }, rank)] : null);
}
