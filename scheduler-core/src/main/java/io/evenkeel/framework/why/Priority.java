package io.evenkeel.framework.why;

import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import java.util.List;

/**
 * A higher priority, so that others go for the pod. An API server takes it from a PriorityClass alone.
 *
 * @param before that it has now
 */
public record Priority(int before, int priority) implements PodChange {
    @Override
    public Kind kind() {
        return Kind.PRIORITY;
    }

    @Override
    public String text() {
        return "priority " + priority + " instead of " + before + ", by a PriorityClass";
    }

    @Override
    public Pod applied(Pod pod) {
        return PodBuilder.from(pod).priority(priority).build();
    }

    @Override
    public List<PatchOperation> patch(Pod pod) {
        return List.of(PatchOperation.add("/spec/priority", priority));
    }
}
