package io.evenkeel.app.metrics;

import io.evenkeel.app.option.ConfigurationFile;
import io.evenkeel.app.option.NameList;
import io.evenkeel.config.file.ErrorLog;
import io.evenkeel.config.file.MappingFields;
import io.evenkeel.config.file.YamlText;
import io.evenkeel.problem.ConfigurationException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

    /**
     * The choice of metrics to show.
     *
     * @throws io.evenkeel.problem.ConfigurationException if the manifest cannot be read, or makes no sense
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
}
