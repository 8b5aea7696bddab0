// What is drawn: bars, lines, and the squares of nodes.

import {count, folded, h, more, name, number} from "./dom.js";

export const CORDONED = 1;
export const TAINTED = 2;
export const NOT_READY = 4;
export const SUPPOSED = 8; // a node that a remedy would add

/** From this size on a square is a gauge with room for words. */
export const GAUGED = 80;

/** From this size on a square is filled as far as its node is. */
export const FILLED = 16;

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
export function domainTiles(domains, rest = 0, full = 1, most = TILES) {
  const top = Math.max(full, ...domains.map(([, pods]) => pods));
  return [
    h("dl", {class: "tiles"}, domains.slice(0, most).map(([domain, pods]) => h("div", null, h("dt", null, name(domain)), h("dd", null, number(pods), bar({share: pods / top}))))),
    more(rest + Math.max(0, domains.length - most)),
  ];
}

/** Many domains with their pods, a column each, with the names to unfold. domains: [[name, pods]] */
export function domainColumns(domains, rest = 0) {
  const pods = domains.map(([, of]) => of);
  const top = Math.max(1, ...pods);
  const told = `${number(domains.length + rest)} domains, ${range(Math.min(...pods), Math.max(...pods))}`;
  const columns = domains.map(([, of], i) => {
    const high = of === 0 ? 1 : Math.max(3, Math.round((of * 24) / top));
    return h("rect", {x: i * 8, y: 24 - high, width: 6, height: high, class: of === 0 && "none"});
  });
  return [
    h("svg", {class: "strip", viewBox: `0 0 ${domains.length * 8} 24`, width: domains.length * 8, height: 24, role: "img", "aria-label": told}, columns),
    folded(told, domainTiles(domains, rest, 1, domains.length)),
  ];
}

const range = (least, most) => (least === most ? `${count(most, "pod")} each` : `${number(least)}–${count(most, "pod")}`);

/** What a value was, as a line of steps from then till now. values: [[milliseconds, value]] */
export function sparkline(values, label, now = values.at(-1)[0]) {
  const top = Math.max(1, ...values.map(([, value]) => value));
  const begin = values[0][0];
  const x = at => ((at - begin) * 120) / Math.max(1, now - begin);
  const y = value => 18 - (value / top) * 16;
  const points = values.flatMap(([at, value], i) => [i > 0 && [x(at), y(values[i - 1][1])], [x(at), y(value)]]).filter(Boolean);
  points.push([120, y(values.at(-1)[1])]);
  return h(
    "svg",
    {class: "spark", viewBox: "0 0 120 20", preserveAspectRatio: "none", role: "img", "aria-label": label},
    h("polyline", {points: points.map(point => point.map(of => of.toFixed(1)).join(",")).join(" ")}),
  );
}

/** Keeps the last 60 values. */
export function remember(values, value) {
  values.push(value);
  if (values.length > 60) values.shift();
  return values;
}

/** The colours of the style sheet, by their names there; those of squares as pixels. */
export function palette() {
  const style = getComputedStyle(document.documentElement);
  const colour = key => style.getPropertyValue(`--${key}`).trim();
  const drop = h("canvas", {width: "1", height: "1"}).getContext("2d", {willReadFrequently: true});
  const pixel = key => {
    drop.clearRect(0, 0, 1, 1);
    drop.fillStyle = colour(key);
    drop.fillRect(0, 0, 1, 1);
    return new Uint32Array(drop.getImageData(0, 0, 1, 1).data.buffer)[0];
  };
  return {
    size: parseFloat(style.fontSize),
    ink: colour("ink"),
    quiet: colour("quiet"),
    paper: colour("paper"),
    accent: colour("accent"),
    broken: colour("broken"),
    edge: colour("edge"), // of squares, where all have few colours
    steps: [0, 1, 2, 3, 4, 5].map(step => pixel(`step-${step}`)),
    track: pixel("track"),
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

/**
 * Squares as the pixels of one image: however many there are, they are one call to draw. Each square is {level, flags, most}, level in
 * thousandths or less than 0 for none.
 */
export function squaresOn(context, width, height, size, colours) {
  const ratio = devicePixelRatio;
  const image = new ImageData(Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio)));
  const pixels = new Uint32Array(image.data.buffer);
  const inner = innerOf(size);
  const side = Math.max(1, Math.round(inner * ratio));
  const gauge = size >= GAUGED ? Math.round(side / 8) : side;
  const solid = size < FILLED && !colours.edge; // a level is a colour then, and else a height, too
  const special = []; // what has more than its fill

  function fill(left, top, wide, high, colour) {
    const from = Math.max(0, left);
    const to = Math.min(image.width, left + wide);
    const end = Math.min(image.height, top + high);
    for (let line = Math.max(0, top); line < end && from < to; line++) pixels.fill(colour, line * image.width + from, line * image.width + to);
  }

  return {
    add(square, x, y) {
      const left = Math.round(x * ratio);
      const top = Math.round(y * ratio);
      const {level, flags, most} = square;
      const high = level <= 0 ? 0 : solid ? side : Math.max(1, Math.round((side * Math.min(1000, level)) / 1000));
      fill(left, top, side, side - (gauge === side ? high : 0), colours.steps[0]);
      if (gauge < side) fill(left + side - gauge, top, gauge, side, colours.track);
      if (high) fill(left + side - gauge, top + side - high, gauge, high, colours.steps[stepOf(level)]);
      if (size >= 7 && (flags || most !== undefined || colours.edge)) special.push([square, x, y]);
    },
    draw() {
      context.putImageData(image, 0, 0);
      for (const [square, x, y] of special) marks(context, square, x, y, inner, colours);
    },
  };
}

function marks(context, {flags, most}, x, y, inner, colours) {
  if (colours.edge) {
    context.strokeStyle = colours.edge;
    context.lineWidth = 1;
    context.strokeRect(x + 0.5, y + 0.5, inner - 1, inner - 1);
  }
  if (most !== undefined) {
    context.fillStyle = colours.ink;
    context.fillRect(x, y + inner - Math.round((inner * Math.min(1000, most)) / 1000), inner, 1);
  }
  if (!flags) return;
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
