// Which pods wait, by cause.

import {command, count, dim, folded, h, lasting, more, note, number, podLink, show, words} from "./dom.js";

export const title = "Waiting";

const NAMED = 100; // pods of a cause that are told

export function open(page, root) {
  page.follow("waiting", root, signal => page.get("waiting", {}, signal), draw);

  function draw({causes, more: rest}) {
    const pods = causes.reduce((sum, cause) => sum + cause.pods, 0);
    show(
      root,
      h("h1", null, "Waiting"),
      h("p", {class: "lead"}, pods === 0 ? "No pod waits." : `${count(causes.length, "cause")} ${causes.length === 1 ? "holds" : "hold"} up ${count(pods, "pod")}.`),
      h("ol", {class: "causes"}, causes.map(row)),
      more(rest),
    );
  }
}

function row(cause) {
  return h(
    "li",
    {"data-key": cause.pod},
    h("p", {class: "big"}, number(cause.pods), dim(cause.pods === 1 ? " pod" : " pods")),
    h(
      "div",
      null,
      h("h2", null, podLink(cause.pod), cause.pods > 1 && dim(` and ${count(cause.pods - 1, "other")}`)),
      h("p", null, words(cause.cause)),
      cause.since && note(lasting(cause.since)),
      cause.notes?.map(text => h("p", null, words(text))),
      cause.remedy && help(cause),
      cause.others.length > 0 && others(cause),
    ),
  );
}

function help({remedy, pods}) {
  const frees = pods > 1 && remedy.frees !== undefined && ` It frees ${number(remedy.frees)}${remedy.orMore ? " or more" : ""} of ${number(pods)}.`;
  return [h("p", null, h("strong", null, "Would help: "), words(remedy.text), ".", frees), remedy.command && command(remedy.command)];
}

function others({others: pods, pods: all}) {
  return folded(
    "The others",
    h("ul", {class: "names"}, pods.slice(0, NAMED).map(pod => h("li", null, podLink(pod)))),
    more(all - 1 - Math.min(NAMED, pods.length)),
  );
}
