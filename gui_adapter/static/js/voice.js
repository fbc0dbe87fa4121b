/**
 * The engine speaks of South and North and of colours by number; a person is "you" and sees red and green. English
 * only, like the engine's sentences; what is not understood here stays as the engine said it.
 */

import { COLOURS } from "./stars.js";
import { t } from "./text.js";

/** "South swaps" to "you swap", "South's land" to "your land". */
function second(text, side) {
  return text
    .replaceAll(`${side}'s`, "your")
    .replace(new RegExp(`\\b${side} (\\w+?)(es(?<=sses)|s)\\b`, "g"), "you $1")
    .replaceAll(new RegExp(`\\b${side}\\b`, "g"), "you");
}

/** A sentence of the engine's, told to the person at `state.seat`. */
export function voiced(text, { seat, seats }) {
  const [own, other] = seat === 2 ? ["North", "South"] : ["South", "North"];
  const player = seats[2 - seat];
  const name = player.kind === "bot" ? t("the-bot-within") : player.name || t("friend");
  return second(text, own)
    .replaceAll(new RegExp(`\\b${other}\\b`, "g"), () => name)
    .replace(/\bcolour ([1-5])/g, (_, colour) => COLOURS[colour - 1])
    .replace(/(^|[.!?] )(\p{Ll})/gu, (_, before, letter) => before + letter.toUpperCase());
}
