package io.evenkeel.kube.dispatch;

import static io.evenkeel.kube.dispatch.Commands.bind;
import static io.evenkeel.kube.dispatch.Commands.evict;
import static io.evenkeel.kube.dispatch.Commands.patch;
import static io.evenkeel.kube.dispatch.Commands.pod;
import static io.evenkeel.kube.dispatch.Commands.recordEvent;
import static io.evenkeel.kube.dispatch.DispatcherFixture.UNLIMITED;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.Status;
import io.evenkeel.config.Extender;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.CommandResult.BindFailure;
import io.evenkeel.framework.run.PlannedSteps;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport.ResponseHandler;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.kube.dispatch.Dispatcher.DispatcherSettings;
import io.evenkeel.kube.extender.ExtenderServer;
import io.evenkeel.kube.extender.Extenders;
import io.evenkeel.kube.extender.Extenders.ExtenderObserver;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kinds;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that no thread waits for come to the same as those that one does. */
class BegunCallsTest {
    private static final List<Integer> CODES =
            List.of(200, 201, 202, 302, 400, 401, 403, 404, 408, 409, 422, 429, 500, 502, 503, 504);
    private static final List<String> RECORDED = List.of(
            "bind",
            "bind again to the same node",
            "bind again to another node",
            "bind a pod that is gone",
            "bind with another uid",
            "bind a gated pod, really",
            "unknown path",
            "no token",
            "create event");

    private final Pod pod = pod("p1");
    private final ScriptedTransport server = new ScriptedTransport(_ -> Answers.recorded("bind"));
    private final SimulatedThreads threads = new SimulatedThreads(Duration.ofMillis(5)::toNanos);
    private final List<Runnable> unanswered = new ArrayList<>();
    private final BeginningTransport transport = new BeginningTransport(server, unanswered::add);
    private final DispatcherFixture fixture = new DispatcherFixture(UNLIMITED, transport, threads);

    private static List<ScriptedTransport.Script> scripts() {
        List<ScriptedTransport.Script> scripts = new ArrayList<>();
        for (int code : CODES) {
            for (String body :
                    List.of("", "a proxy says no", "{\"kind\":\"Status\",\"details\":{\"kind\":\"pods\"}}")) {
                scripts.add(_ -> Answers.of(code, body));
            }
        }
        RECORDED.stream().map(Answers::recorded).forEach(answer -> scripts.add(_ -> answer));
        scripts.add(_ -> Answers.tooMany(Duration.ofSeconds(2)));
        scripts.add(_ -> {
            throw new SocketTimeoutException("timeout");
        });
        scripts.add(_ -> {
            throw new ConnectException("Connection refused");
        });
        return scripts;
    }

    private record End(List<CommandResult> results, List<String> drops, int calls) {}

    private static End end(
            DispatcherSettings settings, ScriptedTransport.Script script, Command.AtServer command, boolean begun) {
        ScriptedTransport server = new ScriptedTransport(script);
        SimulatedThreads threads = new SimulatedThreads(Duration.ofMillis(5)::toNanos);
        BeginningTransport beginning = new BeginningTransport(server, threads);
        DispatcherFixture fixture = new DispatcherFixture(settings, begun ? beginning : server, threads);
        fixture.dispatcher.submit(command);
        fixture.pass(Duration.ofMinutes(10));
        assertThat(beginning.begun()).hasSize(begun ? server.calls().size() : 0);
        assertThat(threads.underway()).isZero();
        return new End(fixture.results, fixture.drops, server.calls().size());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void everyAnswerMeansTheSameWhoeverWaitsForIt(boolean rebinds) {
        DispatcherSettings settings = new DispatcherSettings(16, -1, 1, 1_000, rebinds);
        List<Command.AtServer> commands = List.of(
                bind(pod, "n1"),
                patch(pod, "0/1 nodes"),
                recordEvent(pod, "a"),
                Commands.patchGroup(pod, "g", "0/1 nodes"),
                Commands.recordGroupEvent(pod, Kinds.POD_GROUP, "g", "a"));
        List<ScriptedTransport.Script> scripts = scripts();
        for (Command.AtServer command : commands) {
            for (int i = 0; i < scripts.size(); i++) {
                assertThat(end(settings, scripts.get(i), command, true))
                        .as("answer " + i + " to " + command)
                        .isEqualTo(end(settings, scripts.get(i), command, false));
            }
        }
    }

    @Test
    void aBindingTakesNoThread() {
        fixture.dispatcher.submit(bind(pod, "n1"));
        fixture.pass(Duration.ofSeconds(1));

        assertThat(transport.begun()).containsExactly("POST /api/v1/namespaces/ns/pods/p1/binding");
        assertThat(threads.underway()).isZero();
        assertThat(fixture.results).isEmpty();
        unanswered.getFirst().run();
        assertThat(fixture.results).containsExactly(new CommandResult.Bound(pod, "n1"));
    }

    @Test
    void thePodsNextCommandWaitsForTheAnswer() {
        fixture.dispatcher.submit(bind(pod, "n1"));
        fixture.dispatcher.submit(patch(pod, "late"));
        fixture.pass(Duration.ofSeconds(1));
        assertThat(transport.begun()).hasSize(1);

        unanswered.getFirst().run();
        fixture.pass(Duration.ofSeconds(1));

        assertThat(transport.begun()).hasSize(2).last().isEqualTo("PATCH /api/v1/namespaces/ns/pods/p1/status");
    }

    /** Their answer is more than a code. */
    @Test
    void lookUpsAndEvictionsTakeAThread() {
        fixture.dispatcher.submit(new Command.Lookup(pod));
        fixture.dispatcher.submit(evict(pod("p2")));
        fixture.pass(Duration.ofMinutes(1));

        assertThat(transport.begun()).isEmpty();
        assertThat(fixture.results).hasSize(2);
    }

    @Test
    void pluginsThatBindOrHearOfItAfterwardsTakeAThread() {
        List<String> order = new ArrayList<>();
        fixture.dispatcher.submit(new Command.Bind(
                pod,
                "n1",
                PlannedSteps.of(pod, "n1", () -> Status.SUCCESS, () -> Status.SKIP, () -> order.add("after"))));
        fixture.pass(Duration.ofMinutes(1));

        assertThat(transport.begun()).isEmpty();
        assertThat(order).containsExactly("after");
        assertThat(fixture.results).containsExactly(new CommandResult.Bound(pod, "n1"));
    }

    @Test
    void anExtenderThatBindsTakesAThread() {
        try (ExtenderServer extender = ExtenderServer.start();
                Extenders extenders = Extenders.of(
                        SchedulerConfiguration.defaults().toBuilder()
                                .extenders(List.of(binder(extender.url())))
                                .build(),
                        transport,
                        ExtenderObserver.NONE,
                        Machine.SYSTEM)) {
            extender.answers("bind", "{}");
            DispatcherFixture extended = new DispatcherFixture(UNLIMITED, transport, extenders, threads);
            extended.dispatcher.submit(bind(pod, "n1"));
            extended.dispatcher.startAll();
            assertThat(threads.underway()).isEqualTo(1);

            extended.pass(Duration.ofMinutes(1));

            assertThat(extended.results).containsExactly(new CommandResult.Bound(pod, "n1"));
            assertThat(transport.begun()).isEmpty();
        }
    }

    private static Extender binder(String url) {
        return new Extender(
                url, "", "", "", 0, "bind", false, Optional.empty(), Duration.ofSeconds(30), true, List.of(), false);
    }

    @Test
    void withoutTheLeaseNothingIsBegun() {
        fixture.leading = false;
        fixture.dispatcher.submit(bind(pod, "n1"));
        fixture.dispatcher.submit(patch(pod("p2"), "late"));
        fixture.pass(Duration.ofMinutes(1));

        assertThat(transport.begun()).isEmpty();
        assertThat(server.calls()).isEmpty();
        assertThat(fixture.results)
                .singleElement()
                .isInstanceOfSatisfying(
                        CommandResult.NotBound.class,
                        result -> assertThat(result.failure()).isEqualTo(BindFailure.NOT_LEADING));
        assertThat(fixture.drops).isEmpty();

        fixture.leading = true;
        fixture.pass(Duration.ofSeconds(2));
        assertThat(transport.begun()).hasSize(1);
    }

    /** A bug, but one of a single call: the dispatcher's thread must outlive it. */
    @Test
    void whatCannotBeBegunIsCarriedOutByAThread() {
        ScriptedTransport broken = new ScriptedTransport(_ -> Answers.recorded("bind")) {
            @Override
            public boolean begin(ApiCall call, ResponseHandler taker) {
                throw new IllegalStateException("bug");
            }
        };
        DispatcherFixture other = new DispatcherFixture(UNLIMITED, broken, threads);
        other.dispatcher.submit(bind(pod, "n1"));
        other.pass(Duration.ofMinutes(1));

        assertThat(other.results).containsExactly(new CommandResult.Bound(pod, "n1"));
    }
}
