package io.evenkeel.app.cli;

import io.evenkeel.app.option.Converters.ByteSize;
import io.evenkeel.app.option.Converters.GoBool;
import io.evenkeel.app.option.Converters.TimeSpan;
import io.evenkeel.app.option.Converters.WholeNumber;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A flag of kube-scheduler that is accepted and checked but has no effect: Evenkeel does it in one way.
 *
 * @param label placeholder of its value in the help
 * @param standard its default
 * @param check refuses values that would need an effect
 */
record IgnoredFlag(String flag, String label, String standard, ITypeConverter<?> check, String why) {
    static final List<IgnoredFlag> ALL = List.of(
            new IgnoredFlag("--profiling", "BOOL", "true", new GoBool(), "no profiles are served"),
            new IgnoredFlag("--contention-profiling", "BOOL", "true", new GoBool(), "no profiles are served"),
            new IgnoredFlag(
                    "--kube-api-content-type",
                    "TYPE",
                    "",
                    OneOf.of(
                            "no other encoding is supported",
                            "application/vnd.kubernetes.protobuf",
                            "application/json"),
                    "protobuf is requested, JSON accepted where a server has no protobuf"),
            new IgnoredFlag(
                    "--log-flush-frequency", "DURATION", "5s", new TimeSpan.FromZero(), "each line is written at once"),
            new IgnoredFlag("--log-text-info-buffer-size", "SIZE", "0", new ByteSize(), "each line is written at once"),
            new IgnoredFlag("--log-json-info-buffer-size", "SIZE", "0", new ByteSize(), "each line is written at once"),
            new IgnoredFlag(
                    "--log-text-split-stream",
                    "BOOL",
                    "false",
                    OneOf.no("all lines go to standard error"),
                    "all lines go to standard error"),
            new IgnoredFlag(
                    "--log-json-split-stream",
                    "BOOL",
                    "false",
                    OneOf.no("all lines go to standard error"),
                    "all lines go to standard error"),
            new IgnoredFlag(
                    "--vmodule",
                    "PATTERN=N,...",
                    "",
                    new ModuleLevels(),
                    "patterns name files of kube-scheduler; -v is for all of the log"),
            new IgnoredFlag("--disable-http2-serving", "BOOL", "false", new GoBool(), "HTTP/1.1 is served"),
            new IgnoredFlag(
                    "--http2-max-streams-per-connection", "N", "0", new WholeNumber.FromZero(), "HTTP/1.1 is served"),
            new IgnoredFlag("--permit-address-sharing", "BOOL", "false", new GoBool(), "SO_REUSEADDR is always set"),
            new IgnoredFlag(
                    "--permit-port-sharing",
                    "BOOL",
                    "false",
                    OneOf.no("SO_REUSEPORT is never set"),
                    "SO_REUSEPORT is never set"),
            new IgnoredFlag(
                    "--emulated-version",
                    "VERSION",
                    "",
                    OneOf.of("no other version is emulated", "1.36", "kube=1.36"),
                    "1.36 is the one version that Evenkeel is compatible with"),
            new IgnoredFlag(
                    "--min-compatibility-version",
                    "VERSION",
                    "",
                    OneOf.of(
                            "kube-scheduler 1.36 has no other",
                            "1.33",
                            "1.34",
                            "1.35",
                            "1.36",
                            "kube=1.33",
                            "kube=1.34",
                            "kube=1.35",
                            "kube=1.36"),
                    "nothing depends on it"),
            new IgnoredFlag(
                    "--show-hidden-metrics-for-version",
                    "VERSION",
                    "",
                    OneOf.of("only the previous minor version is allowed", "", "1.35"),
                    "no metrics are hidden"));

    boolean isBool() {
        return label.equals("BOOL");
    }

    /** Log levels by source file, in klog's form for --vmodule: {@code queue*=4,cycle=5}. */
    public static final class ModuleLevels implements ITypeConverter<String> {
        private static final Pattern COMMA = Pattern.compile(",");
        private static final Pattern LEVEL = Pattern.compile("[^=]+=[0-9]{1,9}");

        @Override
        public String convert(String value) {
            COMMA.splitAsStream(value).filter(level -> !level.isEmpty()).forEach(ModuleLevels::check);
            return value;
        }

        private static void check(String level) {
            if (!LEVEL.matcher(level).matches()) {
                throw new TypeConversionException("\"" + level + "\" does not have the form PATTERN=N");
            }
        }
    }

    /** One of a few texts; any other is refused with a reason. */
    record OneOf(String why, List<String> texts) implements ITypeConverter<String> {
        public static OneOf of(String why, String... texts) {
            return new OneOf(why, List.of(texts));
        }

        /** A boolean that can only be false. */
        public static ITypeConverter<Boolean> no(String why) {
            GoBool bool = new GoBool();
            return value -> {
                if (bool.convert(value)) {
                    throw new TypeConversionException("cannot be true: " + why);
                }
                return false;
            };
        }

        @Override
        public String convert(String value) {
            if (!texts.contains(value)) {
                throw new TypeConversionException("expected "
                        + texts.stream().filter(text -> !text.isEmpty()).collect(Collectors.joining(" or "))
                        + ", got \""
                        + value + "\": " + why);
            }
            return value;
        }
    }
}
