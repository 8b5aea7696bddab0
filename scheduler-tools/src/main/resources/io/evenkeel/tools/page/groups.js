import {h} from "./dom.js";
export const title = "Groups";
export function open(page, root) { root.append(h("h1", null, title)); }
