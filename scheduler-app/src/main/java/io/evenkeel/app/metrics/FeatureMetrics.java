package io.evenkeel.app.metrics;

import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.FeatureGates.KnownGates;
import io.evenkeel.config.FeatureGates.KnownGates.FeatureGate;
import io.evenkeel.config.FeatureGates.KnownGates.FeatureGate.Stage;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.stream.Stream;

/** The setting of each feature gate. */
final class FeatureMetrics implements Instruments {
    private final MetricSnapshot snapshot;

    FeatureMetrics(FeatureGates gates) {
        Gauge enabled = new Gauge(
                "kubernetes_feature_enabled",
                "This metric records the data about the stage and enablement of a k8s feature.",
                "name",
                "stage");
        KnownGates.all().forEach(gate -> enabled.set(gates.isOn(gate) ? 1 : 0, gate.name(), stage(gate)));
        snapshot = enabled.snapshot();
    }

    /** Empty for a feature that is generally available. */
    private static String stage(FeatureGate gate) {
        return gate.stage() == Stage.GA ? "" : gate.stage().name();
    }

    @Override
    public Stream<MetricSnapshot> read() {
        return Stream.of(snapshot);
    }
}
