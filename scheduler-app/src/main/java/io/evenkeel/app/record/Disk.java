package io.evenkeel.app.record;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Where the files of a record are made. */
interface Disk {
    /** The file system. */
    Disk REAL = file -> Files.newOutputStream(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

    /** A file that was not there before, to be written from its beginning. */
    OutputStream create(Path file) throws IOException;
}
