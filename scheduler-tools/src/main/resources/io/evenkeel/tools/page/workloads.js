// Workloads: how many pods there are, how they are spread, and whether their policies are kept.

import {button, copyable, count, dim, h, heads, link, more, name, note, number, rowHead, search, show, strictness, words} from "./dom.js";
import {domainColumns, domainTiles, remember, sparkline} from "./draw.js";
import {isKept, stateOf} from "./groups.js";

export const title = "Workloads";

const SHOWN = 50; // at first, and more with each press
const REMEMBERED = 2000; // workloads with a line

const FEW = 4; // domains that are told by name

const skews = new Map(); // since the page was opened, by workload: when, and the largest

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
  const tools = h("div", {class: "row", hidden: true}, search(looked => {
    filter = looked;
    draw();
  }), h("label", null, box, " Only what waits or is broken"));
  root.append(h("h1", null, "Workloads"), lead, tools, body);
  page.follow("cluster", body, signal => page.get("workloads", {}, signal), got => {
    answer = got;
    for (const workload of got.workloads) recall(workload);
    draw();
  });

  function draw() {
    const all = answer.workloads;
    const chosen = all.filter(of => (!only || troubled(of)) && `${of.namespace}/${of.name} ${of.kind}`.toLowerCase().includes(filter));
    chosen.sort((a, b) => troubled(b) - troubled(a));
    tools.hidden = all.length === 0;
    lead.textContent = all.length === 0 ? "There are no workloads. Deployments, StatefulSets, Jobs and others appear here with their first pod." : `${count(all.length + answer.more, "workload")}, ${number(all.filter(troubled).length)} with pods that wait or rules that are broken.`;
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

const troubled = ({waiting, constraints, policies}) => waiting > 0 || constraints.some(isBroken) || policies.some(policy => !isKept(policy));

const keyOf = ({namespace, kind, name: of}) => `${namespace}/${kind}/${of}`;

function recall(workload) {
  if (workload.constraints.length === 0) return;
  const key = keyOf(workload);
  if (!skews.has(key) && skews.size >= REMEMBERED) return;
  const past = skews.get(key) ?? [];
  const skew = Math.max(...workload.constraints.map(of => of.skew));
  if (past.at(-1)?.[1] !== skew) skews.set(key, remember(past, [Date.now(), skew]));
}

const table = workloads =>
  copyable(
    "Workloads",
    h(
      "table",
      {class: "workloads stacks"},
      heads("Workload", "Wanted", "Placed", "Waiting", "Spread", "Policies", "Skew over time"),
      h("tbody", null, workloads.map(row)),
    ),
  );

function row(workload) {
  const {namespace, kind, name: of, wanted, placed, waiting, constraints, policies} = workload;
  const past = skews.get(keyOf(workload));
  return h(
    "tr",
    {"data-key": keyOf(workload)},
    rowHead(name(`${namespace}/${of}`), h("div", {class: "quiet"}, kind)),
    amount("wanted", wanted),
    amount("placed", placed),
    h("td", {class: "figure", "data-what": "waiting"}, waiting > 0 ? h("a", {href: "#/waiting"}, number(waiting)) : "0"),
    h("td", {class: "spread"}, constraints.map(constraint), constraints.length === 0 && dim("no constraint")),
    h("td", {class: "kept"}, policies.map(policy), policies.length === 0 && dim("no policy")),
    h("td", {class: "past"}, past && trend(past)),
  );
}

const amount = (what, value) => h("td", {class: "figure", "data-what": what}, value === undefined ? "–" : number(value));

function constraint(rule) {
  const domains = rule.domains.map(({value, pods}) => [value, pods]);
  return h(
    "div",
    {class: "constraint"},
    h("p", null, words(rule.topologyKey), " ",
      h("span", {class: isBroken(rule) ? "broken" : "quiet"}, isBroken(rule) ? `skew ${number(rule.skew)}, more than ${number(rule.allowed)}` : `skew ${number(rule.skew)} of ${number(rule.allowed)}`),
      dim(", "), strictness(rule.whenUnsatisfiable), rule.byDefault && dim(" by default")),
    domains.length > FEW ? domainColumns(domains, rule.moreDomains) : domainTiles(domains, rule.moreDomains),
  );
}

const policy = of => h("p", null, link(["groups"], {policy: of.name}, name(of.name)), " ", stateOf(of), !isKept(of) && dim(" ", words(of.message)));

const trend = past => [
  sparkline(past, `the largest skew, from ${number(past[0][1])} to ${number(past.at(-1)[1])}`, Date.now()),
  " ",
  h("span", {title: `the largest skew, since ${new Date(past[0][0]).toLocaleTimeString()}`}, number(past.at(-1)[1])),
];
