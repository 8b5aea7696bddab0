package io.evenkeel.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.plugins.InTreePlugins;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Pods that have their turns in memory, and what the scheduler says of them. */
class SchedulerTurnsTest implements SchedulerTurns.Surroundings {
    private final SchedulerTurns turns =
            new SchedulerTurns(SchedulerConfiguration.defaults(), InTreePlugins.registry(), this);
    private final Map<String, Pod> pods = new LinkedHashMap<>();
    private final List<String> heard = new ArrayList<>();

    @Override
    public void bound(Pod pod, String node, List<ResourceClaim> claims) {
        pods.put(pod.key(), PodBuilder.from(pod).nodeName(node).build());
        heard.add(pod.name() + " is on " + node);
    }

    @Override
    public boolean evicted(Pod pod, Pod preemptor) {
        heard.add(pod.name() + " goes for " + preemptor.name());
        return true;
    }

    @Override
    public void waits(Pod pod, String why) {
        heard.add(pod.name() + ": " + why.replaceFirst("(?<=\\.) .*", ""));
    }

    @Override
    public void freed(String claim) {}

    @Override
    public void deleted(String claim) {}

    @Override
    public Optional<Pod> find(String key) {
        return Optional.ofNullable(pods.get(key));
    }

    @Override
    public void faulted(RuntimeException fault) {
        throw fault;
    }

    private void take() {
        while (turns.next()) {
            // each pod that is due
        }
    }

    private static Node node() {
        return NodeBuilder.node("n1")
                .allocatable("cpu", "2", "memory", "8Gi", "pods", "10")
                .build();
    }

    private static Pod pod(String name, int priority) {
        return PodBuilder.pod(name)
                .uid(name)
                .priority(priority)
                .container("cpu", "2")
                .build();
    }

    @Test
    void theFirstInTheQueueIsPlacedAndTheOthersWaitUntilSomethingHelps() {
        turns.begin(List.<KubernetesObject>of(node(), pod("low", 0), pod("high", 5)));

        take();
        assertThat(heard).containsExactly("high is on n1", "low: 0/1 nodes are available: 1 Insufficient cpu.");
        assertThat(turns.waits("default/low")).isTrue();
        assertThat(turns.waits("default/high")).isFalse();

        heard.clear();
        turns.delete(pods.get("default/high"));
        assertThat(turns.timePasses()).as("it backs off first").isTrue();
        take();
        assertThat(heard).containsExactly("low is on n1");
    }

    @Test
    void aPodGoesForOneOfHigherPriorityWhichIsPlacedOnceItIsGone() {
        turns.begin(List.of(node(), pod("low", 0)));
        take();
        turns.put(pods.get("default/low"));

        turns.put(pod("high", 5));
        take();
        assertThat(heard).contains("low goes for high").doesNotContain("high is on n1");

        turns.delete(pods.get("default/low"));
        while (turns.timePasses()) {
            take();
        }
        assertThat(heard).endsWith("high is on n1");
    }

    @Test
    void timeDoesNotPassForeverWhereNothingIsDone() {
        turns.begin(List.of(pod("web", 0)));
        int passed = 0;
        take();
        while (turns.timePasses()) {
            take();
            passed++;
        }

        assertThat(passed).isLessThan(1_000);
        assertThat(heard).isNotEmpty().allMatch("web: no nodes available to schedule pods"::equals);
    }

    @Test
    void aGateSaysWhatKeepsAPodOutOfTheQueue() {
        Pod gated = PodBuilder.pod("gated").uid("gated").schedulingGate("quota").build();
        turns.begin(List.of(node(), gated));

        take();

        assertThat(turns.gateOf(gated).orElseThrow().plugin()).isEqualTo("SchedulingGates");
        assertThat(turns.gateOf(pod("free", 0))).isEmpty();
        assertThat(heard).isEmpty();
    }
}
