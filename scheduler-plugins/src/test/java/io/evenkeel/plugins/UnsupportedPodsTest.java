package io.evenkeel.plugins;

import static io.evenkeel.model.build.NodeBuilder.node;
import static io.evenkeel.model.build.PodBuilder.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.Status;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.engine.why.Answer;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.framework.why.Account;
import io.evenkeel.model.Pod;
import org.junit.jupiter.api.Test;

class UnsupportedPodsTest {
    private static final String REMEDY =
            ". Let kube-scheduler place it, or run evenkeel with --allow-unsupported to place it regardless. not found";

    private static final Pod CLAIMING =
            pod("db-0").container("cpu", "1").resourceClaim("gpu").build();

    @Test
    void aPodThatNeedsDevicesWaitsAndIsToldWhatToDo() {
        assertThat(messageFor(CLAIMING))
                .isEqualTo("0/2 nodes are available: the pod needs what evenkeel does not support yet:"
                        + " resource claims gpu" + REMEDY);
    }

    @Test
    void preemptionCannotHelpIt() {
        assertThat(rejected(SchedulerConfiguration.defaults(), CLAIMING)
                        .diagnosis()
                        .preFilter())
                .hasValueSatisfying(rejection -> {
                    assertThat(rejection.plugin()).isEqualTo("UnsupportedPods");
                    assertThat(rejection.status().code()).isEqualTo(Status.Code.UNSCHEDULABLE_AND_UNRESOLVABLE);
                });
    }

    @Test
    void noProfileIsWithoutTheGuard() {
        SchedulerConfiguration bare = new ConfigurationReader().read("test", """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            profiles:
            - plugins:
                multiPoint:
                  disabled: [{name: "*"}]
                  enabled: [{name: PrioritySort}, {name: DefaultBinder}]
                preFilter: {disabled: [{name: "*"}]}
            """);

        assertThat(rejected(bare, CLAIMING).diagnosis().message()).contains("resource claims gpu");
    }

    @Test
    void whyPromisesNoDevices() {
        Engine engine = engine(SchedulerConfiguration.defaults(), InTreePlugins.guarded(InTreePlugins.registry()));

        Answer answer = engine.questions().why(CLAIMING, engine.questions().trial(CLAIMING), _ -> true);

        assertThat(answer.rules())
                .containsExactly(new Answer.Rule(
                        "UnsupportedPods",
                        new Account.Words(
                                "resource claim gpu: Evenkeel allocates no devices yet, so no node was looked at for"
                                        + " them")));
        assertThat(answer.remedies()).isEmpty();
    }

    @Test
    void aPodWithoutSuchNeedsIsPlaced() {
        assertThat(decide(
                        SchedulerConfiguration.defaults(),
                        InTreePlugins.guarded(InTreePlugins.registry()),
                        pod("web").build()))
                .isInstanceOf(Decision.Placed.class);
    }

    @Test
    void withoutTheGuardThePodIsPlacedRegardless() {
        assertThat(decide(SchedulerConfiguration.defaults(), InTreePlugins.registry(), CLAIMING))
                .isInstanceOf(Decision.Placed.class);
    }

    private static String messageFor(Pod pod) {
        return rejected(SchedulerConfiguration.defaults(), pod).diagnosis().message();
    }

    private static Decision.Unschedulable rejected(SchedulerConfiguration configuration, Pod pod) {
        return (Decision.Unschedulable) decide(configuration, InTreePlugins.guarded(InTreePlugins.registry()), pod);
    }

    private static Decision decide(SchedulerConfiguration configuration, PluginRegistry registry, Pod pod) {
        return engine(configuration, registry).decide(pod);
    }

    private static Engine engine(SchedulerConfiguration configuration, PluginRegistry registry) {
        Engine engine = new Engine(configuration, registry, new FirstByName(), SchedulingCycle.Scoring.WHEN_NEEDED);
        engine.put(node("n1").allocatable("cpu", "4", "pods", "10").build());
        engine.put(node("n2").allocatable("cpu", "4", "pods", "10").build());
        return engine;
    }
}
