package io.evenkeel.queue;

import java.util.List;

/**
 * The numbers of pods in each state.
 *
 * @param needingExtenders the active ones that need the extenders, and wait where these are busy
 * @param inFlight being placed or bound
 * @param rejected by profile and plugin, the pods that it has turned away or gated and that have not been tried since; a
 *     pod counts for each of its rejectors
 */
public record QueueCounts(
        int active,
        int needingExtenders,
        int backoff,
        int unschedulable,
        int gated,
        int inFlight,
        List<Rejected> rejected) {

    /** How many pods a plugin of a profile keeps waiting. */
    public record Rejected(String profile, String plugin, int pods) {}
}
