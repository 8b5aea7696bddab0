package io.evenkeel.e2e.foreign;

import io.evenkeel.e2e.scene.Scene;
import io.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.kubernetes.client.extended.leaderelection.LeaderElector;
import io.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.time.Duration;

/** A replica of something foreign that contends for a Lease with the client's own elector. */
final class ForeignElector implements AutoCloseable {
    /** It retries by whole seconds. */
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final ForeignClient client;
    private final LeaderElector elector;
    private final Thread thread;
    private volatile boolean leading;

    private ForeignElector(ForeignClient client, LeaseLock lock, Duration lease, Duration deadline) {
        this.client = client;
        elector = new LeaderElector(new LeaderElectionConfig(lock, lease, deadline, RETRY));
        thread = Thread.ofVirtual()
                .name(lock.identity())
                .start(() -> elector.run(() -> leading = true, () -> leading = false));
    }

    static ForeignElector start(
            Scene scene, ForeignClient client, String lease, String identity, Duration duration, Duration deadline) {
        LeaseLock lock = new LeaseLock(scene.namespace(), lease, identity, client.api());
        return new ForeignElector(client, lock, duration, deadline);
    }

    boolean isLeading() {
        return leading;
    }

    /** Gives the lease back if it holds it and can. */
    @Override
    public void close() {
        elector.close();
        thread.interrupt();
        leading = false;
        client.close();
    }
}
