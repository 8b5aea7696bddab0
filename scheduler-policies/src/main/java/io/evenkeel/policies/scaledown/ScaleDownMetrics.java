package io.evenkeel.policies.scaledown;

import io.evenkeel.app.metrics.Count;
import io.evenkeel.app.metrics.Family;
import io.evenkeel.app.metrics.Family.Families;
import io.evenkeel.app.metrics.Instruments;
import io.evenkeel.kube.patch.PatchSink.PatchObserver.End;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.Locale;
import java.util.stream.Stream;

/** How often costs were written, and how often others' were found. */
final class ScaleDownMetrics implements Instruments {
    private final Families families = new Families();
    private final Family<Count> writes =
            families.counter("evenkeel_pod_deletion_cost_writes", "Writes of pod-deletion-cost, by result.", "result");
    private final Count clashes = families.counter(
            "evenkeel_pod_deletion_cost_clashes", "Pods found with a pod-deletion-cost of another writer.");

    ScaleDownMetrics() {
        for (End end : End.values()) {
            writes.with(label(end));
        }
    }

    private static String label(End end) {
        return end.name().toLowerCase(Locale.ROOT);
    }

    void ended(End end) {
        writes.with(label(end)).increment();
    }

    void clashed() {
        clashes.increment();
    }

    @Override
    public Stream<MetricSnapshot> read() {
        return families.read();
    }
}
