package io.evenkeel.plugins;

import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.QueueSortPlugin;
import io.evenkeel.api.QueuedPod;
import io.evenkeel.framework.TreeContext;

/** The higher priority first; of equal ones, the pod that has been in the queue for longer. */
final class PrioritySort implements QueueSortPlugin {
    public static final String NAME = "PrioritySort";
    public static final PluginFactory FACTORY = TreeContext.factory(NAME, PrioritySort.class, PrioritySort::new);

    public PrioritySort(TreeContext context) {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int compare(QueuedPod left, QueuedPod right) {
        int byPriority =
                Integer.compare(right.pod().spec().priority(), left.pod().spec().priority());
        return byPriority != 0 ? byPriority : Long.compare(left.queuedAtNanos(), right.queuedAtNanos());
    }
}
