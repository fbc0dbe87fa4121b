/**
 * How things look: the colours of the themes as data, and the shapes of stars, asteroids and drones as SVG.
 *
 * Every star has a colour, a shape and a letter, so that none of the three has to be seen to tell them apart. The
 * colours were searched for so that the worst pair stays apart for every kind of colour blindness; the measure is in
 * tests/gui/test_palette.py, which reads the JSON below.
 */

import { svg } from "./dom.js";

/** Of each theme: stars 1..5, and every ground they can lie on (white and red squares: open, own, the other side's). */
export const PALETTES = {
  "dark": {
    "stars": ["#ed453e", "#f9fd55", "#1ee2bc", "#30708c", "#f461ff"],
    "white": ["#1a1d29", "#261c06", "#0b1e35"],
    "red": ["#340a12", "#361104", "#26103a"]
  },
  "light": {
    "stars": ["#6f0c00", "#868721", "#1b5c54", "#01085c", "#a32bdf"],
    "white": ["#fdfbf6", "#fcf3cd", "#e6effc"],
    "red": ["#fde2dd", "#fbe3bf", "#efe1f4"]
  }
};

/** Stars 1..5: the name of the colour and its letter. */
export const COLOURS = ["red", "yellow", "green", "blue", "violet"];
const LETTERS = ["R", "Y", "G", "B", "V"];

/** The colours of a theme as custom properties of an element. */
export function paint(element, theme) {
  const palette = PALETTES[theme] ?? PALETTES.dark;
  palette.stars.forEach((colour, place) => element.style.setProperty(`--star-${place + 1}`, colour));
  for (const ground of ["white", "red"]) {
    ["open", "own", "other"].forEach((whose, place) => {
      element.style.setProperty(`--${ground}-${whose}`, palette[ground][place]);
    });
  }
}

/** The outline of a regular star, polygon or spiked thing around (20, 20). */
function ring(corners, outer, inner = outer, turn = -90) {
  const points = [];
  for (let corner = 0; corner < corners; corner++) {
    for (const [radius, shift] of inner === outer ? [[outer, 0]] : [[outer, 0], [inner, 0.5]]) {
      const angle = ((turn + (360 * (corner + shift)) / corners) * Math.PI) / 180;
      points.push(`${(20 + radius * Math.cos(angle)).toFixed(2)},${(20 + radius * Math.sin(angle)).toFixed(2)}`);
    }
  }
  return points.join(" ");
}

const SHAPES = [
  () => svg("polygon", { points: ring(5, 16, 7.6) }),
  () => svg("rect", { x: 8, y: 8, width: 24, height: 24, rx: 3 }),
  () => svg("polygon", { points: "20,6 35,32 5,32" }),
  () => svg("circle", { cx: 20, cy: 20, r: 13 }),
  () => svg("polygon", { points: "20,4.5 33,20 20,35.5 7,20" }),
];

/** A star of colour 1..5 in a box of 40 by 40. */
export function drawStar(colour) {
  const height = colour === 3 ? 29 : 24.5;
  return svg("svg", { viewBox: "0 0 40 40", class: `shape star-${colour}` },
    SHAPES[colour - 1](),
    svg("text", { x: 20, y: height, class: "letter" }, LETTERS[colour - 1]));
}

export function drawAsteroid() {
  return svg("svg", { viewBox: "0 0 40 40", class: "shape rock" },
    svg("polygon", { points: "12,6 22,4 32,9 36,19 33,30 24,36 13,34 5,26 5,14", class: "body" }),
    svg("polygon", { points: "12,6 22,4 32,9 24,13 14,14 5,14", class: "lit" }),
    svg("circle", { cx: 24, cy: 24, r: 4.2, class: "hole" }),
    svg("circle", { cx: 13.5, cy: 22.5, r: 2.6, class: "hole" }),
    svg("circle", { cx: 17, cy: 30, r: 1.8, class: "hole" }));
}

/** A wreck with the rounds that it will still be there. */
export function drawWreck(countdown) {
  return svg("svg", { viewBox: "0 0 40 40", class: "shape wreck" },
    svg("circle", { cx: 20, cy: 20, r: 17, class: "glow" }),
    svg("circle", { cx: 32.5, cy: 7.5, r: 6, class: "bubble" }),
    svg("text", { x: 32.5, y: 10.6, class: "small" }, Math.ceil(countdown / 2)));
}

const BARRELS = [...Array(8).keys()].map((place) => place * 45);

/**
 * A drone: its letter on a disc, the power at the top left where it is more than 1, the orange bubble of missiles at
 * the top right, and at the bottom left a box a ride colour; a hunter's box has every colour, a raider's is that of its
 * square.
 */
export function drawDrone(drone, ground) {
  const turret = drone.kind === "T";
  const parts = turret
    ? BARRELS.map((angle) => svg("rect", {
      x: 18, y: 2.5, width: 4, height: 9, rx: 1, class: "barrel", transform: `rotate(${angle} 20 19)` }))
    : [];
  parts.push(svg("circle", { cx: 20, cy: 19, r: turret ? 11.5 : 14.5, class: "rim" }),
    svg("circle", { cx: 20, cy: 19, r: turret ? 9 : 11.6, class: "disc" }),
    svg("text", { x: 20, y: turret ? 24 : 25, class: turret ? "kind turret" : "kind" }, drone.kind));
  parts.push(...boxes(drone, ground));
  if (drone.power > 1) {
    parts.push(svg("rect", { x: 1, y: 1, width: 12, height: 12, rx: 3, class: "power" }),
      svg("text", { x: 7, y: 10.5, class: "small" }, drone.power));
  }
  if (drone.missiles > 0) {
    parts.push(svg("circle", { cx: 32.5, cy: 7.5, r: 7, class: "bubble" }),
      svg("text", { x: 32.5, y: 10.8, class: "small" }, drone.missiles));
  }
  return svg("svg", { viewBox: "0 0 40 40", class: "shape drone-shape" }, parts);
}

function boxes(drone, ground) {
  if (drone.kind === "R") return [svg("rect", { x: 2, y: 29, width: 9, height: 9, class: `box ground-${ground}` })];
  if (!["S", "H", "W", "B"].includes(drone.kind)) return [];
  const width = drone.colours.length > 3 ? 3.6 : 8;
  return drone.colours.map((colour, place) => svg("rect", {
    x: 2 + place * (width === 8 ? 9 : width), y: 29.5, width, height: 8.5, class: `box star-${colour}` }));
}
