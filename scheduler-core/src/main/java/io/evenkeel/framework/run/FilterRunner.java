package io.evenkeel.framework.run;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.FilterPlugin;
import io.evenkeel.api.Plugin;
import io.evenkeel.api.PreFilterPlugin;
import io.evenkeel.api.PreFilterResult;
import io.evenkeel.api.Status;
import io.evenkeel.api.Status.Code;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.framework.BatchFilterPlugin;
import io.evenkeel.framework.DryRunPlugin;
import io.evenkeel.framework.cycle.Diagnosis;
import io.evenkeel.framework.cycle.Diagnosis.PreFilterRejection;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.framework.cycle.FilterDryRun.FilterDryRuns;
import io.evenkeel.framework.cycle.Rejections;
import io.evenkeel.framework.run.ProfileObserver.MeasuredPoint;
import io.evenkeel.framework.run.ProfileObserver.Stopwatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Runs a profile's PreFilter and Filter plugins for one pod after the other. The sets it hands out are its own and
 * valid until the next pod.
 */
public final class FilterRunner {
    private final ClusterView cluster;
    private final PreFilterRunner preFilters;
    private final List<FilterPlugin> filters;
    private final List<DryRunPlugin> dryRunners;
    private final boolean allDryRun;
    private final int[] positionsInPreFilter;
    private final ProfileObserver observer;
    private final Stopwatch stopwatch;
    private final NodeSet feasible = new NodeSet();
    private final NodeSet unexplained = new NodeSet();
    private final Rejections.Writer filtering = Rejections.create();
    private final Rejections rejections = filtering.rejections();

    FilterRunner(ClusterView cluster, List<PreFilterPlugin> preFilters, List<FilterPlugin> filters) {
        this(cluster, preFilters, filters, ProfileObserver.NONE);
    }

    FilterRunner(
            ClusterView cluster,
            List<PreFilterPlugin> preFilters,
            List<FilterPlugin> filters,
            ProfileObserver observer) {
        this.cluster = cluster;
        this.preFilters = new PreFilterRunner(cluster, preFilters, observer);
        this.filters = filters;
        Set<Plugin> all = new LinkedHashSet<>(preFilters);
        all.removeAll(filters);
        all.addAll(filters);
        this.dryRunners = all.stream()
                .filter(DryRunPlugin.class::isInstance)
                .map(DryRunPlugin.class::cast)
                .toList();
        this.allDryRun = dryRunners.size() == all.size();
        this.positionsInPreFilter =
                filters.stream().mapToInt(preFilters::indexOf).toArray();
        this.observer = observer;
        this.stopwatch = observer.at(MeasuredPoint.FILTER, filters);
    }

    /** The nodes that the pod can run on; none where PreFilter turns it away. Without nodes no plugin is asked. */
    public NodeSet run(CycleState state, PodInfo pod) {
        observer.cycleBegan();
        if (preFilter(state, pod)) {
            runFilters(state, pod);
            if (feasible.first() < 0) {
                explain(state, pod);
            }
        }
        return feasible;
    }

    /** The same, of these nodes alone. */
    public NodeSet runAmong(NodeSetView nodes, CycleState state, PodInfo pod) {
        if (preFilter(state, pod)) {
            feasible.retainAll(nodes);
            runFilters(state, pod);
        }
        return feasible;
    }

    /** Returns the objection to the pod on one node: that of the first filter that turns it away. */
    public Optional<Objection> objectionOn(int node, CycleState state, PodInfo pod) {
        if (!preFilter(state, pod)) {
            return preFilters.rejection().map(rejected -> new Objection(rejected.plugin(), rejected.status()));
        }
        if (!feasible.contains(node)) {
            return Optional.of(new Objection("", Status.unresolvable(diagnosis().excludedReason())));
        }
        for (int i = 0; i < filters.size(); i++) {
            if (!isSkipped(i)) {
                Status status = verdictOf(filters.get(i), state, pod, node);
                if (!status.isSuccess()) {
                    return Optional.of(new Objection(filters.get(i).name(), status));
                }
            }
        }
        return Optional.empty();
    }

    /**
     * All that is in the pod's way on each node, in the order of the plugins: each of them is asked, whatever others say, and one
     * that fails is in the way, too. To be asked until the next pod.
     */
    public IntFunction<List<Objection>> objections(CycleState state, PodInfo pod) {
        List<Objection> outright;
        try {
            if (preFilter(state, pod)) {
                return node -> objectionsOn(node, state, pod);
            }
            outright = preFilters.rejection().stream()
                    .map(rejected -> new Objection(rejected.plugin(), rejected.status()))
                    .toList();
        } catch (PluginFailure failure) {
            outright = List.of(failure.asObjection());
        }
        List<Objection> everywhere = outright;
        return _ -> everywhere;
    }

    private List<Objection> objectionsOn(int node, CycleState state, PodInfo pod) {
        List<Objection> objections = new ArrayList<>();
        for (int i = 0; i < filters.size(); i++) {
            if (!isSkipped(i)) {
                try {
                    Status status = verdictOf(filters.get(i), state, pod, node);
                    if (!status.isSuccess()) {
                        objections.add(new Objection(filters.get(i).name(), status));
                    }
                } catch (PluginFailure failure) {
                    objections.add(failure.asObjection());
                }
            }
        }
        if (objections.isEmpty() && preFilters.excluded().contains(node)) {
            Status excluded = Status.unresolvable(diagnosis().excludedReason());
            preFilters.narrowedBy().forEach(plugin -> objections.add(new Objection(plugin, excluded)));
        }
        return objections;
    }

    /** Turns a node away after all, or for another reason than the last run did. */
    public void turnAway(int node, Objection objection) {
        feasible.remove(node);
        filtering.turnAway(node, objection.plugin(), objection.status());
    }

    /** Adds the nodes that plugins turned away in the last run for reasons which are meant. */
    public void addTurnedAway(NodeSet nodes, BiPredicate<String, Status> isMeant) {
        filtering.addTo(nodes, isMeant);
    }

    /** Whether PreFilter said no in the last run, before nodes were looked at. */
    public boolean isTurnedAwayAsAWhole() {
        return preFilters.rejection().isPresent();
    }

    /** Whether PreFilter of such a plugin said no in the last run, or left nodes out. */
    public boolean isLimitedBy(Predicate<String> isMeant) {
        return preFilters
                        .rejection()
                        .map(PreFilterRejection::plugin)
                        .filter(isMeant)
                        .isPresent()
                || preFilters.narrowedBy().stream().anyMatch(isMeant);
    }

    /** Whether the node did not come into question in the last run. */
    public boolean isExcluded(int node) {
        return preFilters.excluded().contains(node);
    }

    /** Asks a plugin about nodes without some of the pods there; empty where it cannot say. */
    public Optional<FilterDryRun> dryRun(Plugin plugin, PodInfo pod) {
        return plugin instanceof DryRunPlugin able ? Optional.of(dryRunOf(able, pod)) : Optional.empty();
    }

    private static FilterDryRun dryRunOf(DryRunPlugin plugin, PodInfo pod) {
        try {
            return plugin.dryRun(pod);
        } catch (Throwable thrown) {
            throw PluginFailure.of(plugin, "PreFilter", thrown);
        }
    }

    /**
     * Asks all plugins about nodes without some of the pods there; in their order, without those that never object. Empty where one
     * of them cannot say.
     */
    public Optional<FilterDryRuns> dryRuns(PodInfo pod) {
        if (!allDryRun) {
            return Optional.empty();
        }
        List<String> names = new ArrayList<>(dryRunners.size());
        List<FilterDryRun> runs = new ArrayList<>(dryRunners.size());
        for (DryRunPlugin plugin : dryRunners) {
            FilterDryRun run = dryRunOf(plugin, pod);
            if (!run.equals(FilterDryRun.PASSES)) {
                names.add(plugin.name());
                runs.add(run);
            }
        }
        return Optional.of(new FilterDryRuns(names, runs));
    }

    /** The same, of nodes where pods count that are only nominated to them. */
    public Optional<CrowdedFilters> crowded(PodInfo pod) {
        return allDryRun
                ? Optional.of(new CrowdedFilters(new FilterDryRuns(
                        dryRunners.stream().map(Plugin::name).toList(),
                        dryRunners.stream().map(plugin -> dryRunOf(plugin, pod)).toList())))
                : Optional.empty();
    }

    /**
     * The first objection that counts to the pod, and to all of its shape, namespace and labels, on one node; of plugins that can
     * tell.
     */
    public Optional<Objection> commonObjectionOn(int node, PodInfo pod, Predicate<Status> counts) {
        for (DryRunPlugin plugin : dryRunners) {
            FilterDryRun run = dryRunOf(plugin, pod);
            if (run.isAlike()) {
                run.begin(node);
                Status verdict = run.verdict();
                if (!verdict.isSuccess() && counts.test(verdict)) {
                    return Optional.of(new Objection(plugin.name(), verdict));
                }
            }
        }
        return Optional.empty();
    }

    private Status verdictOf(FilterPlugin filter, CycleState state, PodInfo pod, int node) {
        cluster.work().add(1);
        try {
            return filter.filter(state, pod, cluster.nodeInfo(node));
        } catch (Throwable thrown) {
            throw PluginFailure.of(filter, "Filter", thrown);
        }
    }

    /** Forgets the pod before; false where no node comes into question for this one. */
    private boolean preFilter(CycleState state, PodInfo pod) {
        filtering.reset();
        preFilters.reset();
        boolean passes = cluster.nodes().count() > 0 && preFilters.run(state, pod, feasible);
        if (!passes) {
            feasible.clear();
        }
        return passes;
    }

    private void runFilters(CycleState state, PodInfo pod) {
        long began = stopwatch.start();
        long at = began;
        for (int i = 0; i < filters.size(); i++) {
            FilterPlugin filter = filters.get(i);
            if (!isSkipped(i)) {
                filtering.from(filter.name());
                runFilter(filter, state, pod);
                at = stopwatch.lap(i, feasible.first() < 0 ? Code.UNSCHEDULABLE : Code.SUCCESS, at);
            }
        }
        stopwatch.stop(Code.SUCCESS, began);
    }

    private boolean isSkipped(int filter) {
        int position = positionsInPreFilter[filter];
        return position >= 0 && preFilters.skips(position);
    }

    /**
     * Says of each node why it was left out, where no node is left. What plugins took out of the candidates in silence is said in
     * their names: else its user would not read what is in the pod's way, and none of their changes would wake it.
     */
    public void explain(CycleState state, PodInfo pod) {
        NodeSetView present = cluster.nodes().present();
        if (filtering.isOneForAll(present)) {
            return;
        }
        unexplained.copyFrom(present);
        unexplained.removeAll(preFilters.excluded());
        filtering.takeOut(unexplained);
        for (int i = 0; i < filters.size() && unexplained.first() >= 0; i++) {
            if (!isSkipped(i) && filters.get(i) instanceof BatchFilterPlugin batch) {
                filtering.from(batch.name());
                rejections.reject(unexplained, takenOut(batch, unexplained, state, pod), silent(batch));
            }
        }
    }

    /** Why nodes were left out in the last run. */
    public Diagnosis diagnosis() {
        return new Diagnosis(
                cluster.nodes().count(),
                preFilters.rejection(),
                rejections.copy(),
                rejections.overruled(),
                preFilters.narrowedBy().isEmpty()
                        ? NodeSetView.NONE
                        : preFilters.excluded().frozen(),
                List.copyOf(preFilters.narrowedBy()),
                "");
    }

    /** How many nodes did not come into question in the last run. */
    public int excludedCount() {
        return preFilters.narrowedBy().isEmpty() ? 0 : preFilters.excluded().size();
    }

    private void runFilter(FilterPlugin filter, CycleState state, PodInfo pod) {
        try {
            if (filter instanceof BatchFilterPlugin batch) {
                cluster.work().addSets(1, cluster.nodes().end());
                batch.filterAll(state, pod, feasible, rejections);
            } else {
                filterOneByOne(filter, state, pod);
            }
        } catch (Throwable thrown) {
            throw PluginFailure.of(filter, "Filter", thrown);
        }
    }

    private void filterOneByOne(FilterPlugin filter, CycleState state, PodInfo pod) {
        cluster.work().add(feasible.size());
        Map<Status, NodeSet> rejected = new LinkedHashMap<>(0);
        for (int node = feasible.first(); node >= 0; node = feasible.next(node + 1)) {
            Status status = filter.filter(state, pod, cluster.nodeInfo(node));
            if (!status.isSuccess()) {
                rejected.computeIfAbsent(status, _ -> new NodeSet()).add(node);
            }
        }
        rejected.forEach((status, nodes) -> rejections.reject(feasible, nodes, status));
    }

    private static NodeSet takenOut(BatchFilterPlugin filter, NodeSetView unexplained, CycleState state, PodInfo pod) {
        NodeSet passing = unexplained.copy();
        Rejections.Writer explained = Rejections.create();
        try {
            filter.filterAll(state, pod, passing, explained.rejections());
        } catch (Throwable thrown) {
            throw PluginFailure.of(filter, "Filter", thrown);
        }
        NodeSet silently = unexplained.copy();
        silently.removeAll(passing);
        explained.takeOut(silently);
        return silently;
    }

    private static Status silent(BatchFilterPlugin filter) {
        return Status.unschedulable("node(s) were taken out by plugin " + filter.name() + ", which did not say why");
    }

    /** Filters of a profile, asked for one pod about nodes where nominated pods count as if they were in place. */
    public static final class CrowdedFilters {
        private final FilterDryRuns runs;

        CrowdedFilters(FilterDryRuns runs) {
            this.runs = runs;
        }

        /** Looks at this node from now on; false where they cannot tell what difference these pods make. */
        public boolean begin(int node, List<PodInfo> nominated) {
            return FilterDryRun.beginBeside(nominated, node, runs.runs());
        }

        /** The verdict of the first filter that turns the pod away. */
        public Optional<Objection> objection() {
            for (int i = 0; i < runs.size(); i++) {
                Status verdict = runs.get(i).verdict();
                if (!verdict.isSuccess()) {
                    return Optional.of(new Objection(runs.plugin(i), verdict));
                }
            }
            return Optional.empty();
        }
    }

    /**
     * Runs a profile's PreFilter plugins for one pod after the other: which nodes come into question, and whose filters have
     * nothing to object to. What it tells is valid until the next pod.
     */
    private static final class PreFilterRunner {
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
            if (!narrowedBy.isEmpty()) {
                excluded.clear();
                narrowedBy.clear();
            }
            Arrays.fill(skipped, false);
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
            if (result instanceof PreFilterResult.Rejected rejected) {
                return rejected.status().code();
            }
            return result instanceof PreFilterResult.Skip ? Code.SKIP : Code.SUCCESS;
        }

        private void choose(@Nullable Set<String> chosen, NodeSet candidates) {
            NodeSetView present = cluster.nodes().present();
            if (chosen == null) {
                candidates.copyFrom(present);
                return;
            }
            candidates.clear();
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
}
