package io.evenkeel.app.live;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports once when the configuration file is not any more what was read at the start, or cannot be read. */
final class ConfigurationFileCheck implements Runnable {
    private static final Logger log = LoggerFactory.getLogger(ConfigurationFileCheck.class);

    private final Path file;
    private final byte[] read;
    private boolean reported;
    private boolean unreadable;

    public ConfigurationFileCheck(Path file, String read) {
        this.file = file;
        this.read = read.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void run() {
        if (reported) {
            return;
        }
        try {
            reported = hasChanged();
            unreadable = false;
            if (reported) {
                log.atWarn()
                        .setMessage("Configuration file has changed, restart to use it")
                        .addKeyValue("file", file)
                        .log();
            }
        } catch (IOException gone) {
            if (!unreadable) {
                log.atWarn()
                        .setMessage("Cannot read the configuration file any more")
                        .addKeyValue("file", file)
                        .log();
            }
            unreadable = true;
        }
    }

    /** No more is read than was read before: by now it may be a file that no memory holds. */
    private boolean hasChanged() throws IOException {
        try (InputStream now = Files.newInputStream(file)) {
            return !Arrays.equals(now.readNBytes(read.length + 1), read);
        }
    }
}
