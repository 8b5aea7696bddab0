package io.evenkeel.kube.watch;

import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** The requests that a watch makes. */
record WatchQueries(Kind<?> kind, RandomGenerator random) {
    private static final String JSON = "application/json";
    /** Preferred, as it is read in a fraction of the time. JSON is what every server has. */
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

    private static final String STREAMS = PROTOBUF + ";stream=watch, " + JSON + ";stream=watch, " + JSON;
    private static final String LISTS = PROTOBUF + ", " + JSON;
    /** Pods that have finished are not asked for. */
    private static final String UNFINISHED_PODS =
            "&fieldSelector=status.phase%21%3DSucceeded%2Cstatus.phase%21%3DFailed";

    private static final int PAGE = 500;
    private static final int SHORTEST_SECONDS = 300;

    /** A server answers 504 after a minute by itself. */
    private static final Duration FIRST = Duration.ofSeconds(70);

    /** By which a server that has been asked to end a stream may be late. */
    private static final Duration SLACK = Duration.ofSeconds(30);

    private static final ApiCall.Limits PAGES =
            new ApiCall.Limits(FIRST, Duration.ofSeconds(60), Duration.ofMinutes(10));

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
        return get("limit=" + PAGE + which, LISTS).within(PAGES);
    }

    /**
     * Streams end by themselves after a while, at different times, so that servers can share them out again. One that does not
     * is cut. Until then it may be silent: not every server sends bookmarks where nothing changes.
     */
    private ApiCall watch(String from) {
        int seconds = SHORTEST_SECONDS + (int) (SHORTEST_SECONDS * random.nextDouble());
        Duration whole = Duration.ofSeconds(seconds).plus(SLACK);
        return get("watch=true&allowWatchBookmarks=true&timeoutSeconds=" + seconds + from, STREAMS)
                .within(new ApiCall.Limits(FIRST, whole, whole));
    }

    private ApiCall get(String query, String accept) {
        String selector = kind.equals(Kinds.POD) ? UNFINISHED_PODS : "";
        return new ApiCall("GET", kind.path() + "?" + query + selector, Map.of("Accept", accept), Optional.empty());
    }

    private static String encode(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }
}
