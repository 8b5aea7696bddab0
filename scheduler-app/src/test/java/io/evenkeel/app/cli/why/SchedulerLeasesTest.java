package io.evenkeel.app.cli.why;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.why.Attendance;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ScriptedTransport;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
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

    @Test
    void oneThatRenewsItsLeaseIsAtWork() {
        assertThat(of("default-scheduler", lease("kube-scheduler", 5))).isEqualTo(Attendance.UNKNOWN);
        assertThat(of("evenkeel", lease("evenkeel", 5))).isEqualTo(Attendance.UNKNOWN);
        assertThat(of("mine", lease("evenkeel", 5))).as("by a profile of it").isEqualTo(Attendance.UNKNOWN);
    }

    @Test
    void noneIsWhereAllHaveStoppedRenewing() {
        assertThat(of("default-scheduler", lease("kube-scheduler", 3600), lease("evenkeel", 7200))
                        .noneAtWork())
                .contains("none is at work: the lease kube-system/kube-scheduler was renewed last at"
                        + " 2026-11-26T11:00:00Z by host-1");
        assertThat(of("evenkeel", lease("evenkeel", 3600)).noneAtWork()).isPresent();
    }

    @Test
    void aClockThatIsWrongHereMakesNoneStopWork() {
        assertThat(of("default-scheduler", lease("kube-scheduler", 3605), lease("kube-controller-manager", 3600)))
                .isEqualTo(Attendance.UNKNOWN);
        assertThat(of("default-scheduler", lease("kube-scheduler", -3600), lease("kube-controller-manager", -7200))
                        .noneAtWork())
                .isPresent();
    }

    @Test
    void whatIsNotKnownIsSaid() {
        assertThat(of("default-scheduler").remark())
                .contains("whether a scheduler is at work is not known: there is no lease of one in kube-system");
        assertThat(of("evenkeel", lease("evenkeel", 3600), lease("kube-scheduler", 5))
                        .remark()
                        .orElseThrow())
                .endsWith("by host-1, and that of another scheduler is held: kube-scheduler");
        for (ScriptedTransport.Script none : List.<ScriptedTransport.Script>of(
                _ -> Answers.of(403, "{\"kind\":\"Status\",\"message\":\"forbidden\",\"code\":403}"),
                _ -> Answers.of(200, "[]"),
                _ -> {
                    throw new IOException("broken off");
                })) {
            Attendance attendance = new SchedulerLeases(new ScriptedTransport(none), () -> NOW).of("default-scheduler");
            assertThat(attendance.noneAtWork()).isEmpty();
            assertThat(attendance.remark().orElseThrow())
                    .startsWith("whether a scheduler is at work is not known: the leases in kube-system cannot be"
                            + " listed: ");
        }
    }
}
