package io.evenkeel.app.option;

import io.evenkeel.file.FileContent;
import io.evenkeel.file.FileProblem;
import io.evenkeel.problem.ConfigurationException;
import java.io.IOException;
import java.nio.file.Path;

/** The file that {@code --config} names. */
public final class ConfigurationFile {
    private ConfigurationFile() {}

    /** The text of the file; one that cannot be read is a ConfigurationException. */
    public static String read(Path file) {
        try {
            return FileContent.text(file);
        } catch (IOException unreadable) {
            throw new ConfigurationException(FileProblem.reading(file, unreadable));
        }
    }
}
