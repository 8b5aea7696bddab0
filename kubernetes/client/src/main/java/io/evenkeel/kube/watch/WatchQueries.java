package io.evenkeel.kube.watch;

import io.evenkeel.kube.api.ApiCall;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** The requests that a watch makes. */
final class WatchQueries {
    private static final int PAGE = 500;
    private static final int SHORTEST_SECONDS = 300;

    /** A server answers 504 after a minute by itself. */
    private static final Duration FIRST = Duration.ofSeconds(70);

    /** By which a server that has been asked to end a stream may be late. */
    private static final Duration SLACK = Duration.ofSeconds(30);

    private static final ApiCall.Limits PAGES =
            new ApiCall.Limits(FIRST, Duration.ofSeconds(60), Duration.ofMinutes(10));

    private final WatchedKind kind;
    private final RandomGenerator random;

    WatchQueries(WatchedKind kind, RandomGenerator random) {
        this.kind = kind;
        this.random = random;
    }

    /** All there is, then the changes, in one stream. */
    ApiCall everything() {
        return watch("&sendInitialEvents=true&resourceVersionMatch=NotOlderThan");
    }

    ApiCall changesSince(String version) {
        return watch("&resourceVersion=" + encode(version));
    }

    /**
     * A page of a list.
     *
     * @param version not older than this: 0 is whatever the server has at hand, nothing is the newest
     * @param token of the page before; empty for the first page
     */
    ApiCall page(String version, String token) {
        String which = token.isEmpty()
                ? version.isEmpty() ? "" : "&resourceVersion=" + encode(version)
                : "&continue=" + encode(token);
        return get("limit=" + PAGE + which, MediaTypes.LISTS).within(PAGES);
    }

    /**
     * Streams end by themselves after a while, at different times, so that servers can share them out again. One that does not
     * is cut. Until then it may be silent: not every server sends bookmarks where nothing changes.
     */
    private ApiCall watch(String from) {
        int seconds = SHORTEST_SECONDS + (int) (SHORTEST_SECONDS * random.nextDouble());
        Duration whole = Duration.ofSeconds(seconds).plus(SLACK);
        return get("watch=true&allowWatchBookmarks=true&timeoutSeconds=" + seconds + from, MediaTypes.STREAMS)
                .within(new ApiCall.Limits(FIRST, whole, whole));
    }

    private ApiCall get(String query, String accept) {
        String selector = kind.fieldSelector().isEmpty() ? "" : "&fieldSelector=" + kind.fieldSelector();
        return new ApiCall(
                "GET", kind.kind().path() + "?" + query + selector, Map.of("Accept", accept), Optional.empty());
    }

    private static String encode(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }
}
