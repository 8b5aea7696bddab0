// What is drawn: bars, lines, and the squares of nodes.

import {folded, h, more, name, number} from "./dom.js";

export const CORDONED = 1;
export const TAINTED = 2;
export const NOT_READY = 4;
export const SUPPOSED = 8; // a node that a remedy would add

/** From this size on a square is a gauge with room for words. */
export const GAUGED = 80;

/** Domains that stand side by side. */
const TILES = 12;

/** Shares in thousandths from which a square is darker. */
const STEPS = [1, 250, 500, 750, 900];

/** A bar of `share`, 0 to 1, of its place; `more` follows hatched, `limit` is a line across. */
export function bar({share, more = 0, limit, broken = false}) {
  const width = part => `${Math.min(100, Math.max(0, part * 100))}%`;
  return h(
    "span",
    {class: broken ? "bar broken" : "bar", "aria-hidden": "true"},
    h("i", {style: {width: width(share)}}),
    more > 0 && h("i", {class: "more", style: {width: width(more)}}),
    limit !== undefined && limit <= 1 && h("b", {style: {left: width(limit)}}),
  );
}

/** A row a domain: its name, a bar and a number. rows: {domain, value, more, limit, broken, text} */
export function domainBars(rows, most = 12) {
  const top = Math.max(1, ...rows.map(row => Math.max(row.value + (row.more ?? 0), row.limit ?? 0)));
  const drawn = rows.map(row => [
    h("dt", null, name(row.domain)),
    h(
      "dd",
      {class: row.broken ? "broken" : undefined},
      bar({share: row.value / top, more: (row.more ?? 0) / top, limit: row.limit === undefined ? undefined : row.limit / top, broken: row.broken}),
      h("span", {class: "figure"}, row.text ?? number(row.value)),
    ),
  ]);
  return [
    h("dl", {class: "bars"}, drawn.slice(0, most)),
    drawn.length > most && folded(`${number(drawn.length - most)} more`, h("dl", {class: "bars"}, drawn.slice(most))),
  ];
}

/** Domains with their pods side by side, for where there is little room; `rest` more are not told, and a full bar is `full`. */
export function domainTiles(domains, rest = 0, full = 1) {
  const top = Math.max(full, ...domains.map(([, pods]) => pods));
  return [
    h("dl", {class: "tiles"}, domains.slice(0, TILES).map(([domain, pods]) => h("div", null, h("dt", null, name(domain)), h("dd", null, number(pods), bar({share: pods / top}))))),
    more(rest + Math.max(0, domains.length - TILES)),
  ];
}

/** Values as a line. */
export function sparkline(values, label) {
  const top = Math.max(1, ...values);
  const points = values.map((value, i) => `${((i * 120) / (values.length - 1)).toFixed(1)},${(19 - (value / top) * 17).toFixed(1)}`);
  return h(
    "svg",
    {class: "spark", viewBox: "0 0 120 20", preserveAspectRatio: "none", role: "img", "aria-label": label},
    h("polyline", {points: points.join(" ")}),
  );
}

/** Keeps the last 60 values. */
export function remember(values, value) {
  values.push(value);
  if (values.length > 60) values.shift();
  return values;
}

/** The colours of the style sheet, by their names there. */
export function palette() {
  const style = getComputedStyle(document.documentElement);
  const colour = key => style.getPropertyValue(`--${key}`).trim();
  return {
    size: parseFloat(style.fontSize),
    ink: colour("ink"),
    quiet: colour("quiet"),
    paper: colour("paper"),
    accent: colour("accent"),
    broken: colour("broken"),
    edge: colour("edge"), // of squares, where all have few colours
    steps: [0, 1, 2, 3, 4, 5].map(step => colour(`step-${step}`)),
  };
}

export const stepOf = level => STEPS.filter(from => level >= from).length;

/** What steps mean: from and to in the unit of `top`, which is 1000. */
export function stepRanges(top) {
  const at = thousandths => Math.max(1, Math.ceil((thousandths * top) / 1000));
  const starts = [0, ...STEPS.map(at)];
  return starts.map((from, i) => [from, i + 1 < starts.length ? Math.max(from, starts[i + 1] - 1) : top]);
}

/** How much of a square's place it takes itself. */
export const innerOf = size => size - (size >= GAUGED ? 6 : size >= 12 ? 2 : size >= 5 ? 1 : 0);

/** Draws squares; each is {x, y, level, flags, most}, level in thousandths or less than 0 for none. */
export function squares(context, drawn, size, colours) {
  const inner = innerOf(size);
  const width = size >= GAUGED ? Math.round(inner / 6) : inner;
  const steps = colours.steps.map(() => []);
  for (const square of drawn) steps[square.level < 0 ? 0 : stepOf(square.level)].push(square);
  context.fillStyle = colours.steps[0];
  for (const {x, y} of drawn) context.fillRect(x, y, inner, inner);
  steps.forEach((of, step) => {
    if (step === 0) return;
    context.fillStyle = colours.steps[step];
    for (const {x, y, level} of of) {
      const height = Math.max(1, Math.round((inner * Math.min(1000, level)) / 1000));
      context.fillRect(x + inner - width, y + inner - height, width, height);
    }
  });
  if (colours.edge && size >= 7) {
    context.strokeStyle = colours.edge;
    context.lineWidth = 1;
    for (const {x, y} of drawn) context.strokeRect(x + 0.5, y + 0.5, inner - 1, inner - 1);
  }
  if (size >= 7) for (const square of drawn) marks(context, square, inner, colours);
}

function marks(context, {x, y, flags = 0, most}, inner, colours) {
  if (most !== undefined) {
    context.fillStyle = colours.ink;
    context.fillRect(x, y + inner - Math.round((inner * Math.min(1000, most)) / 1000), inner, 1);
  }
  if (flags === 0) return;
  context.lineWidth = Math.min(3, Math.max(1, inner / 14));
  context.strokeStyle = flags & NOT_READY ? colours.broken : colours.ink;
  context.beginPath();
  if (flags & (CORDONED | NOT_READY)) {
    context.moveTo(x, y + inner);
    context.lineTo(x + inner, y);
  }
  if (flags & NOT_READY) {
    context.moveTo(x, y);
    context.lineTo(x + inner, y + inner);
  }
  if (flags & (CORDONED | NOT_READY | SUPPOSED)) {
    context.setLineDash(flags & SUPPOSED ? [4, 3] : []);
    context.rect(x + 0.5, y + 0.5, inner - 1, inner - 1);
  }
  context.stroke();
  context.setLineDash([]);
  if (flags & TAINTED) {
    const corner = Math.min(14, Math.max(3, inner / 3));
    context.fillStyle = colours.ink;
    context.beginPath();
    context.moveTo(x + inner - corner, y);
    context.lineTo(x + inner, y);
    context.lineTo(x + inner, y + corner);
    context.fill();
  }
}

/** Makes a canvas as sharp as the screen is; the context counts in CSS pixels. */
export function sharpen(canvas, width, height) {
  const ratio = devicePixelRatio;
  const wide = Math.round(width * ratio);
  const high = Math.round(height * ratio);
  if (canvas.width !== wide) canvas.width = wide;
  if (canvas.height !== high) canvas.height = high;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}
