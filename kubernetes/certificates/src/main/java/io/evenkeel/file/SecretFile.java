package io.evenkeel.file;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * A file with a token or a key, or with what a cluster is, which its owner alone may read. One that others may read loses these
 * rights before it is written, so that there is no moment at which they could read what is new. File systems that know no
 * such rights are written to all the same.
 */
public final class SecretFile {
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> OWNERS_DIRECTORY = PosixFilePermissions.fromString("rwx------");

    private SecretFile() {}

    /** Replaces the file. A pipe or device is written to as it is. */
    public static Path write(Path file, String content) throws IOException {
        try (OutputStream out = open(file)) {
            out.write(content.getBytes(StandardCharsets.UTF_8));
        }
        return file;
    }

    /** Empties the file and opens it for its owner alone; a pipe or device is opened as it is. */
    public static OutputStream open(Path file) throws IOException {
        if (knowsRights(file) && Files.isRegularFile(file)) {
            Files.setPosixFilePermissions(file, OWNER_ONLY);
        }
        return open(file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
    }

    /** One that was not there before. */
    public static OutputStream create(Path file) throws IOException {
        return open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    private static OutputStream open(Path file, OpenOption... how) throws IOException {
        return Channels.newOutputStream(FileChannel.open(file, Set.of(how), rights(file, OWNER_ONLY)));
    }

    /** Makes a directory for such files, and those above it, where there is none; one that is there stays as it is. */
    public static void makeDirectory(Path directory) throws IOException {
        Files.createDirectories(directory, rights(directory, OWNERS_DIRECTORY));
    }

    private static FileAttribute<?>[] rights(Path file, Set<PosixFilePermission> rights) {
        return knowsRights(file)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(rights)}
                : new FileAttribute<?>[0];
    }

    private static boolean knowsRights(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
