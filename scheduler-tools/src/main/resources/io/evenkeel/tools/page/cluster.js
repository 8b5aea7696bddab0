// All nodes as squares, domain beside domain.

import {button, copyable, count, figure, folded, h, heads, link, more, name, nodeLink, note, notice, number, percent, podLink, podPath, quantity, route, rowHead, search, show, words} from "./dom.js";
import {bar} from "./draw.js";
import {fieldOf, flagsOf} from "./field.js";
import {follows} from "./remedy.js";

export const title = "Cluster";

const TOLD = 200; // domains and nodes in the tables, workloads to choose from

export function open(page, root, query) {
  let {key, colour, node: opened} = Object.fromEntries(query);
  const where = page.where?.pod === query.get("where") ? page.where : undefined;
  page.where = undefined;

  const trouble = h("div");
  const body = h("div", {hidden: true});
  const lead = h("p", {class: "lead"});
  const tools = h("div", {class: "row"});
  const shown = h("div", {class: "where", hidden: !where});
  const field = fieldOf(chosen => openNode(chosen), where?.remedy);
  const panel = h("aside", {class: "panel", hidden: true, "aria-label": "The node"});
  const domains = h("section");
  const nodes = h("section");
  let listed; // which nodes are in the table, where it is open
  root.append(
    h("h1", null, "Cluster"), lead, trouble, shown,
    h("div", {class: "split"}, body, panel),
  );
  body.append(tools, field.element, domains, nodes);

  const question = () => ({...(key && {key}), ...(colour && {colour})});
  const follower = page.follow("cluster", trouble, signal => page.get("cluster", question(), signal), draw);
  let panelFollower;
  let workloads = [];
  let drawn;
  page.get("workloads", {}).then(answer => {
    workloads = answer.workloads.slice(0, TOLD);
    if (drawn) show(tools, choices(drawn));
  }, () => {});

  function draw(cluster) {
    drawn = cluster;
    const {nodes: all, pods} = sums(cluster);
    show(trouble, all === 0 && notice("There are no nodes", "The cluster is empty. Nodes appear here as they join."));
    lead.textContent = `${count(all, "node")} in ${count(cluster.domains.length, "domain")} of ${cluster.key}, with ${count(pods, "pod")}.`;
    lead.hidden = body.hidden = all === 0;
    show(tools, choices(cluster));
    show(domains, cluster.domains.length > 0 && table(cluster));
    show(nodes, cluster.nodes && all > 0 && nodeTable());
    field.draw(cluster);
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
        cluster.colours.map(of => option(of, of === "fullest" ? "what is fullest" : of, cluster.colour)),
        current.length > 0 && h("optgroup", {label: "pods of"}, current.map(of => option(of, of.slice("workload:".length), cluster.colour))),
      ),
      h("span", {class: "zoom"}, button("−", () => field.zoom(-1), {"aria-label": "Smaller squares"}), button("+", () => field.zoom(1), {"aria-label": "Larger squares"}), button("Fit", () => field.zoom(0))),
    ];
  }

  /** The same as the squares say, for who does not see them, and to copy. */
  function nodeTable() {
    const unfold = event => {
      listed = event.currentTarget.open ? (listed ?? "") : undefined;
      show(nodes, nodeTable());
    };
    return h("details", {ontoggle: unfold}, h("summary", null, "All nodes as a table"), listed !== undefined && [
      h("div", {class: "row"}, search(looked => {
        listed = looked;
        show(nodes, nodeTable());
      })),
      nodeRows(drawn, listed),
    ]);
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
    field.focus();
  }

  panel.onkeydown = event => event.key === "Escape" && closeNode();

  // Where a pod would go

  const told = h("div", {role: "status"}, "Nothing is changed yet.");
  const following = where && follows(page, where.pod, text => show(told, text), node => {
    shown.querySelector("button")?.remove();
    field.land(node);
  });
  if (where) {
    const {pod, remedy} = where;
    show(
      shown,
      h("p", null, podLink(pod), " would go to ", name(remedy.node), ": ", words(remedy.text), "."),
      h("p", {class: "row"}, page.state.canApply && button("Apply", () => following.apply(remedy), {class: "main"}), link(podPath(pod), {}, "Back to the pod")),
    );
    shown.append(told);
  }

  return {
    heard(event, data) {
      following?.heard(event, data);
      if (event === "decision" && data.kind === "placed" && page.isNew(data)) field.flash(data.node);
    },
    close: field.close,
  };
}

const total = numbers => numbers.reduce((sum, of) => sum + of, 0);

/** How many there are, with nodes that have no such label. */
const sums = ({nodes, cells, domains}) =>
  nodes ? {nodes: nodes.name.length, pods: total(nodes.pods)} : {nodes: total(cells.nodes), pods: total(domains.map(of => of.pods))};

const nodeFacts = node => [
  h("p", null, node.ready ? "Ready" : h("strong", {class: "broken"}, "Not ready"), node.cordoned && [", ", h("strong", null, "cordoned")], `; ${count(node.pods.length + node.morePods, "pod")}.`),
  h("dl", {class: "bars"}, Object.entries(node.resources).map(([resource, use]) => [
    h("dt", null, name(resource)),
    h("dd", null, bar({share: use.share}), h("span", {class: "figure", title: `${use.asked} of ${use.allocatable}`}, `${quantity(use.asked, resource)} of ${quantity(use.allocatable, resource)}`)),
  ])),
  node.taints.length > 0 && [h("h3", null, "Taints"), h("ul", {class: "names"}, node.taints.map(taint => h("li", null, words(taint))))],
  h("h3", null, "Pods"),
  node.pods.length === 0
    ? note("None.")
    : h("table", {class: "pods"}, heads("Pod", "cpu", "memory"), h("tbody", null, node.pods.map(({pod, cpu = "–", memory = "–"}) =>
        h("tr", {"data-key": pod}, h("td", null, podLink(pod)), figure(cpu), figure(memory))))),
  more(node.morePods),
  folded("Labels", h("ul", {class: "names"}, Object.entries(node.labels).map(([label, value]) => h("li", null, words(`${label}=${value}`))))),
];

/** The domains in numbers. */
function table({domains, key}) {
  const known = new Set(domains.slice(0, TOLD).flatMap(({resources}) => Object.keys(resources)));
  const resources = ["cpu", "memory", ...[...known].filter(of => of !== "cpu" && of !== "memory")].filter(of => known.has(of)).slice(0, 4);
  const between = of => {
    const sorted = domains.map(of).sort((a, b) => a - b);
    return sorted.at(-1) - sorted[0];
  };
  return [
    h("h2", null, "Domains of ", words(key)),
    copyable(
      "Domains in numbers",
      h(
        "table",
        {class: "domains"},
        heads("Domain", "Nodes", "Pods", ...resources.map(of => `${of} asked for`)),
        h("tbody", null, domains.slice(0, TOLD).map(domain =>
          h("tr", {"data-key": domain.name}, rowHead(name(domain.name)), figure(number(domain.nodes)), figure(number(domain.pods)), resources.map(of => shareCell(domain.resources[of], of))))),
        domains.length > 1 && h("tfoot", null, h("tr", null, rowHead("Fullest less emptiest"), figure(number(between(of => of.nodes))), figure(number(between(of => of.pods))),
          resources.map(of => h("td", null, percent(between(domain => domain.resources[of]?.share ?? 0)))))),
      ),
    ),
    more(domains.length - TOLD),
  ];
}

/** The fullest nodes first, with this in their name or that of their domain. */
function nodeRows({nodes, domains, resources, unit, key}, looked) {
  const rows = nodes.name.map((of, i) => i).filter(i => `${nodes.name[i]} ${domains[nodes.domain[i]]?.name ?? ""}`.toLowerCase().includes(looked));
  rows.sort((a, b) => nodes.level[b] - nodes.level[a]);
  const level = i => (nodes.level[i] < 0 ? "–" : unit === "share" ? percent(nodes.level[i] / 1000) : number(nodes.level[i]));
  return [
    copyable(
      "Nodes in numbers",
      h(
        "table",
        {class: "nodes"},
        heads("Node", "Pods", unit === "share" ? "Full" : "Pods of the workload", ...(resources ? ["Of what"] : []), key, "State"),
        h("tbody", null, rows.slice(0, TOLD).map(i =>
          h("tr", {"data-key": nodes.name[i]}, rowHead(nodeLink(nodes.name[i])), figure(number(nodes.pods[i])), figure(level(i)),
            resources && h("td", null, nodes.level[i] > 0 && resources[nodes.of[i]]), h("td", null, name(domains[nodes.domain[i]]?.name ?? "–")),
            h("td", null, flagsOf(nodes.flags[i]) || "ready")))),
      ),
    ),
    more(rows.length - TOLD),
  ];
}

const shareCell = (use, resource) => h("td", {class: "share"}, use && [bar({share: use.share}), h("span", {class: "figure"}, percent(use.share)), h("span", {class: "quiet", title: `${use.asked} of ${use.allocatable}`}, ` ${quantity(use.asked, resource)} of ${quantity(use.allocatable, resource)}`)]);
