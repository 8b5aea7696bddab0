package io.evenkeel.config.read;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.problem.ConfigurationException;
import io.evenkeel.config.yaml.Cursor;
import io.evenkeel.config.yaml.ErrorLog;
import io.evenkeel.config.yaml.YamlText;
import java.util.Optional;

/**
 * Reads a KubeSchedulerConfiguration from YAML or JSON and completes it with the defaults. What kube-scheduler would
 * refuse is refused, in one {@link ConfigurationException} that names all errors with their places.
 */
public final class ConfigurationReader {
    /** Reads a text; {@code sourceName} stands in front of every error. */
    public SchedulerConfiguration read(String sourceName, String text) {
        ErrorLog errors = new ErrorLog(sourceName);
        Optional<Cursor> root = YamlText.parse(text, errors);
        Optional<SchedulerConfiguration> configuration =
                root.flatMap(document -> document.mapping(ConfigurationBinder::bind));
        if (configuration.isEmpty() || !errors.isEmpty()) {
            throw new ConfigurationException(errors.lines());
        }
        return configuration.get();
    }
}
