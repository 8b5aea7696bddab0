package io.evenkeel.app.metrics;

import io.evenkeel.cluster.SpreadSkews;
import java.util.List;
import java.util.Optional;

/**
 * Figures of the engine's state at one moment, which are counted nowhere; taken on the engine's thread.
 *
 * @param extenders pods in which extenders have a say
 * @param inFlight pods that are being placed or bound
 * @param binding pods that are being bound
 * @param rejected how many pods each plugin of a profile keeps waiting
 * @param skews none where others show them
 */
public record EngineReadings(
        Pending pending,
        Extenders extenders,
        int inFlight,
        int binding,
        int nodes,
        int pods,
        int assumedPods,
        List<Rejected> rejected,
        Optional<SpreadSkews.Worst> skews) {

    /** The number of pods in each queue. */
    public record Pending(int active, int backoff, int unschedulable, int gated) {}

    /**
     * The numbers of pods at the extenders, and of pods that wait for their turn there.
     *
     * @param asked none, or one
     */
    public record Extenders(int asked, int waiting) {}

    /** The number of pods that a plugin of a profile rejected. */
    public record Rejected(String plugin, String profile, int pods) {}
}
