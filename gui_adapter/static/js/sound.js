/**
 * Short sounds, made by oscillators. A browser lets a page sound only after a tap or a key, so the context is made
 * then; what comes before it is dropped, never queued. Nothing is told by sound alone.
 */

import { settings } from "./state.js";

const VOLUME = 0.12;
/** seconds between two events of one step */
const APART = 0.14;
/** event: [wave form, frequencies in Hz one after another, seconds of each] */
const VOICES = {
  swap: ["sine", [440, 554], 0.06],
  move: ["sine", [330], 0.07],
  claim: ["triangle", [392, 494, 587], 0.08],
  warp: ["sine", [262, 523, 1047], 0.08],
  missile: ["sawtooth", [880, 440, 220], 0.05],
  turret: ["square", [196, 262], 0.07],
  turret_shot: ["sawtooth", [660, 330], 0.05],
  siege: ["square", [165, 123], 0.09],
  destroyed: ["square", [110, 82], 0.1],
  blast: ["sawtooth", [98, 73, 55], 0.12],
  drone: ["triangle", [523, 659, 784], 0.07],
  load: ["sine", [587, 587], 0.05],
  drift: ["sine", [147], 0.12],
};
/** each wave of a cascade a step higher */
const WAVES = [523, 587, 659, 784, 880, 1047];
const WON = [523, 659, 784, 1047];
const LOST = [392, 330, 262, 196];

let context = null;

function unlock() {
  if (!settings.get("sound")) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
}

/** Listen for the first tap or key; a drag does not unlock sound, its end does. */
export function listen() {
  addEventListener("pointerup", unlock);
  addEventListener("keydown", unlock);
}

function tone(form, frequencies, length, start) {
  for (const [index, frequency] of frequencies.entries()) {
    const from = start + index * length;
    const voice = context.createOscillator();
    const level = context.createGain();
    voice.type = form;
    voice.frequency.value = frequency;
    level.gain.setValueAtTime(0, from);
    level.gain.linearRampToValueAtTime(form === "sine" || form === "triangle" ? VOLUME : VOLUME / 2, from + 0.01);
    level.gain.exponentialRampToValueAtTime(0.0001, from + length * 1.6);
    voice.connect(level).connect(context.destination);
    voice.start(from);
    voice.stop(from + length * 1.7);
  }
}

function ready() {
  return settings.get("sound") && context?.state === "running" && !document.hidden;
}

/** Sound the events of a step, one after another. */
export function events(list) {
  if (!ready()) return;
  let at = context.currentTime;
  for (const event of list) {
    if (event.type === "clear") tone("triangle", [WAVES[Math.min(event.wave, WAVES.length) - 1]], 0.09, at);
    else if (VOICES[event.type]) tone(...VOICES[event.type], at);
    else continue;
    at += APART;
  }
}

/** The end of the game, for the one who looks on. */
export function ending(won) {
  if (ready()) tone("triangle", won ? WON : LOST, 0.16, context.currentTime + 0.2);
}
