package io.evenkeel.tools.why;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.companion.AskedCluster.Parted;
import io.evenkeel.app.companion.AskedCluster.Parted.Holder;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.shard.ShardMap;
import io.evenkeel.tools.why.ClusterQuestions.Attendance;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SchedulerLeasesTest {
    private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");

    private static Attendance of(String schedulerName, String... leases) {
        String list = "{\"items\":[" + String.join(",", leases) + "]}";
        return new SchedulerLeases(new ScriptedTransport(_ -> Answers.of(200, list)), () -> NOW).of(schedulerName);
    }

    private static String lease(String name, int secondsAgo) {
        return "{\"metadata\":{\"name\":\"" + name + "\"},\"spec\":{\"holderIdentity\":\"host-1\",\"renewTime\":\""
                + NOW.minusSeconds(secondsAgo) + "\"}}";
    }

    private static String noneAtWork(String schedulerName, String... leases) {
        return of(schedulerName, leases) instanceof Attendance.NoneAtWork(String why) ? why : "";
    }

    private static String remark(Attendance attendance) {
        return attendance instanceof Attendance.Unknown(String remark) ? remark : "";
    }

    @Test
    void oneThatRenewsItsLeaseIsAtWork() {
        assertThat(of("default-scheduler", lease("kube-scheduler", 5))).isEqualTo(new Attendance.AtWork());
        assertThat(of("evenkeel", lease("evenkeel", 5))).isEqualTo(new Attendance.AtWork());
        assertThat(of("evenkeel", lease("evenkeel", 3600), lease("team-a-evenkeel", 5)))
                .as("of another release")
                .isEqualTo(new Attendance.AtWork());
        assertThat(of("my-scheduler", lease("my-scheduler", 5))).isEqualTo(new Attendance.AtWork());
    }

    @Test
    void whoIsAtWorkUnderAnotherNameMayAnswerToThisOneOrNot() {
        assertThat(of("default-scheduler", lease("evenkeel", 5))).isEqualTo(new Attendance.Others());
        assertThat(of("evenkeel", lease("kube-scheduler", 5))).isEqualTo(new Attendance.Others());
        assertThat(of("mine", lease("evenkeel", 5))).isEqualTo(new Attendance.Others());
    }

    @Test
    void noneIsWhereAllHaveStoppedRenewing() {
        assertThat(noneAtWork("default-scheduler", lease("kube-scheduler", 3600), lease("evenkeel", 7200)))
                .isEqualTo("none is at work: the lease kube-system/kube-scheduler was renewed last at"
                        + " 2026-11-26T11:00:00Z by host-1");
        assertThat(noneAtWork("evenkeel", lease("evenkeel", 3600))).isNotEmpty();
    }

    @Test
    void aClockThatIsWrongHereMakesNoneStopWork() {
        assertThat(of("default-scheduler", lease("kube-scheduler", 3605), lease("kube-controller-manager", 3600)))
                .isEqualTo(new Attendance.AtWork());
        assertThat(noneAtWork(
                        "default-scheduler", lease("kube-scheduler", -3600), lease("kube-controller-manager", -7200)))
                .isNotEmpty();
    }

    private static String shardLease(String name, String of, int secondsAgo, String holder, String map) {
        return "{\"metadata\":{\"name\":\"" + name + "\",\"labels\":{\"evenkeel.io/shard\":\"" + of
                + "\"},\"annotations\":{\"evenkeel.io/shards\":\"" + map + "\"}},\"spec\":{\"holderIdentity\":\""
                + holder + "\",\"renewTime\":\"" + NOW.minusSeconds(secondsAgo)
                + "\"}}";
    }

    private static Optional<EngineShards> shardsOf(String schedulerName, String... leases) {
        String list = "{\"items\":[" + String.join(",", leases) + "]}";
        return new SchedulerLeases(new ScriptedTransport(_ -> Answers.of(200, list)), () -> NOW)
                .shardsOf(schedulerName);
    }

    @Test
    void whoHoldsAShardIsToldByItsLease() {
        String overseer = shardLease("evenkeel", "overseer", 5, "host-1", "count=4");
        String other = shardLease("evenkeel-b", "overseer", 5, "host-4", "count=2");
        EngineShards shards = new EngineShards(
                ShardMap.parse("count=4").orElseThrow(),
                new Holder("host-1", false),
                List.of(new Holder("host-2", false), new Holder("host-3", true), new Holder("", false), Parted.NOBODY));
        String[] leases = {
            overseer,
            shardLease("evenkeel-shard-0", "0", 15, "host-2_5f0c1d", "count=4"),
            shardLease("evenkeel-shard-1", "1", 16, "host-3", "count=4"),
            shardLease("evenkeel-shard-2", "2", 5, "", "count=4")
        };

        assertThat(shardsOf("evenkeel", leases))
                .get()
                .usingRecursiveComparison()
                .isEqualTo(shards);
        assertThat(shardsOf("default-scheduler", leases))
                .as("by a profile of it")
                .isPresent();
        assertThat(shardsOf("evenkeel", lease("evenkeel", 5))).isEmpty();
        assertThat(shardsOf("evenkeel", overseer, other)).isPresent();
        assertThat(shardsOf("default-scheduler", overseer, other))
                .as("of one of them")
                .isEmpty();
    }

    @Test
    void whatIsNotKnownIsSaid() {
        assertThat(remark(of("default-scheduler")))
                .isEqualTo("whether a scheduler is at work is not known: there is no lease of one in kube-system");
        assertThat(remark(of("evenkeel", lease("evenkeel", 3600), lease("kube-scheduler", 5))))
                .endsWith("by host-1, and that of another scheduler is held: kube-scheduler");
        for (ScriptedTransport.Script none : List.<ScriptedTransport.Script>of(
                _ -> Answers.of(403, "{\"kind\":\"Status\",\"message\":\"forbidden\",\"code\":403}"),
                _ -> Answers.of(200, "[]"),
                _ -> {
                    throw new IOException("broken off");
                })) {
            Attendance attendance = new SchedulerLeases(new ScriptedTransport(none), () -> NOW).of("default-scheduler");
            assertThat(remark(attendance))
                    .startsWith("whether a scheduler is at work is not known: the leases in kube-system cannot be"
                            + " listed: ");
        }
    }
}
