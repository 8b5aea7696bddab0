package io.evenkeel.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * A file with a token or key, which its owner alone may read. One that others may read loses these rights before it is
 * written, so that there is no moment at which they could read what is new. File systems that know no such rights are
 * written to all the same.
 */
public final class SecretFile {
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");
    private static final Set<StandardOpenOption> ANEW =
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);

    private SecretFile() {}

    /** Writes it anew. A pipe or device is written to as it is. */
    public static Path write(Path file, String content) throws IOException {
        FileAttribute<?>[] rights = {};
        if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            rights = new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)};
            if (Files.isRegularFile(file)) {
                Files.setPosixFilePermissions(file, OWNER_ONLY);
            }
        }
        try (FileChannel out = FileChannel.open(file, ANEW, rights)) {
            ByteBuffer rest = ByteBuffer.wrap(content.getBytes(StandardCharsets.UTF_8));
            while (rest.hasRemaining()) {
                out.write(rest);
            }
        }
        return file;
    }
}
