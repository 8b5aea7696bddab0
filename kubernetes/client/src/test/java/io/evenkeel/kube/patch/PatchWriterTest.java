package io.evenkeel.kube.patch;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.Clocks;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.kube.patch.PatchSink.Pace;
import io.evenkeel.kube.patch.PatchWriter.PatchLog;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.testing.LogLines;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PatchWriterTest {
    private static final String OF_A = "/apis/evenkeel.io/v1alpha1/namespaces/shop/placementpolicies/a/status";

    private long now;
    private boolean mayWrite = true;
    private final ScriptedTransport server = new ScriptedTransport(_ -> Answers.of(200, "{}"));
    private final List<String> ends = new ArrayList<>();
    private final PatchWriter writer = new PatchWriter(
            new Pace(100, Duration.ofSeconds(5)),
            server,
            () -> mayWrite,
            (_, end, why) -> ends.add(end + (why.isEmpty() ? "" : ": " + why)),
            new Clocks(() -> now, () -> Instant.EPOCH, () -> 0));

    @Test
    void aStatusIsPatchedOfTheObjectThatWasMeant() {
        writer.put(Patches.patch("a", "fine"));
        pass(Duration.ZERO);

        assertThat(server.calls())
                .containsExactly(ApiCall.send(
                        "PATCH",
                        OF_A,
                        "application/merge-patch+json",
                        "{\"metadata\":{\"uid\":\"uid-a\"},\"status\":{\"says\":\"fine\"}}"));
    }

    @Test
    void annotationsAreSetAndTaken() {
        ObjectMeta pod = PodBuilder.pod("shop", "web").uid("u").build().meta().withVersion("812", 0);
        writer.put(MergePatch.annotations(Kinds.POD, pod, Map.of("example.com/cost", Optional.of("7"))));
        pass(Duration.ZERO);
        writer.put(MergePatch.annotations(Kinds.POD, pod, Map.of("example.com/cost", Optional.empty())));
        pass(Duration.ofSeconds(5));

        assertThat(server.calls()).extracting(ApiCall::path).containsOnly("/api/v1/namespaces/shop/pods/web");
        assertThat(server.bodies())
                .containsExactly(
                        "{\"metadata\":{\"uid\":\"" + pod.uid()
                                + "\",\"resourceVersion\":\"812\",\"annotations\":{\"example.com/cost\":\"7\"}}}",
                        "{\"metadata\":{\"uid\":\"" + pod.uid()
                                + "\",\"resourceVersion\":\"812\",\"annotations\":{\"example.com/cost\":null}}}");
    }

    @Test
    void whatMayPassIsTriedAgainUntilItIsWritten() {
        server.nowAnswers(_ -> {
            throw new IOException("connection refused");
        });
        try (LogLines log = new LogLines(PatchLog.class)) {
            writer.put(Patches.patch("a", "fine"));
            for (int i = 0; i < 100; i++) {
                pass(Duration.ofSeconds(1));
            }
            assertThat(server.calls()).hasSizeBetween(5, 10);
            assertThat(log.lines()).hasSize(1).first().asString().contains("connection refused");
        }

        server.nowAnswers(_ -> Answers.of(200, "{}"));
        int before = server.calls().size();
        for (int i = 0; i < 200; i++) {
            pass(Duration.ofSeconds(1));
        }
        assertThat(server.calls()).hasSize(before + 1);
    }

    @Test
    void whatIsRefusedIsDroppedWithOneLineInAWhile() {
        server.nowAnswers(_ -> Answers.of(403, "{\"kind\":\"Status\",\"message\":\"no right to patch\",\"code\":403}"));
        try (LogLines log = new LogLines(PatchLog.class)) {
            for (int i = 0; i < 20; i++) {
                writer.put(Patches.patch("a", "" + i));
                pass(Duration.ofSeconds(5));
            }
            assertThat(log.lines()).hasSize(1).first().asString().contains("no right to patch");
        }
        assertThat(server.calls()).hasSize(20);
        assertThat(ends).hasSize(20).containsOnly("REFUSED: the server answered 403: no right to patch");
    }

    @Test
    void whatIsGoneIsNobodysTrouble() {
        server.nowAnswers(_ -> Answers.of(
                404, "{\"kind\":\"Status\",\"code\":404,\"details\":{\"name\":\"a\",\"kind\":\"placementpolicies\"}}"));
        try (LogLines log = new LogLines(PatchLog.class)) {
            writer.put(Patches.patch("a", "fine"));
            pass(Duration.ofMinutes(10));
            pass(Duration.ofMinutes(10));
            assertThat(log.lines()).isEmpty();
        }
        assertThat(server.calls()).hasSize(1);
    }

    @Test
    void aConflictIsTriedAgain() {
        server.nowAnswers(_ -> Answers.of(409, "{\"kind\":\"Status\",\"message\":\"try again\",\"code\":409}"));
        writer.put(Patches.patch("a", "fine"));
        pass(Duration.ZERO);
        pass(Duration.ofSeconds(5));

        assertThat(server.calls()).hasSize(2);
    }

    @Test
    void whatIsMeantForAVersionIsNotWrittenOverALaterOne() {
        server.nowAnswers(_ -> Answers.of(409, "{\"kind\":\"Status\",\"message\":\"modified\",\"code\":409}"));
        ObjectMeta pod = PodBuilder.pod("shop", "web").uid("u").build().meta();
        writer.put(MergePatch.annotations(Kinds.POD, pod, Map.of("example.com/cost", Optional.of("7"))));
        pass(Duration.ZERO);
        pass(Duration.ofMinutes(5));

        assertThat(server.calls()).hasSize(1);
        assertThat(ends).containsExactly("OVERTAKEN: the server answered 409: modified");
    }

    @Test
    void nothingIsSentWhileAnotherMayLead() {
        mayWrite = false;
        writer.put(Patches.patch("a", "fine"));
        pass(Duration.ZERO);
        assertThat(server.calls()).isEmpty();

        mayWrite = true;
        pass(Duration.ofSeconds(5));
        assertThat(server.calls()).hasSize(1);
    }

    @Test
    void onceClosedNothingIsSent() {
        writer.put(Patches.patch("a", "fine"));
        writer.close();

        assertThat(writer.turn(0)).isFalse();
        writer.put(Patches.patch("b", "fine"));
        assertThat(writer.turn(0)).isFalse();
        assertThat(List.copyOf(server.calls())).isEmpty();
    }

    private void pass(Duration time) {
        now += time.toNanos();
        for (int turns = 0; turns < 10; turns++) {
            writer.turn(0);
        }
    }
}
