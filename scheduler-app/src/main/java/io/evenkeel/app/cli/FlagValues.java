package io.evenkeel.app.cli;

import io.evenkeel.config.yaml.GoDuration;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The flags of a command by name, with the values that hold, written as programs in Go write theirs. */
final class FlagValues {
    private static final String LONG = "--";

    private FlagValues() {}

    static SortedMap<String, String> of(CommandSpec command) {
        SortedMap<String, String> values = new TreeMap<>();
        for (OptionSpec option : command.options()) {
            if (option.longestName().startsWith(LONG)) {
                values.put(option.longestName().substring(LONG.length()), text(option.getValue()));
            }
        }
        return values;
    }

    private static String text(@Nullable Object value) {
        return switch (value) {
            case null -> "";
            case Optional<?> optional -> optional.map(FlagValues::text).orElse("");
            case Duration duration -> GoDuration.format(duration);
            case Collection<?> list -> list.stream().map(FlagValues::text).collect(Collectors.joining(",", "[", "]"));
            default -> withoutPassword(value.toString());
        };
    }

    /** The address of a server may carry a user and a password. */
    private static String withoutPassword(String value) {
        return value.replaceFirst("^([a-zA-Z][a-zA-Z0-9+.-]*://)?[^/@]*@", "$1CLASSIFIED@");
    }
}
