package com.example;

import io.evenkeel.api.Cluster;
import io.evenkeel.api.CycleState;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.NodeStatuses;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PluginContext;
import io.evenkeel.api.PostFilterPlugin;
import io.evenkeel.api.Status;
import io.evenkeel.api.Trial;
import io.evenkeel.model.Pod;

/** Nominates a node that has room for the pod without one of its pods of lower priority. */
public final class Vacancies implements PostFilterPlugin {
    private final Cluster cluster;

    public Vacancies(PluginContext context) {
        cluster = context.cluster();
    }

    @Override
    public String name() {
        return "Vacancies";
    }

    @Override
    public Result postFilter(CycleState state, PendingPod pod, NodeStatuses statuses, Trial trial) {
        for (NodeInfo node : cluster.nodeInfos()) {
            for (Pod other : node.pods()) {
                if (other.spec().priority() < pod.pod().spec().priority()) {
                    try (Trial.Changes gone = trial.whatIf()) {
                        gone.remove(other);
                        if (trial.verdictOn(node).isSuccess()) {
                            return Result.nominate(node.name());
                        }
                    }
                }
            }
        }
        return Result.none(Status.unschedulable("no pod of lower priority is in the way"));
    }
}
