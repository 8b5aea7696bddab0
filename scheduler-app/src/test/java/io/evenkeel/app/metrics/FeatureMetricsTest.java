package io.evenkeel.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.metrics.LiveMetrics.FeatureMetrics;
import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.FeatureGates.KnownGates;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class FeatureMetricsTest {
    @Test
    void eachGateIsThereAsItIsSet() {
        Map<Labels, Double> enabled =
                read(FeatureGates.with(Map.of("TaintTolerationComparisonOperators", true, "ComponentFlagz", false)));

        assertThat(enabled)
                .hasSize(KnownGates.of(CompatibilityLevel.V1_36).all().size())
                .containsEntry(Labels.of("name", "TaintTolerationComparisonOperators", "stage", "ALPHA"), 1.0)
                .containsEntry(Labels.of("name", "ComponentFlagz", "stage", "BETA"), 0.0)
                .containsEntry(Labels.of("name", "ComponentStatusz", "stage", "BETA"), 1.0)
                .containsEntry(Labels.of("name", "CustomCPUCFSQuotaPeriod", "stage", ""), 1.0)
                .containsEntry(Labels.of("name", "AllowDNSOnlyNodeCSR", "stage", "DEPRECATED"), 0.0);
    }

    private static Map<Labels, Double> read(FeatureGates gates) {
        return new FeatureMetrics(gates)
                .read()
                .map(GaugeSnapshot.class::cast)
                .flatMap(metric -> metric.getDataPoints().stream())
                .collect(Collectors.toMap(point -> point.getLabels(), point -> point.getValue()));
    }
}
