package io.evenkeel.hollow.rest;

import io.evenkeel.hollow.encoding.Encodings;
import io.evenkeel.hollow.registry.Registry;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** The API over HTTP. It can be stopped and started again on its port, and then serves the same objects. */
public final class ApiServer implements AutoCloseable {

    private final OpenWatches watches;
    private final Gateway gateway;
    private final Optional<SSLContext> tls;
    private int port;
    private @Nullable Listener listener;

    public ApiServer(
            Registry registry,
            Encodings encodings,
            Tokens tokens,
            Supplier<Authorizer> authorizer,
            Faults faults,
            RequestLog log,
            Settings settings) {
        ObjectWriter writer = new ObjectWriter(encodings);
        watches = new OpenWatches(
                registry.store(), writer, faults, settings.bookmarkInterval(), settings.offersWatchList());
        Resources resources = new Resources(registry, writer, watches, tokens);
        Router router = new Router(resources, new Reviews(tokens, authorizer, writer), authorizer);
        gateway = new Gateway(tokens, router, faults, log);
        tls = settings.tls();
        port = settings.port();
    }

    /** Accepts connections; on any free port the first time if none was set, on the same port ever after. */
    public synchronized void start() {
        if (listener == null) {
            listener = Listener.open(port, tls, gateway);
            port = listener.port();
        }
    }

    /** Breaks all connections and refuses new ones. */
    public synchronized void stop() {
        if (listener != null) {
            watches.closeAll();
            listener.close();
            listener = null;
        }
    }

    public synchronized String url() {
        return (tls.isPresent() ? "https" : "http") + "://127.0.0.1:" + port;
    }

    /** Ends all watches; their clients will come back. */
    public void closeWatches() {
        watches.closeAll();
    }

    public int openWatches() {
        return watches.open();
    }

    @Override
    public void close() {
        stop();
    }

    /** How to serve; a port of 0 means any free one. */
    public record Settings(int port, Optional<SSLContext> tls, Duration bookmarkInterval, boolean offersWatchList) {}
}
