package io.evenkeel.whatif.rebalance;

import io.evenkeel.model.Pod;
import io.evenkeel.model.write.Tree;

/** A running pod that its owner is to run on another node: it is evicted, and the pod that comes in its place goes there. */
public record Move(Pod pod, String from, String to) {

    /** As all answers write it. */
    public Tree tree() {
        return new Tree().put("pod", pod.key()).put("from", from).put("to", to);
    }
}
