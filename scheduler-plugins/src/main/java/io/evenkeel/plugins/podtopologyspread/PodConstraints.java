package io.evenkeel.plugins.podtopologyspread;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.SpreadCounters;
import io.evenkeel.cluster.shape.SpreadRules;
import io.evenkeel.config.PluginArgs.PodTopologySpreadArgs;
import io.evenkeel.model.Pod;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.value.LabelSelector;
import java.util.List;

/**
 * Which constraints spread a pod, for those who look on: its own, or the profile's default ones over its peers. As the plugin
 * reads them, but nothing is counted for the answer.
 */
public final class PodConstraints {

    /**
     * The constraints of a pod.
     *
     * @param constraints with what they select resolved, in the order in which they are written
     * @param areDefault whether they are the profile's, not the pod's own
     * @param requireAllKeys whether soft ones count only nodes that have all of their keys; if not, an absent label is read as an
     *     empty one
     */
    public record Of(List<TopologySpreadConstraint> constraints, boolean areDefault, boolean requireAllKeys) {
        public static final Of NONE = new Of(List.of(), false, true);

        /** The topology keys that a node must have to be counted by this constraint. */
        public List<String> keysNeeded(TopologySpreadConstraint constraint) {
            return constraint.isHard() || requireAllKeys
                    ? SpreadCounters.keysOf(constraints.stream()
                            .filter(other -> other.isHard() == constraint.isHard())
                            .toList())
                    : List.of();
        }

        /** Whether a node without the constraint's key is in the domain of the empty value. */
        public boolean absentIsEmpty(TopologySpreadConstraint constraint) {
            return !constraint.isHard() && !requireAllKeys;
        }
    }

    private final ClusterView cluster;
    private final DefaultConstraints.Written byDefault;

    /** By a profile's arguments of the plugin. */
    public PodConstraints(ClusterView cluster, PodTopologySpreadArgs args) {
        this.cluster = cluster;
        this.byDefault = DefaultConstraints.Written.by(args);
    }

    /**
     * The constraints of a pod as its peers are now.
     *
     * @param own the pod's own
     */
    public Of of(Pod pod, SpreadRules own) {
        if (!own.constraints().isEmpty()) {
            return new Of(own.constraints(), false, true);
        }
        if (byDefault.constraints().isEmpty()) {
            return Of.NONE;
        }
        LabelSelector peers = cluster.workloads().selectorOfPeers(pod);
        return peers.matchesEverything()
                ? Of.NONE
                : new Of(
                        byDefault.constraints().stream()
                                .map(constraint -> constraint.withSelector(peers))
                                .toList(),
                        true,
                        byDefault.requireAllKeys());
    }
}
