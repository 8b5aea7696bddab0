package io.evenkeel.plugins;

import io.evenkeel.api.QueueSortPlugin;
import io.evenkeel.api.QueuedPod;
import io.evenkeel.framework.PluginContext;
import io.evenkeel.framework.PluginFactory;

/** The higher priority first; of equal ones, the pod that has been in the queue for longer. */
final class PrioritySort implements QueueSortPlugin {
    public static final String NAME = "PrioritySort";
    public static final PluginFactory FACTORY = PluginFactory.of(NAME, PrioritySort.class, PrioritySort::new);

    public PrioritySort(PluginContext context) {}

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
