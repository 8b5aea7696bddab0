// Why a pod waits or is where it is, and what would help.

import {button, command, count, dim, duration, folded, h, input, link, name, nodeLink, note, number, podLink, podPath, route, section, separated, show, words} from "./dom.js";
import {bar, domainBars} from "./draw.js";
import {group} from "./groups.js";
import {scoreTable} from "./live.js";
import {Failure} from "./net.js";
import {follows} from "./remedy.js";

export const title = "Waiting";

export function open(page, root, query, [namespace, podName]) {
  const pod = `${namespace}/${podName}`;
  const supposed = query.getAll("if");
  const told = h("div", {class: "told", role: "status"});
  const applying = follows(page, pod, status => show(told, status), (node, made) => {
    if (made === pod) return;
    page.made = {pod: made, told: [...told.children]};
    location.replace(route(podPath(made)));
  });
  if (page.made?.pod === pod) told.append(...page.made.told);
  page.made = undefined;
  const asked = new URLSearchParams([["pod", pod], ...supposed.map(one => ["if", one])]);
  const body = h("div", {class: "stack"});
  root.append(
    h("p", null, link(["waiting"], {}, "All that wait")),
    h("h1", null, h("bdi", {class: "words"}, pod)),
    told,
    body,
  );
  page.follow("waiting", body, ask, answers => answers && show(body, ...whole(page, pod, supposed, ...answers, applying)));
  return {heard: applying.heard};

  /** The answer, and the group that the pod is in; none while it goes and another comes in its place, as was wished. */
  async function ask(signal) {
    try {
      return await Promise.all([page.get("pod", asked, signal), page.get("groups", {pod}, signal).then(({groups}) => groups)]);
    } catch (failure) {
      if (failure instanceof Failure && failure.code === 404 && applying.isApplying()) return undefined;
      throw failure;
    }
  }
}

function whole(page, pod, supposed, answer, groups, applying) {
  const why = answer.judged ?? answer;
  return [
    h("p", {class: "lead"}, verdict(answer)),
    supposed.length > 0 && h("p", {class: "notice"}, "Supposed: ", separated(supposed.map(words), "; "), ". ", link(podPath(pod), {}, "As it is")),
    answer.queue && note(queue(answer.queue)),
    answer.member && note("What follows is said of ", podLink(answer.member), ", which is placed next."),
    groups.length > 0 && section("Its group", groups.map(group)),
    h(
      "div",
      {class: "columns"},
      h(
        "div",
        null,
        why.remedies && remedies(page, pod, why, applying),
        (why.scores || why.others?.length > 0) && scores(why),
        why.objections && section("What its node has against it now", objections(why.objections)),
        suppose(pod, supposed),
        why.inVain?.length > 0 && inVain(why.inVain),
        why.awaited?.length > 0 && awaited(why.awaited),
        remarks(answer),
      ),
      h(
        "div",
        null,
        why.funnel && funnel(why.funnel),
        why.constraints?.length > 0 && section("What is counted", why.constraints.map(constraint)),
        why.nearest?.length > 0 && nearest(why.nearest),
      ),
    ),
  ];
}

function verdict(answer) {
  const at = answer.node && nodeLink(answer.node);
  switch (answer.state) {
    case "held":
      return [words(answer.plugin), " keeps it out of the queue: ", words(answer.message)];
    case "fits":
      return ["It waits for its turn; now it would go to ", at, "."];
    case "retried":
      return ["Now it would go to ", at, ", though its condition says: ", words(answer.message), " ", words(answer.because)];
    case "onItsWay":
      return ["It is on its way to ", at, ", and waits for ", words(answer.waitsFor), "."];
    case "leaving":
      return "It is being deleted, and was on no node.";
    case "inPlace":
      return ["It is on ", at, `; ${count(answer.feasible, "node")} would do now.`];
    default:
      return words(answer.message ?? answer.state);
  }
}

function queue({name: part, attempts, seconds, nextTrySeconds, nominatedNode}) {
  return [
    `${count(attempts, "attempt")}; ${part} for ${duration(seconds)}`,
    nextTrySeconds !== undefined && `; the next attempt is in ${duration(nextTrySeconds)} if nothing changes before`,
    nominatedNode && ["; nominated for ", nodeLink(nominatedNode)],
    ".",
  ];
}

function remedies(page, pod, why, applying) {
  const more = why.moreRemedies;
  return section(
    "What would help",
    why.remedies.length === 0 ? h("p", null, "No single change that was tried would place it.") : note("Each was tried on a copy of the cluster; the mildest is first."),
    h("ol", {class: "remedies"}, why.remedies.map((remedy, i) => h("li", {"data-key": `${i}`}, one(page, pod, remedy, applying)))),
    more > 0 && note(`${number(more)} more would help.`),
  );
}

function one(page, pod, remedy, applying) {
  return [
    h("p", null, h("strong", null, words(remedy.text)), " → goes to ", name(remedy.node), !remedy.smallest && dim(" (less was not tried)")),
    remedy.command && command(remedy.command),
    h(
      "p",
      {class: "row"},
      button("Show where", () => {
        page.where = {pod, remedy};
        location.hash = route(["cluster"], {where: pod});
      }),
      page.state.canApply && button("Apply", () => applying.apply(remedy), {class: "main"}),
      !remedy.command && patches(remedy.changes),
    ),
  ];
}

/** Where no command does it, the change itself. */
const patches = changes =>
  folded(
    "The change as JSON",
    changes.map(change => [change.object && note(words(change.object)), command(JSON.stringify(change.patch ?? change.add ?? change))]),
  );

function funnel({nodes, preFilter, steps}) {
  const step = (plugin, left, text) =>
    h("li", null, h("span", {class: "label"}, plugin), bar({share: nodes ? left / nodes : 0}), h("span", {class: "figure"}, number(left)), h("span", {class: "reasons"}, text));
  return section(
    "Nodes that are left",
    h(
      "ol",
      {class: "funnel"},
      step("All nodes", nodes),
      preFilter && step(preFilter.plugin, 0, words(preFilter.reason)),
      steps.map(({plugin, left, reasons}) =>
        step(plugin, left, separated(Object.entries(reasons).map(([reason, of]) => [h("strong", null, `−${number(of)}`), " ", words(reason)]), "; ")),
      ),
    ),
  );
}

const constraint = rule =>
  h("article", {class: "rule"}, h("h3", null, dim(rule.plugin, " "), words(rule.text)), counted(rule));

function counted(rule) {
  if (rule.maxSkew !== undefined) return spread(rule);
  if (rule.resource !== undefined) return resource(rule);
  if (rule.deviceClass !== undefined) return devices(rule);
  if (rule.domains) return domainBars(rule.domains.map(({domain, matching}) => ({domain, value: matching})));
  if (rule.there) return h("ul", null, Object.entries(rule.there).map(([reason, nodes]) => h("li", null, `${count(nodes, "node")}: `, words(reason))));
  if (rule.driver) return volumes(rule);
  return undefined;
}

/** matching + self − fewest = skew, which is at most maxSkew. */
function spread({domains, self, fewest, maxSkew}) {
  return domainBars(
    domains.map(({domain, matching, counted: counts, skew, allowed}) => ({
      domain,
      value: matching,
      more: self,
      limit: fewest + maxSkew,
      broken: !allowed,
      text: [
        `${matching} + ${self} − ${fewest} = ${skew}`,
        allowed ? " – allowed" : ` – more than maxSkew ${maxSkew}`,
        !counts && dim(" not counted"),
      ],
    })),
  );
}

const resource = ({resource: of, asked, mostFree, node, freeInAll, nodesShort}) =>
  h(
    "dl",
    {class: "facts"},
    fact("asked for", asked),
    fact("free at most", [mostFree, " on ", nodeLink(node)]),
    fact("free on all nodes together", freeInAll),
    fact(`nodes short of ${of}`, number(nodesShort)),
  );

const fact = (term, ...value) => [h("dt", null, term), h("dd", null, value)];

function devices({asked, inAll, nodes, moreNodes, beside, usedBy, usedByOthers}) {
  const lost = there => Object.entries(there.lost).map(([reason, of]) => [`; ${number(of)} `, words(reason)]);
  return [
    h("dl", {class: "facts"}, fact("asked for", asked === 0 ? "all" : number(asked)), fact("on all nodes", `${number(inAll.free)} of ${number(inAll.devices)} free`, lost(inAll))),
    h("ul", null, nodes.map(there => h("li", null, nodeLink(there.node), `: ${number(there.free)} of ${number(there.devices)} free`, lost(there)))),
    moreNodes > 0 && note(`${count(moreNodes, "more node")} with devices of the class.`),
    beside && h("p", null, words(beside)),
    usedBy.length > 0 && h("p", null, "Used by ", separated(usedBy.map(podLink)), usedByOthers > 0 && ` and ${count(usedByOthers, "other")}`, "."),
  ];
}

const volumes = ({nodes}) =>
  domainBars(
    nodes.map(({node, attached, more, limit}) => ({domain: node, value: attached, more, limit, broken: attached + more > limit, text: `${attached} + ${more} of ${limit}`})),
  );

/** Those that lack the same are told together. */
function nearest(nodes) {
  const alike = new Map();
  for (const {node, lacks} of nodes) {
    const key = JSON.stringify(lacks.map(lack => lack.replaceAll(node, "")));
    if (!alike.get(key)?.nodes.push(node)) alike.set(key, {nodes: [node], lacks});
  }
  return section(
    "The nearest nodes",
    h("dl", {class: "facts wide"}, [...alike.values()].map(({nodes: those, lacks}) => fact(separated(those.map(nodeLink)), h("ul", null, lacks.map(lack => h("li", null, words(lack))))))),
  );
}

const scores = ({scores: own, others}) =>
  section(own ? "Its scores now" : "The best other nodes", scoreTable([own, ...(others ?? [])].filter(Boolean).map(({node, total, ...plugins}) => ({node, total, plugins}))));

const objections = list => h("ul", null, list.map(({plugin, reasons}) => h("li", null, dim(plugin, " "), words(reasons.join("; ")))));

const inVain = changes =>
  folded("What would not help", h("ul", null, changes.map(({text, because}) => h("li", null, words(text), dim(" – ", words(because))))));

const awaited = plugins =>
  folded("What it waits for", h("dl", {class: "facts wide"}, plugins.map(({plugin, changes}) => fact(plugin, changes.length ? words(changes.join(", ")) : "any change"))));

function suppose(pod, supposed) {
  return h(
    "form",
    {
      onsubmit(event) {
        event.preventDefault();
        const text = event.currentTarget.querySelector("input").value.trim();
        if (text) location.hash = route(podPath(pod), [...supposed, text].map(one => ["if", one]));
      },
    },
    h("h2", null, "What if"),
    h("label", {for: "suppose"}, "Suppose that there were"),
    h("div", {class: "row"}, input({id: "suppose", "aria-describedby": "suppose-hint"}), h("button", null, "Try")),
    h("p", {id: "suppose-hint", class: "quiet"}, "Such as ", separated(["node ZONE like NODE", "4 more cpu on NODE", "uncordon NODE", "without pod NAMESPACE/NAME", "maxSkew=2"].map(form => h("code", null, form))), ". Nothing is written to the cluster."),
  );
}

const remarks = ({remarks: said = [], alike = []}) => [
  alike.length > 0 && note(`The same is said of ${count(alike.length, "other pod")}: `, separated(alike.slice(0, 20).map(podLink))),
  said.length > 0 && h("ul", {class: "quiet remarks"}, said.map(remark => h("li", null, words(remark)))),
];
