/** The words of the page, from one file a language: nothing else in the page speaks, but for what the engine says. */

let words = {};
let plural = new Intl.PluralRules("en");

/** Load a language; to be awaited before anything is drawn. */
export async function load(language) {
  const answer = await fetch(new URL(`../${language}.json`, import.meta.url));
  if (!answer.ok) throw new Error(`no words for "${language}"`);
  words = await answer.json();
  plural = new Intl.PluralRules(language);
}

/**
 * The text of a key with `{name}` replaced by `values.name`. Where the text depends on a number, the file has an object
 * by plural category instead, and `values.n` chooses. A key that is missing is an error, never shown.
 */
export function t(key, values = {}) {
  let text = words[key];
  if (typeof text === "object") text = text[plural.select(Number(values.n))] ?? text.other;
  if (text === undefined) throw new Error(`no words for the key "${key}"`);
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

/** Fill in everything below `root` that names a key in `data-text`. */
export function fill(root) {
  for (const element of root.querySelectorAll("[data-text]")) element.textContent = t(element.dataset.text);
}
