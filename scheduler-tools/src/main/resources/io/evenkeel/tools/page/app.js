// Where the reader is, what the server is, and what is heard from it.

import {ago, button, count, h, note, notice, number, show, words} from "./dom.js";
import {Failure, get, hasToken, put, send, stream, useToken} from "./net.js";
import * as cluster from "./cluster.js";
import * as groups from "./groups.js";
import * as live from "./live.js";
import * as pod from "./pod.js";
import * as then from "./then.js";
import * as waiting from "./waiting.js";
import * as whatif from "./whatif.js";
import * as workloads from "./workloads.js";

const VIEWS = {cluster, workloads, waiting, live, whatif, groups};
const STATE_EVERY_MS = 5000;
const QUIET_S = 150; // an API server says each minute that there is nothing new
const DECISIONS = 1000; // that are kept at least
const SHORTEST_PAUSE_MS = 1000;
const SLOW_MS = 400; // from then on a question is said to be asked

const main = document.getElementById("main");
const nav = document.getElementById("nav");
const banner = document.getElementById("banner");
const said = document.getElementById("said");

let state; // what the server said of itself last
let refused; // why it said nothing
let waits; // how many pods
let lost; // since when nothing is heard, and why
let view; // what is looked at
let asksState = false;
let bar; // to choose a moment of a record by

/** What views are given. */
const page = {
  get state() {
    return state;
  },
  get,
  put,
  send,
  /** Where a pod would go by a remedy that the reader looks at. */
  where: undefined,
  /** Decisions that were heard, the oldest first. */
  decisions: [],
  say(text) {
    said.textContent = text;
  },
  follow,
  /** Whether a decision is not one of those that the server tells of first, from before. */
  isNew: ({time}) => Date.parse(time) > Date.parse(state.time) - STATE_EVERY_MS,
};

/**
 * Asks now, and again whenever a number of the server's grew; never twice at once, and longer pauses the longer it takes.
 *
 * @param of "cluster" or "waiting"
 * @param draw takes the answer; it draws into `into`, where failures are shown too
 */
function follow(of, into, ask, draw) {
  const mine = view;
  let controller = new AbortController();
  let asking = false;
  let due = false;
  let drawn = false;
  let notBefore = 0;
  let timer;
  const slow = setTimeout(() => show(into, h("p", {class: "quiet", role: "status"}, "Asking…")), SLOW_MS);

  function plan(ms) {
    clearTimeout(timer);
    timer = setTimeout(again, ms);
  }

  async function again() {
    if (asking) {
      due = true;
      return;
    }
    clearTimeout(timer);
    asking = true;
    due = false;
    const began = performance.now();
    const {signal} = controller;
    try {
      const answer = await ask(signal);
      clearTimeout(slow);
      if (signal.aborted) return;
      drawn = true;
      draw(answer);
    } catch (failure) {
      clearTimeout(slow);
      if (signal.aborted) return;
      failed(failure);
    }
    asking = false;
    const pause = Math.max(SHORTEST_PAUSE_MS, 4 * (performance.now() - began));
    notBefore = performance.now() + pause;
    if (due) plan(pause);
  }

  function failed(failure) {
    if (!(failure instanceof Failure)) throw failure;
    if (failure.code === 401) return stateRefused(failure);
    if (failure.code === 0 && drawn) return; // the banner says it
    show(into, refusal(failure, again));
    if (failure.code === 503 || failure.code === 429) due = true;
  }

  const follower = {
    again,
    /** About another moment: what was asked before is not waited for. */
    anew() {
      controller.abort();
      controller = new AbortController();
      asking = false;
      again();
    },
    changed(numbers, before) {
      if (numbers[of] === before?.[of]) return;
      if (asking) due = true;
      else plan(Math.max(0, notBefore - performance.now()));
    },
    close() {
      clearTimeout(slow);
      clearTimeout(timer);
      controller.abort();
      mine.followers.delete(follower);
    },
  };
  mine.followers.add(follower);
  again();
  return follower;
}

const REFUSALS = {
  0: "No connection",
  400: "The question has a mistake",
  401: "This token is not good",
  403: "You have no right to see this",
  404: "It is not there",
  429: "Others ask too; this page asks again by itself",
  503: "Not ready yet; this page asks again by itself",
};

/** Over plain HTTP nobody is asked who they are, and a token would be overheard. */
const asksForTokens = location.protocol === "https:";

/** Who gives no token may be taken for somebody without rights. */
const wantsToken = ({code}) => asksForTokens && (code === 401 || code === 403);

const refusal = ({code, message}, again) => notice(REFUSALS[code] ?? `The question was not answered (${code})`, message, h("p", null, button("Try again", again)));

// What the server is

async function askState() {
  if (asksState) return;
  asksState = true;
  try {
    state = await get("state");
    refused = undefined;
    if (state.record) drawMoment(state.record);
    if (state.synced && !view) go();
    if (!state.synced) setTimeout(askState, 1500);
    if (state.synced && document.visibilityState === "visible") listen();
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    // what is seen stays while the server is away
    if (!view || wantsToken(failure)) stateRefused(failure);
  } finally {
    asksState = false;
  }
  drawFrame();
}

function listen() {
  if (!state.record) events.open();
}

function drawMoment(record) {
  if (!bar) {
    bar = then.barOf(record, () => view?.followers.forEach(follower => follower.anew()), waiting => {
      waits = waiting;
      drawNav();
    });
    main.before(bar.element);
  }
  bar.drawOverview(record.overview);
}

function stateRefused(failure) {
  refused = failure;
  leave();
  events.close();
  if (failure.code === 0 || failure.code >= 429) setTimeout(askState, 3000);
  drawFrame();
}

setInterval(() => document.visibilityState === "visible" && state?.synced && !refused && !lost && askState(), STATE_EVERY_MS);

// What is heard

let before; // the numbers of the last change

const events = stream(heard, since => {
  const back = lost && !since;
  lost = since;
  if (since?.reason && wantsToken(since.reason)) return stateRefused(since.reason);
  if (back) {
    page.say("The connection is back.");
    askState();
    view?.followers.forEach(follower => follower.again());
  }
  drawBanner();
});

function heard(event, data) {
  if (event === "tick" && data.waiting !== undefined && data.waiting !== waits) {
    waits = data.waiting;
    drawNav();
  }
  if (event === "decision") {
    page.decisions.push(data);
    if (page.decisions.length > 2 * DECISIONS) page.decisions = page.decisions.slice(-DECISIONS);
  }
  if (event === "changed") {
    view?.followers.forEach(follower => follower.changed(data, before));
    before = data;
  }
  view?.heard?.(event, data);
}

// a browser has six connections to a server: only pages that are looked at keep one
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden") events.close();
  else if (state && !refused) {
    listen();
    view?.followers.forEach(follower => follower.again());
  }
});

// Where the reader is

/** The view of a path; a record has no news. */
const viewOf = path => (path === "live" && state?.record ? then : VIEWS[path]);

/** ["waiting", "shop", "web-1"] and the query */
function place() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  return {path: path.split("/").map(decoded), query: new URLSearchParams(query)};
}

/** Not by decodeURIComponent, which throws at what was typed by hand. */
const decoded = part => new URLSearchParams(`of=${part}`).get("of");

function leave() {
  view?.followers.forEach(follower => follower.close());
  view?.close?.();
  view = undefined;
}

function go() {
  if (!state?.synced || refused) return;
  const {path, query} = place();
  const opened = path.length === 3 && path[0] === "waiting" ? pod : (viewOf(path[0]) ?? cluster);
  const same = view?.of === opened;
  leave();
  if (!same) scrollTo(0, 0);
  const root = h("div", {class: "view"});
  main.replaceChildren(root);
  view = {of: opened, followers: new Set()};
  Object.assign(view, opened.open(page, root, query, path.slice(1)));
  drawNav();
}

addEventListener("hashchange", () => {
  go();
  main.focus({preventScroll: true});
});

document.getElementById("skip").onclick = event => {
  event.preventDefault();
  main.focus();
};

// Keys, beside those that every page has

const KEYS = [
  ["1 … 6", "the views, from left to right"],
  ["/", "the filter of a view"],
  ["?", "these keys"],
  ["arrows", "among the nodes: from one to the next; Page Up, Page Down: from domain to domain"],
  ["Enter", "opens the node"],
  ["+ −", "larger and smaller squares"],
  ["Esc", "closes the node, or this"],
];
let letters = true; // whether keys without Ctrl or Alt do something; who dictates may not want that

document.getElementById("keys").onclick = tellKeys;

function tellKeys() {
  const box = h("input", {type: "checkbox", checked: letters, onchange: () => (letters = box.checked)});
  const dialog = h(
    "dialog",
    {"aria-labelledby": "keys-title"},
    h("h2", {id: "keys-title"}, "Keys"),
    h("dl", {class: "facts"}, KEYS.map(([keys, what]) => [h("dt", null, h("kbd", null, keys)), h("dd", null, what)])),
    h("label", null, box, " Use 1 … 6, / and ?"),
    h("form", {method: "dialog"}, h("p", null, h("button", {class: "main"}, "Close"))),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

addEventListener("keydown", event => {
  const typing = event.target.closest?.("input, select, textarea, dialog");
  if (!letters || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const path = Object.keys(VIEWS)[event.key - 1];
  if (path) location.hash = `#/${path}`;
  else if (event.key === "/") document.getElementById("filter")?.focus();
  else if (event.key === "?") tellKeys();
  else return;
  event.preventDefault();
});

// The frame around

function drawFrame() {
  drawNav();
  drawBanner();
  show(
    document.getElementById("source"),
    state && [
      h("bdi", {class: "name", title: state.cluster}, state.cluster?.replace(/^https?:\/\//, "")),
      " ",
      h("span", {title: `Evenkeel ${state.evenkeel}, Kubernetes ${state.kubernetes}`}, `· evenkeel ${state.source}`),
      state.seen && h("span", {title: `Several engines share the cluster; ${state.seen.by} shows all of it`}, " · as of ", ago(seenAt()), " ago"),
    ],
  );
  if (refused) show(main, wantsToken(refused) ? tokenForm(refused) : alone(refusal(refused, askState)));
  else if (state && !state.synced) {
    leave();
    show(main, alone(notice("The cluster is being read", "The caches are not synced yet. This page asks again by itself.")));
  }
}

const alone = told => h("div", {class: "view"}, h("h1", {class: "unseen"}, "Evenkeel"), told);

function drawNav() {
  const here = place().path[0] || "cluster";
  const items = Object.keys(VIEWS).map(path =>
    h("a", {href: `#/${path}`, "aria-current": path === here && "page"}, viewOf(path).title, path === "waiting" && waits > 0 && [" ", h("span", {class: "badge", title: `${count(waits, "pod")} waiting`}, number(waits))]),
  );
  show(nav, items);
  document.title = `${viewOf(here)?.title ?? "Cluster"} · Evenkeel${waits ? ` · ${number(waits)} waiting` : ""}`;
}

const seenAt = () => new Date(Date.parse(state.time) - 1000 * state.seen.secondsAgo).toISOString();

function drawBanner() {
  const lines = [];
  if (lost && !refused) {
    const why = lost.reason?.code > 0 ? [h("strong", null, "No news: "), words(lost.reason.message)] : h("strong", null, "Connection lost");
    lines.push(h("p", null, why, " ", ago(lost.since), " ago. What you see is from then. This page tries again by itself."));
  }
  if (state?.leading === false) {
    lines.push(h("p", null, h("strong", null, "Not the leader."), " This replica shows the cluster; another one decides."));
  }
  if (state?.seen?.secondsAgo > QUIET_S) {
    lines.push(h("p", null, h("strong", null, "No news: "), "the API server last told ", words(state.seen.by), " of pods ", ago(seenAt()), " ago. What you see is from then."));
  }
  if (state && state.version !== 1) {
    lines.push(h("p", null, "The server is newer than this page. Load the page again."));
  }
  show(banner, lines);
}

function tokenForm({code, message}) {
  const [title, why] = !hasToken()
    ? ["Who asks?", "The page shows a cluster to users who may get /page/api/*."]
    : [REFUSALS[code], code === 401 ? "It is none of this cluster, or its time is over." : [words(message), "."]];
  const field = h("input", {id: "token", type: "password", autocomplete: "off", required: true, "aria-describedby": "token-why"});
  return h(
    "form",
    {
      class: "view token",
      onsubmit(event) {
        event.preventDefault();
        useToken(document.getElementById("token").value);
        refused = undefined;
        askState();
      },
    },
    h("h1", null, title),
    h("p", {id: "token-why", role: "status"}, why, " This tab keeps the token in memory and sends it to this server only, until it is closed or loaded again."),
    h("label", {for: "token"}, "Bearer token"),
    h("div", {class: "row"}, field, h("button", {class: "main"}, "Go on")),
    note("To make one: ", h("code", null, "kubectl create token NAME -n NAMESPACE")),
  );
}

askState();
