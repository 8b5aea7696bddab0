package io.evenkeel.lab.bench.suite;

import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.lab.bench.Bench;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Measures cases one after the other, and tells of each as soon as it is measured. */
public final class Suite {
    private final Bench bench;

    /** Makes a suite that warms each case up with so many pods. */
    public Suite(PluginRegistry registry, int warmUpPods) {
        bench = new Bench(registry, warmUpPods);
    }

    public List<SuiteRow> run(List<SuiteCase> cases, Consumer<SuiteRow> measured) {
        List<SuiteRow> rows = new ArrayList<>();
        for (SuiteCase one : cases) {
            SuiteRow row = new SuiteRow(one.name(), bench.measure(one.scenario()));
            measured.accept(row);
            rows.add(row);
        }
        return rows;
    }
}
