/** The words of the board, in English. Another language hands the board a function like `say` of its own. */

const WORDS = {
  "board": "The sky, 11 by 11 squares",
  "no-line": "That swap makes no line, so the stars snap back.",
  "no-position": "The board could not be read: {reason}.",
  "refused": "That did not work; nothing was done.",
  "dark": "dark",
  "asteroid": "asteroid",
  "star": "{colour} star",
  "yours": "your {kind}",
  "theirs": "enemy {kind}",
  "power": "power {power}",
  "missiles": "{missiles} loaded",
  "stock": "{missiles} in stock",
  "rides": "rides {colours}",
  "land-yours": "your land",
  "land-theirs": "enemy land",
  "wreck": "wreck, {rounds} rounds left",
  "can": "can {actions}",
  "target": "target: {actions}",
  "selected": "selected",
  "swap-ways": "swap {ways}",
  "left": "left", "right": "right", "up": "up", "down": "down",
  "S": "scout", "G": "shield", "R": "raider", "H": "hunter", "W": "warp", "X": "siege", "B": "bomb", "M": "command",
  "T": "turret",
  "red": "red", "yellow": "yellow", "green": "green", "blue": "blue", "violet": "violet",
  "swap": "swap", "move": "move", "take": "take", "stack": "stack", "bomb": "bomb", "ram": "ram", "claim": "claim",
  "fire": "fire", "warp": "warp", "siege": "siege fire", "turret": "build a turret", "pass": "pass",
  "chip-swap": "Swap", "chip-move": "Move", "chip-take": "Take", "chip-stack": "Stack", "chip-bomb": "Bomb",
  "chip-ram": "Ram", "chip-claim": "Claim", "chip-fire": "Fire", "chip-warp": "Warp", "chip-siege": "Siege",
  "chip-turret": "Turret", "chip-pass": "Pass", "chip-no": "Back", "chip-yes": "{action}!",
  "chips": "What to do",
  "chip-label": "{action}, key {place}",
};

/** The text of a key with `{name}` replaced by `values.name`. */
export function say(key, values = {}) {
  return WORDS[key].replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}
