package io.evenkeel.lab.bench;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.lab.bench.Bench.Figures;
import io.evenkeel.lab.bench.PerfCase.PerfCluster;
import io.evenkeel.lab.bench.PerfCase.PerfPods;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.rotation.Rotated;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PerfWorkloadTest {
    private static final PluginRegistry PLUGINS = InTreePlugins.registry();

    private static final int NODES = 30;

    @Rotated(7)
    @ParameterizedTest
    @EnumSource
    void everyPodIsPlacedWhereItMayBeButThoseThatFitNowhere(PerfWorkload workload) {
        Figures figures = new Bench(InTreePlugins.registry(), 40).measure(small(workload));

        int impossible = workload == PerfWorkload.UNSCHEDULABLE ? 1 : 0;
        int comeAmongThem = workload == PerfWorkload.PREEMPTION_ASYNC ? 1 : 0;
        assertThat(figures.placed()).isEqualTo(small(workload).pods() + comeAmongThem);
        assertThat(figures.unschedulable()).isEqualTo(impossible);
    }

    @ParameterizedTest
    @EnumSource
    void noTwoPodsHaveTheSameName(PerfWorkload workload) {
        List<Pod> pods = new ArrayList<>(PerfPods.residents(PerfCase.of(workload, 1, PLUGINS)));
        int residents = pods.size();
        pods.addAll(PerfPods.newcomers(PerfCase.of(workload, 1, PLUGINS)));

        assertThat(residents).isEqualTo(PerfCase.of(workload, 1, PLUGINS).residents());
        assertThat(pods).extracting(Pod::key).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @EnumSource
    void isFoundByItsName(PerfWorkload workload) {
        assertThat(workload.id()).startsWith("perf:");
        assertThat(PerfWorkload.find(workload.id().substring(5))).contains(workload);
    }

    @Test
    void theFloorIsOfTheUsualSizeAlone() {
        PerfCase usual = PerfCase.of(PerfWorkload.SCHEDULING_BASIC, 1, PLUGINS);

        assertThat(usual).isEqualTo(new PerfCase(PerfWorkload.SCHEDULING_BASIC, 5_000, 10_000, 1, PLUGINS));
        assertThat(usual.floor()).hasValue(270);
        assertThat(new PerfCase(PerfWorkload.SCHEDULING_BASIC, 500, 10_000, 1, PLUGINS).floor())
                .isEmpty();
        assertThat(PerfCase.of(PerfWorkload.PREEMPTION_BASIC, 1, PLUGINS).floor())
                .isEmpty();
    }

    @Test
    void residentsAreAsManyANode() {
        assertThat(new PerfCase(PerfWorkload.SCHEDULING_BASIC, 500, 1, 1, PLUGINS).residents())
                .isEqualTo(100);
        assertThat(PerfCase.of(PerfWorkload.SCHEDULING_BASIC, 1, PLUGINS).smaller(1_000, 500))
                .isEqualTo(new PerfCase(PerfWorkload.SCHEDULING_BASIC, 1_000, 500, 1, PLUGINS));
        assertThat(PerfCase.of(PerfWorkload.SCHEDULING_POD_ANTI_AFFINITY, 1, PLUGINS)
                        .smaller(1_000, 10_000))
                .isEqualTo(new PerfCase(PerfWorkload.SCHEDULING_POD_ANTI_AFFINITY, 1_000, 400, 1, PLUGINS));
    }

    @Test
    void residentsOfNamespacesAreInAHundredOfThem() {
        List<Pod> residents = PerfPods.residents(
                PerfCase.of(PerfWorkload.SCHEDULING_REQUIRED_POD_ANTI_AFFINITY_WITH_NS_SELECTOR, 1, PLUGINS));

        assertThat(residents.stream().collect(groupingBy(Pod::namespace, counting())))
                .hasSize(100)
                .allSatisfy((namespace, count) -> assertThat(count).isEqualTo(40));
    }

    @Test
    void impossiblePodsComeAmongTheOthers() {
        List<Pod> pods = PerfPods.newcomers(PerfCase.of(PerfWorkload.UNSCHEDULABLE, 1, PLUGINS));

        assertThat(pods).hasSize(10_000 + 294);
        assertThat(pods.get(34).name()).isEqualTo("other-34");
        assertThat(pods.get(34).spec().priority()).isEqualTo(10);
    }

    @Test
    void podsThatPreemptFindFourOnEachNode() {
        List<KubernetesObject> objects = small(PerfWorkload.PREEMPTION_BASIC).objects();

        assertThat(objects)
                .filteredOn(Pod.class::isInstance)
                .hasSize(4 * NODES)
                .allSatisfy(pod -> assertThat(((Pod) pod).isPlaced()).isTrue());
    }

    @Test
    void oneNodeInFiveIsTaintedWherePodsSpreadOverTheOthers() {
        assertThat(PerfCluster.objects(small(PerfWorkload.SCHEDULING_WITH_NODE_INCLUSION_POLICY)))
                .filteredOn(
                        object -> object instanceof Node node && !node.taints().isEmpty())
                .hasSize(NODES / 5);
    }

    /** So many that a pod comes among them where others do, and that each finds a node of its own where it must. */
    private static PerfCase small(PerfWorkload workload) {
        int pods = switch (workload) {
            case UNSCHEDULABLE, PREEMPTION_ASYNC -> 40;
            default -> 10;
        };
        return new PerfCase(workload, NODES, pods, 1, PLUGINS);
    }
}
