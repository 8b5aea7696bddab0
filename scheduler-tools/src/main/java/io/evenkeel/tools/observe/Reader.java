package io.evenkeel.tools.observe;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.SpreadCounters;
import io.evenkeel.cluster.counting.SelectorGroup;
import io.evenkeel.config.PluginArgs.PodTopologySpreadArgs;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.plugins.podtopologyspread.PodConstraints;
import io.evenkeel.plugins.podtopologyspread.PodTopologySpread;
import io.evenkeel.tools.observe.SpreadIndex.Changes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Reads the skews that may have changed, a part at a time: replicas that have come get their constraints and the counters of these,
 * O(nodes) each where none like it has been counted before; a constraint is then read by O(domains).
 */
final class Reader {
    private static final int MOST_SETTLED_AT_ONCE = 50;

    private final ClusterView cluster;
    private final SpreadIndex index;
    private final SpreadCounters counters;
    private final Map<String, PodConstraints> byProfile = new HashMap<>();
    private final PodConstraints first;

    /** Pods are judged by the profile that they name, else by the first one. */
    Reader(ClusterView cluster, SchedulerConfiguration configuration) {
        this.cluster = cluster;
        index = cluster.index(SpreadIndex.class, SpreadIndex::new);
        counters = new SpreadCounters(cluster);
        for (Profile profile : configuration.profiles()) {
            byProfile.put(profile.schedulerName(), constraintsOf(profile));
        }
        first = constraintsOf(configuration.profiles().getFirst());
    }

    private PodConstraints constraintsOf(Profile profile) {
        return profile.pluginArgs().get(PodTopologySpread.NAME) instanceof PodTopologySpreadArgs args
                ? new PodConstraints(cluster, args)
                : new PodConstraints(
                        cluster, new PodTopologySpreadArgs(PodTopologySpreadArgs.DefaultingType.LIST, List.of()));
    }

    SpreadIndex index() {
        return index;
    }

    /**
     * Does what is to be done, as far as that goes.
     *
     * @param steps how many domains may be looked at, roughly
     * @param read is told of each constraint that was read
     * @param gone is told of each that no pod has any more
     * @return whether all is done
     */
    boolean read(long steps, Consumer<WatchedConstraint> read, Consumer<WatchedConstraint> gone) {
        Changes changes = index.changes();
        if (changes.isEmpty()) {
            return true;
        }
        changes.spellOut(index.replicas());
        changes.takeUnsettled(MOST_SETTLED_AT_ONCE).forEach(replicas -> settle(replicas, gone));
        for (WatchedConstraint constraint : changes.takeToRead(steps)) {
            constraint.read();
            read.accept(constraint);
        }
        return changes.isEmpty();
    }

    private void settle(Replicas replicas, Consumer<WatchedConstraint> gone) {
        PodConstraints.Of asked = replicas.size() == 0
                ? PodConstraints.Of.NONE
                : byProfile
                        .getOrDefault(replicas.key().schedulerName(), first)
                        .of(replicas.sample(), replicas.key().rules());
        if (!asked.equals(replicas.asked)) {
            List<WatchedConstraint> before = replicas.constraints;
            replicas.asked = asked;
            replicas.constraints = watch(replicas, asked);
            before.forEach(constraint -> {
                release(constraint);
                gone.accept(constraint);
            });
        }
        if (replicas.size() == 0) {
            index.forget(replicas);
        }
    }

    private List<WatchedConstraint> watch(Replicas replicas, PodConstraints.Of asked) {
        SpreadCounters.Owner owner = new SpreadCounters.Owner(
                replicas.key().namespace(),
                replicas.key().requirement(),
                replicas.key().tolerations());
        List<WatchedConstraint> watched = new ArrayList<>();
        for (TopologySpreadConstraint constraint : asked.constraints()) {
            SelectorGroup group = counters.acquireGroup(constraint, owner);
            WatchedConstraint one = new WatchedConstraint(
                    replicas,
                    constraint,
                    asked.areDefault(),
                    group,
                    counters.acquire(
                            group, constraint, asked.keysNeeded(constraint), asked.absentIsEmpty(constraint), owner));
            index.changes().watch(one);
            watched.add(one);
        }
        return List.copyOf(watched);
    }

    private void release(WatchedConstraint constraint) {
        index.changes().unwatch(constraint);
        cluster.counters().release(constraint.counter());
        cluster.selectors().release(constraint.group());
    }
}
