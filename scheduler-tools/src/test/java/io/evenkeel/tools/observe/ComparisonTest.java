package io.evenkeel.tools.observe;

import static io.evenkeel.tools.observe.ObservedCluster.ZONE;
import static io.evenkeel.tools.observe.ObservedCluster.hard;
import static io.evenkeel.tools.observe.ObservedCluster.node;
import static io.evenkeel.tools.observe.ObservedCluster.podOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.testing.LogLines;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What Evenkeel would have made of pods that others bind. */
class ComparisonTest {
    private final LogLines log = new LogLines(Comparison.class);
    private final ObservedCluster cluster =
            new ObservedCluster().put(node("a1", "a").build(), node("b1", "b").build());

    @AfterEach
    void close() {
        log.close();
    }

    private void otherBinds(PodBuilder pod, String node) {
        Pod waiting = pod.build();
        cluster.put(waiting).put(PodBuilder.from(waiting).nodeName(node).build());
    }

    private Map<String, Integer> outcomes() {
        Map<String, Integer> outcomes = new TreeMap<>();
        cluster.observer
                .metrics()
                .read()
                .filter(metric -> metric.getMetadata().getName().equals("evenkeel_observed_placements"))
                .map(CounterSnapshot.class::cast)
                .flatMap(counter -> counter.getDataPoints().stream())
                .filter(point -> point.getValue() > 0)
                .forEach(point -> outcomes.put(point.getLabels().get("outcome"), (int) point.getValue()));
        return outcomes;
    }

    @Test
    void oneOfTheBestNodesIsAgreedWith() {
        otherBinds(podOf("web", "web-1"), "b1");

        assertThat(outcomes()).containsExactly(Map.entry("best", 1));
        assertThat(log.lines()).isEmpty();
    }

    @Test
    void aWorseNodeIsSaidWithBothScoresAndWhatMakesTheDifference() {
        otherBinds(podOf("web", "web-1").container("cpu", "4"), "a1");
        otherBinds(podOf("web", "web-2").schedulerName("volcano").container("cpu", "1"), "a1");

        assertThat(outcomes()).isEqualTo(Map.of("best", 1, "lower_score", 1));
        assertThat(log.lines())
                .singleElement()
                .asString()
                .startsWith("INFO Evenkeel would have chosen another node [pod=\"shop/web-2\", scheduler=\"volcano\","
                        + " node=\"a1\", score=\"")
                .contains("instead=\"b1\", itsScore=\"", "difference=\"", "NodeResourcesFit +");
    }

    /** With the first pod on a1, which Evenkeel would have put on b1, nothing is where Evenkeel would have it. */
    @Test
    void eachIsJudgedOnTheClusterAsTheOtherSchedulerSawIt() {
        PodBuilder[] pods = new PodBuilder[4];
        for (int i = 0; i < 4; i++) {
            pods[i] = podOf("web", "web-" + i).spread(hard(1, ZONE, "web"));
        }
        otherBinds(pods[0], "a1");
        otherBinds(pods[1], "b1");
        otherBinds(pods[2], "b1");
        assertThat(outcomes()).isEqualTo(Map.of("best", 3));

        otherBinds(pods[3], "b1");

        assertThat(outcomes()).isEqualTo(Map.of("best", 3, "unfit", 1));
        assertThat(log.lines())
                .singleElement()
                .asString()
                .contains("Evenkeel would not have placed the pod there")
                .contains("pod=\"shop/web-3\"", "node=\"b1\"", "topology spread constraints");
    }

    @Test
    void ofPodsThatHadNoChoiceNothingIsSaid() {
        otherBinds(
                podOf("agent", "agent-1").controller(new OwnerReference("apps/v1", "DaemonSet", "agent", "u")), "a1");
        cluster.put(podOf("web", "placed-when-first-seen").nodeName("a1").build());

        assertThat(outcomes()).isEmpty();
    }

    @Test
    void aFloodIsSkippedAndCounted() {
        cluster.slow(Duration.ofSeconds(1));
        for (int i = 0; i < 6; i++) {
            otherBinds(podOf("web", "web-" + i), i % 2 == 0 ? "a1" : "b1");
        }
        Map<String, Integer> outcomes = outcomes();

        assertThat(outcomes.get("skipped")).isPositive();
        assertThat(outcomes.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(6);
    }

    @Test
    void howFarTheyAgreeIsSaidOnceAMinute() {
        otherBinds(podOf("web", "web-1"), "b1");
        cluster.pass(Duration.ofSeconds(59));
        assertThat(log.lines()).isEmpty();

        cluster.tick().pass(Duration.ofMinutes(2));

        assertThat(log.lines())
                .containsExactly(
                        "INFO Compared with other schedulers so far [best=\"1\", lowerScore=\"0\", unfit=\"0\","
                                + " skipped=\"0\", agreed=\"100%\"]");
    }
}
