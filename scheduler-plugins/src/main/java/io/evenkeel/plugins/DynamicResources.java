package io.evenkeel.plugins;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.NodeStatuses;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.PostFilterPlugin;
import io.evenkeel.api.Status;
import io.evenkeel.api.Trial;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.framework.cycle.Diagnosis;

/**
 * Could free devices for a pod that fits nowhere; says so of a pod that has claimed none. Of a pod that was turned away
 * outright it has seen nothing, as its turn comes after all others': then nobody else is asked either, and the pod's user
 * reads the reference's word for that.
 */
final class DynamicResources implements PostFilterPlugin {
    public static final String NAME = "DynamicResources";
    public static final PluginFactory FACTORY =
            TreeContext.factory(NAME, DynamicResources.class, _ -> new DynamicResources());

    private static final Status NO_CLAIMS = Status.unschedulable("no new claims to deallocate");
    private static final Status NOT_SEEN = Status.unresolvable("not found");

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Result postFilter(CycleState state, PendingPod pod, NodeStatuses statuses, Trial trial) {
        Diagnosis diagnosis = (Diagnosis) statuses;
        return Result.none(isTurnedAwayBefore(diagnosis) ? NOT_SEEN : NO_CLAIMS);
    }

    @Override
    public boolean onlyPreempts() {
        return true; // nor does it do that
    }

    /** After a rejection that others' leaving may heal, the rest of the plugins were asked all the same. */
    private static boolean isTurnedAwayBefore(Diagnosis diagnosis) {
        return diagnosis
                .preFilter()
                .filter(rejection -> rejection.status().code() != Status.Code.UNSCHEDULABLE)
                .isPresent();
    }
}
