package io.evenkeel.kube.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.engine.ObjectEvent;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.EventSink.Regarding;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.kube.dispatch.DispatcherObserver.Drop;
import io.evenkeel.kube.dispatch.EventWriter.EventBody;
import io.evenkeel.kube.dispatch.Job.EventTask;
import io.evenkeel.kube.dispatch.Job.EventTask.Occurrence;
import io.evenkeel.kube.dispatch.Job.Outcome;
import io.evenkeel.model.build.PodBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventWriterTest {
    private static final Instant BEGIN = Instant.parse("2026-11-21T02:26:12.848650Z");
    private static final Regarding POD =
            Regarding.pod(PodBuilder.pod("ns", "p1").uid("u").version("42", 1).build());

    private final ScriptedTransport server = new ScriptedTransport(_ -> Answers.recorded("create event"));
    private final EventWriter writer = new EventWriter(server, "vm");

    private static Occurrence at(Duration later, String note) {
        return new Occurrence(POD, ObjectEvent.failedScheduling(note, "evenkeel"), BEGIN.plus(later));
    }

    private Outcome write(EventTask task) {
        return writer.write(task, 0);
    }

    private Drop dropped(EventTask task) {
        return ((Outcome.Dropped) write(task)).why();
    }

    private List<String> methods() {
        return server.calls().stream().map(call -> call.method()).toList();
    }

    @Test
    void anEventReadsLikeTheReferences() {
        assertThat(write(at(Duration.ZERO, "no nodes"))).isEqualTo(new Outcome.Silent());

        assertThat(server.calls().getFirst().path()).isEqualTo("/apis/events.k8s.io/v1/namespaces/ns/events");
        assertThat(server.bodies()).containsExactly("""
                {"apiVersion":"events.k8s.io/v1","kind":"Event",\
                "metadata":{"name":"p1.%s","namespace":"ns"},"eventTime":"2026-11-21T02:26:12.848650Z",\
                "reportingController":"evenkeel","reportingInstance":"evenkeel-vm",\
                "action":"Scheduling","reason":"FailedScheduling",\
                "regarding":{"kind":"Pod","namespace":"ns","name":"p1","uid":"u","apiVersion":"v1",\
                "resourceVersion":"42"},"note":"no nodes","type":"Warning"}""".formatted(
                        Long.toHexString(BEGIN.getEpochSecond() * 1_000_000_000 + BEGIN.getNano())));
    }

    @Test
    void anInstanceThatIsTooLongKeepsTheEndByWhichItDiffers() {
        String unique = "_9fd6c1be-0b0f-4a41-9e0c-3f1a3a0a0001";
        new EventWriter(server, "h".repeat(120) + unique).write(at(Duration.ZERO, "no nodes"), 0);

        assertThat(server.bodies().getFirst())
                .contains("\"reportingInstance\":\"" + "h".repeat(128 - unique.length()) + unique + "\"");
    }

    @Test
    void theSecondTellsOfASeriesAndTheThirdIsOnlyCounted() {
        write(at(Duration.ZERO, "a"));
        server.nowAnswers(_ -> Answers.recorded("patch event series"));

        assertThat(write(at(Duration.ofMinutes(1), "a"))).isEqualTo(new Outcome.Silent());
        assertThat(write(at(Duration.ofMinutes(2), "a"))).isEqualTo(new Outcome.Folded());
        assertThat(methods()).containsExactly("POST", "PATCH");
        assertThat(server.bodies().getLast())
                .isEqualTo("{\"series\":{\"count\":2,\"lastObservedTime\":\"2026-11-21T02:27:12.848650Z\"}}");
    }

    @Test
    void aLongSeriesIsWrittenNowAndThenAndAtItsEnd() {
        for (int minute = 0; minute <= 10; minute++) {
            write(at(Duration.ofMinutes(minute), "a"));
        }

        assertThat(methods()).containsExactly("POST", "PATCH", "PATCH");
        assertThat(server.bodies().getLast()).contains("\"count\":8");
        assertThat(writer.takeFinished(BEGIN.plus(Duration.ofMinutes(15)))).isEmpty();
        assertThat(writer.takeFinished(BEGIN.plus(Duration.ofMinutes(16))))
                .singleElement()
                .satisfies(this::write);
        assertThat(server.bodies().getLast()).contains("\"count\":11");
    }

    @Test
    void anotherNoteOrALongPauseBeginsAnew() {
        write(at(Duration.ZERO, "a"));
        write(at(Duration.ofSeconds(1), "b"));
        write(at(Duration.ofMinutes(6), "a"));

        assertThat(methods()).containsExactly("POST", "POST", "POST");
    }

    /** As where its namespace has gone with it: that is no failure. */
    @Test
    void theEndOfASeriesWhoseEventIsGoneIsNotTold() {
        for (int minute = 0; minute < 3; minute++) {
            write(at(Duration.ofMinutes(minute), "a"));
        }
        server.nowAnswers(call -> Answers.of(404, ""));

        assertThat(writer.takeFinished(BEGIN.plus(Duration.ofMinutes(15))))
                .singleElement()
                .satisfies(end -> assertThat(dropped(end)).isEqualTo(Drop.GONE));
    }

    @Test
    void aSeriesWhoseEventIsGoneBeginsAnew() {
        write(at(Duration.ZERO, "a"));
        server.nowAnswers(call -> Answers.of(call.method().equals("PATCH") ? 404 : 201, ""));

        assertThat(write(at(Duration.ofMinutes(1), "a"))).isEqualTo(new Outcome.Silent());
        assertThat(methods()).containsExactly("POST", "PATCH", "POST");
    }

    @Test
    void whatMayPassIsTriedAgainAndRefusalsAreFinal() {
        server.nowAnswers(_ -> Answers.of(503, ""));
        assertThat(write(at(Duration.ZERO, "a"))).isInstanceOf(Outcome.TryAgain.class);
        server.nowAnswers(_ -> {
            throw new IOException("reset");
        });
        assertThat(write(at(Duration.ZERO, "a"))).isInstanceOf(Outcome.TryAgain.class);
        server.nowAnswers(_ -> Answers.recorded("event without its fields"));
        assertThat(dropped(at(Duration.ZERO, "a"))).isEqualTo(Drop.REFUSED);
        server.nowAnswers(_ -> Answers.of(403, "not allowed"));
        assertThat(dropped(at(Duration.ZERO, "a"))).isEqualTo(Drop.REFUSED);
    }

    @Test
    void eventsOfNamespacesThatGoAreNoTrouble() {
        server.nowAnswers(_ -> Answers.of(403, "namespace ns is being terminated"));
        assertThat(dropped(at(Duration.ZERO, "a"))).isEqualTo(Drop.GONE);
        server.nowAnswers(_ -> Answers.of(404, """
                {"kind":"Status","message":"namespaces \\"ns\\" not found","details":{"name":"ns","kind":"namespaces"}}"""));
        assertThat(dropped(at(Duration.ZERO, "a"))).isEqualTo(Drop.GONE);
    }

    @Test
    void longNotesAreCutAsTheReferenceCutsThem() {
        assertThat(EventBody.cut("x".repeat(1_024))).hasSize(1_024).doesNotContain("...");
        assertThat(EventBody.cut("x".repeat(1_025))).isEqualTo("x".repeat(1_020) + " ...");
        assertThat(EventBody.cut("ä".repeat(600)).getBytes(StandardCharsets.UTF_8).length)
                .isLessThanOrEqualTo(1_024);
    }
}
