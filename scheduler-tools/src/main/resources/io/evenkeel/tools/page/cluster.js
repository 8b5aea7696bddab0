// All nodes as squares, domain beside domain.

import {button, count, h, link, name, notice, number, percent, podLink, quantity, route, show, words} from "./dom.js";
import {bar, CORDONED, GAUGED, innerOf, NOT_READY, palette, sharpen, squares, stepOf, stepRanges, SUPPOSED, TAINTED} from "./draw.js";
import {follows} from "./remedy.js";

export const title = "Cluster";

const SIZES = [4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 30, 36, 48, 80, 112];
const GAP = 16; // between blocks
const EDGE = 5; // left and right, for rings
const HEAD = 44; // a block's name and numbers
const LEAST_WIDTH = 104; // of a block
const FLASH_MS = 900;
const DROP_MS = 600;
const TOLD = 200; // domains in the table, workloads to choose from
const FLAGS = [[CORDONED, "cordoned"], [TAINTED, "tainted"], [NOT_READY, "not ready"], [SUPPOSED, "not there yet"]];
const COLOURS = {fullest: "what is fullest", pods: "pods", cpu: "cpu asked for", memory: "memory asked for"};

const calm = matchMedia("(prefers-reduced-motion: reduce)");

export function open(page, root, query) {
  let {key, colour, node: opened} = Object.fromEntries(query);
  const where = page.where?.pod === query.get("where") ? page.where : undefined;
  page.where = undefined;

  const trouble = h("div");
  const body = h("div", {hidden: true});
  const lead = h("p", {class: "lead"});
  const tools = h("div", {class: "row tools"});
  const shown = h("div", {class: "where", hidden: !where});
  const field = fieldOf(chosen => openNode(chosen));
  const panel = h("aside", {class: "panel", hidden: true, "aria-label": "The node"});
  const domains = h("section");
  root.append(
    h("h1", null, "Cluster"), lead, trouble, shown,
    h("div", {class: "split"}, body, panel),
  );
  body.append(tools, field.element, domains);

  const question = () => ({...(key && {key}), ...(colour && {colour})});
  const follower = page.follow("cluster", trouble, signal => page.get("cluster", question(), signal), draw);
  let panelFollower;
  let workloads = [];
  page.get("workloads", {}).then(answer => (workloads = answer.workloads.slice(0, TOLD)), () => {});

  function draw(cluster) {
    const {nodes, pods} = field.draw(cluster, where);
    show(trouble, nodes === 0 && notice("There are no nodes", "The cluster is empty. Nodes appear here as they join."));
    lead.textContent = `${count(nodes, "node")} in ${count(cluster.domains.length, "domain")} of ${cluster.key}, with ${count(pods, "pod")}.`;
    lead.hidden = body.hidden = nodes === 0;
    show(tools, choices(cluster));
    show(domains, cluster.domains.length > 0 && table(cluster));
    field.place();
    if (opened && panel.hidden) openNode(opened, false);
  }

  function choices(cluster) {
    const change = set => event => {
      set(event.currentTarget.value);
      history.replaceState(null, "", route(["cluster"], {...question(), ...(opened && {node: opened})}));
      follower.again();
    };
    const option = (value, text, chosen) => h("option", {value, selected: value === chosen}, text);
    const known = workloads.map(({namespace, kind, name: of}) => `workload:${namespace}/${kind}/${of}`);
    const current = colour?.startsWith("workload:") && !known.includes(colour) ? [colour, ...known] : known;
    return [
      h("label", {for: "key"}, "Domains by"),
      h("select", {id: "key", onchange: change(value => (key = value))}, cluster.keys.map(({key: of, domains: n}) => option(of, `${of} (${number(n)})`, cluster.key))),
      h("label", {for: "colour"}, "Coloured by"),
      h(
        "select",
        {id: "colour", onchange: change(value => (colour = value))},
        cluster.colours.map(of => option(of, COLOURS[of] ?? of, cluster.colour)),
        current.length > 0 && h("optgroup", {label: "pods of"}, current.map(of => option(of, of.slice("workload:".length), cluster.colour))),
      ),
      h("span", {class: "zoom"}, button("−", () => field.zoom(-1), {"aria-label": "Smaller squares"}), button("+", () => field.zoom(1), {"aria-label": "Larger squares"}), button("Fit", () => field.zoom(0))),
    ];
  }

  // One node

  function openNode(chosen, focused = true) {
    panelFollower?.close();
    opened = chosen;
    panel.hidden = false;
    panel.replaceChildren();
    const into = h("div");
    panel.append(h("h2", {tabindex: "-1"}, name(chosen)), button("Close", closeNode, {class: "close"}), into);
    if (focused) {
      history.replaceState(null, "", route(["cluster"], {...question(), node: chosen}));
      panel.firstChild.focus();
    }
    field.point(chosen);
    panelFollower = page.follow("cluster", into, signal => page.get("node", {name: chosen}, signal), node => show(into, ...nodeFacts(node)));
  }

  function closeNode() {
    panelFollower.close();
    panel.hidden = true;
    opened = undefined;
    history.replaceState(null, "", route(["cluster"], question()));
    field.element.querySelector(".field").focus();
  }

  panel.onkeydown = event => event.key === "Escape" && closeNode();

  // Where a pod would go

  const told = h("div", {role: "status"}, "Nothing is changed yet.");
  const following = where && follows(page, where.pod, text => show(told, text), node => field.land(node));
  if (where) {
    const {pod, remedy} = where;
    show(
      shown,
      h("p", null, podLink(pod), " would go to ", name(remedy.node), ": ", words(remedy.text), "."),
      h("p", {class: "row"}, page.state.canApply && button("Apply", () => following.apply(remedy), {class: "main"}), link(["waiting", ...pod.split("/")], {}, "Back to the pod")),
    );
    shown.append(told);
  }

  return {
    heard(event, data) {
      following?.heard(event, data);
      if (event === "decision" && data.kind === "placed") field.flash(data.node);
    },
    close: field.close,
  };
}

const nodeFacts = node => [
  h("p", null, node.ready ? "Ready" : h("strong", {class: "broken"}, "Not ready"), node.cordoned && [", ", h("strong", null, "cordoned")], `; ${count(node.pods.length + node.morePods, "pod")}.`),
  h("dl", {class: "bars"}, Object.entries(node.resources).map(([resource, use]) => [
    h("dt", null, name(resource)),
    h("dd", null, bar({share: use.share}), h("span", {class: "figure", title: `${use.asked} of ${use.allocatable}`}, `${quantity(use.asked)} of ${quantity(use.allocatable)}`)),
  ])),
  node.taints.length > 0 && [h("h3", null, "Taints"), h("ul", {class: "names"}, node.taints.map(taint => h("li", null, words(taint))))],
  h("h3", null, "Pods"),
  node.pods.length === 0
    ? h("p", {class: "quiet"}, "None.")
    : h("table", {class: "pods"}, h("thead", null, h("tr", null, ["Pod", "cpu", "memory"].map(text => h("th", {scope: "col"}, text)))), h("tbody", null, node.pods.map(({pod, cpu = "–", memory = "–"}) =>
        h("tr", {"data-key": pod}, h("td", null, podLink(pod)), h("td", {class: "figure"}, cpu), h("td", {class: "figure"}, memory))))),
  node.morePods > 0 && h("p", {class: "quiet"}, `${number(node.morePods)} more.`),
  h("details", null, h("summary", null, "Labels"), h("ul", {class: "names"}, Object.entries(node.labels).map(([label, value]) => h("li", null, words(`${label}=${value}`))))),
];

/** The domains in numbers. */
function table({domains, key}) {
  const known = new Set(domains.slice(0, TOLD).flatMap(({resources}) => Object.keys(resources)));
  const resources = ["cpu", "memory", ...[...known].filter(of => of !== "cpu" && of !== "memory")].filter(of => known.has(of)).slice(0, 4);
  const between = of => {
    const sorted = domains.map(of).sort((a, b) => a - b);
    return sorted.at(-1) - sorted[0];
  };
  const figure = text => h("td", {class: "figure"}, text);
  return [
    h("h2", null, "Domains of ", words(key)),
    h(
      "div",
      {class: "scrolls", tabindex: "0", role: "region", "aria-label": "Domains in numbers"},
      h(
        "table",
        {class: "domains"},
        h("thead", null, h("tr", null, ["Domain", "Nodes", "Pods", ...resources.map(of => `${of} asked for`)].map(text => h("th", {scope: "col"}, text)))),
        h("tbody", null, domains.slice(0, TOLD).map(domain =>
          h("tr", {"data-key": domain.name}, h("th", {scope: "row"}, name(domain.name)), figure(number(domain.nodes)), figure(number(domain.pods)), resources.map(of => shareCell(domain.resources[of]))))),
        domains.length > 1 && h("tfoot", null, h("tr", null, h("th", {scope: "row"}, "Fullest less emptiest"), figure(number(between(of => of.nodes))), figure(number(between(of => of.pods))),
          resources.map(of => h("td", null, percent(between(domain => domain.resources[of]?.share ?? 0)))))),
      ),
    ),
    domains.length > TOLD && h("p", {class: "quiet"}, `${count(domains.length - TOLD, "more domain")}.`),
  ];
}

const shareCell = use => h("td", {class: "share"}, use && [bar({share: use.share}), h("span", {class: "figure"}, percent(use.share)), h("span", {class: "quiet", title: `${use.asked} of ${use.allocatable}`}, ` ${quantity(use.asked)} of ${quantity(use.allocatable)}`)]);

/** Nodes or cells of a domain: its index, where it is drawn, how many squares there are. */
function blocksOf(cluster, where) {
  const {domain, level, flags, pods, name: names, nodes, most} = cluster.nodes ?? cluster.cells;
  const top = cluster.unit === "share" ? 1000 : greatest(level);
  const blocks = cluster.domains.map(of => ({title: of.name, domain: of, squares: []}));
  const without = {title: "without the label", squares: []};
  for (let i = 0; i < domain.length; i++) {
    (blocks[domain[i]] ?? without).squares.push({
      name: names?.[i], nodes: nodes?.[i] ?? 1, value: level[i], level: level[i] < 0 ? -1 : Math.round((level[i] * 1000) / top), pods: pods?.[i], flags: flags?.[i] ?? 0, most: most && Math.round((most[i] * 1000) / top),
    });
  }
  for (const {add} of where?.remedy.changes ?? []) {
    if (add?.kind !== "Node" || names?.includes(add.metadata.name)) continue;
    const value = add.metadata.labels?.[cluster.key];
    let block = value === undefined ? without : blocks.find(of => of.title === value);
    if (!block) blocks.push((block = {title: value, squares: []}));
    block.squares.push({name: add.metadata.name, nodes: 1, value: 0, level: 0, pods: 0, flags: SUPPOSED});
  }
  return {top, blocks: without.squares.length ? [...blocks, without] : blocks};
}

const greatest = values => values.reduce((most, value) => Math.max(most, value), 1);

/** Places the blocks in rows, each as high as its fullest block. */
function layOut(blocks, width, size) {
  const across = Math.max(1, Math.min(blocks.length, Math.floor((width + GAP) / (LEAST_WIDTH + GAP))));
  const blockWidth = (width - GAP * (across - 1)) / across;
  const perLine = Math.max(1, Math.floor(blockWidth / size));
  const rows = [];
  let y = 0;
  for (let first = 0; first < blocks.length; first += across) {
    const row = blocks.slice(first, first + across);
    const lines = Math.ceil(row.reduce((most, {squares: of}) => Math.max(most, of.length), 0) / perLine);
    rows.push({y, first, blocks: row, height: HEAD + lines * size});
    y += HEAD + lines * size + GAP;
  }
  return {across, blockWidth, perLine, size, rows, height: y};
}

/** The squares on one canvas, as large as what is seen of it; `choose` takes the name of a node that is opened. */
function fieldOf(choose) {
  const canvas = h("canvas", {"aria-hidden": "true"});
  const space = h("div", {class: "space"}, canvas);
  const scroller = h("div", {
    class: "field", tabindex: "0", role: "application", "aria-label": "Nodes as squares. Arrow keys go from node to node, Page Up and Page Down from domain to domain, Enter opens a node.",
    "aria-describedby": "pointed",
  }, space);
  const pointed = h("p", {id: "pointed", class: "pointed", "aria-live": "polite"});
  const legend = h("ul", {class: "legend"});
  const element = h("div", null, legend, scroller, pointed);

  let cluster;
  let where;
  let blocks = [];
  let top = 1000;
  let places; // what layOut says
  let zoomed; // a size that the reader chose
  let cursor; // {block, at}
  let hovered;
  let aimed = false; // at the node of the remedy
  let landed; // {node, at}: where the followed pod went, and when
  let flashes = new Map(); // when pods came, by node
  let frame = 0;
  let colours = palette();

  function place() {
    const width = scroller.clientWidth - 2 * EDGE;
    if (width <= 0 || !cluster) return;
    const room = Math.max(280, innerHeight - scroller.getBoundingClientRect().top - scrollY - 72);
    const fitting = SIZES.findLast(size => layOut(blocks, width, size).height <= room);
    places = layOut(blocks, width, zoomed ?? fitting ?? 8);
    scroller.style.height = `${Math.min(room, places.height)}px`;
    space.style.height = `${places.height}px`;
    paint();
  }

  function paint() {
    frame ||= requestAnimationFrame(now => {
      frame = 0;
      if (places) drawAll(now);
    });
  }

  function drawAll(now) {
    const {clientWidth: width, clientHeight: height, scrollTop} = scroller;
    const context = sharpen(canvas, width, height);
    context.translate(EDGE, -scrollTop);
    const seen = [];
    for (const row of places.rows) {
      if (row.y + row.height < scrollTop || row.y > scrollTop + height) continue;
      row.blocks.forEach((block, i) => {
        const x = i * (places.blockWidth + GAP);
        head(context, block, x, row.y);
        const first = Math.max(0, Math.floor((scrollTop - row.y - HEAD) / places.size)) * places.perLine;
        const last = Math.min(block.squares.length, Math.ceil((scrollTop + height - row.y - HEAD) / places.size) * places.perLine);
        for (let at = first; at < last; at++) {
          const square = block.squares[at];
          seen.push({...square, x: x + (at % places.perLine) * places.size, y: row.y + HEAD + Math.floor(at / places.perLine) * places.size});
        }
      });
    }
    squares(context, seen, places.size, colours);
    if (places.size >= 30) figures(context, seen);
    const moving = overlays(context, seen, now);
    if (moving) paint();
  }

  function head(context, {title: text, domain, squares: of}, x, y) {
    context.textBaseline = "top";
    context.fillStyle = colours.ink;
    context.font = `600 ${0.87 * colours.size}px system-ui, sans-serif`;
    context.fillText(fitted(context, text, places.blockWidth), x, y + 4);
    context.fillStyle = colours.quiet;
    context.font = `${0.8 * colours.size}px system-ui, sans-serif`;
    const numbers = domain ? `${count(domain.nodes, "node")} · ${count(domain.pods, "pod")}` : count(of.length, "node");
    context.fillText(fitted(context, numbers, places.blockWidth), x, y + 23);
  }

  /** What a square stands for, in numbers: in its empty half, or beside its gauge with the name. */
  function figures(context, seen) {
    const large = places.size >= GAUGED;
    for (const {x, y, level, value, name: node, nodes, pods} of seen) {
      const text = value < 0 ? "–" : cluster.unit === "share" ? `${Math.round(value / 10)}` : `${value}`;
      const within = level >= 500 && !large;
      context.fillStyle = within ? colours.paper : colours.ink;
      context.font = large ? "600 15px system-ui, sans-serif" : "11px system-ui, sans-serif";
      context.fillText(large && cluster.unit === "share" && value >= 0 ? `${text} %` : text, x + 5, large ? y + 24 : within ? y + places.size - 17 : y + 4);
      if (!large) continue;
      context.font = "12px system-ui, sans-serif";
      const room = places.size * 0.8 - 8;
      context.fillText(fitted(context, node ?? count(nodes, "node"), room), x + 5, y + 6);
      context.fillStyle = colours.quiet;
      if (pods !== undefined) context.fillText(fitted(context, count(pods, "pod"), room), x + 5, y + 44);
    }
  }

  /** The cursor, pods that just came, and the pod that is followed; whether something moves. */
  function overlays(context, seen, now) {
    const ring = ({x, y}, colour, grown, wide) => {
      context.strokeStyle = colour;
      context.lineWidth = wide;
      context.strokeRect(x - grown, y - grown, innerOf(places.size) + 2 * grown, innerOf(places.size) + 2 * grown);
    };
    const at = cursor && blocks[cursor.block]?.squares[cursor.at]?.name;
    const aim = landed?.node ?? where?.remedy.node;
    let moving = false;
    for (const square of seen) {
      const flash = flashes.get(square.name);
      if (flash !== undefined && now - flash < FLASH_MS) {
        const past = (now - flash) / FLASH_MS;
        context.globalAlpha = 1 - past;
        ring(square, colours.accent, calm.matches ? 1 : 1 + past * 8, 2);
        context.globalAlpha = 1;
        moving = true;
      }
      if (square.name !== undefined && square.name === aim) moving = target(context, square, now, ring) || moving;
      if (at !== undefined && square.name === at) ring(square, colours.ink, 1, 2);
    }
    if (at === undefined && cursor) {
      const box = boxOf(cursor);
      if (box) ring(box, colours.ink, 1, 2);
    }
    for (const [node, came] of flashes) if (now - came >= FLASH_MS) flashes.delete(node);
    return moving;
  }

  /** A pod over its square, that drops when the decision has come. */
  function target(context, square, now, ring) {
    const past = landed ? (calm.matches ? 1 : Math.min(1, (now - landed.at) / DROP_MS)) : 0;
    const radius = Math.max(4, Math.min(8, places.size / 3));
    const height = (1 - past * past) * 26;
    const middle = innerOf(places.size) * (places.size >= GAUGED ? 0.7 : 0.5);
    ring(square, colours.accent, 3, 3);
    context.beginPath();
    context.arc(square.x + middle, square.y + middle - height, radius, 0, 7);
    context.fillStyle = landed ? colours.accent : colours.paper;
    context.fill();
    context.strokeStyle = colours.accent;
    context.lineWidth = 2;
    context.setLineDash(landed ? [] : [3, 2]);
    context.stroke();
    context.setLineDash([]);
    return past > 0 && past < 1;
  }

  // Where a square is, and which is there

  function boxOf({block, at}) {
    const row = places?.rows[Math.floor(block / places.across)];
    return row && {x: (block % places.across) * (places.blockWidth + GAP) + (at % places.perLine) * places.size, y: row.y + HEAD + Math.floor(at / places.perLine) * places.size};
  }

  function squareAt(x, y) {
    const row = places?.rows.find(of => y >= of.y && y < of.y + of.height);
    const column = Math.floor(x / (places?.blockWidth + GAP));
    const block = row?.blocks[column];
    const inX = Math.floor((x - column * (places?.blockWidth + GAP)) / places?.size);
    const line = Math.floor((y - row?.y - HEAD) / places?.size);
    const at = line * places?.perLine + inX;
    return block && line >= 0 && inX < places.perLine && at < block.squares.length ? {block: row.first + column, at} : undefined;
  }

  const placeOf = node => {
    for (let block = 0; block < blocks.length; block++) {
      const at = blocks[block].squares.findIndex(square => square.name === node);
      if (at >= 0) return {block, at};
    }
    return undefined;
  };

  function tell(at) {
    const block = at && blocks[at.block];
    const square = block?.squares[at.at];
    if (!square) return show(pointed, "");
    const value = square.value < 0 ? "" : cluster.unit === "share" ? ` · ${percent(square.value / 1000)}` : ` · ${count(square.value, "pod")} of the workload`;
    const marks = FLAGS.filter(([flag]) => square.flags & flag).map(([, text]) => ` · ${text}`);
    show(
      pointed,
      square.name === undefined ? count(square.nodes, "node") : h("bdi", {class: "words"}, square.name), " · ", h("bdi", {class: "words"}, block.title), value,
      square.pods !== undefined && ` · ${count(square.pods, "pod")}`, square.most !== undefined && ` · the fullest ${percent(square.most / 1000)}`, marks,
    );
  }

  function moveTo(at) {
    cursor = at;
    const box = boxOf(at);
    const line = at.at < places.perLine ? box.y - HEAD : box.y; // with its block's name
    if (line < scroller.scrollTop) scroller.scrollTop = line;
    else if (box.y + places.size + 8 > scroller.scrollTop + scroller.clientHeight) scroller.scrollTop = box.y + places.size + 8 - scroller.clientHeight;
    tell(at);
    paint();
  }

  /** The square to which a key leads from here. */
  function step({block, at}, key) {
    const {perLine, across} = places;
    const column = at % perLine;
    const beside = (other, inColumn, fromTop) => {
      const of = blocks[other]?.squares.length;
      if (!of) return {block, at};
      const line = fromTop ?? Math.floor((of - 1) / perLine);
      return {block: other, at: Math.min(of - 1, line * perLine + inColumn)};
    };
    const line = Math.floor(at / perLine);
    const last = blocks[block].squares.length - 1;
    switch (key) {
      case "ArrowRight":
        return column < perLine - 1 && at < last ? {block, at: at + 1} : beside(block + 1, 0, line);
      case "ArrowLeft":
        return column > 0 ? {block, at: at - 1} : beside(block - 1, perLine - 1, line);
      case "ArrowDown":
        return at + perLine <= last ? {block, at: at + perLine} : line < Math.floor(last / perLine) ? {block, at: last} : beside(block + across, column, 0);
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

  scroller.onkeydown = event => {
    if (event.ctrlKey || event.metaKey || event.altKey || !places) return;
    if (event.key === "+" || event.key === "-") return zoom(event.key === "+" ? 1 : -1);
    const from = cursor ?? {block: blocks.findIndex(({squares: of}) => of.length), at: 0};
    if (from.block < 0) return;
    if (event.key === "Enter" || event.key === " ") {
      if (cursor) chooseAt(cursor);
      event.preventDefault();
      return;
    }
    const to = step(from, event.key);
    if (!to) return;
    event.preventDefault();
    moveTo(cursor ? to : from);
  };
  scroller.onfocus = () => cursor && tell(cursor);
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

  function under(event) {
    const box = scroller.getBoundingClientRect();
    return squareAt(event.clientX - box.left - EDGE, event.clientY - box.top + scroller.scrollTop);
  }

  function chooseAt({block, at}) {
    const square = blocks[block].squares[at];
    if (square?.name !== undefined && !(square.flags & SUPPOSED)) choose(square.name);
  }

  function zoom(by) {
    const now = SIZES.indexOf(places.size);
    zoomed = by === 0 ? undefined : SIZES[Math.min(SIZES.length - 1, Math.max(0, now + by))];
    place();
    if (cursor) moveTo(cursor);
  }

  function drawLegend() {
    const all = blocks.flatMap(({squares: of}) => of);
    const steps = [0, 0, 0, 0, 0, 0];
    for (const {level, nodes} of all) if (level >= 0) steps[stepOf(level)] += nodes;
    const unit = cluster.unit === "share" ? " %" : " pods";
    const scale = cluster.unit === "share" ? 100 : top;
    const range = (from, to, i) => (cluster.unit === "share" && i === 5 ? `${from} or more` : from === to ? number(from) : `${number(from)}–${number(to)}`);
    const items = stepRanges(scale).map(([from, to], i) => ({square: {level: i === 0 ? 0 : Math.round((to * 1000) / scale), flags: 0}, text: `${range(from, to, i)}${unit}`, of: steps[i]}));
    for (const [flag, text] of FLAGS) {
      const of = all.filter(({flags}) => flags & flag).length;
      if (of) items.push({square: {level: 0, flags: flag}, text, of});
    }
    legend.replaceChildren(...items.map(({square, text, of}) => h("li", null, swatch(square), text, " ", h("span", {class: "quiet", title: count(of, "node")}, number(of)))));
  }

  function swatch(square) {
    const canvas = h("canvas", {"aria-hidden": "true"});
    squares(sharpen(canvas, 16, 16), [{...square, x: 1, y: 1}], 16, colours);
    return canvas;
  }

  const sized = new ResizeObserver(place);
  sized.observe(scroller);
  const themes = ["(prefers-color-scheme: dark)", "(forced-colors: active)"].map(query => matchMedia(query));
  const repaint = () => {
    colours = palette();
    if (cluster) drawLegend();
    paint();
  };
  themes.forEach(theme => theme.addEventListener("change", repaint));

  return {
    element,
    zoom,
    draw(answer, shown) {
      cluster = answer;
      where = shown;
      const pointedAt = cursor && blocks[cursor.block]?.squares[cursor.at]?.name;
      ({blocks, top} = blocksOf(cluster, where));
      if (pointedAt !== undefined) cursor = placeOf(pointedAt);
      drawLegend();
      const all = blocks.flatMap(({squares: of}) => of).filter(({flags}) => !(flags & SUPPOSED));
      const sum = of => all.reduce((total, square) => total + of(square), 0);
      return {nodes: sum(({nodes}) => nodes), pods: cluster.nodes ? sum(({pods}) => pods) : cluster.domains.reduce((total, {pods}) => total + pods, 0)};
    },
    place() {
      place();
      const aim = !aimed && where && placeOf(where.remedy.node);
      if (aim) moveTo(aim);
      aimed = true;
    },
    point(node) {
      const at = placeOf(node);
      if (at) moveTo(at);
    },
    flash(node) {
      if (flashes.size < 200) flashes.set(node, performance.now());
      paint();
    },
    land(node) {
      landed = {node, at: performance.now()};
      const at = placeOf(node);
      if (at) moveTo(at);
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
