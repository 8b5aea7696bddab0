// A remedy done: asked of the server, and the pod followed until it has its node.

import {h, milliseconds, nodeLink, podLink, words} from "./dom.js";
import {Failure} from "./net.js";

/** A pod without what its Deployment or ReplicaSet adds, in the letters that these take: made again it has another end. */
const stem = pod => pod.replace(/(-[bcdfghjklmnpqrstvwxz2456789]{6,10})?-[bcdfghjklmnpqrstvwxz2456789]{5}$/, "");

/**
 * @param tell shows what is to be said
 * @param landed takes the node when the pod has one, and the pod, which may have been made again under another name
 */
export function follows(page, pod, tell, landed = () => {}) {
  let began;

  async function apply(remedy) {
    tell(h("p", null, "Applying…"));
    try {
      began = performance.now();
      const {message} = await page.put("apply", {pod, changes: remedy.changes});
      if (began) tell(h("p", null, words(message), ". The pod waits for its next attempt…"));
    } catch (failure) {
      if (!(failure instanceof Failure)) throw failure;
      began = undefined;
      tell(h("p", {class: "broken"}, "Not applied: ", words(failure.message)));
    }
  }

  function heard(event, data) {
    if (event !== "decision" || data.kind !== "placed") return;
    if (began ? stem(data.pod) !== stem(pod) : data.pod !== pod || !page.isNew(data)) return;
    const after = began && `, ${milliseconds(performance.now() - began)} after the change`;
    began = undefined;
    tell(h("p", {class: "done"}, podLink(data.pod), " is placed on ", nodeLink(data.node), after, "."));
    landed(data.node, data.pod);
  }

  return {apply, heard, isApplying: () => began !== undefined};
}
