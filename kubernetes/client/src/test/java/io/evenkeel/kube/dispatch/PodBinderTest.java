package io.evenkeel.kube.dispatch;

import static io.evenkeel.kube.dispatch.Commands.bind;
import static io.evenkeel.kube.dispatch.Commands.pod;
import static io.evenkeel.kube.dispatch.DispatcherFixture.UNLIMITED;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.Status;
import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.config.Difference;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.CommandResult.BindFailure;
import io.evenkeel.framework.run.PlannedSteps;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.kube.dispatch.Dispatcher.DispatcherSettings;
import io.evenkeel.kube.dispatch.Job.Retries;
import io.evenkeel.model.Pod;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PodBinderTest {
    private final ScriptedTransport server = new ScriptedTransport(_ -> Answers.recorded("bind"));
    private final DispatcherFixture fixture = new DispatcherFixture(UNLIMITED, server, Duration.ofMillis(5));
    private final Pod pod = pod("p1");

    private CommandResult submit(Command.AtServer command) {
        fixture.dispatcher.submit(command);
        fixture.pass(Duration.ofMinutes(10));
        assertThat(fixture.results).hasSize(1);
        return fixture.results.getFirst();
    }

    @Test
    void aBindingSaysWhichPodIsMeant() {
        assertThat(submit(bind(pod, "n1"))).isEqualTo(new CommandResult.Bound(pod, "n1"));
        assertThat(server.calls()).singleElement().satisfies(call -> {
            assertThat(call.method()).isEqualTo("POST");
            assertThat(call.path()).isEqualTo("/api/v1/namespaces/ns/pods/p1/binding");
        });
        assertThat(server.bodies()).containsExactly("""
            {"apiVersion":"v1","kind":"Binding",\
            "metadata":{"name":"p1","namespace":"ns","uid":"uid-p1"},\
            "target":{"apiVersion":"v1","kind":"Node","name":"n1"}}\
            """);
    }

    @ParameterizedTest
    @CsvSource({
        "bind again to the same node, ALREADY_BOUND",
        "bind again to another node, ALREADY_BOUND",
        "bind a pod that is gone, GONE",
        "bind with another uid, OTHER_UID",
        "'bind a gated pod, really', GATED",
        "unknown path, FAILED",
        "no token, FAILED",
    })
    void aRealServersRefusalsAreToldApart(String step, BindFailure failure) {
        server.nowAnswers(_ -> Answers.recorded(step));

        assertThat(submit(bind(pod, "n1")))
                .isInstanceOfSatisfying(
                        CommandResult.NotBound.class,
                        result -> assertThat(result.failure()).isEqualTo(failure));
        assertThat(server.calls()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "400, FAILED",
        "403, FAILED",
        "422, FAILED",
        "409, FAILED",
        "404, FAILED",
        "302, UNKNOWN",
        "500, UNKNOWN",
        "502, UNKNOWN",
        "503, UNKNOWN",
        "504, UNKNOWN",
        "408, UNKNOWN"
    })
    void whatIsNotSaidByTheServerItselfIsTakenByItsCode(int code, BindFailure failure) {
        server.nowAnswers(_ -> Answers.of(code, "a proxy says no"));

        assertThat(submit(bind(pod, "n1")))
                .isEqualTo(new CommandResult.NotBound(
                        pod,
                        "n1",
                        failure,
                        "running Bind plugin \"DefaultBinder\": the server answered " + code + ": a proxy says no"));
        assertThat(server.calls()).hasSize(1);
    }

    @Test
    void noAnswerMeansThatItIsNotKnown() {
        server.nowAnswers(_ -> {
            throw new SocketTimeoutException("timeout");
        });

        assertThat(submit(bind(pod, "n1")))
                .isInstanceOfSatisfying(
                        CommandResult.NotBound.class,
                        result -> assertThat(result.failure()).isEqualTo(BindFailure.UNKNOWN));
        assertThat(server.calls()).hasSize(1);
    }

    @Test
    void aServerThatIsAskedTooMuchIsAskedAgainWhenItSays() {
        AtomicInteger asked = new AtomicInteger();
        List<Long> times = new ArrayList<>();
        server.nowAnswers(_ -> {
            times.add(fixture.threads.now());
            return asked.incrementAndGet() < 3 ? Answers.tooMany(Duration.ofSeconds(2)) : Answers.recorded("bind");
        });

        assertThat(submit(bind(pod, "n1"))).isEqualTo(new CommandResult.Bound(pod, "n1"));
        assertThat(times.get(1) - times.get(0)).isBetween(2_000_000_000L, 2_510_000_000L);
    }

    @Test
    void itIsNotAskedForEver() {
        server.nowAnswers(_ -> Answers.tooMany(Duration.ofSeconds(1)));

        assertThat(submit(bind(pod, "n1")))
                .isInstanceOfSatisfying(
                        CommandResult.NotBound.class,
                        result -> assertThat(result.failure()).isEqualTo(BindFailure.FAILED));
        assertThat(server.calls()).hasSize(Retries.MOST_ATTEMPTS);
    }

    /** {@link Difference#BINDINGS_ARE_RETRIED}. */
    @ParameterizedTest
    @EnumSource
    void whatFailsForAMomentIsAskedForAgainAtOnceFrom137On(CompatibilityLevel level) {
        List<Answers> answers = List.of(
                Answers.of(500, "{\"kind\":\"Status\",\"reason\":\"InternalError\"}"),
                Answers.of(503, "a proxy says no"),
                Answers.of(
                        409,
                        "{\"kind\":\"Status\",\"reason\":\"Conflict\",\"message\":\"Operation cannot be"
                                + " fulfilled on pods/binding \\\"p1\\\": context deadline exceeded\"}"));
        for (Answers answer : answers) {
            assertThat(afterOne(level, () -> answer)).as(answer.text()).isEqualTo(level != CompatibilityLevel.V1_36);
        }
        assertThat(afterOne(level, () -> {
                    throw new ConnectException("Connection refused");
                }))
                .isEqualTo(level != CompatibilityLevel.V1_36);
    }

    /** Whether the pod is bound where only the first try fails. */
    private boolean afterOne(CompatibilityLevel level, Failing failing) {
        AtomicInteger asked = new AtomicInteger();
        server.nowAnswers(_ -> asked.incrementAndGet() == 1 ? failing.answer() : Answers.recorded("bind"));
        DispatcherFixture now = at(level);
        now.dispatcher.submit(bind(pod, "n1"));
        now.pass(Duration.ofMinutes(1));

        assertThat(now.results).hasSize(1);
        boolean bound = now.results.getFirst() instanceof CommandResult.Bound;
        assertThat(asked).hasValue(bound ? 2 : 1);
        return bound;
    }

    private interface Failing {
        Answers answer() throws IOException;
    }

    private DispatcherFixture at(CompatibilityLevel level) {
        SchedulerConfiguration configuration = SchedulerConfiguration.defaults().toBuilder()
                .featureGates(FeatureGates.DEFAULTS.at(level))
                .build();
        return new DispatcherFixture(DispatcherSettings.of(configuration), server, Duration.ofMillis(5));
    }

    @Test
    void itIsAskedForFourTimesAndThenTheServerIsAskedWhatBecameOfIt() {
        DispatcherFixture now = at(CompatibilityLevel.V1_37);
        List<Long> times = new ArrayList<>();
        server.nowAnswers(_ -> {
            times.add(now.threads.now());
            return Answers.of(times.size() < 4 ? 500 : 409, "out of order");
        });
        now.dispatcher.submit(bind(pod, "n1"));
        now.pass(Duration.ofMinutes(1));

        assertThat(pauses(times)).hasSize(3);
        assertThat(pauses(times).get(0)).isBetween(15L, 18L);
        assertThat(pauses(times).get(1)).isBetween(55L, 68L);
        assertThat(pauses(times).get(2)).isBetween(255L, 318L);
        assertThat(now.results)
                .singleElement()
                .isInstanceOfSatisfying(
                        CommandResult.NotBound.class,
                        result -> assertThat(result.failure()).isEqualTo(BindFailure.UNKNOWN));
    }

    /** In milliseconds, with the five that an answer takes. */
    private static List<Long> pauses(List<Long> nanos) {
        List<Long> pauses = new ArrayList<>();
        for (int i = 1; i < nanos.size(); i++) {
            pauses.add(Duration.ofNanos(nanos.get(i) - nanos.get(i - 1)).toMillis());
        }
        return pauses;
    }

    /** Another try may be told that the first was carried out, or that the pod is another by now. */
    @ParameterizedTest
    @CsvSource({
        "bind again to the same node, ALREADY_BOUND",
        "bind a pod that is gone, GONE",
        "bind with another uid, OTHER_UID",
        "'bind a gated pod, really', GATED",
        "no token, UNKNOWN",
    })
    void whatAnotherTryIsToldSaysWhatBecameOfThePod(String step, BindFailure failure) {
        AtomicInteger asked = new AtomicInteger();
        server.nowAnswers(_ -> asked.incrementAndGet() == 1 ? Answers.of(500, "") : Answers.recorded(step));
        DispatcherFixture now = at(CompatibilityLevel.V1_37);
        now.dispatcher.submit(bind(pod, "n1"));
        now.pass(Duration.ofMinutes(1));

        assertThat(asked).hasValue(2);
        assertThat(now.results)
                .singleElement()
                .isInstanceOfSatisfying(
                        CommandResult.NotBound.class,
                        result -> assertThat(result.failure()).isEqualTo(failure));
    }

    @ParameterizedTest
    @CsvSource({
        "400, '', FAILED",
        "403, '', FAILED",
        "422, '', FAILED",
        "408, '', UNKNOWN",
        "500, ServerTimeout, UNKNOWN",
        "502, '', UNKNOWN",
        "504, Timeout, UNKNOWN",
    })
    void whatIsNotOfTheMomentIsNotAskedForAgain(int code, String reason, BindFailure failure) {
        server.nowAnswers(_ -> Answers.of(code, "{\"kind\":\"Status\",\"reason\":\"" + reason + "\"}"));
        DispatcherFixture now = at(CompatibilityLevel.V1_37);
        now.dispatcher.submit(bind(pod, "n1"));
        now.pass(Duration.ofMinutes(1));

        assertThat(server.calls()).hasSize(1);
        assertThat(now.results)
                .singleElement()
                .isInstanceOfSatisfying(
                        CommandResult.NotBound.class,
                        result -> assertThat(result.failure()).isEqualTo(failure));
    }

    @Test
    void aTimeoutIsNotAskedForAgainAsItMayHaveBeenHeard() {
        server.nowAnswers(_ -> {
            throw new SocketTimeoutException("timeout");
        });
        DispatcherFixture now = at(CompatibilityLevel.V1_37);
        now.dispatcher.submit(bind(pod, "n1"));
        now.pass(Duration.ofMinutes(1));

        assertThat(server.calls()).hasSize(1);
    }

    @Test
    void aPluginMayObjectBetweenTwoTries() {
        DispatcherFixture now = at(CompatibilityLevel.V1_37);
        server.nowAnswers(_ -> Answers.of(503, ""));
        Supplier<Status> binder = () -> server.calls().isEmpty() ? Status.SKIP : Status.error("no idea");
        now.dispatcher.submit(
                new Command.Bind(pod, "n1", PlannedSteps.of(pod, "n1", () -> Status.SUCCESS, binder, () -> {})));
        now.pass(Duration.ofMinutes(1));

        assertThat(server.calls()).hasSize(1);
        assertThat(now.results)
                .as("the server may have bound it before it answered")
                .containsExactly(new CommandResult.NotBound(
                        pod, "n1", BindFailure.UNKNOWN, "running Bind plugin \"Bind\": no idea"));
    }

    @Test
    void theLeaseMayBeLostBetweenTwoTries() {
        DispatcherFixture now = at(CompatibilityLevel.V1_37);
        server.nowAnswers(_ -> {
            now.leading = false;
            return Answers.of(503, "");
        });
        now.dispatcher.submit(bind(pod, "n1"));
        now.pass(Duration.ofMinutes(1));

        assertThat(server.calls()).hasSize(1);
        assertThat(now.results)
                .singleElement()
                .isInstanceOfSatisfying(
                        CommandResult.NotBound.class,
                        result -> assertThat(result.failure()).isEqualTo(BindFailure.UNKNOWN));
    }

    @Test
    void withoutTheLeaseNothingIsSent() {
        fixture.leading = false;

        assertThat(submit(bind(pod, "n1")))
                .isInstanceOfSatisfying(
                        CommandResult.NotBound.class,
                        result -> assertThat(result.failure()).isEqualTo(BindFailure.NOT_LEADING));
        assertThat(server.calls()).isEmpty();
    }

    @Test
    void theLeaseMayBeLostWhilePluginsWork() {
        Command.AtServer bind = new Command.Bind(
                pod,
                "n1",
                PlannedSteps.of(
                        pod,
                        "n1",
                        () -> {
                            fixture.leading = false;
                            return Status.SUCCESS;
                        },
                        () -> Status.SKIP,
                        () -> {}));

        assertThat(submit(bind))
                .isInstanceOfSatisfying(
                        CommandResult.NotBound.class,
                        result -> assertThat(result.failure()).isEqualTo(BindFailure.NOT_LEADING));
        assertThat(server.calls()).isEmpty();
    }

    @Test
    void pluginsWorkBeforeAndAfterTheBinding() {
        List<String> order = new ArrayList<>();
        server.nowAnswers(_ -> {
            order.add("post");
            return Answers.recorded("bind");
        });
        Command.AtServer bind = new Command.Bind(
                pod,
                "n1",
                PlannedSteps.of(
                        pod,
                        "n1",
                        () -> {
                            order.add("before");
                            return Status.SUCCESS;
                        },
                        () -> Status.SKIP,
                        () -> order.add("after")));

        assertThat(submit(bind)).isEqualTo(new CommandResult.Bound(pod, "n1"));
        assertThat(order).containsExactly("before", "post", "after");
    }

    @Test
    void aPluginMayRefuseOrBindByItself() {
        assertThat(submit(new Command.Bind(
                        pod,
                        "n1",
                        PlannedSteps.of(pod, "n1", () -> Status.error("no disk"), () -> Status.SKIP, () -> {}))))
                .isEqualTo(new CommandResult.NotBound(
                        pod, "n1", BindFailure.FAILED, "running PreBind plugin \"Before\": no disk"));
        fixture.results.clear();
        assertThat(submit(new Command.Bind(
                        pod,
                        "n1",
                        PlannedSteps.of(
                                pod, "n1", () -> Status.unschedulable("no", "never"), () -> Status.SKIP, () -> {}))))
                .isEqualTo(new CommandResult.NotBound(pod, "n1", BindFailure.REJECTED, "no, never"));
        fixture.results.clear();
        assertThat(submit(new Command.Bind(
                        pod, "n1", PlannedSteps.of(pod, "n1", () -> Status.SUCCESS, () -> Status.SUCCESS, () -> {}))))
                .isEqualTo(new CommandResult.Bound(pod, "n1"));
        assertThat(server.calls()).isEmpty();
    }

    @Test
    void aPluginThatThrowsStillLeavesAnAnswer() {
        Supplier<Status> throwing = () -> {
            throw new IllegalStateException("bug");
        };

        assertThat(submit(
                        new Command.Bind(pod, "n1", PlannedSteps.of(pod, "n1", throwing, () -> Status.SKIP, () -> {}))))
                .isEqualTo(new CommandResult.NotBound(
                        pod, "n1", BindFailure.FAILED, "running PreBind plugin \"Before\": bug"));
        fixture.results.clear();
        assertThat(submit(new Command.Bind(
                        pod, "n1", PlannedSteps.of(pod, "n1", () -> Status.SUCCESS, throwing, () -> {}))))
                .as("it may have bound before it threw")
                .isEqualTo(new CommandResult.NotBound(
                        pod, "n1", BindFailure.UNKNOWN, "running Bind plugin \"Bind\": bug"));
    }
}
