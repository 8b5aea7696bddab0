package io.evenkeel.app.http.wire;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Waits for the next request of a connection. Whether the client has hung up meanwhile is found out only by reading on, which
 * takes a thread; so one is there only while somebody who answers wants to know.
 */
final class NextRequests {
    private final RequestReader requests;
    private Optional<CompletableFuture<Boolean>> ahead = Optional.empty();

    NextRequests(RequestReader requests) {
        this.requests = requests;
    }

    /** False once the client has closed the connection, or broken it off. Of what it sends nothing is lost. */
    synchronized boolean isClientThere() {
        CompletableFuture<Boolean> next = ahead.orElseGet(this::readAhead);
        return !next.isCompletedExceptionally() && next.getNow(true);
    }

    private CompletableFuture<Boolean> readAhead() {
        CompletableFuture<Boolean> next = new CompletableFuture<>();
        ahead = Optional.of(next);
        Thread.ofVirtual().name("waits for a client").start(() -> {
            try {
                next.complete(requests.begins());
            } catch (IOException | RuntimeException broken) {
                next.completeExceptionally(broken);
            }
        });
        return next;
    }

    /** Waits for the first byte of a request; false if the client has closed the connection instead. */
    boolean begins() throws IOException {
        Optional<CompletableFuture<Boolean>> read = taken();
        if (read.isEmpty()) {
            return requests.begins();
        }
        try {
            return read.get().join();
        } catch (CompletionException broken) {
            throw broken.getCause() instanceof IOException cause ? cause : new IOException(broken.getCause());
        }
    }

    private synchronized Optional<CompletableFuture<Boolean>> taken() {
        Optional<CompletableFuture<Boolean>> read = ahead;
        ahead = Optional.empty();
        return read;
    }
}
