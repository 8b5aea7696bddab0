package io.evenkeel.engine.group.room;

import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.config.ExtensionPoint;
import io.evenkeel.engine.decision.NodeVerdicts;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.engine.group.Budget;
import io.evenkeel.engine.group.JointPlacer;
import io.evenkeel.framework.PostFilterPlugin;
import io.evenkeel.framework.cycle.VictimOrder;
import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Finds pods that go so that a gang fits: as kube-scheduler's workload-aware preemption, all that are less important are
 * taken away in thought, in the whole cluster; where the gang fits then, as many come back as it leaves room for, those
 * first whom a PodDisruptionBudget protects, then the most important. The cluster stays as it is.
 *
 * <p>What would not even fit on empty nodes is told at once. Else it costs a step of the cluster for each less important pod, away and back, and for each that meets the gang on its node a
 * question to the filters; what else is tried is within the budget.
 */
public final class GangPreemption {
    private final ClusterState cluster;
    private final Function<Pod, SchedulingCycle> cycles;

    /** @param cycles by the profile that a pod asks for */
    public GangPreemption(ClusterState cluster, Function<Pod, SchedulingCycle> cycles) {
        this.cluster = cluster;
        this.cycles = cycles;
    }

    /** Who goes for the gang. No pod does where it fits as it is, or once the pods are gone that are leaving. */
    public Room find(Gang gang, Budget budget) {
        if (!gang.preempts()) {
            return new Room.None("a pod of the gang has preemptionPolicy Never", true, 0);
        }
        SchedulingCycle cycle = cycles.apply(gang.waiting().getFirst());
        return victimOrder(cycle)
                .map(order -> find(gang, budget, order, cycle))
                .orElseGet(() ->
                        new Room.None("no plugin of the profile lets pods go, as DefaultPreemption would", true, 0));
    }

    private static Optional<VictimOrder> victimOrder(SchedulingCycle cycle) {
        return cycle.profile().at(ExtensionPoint.POST_FILTER, PostFilterPlugin.class).stream()
                .flatMap(plugin -> plugin.victimOrder().stream())
                .findFirst();
    }

    private Room find(Gang gang, Budget budget, VictimOrder order, SchedulingCycle cycle) {
        Map<SchedulingCycle, NodeVerdicts> byCycle = new HashMap<>();
        Function<PodInfo, NodeVerdicts> judges =
                pod -> byCycle.computeIfAbsent(cycles.apply(pod.pod()), SchedulingCycle::verdicts);
        Spending spending = new Spending(budget);
        List<PodInfo> pods = new ArrayList<>(gang.waiting().size());
        try {
            gang.waiting().forEach(pod -> pods.add(cluster.admit(pod)));
            long ceiling = new Ceiling(cluster.view(), judges).of(pods);
            if (ceiling < gang.needed()) {
                return new Room.None(
                        "even without all other pods there is room for no more than " + ceiling + " of the "
                                + gang.needed() + " that are needed",
                        true,
                        0);
            }
            try (Occupants occupants =
                    new Occupants(cluster, gang, order, pod -> order.isLeaving(pod) || cycle.isLeaving(pod))) {
                SeatFinder finder = new SeatFinder(new JointPlacer(cluster, judges), pods, gang.needed(), spending);
                return new RoomSearch(cluster, judges, pods, occupants, finder, spending).run();
            }
        } finally {
            pods.forEach(cluster::giveBack);
        }
    }
}
