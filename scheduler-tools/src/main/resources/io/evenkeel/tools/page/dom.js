// Elements without markup: what comes from the cluster becomes text and never HTML.

const DRAWN = new Set(["svg", "polyline", "rect"]);
const HANDLERS = ["onclick", "onchange", "oninput", "onsubmit", "ontoggle"];
const numbers = new Intl.NumberFormat("en");
const moments = new Intl.DateTimeFormat(undefined, {dateStyle: "medium", timeStyle: "long"});
const clocks = new Intl.DateTimeFormat(undefined, {timeStyle: "medium"});

/** h("a", {href: "#/live"}, "Live"): children may be nested lists; undefined, null and false are left out. */
export function h(name, attributes, ...children) {
  const element = DRAWN.has(name)
    ? document.createElementNS("http://www.w3.org/2000/svg", name)
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === false) continue;
    if (key.startsWith("on")) element[key] = value;
    else if (key === "style") Object.entries(value).forEach(style => element.style.setProperty(...style));
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter(child => child !== undefined && child !== null && child !== false));
  return element;
}

/** Makes the children of `parent` look like these and keeps what it can: focus, selection, open details, what was typed. */
export function show(parent, ...children) {
  morphChildren(parent, h("div", null, ...children));
}

function morph(old, fresh) {
  if (old.nodeName !== fresh.nodeName || old.dataset?.key !== fresh.dataset?.key) return old.replaceWith(fresh);
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  for (const {name, value} of fresh.attributes) {
    if (name !== "style" && old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  for (const {name} of [...old.attributes]) {
    if (name !== "style" && !fresh.hasAttribute(name) && !(name === "open" && old.nodeName === "DETAILS")) {
      old.removeAttribute(name);
    }
  }
  // not by the attribute, which the page's own policy forbids
  if (old.style.cssText !== fresh.style.cssText) old.style.cssText = fresh.style.cssText;
  for (const handler of HANDLERS) old[handler] = fresh[handler];
  morphChildren(old, fresh);
}

function morphChildren(parent, fresh) {
  const keyed = new Map();
  for (const child of parent.children) if (child.dataset.key) keyed.set(child.dataset.key, child);
  let next = parent.firstChild;
  for (const child of [...fresh.childNodes]) {
    const key = child.dataset?.key;
    const match = key ? keyed.get(key) : next;
    keyed.delete(key);
    if (!match) {
      parent.insertBefore(child, next);
      continue;
    }
    if (match === next) next = next.nextSibling;
    else parent.insertBefore(match, next);
    morph(match, child);
  }
  while (next) {
    const after = next.nextSibling;
    next.remove();
    next = after;
  }
}

/** A name of the cluster's: whole in its title, cut off where there is no room, and of its own direction. */
export const name = text => h("bdi", {class: "name", title: text}, text);

/** A text of the cluster's, which wraps. */
export const words = text => h("bdi", {class: "words"}, text);

export const number = value => numbers.format(value);

export const count = (value, thing) => `${number(value)} ${thing}${value === 1 ? "" : "s"}`;

export const percent = share => `${Math.round(share * 100)} %`;

const SUFFIXES = {m: 1e-3, k: 1e3, M: 1e6, G: 1e9, T: 1e12, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40};
const BYTES = /memory|storage|^hugepages-/;

/** A quantity of Kubernetes' as one reads it: of cpu 8500m → 8.5, of memory 12800Mi → 12.5Gi. */
export function quantity(text, resource) {
  const [, digits, suffix] = /^(-?[\d.]+)([a-zA-Z]*)$/.exec(text) ?? [];
  const value = digits * (suffix ? SUFFIXES[suffix] : 1);
  if (!Number.isFinite(value)) return text;
  if (!BYTES.test(resource)) return numbers.format(value < 10 ? Math.round(value * 1000) / 1000 : Math.round(value * 10) / 10);
  const power = value < 1024 ? 0 : Math.min(4, Math.floor(Math.log2(value) / 10));
  return `${numbers.format(Math.round((value / 1024 ** power) * 10) / 10)}${["", "Ki", "Mi", "Gi", "Ti"][power]}`;
}

const UNITS = [[86400, "d", 3600, "h"], [3600, "h", 60, "m"], [60, "m", 1, "s"], [1, "s", 1, ""]];

/** As kubectl has it: 4s, 3m7s, 2h5m, 3d4h. */
export function duration(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const [large, unit, small, smallUnit] = UNITS.find(([length]) => whole >= length) ?? UNITS.at(-1);
  const rest = Math.floor((whole % large) / small);
  return `${Math.floor(whole / large)}${unit}${rest ? rest + smallUnit : ""}`;
}

export function milliseconds(ms) {
  if (ms < 1000) return `${number(Math.round(ms))} ms`;
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : duration(ms / 1000);
}

let standing; // the moment of a record that is looked at

/** From now on times are told from this moment. */
export const standAt = iso => (standing = Date.parse(iso));

const since = iso => duration(((standing ?? Date.now()) - Date.parse(iso)) / 1000);

/** How long ago; it grows by itself. */
export const ago = iso => h("time", {class: "ago", datetime: iso, title: moments.format(new Date(iso))}, since(iso));

/** For how long, and since when. */
export const lasting = iso => ["for ", ago(iso), ", since ", clock(iso)];

/** The time of the day, here. */
export const clock = iso => h("time", {datetime: iso, title: moments.format(new Date(iso))}, clocks.format(new Date(iso)));

setInterval(() => {
  for (const time of document.querySelectorAll("time.ago")) {
    const text = since(time.dateTime);
    if (time.textContent !== text) time.textContent = text;
  }
}, 1000);

/** A line to copy. */
export function command(text) {
  const code = h("code", null, text);
  return h("div", {class: "command"}, code, button("Copy", event => copied(event.currentTarget, text, code)));
}

/** Puts a text into the clipboard and says so on the button; where that is not to be had, selects `shown`, which has the text. */
export async function copied(pressed, text, shown) {
  const before = pressed.textContent;
  let done = "Copied";
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // there is no clipboard where the page does not come over TLS
    getSelection().selectAllChildren(shown);
    if (!document.execCommand("copy")) done = "Selected";
  }
  pressed.textContent = done;
  setTimeout(() => (pressed.textContent = before), 2000);
}

/** The cells of a table as spreadsheets take them. */
const cellsOf = table =>
  [...table.rows].map(row => [...row.cells].map(cell => cell.textContent.trim().replace(/\s+/g, " ")).join("\t")).join("\n");

export const notice = (title, text, ...more) =>
  h("div", {class: "notice"}, h("h2", null, title), text && h("p", null, words(text)), ...more);

export const button = (text, onclick, attributes) => h("button", {type: "button", onclick, ...attributes}, text);

/** What may be overlooked: a paragraph, and within one. */
export const note = (...children) => h("p", {class: "quiet"}, children);

export const dim = (...children) => h("span", {class: "quiet"}, children);

/** A number in a table. */
export const figure = (...children) => h("td", {class: "figure"}, children);

export const rowHead = (...children) => h("th", {scope: "row"}, children);

export const section = (title, ...children) => h("section", null, h("h2", null, title), children);

export const folded = (title, ...children) => h("details", null, h("summary", null, title), children);

export const heads = (...texts) => h("thead", null, h("tr", null, texts.map(text => h("th", {scope: "col"}, text))));

/** What may be wider than the page. */
export const scrolls = (label, table) => h("div", {class: "scrolls", tabindex: "0", role: "region", "aria-label": label}, table);

/** The same, with a button that copies all of it. */
export const copyable = (label, table) => [
  scrolls(label, table),
  h("p", {class: "after"}, button("Copy the table", ({currentTarget}) => {
    const there = currentTarget.parentElement.previousElementSibling.querySelector("table");
    copied(currentTarget, cellsOf(there), there);
  }, {class: "minor"})),
];

/** DoNotSchedule is hard, ScheduleAnyway soft. */
export const strictness = whenUnsatisfiable => h("span", {class: "quiet", title: whenUnsatisfiable}, whenUnsatisfiable === "DoNotSchedule" ? "hard" : "soft");

export const more = rest => rest > 0 && note(`${number(rest)} more.`);

export const separated = (items, by = ", ") => items.map((item, i) => [i > 0 && by, item]);

export const input = attributes => h("input", {autocomplete: "off", spellcheck: "false", ...attributes});

/** A field to look for something, with its label. */
export const search = looked => [
  h("label", {for: "filter"}, "Filter"),
  input({id: "filter", type: "search", oninput: event => looked(event.currentTarget.value.trim().toLowerCase())}),
];

/** A link to a view: link(["waiting", "shop", "web-1"], {}, "web-1") */
export const link = (path, query, ...children) => h("a", {href: route(path, query)}, ...children);

export function route(path, query) {
  const asked = new URLSearchParams(query).toString();
  return `#/${path.map(encodeURIComponent).join("/")}${asked ? "?" + asked : ""}`;
}

export const podPath = pod => ["waiting", ...pod.split("/")];

export const podLink = pod => link(podPath(pod), {}, name(pod));

export const nodeLink = node => link(["cluster"], {node}, name(node));
