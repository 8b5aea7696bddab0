package io.evenkeel.kube.watch;

import static io.evenkeel.kube.watch.FakeAnswer.json;
import static io.evenkeel.kube.watch.FakeAnswer.ok;
import static io.evenkeel.kube.watch.ProtobufAnswer.stream;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Of nodes that were only heard of again, the scheduler hears nothing. */
class NodeHeartbeatTest {
    private final ScriptedServer server = new ScriptedServer();
    private final List<String> seen = new ArrayList<>();
    private final Watch watch = new Watch(
            Kinds.NODE,
            server,
            new ObjectReader(),
            event -> seen.add(WatchTest.describe(event)),
            new FakeTime().machine());

    private static FakeAnswer answer(boolean protobuf, String... events) {
        return protobuf
                ? stream(Arrays.stream(events).map(ProtobufAnswer::frame).toArray(byte[][]::new))
                : ok(events);
    }

    /** Heard of at the time of its version. */
    private static String node(String type, int version, String label) {
        return """
            {"type":"%s","object":{"kind":"Node","apiVersion":"v1",
             "metadata":{"name":"n","uid":"u","resourceVersion":"%d","labels":{"l":"%s"}},
             "status":{"allocatable":{"cpu":"8"},
              "conditions":[{"type":"Ready","status":"True","lastHeartbeatTime":"2026-01-02T03:04:%02dZ"}]}}}
            """.formatted(type, version, label, version);
    }

    private static String end(int version) {
        return WatchTest.initialEnd(version).replace("Pod", "Node");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aHeartbeatMovesTheVersionAndNothingElse(boolean protobuf) {
        server.then(answer(
                protobuf,
                node("ADDED", 3, "a"),
                end(5),
                node("MODIFIED", 6, "a"),
                node("MODIFIED", 7, "a"),
                node("MODIFIED", 8, "b"),
                node("MODIFIED", 9, "a"),
                node("MODIFIED", 10, "a")));

        watch.step();
        watch.step();

        assertThat(seen)
                .as("the first is not known yet")
                .containsExactly("began", "put n", "ended", "put n", "put n", "put n");
        assertThat(server.asked.get(1)).endsWith("&resourceVersion=10");
        assertThat(watch.status().events()).isEqualTo(7);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatWasKnownBeforeItCameOrWentIsForgotten(boolean protobuf) {
        server.then(answer(
                protobuf,
                end(5),
                node("ADDED", 6, "a"),
                node("MODIFIED", 7, "a"),
                node("DELETED", 8, "a"),
                node("MODIFIED", 9, "a"),
                node("ADDED", 10, "b"),
                node("MODIFIED", 11, "a")));

        watch.step();

        assertThat(seen).containsExactly("began", "ended", "put n", "put n", "removed n", "put n", "put n", "put n");
    }

    /** All that was there before and is not named is gone, so that it must be named. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsReadAnewIsReadWhole(boolean protobuf) {
        server.then(answer(protobuf, end(5), node("MODIFIED", 6, "a"), node("MODIFIED", 7, "a")))
                .then(json(410, WatchTest.EXPIRED))
                .then(answer(protobuf, node("MODIFIED", 8, "a"), end(9), node("MODIFIED", 10, "a")));

        for (int step = 0; step < 3; step++) {
            watch.step();
        }

        assertThat(seen).containsExactly("began", "ended", "put n", "began", "put n", "ended");
    }
}
