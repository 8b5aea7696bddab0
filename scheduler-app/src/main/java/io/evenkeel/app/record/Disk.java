package io.evenkeel.app.record;

import io.evenkeel.file.SecretFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;

/** Where the files of a record are made. */
interface Disk {
    /** The file system. */
    Disk REAL = SecretFile::create;

    /** A file that was not there before, to be written from its beginning. */
    OutputStream create(Path file) throws IOException;
}
