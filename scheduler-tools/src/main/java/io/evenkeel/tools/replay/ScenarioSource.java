package io.evenkeel.tools.replay;

import io.evenkeel.file.BoundedLines;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/**
 * A source of scenarios: a file or standard input, compressed or not.
 *
 * @param name what problems are told of
 * @param isPacked whether it is known to be compressed with gzip; it is found out otherwise
 */
public record ScenarioSource(String name, Opening bytes, boolean isPacked) {
    private static final Path STANDARD_INPUT = Path.of("-");
    private static final int GZIP_FIRST = 0x1f;
    private static final int GZIP_SECOND = 0x8b;

    /** Opens the source, once. */
    @FunctionalInterface
    public interface Opening {
        InputStream open() throws IOException;
    }

    /** As a user names it: a file, or {@code -} for standard input. */
    public static ScenarioSource named(Path file) {
        return file.equals(STANDARD_INPUT) ? standardInput(System.in) : file(file);
    }

    public static ScenarioSource file(Path file) {
        return new ScenarioSource(
                file.toString(),
                () -> Files.newInputStream(file),
                file.toString().endsWith(".gz"));
    }

    public static ScenarioSource standardInput(InputStream in) {
        return new ScenarioSource("standard input", () -> in, false);
    }

    public BoundedLines lines() throws IOException {
        InputStream in = new BufferedInputStream(bytes.open(), 1 << 16);
        boolean packed = isPacked || startsAsGzip(in);
        return new BoundedLines(packed ? new GZIPInputStream(in, 1 << 16) : in);
    }

    private static boolean startsAsGzip(InputStream in) throws IOException {
        in.mark(2);
        boolean packed = in.read() == GZIP_FIRST && in.read() == GZIP_SECOND;
        in.reset();
        return packed;
    }
}
