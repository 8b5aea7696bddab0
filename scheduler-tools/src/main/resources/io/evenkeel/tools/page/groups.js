// Gangs with who is missing, and policies with their domains.

import {count, dim, h, more, name, nodeLink, note, number, podLink, section, show, strictness, words} from "./dom.js";
import {bar, domainColumns, domainTiles} from "./draw.js";

export const title = "Groups";

const NAMED = 100; // members that are told
const FEW = 12; // domains that are told by name

const STATES = {kept: "kept", broken: "broken", impossible: "not all pods can be placed", invalid: "not valid, so not in force", unknown: "not looked at yet"};

export const isKept = ({state}) => state === "kept" || state === "unknown";

/** Whether a policy is kept, in words. */
export const stateOf = policy => h("span", {class: isKept(policy) ? "state" : "state broken"}, STATES[policy.state] ?? policy.state);

export function open(page, root, query) {
  const looked = query.get("policy");
  let found = false;
  page.follow("cluster", root, signal => page.get("groups", {}, signal), ({groups, policies, more: rest = 0, morePolicies}) => {
    const short = groups.filter(({inPlace, needed}) => inPlace < needed).length;
    const broken = policies.filter(policy => !isKept(policy)).length;
    show(
      root,
      h("h1", null, "Groups and policies"),
      h("p", {class: "lead"}, `${count(groups.length + rest, "group")}, ${number(short)} not in place. ${number(policies.length + morePolicies)} ${policies.length === 1 ? "policy" : "policies"}, ${number(broken)} not kept or not possible.`),
      h("div", {class: "columns"},
        h("div", null, section("Groups", groups.length ? groups.map(group) : note("There are no groups: no pod asks to be placed together with others."), more(rest))),
        h("div", null, section("Policies", policies.length ? policies.map(of => policy(of, looked)) : note("There are no policies, or the scheduler's profile does not look at them."), more(morePolicies)))),
    );
    if (looked && !found) root.querySelector(".looked")?.scrollIntoView({block: "center"});
    found = true;
  });
}

const heading = (namespace, of, kind) => h("h3", null, name(namespace ? `${namespace}/${of}` : of), " ", dim(kind));

/** A group: how many of it are there, who they are, and why it waits. */
export function group({namespace, name: of, kind, needed, inPlace, waiting, missing, message, members}) {
  const least = Math.max(1, needed);
  return h(
    "article",
    {"data-key": `${kind}/${namespace}/${of}`, class: "rule"},
    heading(namespace, of, kind),
    h("div", {class: "row"}, bar({share: inPlace / least, more: Math.min(waiting, least - inPlace) / least, broken: missing > 0}),
      h("span", null, `${number(inPlace)} of ${number(needed)} in place`, waiting > 0 && `, ${number(waiting)} waiting`, missing > 0 && h("strong", {class: "broken"}, `, ${number(missing)} missing`))),
    message && h("p", null, words(message)),
    h("details", {open: missing > 0}, h("summary", null, count(members.length, "member")),
      h("dl", {class: "facts"}, members.slice(0, NAMED).map(({pod, node}) => [h("dt", null, podLink(pod)), h("dd", null, node ? nodeLink(node) : "waiting")]),
        missing > 0 && [h("dt", null, `${number(missing)} more`), h("dd", {class: "broken"}, "not made")]),
      more(members.length - NAMED)),
  );
}

function policy(of, looked) {
  const {namespace, name: own, kind, message, placed, waiting, rules} = of;
  return h(
    "article",
    {"data-key": `${kind}/${namespace}/${own}`, class: own === looked ? "rule looked" : "rule"},
    heading(namespace, own, kind),
    h("p", null, stateOf(of), " ", words(message), dim(`; ${count(placed, "pod")} placed, ${number(waiting)} waiting`)),
    rules.map(rule),
  );
}

function rule({topologyKey, limits, whenUnsatisfiable, skew, domains, moreDomains}) {
  const told = domains.map(({value, pods}) => [value, pods]);
  return [
    h("p", null, h("strong", null, limits.join("; ")), dim(" over "), words(topologyKey), dim(`, skew ${number(skew)}, `), strictness(whenUnsatisfiable)),
    told.length > FEW ? domainColumns(told, moreDomains) : domainTiles(told, moreDomains),
  ];
}
