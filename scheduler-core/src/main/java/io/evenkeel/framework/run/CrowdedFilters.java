package io.evenkeel.framework.run;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.framework.cycle.FilterDryRun.FilterDryRuns;
import java.util.List;
import java.util.Optional;

/** Filters of a profile, asked for one pod about nodes where nominated pods count as if they were in place. */
public final class CrowdedFilters {
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
