package io.evenkeel.tools.observe;

import static io.evenkeel.tools.observe.ObservedCluster.HOST;
import static io.evenkeel.tools.observe.ObservedCluster.ZONE;
import static io.evenkeel.tools.observe.ObservedCluster.node;
import static io.evenkeel.tools.observe.ObservedCluster.podOf;
import static io.evenkeel.tools.observe.ObservedCluster.replicaSet;
import static io.evenkeel.tools.observe.ObservedCluster.soft;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.Pod;
import io.evenkeel.testing.LogLines;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A line for each change of a spread that lasts, and none for what passes. */
class SpreadTransitionsTest {
    private static final Duration SETTLE = Duration.ofMinutes(1);

    private final LogLines log = new LogLines(SpreadBoard.class);
    private final ObservedCluster cluster =
            new ObservedCluster().put(node("a1", "a").build(), node("b1", "b").build());

    @AfterEach
    void close() {
        log.close();
    }

    private static Pod web(String name, String node) {
        return podOf("web", name).spread(soft(1, ZONE, "web")).nodeName(node).build();
    }

    private void putInA(int from, int to) {
        for (int i = from; i <= to; i++) {
            cluster.put(web("web-" + i, "a1"));
        }
        cluster.tick();
    }

    @Test
    void whatLastsIsSaidOnceWithSinceWhen() {
        putInA(1, 3);
        assertThat(log.lines()).isEmpty();
        cluster.pass(SETTLE.minusSeconds(1));
        assertThat(log.lines()).isEmpty();

        cluster.tick().pass(SETTLE).pass(SETTLE);

        assertThat(log.lines())
                .containsExactly("WARN Spread is violated [workload=\"Deployment shop/web\", topologyKey=\"" + ZONE
                        + "\", whenUnsatisfiable=\"ScheduleAnyway\", byDefault=\"false\", skew=\"3\", allowed=\"1\", domains=\"2\","
                        + " tooFull=\"a=3\", since=\"2026-11-24T10:00:01Z\"]");
    }

    /** The built-in ones, of which the one over nodes allows a skew of 3. */
    @Test
    void ofADefaultConstraintItIsNoWarning() {
        cluster.put(replicaSet("plain", 4));
        for (int i = 1; i <= 4; i++) {
            cluster.put(podOf("plain", "plain-" + i).nodeName("a1").build());
        }
        cluster.tick().pass(SETTLE);

        assertThat(log.lines())
                .singleElement()
                .asString()
                .startsWith("INFO Spread is violated [workload=\"Deployment shop/plain\", topologyKey=\"" + HOST)
                .contains("byDefault=\"true\", skew=\"4\", allowed=\"3\"");
    }

    @Test
    void aRolloutThatPassesThroughSkewIsNotSaid() {
        putInA(1, 3);
        cluster.pass(Duration.ofSeconds(30));
        cluster.put(web("web-4", "b1"), web("web-5", "b1")).tick();
        cluster.pass(SETTLE);
        putInA(6, 7);
        cluster.pass(Duration.ofSeconds(50));
        cluster.put(web("web-8", "b1"), web("web-9", "b1")).tick();
        cluster.pass(SETTLE);

        assertThat(log.lines()).isEmpty();
    }

    @Test
    void worseIsSaidEachTimeItHasLasted() {
        putInA(1, 2);
        cluster.pass(SETTLE);
        putInA(3, 3);
        cluster.pass(SETTLE);
        putInA(4, 4);
        cluster.pass(SETTLE);

        assertThat(log.lines())
                .hasSize(3)
                .satisfies(lines -> assertThat(lines.get(1))
                        .startsWith("WARN Spread is worse ")
                        .contains("skew=\"3\"", "before=\"2\"", "since=\"2026-11-24T10:01:02Z\""))
                .satisfies(lines -> assertThat(lines.get(2)).contains("skew=\"4\"", "before=\"3\""));
    }

    @Test
    void restoredIsSaidWithHowLongItWasNot() {
        putInA(1, 3);
        cluster.pass(SETTLE);
        cluster.put(web("web-4", "b1"), web("web-5", "b1")).tick();
        assertThat(log.lines()).hasSize(1);
        cluster.pass(SETTLE);

        assertThat(log.lines())
                .last()
                .asString()
                .startsWith("INFO Spread is restored ")
                .contains("skew=\"1\"", "since=\"2026-11-24T10:01:02Z\"", "violatedFor=\"PT2M1S\"");
    }

    @Test
    void aWorkloadThatIsGoneHasNoSeriesAndNoLine() {
        putInA(1, 3);
        cluster.pass(SETTLE);
        assertThat(cluster.gauge("evenkeel_spread_violating_domains"))
                .containsEntry(List.of("shop", ZONE, "ScheduleAnyway", "Deployment/web"), 1);

        for (int i = 1; i <= 3; i++) {
            cluster.remove(web("web-" + i, "a1"));
        }
        cluster.tick().pass(SETTLE).pass(SETTLE);

        assertThat(log.lines()).hasSize(1);
        assertThat(cluster.gauge("evenkeel_spread_skew")).isEmpty();
        assertThat(cluster.gauge("evenkeel_spread_violating_domains")).isEmpty();
    }

    @Test
    void theWorstAreShownWhereThereAreTooManyAndALineSaysSo() {
        try (LogLines ofObserver = new LogLines(SpreadObserver.class)) {
            for (int i = 0; i <= ObserveMetrics.MOST_SPREADS; i++) {
                cluster.put(podOf("w" + i, "w" + i)
                        .spread(soft(2, ZONE, "w" + i))
                        .nodeName("a1")
                        .build());
            }
            putInA(1, 3);
            for (int i = 0; i < 45; i++) {
                cluster.tick();
            }

            assertThat(cluster.gauge("evenkeel_spread_skew"))
                    .hasSize(ObserveMetrics.MOST_SPREADS)
                    .containsEntry(List.of("shop", ZONE, "ScheduleAnyway", "Deployment/web"), 3);
            assertThat(cluster.gauge("evenkeel_spread_constraints_left_out")).containsEntry(List.of(), 2);
            assertThat(ofObserver.lines())
                    .containsExactly("WARN Too many spread constraints for metrics: the worst are shown"
                            + " [shown=\"2000\", leftOut=\"2\"]");
        }
    }
}
