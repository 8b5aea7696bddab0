package io.evenkeel.app.metrics;

import io.evenkeel.config.problem.ConfigurationException;
import io.evenkeel.config.yaml.ErrorLog;
import io.evenkeel.config.yaml.MappingFields;
import io.evenkeel.config.yaml.YamlText;
import io.evenkeel.file.FileContent;
import io.evenkeel.file.FileProblem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.TypeConversionException;

/** Reads a file of {@code allowListMapping}, of which each field is {@code metric,label: "value,value"}. */
final class LabelManifest {
    private static final String MAPPING = "allowListMapping";

    private LabelManifest() {}

    /** @throws ConfigurationException if it cannot be read, or makes no sense */
    static List<LabelValues> read(Path file) {
        ErrorLog errors = new ErrorLog(file.toString());
        List<LabelValues> read = YamlText.parse(text(file), errors)
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

    private static String text(Path file) {
        try {
            return FileContent.text(file);
        } catch (IOException unreadable) {
            throw new ConfigurationException(FileProblem.reading(file, unreadable));
        }
    }
}
