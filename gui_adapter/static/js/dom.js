/** Elements made in one expression. Text goes in as text nodes only, so no name or message can become markup. */

const SVG = "http://www.w3.org/2000/svg";

/** The element with this id; a page without it is broken, so say which. */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element "${id}"`);
  return found;
}

/**
 * An element. `props`: `on` (listeners by event), `data` (data-*), anything else an attribute; one that is true stands
 * alone, one that is false, null or undefined is left out. Children: nodes, or text.
 */
export function el(tag, props = {}, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** The same in SVG. */
export function svg(tag, props = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

function fill(made, { on = {}, data = {}, ...attributes }, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, String(value));
  }
  for (const [name, value] of Object.entries(data)) made.dataset[name] = String(value);
  for (const [name, listener] of Object.entries(on)) made.addEventListener(name, listener);
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** A sign of lines in a box of 24 by 24; it says nothing by itself, so what bears it has a label. */
export function sign(path) {
  return svg("svg", { class: "sign", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: path }));
}

/** Replace what is in an element; the same text again touches nothing, so that nothing is read out twice. */
export function put(element, ...children) {
  if (children.length === 1 && typeof children[0] === "string") {
    if (element.textContent !== children[0]) element.textContent = children[0];
  } else {
    element.replaceChildren(...children.flat(Infinity).filter(Boolean));
  }
}

/** A random text of `bytes` bytes in hex; works without a secure context, which `randomUUID` does not. */
export function random(bytes = 16) {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
}

/** Show a dialog; the value of the button that closed it, "" for Esc, or if something else had to be asked. */
export async function ask(dialog) {
  const closed = () => new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
  if (dialog.open) {
    const done = closed();
    dialog.close("");
    await done;
  }
  dialog.returnValue = "";
  dialog.showModal();
  await closed();
  return dialog.returnValue;
}
