package io.evenkeel.kube.watch;

import static io.evenkeel.kube.watch.FakeAnswer.brokenOff;
import static io.evenkeel.kube.watch.FakeAnswer.json;
import static io.evenkeel.kube.watch.FakeAnswer.ok;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.watch.Watch.WatchLog;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.testing.LogLines;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WatchTest {
    static final String EXPIRED = "{\"kind\":\"Status\",\"code\":410,\"reason\":\"Expired\"}";

    private final ScriptedServer server = new ScriptedServer();
    private final FakeTime time = new FakeTime();
    private final List<String> seen = new ArrayList<>();
    private final Watch watch =
            new Watch(Kinds.POD, server, new ObjectReader(), event -> seen.add(describe(event)), time.machine());

    @Test
    void allThereIsComesFirstAndThenWhatChanges() {
        server.then(ok(added("a", 3), added("b", 2), initialEnd(5), modified("a", 6), deleted("b", 7)));

        watch.step();

        assertThat(seen).containsExactly("began", "put a", "put b", "ended", "put a", "removed b");
        assertThat(server.asked.getFirst())
                .isEqualTo("/api/v1/pods?watch=true&allowWatchBookmarks=true&timeoutSeconds=450"
                        + "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
                        + "&fieldSelector=status.phase%21%3DSucceeded%2Cstatus.phase%21%3DFailed");
        assertThat(watch.status().synced()).isTrue();
    }

    @Test
    void aStreamThatEndsIsResumedAfterTheLastEvent() {
        server.then(ok(initialEnd(5), added("a", 6))).then(ok(added("b", 9)));

        Duration pause = watch.step();
        watch.step();

        assertThat(pause).isZero();
        assertThat(server.asked.get(1)).contains("&resourceVersion=6&").doesNotContain("sendInitialEvents");
        assertThat(seen).containsExactly("began", "ended", "put a", "put b");
    }

    @Test
    void whatIsToBeReadAnewIsReadAtOnceAndNotFromACache() {
        server.then(ok(initialEnd(5), added("a", 6)))
                .then(json(400, "{\"kind\":\"Status\",\"code\":400,\"reason\":\"BadRequest\"}"))
                .then(json(200, "{\"kind\":\"PodList\",\"metadata\":{\"resourceVersion\":\"12\"},\"items\":[]}"));
        watch.step();
        watch.relist();

        Duration pause = watch.step();
        watch.step();

        assertThat(pause).isZero();
        assertThat(server.asked.get(1)).contains("sendInitialEvents=true");
        assertThat(server.asked.get(2)).contains("limit=500").doesNotContain("resourceVersion");
        assertThat(seen).containsExactly("began", "ended", "put a", "began", "ended");
    }

    @Test
    void bookmarksCountAsEvents() {
        server.then(ok(initialEnd(5), bookmark(60)));

        watch.step();
        watch.step();

        assertThat(server.asked.get(1)).contains("&resourceVersion=60&");
    }

    @Test
    void aStreamCutWithinAnEventIsResumedBeforeThatEvent() {
        String half = added("b", 7).substring(0, 40);
        server.then(ok(initialEnd(5), added("a", 6), half)).then(ok(added("b", 7)));

        watch.step();
        watch.step();

        assertThat(server.asked.get(1)).contains("&resourceVersion=6&");
        assertThat(seen).containsExactly("began", "ended", "put a", "put b");
        assertThat(watch.status().relists()).isEqualTo(1);
    }

    @Test
    void aConnectionThatFallsSilentIsResumed() {
        server.then(brokenOff(new SocketTimeoutException("timeout"), initialEnd(5)));

        Duration pause = watch.step();
        watch.step();

        assertThat(pause).isBetween(Duration.ofMillis(1), Duration.ofSeconds(1));
        assertThat(server.asked.get(1)).contains("&resourceVersion=5&");
    }

    /** The server is asked to end each after 450 s, and may be silent until then; a page is another matter. */
    @Test
    void aWatchHasADeadlineForItsBeginningAndItsEnd() {
        server.then(ok(initialEnd(5))).then(json(410, EXPIRED));
        watch.step();
        watch.step();
        server.then(json(404, "{}")).then(ok("{}"));
        watch.step();
        watch.step();

        Duration first = Duration.ofSeconds(70);
        Duration whole = Duration.ofMinutes(8);
        ApiCall.Limits stream = new ApiCall.Limits(first, whole, whole);
        assertThat(server.asked.getLast()).contains("?limit=500");
        assertThat(server.limits)
                .containsExactly(
                        stream,
                        stream,
                        stream,
                        new ApiCall.Limits(first, Duration.ofSeconds(60), Duration.ofMinutes(10)));
    }

    /** Not every server sends bookmarks, but who does sends one a minute: the end of what there was is none of these. */
    @Test
    void whoSendsBookmarksIsExpectedToGoOn() {
        FakeAnswer without = ok(initialEnd(5), added("a", 6));
        FakeAnswer with = ok(added("b", 7), bookmark(60), added("c", 61));
        server.then(without).then(with);
        watch.step();
        watch.step();

        assertThat(without.expectations()).isEmpty();
        assertThat(with.expectations()).containsExactly(Duration.ofSeconds(130));
    }

    @Test
    void thatAStreamFellSilentIsALineOfTheLogAtOnce() {
        server.then(brokenOff(new SocketTimeoutException("timeout"), initialEnd(5)))
                .then(brokenOff(new InterruptedIOException("timeout"), added("a", 6)))
                .then(ok(added("b", 7)));
        try (LogLines log = new LogLines(WatchLog.class)) {
            for (int step = 0; step < 3; step++) {
                watch.step();
            }
            String line = "WARN Watch failed, retrying [kind=\"Pod\", why=\"nothing came any more, and the connection"
                    + " was not closed\"]";
            assertThat(log.lines())
                    .containsExactly(
                            line, "INFO Watch recovered [kind=\"Pod\"]", line, "INFO Watch recovered [kind=\"Pod\"]");
        }
        assertThat(server.asked.getLast()).contains("&resourceVersion=6&");
    }

    /** All watches and the lease meet it at once, and their way to the server tells it for all of them. */
    @Test
    void thatTheServerIsNotReachedIsNoLineOfAWatch() {
        for (int step = 0; step < 2; step++) {
            server.thenNone(new ConnectException("refused"));
        }
        server.then(ok(initialEnd(5)));
        try (LogLines log = new LogLines(WatchLog.class)) {
            for (int step = 0; step < 3; step++) {
                watch.step();
            }
            assertThat(log.lines()).noneMatch(line -> line.startsWith("WARN") || line.startsWith("INFO"));
        }
    }

    /** Requests are answered, so their way to the server has nothing to tell. */
    @Test
    void thatAnswersBreakOffIsALineOfTheirWatchWhateverBreaksThem() {
        for (int step = 0; step < 2; step++) {
            server.then(brokenOff(new SSLException("bad record")));
        }
        try (LogLines log = new LogLines(WatchLog.class)) {
            for (int step = 0; step < 2; step++) {
                watch.step();
            }
            assertThat(log.lines())
                    .containsExactly(
                            "DEBUG Watch connection cut, resuming [kind=\"Pod\", why=\"bad record\"]",
                            "WARN Watch failed, retrying [kind=\"Pod\", why=\"bad record\"]");
        }
    }

    @Test
    void anInterruptedFirstStreamStartsAnew() {
        server.then(brokenOff(new IOException("reset"), added("a", 3))).then(ok(added("b", 4), initialEnd(5)));

        watch.step();
        watch.step();

        assertThat(seen).containsExactly("began", "put a", "began", "put b", "ended");
        assertThat(server.asked.get(1)).contains("sendInitialEvents=true");
    }

    @Test
    void anExpiredVersionMeansReadingAllAnewHoweverItIsTold() {
        List<FakeAnswer> refusals = List.of(
                json(410, EXPIRED),
                ok("{\"type\":\"ERROR\",\"object\":" + EXPIRED + "}"),
                ok("{\"type\":\"ERROR\",\"object\":{\"message\":\"too old resource version: 1 (172553)\"}}"),
                json(504, "{\"kind\":\"Status\",\"message\":\"Too large resource version: 9, current: 3\"}"));
        for (FakeAnswer refusal : refusals) {
            server.then(ok(initialEnd(5))).then(refusal);
            watch.step();
            Duration pause = watch.step();
            assertThat(pause).isPositive();
            assertThat(server.asked.getLast()).contains("resourceVersion=5");
        }
        server.then(ok(initialEnd(50)));
        watch.step();

        assertThat(seen).hasSize(10).endsWith("began", "ended");
        assertThat(watch.status().relists()).isEqualTo(5);
    }

    @Test
    void aServerThatIsBackAfterLongAndKnowsNothingIsReadAnewSoon() {
        server.then(ok(initialEnd(5)));
        watch.step();
        for (int refused = 0; refused < 8; refused++) {
            assertThat(watch.step()).isLessThanOrEqualTo(Duration.ofSeconds(15));
        }
        server.then(json(410, EXPIRED)).then(json(410, EXPIRED));

        assertThat(watch.step()).isLessThan(Duration.ofSeconds(1));
        assertThat(watch.step()).as("the next is not as soon").isGreaterThanOrEqualTo(Duration.ofMillis(500));
    }

    @Test
    void aVersionAtWhichTheServerFailsAgainAndAgainIsGivenUp() {
        String failed = "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":500}}";
        server.then(ok(initialEnd(5))).then(ok(failed)).then(ok(failed)).then(ok(added("a", 6)));
        server.then(ok(failed)).then(ok(failed)).then(ok(failed)).then(ok(initialEnd(9)));
        for (int step = 0; step < 8; step++) {
            watch.step();
        }

        assertThat(server.asked.subList(4, 7)).allMatch(asked -> asked.contains("&resourceVersion=6&"));
        assertThat(server.asked.get(7)).contains("sendInitialEvents=true");
        assertThat(seen).containsExactly("began", "ended", "put a", "began", "ended");
    }

    @Test
    void aServerThatDoesNotStreamAllObjectsIsAskedForAListInPages() {
        server.then(json(422, "{\"kind\":\"Status\",\"reason\":\"Invalid\"}"))
                .then(ok(page(30, "next/1", "a", "b")))
                .then(ok(page(30, "", "c")))
                .then(ok(added("d", 31)));

        for (int i = 0; i < 3; i++) {
            watch.step();
        }

        assertThat(seen).containsExactly("began", "put a", "put b", "put c", "ended", "put d");
        assertThat(server.asked.get(1)).startsWith("/api/v1/pods?limit=500&resourceVersion=0&");
        assertThat(server.asked.get(2)).startsWith("/api/v1/pods?limit=500&continue=next%2F1&");
        assertThat(server.asked.get(3)).contains("&resourceVersion=30&");
    }

    @Test
    void aServerThatIgnoresTheWishForAllObjectsIsFoundOut() {
        server.then(ok(added("a", 3), bookmark(4))).then(ok(page(30, "", "a")));

        watch.step();
        watch.step();

        assertThat(seen).containsExactly("began", "put a", "began", "put a", "ended");
    }

    @Test
    void anExpiredPageRestartsTheListWithTheNewestVersion() {
        server.then(json(400, "{}"))
                .then(ok(page(30, "token", "a")))
                .then(json(410, EXPIRED))
                .then(ok(page(40, "", "b")));

        for (int i = 0; i < 3; i++) {
            watch.step();
        }

        assertThat(seen).containsExactly("began", "put a", "began", "put b", "ended");
        assertThat(server.asked.getLast()).startsWith("/api/v1/pods?limit=500&fieldSelector");
    }

    @Test
    void aServerThatAsksForPatienceGetsIt() {
        server.then(json(429, "{}").retryAfter(77)).then(json(503, "{\"details\":{\"retryAfterSeconds\":99}}"));

        assertThat(watch.step()).isEqualTo(Duration.ofSeconds(77));
        assertThat(watch.step()).isEqualTo(Duration.ofSeconds(99));
    }

    @Test
    void anOverloadedServerIsAskedLessAndLessOften() {
        List<Long> pauses = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            server.then(json(500, "proxy error"));
            pauses.add(watch.step().toMillis());
        }

        assertThat(pauses).containsExactly(500L, 1000L, 2000L, 4000L, 8000L, 16000L, 30000L, 30000L, 30000L);
        assertThat(watch.status().problem()).isEqualTo("the server answered 500: proxy error");
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403})
    void withoutRightsItKeepsTryingAndGoesOnWhereItWas(int code) {
        server.then(ok(initialEnd(5)))
                .then(json(code, "{}"))
                .then(json(code, "{}"))
                .then(ok(added("a", 6)));

        for (int i = 0; i < 4; i++) {
            watch.step();
        }

        assertThat(seen).containsExactly("began", "ended", "put a");
        assertThat(watch.status().errors()).isEqualTo(2);
        assertThat(watch.status().problem()).isEmpty();
    }

    @Test
    void aServerThatIsAwayIsAskedAgainWithoutReadingAllAnew() {
        server.then(ok(initialEnd(5)));

        for (int i = 0; i < 4; i++) {
            watch.step();
        }
        server.then(ok(added("a", 6)));
        watch.step();

        assertThat(seen).containsExactly("began", "ended", "put a");
    }

    @Test
    void whatCannotBeReadIsSkippedAndCounted() {
        String wrong = added("bad", 7).replace("\"spec\":{", "\"spec\":{\"priority\":\"high\",");
        server.then(ok(
                initialEnd(5),
                wrong,
                "no json at all\n",
                "{\"type\":\"SURPRISE\",\"object\":{}}",
                "{\"type\":\"ADDED\"}",
                "{\"object\":{\"kind\":\"Pod\"}}",
                "{\"type\":\"BOOKMARK\",\"object\":[]}",
                "{\"type\": nonsense}",
                added("good", 8)));

        watch.step();

        assertThat(seen).containsExactly("began", "ended", "unreadable bad of default-scheduler", "put good");
        assertThat(watch.status().unreadable()).isEqualTo(7);
    }

    @Test
    void anObjectThatCannotBeReadIsRemovedAllTheSame() {
        String wrong = deleted("a", 7).replace("\"spec\":{", "\"spec\":{\"priority\":\"high\",");
        server.then(ok(initialEnd(5), wrong));

        watch.step();

        assertThat(seen).containsExactly("began", "ended", "removed a");
    }

    @Test
    void anObjectThatCannotBeReadIsNotTakenForGone() {
        String wrong = added("bad", 3).replace("\"spec\":{", "\"spec\":{\"priority\":\"high\",");
        server.then(ok(added("a", 2), wrong, "{\"type\":\"ADDED\"}", initialEnd(5), wrong.replace("\"3\"", "\"6\"")));

        watch.step();
        watch.step();

        String told = "unreadable bad of default-scheduler";
        assertThat(seen).containsExactly("began", "put a", "present default/bad", told, "present ?", "ended", told);
        assertThat(watch.status().unreadable()).isEqualTo(3);
        assertThat(server.asked.get(1)).contains("&resourceVersion=6&");
    }

    /** Whatever comes first, the problem or what says whose it is. */
    @Test
    void ofAPodThatCannotBeReadItIsSaidWhoseItIs() {
        String ours = added("ours", 6)
                .replace("\"spec\":{", "\"spec\":{\"overhead\":{\"cpu\":\"much\"},\"schedulerName\":\"evenkeel\",");
        String theirs = added("theirs", 7).replace("\"spec\":{", "\"spec\":{\"priority\":\"high\",");
        String nobodys = added("nobodys", 8).replace("\"spec\":{", "\"spec\":{\"priority\":1,\"schedulerName\":{},");
        server.then(ok(initialEnd(5), ours, theirs, nobodys));

        watch.step();

        assertThat(seen)
                .containsExactly(
                        "began", "ended", "unreadable ours of evenkeel", "unreadable theirs of default-scheduler");
        assertThat(watch.status().unreadable()).isEqualTo(3);
    }

    @Test
    void anObjectThatCannotBeReadDoesNotSpoilAList() {
        String spoilt = page(30, "", "a", "b", "c", "d")
                .replace("\"name\":\"b\"", "\"labels\":{\"x\":[{}]},\"name\":\"b\"")
                .replace("\"name\":\"c\"},\"spec\":{", "\"name\":\"c\"},\"spec\":{\"priority\":[{}]");
        server.then(json(400, "{}")).then(ok(spoilt));

        watch.step();
        watch.step();

        assertThat(seen).containsExactly("began", "put a", "present ?", "present default/c", "put d", "ended");
        assertThat(watch.status().unreadable()).isEqualTo(2);
    }

    @Test
    void anObjectThatIsNestedTooDeepIsSkippedByNameInAListAndInAStream() {
        String deep = "\"annotations\":{\"x\":" + "[".repeat(5_000) + "]".repeat(5_000) + "},";
        String spoilt =
                page(30, "", "a", "b", "c").replace("\"name\":\"b\"", "\"name\":\"b\"," + deep + "\"uid\":\"u\"");
        String event = added("d", 31).replace("\"name\":\"d\",", "\"name\":\"d\",\"resourceVersion\":\"31\"," + deep);
        server.then(json(400, "{}")).then(ok(spoilt)).then(ok(event, added("e", 32)));

        try (LogLines log = new LogLines(WatchLog.class)) {
            for (int step = 0; step < 3; step++) {
                watch.step();
            }
            assertThat(log.lines())
                    .anyMatch(
                            line -> line.startsWith("WARN Skipping unreadable object [kind=\"Pod\", skippedSoFar=\"1\","
                                    + " why=\"Pod default/b: metadata.annotations"))
                    .noneMatch(line -> line.startsWith("ERROR"));
        }
        assertThat(seen).containsExactly("began", "put a", "present default/b", "put c", "ended", "put e");
        assertThat(watch.status().unreadable()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"resourceVersion\":{\"continue\":\"x\"}|metadata.resourceVersion: expected a string, got an object",
                "\"resourceVersion\":5|metadata.resourceVersion: expected a string, got 5",
                "\"resourceVersion\":\"1\",\"continue\":[]|metadata.continue: expected a string, got a list",
                "\"resourceVersion\":\"1\",,|Unexpected character",
                "\"x\":[[|Unexpected close marker",
            })
    void aListWithAMalformedHeaderIsRefusedByItsKindAndReadAgain(String metadata, String why) {
        String malformed = "{\"kind\":\"PodList\",\"metadata\":{" + metadata + "},\"items\":[]}";
        server.then(json(400, "{}")).then(ok(malformed)).then(ok(page(30, "", "a")));

        try (LogLines log = new LogLines(WatchLog.class)) {
            watch.step();
            assertThat(watch.step()).isPositive();
            assertThat(watch.status().problem()).startsWith("malformed list of Pod: " + why);
            assertThat(log.lines()).noneMatch(line -> line.startsWith("ERROR"));
        }
        watch.step();
        assertThat(seen).containsExactly("began", "began", "put a", "ended");
    }

    @Test
    void aListThatBreaksOffIsReadAgain() {
        String whole = page(30, "", "a", "b");
        server.then(json(400, "{}"))
                .then(ok(whole.substring(0, whole.length() - 2)))
                .then(ok(whole));

        for (int i = 0; i < 3; i++) {
            watch.step();
        }

        assertThat(seen).containsExactly("began", "put a", "put b", "began", "put a", "put b", "ended");
    }

    @Test
    void aServerThatClosesAtOnceIsNotAskedAThousandTimesASecond() {
        server.then(ok(initialEnd(5))).then(ok()).then(ok());
        watch.step();

        assertThat(watch.step()).isEqualTo(Duration.ofMillis(500));
        assertThat(watch.step()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void theOrderOfAnEventsFieldsDoesNotMatter() {
        server.then(
                ok(initialEnd(5), "{\"object\":{\"metadata\":{\"name\":\"a\"},\"kind\":\"Pod\"},\"type\":\"ADDED\"}"));

        watch.step();

        assertThat(seen).containsExactly("began", "ended", "put a");
    }

    static String describe(SchedulerEvent event) {
        return switch (event) {
            case Relist.Began _ -> "began";
            case Relist.Ended _ -> "ended";
            case Relist.Present present ->
                "present " + present.identity().map(ObjectMeta::key).orElse("?");
            case ClusterEvent.Put put -> "put " + put.object().meta().name();
            case ClusterEvent.Removed removed ->
                "removed " + removed.object().meta().name();
            case SchedulerEvent.UnreadablePod skipped ->
                "unreadable " + skipped.pod().name() + " of "
                        + skipped.pod().spec().schedulerName();
            default -> "unexpected " + event;
        };
    }

    static String added(String name, int version) {
        return event("ADDED", name, version);
    }

    static String modified(String name, int version) {
        return event("MODIFIED", name, version);
    }

    static String deleted(String name, int version) {
        return event("DELETED", name, version);
    }

    private static String event(String type, String name, int version) {
        return """
            {"type":"%s","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"%s",\
            "annotations":{"brace":"}\\"{"},"resourceVersion":"%d"},"spec":{"containers":[{"name":"c"}]}}}
            """.formatted(type, name, version);
    }

    static String bookmark(int version) {
        return """
            {"type":"BOOKMARK","object":{"kind":"Pod","metadata":{"resourceVersion":"%d"},"spec":{"containers":null}}}
            """.formatted(version);
    }

    static String initialEnd(int version) {
        return """
            {"type":"BOOKMARK","object":{"kind":"Pod","metadata":{"resourceVersion":"%d",\
            "annotations":{"k8s.io/initial-events-end":"true"}}}}
            """.formatted(version);
    }

    static String page(int version, String token, String... names) {
        List<String> items = new ArrayList<>();
        for (String name : names) {
            items.add("{\"metadata\":{\"name\":\"" + name + "\"},\"spec\":{}}");
        }
        return "{\"kind\":\"PodList\",\"metadata\":{\"resourceVersion\":\"" + version + "\",\"continue\":\"" + token
                + "\"},\"items\":[" + String.join(",", items) + "]}";
    }
}
