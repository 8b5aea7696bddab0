package io.evenkeel.file;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes one thing of the contents of several files, and the same thing again while they hold the same. */
final class ParsedFiles<T> implements ReloadedFiles.Reader<T> {
    private record Parsed<T>(List<byte[]> contents, T value) {}

    private final List<Path> files;
    private final String called;
    private final ReloadedFiles.Parser<T> parser;
    private @Nullable Parsed<T> latest;

    ParsedFiles(List<Path> files, String called, ReloadedFiles.Parser<T> parser) {
        this.files = List.copyOf(files);
        this.called = called;
        this.parser = parser;
    }

    @Override
    public T read() throws IOException {
        List<byte[]> contents = new ArrayList<>();
        for (Path file : files) {
            try {
                contents.add(FileContent.bytes(file));
            } catch (IOException e) {
                throw new IOException(FileProblem.reading(file, e), e);
            }
        }
        Parsed<T> known = latest;
        if (known == null || !Arrays.deepEquals(known.contents.toArray(), contents.toArray())) {
            known = new Parsed<>(contents, parse(contents));
            latest = known;
        }
        return known.value;
    }

    private T parse(List<byte[]> contents) throws IOException {
        try {
            return parser.parse(contents);
        } catch (GeneralSecurityException e) {
            throw new IOException("cannot use " + called + ": " + e.getMessage(), e);
        }
    }
}
