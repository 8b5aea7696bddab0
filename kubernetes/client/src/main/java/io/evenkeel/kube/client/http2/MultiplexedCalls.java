package io.evenkeel.kube.client.http2;

import io.evenkeel.kube.client.http2.CallEnd.Reply;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The calls to one server, over one connection as long as it takes calls, and then over another. A server that does not speak
 * HTTP/2 is found out by the first call, and is asked no more in this way.
 */
public final class MultiplexedCalls {
    private static final int MOST_TRIES = 3;

    private final Connector connector;
    private final ReentrantLock connecting = new ReentrantLock();
    private volatile Optional<CallConnection> connection = Optional.empty();
    private volatile @Nullable IOException lastFailure;
    private volatile boolean isForeign;
    private volatile boolean isRetired;

    public MultiplexedCalls(Connector connector) {
        this.connector = connector;
    }

    /**
     * Makes a call, and waits for the answer.
     *
     * @return nothing where the server does not speak HTTP/2; it was not asked then
     * @throws IOException where no answer came; whether the call had an effect is not known then
     */
    public Optional<Reply> call(Request request) throws IOException {
        for (int tries = 1; ; tries++) {
            Optional<CallConnection> current = current();
            if (current.isEmpty()) {
                return Optional.empty();
            }
            switch (end(current.get(), request)) {
                case CallEnd.Answered(Reply reply) -> {
                    return Optional.of(reply);
                }
                case CallEnd.Failed(IOException why, boolean isUntouched) -> {
                    if (!isUntouched || tries == MOST_TRIES) {
                        throw why;
                    }
                }
            }
        }
    }

    private CallEnd end(CallConnection current, Request request) throws IOException {
        Waiting waiting = new Waiting();
        Optional<Exchange> exchange = current.begin(request, waiting);
        if (exchange.isEmpty()) {
            return new CallEnd.Failed(new IOException("the connection takes no more calls"), true);
        }
        try {
            return waiting.await();
        } catch (IOException interrupted) {
            current.abandon(exchange.get());
            throw interrupted;
        } finally {
            if (isRetired) {
                current.retire();
            }
        }
    }

    /**
     * Begins a call for which no thread waits.
     *
     * @param whenEnded is told once, by a thread that must not be held up
     * @return false, and nothing is done, where there is no connection that takes calls
     */
    public boolean begin(Request request, Consumer<CallEnd> whenEnded) {
        return usable().flatMap(current -> current.begin(request, whenEnded)).isPresent();
    }

    /** All that wait for a connection share what comes of it: each would fail as late again as there are others. */
    private Optional<CallConnection> current() throws IOException {
        IOException before = lastFailure;
        Optional<CallConnection> current = usable();
        if (current.isPresent() || isForeign) {
            return current;
        }
        try {
            connecting.lockInterruptibly();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
        try {
            current = usable();
            if (current.isPresent() || isForeign) {
                return current;
            }
            IOException meanwhile = lastFailure;
            if (meanwhile != null && !meanwhile.equals(before)) {
                throw meanwhile;
            }
            return connected();
        } finally {
            connecting.unlock();
        }
    }

    private Optional<CallConnection> connected() throws IOException {
        try {
            Optional<CallConnection> made = connector.connect();
            isForeign = made.isEmpty();
            connection = made;
            return made;
        } catch (IOException failed) {
            lastFailure = failed;
            throw failed;
        }
    }

    private Optional<CallConnection> usable() {
        return connection.filter(CallConnection::takesMore);
    }

    /** Sees through the calls underway, and keeps no connection for calls to come. */
    public void retire() {
        isRetired = true;
        connection.ifPresent(CallConnection::retire);
    }

    public void close() {
        retire();
        connection.ifPresent(underway -> underway.fail(new IOException("the client is closed")));
    }

    /** The thread that waits for the end of a call. */
    static final class Waiting implements Consumer<CallEnd> {
        private final Thread thread = Thread.currentThread();
        private volatile Optional<CallEnd> end = Optional.empty();

        @Override
        public void accept(CallEnd ended) {
            end = Optional.of(ended);
            LockSupport.unpark(thread);
        }

        CallEnd await() throws InterruptedIOException {
            Optional<CallEnd> now = end;
            while (now.isEmpty()) {
                if (thread.isInterrupted()) {
                    throw new InterruptedIOException("interrupted");
                }
                LockSupport.park(this);
                now = end;
            }
            return now.get();
        }
    }
}
