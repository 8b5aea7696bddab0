package io.evenkeel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.PendingPod;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.index.Work;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.SchedulingCycle.Scoring;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.Service;
import io.evenkeel.model.Toleration;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.StorageClass;
import io.evenkeel.model.storage.VolumeTerms;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.plugins.InTreePlugins;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a pod asks for and an object holds is counted as work, and the same is always as much. */
class WorkTest {
    private static final int NODES = 200;
    private static final VolumeTerms LATE =
            new VolumeTerms("late", Set.of("ReadWriteOnce"), VolumeTerms.FILESYSTEM, "");

    @Test
    void thatOfAPodGrowsWithItsTerms() {
        assertThat(unitsOf(WorkTest::withTerms, 1_000)).isGreaterThan(500 * unitsOf(WorkTest::withTerms, 1));
    }

    @Test
    void thatOfAPodGrowsWithItsConstraints() {
        assertThat(unitsOf(WorkTest::spread, 1_000)).isGreaterThan(500 * unitsOf(WorkTest::spread, 1));
    }

    @Test
    void thatOfAPodGrowsWithItsClaims() {
        assertThat(unitsOf(WorkTest::withClaims, 1_000)).isGreaterThan(500 * unitsOf(WorkTest::withClaims, 1));
    }

    @Test
    void takingInAPodCountsItsTolerations() {
        Engine engine = engine();
        long none = unitsOf(engine, () -> engine.admission().admit(withTolerations(0)));

        assertThat(unitsOf(engine, () -> engine.admission().admit(withTolerations(1_000))))
                .isGreaterThan(none + 1_000);
    }

    @Test
    void sameIsAlwaysAsMuch() {
        assertThat(unitsOf(WorkTest::withTerms, 20)).isEqualTo(unitsOf(WorkTest::withTerms, 20));
    }

    @Test
    void takingAnObjectInOrOutIsWorkInWhatItHolds() {
        Labels many = Labels.of(IntStream.range(0, 10_000)
                .boxed()
                .collect(Collectors.toMap(i -> "example.com/key-" + i, i -> "value-" + i)));
        List<KubernetesObject> objects = List.of(
                new Namespace(ObjectMeta.named("", "shop").withLabels(many)),
                new Service(ObjectMeta.named("shop", "web"), many));
        for (KubernetesObject object : objects) {
            Engine engine = engine();
            assertThat(unitsOf(engine, () -> engine.put(object))).isGreaterThan(50_000);
            assertThat(unitsOf(engine, () -> engine.remove(object))).isGreaterThan(50_000);
        }
    }

    @Test
    void takingOutAPodIsWorkInItsRules() {
        Engine engine = engine();
        Pod placed = PodBuilder.from(withTerms(1_000)).nodeName("n0").build();
        engine.put(placed);
        assertThat(unitsOf(engine, () -> engine.remove(placed))).isGreaterThan(100_000);
        PendingPod waiting = engine.admission().admit(withTerms(1_000));
        assertThat(unitsOf(engine, () -> engine.admission().dismiss(PodInfo.of(waiting))))
                .isGreaterThan(100_000);
    }

    private static long unitsOf(Engine engine, Runnable change) {
        long before = engine.cluster().work().unitsEachTime();
        change.run();
        return engine.cluster().work().unitsEachTime() - before;
    }

    /** Of the pod, beyond that of one with none. */
    private static long unitsOf(IntFunction<Pod> pod, int constraints) {
        return units(pod.apply(constraints)) - units(pod.apply(0));
    }

    /** The second time, when all is compiled. */
    private static long units(Pod pod) {
        Engine engine = engine();
        pod.spec()
                .volumes()
                .forEach(volume -> engine.put(claim(volume.claimOf(pod).orElseThrow())));
        engine.put(new StorageClass(
                ObjectMeta.named("", LATE.storageClass()),
                "csi.example.com",
                Optional.of(StorageClass.BindingMode.WAIT_FOR_FIRST_CONSUMER),
                List.of()));
        engine.decide(pod);
        Work work = engine.cluster().work();
        long before = work.units();
        engine.decide(pod);
        return work.units() - before;
    }

    private static Engine engine() {
        Engine engine = new Engine(
                SchedulerConfiguration.defaults(), InTreePlugins.registry(), new FirstByName(), Scoring.WHEN_NEEDED);
        nodes().forEach(engine::put);
        return engine;
    }

    private static Stream<Node> nodes() {
        return IntStream.range(0, NODES)
                .mapToObj(i -> NodeBuilder.node("n" + i)
                        .label("zone", "z" + i % 3)
                        .allocatable("cpu", "8", "memory", "8Gi", "pods", "100")
                        .build());
    }

    private static Pod withTerms(int terms) {
        List<PodAffinityTerm> away = IntStream.range(0, terms)
                .mapToObj(i -> new PodAffinityTerm(
                        LabelSelector.matchingLabels(Labels.of("app", "other-" + i)),
                        "zone",
                        List.of(),
                        LabelSelector.NOTHING))
                .toList();
        return PodBuilder.pod("p")
                .podAffinity(new PodAffinity(List.of(), List.of(), away, List.of()))
                .build();
    }

    private static PersistentVolumeClaim claim(String name) {
        return new PersistentVolumeClaim(
                ObjectMeta.named("default", name),
                LATE,
                Optional.of(Quantity.parse("1Gi")),
                Optional.empty(),
                "",
                false);
    }

    private static Pod withClaims(int claims) {
        PodBuilder pod = PodBuilder.pod("p");
        IntStream.range(0, claims).forEach(i -> pod.claim("claim-" + i));
        return pod.build();
    }

    private static Pod withTolerations(int tolerations) {
        PodBuilder pod = PodBuilder.pod("p");
        for (int i = 0; i < tolerations; i++) {
            pod.toleration(new Toleration("key-" + i, Toleration.Operator.EXISTS, "", Optional.empty()));
        }
        return pod.build();
    }

    private static Pod spread(int constraints) {
        PodBuilder pod = PodBuilder.pod("p");
        for (int i = 0; i < constraints; i++) {
            pod.spread(TopologySpreadConstraint.of(
                    1,
                    "zone",
                    WhenUnsatisfiable.DO_NOT_SCHEDULE,
                    LabelSelector.matchingLabels(Labels.of("app", "other-" + i))));
        }
        return pod.build();
    }
}
