package io.evenkeel.app.live;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports once when the configuration file is not any more what was read at the start, or cannot be read. */
public final class ConfigurationFileCheck implements Runnable {
    private static final Logger log = LoggerFactory.getLogger(ConfigurationFileCheck.class);

    private final Path file;
    private final String read;
    private boolean reported;
    private boolean unreadable;

    public ConfigurationFileCheck(Path file, String read) {
        this.file = file;
        this.read = read;
    }

    @Override
    public void run() {
        if (reported) {
            return;
        }
        try {
            reported = !Files.readString(file).equals(read);
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
}
