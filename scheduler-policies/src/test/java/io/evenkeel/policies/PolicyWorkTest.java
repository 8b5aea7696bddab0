package io.evenkeel.policies;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.companion.WatchedScheduler;
import io.evenkeel.cluster.index.Work;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.SchedulerSettings;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.SchedulingCycle.Scoring;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicySpec;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.plugins.InTreePlugins;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a policy holds, and the pods that a change of it wakes, are counted as its namespace's work. */
class PolicyWorkTest {
    private static final int NODES = 200;

    @Test
    void takingAPolicyInOrOutIsWorkInWhatItHolds() {
        Labels many = Labels.of(IntStream.range(0, 10_000)
                .boxed()
                .collect(Collectors.toMap(i -> "example.com/key-" + i, i -> "value-" + i)));
        PlacementPolicy policy = policy(LabelSelector.matchingLabels(many), 1);
        Engine engine = new Engine(
                WatchedScheduler.WITH_POLICIES, InTreePlugins.registry(), new FirstByName(), Scoring.WHEN_NEEDED);
        Work work = engine.cluster().work();

        engine.put(policy);
        long taken = work.unitsEachTime();
        engine.remove(policy);

        assertThat(taken).isGreaterThan(50_000);
        assertThat(work.unitsEachTime() - taken).isGreaterThan(50_000);
    }

    @Test
    void whoeverChangesAPolicyPaysForThePodsThatItWakes() {
        Scheduler scheduler = withPodsOfAPolicy();
        assertThat(unitsOf(scheduler, policy(LabelSelector.EVERYTHING, 2))).isGreaterThan(300 * 200);
        assertThat(scheduler.queue().turns().begin())
                .as("all of it was charged")
                .isEqualTo(0);
    }

    @Test
    void nobodyPaysForPodsOfOthersThatAChangeWakes() {
        Scheduler scheduler = withPodsOfAPolicy();
        assertThat(unitsOf(scheduler, new Namespace(ObjectMeta.named("", "other"))))
                .isLessThan(300 * 10);
        assertThat(scheduler.scheduleNext()).as("some are awake").isTrue();
    }

    /** Of which 300 wait. */
    private static Scheduler withPodsOfAPolicy() {
        Scheduler scheduler = new Scheduler(
                WatchedScheduler.WITH_POLICIES,
                InTreePlugins.registry(),
                new FirstByName(),
                SchedulerSettings.of(0),
                _ -> {},
                SchedulerObserver.NONE,
                () -> 0);
        scheduler.watchedKinds().forEach(kind -> {
            scheduler.handle(new Relist.Began(kind.name()));
            scheduler.handle(new Relist.Ended(kind.name()));
        });
        for (int i = 0; i < NODES; i++) {
            scheduler.handle(new ClusterEvent.Put(NodeBuilder.node("n" + i)
                    .label("zone", "z" + i % 3)
                    .allocatable("cpu", "8", "memory", "8Gi", "pods", "100")
                    .build()));
        }
        scheduler.handle(new ClusterEvent.Put(policy(LabelSelector.EVERYTHING, 1)));
        IntStream.range(0, 304)
                .forEach(i -> scheduler.handle(new ClusterEvent.Put(
                        PodBuilder.pod("p" + i).namespace("shop").build())));
        while (scheduler.scheduleNext()) {}
        return scheduler;
    }

    private static long unitsOf(Scheduler scheduler, KubernetesObject change) {
        Work work = scheduler.cluster().work();
        long before = work.unitsEachTime();
        scheduler.handle(new ClusterEvent.Put(change));
        return work.unitsEachTime() - before;
    }

    private static PlacementPolicy policy(LabelSelector selector, int mostPods) {
        return new PlacementPolicy(
                ObjectMeta.named("shop", "policy"),
                PolicySpec.of(selector, List.of(PolicyRule.over("zone").withMaxPods(mostPods))));
    }
}
