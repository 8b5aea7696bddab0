package io.evenkeel.e2e.foreign;

import io.evenkeel.app.live.LiveOptions;
import io.evenkeel.e2e.scene.Scene;
import io.evenkeel.e2e.scene.SchedulerUnderTest;
import java.time.Duration;

/**
 * How two electors contend for one Lease of a scene.
 *
 * @param lease how long it lasts
 * @param deadline how long its holder may be unable to renew it
 */
record ElectionTimes(Duration lease, Duration deadline) {
    /** For tests that wait for it to run out; who holds it does not lose it where the machine pauses for some seconds. */
    static final ElectionTimes SHORT = new ElectionTimes(Duration.ofSeconds(12), Duration.ofSeconds(10));

    private static final String LEASE = "the-lease";

    ForeignElector foreign(Scene scene) {
        return foreign(scene, ForeignClient.of(scene));
    }

    ForeignElector foreign(Scene scene, ForeignClient client) {
        return ForeignElector.start(scene, client, LEASE, "foreign", lease, deadline);
    }

    SchedulerUnderTest ours(Scene scene) {
        String election = """
                leaderElection: {leaderElect: true, resourceName: %s, resourceNamespace: %s,
                  leaseDuration: %ds, renewDeadline: %ds, retryPeriod: 200ms}
                """.formatted(LEASE, scene.namespace(), lease.toSeconds(), deadline.toSeconds());
        return scene.scheduler(scene.configuration("", election), LiveOptions.usual("ours"));
    }
}
