package io.evenkeel.kube.client;

import io.evenkeel.file.ReloadedFiles;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** The contents of files that a kubeconfig or a service account names, which may be renewed. */
final class CredentialFiles<T> implements ReloadedFiles.Listener<T> {
    private static final Logger log = LoggerFactory.getLogger(CredentialFiles.class);
    private static final Duration READ_AGAIN_AFTER = Duration.ofMinutes(1);

    private final ReloadedFiles<T> files;

    /**
     * To begin with what was just read.
     *
     * @param files throws a ClientConfigurationException where they will not do
     */
    public CredentialFiles(T first, Supplier<T> files, InstantSource clock) {
        this.files = new ReloadedFiles<>(first, () -> read(files), READ_AGAIN_AFTER, clock);
    }

    private static <T> T read(Supplier<T> files) throws IOException {
        try {
            return files.get();
        } catch (ClientConfigurationException unusable) {
            throw new IOException(unusable.getMessage(), unusable);
        }
    }

    public T current() {
        return files.look(this);
    }

    /** Reads them at once: for a caller with a credential that was refused. */
    public T readAgain() {
        return files.lookNow(this);
    }

    @Override
    public void reloaded(T before, T now) {
        // The next request gets it; a connection that is in use stays as it is.
    }

    @Override
    public void notReloaded(Level level, IOException why) {
        log.atLevel(level)
                .setMessage("Cannot re-read credential file, keeping the last content")
                .addKeyValue("why", why.getMessage())
                .log();
    }
}
