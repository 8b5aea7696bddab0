// Another configuration of the scheduler: given here, and beside the present one.

import {figure, h, heads, note, number, rowHead, scrolls, section, words} from "./dom.js";

const LONGEST = 256 * 1024; // as the server takes
const TOLD = 20; // constraints

let given = ""; // for as long as the tab is open: it is too long for an address

export const configuration = () => given;

/** Where a configuration is typed or taken from a file, folded while there is none. */
export function configurationField() {
  const told = h("p", {class: "broken", role: "status"});
  const text = h("textarea", {
    id: "configuration", rows: "8", spellcheck: "false", autocomplete: "off", "aria-describedby": "configuration-hint",
    oninput: () => take(text.value),
  });
  text.value = given;

  function take(typed) {
    const bytes = new Blob([typed]).size;
    told.textContent = bytes > LONGEST ? `It has ${number(bytes)} bytes, and at most ${number(LONGEST)} are taken.` : "";
    given = bytes > LONGEST ? "" : typed;
  }

  const file = h("input", {
    id: "configuration-file", type: "file", accept: ".yaml,.yml,.json",
    async onchange() {
      const [chosen] = file.files;
      if (!chosen) return;
      text.value = chosen.size > LONGEST ? "" : await chosen.text();
      take(chosen.size > LONGEST ? " ".repeat(chosen.size) : text.value);
    },
  });
  return h(
    "details",
    {open: given !== ""},
    h("summary", null, "Another configuration"),
    h("div", {class: "stack"},
      h("label", {for: "configuration"}, "KubeSchedulerConfiguration"),
      text,
      h("div", {class: "row"}, h("label", {for: "configuration-file"}, "From a file"), file),
      told,
      h("p", {id: "configuration-hint", class: "quiet"}, "It places what has to be placed, beside the present configuration; tick “all pods again” to compare the two by all pods. It is kept in this tab, and sent to this server only.")),
  );
}

/** By both configurations, side by side. */
export function comparison(answer) {
  const {compared} = answer;
  const rows = [
    ["pods placed", answer.placed, compared.placed],
    ["pods that wait", answer.pending, compared.pending],
    ["pods that go elsewhere", answer.moved, compared.moved],
    ["nodes in use", answer.after.nodesInUse, compared.after.nodesInUse],
    ...answer.spread.slice(0, TOLD).map(rule => {
      const same = compared.spread.find(({workload, topologyKey}) => workload === rule.workload && topologyKey === rule.topologyKey);
      return [`skew of ${rule.workload} over ${rule.topologyKey}`, rule.after.skew, same?.after.skew];
    }),
  ];
  return section(
    "By both configurations",
    scrolls(
      "By both configurations",
      h("table", {class: "zones"}, heads("After", "this one", compared.with), h("tbody", null, rows.map(([what, ours, theirs]) =>
        h("tr", null, rowHead(words(what)), cell(ours, theirs), cell(theirs, ours))))),
    ),
    note(compared.onOtherNodes === 0 ? "Every pod goes to the same node by both." : `${number(compared.onOtherNodes)} ${compared.onOtherNodes === 1 ? "pod goes" : "pods go"} to another node by this one.`),
  );
}

const cell = (value, other) => figure(value === undefined ? "–" : value === other ? number(value) : h("strong", null, number(value)));
