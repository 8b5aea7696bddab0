package io.evenkeel.framework.why;

import io.evenkeel.model.Pod;

/**
 * A pod in place that goes, and does not come again.
 *
 * @param node where it is
 */
public record PodGone(Pod pod, String node) implements Change {
    @Override
    public Kind kind() {
        return Kind.POD_GONE;
    }

    @Override
    public String text() {
        return "pod " + pod.key() + " gone from node " + node;
    }
}
