package io.evenkeel.kube.election;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.SchedulerConfiguration.LeaderElection;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.Clocks;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.kube.election.ContestedLease.Lease;
import io.evenkeel.kube.election.LeaderElector.LeaderCallbacks;
import io.evenkeel.testing.LogLines;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeaderElectorTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Instant BEGIN = Instant.parse("2026-11-21T02:26:02.892070Z");

    private final SimulatedReplicas replicas = new SimulatedReplicas();
    private final LeaseStore store = new LeaseStore();
    private final List<String> told = new ArrayList<>();
    private final List<Candidate> candidates = new ArrayList<>();
    private Random random = new Random(1);

    /** A replica with clocks of its own and a way to the server that may be broken. */
    private final class Candidate implements LeaderCallbacks {
        private final String name;
        private final SimulatedReplicas.Replica replica = replicas.replica();
        private final LeaderElector elector;
        private boolean cutOff;
        private double failures;
        private double pauses;

        Candidate(String name, Duration clockSkew) {
            this(name, clockSkew, LeaderElection.defaults());
        }

        Candidate(String name, Duration clockSkew, LeaderElection settings) {
            this.name = name;
            long begin = replicas.now();
            long offset = random.nextLong();
            elector = new LeaderElector(
                    settings,
                    name,
                    new ScriptedTransport(this::call),
                    this,
                    (regarding, event) -> told.add(regarding.kind() + ": " + event.note()),
                    "evenkeel",
                    new Clocks(
                            () -> replicas.now() + offset,
                            () -> BEGIN.plus(clockSkew).plusNanos(replicas.now() - begin),
                            random),
                    this::sleep,
                    (_, exchange) -> exchange.run());
            candidates.add(this);
            replicas.start(replica, elector::run);
        }

        private void sleep(long nanos) {
            boolean paused = random.nextDouble() < pauses;
            replica.sleep(nanos + (paused ? random.nextLong(40 * SECOND) : 0));
        }

        private ApiAnswer call(ApiCall call) throws IOException {
            if (failures > 0 || pauses > 0) {
                sleep(random.nextLong(SECOND / 2));
            }
            if (cutOff || random.nextDouble() < failures) {
                throw new IOException("no route");
            }
            ApiAnswer answer = store.answer(call);
            if (failures > 0 || pauses > 0) {
                sleep(random.nextLong(SECOND / 2));
            }
            if (random.nextDouble() < failures) {
                throw new IOException("reset");
            }
            return answer;
        }

        @Override
        public void onStartedLeading() {
            told.add(name + " started");
        }

        @Override
        public void onStoppedLeading() {
            told.add(name + " stopped");
        }

        @Override
        public void onNewLeader(String identity) {
            told.add(name + " sees " + identity);
        }
    }

    private void pass(double seconds) {
        replicas.pass(
                (long) (seconds * SECOND),
                () -> assertThat(candidates.stream()
                                .filter(one -> one.elector.mayBind())
                                .count())
                        .as("leaders that may bind")
                        .isLessThanOrEqualTo(1));
    }

    /** A Lease counts whole seconds. Rounded down, another would take it while this one still leads by it. */
    @Test
    void aPartOfASecondCountsAsAWholeOneInTheLease() {
        new Candidate(
                "a",
                Duration.ZERO,
                new LeaderElection(
                        true,
                        Duration.ofMillis(1_200),
                        Duration.ofMillis(900),
                        Duration.ofMillis(200),
                        "leases",
                        "evenkeel",
                        "kube-system"));
        pass(1);

        assertThat(store.lease().durationSeconds()).isEqualTo(2);
    }

    @Test
    void theFirstCreatesTheLeaseAndRenewsIt() {
        Candidate a = new Candidate("a", Duration.ZERO);
        pass(5);

        assertThat(told).containsExactly("Lease: a became leader", "a sees a", "a started");
        assertThat(a.elector.mayBind()).isTrue();
        assertThat(a.elector.leader()).isEqualTo("a");
        Lease lease = store.lease();
        assertThat(lease.acquireTime()).isEqualTo("2026-11-21T02:26:02.892070Z");
        assertThat(lease.renewTime()).isEqualTo("2026-11-21T02:26:06.892070Z");
        assertThat(lease.durationSeconds()).isEqualTo(15);
        assertThat(lease.transitions()).isZero();
    }

    @Test
    void thatAnotherReplicaWasFasterIsNothingToWarnOf() {
        store.isCreatedFirstBy("b");
        try (LogLines log = new LogLines(LeaderElector.class)) {
            Candidate a = new Candidate("a", Duration.ZERO);
            pass(5);

            assertThat(a.elector.isLeading()).isFalse();
            assertThat(a.elector.leader()).isEqualTo("b");
            assertThat(log.lines())
                    .containsExactly("DEBUG Another replica updated the lease first [why=\"cannot create the Lease"
                            + " kube-system/kube-scheduler: the server answered 409: exists\"]");
        }
    }

    @Test
    void thatTheServerAnswersAgainIsSaidToo() {
        try (LogLines log = new LogLines(LeaderElector.class)) {
            Candidate a = new Candidate("a", Duration.ZERO);
            pass(3);
            a.cutOff = true;
            pass(5);
            a.cutOff = false;
            pass(6);

            assertThat(log.lines())
                    .hasSizeGreaterThan(1)
                    .endsWith("INFO The lease can be read and written again")
                    .filteredOn(line -> line.startsWith("INFO"))
                    .hasSize(1);
        }
    }

    @Test
    void whoStopsHandsOverAtOnce() {
        Candidate a = new Candidate("a", Duration.ZERO);
        pass(1);
        Candidate b = new Candidate("b", Duration.ZERO);
        pass(20);
        a.elector.stop();
        pass(2.1);
        assertThat(a.replica.hasEnded()).isTrue();
        assertThat(store.lease().holder()).isIn("", "b");
        pass(4.4);

        assertThat(told)
                .containsExactly(
                        "Lease: a became leader",
                        "a sees a",
                        "a started",
                        "b sees a",
                        "a stopped",
                        "Lease: b became leader",
                        "b sees b",
                        "b started");
        assertThat(b.elector.isLeading()).isTrue();
        assertThat(store.lease().transitions()).isEqualTo(1);
    }

    @Test
    void whoAbandonsTheElectionLeavesItsLeaseToRunOut() {
        Candidate a = new Candidate("a", Duration.ZERO);
        pass(1);
        Candidate b = new Candidate("b", Duration.ZERO);
        a.elector.abandon();
        pass(2.1);
        assertThat(a.replica.hasEnded()).isTrue();
        assertThat(a.elector.isLeading()).isFalse();
        pass(10);
        assertThat(store.lease().holder()).isEqualTo("a");
        pass(8);
        assertThat(b.elector.isLeading()).isTrue();
    }

    @Test
    void anEmptyHolderIsTakenAtOnceAndWhatIsNotKnownStays() {
        store.put("""
            {"apiVersion":"coordination.k8s.io/v1","kind":"Lease",\
            "metadata":{"name":"kube-scheduler","uid":"u","resourceVersion":"1","labels":{"who":"knows"}},\
            "spec":{"holderIdentity":"","leaseDurationSeconds":1,"leaseTransitions":4,"strategy":"OldestEmulationVersion"},\
            "novel":[1,{"a":null}]}\
            """);
        Candidate a = new Candidate("a", Duration.ZERO);
        pass(0.1);

        assertThat(a.elector.isLeading()).isTrue();
        assertThat(store.lease().transitions()).isEqualTo(5);
        pass(10);
        assertThat(store.lease().renewTime()).isEqualTo("2026-11-21T02:26:12.892070Z");
        assertThat(store.json())
                .contains("\"labels\":{\"who\":\"knows\"}")
                .contains("\"strategy\":\"OldestEmulationVersion\"")
                .contains("\"novel\":[1,{\"a\":null}]");
    }

    @Test
    void whoIsCutOffLosesWithinTheDeadlineAndAnotherTakesOverLater() {
        Candidate a = new Candidate("a", Duration.ZERO);
        pass(3);
        Candidate b = new Candidate("b", Duration.ofDays(-1));
        pass(20);
        a.cutOff = true;
        pass(10.1);

        assertThat(told).contains("a stopped").doesNotContain("b started");
        assertThat(a.elector.mayBind()).isFalse();
        pass(11);
        assertThat(b.elector.mayBind()).isTrue();
        assertThat(told).containsOnlyOnce("a stopped");
    }

    @Test
    void whoIsAsleepMayNotBindAndIsUnhealthyInTheEnd() {
        Candidate a = new Candidate("a", Duration.ZERO);
        pass(1);
        a.pauses = 1;
        random = new Random() {
            @Override
            public long nextLong(long bound) {
                return bound - 1;
            }
        };
        pass(13);
        assertThat(a.elector.isLeading()).isTrue();
        assertThat(a.elector.mayBind()).isFalse();
        assertThat(a.elector.healthy()).isTrue();
        pass(24);
        assertThat(a.elector.healthy()).isFalse();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void neverDoTwoLeadWhateverFailsPausesOrTellsTheWrongTime(long seed) {
        random = new Random(seed);
        for (int life = 0; life < 60; life++) {
            for (String name : List.of("a", "b")) {
                if (candidates.stream().noneMatch(one -> one.name.startsWith(name) && !one.replica.hasEnded())) {
                    Candidate born = new Candidate(name + life, Duration.ofSeconds(random.nextInt(7_200) - 3_600));
                    born.failures = random.nextInt(3) * 0.15;
                    born.pauses = random.nextInt(3) * 0.05;
                }
            }
            candidates.removeIf(one -> one.replica.hasEnded());
            Candidate one = candidates.get(random.nextInt(candidates.size()));
            switch (random.nextInt(4)) {
                case 0 -> one.elector.stop();
                case 1 -> one.cutOff = true;
                default -> one.cutOff = false;
            }
            pass(random.nextDouble() * 40);
        }

        assertThat(told.stream().filter(line -> line.endsWith("started"))).hasSizeGreaterThan(3);
    }
}
