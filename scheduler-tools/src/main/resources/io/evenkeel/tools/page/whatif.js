import {h} from "./dom.js";
export const title = "Whatif";
export function open(page, root) { root.append(h("h1", null, title)); }
