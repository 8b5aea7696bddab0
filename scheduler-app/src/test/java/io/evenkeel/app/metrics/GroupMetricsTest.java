package io.evenkeel.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;
import io.evenkeel.app.http.Request;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.engine.group.GroupObserver;
import io.evenkeel.engine.group.GroupObserver.Finding;
import io.evenkeel.engine.group.GroupObserver.GangResult;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GroupMetricsTest {
    private static final String GANGS = "scheduler_podgroup_";

    private final EngineMetrics engine = new EngineMetrics(() -> 0, FeatureGates.DEFAULTS);

    private GroupObserver groups() {
        engine.profile("evenkeel");
        return engine.groups();
    }

    @Test
    void whereNoProfilePlacesGroupsThereAreNone() {
        engine.profile("evenkeel");

        assertThat(scrape()).doesNotContain(GANGS, "evenkeel_group", "evenkeel_gangs");
    }

    @Test
    void whatCanBeCountedIsThereBeforeItHappens() {
        groups();

        assertThat(scrape())
                .contains(GANGS + "schedule_attempts_total{profile=\"evenkeel\",result=\"scheduled\"} 0.0\n")
                .contains(GANGS + "schedule_attempts_total{profile=\"evenkeel\",result=\"unschedulable\"} 0.0\n")
                .contains(GANGS + "schedule_attempts_total{profile=\"evenkeel\",result=\"error\"} 0.0\n")
                .contains(
                        GANGS + "schedule_attempts_total{profile=\"evenkeel\",result=\"waiting_on_preemption\"} 0.0\n")
                .contains(GANGS + "scheduling_algorithm_duration_seconds_count 0\n")
                .contains("evenkeel_groups_total{outcome=\"placed\"} 0.0\n")
                .contains("evenkeel_groups_total{outcome=\"endStateOnly\"} 0.0\n")
                .contains("evenkeel_groups_total{outcome=\"infeasible\"} 0.0\n")
                .contains("evenkeel_groups_total{outcome=\"unknown\"} 0.0\n")
                .contains("evenkeel_group_steps_count 0\n")
                .contains("evenkeel_group_placement_duration_seconds_count 0\n")
                .contains("evenkeel_gangs_degraded 0.0\n");
    }

    @Test
    void aTurnOfAGangIsMeasuredByTheReferencesNamesAndBounds() {
        GroupObserver groups = groups();
        groups.lookedIntoGang(3_000_000);
        groups.gangTried("evenkeel", GangResult.UNSCHEDULABLE, 20_000_000_000L);

        String series = "{profile=\"evenkeel\",result=\"unschedulable\"";
        assertThat(scrape())
                .contains(GANGS + "schedule_attempts_total" + series + "} 1.0\n")
                .contains(GANGS + "scheduling_attempt_duration_seconds_sum" + series + "} 20.0\n")
                .contains(GANGS + "scheduling_attempt_duration_seconds_bucket" + series + ",le=\"0.001\"} 0\n")
                .contains(GANGS + "scheduling_attempt_duration_seconds_bucket" + series + ",le=\"16.384\"} 0\n")
                .contains(GANGS + "scheduling_attempt_duration_seconds_bucket" + series + ",le=\"+Inf\"} 1\n")
                .contains(GANGS + "scheduling_algorithm_duration_seconds_bucket{le=\"0.002\"} 0\n")
                .contains(GANGS + "scheduling_algorithm_duration_seconds_bucket{le=\"0.004\"} 1\n")
                .contains(GANGS + "scheduling_algorithm_duration_seconds_bucket{le=\"16.384\"} 1\n");
    }

    @Test
    void whatIsFoundOutOfAGroupIsCountedByItsOutcome() {
        GroupObserver groups = groups();
        groups.lookedInto(Finding.END_STATE_ONLY, 7, 500, 2_000_000);
        groups.lookedInto(Finding.PLACED, 3, 3, 1_000_000);
        groups.lookedInto(Finding.PLACED, 3, 3, 1_000_000);

        assertThat(scrape())
                .contains("evenkeel_groups_total{outcome=\"placed\"} 2.0\n")
                .contains("evenkeel_groups_total{outcome=\"endStateOnly\"} 1.0\n")
                .contains("evenkeel_groups_total{outcome=\"infeasible\"} 0.0\n")
                .contains("evenkeel_group_steps_bucket{le=\"4.0\"} 2\n")
                .contains("evenkeel_group_steps_sum 506.0\n")
                .contains("evenkeel_group_placement_duration_seconds_sum 0.004\n")
                .contains(GANGS + "scheduling_algorithm_duration_seconds_count 0\n");
    }

    @Test
    void degradedGangsAreAsManyAsWereSaidLast() {
        GroupObserver groups = groups();
        groups.degraded(3);
        groups.degraded(1);

        assertThat(scrape()).contains("evenkeel_gangs_degraded 1.0\n");
    }

    private String scrape() {
        try (MetricsEndpoint endpoint = MetricsEndpoint.of(List.of(engine))) {
            return new String(
                    endpoint.answer(new Request("GET", "/metrics", Map.of(), new Headers()))
                            .body(),
                    StandardCharsets.UTF_8);
        }
    }
}
