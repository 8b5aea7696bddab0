package io.evenkeel.app.metrics;

import io.evenkeel.app.option.ConfigurationFile;
import io.evenkeel.app.option.Converters.NameList;
import io.evenkeel.config.file.ErrorLog;
import io.evenkeel.config.file.MappingFields;
import io.evenkeel.config.file.YamlText;
import io.evenkeel.problem.ConfigurationException;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

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
            description = "Values that a label may have; others are shown as unexpected. May be given several times.")
    private List<LabelValues> allowed = new ArrayList<>();

    @Option(
            names = "--allow-metric-labels-manifest",
            paramLabel = "FILE",
            description = "Values of labels in YAML, allowListMapping: {\"METRIC,LABEL\": \"VALUE,...\"}; those of the"
                    + " flag go first")
    private Optional<Path> manifest = Optional.empty();

    /** The choice; a manifest that makes no sense is a ConfigurationException. */
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

    /** Reads a file of {@code allowListMapping} with fields {@code metric,label: "value,value"}. */
    private static final class LabelManifest {
        private static final String MAPPING = "allowListMapping";

        private LabelManifest() {}

        /** @throws ConfigurationException if it cannot be read, or makes no sense */
        static List<LabelValues> read(Path file) {
            ErrorLog errors = new ErrorLog(file.toString());
            List<LabelValues> read = YamlText.parse(ConfigurationFile.read(file), errors)
                    .flatMap(root -> root.mapping(fields -> fields.mapping(MAPPING, LabelManifest::values)))
                    .flatMap(mapping -> mapping)
                    .orElse(List.of());
            if (!errors.isEmpty()) {
                throw new ConfigurationException(errors.lines());
            }
            return read;
        }

        private static List<LabelValues> values(MappingFields mapping) {
            List<LabelValues> all = new ArrayList<>();
            for (String key : mapping.names()) {
                try {
                    all.add(LabelValues.of(key, mapping.string(key, "")));
                } catch (TypeConversionException unusable) {
                    mapping.error(key, String.valueOf(unusable.getMessage()));
                }
            }
            return all;
        }
    }

    /** The values that a label of a metric may have. */
    private record LabelValues(String metric, String label, Set<String> values) {
        private static final Pattern KEY = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*),([a-zA-Z_][a-zA-Z0-9_]*)");

        LabelValues {
            values = Set.copyOf(values);
        }

        @Override
        public String toString() {
            return metric + "," + label + "=" + String.join(",", values);
        }

        static LabelValues of(String key, String values) {
            Matcher names = KEY.matcher(key);
            if (!names.matches()) {
                throw new TypeConversionException("expected METRIC,LABEL, got \"" + key + "\"");
            }
            return new LabelValues(
                    names.group(1),
                    names.group(2),
                    Set.copyOf(new NameList.Converter().convert(values).names()));
        }

        /** Reads {@code metric,label=value,value}. */
        static final class Converter implements ITypeConverter<LabelValues> {
            @Override
            public LabelValues convert(String value) {
                int equals = value.indexOf('=');
                if (equals < 0) {
                    throw new TypeConversionException("expected METRIC,LABEL=VALUE,..., got \"" + value + "\"");
                }
                return of(value.substring(0, equals), value.substring(equals + 1));
            }
        }
    }

    /** The choice of metrics: {@code allowed} has by their names the values that their labels may have. */
    public record ShownMetrics(Set<String> disabled, Map<String, Map<String, Set<String>>> allowed)
            implements Instruments {
        public static final ShownMetrics ALL = new ShownMetrics(Set.of(), Map.of());

        private static final String TOTAL = "_total";

        public ShownMetrics {
            disabled = Set.copyOf(disabled);
            allowed = Map.copyOf(allowed);
        }

        MetricSnapshots of(MetricSnapshots all) {
            return new MetricSnapshots(all.stream()
                    .filter(metric -> !disabled.contains(name(metric)))
                    .map(this::constrained)
                    .toList());
        }

        @Override
        public Stream<MetricSnapshot> read() {
            return Stream.of(Family.counted("disabled_metrics", "The count of disabled metrics.", disabled.size()));
        }

        /** Whether a metric of this name is left out, with or without the ending of counters. */
        boolean leavesOut(String name) {
            return disabled.contains(name) || disabled.contains(name + TOTAL);
        }

        private MetricSnapshot constrained(MetricSnapshot metric) {
            Map<String, Set<String>> values = allowed.getOrDefault(name(metric), Map.of());
            return values.isEmpty() ? metric : new AllowedLabels(values).constrain(metric);
        }

        private static String name(MetricSnapshot metric) {
            String name = metric.getMetadata().getPrometheusName();
            return metric instanceof CounterSnapshot ? name + TOTAL : name;
        }

        /** The values that a metric's labels may have; any other is shown as {@code unexpected}, such series as one. */
        record AllowedLabels(Map<String, Set<String>> values) {
            private static final String UNEXPECTED = "unexpected";

            AllowedLabels {
                values = Map.copyOf(values);
            }

            MetricSnapshot constrain(MetricSnapshot metric) {
                return switch (metric) {
                    case CounterSnapshot counter ->
                        new CounterSnapshot(
                                counter.getMetadata(),
                                merged(
                                        counter.getDataPoints(),
                                        AllowedLabels::labelled,
                                        (a, b) -> point(a.getValue() + b.getValue(), a.getLabels())));
                    case GaugeSnapshot gauge ->
                        new GaugeSnapshot(
                                gauge.getMetadata(),
                                merged(
                                        gauge.getDataPoints(),
                                        AllowedLabels::labelled,
                                        (a, b) -> new GaugeDataPointSnapshot(
                                                a.getValue() + b.getValue(), a.getLabels(), null)));
                    case HistogramSnapshot histogram ->
                        new HistogramSnapshot(
                                histogram.getMetadata(),
                                merged(histogram.getDataPoints(), AllowedLabels::labelled, AllowedLabels::sum));
                    default -> metric;
                };
            }

            private interface Labelling<P> {
                P with(P point, Labels labels);
            }

            private <P extends DataPointSnapshot> Collection<P> merged(
                    List<P> points, Labelling<P> labelling, BinaryOperator<P> sum) {
                Map<Labels, P> merged = new LinkedHashMap<>();
                for (P point : points) {
                    Labels labels = constrain(point.getLabels());
                    merged.merge(labels, labelling.with(point, labels), sum);
                }
                return merged.values();
            }

            private Labels constrain(Labels labels) {
                List<String> names = new ArrayList<>();
                List<String> constrained = new ArrayList<>();
                labels.forEach(label -> {
                    Set<String> allowed = values.getOrDefault(label.getName(), Set.of(label.getValue()));
                    names.add(label.getName());
                    constrained.add(allowed.contains(label.getValue()) ? label.getValue() : UNEXPECTED);
                });
                return Labels.of(names, constrained);
            }

            private static CounterDataPointSnapshot labelled(CounterDataPointSnapshot point, Labels labels) {
                return point(point.getValue(), labels);
            }

            private static CounterDataPointSnapshot point(double value, Labels labels) {
                return new CounterDataPointSnapshot(value, labels, null, 0);
            }

            private static GaugeDataPointSnapshot labelled(GaugeDataPointSnapshot point, Labels labels) {
                return new GaugeDataPointSnapshot(point.getValue(), labels, null);
            }

            private static HistogramDataPointSnapshot labelled(HistogramDataPointSnapshot point, Labels labels) {
                return histogram(point.getClassicBuckets(), point.getSum(), labels);
            }

            private static HistogramDataPointSnapshot histogram(
                    ClassicHistogramBuckets buckets, double sum, Labels labels) {
                return HistogramDataPointSnapshot.builder()
                        .classicHistogramBuckets(buckets)
                        .sum(sum)
                        .labels(labels)
                        .build();
            }

            /** Series of one metric have the same buckets. */
            private static HistogramDataPointSnapshot sum(HistogramDataPointSnapshot a, HistogramDataPointSnapshot b) {
                ClassicHistogramBuckets left = a.getClassicBuckets();
                ClassicHistogramBuckets right = b.getClassicBuckets();
                var sum = ClassicHistogramBuckets.builder();
                for (int i = 0; i < left.size(); i++) {
                    sum.bucket(left.getUpperBound(i), left.getCount(i) + right.getCount(i));
                }
                return histogram(sum.build(), a.getSum() + b.getSum(), a.getLabels());
            }
        }
    }
}
