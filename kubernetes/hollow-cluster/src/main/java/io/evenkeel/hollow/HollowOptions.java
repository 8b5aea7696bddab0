package io.evenkeel.hollow;

import java.time.Duration;
import java.time.InstantSource;

/**
 * How a cluster behaves.
 *
 * @param port 0 for any free one
 * @param tls HTTPS; over plain HTTP kubectl sends no token
 * @param watchList whether watches may ask for initial events, as on servers from 1.34 on
 * @param serviceAccountTokens whether pods get a token volume of random name, as in real clusters
 * @param bookmarkInterval how often watches that allow bookmarks get one
 * @param history how many changes of each resource watches can resume from
 * @param seed of the faults
 * @param release of Kubernetes that it says it is, such as 1.36
 */
public record HollowOptions(
        int port,
        boolean tls,
        boolean watchList,
        boolean serviceAccountTokens,
        Duration bookmarkInterval,
        int history,
        long seed,
        InstantSource clock,
        String release) {

    public static final HollowOptions DEFAULT =
            new HollowOptions(0, true, true, true, Duration.ofMinutes(1), 100_000, 1, InstantSource.system(), "1.36");

    public HollowOptions onPort(int number) {
        return new HollowOptions(
                number, tls, watchList, serviceAccountTokens, bookmarkInterval, history, seed, clock, release);
    }

    public HollowOptions plainHttp() {
        return new HollowOptions(
                port, false, watchList, serviceAccountTokens, bookmarkInterval, history, seed, clock, release);
    }

    public HollowOptions withoutWatchList() {
        return new HollowOptions(
                port, tls, false, serviceAccountTokens, bookmarkInterval, history, seed, clock, release);
    }

    public HollowOptions withoutServiceAccountTokens() {
        return new HollowOptions(port, tls, watchList, false, bookmarkInterval, history, seed, clock, release);
    }

    public HollowOptions bookmarksEvery(Duration interval) {
        return new HollowOptions(port, tls, watchList, serviceAccountTokens, interval, history, seed, clock, release);
    }

    public HollowOptions rememberingChanges(int count) {
        return new HollowOptions(
                port, tls, watchList, serviceAccountTokens, bookmarkInterval, count, seed, clock, release);
    }

    public HollowOptions withSeed(long number) {
        return new HollowOptions(
                port, tls, watchList, serviceAccountTokens, bookmarkInterval, history, number, clock, release);
    }

    public HollowOptions withClock(InstantSource source) {
        return new HollowOptions(
                port, tls, watchList, serviceAccountTokens, bookmarkInterval, history, seed, source, release);
    }

    public HollowOptions ofRelease(String minor) {
        return new HollowOptions(
                port, tls, watchList, serviceAccountTokens, bookmarkInterval, history, seed, clock, minor);
    }
}
