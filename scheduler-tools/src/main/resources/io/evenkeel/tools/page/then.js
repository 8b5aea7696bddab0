// A record: which moment is looked at, and what was decided around it.

import {button, clock, count, figure, h, heads, milliseconds, nodeLink, note, number, podLink, scrolls, search, show, standAt, words} from "./dom.js";
import {sparkline} from "./draw.js";
import {Failure, get, lookAt} from "./net.js";

const STEPS = 1000; // of the slider
const SETTLED_MS = 150; // the slider rests for so long before the record is asked
const PLAYED_MS = 1000; // between questions while the record is being played

let moment; // as the server wants it
let look; // makes another moment the one that is looked at

const local = new Intl.DateTimeFormat(undefined, {dateStyle: "medium", timeStyle: "medium"});

/** The moment in an address, for who follows a link to it. */
const inAddress = () => new URLSearchParams(location.search).get("at");

/**
 * The bar with the slider, above all views.
 *
 * @param moved is called whenever the moment is another
 * @param waited takes how many pods waited then
 */
export function barOf({first, last, at, remarks}, moved, waited) {
  const begin = Date.parse(first);
  const span = Date.parse(last) - begin;
  const slider = h("input", {id: "moment", type: "range", "aria-label": "The moment", min: "0", max: `${STEPS}`, "aria-describedby": "moment-told", oninput: slid});
  const typed = h("input", {id: "moment-time", type: "datetime-local", step: "1", onchange: () => typed.value && look(new Date(typed.value).toISOString())});
  const most = h("span", {class: "quiet"});
  const told = h("p", {id: "moment-told", class: "quiet pointed", role: "status"});
  const strip = h("div", {class: "strip", "aria-hidden": "true"});
  const bar = h(
    "section",
    {class: "then", "aria-label": "The moment"},
    h("div", {class: "row"},
      h("label", {for: "moment-time"}, "As of"), typed, most,
      h("span", {class: "ends"}, button("First", () => look(first)), button("Last", () => look(last)))),
    strip, slider, told,
    remarks.length > 0 && h("ul", {class: "quiet remarks"}, remarks.map(text => h("li", null, words(text)))),
  );
  let timer;

  const at1000 = iso => (span > 0 ? Math.round(((Date.parse(iso) - begin) / span) * STEPS) : 0);

  function slid() {
    const value = Number(slider.value);
    const iso = value === 0 ? first : value === STEPS ? last : new Date(begin + (span * value) / STEPS).toISOString();
    draw(iso);
    clearTimeout(timer);
    timer = setTimeout(() => look(iso), SETTLED_MS);
  }

  function draw(iso) {
    slider.value = `${at1000(iso)}`;
    slider.setAttribute("aria-valuetext", local.format(new Date(iso)));
    const here = new Date(iso);
    typed.value = new Date(here - here.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
  }

  look = iso => {
    moment = Date.parse(iso) < begin ? first : iso;
    lookAt(moment);
    standAt(moment);
    history.replaceState(null, "", `?${new URLSearchParams({at: moment})}${location.hash}`);
    draw(moment);
    show(told);
    moved();
    tell();
  };

  async function tell() {
    clearTimeout(timer);
    const mine = moment;
    try {
      const {event, waiting} = await get("moment", {});
      if (mine !== moment) return;
      show(told, `After ${count(event, "event")}: ${number(waiting)} waiting.`);
      waited(waiting);
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      if (mine !== moment) return;
      show(told, words(failure.message));
      if (failure.code === 503) timer = setTimeout(tell, PLAYED_MS);
    }
  }

  look(inAddress() ?? at);

  return {
    element: bar,
    /** Takes how many pods waited at most in each span. */
    drawOverview({waiting, spanMs}) {
      const top = Math.max(0, ...waiting);
      most.textContent = top > 0 ? `${count(top, "pod")} waited at most` : "";
      show(strip, waiting.length > 1 && sparkline(waiting.map((pods, i) => [i * spanMs, pods]), "", waiting.length * spanMs));
      strip.style.setProperty("--known", `${span > 0 ? Math.min(100, (waiting.length * spanMs * 100) / span) : 100}%`);
    },
  };
}

export const title = "Decisions";

const what = kind => (kind === "turnedAway" ? "turned away" : kind);

/** Decisions around the moment, the latest first. */
export function open(page, root) {
  let kept = [];
  let filter = "";
  const body = h("div", {class: "stack"});
  root.append(
    h("h1", null, "Decisions"),
    h("p", {class: "lead"}, "What was decided until the moment, and next."),
    h("div", {class: "row"}, search(looked => {
      filter = looked;
      draw();
    })),
    body,
  );
  page.follow("nothing", body, signal => page.get("decisions", {}, signal), ({decisions}) => {
    kept = decisions;
    draw();
  });

  function draw() {
    const now = Date.parse(moment);
    const lines = kept.filter(({pod, node = "", kind}) => !filter || `${pod} ${node} ${what(kind)}`.toLowerCase().includes(filter)).reverse();
    const after = lines.filter(({time}) => Date.parse(time) > now);
    show(
      body,
      lines.length === 0
        ? note("No decision is recorded here.")
        : scrolls("Decisions around the moment, the latest first", h(
            "table",
            {class: "decisions stacks"},
            heads("Time", "What", "Pod", "Node", "Waited", "Why"),
            h("tbody", null, after.map(row), h("tr", {class: "now"}, h("td", {colspan: "6"}, "the moment: ", clock(moment))), lines.slice(after.length).map(row)),
          )),
    );
  }
}

const row = ({time, kind, pod, node, waitedMs, message, scheduler}) =>
  h(
    "tr",
    {class: kind},
    h("td", null, button(clock(time), () => look(time), {"aria-label": `Look at the moment when ${pod} was ${what(kind)}`})),
    h("td", null, what(kind)),
    h("td", {class: "pod"}, podLink(pod)),
    h("td", null, node && nodeLink(node)),
    figure(waitedMs !== undefined && milliseconds(waitedMs)),
    h("td", {class: "reason"}, message ? words(message) : scheduler && note("by ", words(scheduler))),
  );
