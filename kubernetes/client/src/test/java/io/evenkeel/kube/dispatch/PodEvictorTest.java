package io.evenkeel.kube.dispatch;

import static io.evenkeel.kube.dispatch.Commands.evict;
import static io.evenkeel.kube.dispatch.Commands.pod;
import static io.evenkeel.kube.dispatch.DispatcherFixture.UNLIMITED;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.CommandResult.EvictionFailure;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.kube.dispatch.Job.Retries;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.build.PodStatusBuilder;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PodEvictorTest {
    private static final Answers DONE = Answers.of(200, "{}");

    private final ScriptedTransport server = new ScriptedTransport(_ -> DONE);
    private final DispatcherFixture fixture = new DispatcherFixture(UNLIMITED, server, Duration.ofMillis(5));
    private final Pod pod = pod("p1");

    private CommandResult evicted() {
        fixture.dispatcher.submit(evict(pod));
        fixture.pass(Duration.ofMinutes(10));
        assertThat(fixture.results).hasSize(1);
        return fixture.results.getFirst();
    }

    @Test
    void thePodIsMarkedAndThenDeletedAndNoOtherOfItsName() {
        assertThat(evicted()).isEqualTo(new CommandResult.Evicted(pod));

        assertThat(server.calls())
                .extracting(call -> call.method() + " " + call.path())
                .containsExactly("PATCH /api/v1/namespaces/ns/pods/p1/status", "DELETE /api/v1/namespaces/ns/pods/p1");
        assertThat(server.bodies().getFirst())
                .contains(
                        "\"uid\":\"uid-p1\"", "\"type\":\"DisruptionTarget\"", "\"reason\":\"PreemptionByScheduler\"");
        assertThat(server.bodies().getLast()).isEqualTo("""
            {"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"uid":"uid-p1"}}\
            """);
    }

    @ParameterizedTest
    @ValueSource(strings = {"patch a pod that is gone", "patch by another uid", "bind with another uid"})
    void aPodThatIsGoneOrAnotherNeedNotGo(String step) {
        server.nowAnswers(_ -> Answers.recorded(step));
        assertIsNotEvicted(EvictionFailure.GONE);
        assertThat(server.calls()).hasSize(1);
    }

    @Test
    void aPodThatSaysAlreadyForWhomItGoesIsDeletedOnly() {
        Command.Evict first = evict(pod);
        Pod marked = PodBuilder.from(pod)
                .status(PodStatusBuilder.from(pod.status())
                        .disruptionTarget(first.disrupted())
                        .build())
                .build();
        fixture.dispatcher.submit(new Command.Evict(marked, first.preemptor(), first.disrupted()));
        fixture.pass(Duration.ofMinutes(10));

        assertThat(fixture.results).containsExactly(new CommandResult.Evicted(marked));
        assertThat(server.calls()).extracting(ApiCall::method).containsExactly("DELETE");
    }

    @Test
    void whereItMayNotBeMarkedItIsNotDeleted() {
        server.nowAnswers(_ -> Answers.of(403, ""));
        assertIsNotEvicted(EvictionFailure.FAILED);
        assertThat(server.calls()).extracting(ApiCall::method).containsExactly("PATCH");
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 500, 503})
    void whatMayPassIsTriedAgainAndGivenUpInTheEnd(int code) {
        server.nowAnswers(call -> call.method().equals("DELETE") ? Answers.of(code, "") : DONE);
        assertIsNotEvicted(EvictionFailure.FAILED);
        assertThat(server.calls()).hasSize(2 * Retries.MOST_ATTEMPTS);
    }

    @Test
    void withoutAnAnswerItIsTriedAgain() {
        AtomicInteger calls = new AtomicInteger();
        server.nowAnswers(_ -> {
            if (calls.incrementAndGet() < 4) {
                throw new SocketTimeoutException("no answer");
            }
            return DONE;
        });
        assertThat(evicted()).isEqualTo(new CommandResult.Evicted(pod));
    }

    @Test
    void aFormerLeaderEvictsNobody() {
        fixture.leading = false;
        assertIsNotEvicted(EvictionFailure.FAILED);
        assertThat(server.calls()).isEmpty();
    }

    @Test
    void whoLosesTheLeaseBetweenTheTwoDeletesNobody() {
        server.nowAnswers(_ -> {
            fixture.leading = false;
            return DONE;
        });
        assertIsNotEvicted(EvictionFailure.FAILED);
        assertThat(server.calls()).extracting(ApiCall::method).containsExactly("PATCH");
    }

    private void assertIsNotEvicted(EvictionFailure failure) {
        assertThat(evicted())
                .isInstanceOfSatisfying(
                        CommandResult.NotEvicted.class,
                        result -> assertThat(result.failure()).isEqualTo(failure));
    }
}
