package io.evenkeel.framework.run;

import io.evenkeel.api.FilterPlugin;
import io.evenkeel.api.Plugin;
import io.evenkeel.api.PreFilterPlugin;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.framework.DryRunPlugin;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.framework.cycle.FilterDryRun.FilterDryRuns;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Asks a profile's PreFilter and Filter plugins for their dry runs, if all of them have some. */
final class DryRuns {
    private final List<DryRunPlugin> plugins = new ArrayList<>();
    private final boolean isComplete;

    DryRuns(List<PreFilterPlugin> preFilters, List<FilterPlugin> filters) {
        Set<Plugin> all = new LinkedHashSet<>(preFilters);
        all.removeAll(filters);
        all.addAll(filters);
        for (Plugin plugin : all) {
            if (plugin instanceof DryRunPlugin able) {
                plugins.add(able);
            }
        }
        isComplete = plugins.size() == all.size();
    }

    /** Asks this plugin; empty where it cannot say. */
    Optional<FilterDryRun> of(Plugin plugin, PodInfo pod) {
        return plugin instanceof DryRunPlugin able ? Optional.of(dryRun(able, pod)) : Optional.empty();
    }

    /** In the order of the filters, without filters that never object. */
    Optional<FilterDryRuns> of(PodInfo pod) {
        if (!isComplete) {
            return Optional.empty();
        }
        List<String> names = new ArrayList<>(plugins.size());
        List<FilterDryRun> runs = new ArrayList<>(plugins.size());
        for (DryRunPlugin plugin : plugins) {
            FilterDryRun run = dryRun(plugin, pod);
            if (!run.equals(FilterDryRun.PASSES)) {
                names.add(plugin.name());
                runs.add(run);
            }
        }
        return Optional.of(new FilterDryRuns(names, runs));
    }

    /** The same, of nodes where others count that are only nominated to them. */
    Optional<CrowdedFilters> crowded(PodInfo pod) {
        if (!isComplete) {
            return Optional.empty();
        }
        return Optional.of(new CrowdedFilters(new FilterDryRuns(
                plugins.stream().map(Plugin::name).toList(),
                plugins.stream().map(plugin -> dryRun(plugin, pod)).toList())));
    }

    /** Returns the first objection to the pod on the node, and to all that are like it, that counts; of filters that can tell. */
    Optional<Objection> objectionOn(int node, PodInfo pod, Predicate<Status> counts) {
        for (DryRunPlugin plugin : plugins) {
            FilterDryRun run = dryRun(plugin, pod);
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

    private static FilterDryRun dryRun(DryRunPlugin plugin, PodInfo pod) {
        try {
            return plugin.dryRun(pod);
        } catch (Throwable thrown) {
            throw PluginFailure.of(plugin, "PreFilter", thrown);
        }
    }
}
