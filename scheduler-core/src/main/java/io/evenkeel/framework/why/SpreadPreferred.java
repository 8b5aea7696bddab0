package io.evenkeel.framework.why;

import io.evenkeel.model.Pod;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import java.util.ArrayList;
import java.util.List;

/**
 * One of the pod's spread constraints preferred instead of required.
 *
 * @param index its place among them
 */
public record SpreadPreferred(int index, String topologyKey) implements PodChange {
    @Override
    public Kind kind() {
        return Kind.SPREAD;
    }

    @Override
    public String text() {
        return "spread over " + topologyKey + " with ScheduleAnyway instead of DoNotSchedule";
    }

    @Override
    public Pod applied(Pod pod) {
        return SpreadConstraints.changed(
                pod,
                index,
                constraint -> constraint.withMinDomains(1).whenUnsatisfiable(WhenUnsatisfiable.SCHEDULE_ANYWAY));
    }

    /** The API allows minDomains only with DoNotSchedule; who asks for one domain mostly does not say so. */
    @Override
    public List<PatchOperation> patch(Pod before) {
        List<PatchOperation> operations = new ArrayList<>();
        if (before.spec().topologySpread().get(index).minDomains() > 1) {
            operations.add(PatchOperation.remove(SpreadConstraints.path(index, "minDomains")));
        }
        operations.add(PatchOperation.replace(
                SpreadConstraints.path(index, "whenUnsatisfiable"), WhenUnsatisfiable.SCHEDULE_ANYWAY.apiName()));
        return operations;
    }
}
