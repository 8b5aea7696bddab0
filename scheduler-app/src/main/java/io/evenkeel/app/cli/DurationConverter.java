package io.evenkeel.app.cli;

import io.evenkeel.config.yaml.GoDuration;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations as Kubernetes components take them, such as 1m30s. */
final class DurationConverter implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String value) {
        return GoDuration.parse(value)
                .orElseThrow(
                        () -> new TypeConversionException("expected a duration such as 15s, got \"" + value + "\""));
    }
}
