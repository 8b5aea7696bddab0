package io.evenkeel.kube.dispatch;

import static io.evenkeel.kube.dispatch.CommandKind.BIND;
import static io.evenkeel.kube.dispatch.CommandKind.EVICT;
import static io.evenkeel.kube.dispatch.CommandKind.LOOKUP;
import static io.evenkeel.kube.dispatch.CommandKind.PATCH_STATUS;
import static io.evenkeel.kube.dispatch.CommandKind.RECORD_EVENT;
import static io.evenkeel.kube.dispatch.CommandKind.WRITE_OBJECT;
import static io.evenkeel.kube.dispatch.Commands.bind;
import static io.evenkeel.kube.dispatch.Commands.claimPatch;
import static io.evenkeel.kube.dispatch.Commands.evict;
import static io.evenkeel.kube.dispatch.Commands.nominate;
import static io.evenkeel.kube.dispatch.Commands.patch;
import static io.evenkeel.kube.dispatch.Commands.pod;
import static io.evenkeel.kube.dispatch.Commands.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.evenkeel.engine.Command;
import io.evenkeel.kube.dispatch.DispatchPlan.Turns;
import io.evenkeel.kube.dispatch.Dispatcher.DispatcherSettings;
import io.evenkeel.kube.dispatch.Job.Outcome;
import io.evenkeel.kube.dispatch.SimulatedCalls.Started;
import io.evenkeel.rotation.Rotated;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who waits for whom, in the plan's own time. */
class DispatchPlanTest {
    private static final long MILLISECOND = Duration.ofMillis(1).toNanos();
    /** Passed over three times, and then two others may have been as often. */
    private static final int LONGEST_WAIT_FOR_A_TURN = Turns.MOST_PASSED_OVER + CommandKind.values().length - 1;

    private static SimulatedCalls calls(int parallelism, float qps, int burst) {
        return new SimulatedCalls(new DispatcherSettings(parallelism, qps, burst, 100_000, false), _ -> MILLISECOND);
    }

    private static void flood(SimulatedCalls calls, CommandKind kind, int commands) {
        for (int i = 0; i < commands; i++) {
            add(calls, kind, kind + "-" + i);
        }
    }

    private static void add(SimulatedCalls calls, CommandKind kind, String pod) {
        switch (kind) {
            case BIND -> calls.add(bind(pod(pod), "n"));
            case LOOKUP -> calls.add(new Command.Lookup(pod(pod)));
            case EVICT -> calls.add(evict(pod(pod)));
            case WRITE_OBJECT -> calls.add(write(pod(pod), claimPatch("c", "n")));
            case PATCH_STATUS -> calls.add(patch(pod(pod), "0/20 nodes are available"));
            case RECORD_EVENT -> calls.recordEvent(pod);
        }
    }

    private static double secondsUntilLast(SimulatedCalls calls, CommandKind kind) {
        return calls.started(kind).getLast().seconds();
    }

    @Test
    void theConditionsOfThreeRejectedPodsAmidFourHundredBindingsAreWrittenAtOnce() {
        SimulatedCalls calls = calls(16, 20, 1);
        flood(calls, BIND, 440);
        flood(calls, PATCH_STATUS, 3);
        calls.pass(Duration.ofMinutes(1));

        assertThat(secondsUntilLast(calls, PATCH_STATUS)).isLessThan(1);
        assertThat(secondsUntilLast(calls, BIND)).isLessThan(443 / 20.0);
    }

    @Test
    void theConditionsOfTenThousandPodsLeaveThreeQuartersOfTheRateToBindings() {
        SimulatedCalls calls = calls(16, 20, 1);
        flood(calls, PATCH_STATUS, 10_000);
        flood(calls, BIND, 150);
        calls.pass(Duration.ofMinutes(1));

        assertThat(secondsUntilLast(calls, BIND)).isCloseTo(10, withinPercentage(2));
    }

    @Test
    void aLookIsNotHeldUpByBindingsAndConditions() {
        SimulatedCalls calls = calls(16, 20, 1);
        flood(calls, BIND, 1_000);
        flood(calls, PATCH_STATUS, 1_000);
        flood(calls, LOOKUP, 1);
        calls.pass(Duration.ofMinutes(1));

        assertThat(secondsUntilLast(calls, LOOKUP)).isLessThan(0.3);
    }

    @ParameterizedTest
    @EnumSource
    void alone_everyKindHasTheWholeRate(CommandKind kind) {
        SimulatedCalls calls = calls(16, 100, 1);
        flood(calls, kind, 1_000);
        calls.pass(Duration.ofMinutes(1));

        assertThat(secondsUntilLast(calls, kind)).isCloseTo(10, withinPercentage(1));
    }

    /** A hundred calls that hang, and later a hundred of another kind. */
    private static SimulatedCalls behindThoseThatHang(CommandKind hanging, CommandKind others) {
        SimulatedCalls calls = new SimulatedCalls(
                new DispatcherSettings(16, -1, 1, 1_000, false),
                kind -> kind == hanging ? Duration.ofDays(1).toNanos() : MILLISECOND);
        flood(calls, hanging, 100);
        calls.pass(Duration.ofSeconds(1));
        flood(calls, others, 100);
        calls.pass(Duration.ofSeconds(1));
        return calls;
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"LOOKUP", "PATCH_STATUS", "RECORD_EVENT"})
    void slowCallsOfOneKindLeaveRoomForBindingsAndTheOtherWayRound(CommandKind slow) {
        SimulatedCalls calls = behindThoseThatHang(slow, BIND);

        assertThat(calls.underway(slow)).isPositive();
        assertThat(calls.waiting(BIND)).isZero();
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"LOOKUP", "PATCH_STATUS", "RECORD_EVENT"})
    void slowBindingsLeaveRoomForAllElse(CommandKind other) {
        SimulatedCalls calls = behindThoseThatHang(BIND, other);

        assertThat(calls.underway(BIND)).isPositive();
        assertThat(calls.waiting(other)).isZero();
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "EVICT")
    void evictionsThatHangLeaveRoomForAllElse(CommandKind other) {
        SimulatedCalls calls = behindThoseThatHang(EVICT, other);

        assertThat(calls.underway(EVICT)).isEqualTo(6);
        assertThat(calls.waiting(other)).isZero();
    }

    /** A webhook for claims may hang; they are half of what bindings may be. */
    @ParameterizedTest(name = "{0}")
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "WRITE_OBJECT")
    void writesThatHangLeaveRoomForAllElse(CommandKind other) {
        SimulatedCalls calls = behindThoseThatHang(WRITE_OBJECT, other);

        assertThat(calls.underway(WRITE_OBJECT)).isEqualTo(7);
        assertThat(calls.waiting(other)).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void howLongACallWasHeldBackIsKnown(CommandKind kind) {
        SimulatedCalls calls = calls(16, 2, 1);
        calls.pass(Duration.ofSeconds(7));
        flood(calls, kind, 3);
        calls.pass(Duration.ofMinutes(1));

        assertThat(calls.started())
                .extracting(call -> Duration.ofNanos(call.job().heldBack()))
                .containsExactly(Duration.ZERO, Duration.ofMillis(500), Duration.ofSeconds(1));
    }

    @Test
    void whatIsSaidAnewOfAPodKeepsItsPlace() {
        SimulatedCalls calls = calls(16, 1, 1);
        flood(calls, PATCH_STATUS, 20);
        for (int second = 0; second < 10; second++) {
            calls.pass(Duration.ofSeconds(1));
            calls.add(patch(pod("PATCH_STATUS-11"), "at second " + second));
        }
        calls.pass(Duration.ofSeconds(20));

        assertThat(calls.started()).hasSize(20);
        assertThat(calls.started().get(11).pod()).isEqualTo("uid-PATCH_STATUS-11");
        assertThat(calls.started().get(11).job().work())
                .isInstanceOfSatisfying(
                        Job.OnPod.class,
                        work -> assertThat(work.command()).isEqualTo(patch(pod("PATCH_STATUS-11"), "at second 9")));
    }

    /** Each is overtaken by a newer one while the server does not want it. */
    @Test
    void whatAPatchNominatesIsNotLostWithThePatch() {
        assertThat(afterOvertaking(patch(pod("p"), "older", Optional.of("")), patch(pod("p"), "newer")))
                .contains(patch(pod("p"), "newer", Optional.of("")));
        assertThat(afterOvertaking(
                        patch(pod("p"), "older", Optional.of("")), patch(pod("p"), "newer", Optional.of("n"))))
                .contains(patch(pod("p"), "newer", Optional.of("n")));
        assertThat(afterOvertaking(
                        patch(pod("p"), "older", Optional.of("")), nominate(pod("p"), "n"), patch(pod("p"), "newer")))
                .contains(nominate(pod("p"), "n"));
    }

    /** What is done next once the first has failed, as the others have come meanwhile. */
    private static Optional<Command.AtServer> afterOvertaking(Command.AtServer first, Command.AtServer... newer) {
        DispatchPlan plan = new DispatchPlan(
                new DispatcherSettings(16, -1, 1, 100, false), new Random(1), DispatcherObserver.NONE, 0);
        plan.add(first, 0);
        Job underway = plan.take(0).orElseThrow();
        List.of(newer).forEach(command -> plan.add(command, 0));
        plan.ended(underway);
        plan.settle(underway, new Outcome.TryAgain(Optional.empty(), "later"), 0);
        return plan.take(0).map(job -> ((Job.OnPod) job.work()).command());
    }

    /** A command with n of its kind before it waits for n + 1 turns of its kind, whatever floods. */
    @Rotated(3)
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void noCommandWaitsForMoreThanItsTurn(long seed) {
        Random random = new Random(seed);
        boolean byRate = seed % 2 == 0;
        SimulatedCalls calls = byRate ? calls(16, 5 + random.nextInt(50), 1 + random.nextInt(10)) : calls(1, -1, 1);
        Set<CommandKind> kinds = EnumSet.allOf(CommandKind.class);
        if (byRate) {
            kinds.remove(RECORD_EVENT); // has a rate of its own, and takes no turns
        }
        Map<CommandKind, Integer> weights = new EnumMap<>(CommandKind.class);
        kinds.forEach(kind -> weights.put(kind, random.nextInt(4) == 0 ? 1 : 1 + random.nextInt(300)));
        Map<String, Integer> limits = new HashMap<>();
        int commands = 0;
        for (int round = 0; round < 20; round++) {
            for (CommandKind kind : kinds) {
                for (int n = random.nextInt(weights.get(kind)); n > 0; n--) {
                    String pod = "p" + commands++;
                    int turns = (calls.waiting(kind) + 1) * LONGEST_WAIT_FOR_A_TURN;
                    limits.put("uid-" + pod, calls.started().size() + turns);
                    add(calls, kind, pod);
                }
            }
            calls.pass(byRate ? Duration.ofMillis(random.nextInt(3_000)) : Duration.ofMillis(random.nextInt(300)));
        }
        calls.pass(Duration.ofDays(1));

        assertThat(calls.started()).hasSize(commands);
        for (int number = 0; number < commands; number++) {
            Started call = calls.started().get(number);
            assertThat(number).as("%s %s", call.kind(), call.pod()).isLessThan(limits.get(call.pod()));
        }
    }
}
