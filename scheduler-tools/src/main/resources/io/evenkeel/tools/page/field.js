// All squares on one canvas, as large as what is seen of it.

import {count, h, number, percent, show} from "./dom.js";
import {CORDONED, FILLED, GAUGED, innerOf, NOT_READY, palette, sharpen, squaresOn, stepOf, stepRanges, SUPPOSED, TAINTED} from "./draw.js";
import {blocksOf, cornerOf, GAP, largest, layOut, squareAt, step} from "./places.js";

const SIZES = [4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 30, 36, 48, 80, 112];
const HEAD = 44; // of a block
const WITH_NUMBERS = 30; // the least size
const EDGE = 5; // left and right, for rings
const FLASH_MS = 900;
const FLASHES = 200;
const DROP_MS = 600;
const FLAGS = [[CORDONED, "cordoned"], [TAINTED, "tainted"], [NOT_READY, "not ready"], [SUPPOSED, "not there yet"]];

const HINT = "Point at a square to see what it is. Of the keys, arrows go from square to square, Enter opens a node, + and − zoom.";

const DRAWN = "nodes drawn"; // the first time, for who measures

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** What is to be known of a node, in words. */
export const flagsOf = flags => FLAGS.filter(([flag]) => flags & flag).map(([, text]) => text).join(", ");

/**
 * @param choose takes the name of a node that is opened
 * @param remedy where a pod would go, if that is looked at
 */
export function fieldOf(choose, remedy) {
  const canvas = h("canvas", {"aria-hidden": "true"});
  const space = h("div", null, canvas);
  const scroller = h(
    "div",
    {
      class: "field", tabindex: "0", role: "application", "aria-describedby": "pointed",
      "aria-label": "Nodes as squares. Arrow keys go from node to node, Page Up and Down from domain to domain, Enter opens one.",
    },
    space,
  );
  const pointed = h("p", {id: "pointed", class: "pointed", "aria-live": "polite"});
  const legend = h("ul", {class: "legend"});

  let cluster;
  let blocks = [];
  let full;
  let atOf = new Map(); // where each node is
  let layer; // the squares that are seen, as they were drawn last
  let places; // what layOut says
  let zoomed; // a size that the reader chose
  let wished; // the size that is aimed at
  let solid = false; // whether squares are too small to be filled in part
  let cursor; // {block, at}
  let hovered;
  let aimed = false;
  let aim = remedy?.node; // where the followed pod would go, and then where it went
  let landedAt; // when
  let flashes = []; // {at, came}: pods that just came
  let frame = 0;
  let colours = palette();
  const scale = () => colours.size / 15; // of words, which are for a text of that size

  function place() {
    const width = scroller.clientWidth - 2 * EDGE;
    if (width <= 0 || !cluster) return;
    const room = Math.max(280, innerHeight - scroller.getBoundingClientRect().top - scrollY - 72);
    const head = HEAD * scale();
    const scaled = size => (size >= GAUGED ? Math.round(size * scale()) : size); // with words
    const fitting = SIZES.findLast(size => layOut(blocks, width, scaled(size), head).height <= room);
    wished = zoomed ?? fitting ?? 8;
    places = layOut(blocks, width, scaled(wished), head);
    layer = undefined;
    if (solid !== places.size < FILLED) {
      solid = !solid;
      drawLegend();
    }
    scroller.style.height = `${Math.min(room, places.height)}px`;
    space.style.height = `${places.height}px`;
    paint();
  }

  function paint() {
    frame ||= requestAnimationFrame(now => {
      frame = 0;
      if (!places) return;
      if (drawAll(now)) paint();
      if (!performance.getEntriesByName(DRAWN).length) performance.mark(DRAWN);
    });
  }

  /** Whether something moves. */
  function drawAll(now) {
    const {clientWidth: width, clientHeight: height, scrollTop} = scroller;
    const context = sharpen(canvas, width, height);
    const key = [width, height, scrollTop, devicePixelRatio].join();
    if (layer?.key !== key) layer = {key, ...layerOf(context, width, height, scrollTop)};
    layer.squares.draw();
    context.translate(EDGE, -scrollTop);
    context.textBaseline = "top";
    for (const [block, x, y] of layer.heads) head(context, block, x, y);
    if (places.size >= WITH_NUMBERS) for (const [square, x, y] of layer.seen) figures(context, square, x, y);
    return overlays(context, now);
  }

  /** What is seen, from above. */
  function layerOf(context, width, height, scrollTop) {
    const {rows, blockWidth, perLine, size} = places;
    const drawn = squaresOn(context, width, height, size, colours);
    const heads = [];
    const seen = [];
    for (const row of rows) {
      if (row.y + row.height < scrollTop || row.y > scrollTop + height) continue;
      const above = scrollTop - row.y - places.head;
      const first = Math.max(0, Math.floor(above / size)) * perLine;
      row.blocks.forEach((block, i) => {
        heads.push([block, i * (blockWidth + GAP), row.y]);
        const end = Math.min(block.squares.length, Math.ceil((above + height) / size) * perLine);
        for (let at = first; at < end; at++) {
          const {x, y} = cornerOf(places, {block: row.first + i, at});
          drawn.add(block.squares[at], x + EDGE, y - scrollTop);
          if (size >= WITH_NUMBERS) seen.push([block.squares[at], x, y]);
        }
      });
    }
    return {squares: drawn, heads, seen};
  }

  function head(context, {title, domain, squares: of}, x, y) {
    const write = (text, colour, font, down) => {
      context.fillStyle = colour;
      context.font = font;
      context.fillText(fitted(context, text, places.blockWidth), x, y + down);
    };
    write(title, colours.ink, `600 ${0.87 * colours.size}px system-ui, sans-serif`, 4 * scale());
    const numbers = domain ? `${count(domain.nodes, "node")} · ${count(domain.pods, "pod")}` : count(of.length, "node");
    write(numbers, colours.quiet, `${0.8 * colours.size}px system-ui, sans-serif`, 23 * scale());
  }

  /** What a square stands for, in numbers: in the half that is empty or full, or beside the gauge with the name. */
  function figures(context, {level, value, name, nodes, pods, resource}, x, y) {
    const {size} = places;
    const amount = value < 0 ? "–" : cluster.unit === "share" ? Math.round(value / 10) : value;
    context.fillStyle = size < GAUGED && level >= 500 ? colours.paper : colours.ink;
    if (size < GAUGED) {
      context.font = "11px system-ui, sans-serif";
      context.fillText(amount, x + 5, level >= 500 ? y + size - 17 : y + 4);
      return;
    }
    const by = scale();
    const write = (text, font, down, weight = 400) => {
      context.font = `${weight} ${font * by}px system-ui, sans-serif`;
      context.fillText(fitted(context, text, size * 0.86 - 12), x + 7 * by, y + down * by);
    };
    write(name ?? count(nodes, "node"), 12, 8);
    write(cluster.unit === "share" && value >= 0 ? `${amount} %` : `${amount}`, 16, 27, 600);
    context.fillStyle = colours.quiet;
    if (resource && value > 0) write(resource, 12, 48);
    if (pods !== undefined) write(count(pods, "pod"), 12, 65);
  }

  /** The cursor, pods that just came, and the pod that is followed. */
  function overlays(context, now) {
    for (const {at, came} of flashes) {
      const past = Math.min(1, Math.max(0, (now - came) / FLASH_MS));
      context.globalAlpha = 1 - past;
      ring(context, at, colours.accent, calm.matches ? 1 : 1 + past * 8, 2);
    }
    context.globalAlpha = 1;
    flashes = flashes.filter(({came}) => now - came < FLASH_MS);
    const at = aim && atOf.get(aim);
    const drops = at && target(context, at, now);
    if (cursor) ring(context, cursor, colours.ink, 1, 2);
    return flashes.length > 0 || drops;
  }

  function ring(context, at, colour, away, wide) {
    const {x, y} = cornerOf(places, at);
    const side = innerOf(places.size) + 2 * away;
    context.strokeStyle = colour;
    context.lineWidth = wide;
    context.strokeRect(x - away, y - away, side, side);
  }

  /** A pod over its square, that drops when the decision has come; whether it is dropping. */
  function target(context, at, now) {
    const {x, y} = cornerOf(places, at);
    const past = landedAt ? (calm.matches ? 1 : Math.min(1, Math.max(0.01, (now - landedAt) / DROP_MS))) : 0;
    const middle = innerOf(places.size) * (places.size >= GAUGED ? 0.7 : 0.5);
    ring(context, at, colours.accent, 3, 3);
    context.beginPath();
    context.arc(x + middle, y + middle - (1 - past * past) * 26, Math.max(4, Math.min(8, places.size / 3)), 0, 7);
    context.fillStyle = landedAt ? colours.accent : colours.paper;
    context.fill();
    context.lineWidth = 2;
    context.setLineDash(landedAt ? [] : [3, 2]);
    context.stroke();
    context.setLineDash([]);
    return past > 0 && past < 1;
  }

  // What is pointed at

  const squareOf = ({block, at}) => blocks[block]?.squares[at];

  function tell(at) {
    const square = at && squareOf(at);
    if (!square) return show(pointed, h("span", {class: "quiet"}, HINT));
    const {name, nodes, value, pods, most, flags, resource} = square;
    show(
      pointed,
      name === undefined ? count(nodes, "node") : h("bdi", null, name),
      " · ",
      h("bdi", null, blocks[at.block].title),
      value >= 0 && ` · ${cluster.unit === "share" ? percent(value / 1000) : `${count(value, "pod")} of the workload`}`,
      resource && value > 0 && ` of ${resource}`,
      pods !== undefined && ` · ${count(pods, "pod")}`,
      most !== undefined && ` · the fullest ${percent(most / 1000)}`,
      flags !== 0 && ` · ${flagsOf(flags)}`,
    );
  }

  function moveTo(at) {
    if (!at) return;
    cursor = at;
    const {y} = cornerOf(places, at);
    const top = at.at < places.perLine ? y - places.head : y; // with its block's name
    const below = y + places.size + 8 - scroller.clientHeight;
    scroller.scrollTop = Math.min(top, Math.max(below, scroller.scrollTop));
    tell(at);
    paint();
  }

  function chooseAt(at) {
    const {name, flags} = squareOf(at);
    if (name !== undefined && !(flags & SUPPOSED)) choose(name);
  }

  function under(event) {
    const box = scroller.getBoundingClientRect();
    return places && squareAt(places, event.clientX - box.left - EDGE, event.clientY - box.top + scroller.scrollTop);
  }

  scroller.onkeydown = event => {
    if (event.ctrlKey || event.metaKey || event.altKey || !places) return;
    if (event.key === "+" || event.key === "-") return zoom(event.key === "+" ? 1 : -1);
    const from = cursor ?? {block: blocks.findIndex(block => block.squares.length), at: 0};
    const opens = event.key === "Enter" || event.key === " ";
    const to = opens ? cursor : step(places, blocks, from, event.key);
    if (!to) return;
    event.preventDefault();
    if (opens) chooseAt(cursor);
    else moveTo(cursor ? to : from);
  };
  scroller.onclick = event => {
    const at = under(event);
    if (!at) return;
    moveTo(at);
    chooseAt(at);
  };
  scroller.onpointermove = event => {
    const at = under(event);
    if (at?.block === hovered?.block && at?.at === hovered?.at) return;
    hovered = at;
    scroller.classList.toggle("on", at !== undefined);
    tell(at ?? cursor);
  };
  scroller.onscroll = paint;

  function zoom(by) {
    const to = SIZES.indexOf(wished) + by;
    zoomed = by === 0 ? undefined : SIZES[Math.min(SIZES.length - 1, Math.max(0, to))];
    place();
    moveTo(cursor);
  }

  // What squares mean

  function drawLegend() {
    const all = blocks.flatMap(block => block.squares);
    const shares = cluster.unit === "share";
    const scale = shares ? 100 : full;
    const numbers = [0, 0, 0, 0, 0, 0];
    for (const {level, nodes} of all) if (level >= 0) numbers[stepOf(level)] += nodes;
    const steps = stepRanges(scale).map(([from, to], i) => {
      const unit = shares ? "%" : "pods";
      const text = from === to ? `${number(from)} ${unit}` : shares && i === 5 ? `${from} % or more` : `${number(from)}–${number(to)} ${unit}`;
      return entry({level: (to * 1000) / scale, flags: 0}, text, numbers[i]);
    });
    const marks = FLAGS.map(([flag, text]) => [flag, text, all.filter(({flags}) => flags & flag).length]).filter(([, , of]) => of);
    const several = cluster.cells && h("li", null, `A square is up to ${number(largest(cluster.cells.nodes))} nodes of a domain that are about as full; its line is the fullest.`);
    legend.replaceChildren(...(several ? [several] : []), ...steps, ...marks.map(([flags, text, of]) => entry({level: 0, flags}, text, of)));
  }

  function entry(square, text, of) {
    const sample = h("canvas", {"aria-hidden": "true"});
    const one = squaresOn(sharpen(sample, 16, 16), 16, 16, solid ? FILLED - 1 : FILLED, colours);
    one.add(square, 1, 1);
    one.draw();
    return h("li", {class: of === 0 && "quiet"}, sample, text, " ", h("span", {class: "quiet", title: count(of, "node")}, number(of)));
  }

  function repaint() {
    colours = palette();
    layer = undefined;
    if (cluster) drawLegend();
    paint();
  }

  const sized = new ResizeObserver(place);
  sized.observe(scroller);
  const themes = ["(prefers-color-scheme: dark)", "(forced-colors: active)"].map(query => matchMedia(query));
  themes.forEach(theme => theme.addEventListener("change", repaint));

  return {
    element: h("div", null, legend, scroller, pointed),
    zoom,
    focus: () => scroller.focus(),
    draw(answer) {
      cluster = answer;
      const name = cursor && squareOf(cursor)?.name;
      const supposed = (remedy?.changes ?? []).map(({add}) => add).filter(added => added?.kind === "Node");
      ({blocks, full, at: atOf} = blocksOf(cluster, supposed));
      if (name !== undefined) cursor = atOf.get(name);
      else if (cursor && !squareOf(cursor)) cursor = undefined;
      flashes = [];
      drawLegend();
      place();
      tell(cursor);
      if (aim && !aimed) moveTo(atOf.get(aim));
      aimed = true;
    },
    point: node => places && moveTo(atOf.get(node)),
    flash(node) {
      const at = places && flashes.length < FLASHES && atOf.get(node);
      if (!at) return;
      flashes.push({at, came: performance.now()});
      paint();
    },
    land(node) {
      aim = node;
      landedAt = performance.now();
      moveTo(atOf.get(node));
    },
    close() {
      sized.disconnect();
      cancelAnimationFrame(frame);
      themes.forEach(theme => theme.removeEventListener("change", repaint));
    },
  };
}

/** As much of a text as has room, of its own direction. */
function fitted(context, text, width) {
  const isolated = part => `\u2068${part}\u2069`;
  if (context.measureText(text).width <= width) return isolated(text);
  const letters = [...text].slice(0, Math.ceil(width / 3));
  while (letters.length && context.measureText(`${letters.join("")}…`).width > width) letters.pop();
  return isolated(`${letters.join("")}…`);
}
