package io.evenkeel.framework.run;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.PreFilterPlugin;
import io.evenkeel.api.PreFilterResult;
import io.evenkeel.api.Status;
import io.evenkeel.api.Status.Code;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.framework.cycle.Diagnosis;
import io.evenkeel.framework.run.ProfileObserver.MeasuredPoint;
import io.evenkeel.framework.run.ProfileObserver.Stopwatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Runs a profile's PreFilter plugins for one pod after the other: which nodes come into question, and whose filters have
 * nothing to object to. What it tells is valid until the next pod.
 */
final class PreFilterRunner {
    private final ClusterView cluster;
    private final List<PreFilterPlugin> plugins;
    private final Stopwatch stopwatch;
    private final NodeSet excluded = new NodeSet();
    private final boolean[] skipped;
    private final List<String> narrowedBy = new ArrayList<>();
    private Optional<Diagnosis.PreFilterRejection> rejection = Optional.empty();

    PreFilterRunner(ClusterView cluster, List<PreFilterPlugin> plugins, ProfileObserver observer) {
        this.cluster = cluster;
        this.plugins = plugins;
        this.skipped = new boolean[plugins.size()];
        this.stopwatch = observer.at(MeasuredPoint.PRE_FILTER, plugins);
    }

    /** Forgets the pod before; no node is left out, and no plugin has turned anything away. */
    void reset() {
        excluded.clear();
        Arrays.fill(skipped, false);
        narrowedBy.clear();
        rejection = Optional.empty();
    }

    /** Fills the candidates in; false where the pod is turned away as a whole. */
    boolean run(CycleState state, PodInfo pod, NodeSet candidates) {
        long began = stopwatch.start();
        boolean passes = ask(state, pod, candidates, began);
        stopwatch.stop(rejection.map(found -> found.status().code()).orElse(Code.SUCCESS), began);
        return passes;
    }

    /** Whether the filter of the plugin at this position is left out for this pod. */
    boolean skips(int position) {
        return skipped[position];
    }

    /** Why the pod was turned away as a whole. */
    Optional<Diagnosis.PreFilterRejection> rejection() {
        return rejection;
    }

    /** The nodes that do not come into question. */
    NodeSet excluded() {
        return excluded;
    }

    /** The plugins that named the nodes which come into question. */
    List<String> narrowedBy() {
        return narrowedBy;
    }

    private boolean ask(CycleState state, PodInfo pod, NodeSet candidates, long began) {
        long at = began;
        Set<String> chosen = null;
        for (int i = 0; i < plugins.size(); i++) {
            PreFilterPlugin plugin = plugins.get(i);
            PreFilterResult result = ask(plugin, state, pod);
            at = stopwatch.lap(i, codeOf(result), at);
            switch (result) {
                case PreFilterResult.Proceed _ -> {}
                case PreFilterResult.Skip _ -> skipped[i] = true;
                case PreFilterResult.Rejected rejected -> {
                    rejection = Optional.of(new Diagnosis.PreFilterRejection(plugin.name(), rejected.status()));
                    if (rejected.status().code() != Code.UNSCHEDULABLE) {
                        return false;
                    }
                }
                case PreFilterResult.OnlyNodes only -> {
                    narrowedBy.add(plugin.name());
                    chosen = intersection(chosen, only.names());
                    if (chosen.isEmpty()) {
                        rejection = Optional.of(nothingLeft());
                        return false;
                    }
                }
            }
        }
        if (rejection.isPresent()) {
            return false;
        }
        choose(chosen, candidates);
        return true;
    }

    private static PreFilterResult ask(PreFilterPlugin plugin, CycleState state, PodInfo pod) {
        try {
            return plugin.preFilter(state, pod);
        } catch (Throwable thrown) {
            throw PluginFailure.of(plugin, "PreFilter", thrown);
        }
    }

    private static Code codeOf(PreFilterResult result) {
        return switch (result) {
            case PreFilterResult.Proceed _, PreFilterResult.OnlyNodes _ -> Code.SUCCESS;
            case PreFilterResult.Skip _ -> Code.SKIP;
            case PreFilterResult.Rejected rejected -> rejected.status().code();
        };
    }

    private void choose(@Nullable Set<String> chosen, NodeSet candidates) {
        NodeSetView present = cluster.nodes().present();
        if (chosen == null) {
            candidates.copyFrom(present);
            return;
        }
        for (String name : chosen) {
            int node = cluster.nodes().findPresent(name);
            if (node >= 0) {
                candidates.add(node);
            }
        }
        excluded.copyFrom(present);
        excluded.removeAll(candidates);
    }

    private Diagnosis.PreFilterRejection nothingLeft() {
        String reason = narrowedBy.size() == 1
                ? "node(s) didn't satisfy plugin " + narrowedBy.getFirst()
                : "node(s) didn't satisfy plugin(s) [" + String.join(" ", narrowedBy) + "] simultaneously";
        return new Diagnosis.PreFilterRejection("", Status.unresolvable(reason));
    }

    private static Set<String> intersection(@Nullable Set<String> chosen, Set<String> more) {
        Set<String> both = new TreeSet<>(more);
        if (chosen != null) {
            both.retainAll(chosen);
        }
        return both;
    }
}
