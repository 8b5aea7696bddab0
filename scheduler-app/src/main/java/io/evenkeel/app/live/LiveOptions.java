package io.evenkeel.app.live;

import java.time.Duration;

/**
 * How a live scheduler is to run, beside what its configuration says.
 *
 * @param dryRun decide, and write nothing
 * @param recount compare every count with a recount after each change, and end at the first difference
 * @param longestUnschedulable after which a pod is tried again although nothing has changed for it
 * @param hostname of this machine or pod, for the identity in leases and events
 */
public record LiveOptions(boolean dryRun, boolean recount, Duration longestUnschedulable, String hostname) {
    public static LiveOptions usual(String hostname) {
        return new LiveOptions(false, false, Duration.ofMinutes(5), hostname);
    }
}
