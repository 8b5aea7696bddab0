package io.evenkeel.framework.cycle;

import java.util.List;

/**
 * The dry runs of a profile's filters for one pod, in their order.
 *
 * @param plugins the runs' plugins, each at the same place as its run
 */
public record FilterDryRuns(List<String> plugins, List<FilterDryRun> runs) {
    public FilterDryRuns {
        plugins = List.copyOf(plugins);
        runs = List.copyOf(runs);
    }

    public int size() {
        return runs.size();
    }

    public FilterDryRun get(int place) {
        return runs.get(place);
    }

    public String plugin(int place) {
        return plugins.get(place);
    }
}
