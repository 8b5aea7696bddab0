package io.evenkeel.app.http.auth;

import io.evenkeel.file.ReloadedFiles;
import io.evenkeel.tls.Authorities;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Authorities from a PEM file, which is checked for changes when a client connects or sends a request. */
final class AuthorityFile implements Supplier<Authorities>, ReloadedFiles.Listener<Authorities> {
    private static final Logger log = LoggerFactory.getLogger(AuthorityFile.class);

    private final Path file;
    private final ReloadedFiles<Authorities> content;

    /** @throws IOException if the file cannot be read or has no authority in it */
    public AuthorityFile(Path file, InstantSource clock) throws IOException {
        this.file = file;
        this.content = ReloadedFiles.read(
                List.of(file), file.toString(), contents -> Authorities.parse(contents.getFirst()), clock);
    }

    @Override
    public Authorities get() {
        return content.look(this);
    }

    @Override
    public void reloaded(Authorities before, Authorities now) {
        log.atInfo()
                .setMessage("Client CAs reloaded")
                .addKeyValue("file", file)
                .addKeyValue("names", now.names())
                .log();
    }

    @Override
    public void notReloaded(Level level, IOException why) {
        log.atLevel(level)
                .setMessage("Client CAs not reloaded, keeping the last ones")
                .addKeyValue("why", why.getMessage())
                .log();
    }
}
