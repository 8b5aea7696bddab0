package io.evenkeel.lab.bench.plot;

import io.evenkeel.app.terminal.FailureException;
import io.evenkeel.lab.bench.suite.StoredSuite;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** All that can be drawn of a suite: rates by workload, and by nodes and by pods where a workload was measured with several numbers of them. */
public final class Plots {
    static final String PODS_PER_SECOND = "pods_per_s";

    private Plots() {}

    /**
     * Reads what is drawn.
     *
     * @throws FailureException with a line for the user if the file is no suite's
     */
    public static StoredSuite read(Path file) {
        return StoredSuite.read(file, Set.of(PODS_PER_SECOND));
    }

    /**
     * Draws.
     *
     * @param then what the bars are compared with
     * @throws FailureException with a line for the user if the two have nothing in common
     */
    public static List<Plot> of(StoredSuite now, Optional<StoredSuite> then) {
        List<Line> byNodes = Lines.by(Size.NODES, now.cases());
        List<Line> byPods = Lines.by(Size.PODS, now.cases());
        Bars bars = Bars.of(now, then, List.of(byNodes, byPods));
        List<Plot> plots = new ArrayList<>();
        plots.add(new Plot(now.name() + "-by-workload.svg", new BarPlot(bars).svg()));
        if (!byNodes.isEmpty()) {
            plots.add(new Plot(now.name() + "-by-nodes.svg", new LinePlot(Size.NODES, byNodes).svg()));
        }
        if (!byPods.isEmpty()) {
            plots.add(new Plot(now.name() + "-by-pods.svg", new LinePlot(Size.PODS, byPods).svg()));
        }
        return plots;
    }
}
