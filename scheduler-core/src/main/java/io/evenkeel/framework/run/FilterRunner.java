package io.evenkeel.framework.run;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.config.ExtensionPoint;
import io.evenkeel.framework.BatchFilterPlugin;
import io.evenkeel.framework.FilterPlugin;
import io.evenkeel.framework.Plugin;
import io.evenkeel.framework.PreFilterPlugin;
import io.evenkeel.framework.PreFilterResult;
import io.evenkeel.framework.cycle.CycleState;
import io.evenkeel.framework.cycle.Diagnosis;
import io.evenkeel.framework.cycle.Rejections;
import io.evenkeel.framework.cycle.Status;
import io.evenkeel.framework.cycle.Status.Code;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Runs a profile's PreFilter and Filter plugins for one pod after the other. The sets it hands out are its own and
 * valid until the next pod.
 */
public final class FilterRunner {
    private final ClusterView cluster;
    private final List<PreFilterPlugin> preFilters;
    private final List<FilterPlugin> filters;
    private final ProfileProbe probe;
    private final PointProbe preFilterProbe;
    private final PointProbe filterProbe;
    private final NodeSet feasible = new NodeSet();
    private final NodeSet excluded = new NodeSet();
    private final Rejections rejections = new Rejections();
    private final Set<Plugin> skipped = new HashSet<>();
    private final List<String> narrowedBy = new ArrayList<>();
    private Optional<Diagnosis.PreFilterRejection> preFilterRejection = Optional.empty();

    FilterRunner(ClusterView cluster, List<PreFilterPlugin> preFilters, List<FilterPlugin> filters) {
        this(cluster, preFilters, filters, ProfileProbe.NONE);
    }

    FilterRunner(
            ClusterView cluster, List<PreFilterPlugin> preFilters, List<FilterPlugin> filters, ProfileProbe probe) {
        this.probe = probe;
        this.preFilterProbe = probe.at(ExtensionPoint.PRE_FILTER, preFilters);
        this.filterProbe = probe.at(ExtensionPoint.FILTER, filters);
        this.cluster = cluster;
        this.preFilters = preFilters;
        this.filters = filters;
    }

    /** The nodes that the pod can run on; none where PreFilter turns it away. Where there are no nodes nobody is asked. */
    public NodeSet run(CycleState state, PodInfo pod) {
        probe.beginCycle();
        reset();
        if (cluster.nodes().count() > 0 && runPreFilters(state, pod)) {
            runFilters(state, pod);
        }
        return feasible;
    }

    /** The same, of these nodes alone. */
    public NodeSet runAmong(NodeSetView nodes, CycleState state, PodInfo pod) {
        reset();
        if (cluster.nodes().count() > 0 && runPreFilters(state, pod)) {
            feasible.retainAll(nodes);
            runFilters(state, pod);
        }
        return feasible;
    }

    private void reset() {
        rejections.reset();
        excluded.clear();
        feasible.clear();
        skipped.clear();
        narrowedBy.clear();
        preFilterRejection = Optional.empty();
    }

    private void runFilters(CycleState state, PodInfo pod) {
        long began = filterProbe.begin();
        long at = began;
        for (int i = 0; i < filters.size(); i++) {
            FilterPlugin filter = filters.get(i);
            if (skipped.isEmpty() || !skipped.contains(filter)) {
                rejections.from(filter.name());
                runFilter(filter, state, pod);
                if (filterProbe.isActive()) {
                    at = filterProbe.ran(i, feasible.first() < 0 ? Code.UNSCHEDULABLE : Code.SUCCESS, at);
                }
            }
        }
        filterProbe.end(Code.SUCCESS, began);
    }

    /** Why nodes were left out in the last run. */
    public Diagnosis diagnosis() {
        return new Diagnosis(
                cluster.nodes().count(),
                preFilterRejection,
                rejections.copy(),
                excluded.copy(),
                List.copyOf(narrowedBy),
                "");
    }

    /** How many nodes did not come into question in the last run. */
    public int excludedCount() {
        return narrowedBy.isEmpty() ? 0 : excluded.size();
    }

    /** Fills the candidates in; false where the pod is turned away as a whole. */
    private boolean runPreFilters(CycleState state, PodInfo pod) {
        long began = preFilterProbe.begin();
        boolean passes = askPreFilters(state, pod, began);
        preFilterProbe.end(
                preFilterRejection.map(rejection -> rejection.status().code()).orElse(Code.SUCCESS), began);
        return passes;
    }

    private boolean askPreFilters(CycleState state, PodInfo pod, long began) {
        long at = began;
        Set<String> chosen = null;
        for (int i = 0; i < preFilters.size(); i++) {
            PreFilterPlugin plugin = preFilters.get(i);
            PreFilterResult result = ask(plugin, state, pod);
            at = preFilterProbe.ran(i, codeOf(result), at);
            switch (result) {
                case PreFilterResult.Proceed _ -> {}
                case PreFilterResult.Skip _ -> skipped.add(plugin);
                case PreFilterResult.Rejected rejected -> {
                    preFilterRejection =
                            Optional.of(new Diagnosis.PreFilterRejection(plugin.name(), rejected.status()));
                    if (rejected.status().code() != Status.Code.UNSCHEDULABLE) {
                        return false;
                    }
                }
                case PreFilterResult.OnlyNodes only -> {
                    narrowedBy.add(plugin.name());
                    chosen = intersection(chosen, only.names());
                    if (chosen.isEmpty()) {
                        preFilterRejection = Optional.of(nothingLeft());
                        return false;
                    }
                }
            }
        }
        if (preFilterRejection.isPresent()) {
            return false;
        }
        chooseCandidates(chosen);
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

    private void chooseCandidates(@Nullable Set<String> chosen) {
        NodeSetView present = cluster.nodes().present();
        if (chosen == null) {
            feasible.copyFrom(present);
            return;
        }
        for (String name : chosen) {
            int node = cluster.nodes().find(name);
            if (node >= 0 && cluster.nodes().isPresent(node)) {
                feasible.add(node);
            }
        }
        excluded.copyFrom(present);
        excluded.removeAll(feasible);
    }

    private Diagnosis.PreFilterRejection nothingLeft() {
        String reason = narrowedBy.size() == 1
                ? "node(s) didn't satisfy plugin " + narrowedBy.getFirst()
                : "node(s) didn't satisfy plugin(s) [" + String.join(" ", narrowedBy) + "] simultaneously";
        return new Diagnosis.PreFilterRejection("", Status.unresolvable(reason));
    }

    private void runFilter(FilterPlugin filter, CycleState state, PodInfo pod) {
        try {
            if (filter instanceof BatchFilterPlugin batch) {
                batch.filterAll(state, pod, feasible, rejections);
            } else {
                filterOneByOne(filter, state, pod);
            }
        } catch (Throwable thrown) {
            throw PluginFailure.of(filter, "Filter", thrown);
        }
    }

    private void filterOneByOne(FilterPlugin filter, CycleState state, PodInfo pod) {
        Map<Status, NodeSet> rejected = new LinkedHashMap<>(0);
        for (int node = feasible.first(); node >= 0; node = feasible.next(node + 1)) {
            Status status = filter.filter(state, pod, cluster.nodeInfo(node));
            if (!status.isSuccess()) {
                rejected.computeIfAbsent(status, _ -> new NodeSet()).add(node);
            }
        }
        rejected.forEach((status, nodes) -> rejections.reject(feasible, nodes, status));
    }

    private static Set<String> intersection(@Nullable Set<String> chosen, Set<String> more) {
        Set<String> both = new TreeSet<>(more);
        if (chosen != null) {
            both.retainAll(chosen);
        }
        return both;
    }
}
