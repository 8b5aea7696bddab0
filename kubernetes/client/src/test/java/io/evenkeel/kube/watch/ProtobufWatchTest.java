package io.evenkeel.kube.watch;

import static io.evenkeel.kube.watch.ProtobufAnswer.frame;
import static io.evenkeel.kube.watch.ProtobufAnswer.list;
import static io.evenkeel.kube.watch.ProtobufAnswer.status;
import static io.evenkeel.kube.watch.ProtobufAnswer.stream;
import static io.evenkeel.kube.watch.WatchTest.EXPIRED;
import static io.evenkeel.kube.watch.WatchTest.added;
import static io.evenkeel.kube.watch.WatchTest.bookmark;
import static io.evenkeel.kube.watch.WatchTest.deleted;
import static io.evenkeel.kube.watch.WatchTest.initialEnd;
import static io.evenkeel.kube.watch.WatchTest.modified;
import static io.evenkeel.kube.watch.WatchTest.page;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.kube.watch.Watch.WatchLog;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.testing.LogLines;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@link WatchTest} says of JSON, where protobuf is framed and read by other code. */
class ProtobufWatchTest {
    private final ScriptedServer server = new ScriptedServer();
    private final List<String> seen = new ArrayList<>();
    private final Watch watch = new Watch(
            Kinds.POD,
            server,
            new ObjectReader(),
            event -> seen.add(WatchTest.describe(event)),
            new FakeTime().machine());

    @Test
    void protobufIsAskedForAndJsonIsTheFallBack() {
        server.then(stream(frame(initialEnd(5))));

        watch.step();

        assertThat(server.accepted.getFirst())
                .isEqualTo("application/vnd.kubernetes.protobuf;stream=watch, application/json;stream=watch,"
                        + " application/json");
    }

    @Test
    void allThereIsComesFirstAndThenWhatChanges() {
        server.then(stream(
                frame(added("a", 3)),
                frame(added("b", 2)),
                frame(initialEnd(5)),
                frame(modified("a", 6)),
                frame(deleted("b", 7)),
                frame(bookmark(80))));

        watch.step();
        watch.step();

        assertThat(seen).containsExactly("began", "put a", "put b", "ended", "put a", "removed b");
        assertThat(server.asked.get(1)).contains("&resourceVersion=80&");
    }

    @ParameterizedTest
    @CsvSource({"1", "3", "4", "5", "40"})
    void aStreamCutWithinAnEventIsResumedBeforeThatEvent(int cut) {
        byte[] half = Arrays.copyOf(frame(added("b", 7)), cut);
        server.then(stream(frame(initialEnd(5)), frame(added("a", 6)), half)).then(stream(frame(added("b", 7))));

        Duration pause = watch.step();
        watch.step();

        assertThat(pause).isPositive();
        assertThat(server.asked.get(1)).contains("&resourceVersion=6&");
        assertThat(seen).containsExactly("began", "ended", "put a", "put b");
    }

    @ParameterizedTest
    @CsvSource({"7fffffff", "ffffffff", "04000001"})
    void aFrameThatCannotBeSoLongEndsTheStreamOnly(String length) {
        byte[] frame = frame(added("b", 7));
        System.arraycopy(HexFormat.of().parseHex(length), 0, frame, 0, 4);
        server.then(stream(frame(initialEnd(5)), frame)).then(stream(frame(added("b", 7))));

        Duration pause = watch.step();
        watch.step();

        assertThat(pause).isPositive();
        assertThat(server.asked.get(1)).contains("&resourceVersion=5&");
        assertThat(seen).containsExactly("began", "ended", "put b");
    }

    @Test
    void anExpiredVersionMeansReadingAllAnewHoweverItIsTold() {
        for (FakeAnswer refusal :
                List.of(status(410, EXPIRED), stream(frame("{\"type\":\"ERROR\",\"object\":" + EXPIRED + "}")))) {
            server.then(stream(frame(initialEnd(5)))).then(refusal);
            watch.step();
            watch.step();
        }

        assertThat(watch.status().problem()).isEqualTo("410 Expired: ");
        server.then(stream(frame(initialEnd(50))));
        watch.step();
        assertThat(seen).containsExactly("began", "ended", "began", "ended", "began", "ended");
    }

    @Test
    void aServerThatAsksForPatienceGetsIt() {
        server.then(status(503, "{\"message\":\"busy\",\"details\":{\"retryAfterSeconds\":99}}"));

        assertThat(watch.step()).isEqualTo(Duration.ofSeconds(99));
        assertThat(watch.status().problem()).isEqualTo("the server answered 503: busy");
    }

    @Test
    void anObjectThatCannotBeReadIsSkippedButNotTakenForGone() {
        String wrong = added("bad", 3).replace("\"spec\":{", "\"spec\":{\"overhead\":{\"cpu\":\"much\"},");
        server.then(stream(
                frame(added("a", 2)),
                frame(wrong),
                frame(added("node", 3).replace("\"Pod\"", "\"Node\"")),
                new byte[] {0, 0, 0, 3, 'x', 'y', 'z'},
                new byte[4],
                frame(initialEnd(5)),
                frame(wrong.replace("\"3\"", "\"6\"")),
                frame(wrong.replace("ADDED", "DELETED").replace("\"3\"", "\"7\""))));

        watch.step();

        String told = "unreadable bad of default-scheduler";
        assertThat(seen)
                .containsExactly(
                        "began", "put a", "present default/bad", told, "present ?", "ended", told, "removed bad");
        assertThat(watch.status().unreadable()).isEqualTo(5);
    }

    @Test
    void ofAPodThatCannotBeReadItIsSaidWhoseItIs() throws IOException {
        String ours = "\"spec\":{\"overhead\":{\"cpu\":\"much\"},\"schedulerName\":\"evenkeel\"";
        server.then(status(422, "{}"))
                .then(list(ProtobufAnswer.page(page(30, "", "a").replace("\"spec\":{", ours))))
                .then(stream(frame(added("b", 31).replace("\"spec\":{", ours + ","))));

        for (int i = 0; i < 3; i++) {
            watch.step();
        }

        assertThat(seen)
                .containsExactly(
                        "began", "present default/a", "unreadable a of evenkeel", "ended", "unreadable b of evenkeel");
    }

    /** The list's metadata is the first field of its second, and is cut short within it. */
    @Test
    void aListWithAMalformedHeaderIsRefusedByItsKind() {
        byte[] header = {'k', '8', 's', 0, 0x12, 4, 0x0a, 2, 0x12, 9};
        server.then(status(422, "{}")).then(list(header));

        try (LogLines log = new LogLines(WatchLog.class)) {
            watch.step();
            assertThat(watch.step()).isPositive();
            assertThat(watch.status().problem())
                    .startsWith("malformed list of Pod: protobuf, field 2 at byte 0: a value of 9 bytes");
            assertThat(log.lines()).noneMatch(line -> line.startsWith("ERROR"));
        }
    }

    @Test
    void aListIsReadInPages() throws IOException {
        String wrong = page(30, "", "c", "d").replaceFirst("\"spec\":\\{", "\"spec\":{\"overhead\":{\"cpu\":\"?\"}");
        server.then(status(422, "{}"))
                .then(list(ProtobufAnswer.page(page(30, "next/1", "a", "b"))))
                .then(list(ProtobufAnswer.page(wrong)))
                .then(stream(frame(added("e", 31))));

        for (int i = 0; i < 3; i++) {
            watch.step();
        }

        assertThat(seen)
                .containsExactly(
                        "began",
                        "put a",
                        "put b",
                        "present default/c",
                        "unreadable c of default-scheduler",
                        "put d",
                        "ended",
                        "put e");
        assertThat(server.accepted.get(1)).isEqualTo("application/vnd.kubernetes.protobuf, application/json");
        assertThat(server.asked.get(2)).startsWith("/api/v1/pods?limit=500&continue=next%2F1&");
        assertThat(server.asked.get(3)).contains("&resourceVersion=30&");
    }

    @Test
    void aListThatBreaksOffAnywhereIsReadAgain() throws IOException {
        byte[] whole = ProtobufAnswer.page(page(30, "", "a", "b"));
        int listEnd = whole.length - 4;
        server.then(status(400, "{}"));
        watch.step();
        for (int cut = 0; cut < listEnd; cut++) {
            server.then(list(Arrays.copyOf(whole, cut)));
            assertThat(watch.step()).as("cut at %d", cut).isPositive();
        }
        server.then(list(whole));

        watch.step();

        assertThat(seen).endsWith("began", "put a", "put b", "ended").containsOnlyOnce("ended");
    }

    @Test
    void whateverTheBytesAreTheWatchGoesOn() throws IOException {
        SplittableRandom random = new SplittableRandom(3);
        for (int round = 0; round < 500; round++) {
            byte[] spoilt = random.nextBoolean() ? frame(added("a", 6)) : frame(bookmark(6));
            byte[] page = ProtobufAnswer.page(page(30, "", "a", "b"));
            for (int i = random.nextInt(4); i >= 0; i--) {
                spoilt[random.nextInt(4, spoilt.length)] = (byte) random.nextInt();
                page[random.nextInt(page.length)] = (byte) random.nextInt();
            }
            server.then(stream(frame(initialEnd(5)), spoilt)).then(status(410, EXPIRED));
            server.then(status(400, "{}")).then(list(page));
            for (int i = 0; i < 4; i++) {
                watch.step();
            }
        }

        assertThat(watch.status().problem()).doesNotContain("RuntimeException", "IndexOutOfBounds");
    }
}
