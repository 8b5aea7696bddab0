package io.evenkeel.kube.dispatch;

import static io.evenkeel.kube.dispatch.Commands.claimPatch;
import static io.evenkeel.kube.dispatch.Commands.pod;
import static io.evenkeel.kube.dispatch.Commands.write;
import static io.evenkeel.kube.dispatch.DispatcherFixture.UNLIMITED;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ObjectPatch;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.CommandResult.WriteFailure;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.kube.dispatch.Job.Retries;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kinds;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A claim and a volume are written for a pod, one after the other. */
class ObjectPatcherTest {
    private static final Answers DONE = Answers.of(200, "{}");
    private static final ObjectPatch CLAIM = claimPatch("c", "n1");
    private static final ObjectPatch VOLUME = new ObjectPatch(
            Kinds.PERSISTENT_VOLUME,
            ObjectMeta.named("", "v").withVersion("42", 0),
            Map.of("spec", Map.of("claimRef", Map.of("name", "c"))));

    private final ScriptedTransport server = new ScriptedTransport(_ -> DONE);
    private final DispatcherFixture fixture = new DispatcherFixture(UNLIMITED, server, Duration.ofMillis(5));
    private final Pod pod = pod("p1");

    private CommandResult written(ObjectPatch patch) {
        fixture.dispatcher.submit(write(pod, patch));
        fixture.pass(Duration.ofMinutes(10));
        assertThat(fixture.results).hasSize(1);
        return fixture.results.getFirst();
    }

    private void assertIsNotWritten(WriteFailure failure, String message) {
        assertThat(written(CLAIM)).isInstanceOfSatisfying(CommandResult.NotWritten.class, result -> {
            assertThat(result.pod()).isEqualTo(pod);
            assertThat(result.failure()).isEqualTo(failure);
            assertThat(result.message()).contains(message);
        });
    }

    @Test
    void eachIsPatchedOnlyFromTheVersionThatWasDecidedOn() {
        fixture.dispatcher.submit(write(pod, VOLUME));
        fixture.dispatcher.submit(write(pod, CLAIM));
        fixture.pass(Duration.ofMinutes(10));

        assertThat(fixture.results).containsExactly(new CommandResult.Written(pod), new CommandResult.Written(pod));
        assertThat(server.calls())
                .extracting(call -> call.method() + " " + call.path())
                .containsExactly(
                        "PATCH /api/v1/persistentvolumes/v", "PATCH /api/v1/namespaces/ns/persistentvolumeclaims/c");
        assertThat(server.calls())
                .extracting(call -> call.body().orElseThrow().contentType())
                .containsOnly("application/merge-patch+json");
        assertThat(server.bodies())
                .containsExactly(
                        "{\"spec\":{\"claimRef\":{\"name\":\"c\"}},\"metadata\":{\"resourceVersion\":\"42\"}}",
                        "{\"metadata\":{\"resourceVersion\":\"41\",\"annotations\":"
                                + "{\"volume.kubernetes.io/selected-node\":\"n1\"}}}");
    }

    @Test
    void anObjectThatSomebodyElseHasChangedIsLeftAlone() {
        server.nowAnswers(
                _ -> Answers.of(409, "{\"message\":\"the object has been modified\",\"reason\":\"Conflict\"}"));
        assertIsNotWritten(WriteFailure.FAILED, "the object has been modified");
        assertThat(server.calls()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 500, 503})
    void theRequestIsTriedAgainWhereThatMayHelp(int code) {
        AtomicInteger calls = new AtomicInteger();
        server.nowAnswers(_ -> calls.incrementAndGet() < Retries.MOST_ATTEMPTS ? Answers.of(code, "") : DONE);

        assertThat(written(VOLUME)).isEqualTo(new CommandResult.Written(pod));
        assertThat(server.calls()).hasSize(Retries.MOST_ATTEMPTS);
    }

    @Test
    void theRequestIsGivenUpInTheEnd() {
        server.nowAnswers(_ -> Answers.of(429, ""));
        assertIsNotWritten(WriteFailure.FAILED, "");
        assertThat(server.calls()).hasSize(Retries.MOST_ATTEMPTS);
    }

    @Test
    void withoutAnAnswerItIsNotTriedAgain() {
        server.nowAnswers(_ -> {
            throw new SocketTimeoutException("silence");
        });
        assertIsNotWritten(WriteFailure.FAILED, "no answer: java.net.SocketTimeoutException: silence");
        assertThat(server.calls()).hasSize(1);
    }

    @Test
    void aFormerLeaderWritesNothing() {
        fixture.leading = false;
        assertIsNotWritten(WriteFailure.NOT_LEADING, "the lease was not renewed in time");
        assertThat(server.calls()).isEmpty();
    }

    @Test
    void whatCannotBeWrittenDownIsNotWritten() {
        ObjectPatch senseless = new ObjectPatch(CLAIM.kind(), CLAIM.object(), Map.of("spec", Map.of("size", 1)));
        assertThat(written(senseless))
                .isInstanceOfSatisfying(
                        CommandResult.NotWritten.class,
                        result -> assertThat(result.failure()).isEqualTo(WriteFailure.FAILED));
        assertThat(server.calls()).isEmpty();
    }

    @Test
    void aDryRunOnlySaysSo() {
        DryRun dryRun = new DryRun(fixture.results::add);
        dryRun.submit(write(pod, VOLUME));
        assertThat(fixture.results).containsExactly(new CommandResult.OnlySaid(pod));
    }
}
