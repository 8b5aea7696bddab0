// Where each node's square is: blocks of squares, a block a domain, beside each other in rows. All in CSS pixels.

import {SUPPOSED} from "./draw.js";

export const GAP = 16; // between blocks
const LEAST_WIDTH = 104; // of a block
const STRETCHED = 30; // squares from this size on take all of a block's width

export const largest = values => values.reduce((most, value) => Math.max(most, value), 1);

/**
 * The domains with their squares, each of a node or of several.
 *
 * @param supposed nodes that a remedy would add
 * @return the blocks, the value that fills a square, and where each node is
 */
export function blocksOf(cluster, supposed) {
  const {domain, level, flags, pods, name: names, nodes, most, of: fullest} = cluster.nodes ?? cluster.cells;
  const full = cluster.unit === "share" ? 1000 : largest(level);
  const filled = value => (value < 0 ? -1 : Math.round((value * 1000) / full));
  const blocks = cluster.domains.map(of => ({title: of.name, domain: of, squares: []}));
  const without = {title: "without the label", squares: []};
  domain.forEach((of, i) =>
    (blocks[of] ?? without).squares.push({
      name: names?.[i], nodes: nodes?.[i] ?? 1, value: level[i], level: filled(level[i]), pods: pods?.[i], flags: flags?.[i] ?? 0, most: most && filled(most[i]),
      resource: cluster.resources?.[fullest?.[i]],
    }),
  );
  const known = new Set(names);
  for (const {metadata} of supposed) {
    if (known.has(metadata.name)) continue;
    const value = metadata.labels?.[cluster.key];
    let block = value === undefined ? without : blocks.find(of => of.title === value);
    if (!block) blocks.push((block = {title: value, squares: []}));
    block.squares.push({name: metadata.name, nodes: 1, value: 0, level: 0, pods: 0, flags: SUPPOSED});
  }
  if (without.squares.length) blocks.push(without);
  const at = new Map();
  blocks.forEach(({squares}, block) => squares.forEach(({name}, i) => at.set(name, {block, at: i})));
  return {full, blocks, at};
}

/** Places blocks in rows, each as high as its fullest block, with squares of about this size below its `head`, for name and numbers. */
export function layOut(blocks, width, wished, head) {
  const across = Math.max(1, Math.min(blocks.length, Math.floor((width + GAP) / (LEAST_WIDTH + GAP))));
  const blockWidth = (width - GAP * (across - 1)) / across;
  const stretched = wished >= STRETCHED;
  const perLine = Math.max(1, Math.floor(blockWidth / wished + (stretched ? 0.15 : 0)));
  const size = stretched ? Math.floor(blockWidth / perLine) : wished;
  const rows = [];
  let y = 0;
  for (let first = 0; first < blocks.length; first += across) {
    const row = blocks.slice(first, first + across);
    const height = head + Math.ceil((largest(row.map(({squares}) => squares.length))) / perLine) * size;
    rows.push({y, first, blocks: row, height});
    y += height + GAP;
  }
  return {across, blockWidth, perLine, size, rows, head, height: y};
}

/** The upper left corner of a square; `at` is {block, at}. */
export function cornerOf({across, blockWidth, perLine, size, rows, head}, {block, at}) {
  return {x: (block % across) * (blockWidth + GAP) + (at % perLine) * size, y: rows[Math.floor(block / across)].y + head + Math.floor(at / perLine) * size};
}

/** The square at a point, if one is there. */
export function squareAt({blockWidth, perLine, size, rows, head}, x, y) {
  const row = rows.find(of => y >= of.y + head && y < of.y + of.height);
  const column = Math.floor(x / (blockWidth + GAP));
  const block = row?.blocks[column];
  if (!block) return undefined;
  const inLine = Math.floor((x - column * (blockWidth + GAP)) / size);
  const at = Math.floor((y - row.y - head) / size) * perLine + inLine;
  return inLine < perLine && at < block.squares.length ? {block: row.first + column, at} : undefined;
}

/** The square to which a key leads from here; none for keys that lead nowhere. */
export function step({perLine, across}, blocks, {block, at}, key) {
  const column = at % perLine;
  const line = Math.floor(at / perLine);
  const last = blocks[block].squares.length - 1;
  const lastLine = Math.floor(last / perLine);
  const beside = (other, inLine, ofLine) => {
    const end = (blocks[other]?.squares.length ?? 0) - 1;
    return end < 0 ? {block, at} : {block: other, at: Math.min(end, (ofLine ?? Math.floor(end / perLine)) * perLine + inLine)};
  };
  switch (key) {
    case "ArrowRight":
      return column < perLine - 1 && at < last ? {block, at: at + 1} : beside(block + 1, 0, line);
    case "ArrowLeft":
      return column > 0 ? {block, at: at - 1} : beside(block - 1, perLine - 1, line);
    case "ArrowDown":
      return line < lastLine ? {block, at: Math.min(last, at + perLine)} : beside(block + across, column, 0);
    case "ArrowUp":
      return line > 0 ? {block, at: at - perLine} : beside(block - across, column);
    case "PageDown":
      return beside(block + 1, 0, 0);
    case "PageUp":
      return beside(block - 1, 0, 0);
    case "Home":
      return {block, at: 0};
    case "End":
      return {block, at: last};
    default:
      return undefined;
  }
}
