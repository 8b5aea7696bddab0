package io.evenkeel.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.model.Node;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.PodStatus;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.build.PodStatusBuilder;
import io.evenkeel.testing.LogLines;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One scheduler has pool a to itself, and another binds what the test says. */
class PoolWatchTest {
    private static final String CONFIGURATION = """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            profiles:
            - schedulerName: evenkeel-a
              pluginConfig:
              - name: NodeAffinity
                args:
                  addedAffinity:
                    requiredDuringSchedulingIgnoredDuringExecution:
                      nodeSelectorTerms:
                      - matchExpressions: [{key: example.com/pool, operator: In, values: [a]}]
            """;

    private final LogLines log = new LogLines(PoolWatch.class);
    private final DrivenScheduler scheduler = DrivenScheduler.of(
            new ConfigurationReader().read("test", CONFIGURATION), new ScriptedTransport(_ -> Answers.of(200, "")));

    @AfterEach
    void end() {
        scheduler.close();
        log.close();
    }

    private static Node node(String pool) {
        return NodeBuilder.node("of-" + pool)
                .allocatable("cpu", "4", "memory", "8Gi", "pods", "10")
                .label("example.com/pool", pool)
                .build();
    }

    private static PodBuilder pod(String name, String by, String pool) {
        return PodBuilder.pod("default", name)
                .uid("uid-" + name)
                .schedulerName(by)
                .nodeName("of-" + pool);
    }

    @Test
    void aPodOfAnotherSchedulerInThePoolIsToldOnceAMinute() {
        scheduler.leads(node("a"), node("b"), pod("before", "evenkeel-b", "a").build());
        assertThat(log.lines()).as("it was there before").isEmpty();

        scheduler
                .put(
                        pod("web-0", "evenkeel-b", "a").build(),
                        pod("web-1", "evenkeel-b", "a").build())
                .settle();

        assertThat(log.lines())
                .containsExactly("WARN Another scheduler places pods in the pool of a profile [profile=\"evenkeel-a\","
                        + " scheduler=\"evenkeel-b\", pod=\"default/web-0\", node=\"of-a\", times=\"1\"]");
    }

    @Test
    void whatIsInOrderIsNotTold() {
        OwnerReference daemons = new OwnerReference("apps/v1", "DaemonSet", "agent", "uid-agent");
        PodStatus succeeded =
                PodStatusBuilder.from(PodStatus.PENDING).phase("Succeeded").build();
        scheduler
                .leads(node("a"), node("b"))
                .put(
                        pod("own", "evenkeel-a", "a").build(),
                        pod("elsewhere", "evenkeel-b", "b").build(),
                        pod("agent-x", "default-scheduler", "a")
                                .controller(daemons)
                                .build(),
                        pod("over", "evenkeel-b", "a").status(succeeded).build())
                .settle();

        assertThat(log.lines()).isEmpty();
    }
}
