// Decisions as they come.

import {ago, button, clock, copyable, count, dim, figure, h, heads, milliseconds, name, nodeLink, note, number, podLink, rowHead, scrolls, search, show, words} from "./dom.js";
import {remember, sparkline} from "./draw.js";

export const title = "Live";

const ROWS = 100;
const KEPT = 1000; // to look through by the filter
const DRAWN_EVERY_MS = 150;
const what = kind => (kind === "turnedAway" ? "turned away" : kind);

export function open(page, root) {
  let kept = []; // the oldest first
  let fresh = page.decisions.slice(-KEPT); // not drawn yet
  let paused = false;
  let passed = 0; // while paused
  let filter = "";
  let frame = 0;
  let drawnAt = 0;
  const rates = [];

  const figures = h("dl", {class: "figures"});
  const told = h("p", {class: "quiet", role: "status"}, "No decision yet since somebody looked: they are shown as they are made.");
  const rows = h("tbody");
  const listed = h("div", {hidden: true}, copyable(
    "Decisions, the newest first",
    h("table", {class: "decisions stacks"}, heads("Time", "What", "Pod", "Node", "Waited", "Why"), rows),
  ));
  const pausing = button("Pause", () => pause(!paused), {"aria-pressed": "false"});
  root.append(
    h("h1", null, "Live"),
    figures,
    h("div", {class: "row"}, pausing, search(looked => {
      filter = looked;
      redraw();
    })),
    told,
    listed,
  );

  function heard(event, data) {
    if (event === "tick") drawFigures(data);
    if (event === "gap") told.textContent = `${count(data.missed, "decision")} missed while nothing was heard.`;
    if (event === "decision") take(data);
  }

  function take(decision) {
    if (paused) {
      passed++;
      return;
    }
    fresh.push(decision);
    if (fresh.length > KEPT) fresh = fresh.slice(-ROWS);
    frame ||= requestAnimationFrame(draw);
  }

  function draw(now) {
    if (paused) {
      frame = 0;
      return;
    }
    if (now - drawnAt < DRAWN_EVERY_MS) {
      frame = requestAnimationFrame(draw);
      return;
    }
    frame = 0;
    drawnAt = now;
    if (kept.length === 0) {
      told.textContent = "";
      listed.hidden = false;
    }
    kept = kept.concat(fresh).slice(-KEPT);
    rows.prepend(...fresh.filter(matches).slice(-ROWS).reverse().map(row));
    while (rows.childElementCount > ROWS) rows.lastElementChild.remove();
    fresh = [];
  }

  function redraw() {
    rows.replaceChildren(...kept.filter(matches).slice(-ROWS).reverse().map(row));
  }

  const matches = ({pod, node = "", kind}) => !filter || `${pod} ${node} ${what(kind)}`.toLowerCase().includes(filter);

  function pause(now) {
    paused = now;
    pausing.textContent = paused ? "Go on" : "Pause";
    pausing.setAttribute("aria-pressed", `${paused}`);
    told.textContent = paused ? "Paused." : passed > 0 ? `${count(passed, "decision")} passed in the pause.` : "";
    passed = 0;
    if (!paused && fresh.length) frame ||= requestAnimationFrame(draw);
  }

  function row(decision) {
    const {time, kind, pod, node, waitedMs, message, best} = decision;
    const more = h("button", {type: "button", "aria-expanded": "false", "aria-label": `Why ${what(kind)}: ${pod}`, onclick: () => expand(more, decision)}, "Why");
    return h(
      "tr",
      {class: kind},
      h("td", null, clock(time), " ", dim(ago(time), " ago")),
      h("td", null, what(kind)),
      h("td", {class: "pod"}, podLink(pod)),
      h("td", null, node && nodeLink(node)),
      figure(waitedMs !== undefined && milliseconds(waitedMs)),
      h("td", {class: "reason"}, (best || message) && more, " ", reason(decision)),
    );
  }

  /** In a few words. */
  function reason({best, message, node}) {
    if (message) return name(message);
    const [first, second] = best ?? [];
    return first && dim(second && first.node === node ? `score ${number(first.total)}; next ${second.node}, ${number(second.total)}` : `score ${number(first.total)}`);
  }

  function expand(more, {best, message, scheduler}) {
    const line = more.closest("tr");
    if (more.getAttribute("aria-expanded") === "true") {
      line.nextElementSibling.remove();
      more.setAttribute("aria-expanded", "false");
      return;
    }
    if (!paused) pause(true);
    more.setAttribute("aria-expanded", "true");
    line.after(h("tr", {class: "why"}, h("td", {colspan: "6"}, message && h("p", null, words(message)), best && scoreTable(best), scheduler && note("by ", words(scheduler)))));
  }

  function drawFigures(tick) {
    const {perSecond, waiting, queue, waitedMs, message} = tick;
    remember(rates, [rates.length ? rates.at(-1)[0] + 1 : 0, perSecond]);
    if (message) told.textContent = message;
    show(
      figures,
      fact("placed a second", perSecond, rates.length > 1 && sparkline(rates, `placed a second in the last ${rates.length} seconds`)),
      fact("pods waiting", waiting),
      fact("active", queue?.active),
      fact("in backoff", queue?.backoff),
      fact("unschedulable", queue?.unschedulable),
      fact("gated", queue?.gated),
      fact("half waited less than", waitedMs && milliseconds(waitedMs.p50)),
      fact("99 of 100 less than", waitedMs && milliseconds(waitedMs.p99)),
    );
  }

  if (fresh.length) frame = requestAnimationFrame(draw);
  return {heard, close: () => cancelAnimationFrame(frame)};
}

const fact = (term, value, ...more) => value !== undefined && h("div", null, h("dt", null, term), h("dd", null, typeof value === "number" ? number(value) : value, more));

/** A column a node, a row a plugin. best: {node, total, plugins}, the best first */
export function scoreTable(best) {
  const plugins = [...new Set(best.flatMap(({plugins}) => Object.keys(plugins)))];
  const row = (title, value) => h("tr", null, rowHead(title), best.map(of => figure(number(value(of) ?? 0))));
  return scrolls(
    "Scores",
    h(
      "table",
      {class: "scores"},
      heads("Score", ...best.map(({node}) => nodeLink(node))),
      h("tbody", null, plugins.map(plugin => row(plugin, of => of.plugins[plugin])), row("in all", of => of.total)),
    ),
  );
}
