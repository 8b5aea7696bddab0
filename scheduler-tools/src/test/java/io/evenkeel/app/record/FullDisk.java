package io.evenkeel.app.record;

import io.evenkeel.app.record.RecordFiles.Disk;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;

/** A disk on which there is room for so many bytes: what fits is written, the rest is not, and files can always be made. */
final class FullDisk implements Disk {
    private long room;

    FullDisk(long room) {
        this.room = room;
    }

    void setRoom(long bytes) {
        room = bytes;
    }

    @Override
    public OutputStream create(Path file) throws IOException {
        return new FilterOutputStream(REAL.create(file)) {
            @Override
            public void write(byte[] bytes, int from, int length) throws IOException {
                int fits = (int) Math.min(room, length);
                out.write(bytes, from, fits);
                room -= fits;
                if (fits < length) {
                    throw new IOException("No space left on device");
                }
            }
        };
    }
}
