// What would become of the cluster if it were changed.

import {count, dim, figure, h, heads, input, more, name, nodeLink, note, number, percent, quantity, route, rowHead, scrolls, section, show, words} from "./dom.js";
import {comparison, configuration, configurationField} from "./compared.js";
import {bar, domainTiles} from "./draw.js";

export const title = "What if";

const OFFERED = 500; // nodes and workloads to choose from
const TOLD = 50; // of what moves or waits

export function open(page, root, query) {
  const told = h("div", {class: "stack"});
  const lists = h("div");
  root.append(
    h("h1", null, "What if"),
    h("p", {class: "lead"}, "Change a copy of the cluster and see what moves and what waits. Nothing is written to the cluster."),
    form(query), lists, told,
  );
  offer(page, lists);
  const asked = question(query);
  const other = configuration();
  const ask = signal => (other ? page.send("whatif", asked, other, signal) : page.get("whatif", asked, signal));
  if (asked.size || other) page.follow("nothing", told, ask, answer => {
    show(told, ...result(answer));
    page.say(verdict(answer));
  });
}

/** What the form says, as the server wants it. */
function question(query) {
  const asked = new URLSearchParams();
  if (query.get("workload")) asked.append("scale", `${query.get("workload")}=${query.get("to")}`);
  for (const field of ["drain", "lose", "anew", ...(query.get("addNodes") ? ["addNodes", "like", "zone"] : [])]) {
    if (query.get(field)) asked.append(field, query.get(field));
  }
  return asked;
}

function form(query) {
  const field = (id, label, attributes) => [
    h("label", {for: id}, label),
    input({id, name: id, value: query.get(id) ?? "", class: attributes.type ? "short" : undefined, ...attributes}),
  ];
  const amount = {type: "number", min: "0"};
  return h(
    "form",
    {
      class: "whatif",
      onsubmit(event) {
        event.preventDefault();
        const filled = [...new FormData(event.currentTarget)].filter(([, value]) => value);
        const to = route(["whatif"], filled);
        if (to === location.hash) dispatchEvent(new HashChangeEvent("hashchange"));
        else location.hash = to;
      },
    },
    h("div", {class: "row"}, field("workload", "Scale", {list: "workloads", placeholder: "shop/deployment/web"}), field("to", "to", amount)),
    h("div", {class: "row"}, field("addNodes", "Add", amount), field("like", "nodes like", {list: "nodes"}), field("zone", "in zone", {list: "zones"})),
    h("div", {class: "row"}, field("drain", "Drain", {list: "nodes", placeholder: "node-1,node-2"})),
    h("div", {class: "row"}, field("lose", "Lose", {list: "losses", placeholder: "zone=zone-a"})),
    h("div", {class: "row"}, h("label", null, h("input", {type: "checkbox", name: "anew", value: "true", checked: query.has("anew")}), " Place all pods again that have an owner")),
    configurationField(),
    h("p", null, h("button", {class: "main"}, "Try it")),
  );
}

/** What there is, to choose from. */
async function offer(page, lists) {
  const [cluster, {workloads}] = await Promise.all([page.get("cluster", {}), page.get("workloads", {})]).catch(() => [{domains: []}, {workloads: []}]);
  const list = (id, values) => h("datalist", {id}, values.slice(0, OFFERED).map(value => h("option", {value})));
  const domains = cluster.domains.map(({name: of}) => of);
  show(
    lists,
    list("workloads", workloads.map(({namespace, kind, name: of}) => `${namespace}/${kind.toLowerCase()}/${of}`)),
    list("nodes", cluster.nodes?.name ?? []),
    list("zones", domains),
    list("losses", domains.map(of => `zone=${of}`)),
  );
}

function verdict({placed, pending, moved, gone}) {
  const parts = [
    pending > 0 ? `${number(pending)} of ${count(placed + pending, "pod")} would wait` : placed > 0 ? `All ${count(placed, "pod")} find nodes` : "No pod has to be placed",
    moved > 0 && `${number(moved)} ${moved === 1 ? "goes" : "go"} elsewhere`,
    gone.length > 0 && `${count(gone.length, "pod")} gone for good`,
  ];
  return `${parts.filter(Boolean).join("; ")}.`;
}

const result = answer => [
  h("h2", {class: answer.pending ? "verdict broken" : "verdict"}, verdict(answer)),
  answer.changes.map(change => note(words(change))),
  answer.compared && comparison(answer),
  zones(answer),
  h("div", {class: "columns"}, h("div", null, waits(answer), leaves(answer)), h("div", null, moves(answer), spread(answer))),
  answer.remarks.length > 0 && h("ul", {class: "quiet remarks"}, answer.remarks.map(remark => h("li", null, words(remark)))),
];

/** Zones before and after, side by side. */
function zones({before, after}) {
  const names = [...new Set([...Object.keys(before.zones), ...Object.keys(after.zones)])].sort();
  const row = (title, was, is) =>
    h("tr", null, rowHead(title), pair(was?.nodes, is?.nodes, number), pair(was?.pods, is?.pods, number), use(was, "cpu"), use(is, "cpu"), use(was, "memory"), use(is, "memory"));
  return scrolls(
    "Zones before and after",
    h(
      "table",
      {class: "zones"},
      heads("Zone", "Nodes", "Pods", "cpu before", "cpu after", "memory before", "memory after"),
      h("tbody", null, names.map(zone => row(zone ? name(zone) : "without a zone", before.zones[zone], after.zones[zone]))),
      h("tfoot", null, row("all", before, after)),
    ),
  );
}

const pair = (was, is, written) => figure(was === is ? written(is) : [was === undefined ? "–" : written(was), " → ", h("strong", null, is === undefined ? "–" : written(is))]);

function use(of, resource) {
  const allocatable = of?.[`${resource}Allocatable`];
  if (!allocatable) return h("td", {class: "share"}, "–");
  const share = of[resource] / allocatable;
  return h("td", {class: "share"}, bar({share}), h("span", {class: "figure", title: `${quantity(`${of[resource]}`, resource)} of ${quantity(`${allocatable}`, resource)}`}, percent(share)));
}

/** Those that wait, by workload and reason. */
function waits({pods}) {
  const waiting = pods.filter(({message, notMadeBefore}) => message || notMadeBefore);
  if (waiting.length === 0) return undefined;
  const rows = grouped(waiting, ({workload, message, notMadeBefore}) => `${workload}\n${message ?? `not made before ${notMadeBefore} is in place`}`);
  return section("What waits", h("ul", null, rows.slice(0, TOLD).map(([key, of]) => {
    const [workload, reason] = key.split("\n");
    return h("li", null, h("strong", null, words(workload)), ` ${count(of.length, "pod")}: `, dim(words(reason)));
  })), more(rows.length - TOLD));
}

/** Those that go elsewhere, by workload and way. */
function moves({pods}) {
  const placed = pods.filter(({node}) => node);
  if (placed.length === 0) return undefined;
  const rows = grouped(placed, ({workload, instead, node}) => JSON.stringify([workload, instead?.node, node]));
  return section("Where pods go", h("ul", null, rows.slice(0, TOLD).map(([key, of]) => {
    const [workload, from, to] = JSON.parse(key);
    return h("li", null, words(workload), " ", from ? [nodeLink(from), " → "] : "→ ", nodeLink(to), of.length > 1 && dim(` ${count(of.length, "pod")}`));
  })), more(rows.length - TOLD));
}

function grouped(items, by) {
  const groups = new Map();
  for (const item of items) {
    const key = by(item);
    if (!groups.get(key)?.push(item)) groups.set(key, [item]);
  }
  return [...groups].sort(([, a], [, b]) => b.length - a.length);
}

const leaves = ({gone, evicted, pods}) => [
  list("Gone for good, as nothing makes them again", gone.map(pod => words(pod))),
  list("Evicted", evicted.map(({pod, node, for: by}) => [words(pod), " from ", name(node), " for ", words(by)])),
  list("Preempted", pods.filter(({preemptedBy}) => preemptedBy).map(({pod, preemptedBy}) => [words(pod), " for ", words(preemptedBy)])),
];

const list = (heading, items) =>
  items.length > 0 && section(heading, h("ul", null, items.slice(0, TOLD).map(item => h("li", null, item))), more(items.length - TOLD));

const spread = ({spread: rules}) =>
  rules.length > 0 &&
  section("How pods are spread", rules.map(({workload, topologyKey, maxSkew, whenUnsatisfiable, before, after}) =>
    h("article", {class: "rule"},
      h("h3", null, words(workload), dim(` over ${topologyKey}, maxSkew ${maxSkew}, ${whenUnsatisfiable}`)),
      [["before", before], ["after", after]].map(([when, {skew, domains}]) => [
        h("p", null, dim(when, " "), h("span", {class: skew > maxSkew ? "broken" : undefined}, `skew ${number(skew)}`)),
        domainTiles(Object.entries(domains), 0, Math.max(...Object.values({...before.domains, ...after.domains}))),
      ]))));
