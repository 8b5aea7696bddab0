package io.evenkeel.app.option;

import io.evenkeel.app.option.Converters.GoBool;
import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.problem.ConfigurationException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The options that choose whose answers are given and turn features on and off, by the reference's names. */
public final class FeatureGateOptions {
    public static final String FLAG = "--feature-gates";

    public static final String LEVEL = "--emulated-version";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = LEVEL,
            paramLabel = "VERSION",
            converter = LevelConverter.class,
            description = "Release of kube-scheduler whose answers to give: " + CompatibilityLevel.CHOICE
                    + " (default: the API server's, as far as it is proved; 1.36 without one)")
    private Optional<CompatibilityLevel> level = Optional.empty();

    @Option(
            names = FLAG,
            paramLabel = "GATE=BOOL,...",
            converter = GateSettings.Converter.class,
            description = "Feature gates of kube-scheduler, on or off; docs/flags.md tells which have an"
                    + " effect. May be given several times.")
    private List<GateSettings> settings = new ArrayList<>();

    /** Whether a level was named, so that no server is asked which it has. */
    public boolean namesLevel() {
        return level.isPresent();
    }

    /** The gates as they are set, of the level that was named or the first; one that cannot be set so is a ParameterException. */
    public FeatureGates gates() {
        return gates(Optional::empty);
    }

    /** The same; where no level was named, it is that of this server, which is asked only then. */
    public FeatureGates gates(Supplier<Optional<ServerRelease>> server) {
        CompatibilityLevel of =
                level.or(() -> server.get().map(ServerRelease::level)).orElse(CompatibilityLevel.FIRST);
        Map<String, Boolean> all = new LinkedHashMap<>();
        settings.forEach(some -> all.putAll(some.values()));
        try {
            return FeatureGates.with(of, all);
        } catch (ConfigurationException unusable) {
            throw new ParameterException(
                    spec.commandLine(), FLAG + ": " + unusable.errors().getFirst());
        }
    }

    /** A release as it is given to components of Kubernetes: {@code 1.37} or {@code kube=1.37}. */
    static final class LevelConverter implements ITypeConverter<CompatibilityLevel> {
        private static final String KUBE = "kube=";

        @Override
        public CompatibilityLevel convert(String value) {
            return CompatibilityLevel.of(value.startsWith(KUBE) ? value.substring(KUBE.length()) : value)
                    .orElseThrow(() -> new TypeConversionException("expected " + CompatibilityLevel.CHOICE
                            + ", with or without " + KUBE + " in front, got \"" + value + "\""));
        }
    }

    /**
     * Feature gates as they are given to components of Kubernetes: {@code A=true,B=false}, a name may have
     * {@code kube:} in front. Names are not checked here.
     */
    private record GateSettings(Map<String, Boolean> values) {
        private static final String COMPONENT = "kube";

        @Override
        public String toString() {
            return values.entrySet().stream()
                    .map(setting -> setting.getKey() + "=" + setting.getValue())
                    .collect(Collectors.joining(","));
        }

        static final class Converter implements ITypeConverter<GateSettings> {
            @Override
            public GateSettings convert(String value) {
                Map<String, Boolean> values = new LinkedHashMap<>();
                for (String setting : value.split(",", -1)) {
                    if (!setting.isBlank()) {
                        read(setting.strip(), values);
                    }
                }
                return new GateSettings(values);
            }

            private static void read(String setting, Map<String, Boolean> values) {
                int equals = setting.indexOf('=');
                if (equals < 0) {
                    throw new TypeConversionException("missing bool value for " + setting);
                }
                String given = setting.substring(equals + 1).strip();
                boolean value = GoBool.parse(given)
                        .orElseThrow(() -> new TypeConversionException(
                                "invalid value of " + setting + ", expected true or false"));
                values.put(gate(setting.substring(0, equals).strip()), value);
            }

            private static String gate(String name) {
                int colon = name.indexOf(':');
                if (colon >= 0 && !name.substring(0, colon).equals(COMPONENT)) {
                    throw new TypeConversionException("component not registered: " + name.substring(0, colon));
                }
                return name.substring(colon + 1);
            }
        }
    }
}
