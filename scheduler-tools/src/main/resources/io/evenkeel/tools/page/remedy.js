// A remedy done: asked of the server, and the pod followed until it has its node.

import {h, milliseconds, nodeLink, words} from "./dom.js";
import {Failure} from "./net.js";

/**
 * @param tell shows what is to be said
 * @param landed takes the node when the pod has one
 */
export function follows(page, pod, tell, landed = () => {}) {
  let began;
  let name = pod;

  async function apply(remedy) {
    tell(h("p", null, "Applying…"));
    try {
      began = performance.now();
      const {message, pod: again} = await page.put("apply", {pod, changes: remedy.changes});
      name = again ?? pod; // made again under another name
      if (began) tell(h("p", null, words(message), ". The pod waits for its next attempt…"));
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      began = undefined;
      tell(h("p", {class: "broken"}, "Not applied: ", words(failure.message)));
    }
  }

  function heard(event, data) {
    if (event !== "decision" || data.pod !== name || data.kind !== "placed" || !(began || page.isNew(data))) return;
    const after = began && ` ${milliseconds(performance.now() - began)} after the change`;
    began = undefined;
    tell(h("p", {class: "done"}, "Placed on ", nodeLink(data.node), after, "."));
    landed(data.node);
  }

  return {apply, heard};
}
