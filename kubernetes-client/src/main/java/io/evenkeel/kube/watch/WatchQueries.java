package io.evenkeel.kube.watch;

import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.watch.frame.MediaTypes;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** The requests that a watch makes. */
final class WatchQueries {
    private static final int PAGE = 500;
    private static final int SHORTEST_SECONDS = 300;

    private final WatchedKind kind;
    private final RandomGenerator random;

    WatchQueries(WatchedKind kind, RandomGenerator random) {
        this.kind = kind;
        this.random = random;
    }

    /** All there is, then the changes, in one stream. */
    ApiCall everything() {
        return get(watch() + "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan", MediaTypes.STREAMS);
    }

    ApiCall changesSince(String version) {
        return get(watch() + "&resourceVersion=" + encode(version), MediaTypes.STREAMS);
    }

    /**
     * A page of a list.
     *
     * @param version not older than this: 0 is whatever the server has at hand, nothing is the newest
     * @param token of the page before; empty for the first page
     */
    ApiCall page(String version, String token) {
        if (!token.isEmpty()) {
            return get("limit=" + PAGE + "&continue=" + encode(token), MediaTypes.LISTS);
        }
        return get(
                "limit=" + PAGE + (version.isEmpty() ? "" : "&resourceVersion=" + encode(version)), MediaTypes.LISTS);
    }

    /** Streams end by themselves after a while, at different times, so that servers can share them out anew. */
    private String watch() {
        int seconds = SHORTEST_SECONDS + (int) (SHORTEST_SECONDS * random.nextDouble());
        return "watch=true&allowWatchBookmarks=true&timeoutSeconds=" + seconds;
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
