package io.evenkeel.app.option;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A path of a file or directory. An empty one is refused: it would mean the working directory, and most often comes from an unset variable. */
public final class FilePath implements ITypeConverter<Path> {
    @Override
    public Path convert(String value) {
        if (value.isEmpty()) {
            throw new TypeConversionException("must not be empty");
        }
        try {
            return Path.of(value);
        } catch (InvalidPathException e) {
            throw new TypeConversionException("\"" + value + "\" is no path");
        }
    }
}
