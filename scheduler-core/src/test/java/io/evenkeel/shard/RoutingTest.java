package io.evenkeel.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.QueueSortPlugin;
import io.evenkeel.api.QueuedPod;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.ShardSettings;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.SchedulerSettings;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.testing.OneProfile;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/** Whose a pod is is asked anew of those alone whom a change may concern, however many wait. */
class RoutingTest {
    private static final int MANY = 300;
    private static final ShardMap MAP = new ShardMap(new ShardSettings("", List.of(), 1, false));
    private static final SchedulerConfiguration CONFIGURATION = OneProfile.only("Order");

    private final LocalGate local = new LocalGate(0, MAP, CONFIGURATION, this::ofShard, _ -> {});
    private final OverseerGate overseer = new OverseerGate(MAP, CONFIGURATION, this::ofAll, _ -> {});
    private final Scheduler shard = scheduler(local);
    private final Scheduler all = scheduler(overseer);

    private record Order() implements QueueSortPlugin {
        @Override
        public String name() {
            return "Order";
        }

        @Override
        public int compare(QueuedPod one, QueuedPod other) {
            return 0;
        }
    }

    private static Scheduler scheduler(ShardGate gate) {
        return new Scheduler(
                CONFIGURATION,
                new PluginRegistry(List.of(PluginFactory.of("Order", Order.class, _ -> new Order()))),
                new FirstByName(),
                SchedulerSettings.of(Set.of("Pod", "Node"), 0),
                command -> gate.give(command, _ -> {}),
                SchedulerObserver.NONE,
                () -> 0);
    }

    private Scheduler ofShard() {
        return shard;
    }

    private Scheduler ofAll() {
        return all;
    }

    private void put(KubernetesObject object) {
        local.take(new ClusterEvent.Put(object), shard::handle);
        overseer.take(new ClusterEvent.Put(object), all::handle);
    }

    private void remove(KubernetesObject object) {
        local.take(new ClusterEvent.Removed(object), shard::handle);
        overseer.take(new ClusterEvent.Removed(object), all::handle);
    }

    /** By either gate, of which the one with more counts. */
    private long routes(Runnable change) {
        LongSupplier now = () -> Math.max(local.routes(), overseer.routes());
        long before = now.getAsLong();
        change.run();
        return now.getAsLong() - before;
    }

    private static PodBuilder pod(String name) {
        return PodBuilder.pod("shop", name).uid(name).label("app", name);
    }

    /** One in place, which shuns pods of this app in its zone. */
    private static PodBuilder shunning(String name, PodAffinityTerm term) {
        return pod(name).nodeName("n").podAffinity(new PodAffinity(List.of(), List.of(), List.of(term), List.of()));
    }

    private static PodAffinityTerm term(String app, LabelSelector namespaces) {
        return new PodAffinityTerm(LabelSelector.matchingLabels(Map.of("app", app)), "zone", List.of(), namespaces);
    }

    private void manyWait() {
        for (int i = 0; i < MANY; i++) {
            put(pod("p" + i).build());
        }
    }

    @Test
    void aTermThatComesOrGoesConcernsThoseWhomItMatches() {
        manyWait();
        assertThat(routes(() -> {
                    for (int i = 0; i < MANY; i++) {
                        put(shunning("q" + i, term("p" + i, LabelSelector.NOTHING))
                                .build());
                    }
                }))
                .isEqualTo(MANY);
        assertThat(routes(() -> {
                    for (int i = 0; i < MANY; i++) {
                        remove(shunning("q" + i, term("p" + i, LabelSelector.NOTHING))
                                .build());
                    }
                }))
                .isEqualTo(MANY);
    }

    @Test
    void aTermThatAnotherPodStillCarriesHasNotGone() {
        manyWait();
        PodBuilder first = shunning("q0", term("p7", LabelSelector.EVERYTHING));
        assertThat(routes(() -> put(first.build()))).isEqualTo(1);
        assertThat(routes(() ->
                        put(shunning("q1", term("p7", LabelSelector.EVERYTHING)).build())))
                .isZero();
        assertThat(routes(() -> remove(first.build()))).isZero();
    }

    @Test
    void aNamespaceConcernsItsOwnPodsAndOnlyWhereATermGoesByItsLabels() {
        manyWait();
        put(PodBuilder.pod("bank", "teller").uid("t").label("app", "p1").build());
        ObjectMeta bank = ObjectMeta.named("", "bank");
        assertThat(routes(() -> put(new Namespace(bank)))).isZero();
        put(shunning("q", term("p1", LabelSelector.matchingLabels(Map.of("team", "red"))))
                .build());
        assertThat(routes(() -> put(new Namespace(bank.withLabels(Labels.of("team", "red"))))))
                .isEqualTo(1);
    }
}
