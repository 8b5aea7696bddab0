package io.evenkeel.groups;

import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.WhatIf;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.decision.NodeVerdicts;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.engine.group.Groups.GroupParts;
import io.evenkeel.engine.group.Seat;
import io.evenkeel.groups.JointPlacer.JointTerms;
import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Decides about pods that are placed together, as far as that is decided before the cycles of the single pods. */
public final class GroupDecisions {
    private final ClusterState cluster;
    private final Function<Pod, SchedulingCycle> cycles;

    public GroupDecisions(GroupParts engine) {
        cluster = engine.cluster();
        cycles = engine.cycles();
    }

    /** Whether all of the pods can be placed together. The cluster stays as it is. */
    public JointPlacement place(List<Pod> pods, Budget budget) {
        return find(pods, JointTerms.ALL, budget).placement();
    }

    /** The same, and where not all can be placed, an order of as many as possible. */
    public JointPlacer.Found placeMost(List<Pod> pods, Budget budget) {
        return find(pods, JointTerms.MOST, budget);
    }

    /** Places them on any terms: all or most, on all nodes or in one domain. */
    public JointPlacer.Found find(List<Pod> pods, JointTerms terms, Budget budget) {
        Map<SchedulingCycle, NodeVerdicts> judges = new HashMap<>();
        Function<PodInfo, NodeVerdicts> judgeOf =
                pod -> judges.computeIfAbsent(cycles.apply(pod.pod()), SchedulingCycle::verdicts);
        List<PodInfo> admitted = new ArrayList<>(pods.size());
        try {
            pods.forEach(pod -> admitted.add(cluster.admit(pod)));
            return new JointPlacer(cluster, judgeOf).find(admitted, terms, budget);
        } finally {
            admitted.forEach(cluster::giveBack);
        }
    }

    /**
     * The ordinary decision about a pod, for the node that was found for it.
     *
     * @param beside others of the group that are taken to be in place already
     * @param reader of the decision, while they are; it says no where the pod does not fit there
     */
    public <R> R decideOn(Seat seat, Collection<Seat> beside, Function<Decision, R> reader) {
        try (WhatIf others = cluster.whatIf()) {
            for (Seat other : beside) {
                others.place(other.pod(), cluster.view().nodes().find(other.node()));
            }
            PodInfo pod = cluster.admit(seat.pod());
            try {
                int node = cluster.view().nodes().find(seat.node());
                return reader.apply(cycles.apply(seat.pod()).runOn(pod, node));
            } finally {
                cluster.giveBack(pod);
            }
        }
    }
}
