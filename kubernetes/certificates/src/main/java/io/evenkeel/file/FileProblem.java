package io.evenkeel.file;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.ZipException;

/** The reason why a file cannot be read or written, in a line for users that begins with its path. */
public final class FileProblem {
    private FileProblem() {}

    public static String reading(Path file, IOException problem) {
        return switch (problem) {
            case NoSuchFileException _ -> file + " does not exist";
            case AccessDeniedException _ -> file + " may not be read";
            case CharacterCodingException _ -> file + " is not UTF-8";
            case EOFException _ -> file + " ends in the midst of its gzip data";
            case ZipException broken -> file + " is no gzip file, or a damaged one: " + reason(broken);
            default ->
                Files.isDirectory(file) ? file + " is a directory" : file + " cannot be read: " + reason(problem);
        };
    }

    public static String writing(Path file, IOException problem) {
        Optional<Path> directory =
                Optional.ofNullable(file.toAbsolutePath().getParent()).filter(parent -> !Files.isDirectory(parent));
        return switch (problem) {
            case NoSuchFileException _
            when directory.isPresent() -> file + " cannot be written: " + directory.get() + " does not exist";
            case AccessDeniedException _ -> file + " may not be written";
            default ->
                Files.isDirectory(file) ? file + " is a directory" : file + " cannot be written: " + reason(problem);
        };
    }

    private static String reason(IOException problem) {
        Optional<String> brief = problem instanceof FileSystemException inFile
                ? Optional.ofNullable(inFile.getReason())
                : Optional.ofNullable(problem.getMessage());
        return brief.orElse("the system does not say why");
    }
}
