package io.evenkeel.e2e.scene;

import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.ApiTransport.ResponseHandler;
import io.evenkeel.kube.client.HttpTransport;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A transport as a process has it: when that is killed, nothing more is sent, whatever its threads were about to do. */
final class MortalTransport implements ApiTransport {
    private interface Sending {
        ApiAnswer send() throws IOException;
    }

    private final HttpTransport transport;
    /** Shared by those who send, and taken whole by who kills. */
    private final ReadWriteLock sending = new ReentrantReadWriteLock();

    private final AtomicInteger bindingsBegun = new AtomicInteger();
    private boolean alive = true;

    MortalTransport(HttpTransport transport) {
        this.transport = transport;
    }

    @Override
    public ApiAnswer call(ApiCall call) throws IOException {
        return whileAlive(() -> transport.call(call));
    }

    @Override
    public boolean begin(ApiCall call, ResponseHandler taker) {
        Lock shared = sending.readLock();
        shared.lock();
        try {
            boolean isBegun = alive && transport.begin(call, taker);
            if (isBegun && call.path().endsWith("/binding")) {
                bindingsBegun.incrementAndGet();
            }
            return isBegun;
        } finally {
            shared.unlock();
        }
    }

    /** How many bindings took no thread that waits for their answer. */
    int bindingsBegun() {
        return bindingsBegun.get();
    }

    @Override
    public ApiAnswer stream(ApiCall call) throws IOException {
        return whileAlive(() -> transport.stream(call));
    }

    @Override
    public String host() {
        return transport.host();
    }

    private ApiAnswer whileAlive(Sending sent) throws IOException {
        Lock shared = sending.readLock();
        shared.lock();
        try {
            if (!alive) {
                throw new IOException("the process has ended");
            }
            return sent.send();
        } finally {
            shared.unlock();
        }
    }

    /** Breaks the connections, and returns when no request is being sent any more. */
    void kill() {
        transport.close();
        Lock alone = sending.writeLock();
        alone.lock();
        try {
            alive = false;
        } finally {
            alone.unlock();
        }
    }
}
