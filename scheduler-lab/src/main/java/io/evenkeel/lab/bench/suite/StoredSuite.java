package io.evenkeel.lab.bench.suite;

import io.evenkeel.app.terminal.FailureException;
import io.evenkeel.file.FileProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * What the suite printed at some time.
 *
 * @param name what its file is called, without an ending
 * @param cases in the order in which they were measured; none is there twice
 */
public record StoredSuite(String name, List<StoredCase> cases) {
    public StoredSuite {
        cases = List.copyOf(cases);
    }

    /**
     * Reads what {@link SuiteReport#json} wrote.
     *
     * @param figures what each case must have beside its name
     * @throws FailureException with a line for the user if the file is not that
     */
    public static StoredSuite read(Path file, Set<String> figures) {
        try {
            return new StoredSuite(stem(file), new SuiteJson(figures).cases(Files.readString(file)));
        } catch (SuiteJson.OtherShapeException otherShape) {
            throw new FailureException(
                    file + " is not what 'evenkeel bench --suite --output json' prints: " + otherShape.getMessage(),
                    otherShape);
        } catch (IOException unreadable) {
            throw new FailureException(FileProblem.reading(file, unreadable), unreadable);
        }
    }

    private static String stem(Path file) {
        return file.toAbsolutePath().normalize().getFileName().toString().replaceFirst("(?<=.)\\.[^.]*$", "");
    }
}
