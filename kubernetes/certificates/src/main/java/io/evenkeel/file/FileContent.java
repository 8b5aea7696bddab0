package io.evenkeel.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that a user names, read whole where it is not too large; {@link FileProblem} says why it cannot be. */
public final class FileContent {
    private FileContent() {}

    public static byte[] bytes(Path file) throws IOException {
        try (InputStream in = Bound.SETTINGS.of(Files.newInputStream(file))) {
            return in.readAllBytes();
        }
    }

    public static String text(Path file) throws IOException {
        return text(Files.newInputStream(file), Bound.SETTINGS);
    }

    /**
     * The rest of a stream, which is closed then.
     *
     * @throws CharacterCodingException if it is not UTF-8
     */
    public static String text(InputStream stream, Bound bound) throws IOException {
        try (InputStream in = bound.of(stream)) {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(in.readAllBytes()))
                    .toString();
        }
    }
}
