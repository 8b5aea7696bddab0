package io.evenkeel.kube.dispatch;

import static io.evenkeel.kube.dispatch.Commands.bind;
import static io.evenkeel.kube.dispatch.Commands.nominate;
import static io.evenkeel.kube.dispatch.Commands.patch;
import static io.evenkeel.kube.dispatch.Commands.patchGroup;
import static io.evenkeel.kube.dispatch.Commands.pod;
import static io.evenkeel.kube.dispatch.Commands.recordEvent;
import static io.evenkeel.kube.dispatch.DispatcherFixture.UNLIMITED;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ObjectPatch;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.kube.dispatch.Dispatcher.DispatcherSettings;
import io.evenkeel.kube.dispatch.Dispatcher.OutcomeDelivery;
import io.evenkeel.kube.dispatch.Job.Retries;
import io.evenkeel.kube.extender.Extenders;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.testing.LogLines;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

class DispatcherTest {
    private final ScriptedTransport server =
            new ScriptedTransport(call -> Answers.of(call.method().equals("POST") ? 201 : 200, ""));
    private DispatcherFixture fixture = new DispatcherFixture(UNLIMITED, server, Duration.ofMillis(5));
    private final Pod pod = pod("p1");

    private void submit(Command.AtServer... commands) {
        for (Command.AtServer command : commands) {
            fixture.dispatcher.submit(command);
        }
    }

    private void settings(int parallelism, float qps, int burst) {
        fixture = new DispatcherFixture(
                new DispatcherSettings(parallelism, qps, burst, 1_000, false), server, Duration.ofMillis(5));
    }

    private List<String> paths() {
        return server.calls().stream().map(ApiCall::path).toList();
    }

    @Test
    void aPatchNamesThePodTheConditionAndTheNomination() {
        submit(patch(pod, "0/1 nodes", Optional.of("n2")));
        fixture.pass(Duration.ofSeconds(1));

        assertThat(paths()).containsExactly("/api/v1/namespaces/ns/pods/p1/status");
        assertThat(server.calls().getFirst().body().orElseThrow().contentType())
                .isEqualTo("application/strategic-merge-patch+json");
        assertThat(server.bodies()).containsExactly("""
            {"metadata":{"uid":"uid-p1"},"status":{"conditions":[{"type":"PodScheduled","observedGeneration":3,\
            "status":"False","lastProbeTime":null,"lastTransitionTime":"2026-01-01T00:00:00Z",\
            "reason":"Unschedulable","message":"0/1 nodes"}],"nominatedNodeName":"n2"}}\
            """);
    }

    @Test
    void aConditionThatIsToBeGoneIsTakenAway() {
        submit(new Command.PatchStatus(
                pod, Optional.of(new PodCondition("evenkeel.io/shard", "", "", "", "", 0)), Optional.empty()));
        fixture.pass(Duration.ofSeconds(1));

        assertThat(server.bodies()).containsExactly("""
            {"metadata":{"uid":"uid-p1"},"status":{"conditions":[{"type":"evenkeel.io/shard","$patch":"delete"}]}}\
            """);
    }

    @Test
    void anEmptyNominationClearsItAndNoneLeavesIt() {
        submit(patch(pod, "a", Optional.of("")), patch(pod("p2"), "b"));
        fixture.pass(Duration.ofSeconds(1));

        assertThat(server.bodies().get(0)).contains("\"nominatedNodeName\":null");
        assertThat(server.bodies().get(1)).doesNotContain("nominatedNodeName");
    }

    @Test
    void aNewerPatchReplacesAWaitingOneButKeepsItsNomination() {
        submit(patch(pod, "first", Optional.of("n1")), patch(pod, "second"), patch(pod, "third"));
        fixture.pass(Duration.ofSeconds(1));

        assertThat(server.bodies())
                .singleElement()
                .asString()
                .contains("third")
                .contains("\"nominatedNodeName\":\"n1\"");
        assertThat(fixture.drops).containsExactly("PATCH_STATUS SUPERSEDED", "PATCH_STATUS SUPERSEDED");
    }

    @Test
    void aBindingDiscardsAWaitingPatchButNotAVictimsMark() {
        Command.AtServer victim = new Command.PatchStatus(
                pod,
                Optional.of(new PodCondition("DisruptionTarget", "True", "PreemptionByScheduler", "", "", 0)),
                Optional.empty());
        submit(patch(pod, "pending"), victim, bind(pod, "n1"));
        fixture.pass(Duration.ofSeconds(1));

        assertThat(paths())
                .containsExactly("/api/v1/namespaces/ns/pods/p1/status", "/api/v1/namespaces/ns/pods/p1/binding");
        assertThat(server.bodies().getFirst()).contains("DisruptionTarget");
    }

    @Test
    void aNominationIsWrittenBeforeTheBindingThatWillTakeTime() {
        submit(patch(pod, "pending"), nominate(pod, "n2"), nominate(pod, "n1"), bind(pod, "n1"));
        fixture.pass(Duration.ofSeconds(1));

        assertThat(paths())
                .containsExactly("/api/v1/namespaces/ns/pods/p1/status", "/api/v1/namespaces/ns/pods/p1/binding");
        assertThat(server.bodies().getFirst())
                .isEqualTo("{\"metadata\":{\"uid\":\"uid-p1\"},\"status\":{\"nominatedNodeName\":\"n1\"}}");
    }

    @Test
    void aNominationThatCannotBeWrittenDoesNotHoldUpTheBinding() {
        server.nowAnswers(call -> Answers.of(call.method().equals("POST") ? 201 : 503, ""));
        submit(nominate(pod, "n1"), bind(pod, "n1"));
        fixture.pass(Duration.ofMinutes(5));

        assertThat(paths())
                .containsExactly("/api/v1/namespaces/ns/pods/p1/status", "/api/v1/namespaces/ns/pods/p1/binding");
    }

    @Test
    void aPatchThatWaitsToBeTriedAgainIsOvertakenByTheBinding() {
        server.nowAnswers(call -> Answers.of(call.method().equals("POST") ? 201 : 503, ""));
        submit(patch(pod, "pending"));
        fixture.pass(Duration.ofMillis(10));
        submit(bind(pod, "n1"));
        fixture.pass(Duration.ofMinutes(5));

        assertThat(paths())
                .containsExactly("/api/v1/namespaces/ns/pods/p1/status", "/api/v1/namespaces/ns/pods/p1/binding");
    }

    @Test
    void whatRestsUntilItIsTriedAgainDoesNotHoldUpTheBinding() {
        server.nowAnswers(call -> Answers.of(call.method().equals("POST") ? 201 : 503, ""));
        submit(nominate(pod, "n1"));
        fixture.pass(Duration.ofSeconds(2));
        submit(bind(pod, "n2"));
        fixture.pass(Duration.ofMillis(10));

        assertThat(paths().getLast()).isEqualTo("/api/v1/namespaces/ns/pods/p1/binding");
    }

    @Test
    void whatOfAGroupRestsDoesNotHoldUpTheBinding() {
        server.nowAnswers(call -> Answers.of(call.method().equals("POST") ? 201 : 503, ""));
        submit(patchGroup(pod, "g", "no room"));
        fixture.pass(Duration.ofSeconds(2));
        submit(bind(pod, "n2"));
        fixture.pass(Duration.ofMillis(10));

        assertThat(paths().getLast()).isEqualTo("/api/v1/namespaces/ns/pods/p1/binding");
    }

    @Test
    void aPatchIsTriedAgainAFewTimes() {
        server.nowAnswers(_ -> Answers.of(500, ""));
        submit(patch(pod, "pending"));
        fixture.pass(Duration.ofMinutes(5));

        assertThat(server.calls()).hasSize(Retries.MOST_ATTEMPTS);
        assertThat(fixture.drops).containsExactly("PATCH_STATUS EXHAUSTED");
    }

    /** As where a webhook refuses the condition of every pod of a namespace. */
    @Test
    void aFloodOfRefusedWritesIsALineAMinuteWithTheirNumber() {
        server.nowAnswers(_ -> Answers.of(422, "no"));
        try (LogLines log = new LogLines(OutcomeDelivery.class)) {
            for (int i = 0; i < 100; i++) {
                submit(patch(pod("p" + i), "pending"));
            }
            fixture.pass(Duration.ofMinutes(2));
            submit(patch(pod("last"), "pending"));
            fixture.pass(Duration.ofSeconds(1));

            assertThat(fixture.drops).hasSize(101).containsOnly("PATCH_STATUS REFUSED");
            assertThat(log.lines())
                    .filteredOn(line -> line.startsWith("WARN Write failed, giving up"))
                    .satisfiesExactly(
                            first -> assertThat(first).contains("writes=\"1\""),
                            second -> assertThat(second).contains("uid-last").contains("writes=\"100\""));
            assertThat(log.lines())
                    .filteredOn(line -> line.startsWith("DEBUG Giving up a write"))
                    .hasSize(101);
        }
        assertThat(server.calls()).as("each is tried once").hasSize(101);
    }

    @Test
    void whatEnginesMayNotTellEachOtherOfAPodIsALineTooButNotWhatSomebodyOvertook() {
        Command.WriteObject told = new Command.WriteObject(
                pod, new ObjectPatch(Kinds.POD, pod.meta(), Map.of("status", Map.of()), ObjectPatch.Form.STATUS));
        try (LogLines log = new LogLines(OutcomeDelivery.class)) {
            server.nowAnswers(_ -> Answers.of(409, "the object has been modified"));
            submit(told);
            fixture.pass(Duration.ofSeconds(1));
            assertThat(log.lines()).isEmpty();
            server.nowAnswers(_ -> Answers.of(403, "no"));
            submit(told);
            fixture.pass(Duration.ofSeconds(1));
            assertThat(log.lines()).anyMatch(line -> line.startsWith("WARN Write failed, giving up"));
        }
    }

    @Test
    void aPatchOfAPodThatIsGoneOrReplacedIsDropped() {
        server.nowAnswers(_ -> Answers.recorded("patch a pod that is gone"));
        submit(patch(pod, "pending"));
        fixture.pass(Duration.ofMinutes(1));
        server.nowAnswers(_ -> Answers.recorded("patch by another uid"));
        submit(patch(pod, "pending"));
        fixture.pass(Duration.ofMinutes(1));

        assertThat(fixture.drops).containsExactly("PATCH_STATUS GONE", "PATCH_STATUS GONE");
        assertThat(server.calls()).hasSize(2);
    }

    @Test
    void anEventOfANamespaceThatGoesIsDroppedWithoutTrouble() {
        server.nowAnswers(_ -> Answers.of(403, "namespace ns is being terminated"));
        submit(recordEvent(pod, "note"));
        fixture.pass(Duration.ofMinutes(1));

        assertThat(fixture.drops).containsExactly("RECORD_EVENT GONE");
        assertThat(server.calls()).hasSize(1);
    }

    @Test
    void bindingsGoFirstThenLooksThenPatches() {
        settings(1, -1, 1);
        submit(
                recordEvent(pod("e"), "note"),
                patch(pod("c"), "pending"),
                new Command.Lookup(pod("b")),
                bind(pod("a"), "n"));
        // The first to be handed to a thread is the binding's preparation, which is no call.
        fixture.pass(Duration.ofSeconds(1));

        assertThat(paths().stream().map(path -> path.replaceAll("/api/v1/namespaces/ns/pods/", "")))
                .endsWith("c/status", "/apis/events.k8s.io/v1/namespaces/ns/events");
    }

    @Test
    void slowPatchesLeaveRoomForBindings() {
        settings(4, -1, 1);
        for (int i = 0; i < 100; i++) {
            submit(patch(pod("slow-" + i), "pending"));
        }
        fixture.dispatcher.startAll();
        assertThat(fixture.dispatcher.view().calling()).containsEntry(CommandKind.PATCH_STATUS, 3);
        submit(bind(pod, "n1"));
        fixture.pass(Duration.ofMillis(10));

        assertThat(fixture.results).containsExactly(new CommandResult.Bound(pod, "n1"));
    }

    @Test
    void whatMayStartAndIsNotStartedIsOverdue() {
        fixture.pass(Duration.ofHours(1));
        assertThat(fixture.dispatcher.overdue()).isZero();

        submit(bind(pod, "n1"));
        fixture.threads.standStill(Duration.ofSeconds(20));
        submit(bind(pod("p2"), "n1"));
        fixture.threads.standStill(Duration.ofSeconds(20));
        assertThat(fixture.dispatcher.overdue()).hasSeconds(40);

        fixture.pass(Duration.ofSeconds(1));
        assertThat(fixture.dispatcher.overdue()).isZero();
    }

    @Test
    void whatIsHeldBackIsNotOverdueBeforeItMayStart() {
        settings(16, 1, 1);
        for (int i = 0; i < 100; i++) {
            submit(patch(pod("p" + i), "no"));
        }
        fixture.pass(Duration.ofMillis(50_500));
        assertThat(server.calls()).hasSizeBetween(50, 52);
        assertThat(fixture.dispatcher.overdue()).isZero();

        fixture.threads.standStill(Duration.ofSeconds(40));
        assertThat(fixture.dispatcher.overdue()).isBetween(Duration.ofSeconds(39), Duration.ofSeconds(40));
    }

    @Test
    void whatWaitsForAConnectionIsNotOverdueHoweverLongCallsTake() {
        fixture = new DispatcherFixture(
                new DispatcherSettings(1, -1, 1, 1_000, false), server, new SimulatedThreads(() -> Long.MAX_VALUE / 4));
        submit(patch(pod, "no"), patch(pod("p2"), "no"));
        fixture.pass(Duration.ofHours(1));
        assertThat(fixture.threads.underway()).isOne();

        assertThat(fixture.dispatcher.overdue()).isZero();
    }

    @Test
    void callsAreHeldToTheRateAndEventsToOneOfTheirOwn() {
        settings(16, 10, 5);
        for (int i = 0; i < 100; i++) {
            submit(bind(pod("p" + i), "n"), recordEvent(pod("p" + i), "note"));
        }
        fixture.pass(Duration.ofSeconds(1));

        assertThat(paths().stream().filter(path -> path.endsWith("binding"))).hasSizeBetween(14, 15);
        assertThat(paths().stream().filter(path -> path.endsWith("events"))).hasSizeBetween(14, 15);
    }

    @Test
    void aLookFindsThePodOrNobody() {
        server.nowAnswers(call -> call.path().endsWith("gone")
                ? Answers.recorded("bind a pod that is gone")
                : Answers.recorded("bound pod"));
        submit(new Command.Lookup(pod), new Command.Lookup(pod("gone")));
        fixture.pass(Duration.ofSeconds(1));

        assertThat(fixture.results)
                .first()
                .isInstanceOfSatisfying(
                        CommandResult.Found.class,
                        looked -> assertThat(looked.found().orElseThrow().spec().nodeName())
                                .isEqualTo("rec-1"));
        assertThat(fixture.results).last().isEqualTo(new CommandResult.Found(pod("gone"), Optional.empty()));
    }

    @Test
    void aLookThatFailsSaysSo() {
        server.nowAnswers(_ -> Answers.of(200, "{\"kind\":"));
        submit(new Command.Lookup(pod));
        fixture.pass(Duration.ofSeconds(1));
        server.nowAnswers(_ -> Answers.recorded("unknown path"));
        submit(new Command.Lookup(pod));
        fixture.pass(Duration.ofSeconds(1));

        assertThat(fixture.results).hasSize(2).allMatch(CommandResult.LookupFailed.class::isInstance);
    }

    @Test
    void tooManyEventsDropTheOldest() {
        for (int i = 0; i < 1_010; i++) {
            submit(recordEvent(pod("p" + i), "note"));
        }
        fixture.pass(Duration.ofMinutes(1));

        assertThat(fixture.drops).hasSize(10).containsOnly("RECORD_EVENT FULL");
        assertThat(server.bodies()).hasSize(1_000).noneMatch(body -> body.contains("\"uid-p9\""));
    }

    @Test
    void whatIsDrainedIsCarriedOutAndOnceClosedNothingMoreIsTaken() throws InterruptedException {
        LinkedBlockingQueue<CommandResult> mailbox = new LinkedBlockingQueue<>();
        CountDownLatch called = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        server.nowAnswers(_ -> {
            called.countDown();
            await(answer);
            return Answers.recorded("bind");
        });
        Dispatcher real = Dispatcher.start(
                UNLIMITED,
                server,
                new ObjectReader(),
                () -> true,
                mailbox::add,
                DispatcherObserver.NONE,
                "host",
                Extenders.none(server),
                Machine.SYSTEM);
        real.submit(bind(pod, "n1"));
        real.submit(bind(pod("p2"), "n1"));
        await(called);

        assertThat(real.drain(Duration.ofMillis(1), Machine.SYSTEM.sleeper())).isFalse();
        assertThat(real.unfinished().bindings()).isEqualTo(2);
        answer.countDown();
        assertThat(real.drain(Duration.ofMinutes(1), Machine.SYSTEM.sleeper())).isTrue();
        assertThat(mailbox).hasSize(2).allMatch(CommandResult.Bound.class::isInstance);

        real.close();
        real.submit(bind(pod, "n2"));
        assertThat(mailbox).hasSize(3).anyMatch(CommandResult.NotBound.class::isInstance);
    }

    @Test
    void conditionsAndEventsAreNotWaitedForAsBindingsAre() throws InterruptedException {
        DispatcherSettings oneCall = new DispatcherSettings(16, 0.001f, 1, 1_000, false);
        try (Dispatcher real = Dispatcher.start(
                oneCall,
                server,
                new ObjectReader(),
                () -> true,
                _ -> {},
                DispatcherObserver.NONE,
                "host",
                Extenders.none(server),
                Machine.SYSTEM)) {
            real.submit(recordEvent(pod("p1"), "note"));
            real.submit(recordEvent(pod("p2"), "note"));
            real.submit(patch(pod("p1"), "pending"));
            real.submit(patch(pod("p2"), "pending"));

            assertThat(real.drain(Duration.ofDays(1), Machine.SYSTEM.sleeper())).isFalse();
            assertThat(real.unfinished().events()).isEqualTo(1);
            assertThat(real.unfinished().conditions()).isEqualTo(1);
            assertThat(real.unfinished().bindings()).isZero();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    @Test
    void aDryRunAsksNobodyAndRemembersWhereItPutPods() {
        List<CommandResult> results = fixture.results;
        try (DryRun dryRun = new DryRun(results::add)) {
            dryRun.submit(bind(pod, "n1"));
            dryRun.submit(new Command.Lookup(pod));
            dryRun.submit(new Command.Lookup(pod("other")));
        }

        assertThat(results).first().isEqualTo(new CommandResult.Bound(pod, "n1"));
        assertThat(results.subList(1, 3))
                .extracting(result -> ((CommandResult.Found) result)
                        .found()
                        .orElseThrow()
                        .spec()
                        .nodeName())
                .containsExactly("n1", "");
    }
}
