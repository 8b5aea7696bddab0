// Gangs with who is missing, and policies with their domains.

import {count, dim, h, more, name, nodeLink, note, number, podLink, section, show, words} from "./dom.js";
import {bar, domainTiles} from "./draw.js";

export const title = "Groups";

const NAMED = 100; // members that are told

export function open(page, root) {
  page.follow("cluster", root, signal => page.get("groups", {}, signal), ({groups, policies, more: rest = 0}) => {
    const short = groups.filter(({inPlace, needed}) => inPlace < needed).length;
    const broken = policies.filter(({kept}) => !kept).length;
    show(
      root,
      h("h1", null, "Groups and policies"),
      h("p", {class: "lead"}, `${count(groups.length + rest, "group")}, ${number(short)} not in place. ${number(policies.length)} ${policies.length === 1 ? "policy" : "policies"}, ${number(broken)} broken.`),
      h("div", {class: "columns"},
        h("div", null, section("Groups", groups.length ? groups.map(group) : note("There are no groups."), more(rest))),
        h("div", null, section("Policies", policies.length ? policies.map(policy) : note("There are no policies.")))),
    );
  });
}

const heading = (namespace, of, kind) => h("h3", null, kind && dim(kind, " "), name(namespace ? `${namespace}/${of}` : of));

function group({namespace, name: of, kind, needed, inPlace, waiting, missing, message, members}) {
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

const policy = ({namespace, name: of, kept, message, rules}) =>
  h(
    "article",
    {"data-key": `${namespace}/${of}`, class: "rule"},
    heading(namespace, of),
    h("p", null, h("span", {class: kept ? "quiet" : "broken"}, kept ? "kept" : "broken"), message && [": ", words(message)]),
    rules.map(({topologyKey, skew, domains, moreDomains}) => [
      h("p", null, dim("over "), words(topologyKey), skew !== undefined && dim(`, skew ${number(skew)}`)),
      domainTiles(domains.map(({value, pods}) => [value, pods]), moreDomains),
    ]),
  );
