package io.evenkeel.app.metrics;

import io.evenkeel.app.option.NameList;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Flags that choose the metrics to show, by kube-scheduler's names. */
@Command(optionListHeading = "Metrics")
public final class MetricsOptions {
    @Option(
            names = "--disabled-metrics",
            paramLabel = "NAMES",
            converter = NameList.Converter.class,
            description = "Names of metrics to leave out, with commas between. May be given several times.")
    private List<NameList> disabled = new ArrayList<>();

    @Option(
            names = "--allow-metric-labels",
            paramLabel = "METRIC,LABEL=VALUE,...",
            converter = LabelValues.Converter.class,
            description = "The values that a label may have; any other is shown as unexpected. May be given several"
                    + " times.")
    private List<LabelValues> allowed = new ArrayList<>();

    @Option(
            names = "--allow-metric-labels-manifest",
            paramLabel = "FILE",
            description = "Values of labels in YAML, allowListMapping: {\"METRIC,LABEL\": \"VALUE,...\"}; those of the"
                    + " flag go first")
    private Optional<Path> manifest = Optional.empty();

    /**
     * The choice of metrics to show.
     *
     * @throws io.evenkeel.config.problem.ConfigurationException if the manifest cannot be read, or makes no sense
     */
    public ShownMetrics shown() {
        Set<String> names = new HashSet<>();
        disabled.forEach(some -> names.addAll(some.names()));
        List<LabelValues> all =
                new ArrayList<>(manifest.map(LabelManifest::read).orElse(List.of()));
        all.addAll(allowed);
        Map<String, Map<String, Set<String>>> byMetric = new HashMap<>();
        all.forEach(some ->
                byMetric.computeIfAbsent(some.metric(), _ -> new HashMap<>()).put(some.label(), some.values()));
        return new ShownMetrics(names, byMetric);
    }
}
