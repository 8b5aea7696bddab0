package io.evenkeel.model;

import java.util.OptionalInt;

/**
 * A PodGroup of scheduling.x-k8s.io, the custom resource of the coscheduling plugin, which pods name by the label {@link
 * #LABEL}. As there is another PodGroup, its kind is named with its group.
 */
public record CoschedulingPodGroup(ObjectMeta meta, int minMember) implements GroupObject {
    public static final String KIND = "PodGroup.scheduling.x-k8s.io";

    /** Of pods, the name of their group. */
    public static final String LABEL = "scheduling.x-k8s.io/pod-group";

    @Override
    public String kindName() {
        return KIND;
    }

    @Override
    public OptionalInt minimum() {
        return OptionalInt.of(minMember);
    }
}
