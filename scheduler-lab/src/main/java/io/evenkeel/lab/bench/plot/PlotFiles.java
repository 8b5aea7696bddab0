package io.evenkeel.lab.bench.plot;

import io.evenkeel.app.terminal.FailureException;
import io.evenkeel.file.FileProblem;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Drawings as files of a directory. */
public final class PlotFiles {
    private PlotFiles() {}

    /**
     * Writes them over what is there, and makes the directory if it is not.
     *
     * @return the files
     * @throws FailureException with a line for the user if that cannot be
     */
    public static List<Path> write(List<Plot> plots, Path directory) {
        List<Path> written = new ArrayList<>();
        Path next = directory;
        try {
            Files.createDirectories(directory.toAbsolutePath());
            for (Plot plot : plots) {
                next = directory.resolve(plot.name());
                Files.writeString(next, plot.svg());
                written.add(next);
            }
        } catch (FileAlreadyExistsException notDirectory) {
            throw new FailureException(directory + " is no directory", notDirectory);
        } catch (IOException unwritable) {
            throw new FailureException(FileProblem.writing(next, unwritable), unwritable);
        }
        return written;
    }
}
