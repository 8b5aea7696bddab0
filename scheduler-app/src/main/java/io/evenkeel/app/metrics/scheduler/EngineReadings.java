package io.evenkeel.app.metrics.scheduler;

import io.evenkeel.cluster.SpreadSkews;
import java.util.List;

/**
 * What is counted nowhere but read from the engine's state, all in one moment; to be taken on the engine's thread.
 *
 * @param inFlight pods that are being placed or bound
 * @param binding pods that are being bound
 * @param rejected how many pods each plugin of a profile keeps waiting
 */
public record EngineReadings(
        Pending pending,
        int inFlight,
        int binding,
        int nodes,
        int pods,
        int assumedPods,
        List<Rejected> rejected,
        SpreadSkews.Worst skews) {

    /** How many pods wait in which queue. */
    public record Pending(int active, int backoff, int unschedulable, int gated) {}

    /** How many pods a plugin of a profile keeps waiting. */
    public record Rejected(String plugin, String profile, int pods) {}
}
