package io.evenkeel.whatif.goal;

import io.evenkeel.config.PluginArgs;
import io.evenkeel.config.PluginArgs.PodTopologySpreadArgs;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.rebalance.Move;
import io.evenkeel.whatif.rebalance.MovePlan;
import io.evenkeel.whatif.rebalance.MovePlan.Bound;
import io.evenkeel.whatif.rebalance.Rebalancer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Soft spread constraints, taken for hard ones: a snapshot in which they are is put right. */
final class SoftSpread implements Aim {
    private final ClusterSnapshot hardened;
    private final MovePlan plan;

    /** @param hardened see {@link #hardened} */
    SoftSpread(ClusterSnapshot hardened) {
        this.hardened = hardened;
        plan = Rebalancer.plan(hardened);
    }

    /** The same cluster, in which all spread constraints are hard. */
    static ClusterSnapshot hardened(ClusterSnapshot snapshot) {
        SchedulerConfiguration configuration = snapshot.configuration();
        return snapshot.fork(
                configuration.toBuilder()
                        .profiles(configuration.profiles().stream()
                                .map(SoftSpread::hard)
                                .toList())
                        .build(),
                SoftSpread::hard);
    }

    private static Profile hard(Profile profile) {
        Map<String, PluginArgs> args = new LinkedHashMap<>(profile.pluginArgs());
        args.replaceAll((_, of) -> of instanceof PodTopologySpreadArgs(var type, var constraints)
                ? new PodTopologySpreadArgs(type, hard(constraints))
                : of);
        return new Profile(profile.schedulerName(), profile.percentageOfNodesToScore(), profile.plugins(), args);
    }

    private static Pod hard(Pod pod) {
        return pod.spec().topologySpread().stream().allMatch(TopologySpreadConstraint::isHard)
                ? pod
                : PodBuilder.from(pod)
                        .topologySpread(hard(pod.spec().topologySpread()))
                        .build();
    }

    private static List<TopologySpreadConstraint> hard(List<TopologySpreadConstraint> constraints) {
        return constraints.stream()
                .map(constraint -> constraint.whenUnsatisfiable(WhenUnsatisfiable.DO_NOT_SCHEDULE))
                .toList();
    }

    @Override
    public int against() {
        return Rebalancer.violations(hardened).size();
    }

    @Override
    public Bound least() {
        return plan.least();
    }

    @Override
    public List<Move> suggestion() {
        return plan.moves();
    }

    /** Each is judged by filters. */
    @Override
    public int podsAMove() {
        return 2;
    }
}
