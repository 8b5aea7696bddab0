package io.evenkeel.kube.watch;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The state of a watch.
 *
 * @param synced whether all there is has been read once
 * @param connected whether a stream is open
 * @param absent whether the server has no such resource, as it may have none of a kind that is optional
 * @param lastEvent when the last event or bookmark came
 * @param events that came, bookmarks included
 * @param relists how often everything was read, the first time included
 * @param errors how often a request was refused or a stream broke off
 * @param unreadable events and objects that were skipped because they made no sense
 * @param problem why there is no stream; empty where there is one
 */
public record WatchStatus(
        String kind,
        boolean synced,
        boolean connected,
        boolean absent,
        Optional<Instant> lastEvent,
        long events,
        long relists,
        long errors,
        long unreadable,
        String problem) {

    /** How long the server has said nothing, not even a bookmark; empty before it said anything. */
    public Optional<Duration> quietFor(Instant now) {
        return lastEvent.map(last -> Duration.between(last, now));
    }
}
