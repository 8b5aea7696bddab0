package io.evenkeel.model;

/** A PriorityClass: the value that a pod's {@code priorityClassName} stands for. */
public record PriorityClass(ObjectMeta meta, int value, boolean globalDefault, boolean preempts)
        implements KubernetesObject {
    @Override
    public String kindName() {
        return "PriorityClass";
    }
}
