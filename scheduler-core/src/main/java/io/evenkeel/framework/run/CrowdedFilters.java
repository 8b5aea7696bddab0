package io.evenkeel.framework.run;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.framework.cycle.Status;
import java.util.List;
import java.util.Optional;

/** What a profile's filters say to one pod of nodes where others count too that are only nominated to them. */
public final class CrowdedFilters {
    private final List<String> plugins;
    private final List<FilterDryRun> runs;

    /** @param runs in the order of the filters, each of the plugin at the same place */
    CrowdedFilters(List<String> plugins, List<FilterDryRun> runs) {
        this.plugins = plugins;
        this.runs = runs;
    }

    /** Looks at this node from now on; false where they cannot tell what difference these pods make. */
    public boolean begin(int node, List<PodInfo> nominated) {
        for (int i = 0; i < runs.size(); i++) {
            runs.get(i).begin(node);
        }
        return FilterDryRun.addAllNominated(nominated, runs);
    }

    /** What the first has to say that turns the pod away. */
    public Optional<Objection> objection() {
        for (int i = 0; i < runs.size(); i++) {
            Status verdict = runs.get(i).verdict();
            if (!verdict.isSuccess()) {
                return Optional.of(new Objection(plugins.get(i), verdict));
            }
        }
        return Optional.empty();
    }
}
