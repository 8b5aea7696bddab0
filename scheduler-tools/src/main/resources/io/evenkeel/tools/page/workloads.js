// Workloads: how many pods there are, how they are spread, and whether their policies are kept.

import {button, count, dim, h, heads, more, name, note, number, rowHead, search, show, words} from "./dom.js";
import {domainTiles, remember, sparkline} from "./draw.js";

export const title = "Workloads";

const SHOWN = 50; // at first, and more with each press
const REMEMBERED = 2000; // workloads with a line

const skews = new Map(); // since the page was opened, by workload

export function open(page, root) {
  let answer = {workloads: [], more: 0};
  let shown = SHOWN;
  let filter = "";
  let only = false;

  const lead = h("p", {class: "lead"});
  const body = h("div", {class: "stack"});
  const box = h("input", {
    type: "checkbox",
    onchange() {
      only = box.checked;
      draw();
    },
  });
  root.append(
    h("h1", null, "Workloads"), lead,
    h("div", {class: "row"}, search(looked => {
      filter = looked;
      draw();
    }), h("label", null, box, " what waits or is broken")),
    body,
  );
  page.follow("cluster", body, signal => page.get("workloads", {}, signal), got => {
    answer = got;
    for (const workload of got.workloads) recall(workload);
    draw();
  });

  function draw() {
    const all = answer.workloads;
    const chosen = all.filter(of => (!only || troubled(of)) && `${of.namespace}/${of.name} ${of.kind}`.toLowerCase().includes(filter));
    chosen.sort((a, b) => troubled(b) - troubled(a));
    lead.textContent = all.length === 0 ? "There are no workloads." : `${count(all.length + answer.more, "workload")}, ${number(all.filter(troubled).length)} with pods that wait or rules that are broken.`;
    show(
      body,
      all.length > 0 && chosen.length === 0 && note("None is like that."),
      chosen.length > 0 && table(chosen.slice(0, shown)),
      chosen.length > shown && h("p", null, button(`${number(Math.min(SHOWN, chosen.length - shown))} more`, () => {
        shown += SHOWN;
        draw();
      }), dim(` of ${number(chosen.length - shown)}`)),
      more(answer.more),
    );
  }
}

const isBroken = ({skew, allowed}) => skew > allowed;

const troubled = ({waiting, constraints, policies = []}) => waiting > 0 || constraints.some(isBroken) || policies.some(({kept}) => !kept);

const keyOf = ({namespace, kind, name: of}) => `${namespace}/${kind}/${of}`;

function recall(workload) {
  if (workload.constraints.length === 0) return;
  const key = keyOf(workload);
  if (!skews.has(key) && skews.size >= REMEMBERED) return;
  skews.set(key, remember(skews.get(key) ?? [], Math.max(...workload.constraints.map(({skew}) => skew))));
}

const table = workloads =>
  h(
    "table",
    {class: "workloads stacks"},
    heads("Workload", "Wanted", "Placed", "Waiting", "Spread", "Skew so far"),
    h("tbody", null, workloads.map(row)),
  );

function row(workload) {
  const {namespace, kind, name: of, wanted, placed, waiting, constraints, policies = []} = workload;
  const past = skews.get(keyOf(workload));
  return h(
    "tr",
    {"data-key": keyOf(workload)},
    rowHead(name(`${namespace}/${of}`), h("div", {class: "quiet"}, kind)),
    amount("wanted", wanted),
    amount("placed", placed),
    h("td", {class: "figure", "data-what": "waiting"}, waiting > 0 ? h("a", {href: "#/waiting"}, number(waiting)) : "0"),
    h("td", {class: "spread"}, constraints.map(constraint), policies.map(policy), constraints.length + policies.length === 0 && dim("no rules")),
    h("td", {class: "past"}, past && [past.length > 1 && sparkline(past, `the largest skew, ${count(past.length, "time")} looked at`), " ", number(past.at(-1))]),
  );
}

const amount = (what, value) => h("td", {class: "figure", "data-what": what}, value === undefined ? "–" : number(value));

const constraint = rule => [
  h("p", null, words(rule.topologyKey), " ",
    h("span", {class: isBroken(rule) ? "broken" : "quiet"}, isBroken(rule) ? `skew ${number(rule.skew)}, more than ${number(rule.allowed)}` : `skew ${number(rule.skew)} of ${number(rule.allowed)}`),
    dim(` ${rule.whenUnsatisfiable}${rule.byDefault ? ", by default" : ""}`)),
  domainTiles(rule.domains.map(({value, pods}) => [value, pods]), rule.moreDomains),
];

const policy = ({name: of, kept, message}) => h("p", null, "policy ", words(of), " ", h("span", {class: kept ? "quiet" : "broken"}, kept ? "kept" : "broken"), message && [": ", words(message)]);
