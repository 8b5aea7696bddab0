package io.evenkeel.kube.client.http2;

import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** The thread that waits for the end of a call. */
final class Waiting implements Consumer<CallEnd> {
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
