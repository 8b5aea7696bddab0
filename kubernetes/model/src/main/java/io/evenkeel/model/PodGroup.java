package io.evenkeel.model;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A PodGroup of scheduling.k8s.io, which pods name in {@code spec.schedulingGroup.podGroupName}.
 *
 * @param minCount of the policy gang; empty for the policy basic
 * @param topologyKey the label of nodes that all its pods are to have one value of; empty for none
 * @param disruptionMode {@link #DISRUPTED_BY_POD} or {@link #DISRUPTED_AS_A_WHOLE}
 * @param conditions the ones that a scheduler writes
 */
public record PodGroup(
        ObjectMeta meta,
        OptionalInt minCount,
        Optional<String> topologyKey,
        String disruptionMode,
        List<GroupCondition> conditions)
        implements GroupObject {
    public static final String KIND = "PodGroup";

    /** Its pods may be disrupted one by one. */
    public static final String DISRUPTED_BY_POD = "Pod";

    /** Its pods may only be disrupted together. */
    public static final String DISRUPTED_AS_A_WHOLE = "PodGroup";

    @Override
    public String kindName() {
        return KIND;
    }

    public Optional<GroupCondition> condition(String type) {
        return conditions.stream().filter(known -> known.type().equals(type)).findFirst();
    }

    @Override
    public OptionalInt minimum() {
        return minCount;
    }
}
