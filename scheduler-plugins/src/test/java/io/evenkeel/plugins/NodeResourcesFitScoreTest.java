package io.evenkeel.plugins;

import static io.evenkeel.config.PluginArgs.ScoringStrategy.Type.LEAST_ALLOCATED;
import static io.evenkeel.config.PluginArgs.ScoringStrategy.Type.MOST_ALLOCATED;
import static io.evenkeel.model.build.PodBuilder.pod;
import static io.evenkeel.plugins.ResourceCluster.shape;
import static io.evenkeel.plugins.ResourceCluster.strategy;
import static io.evenkeel.plugins.ResourceCluster.weighted;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.PluginArgs.ResourceWeight;
import io.evenkeel.config.PluginArgs.ScoringStrategy;
import io.evenkeel.config.PluginArgs.UtilizationShape.ShapePoint;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class NodeResourcesFitScoreTest {
    private static final List<ResourceWeight> CPU_AND_MEMORY = weighted(1, "cpu", "memory");
    private static final List<ResourceWeight> CPU_AND_GPU = weighted(1, "cpu", "example.com/gpu");

    private final ResourceCluster cluster = new ResourceCluster();

    @Nested
    class LeastAllocated {
        @Test
        void isTheMeanOfWhatStaysFreeEachRoundedDown() {
            cluster.with("n", "cpu", "4", "memory", "10000").with("small", "cpu", "3", "memory", "5000");

            // 4000m − 3000m: 25; 10000 − 5000: 50. Of 3000m nothing stays free, nor of 5000.
            assertThat(scores(
                            strategy(LEAST_ALLOCATED, CPU_AND_MEMORY),
                            pod("p").container("cpu", "3", "memory", "5000")))
                    .isEqualTo(Map.of("n", 37, "small", 0));
        }

        @Test
        void isTheDefault() {
            cluster.with("n", "cpu", "4", "memory", "10000");

            assertThat(cluster.scores(
                            cluster.fit(),
                            pod("p").container("cpu", "1", "memory", "5000").build()))
                    .isEqualTo(Map.of("n", (75 + 50) / 2));
        }

        @Test
        void isZeroForAResourceThatIsOverbooked() {
            cluster.with("n", "cpu", "1", "memory", "1000").place(pod("old").container("cpu", "3", "memory", "0"), "n");

            assertThat(scores(
                            strategy(LEAST_ALLOCATED, CPU_AND_MEMORY), pod("p").container("cpu", "1", "memory", "500")))
                    .isEqualTo(Map.of("n", 25));
        }

        @Test
        void weighsResources() {
            cluster.with("n", "cpu", "4", "memory", "10000");

            assertThat(scores(
                            strategy(
                                    LEAST_ALLOCATED,
                                    List.of(new ResourceWeight("cpu", 3), new ResourceWeight("memory", 2))),
                            pod("p").container("cpu", "1", "memory", "5000")))
                    .isEqualTo(Map.of("n", (3 * 75 + 2 * 50) / 5));
        }
    }

    @Nested
    class MostAllocated {
        @Test
        void isTheMeanOfWhatIsTakenEachRoundedDown() {
            cluster.with("n", "cpu", "4", "memory", "10000").with("small", "cpu", "3", "memory", "6000");

            assertThat(scores(
                            strategy(MOST_ALLOCATED, CPU_AND_MEMORY), pod("p").container("cpu", "1", "memory", "5000")))
                    .isEqualTo(Map.of("n", (25 + 50) / 2, "small", (33 + 83) / 2));
        }

        @Test
        void isAHundredForAResourceThatIsOverbooked() {
            cluster.with("n", "cpu", "100m", "memory", "100Mi")
                    .place(pod("old").container("cpu", "10m", "memory", "50Mi"), "n");

            assertThat(scores(strategy(MOST_ALLOCATED, CPU_AND_MEMORY), pod("p").container()))
                    .isEqualTo(Map.of("n", 100));
        }
    }

    @Nested
    class RequestedToCapacityRatio {
        @Test
        void isTheShapeAtTheUtilization() {
            cluster.with("n", "cpu", "4", "memory", "10000");

            assertThat(scores(
                            shape(CPU_AND_MEMORY, new ShapePoint(0, 0), new ShapePoint(100, 10)),
                            pod("p").container("cpu", "1", "memory", "5000")))
                    .isEqualTo(Map.of("n", 38));
        }

        @Test
        void roundsTheMeanHalfUp() {
            cluster.with("n", "cpu", "100", "memory", "100");

            assertThat(scores(
                            shape(CPU_AND_MEMORY, new ShapePoint(0, 0), new ShapePoint(100, 10)),
                            pod("p").container("cpu", "1", "memory", "2")))
                    .isEqualTo(Map.of("n", 2));
        }

        @Test
        void leavesResourcesOfScoreZeroOutOfTheMean() {
            cluster.with("n", "cpu", "4", "memory", "10000");

            assertThat(scores(
                            shape(CPU_AND_MEMORY, new ShapePoint(0, 10), new ShapePoint(50, 0)),
                            pod("p").container("cpu", "1", "memory", "5000")))
                    .isEqualTo(Map.of("n", 50));
            assertThat(scores(
                            shape(CPU_AND_MEMORY, new ShapePoint(0, 10), new ShapePoint(50, 0)),
                            pod("p").container("cpu", "2", "memory", "5000")))
                    .isEqualTo(Map.of("n", 0));
        }

        @Test
        void takesAnOverbookedResourceForFull() {
            cluster.with("n", "cpu", "1", "memory", "100").place(pod("old").container("cpu", "2", "memory", "0"), "n");

            assertThat(scores(
                            shape(weighted(1, "cpu"), new ShapePoint(0, 10), new ShapePoint(100, 3)),
                            pod("p").container("cpu", "1", "memory", "1")))
                    .isEqualTo(Map.of("n", 30));
        }
    }

    @Nested
    class Resources {
        @Test
        void thatTheNodeHasNotAreLeftOut() {
            cluster.with("cpu-only", "cpu", "4").with("nothing");

            assertThat(scores(strategy(LEAST_ALLOCATED, CPU_AND_MEMORY), pod("p").container("cpu", "1", "memory", "1")))
                    .isEqualTo(Map.of("cpu-only", 75, "nothing", 0));
        }

        @Test
        void thatAreScalarCountOnlyForPodsThatRequestThem() {
            cluster.with("n", "cpu", "4", "example.com/gpu", "4")
                    .place(pod("old").container("cpu", "0", "memory", "0", "example.com/gpu", "2"), "n");

            assertThat(scores(strategy(LEAST_ALLOCATED, CPU_AND_GPU), pod("p").container("cpu", "1")))
                    .isEqualTo(Map.of("n", 75));
            assertThat(scores(
                            strategy(LEAST_ALLOCATED, CPU_AND_GPU),
                            pod("p").container("cpu", "1", "example.com/gpu", "1")))
                    .isEqualTo(Map.of("n", (75 + 25) / 2));
        }

        @Test
        void ofEphemeralStorageCountEvenIfThePodRequestsNone() {
            cluster.with("n", "cpu", "4", "ephemeral-storage", "100")
                    .place(pod("old").container("cpu", "0", "ephemeral-storage", "40"), "n");

            assertThat(scores(
                            strategy(LEAST_ALLOCATED, weighted(1, "cpu", "ephemeral-storage")),
                            pod("p").container("cpu", "1")))
                    .isEqualTo(Map.of("n", (75 + 60) / 2));
        }

        @Test
        void thatSchedulersDoNotCountHaveNoSay() {
            cluster.with("n", "cpu", "4", "storage", "100");

            assertThat(scores(
                            strategy(LEAST_ALLOCATED, weighted(1, "cpu", "storage", "pods")),
                            pod("p").container("cpu", "1")))
                    .isEqualTo(Map.of("n", 75));
        }

        @Test
        void ofContainersThatRequestNoneAreCountedWithDefaultsOnBothSides() {
            cluster.with("n", "cpu", "1", "memory", "1000Mi").place(pod("old").container(), "n");

            // 1000m − 2 · 100m, 1000Mi − 2 · 200Mi
            assertThat(scores(strategy(LEAST_ALLOCATED, CPU_AND_MEMORY), pod("p").container()))
                    .isEqualTo(Map.of("n", (80 + 60) / 2));
        }

        @Test
        void ofThePodAsAWholeCountOnceItIsOnTheNodeButNotBefore() {
            cluster.with("n", "cpu", "1", "memory", "1000Mi");
            PodBuilder pod =
                    pod("p").container("cpu", "100m", "memory", "100Mi").podRequests("cpu", "500m", "memory", "500Mi");

            assertThat(scores(strategy(LEAST_ALLOCATED, CPU_AND_MEMORY), pod)).isEqualTo(Map.of("n", 90));
            cluster.place(pod, "n");
            assertThat(scores(strategy(LEAST_ALLOCATED, CPU_AND_MEMORY), pod("q").container("cpu", "0", "memory", "0")))
                    .isEqualTo(Map.of("n", 50));
        }
    }

    /** A class stands for the resource, and a node does not offer that itself. */
    @Nested
    class Devices {
        private static final String SLICE = """
                {'kind':'ResourceSlice','apiVersion':'resource.k8s.io/v1','metadata':{'name':'%1$s'},'spec':{'driver':'d',
                 'pool':{'name':'%1$s','generation':1,'resourceSliceCount':2},'nodeName':'%1$s','devices':[%2$s]}}""";
        private static final String CARD = "{'name':'%s','attributes':{'model':{'string':'%s'}}}";

        Devices() {
            put("{'kind':'DeviceClass','apiVersion':'resource.k8s.io/v1','metadata':{'name':'gpus'},'spec':{"
                    + "'extendedResourceName':'example.com/gpu','selectors':[{'cel':{'expression':"
                    + "'device.attributes[\\\"d\\\"].model == \\\"a\\\"'}}]}}");
            cluster.with("n", "cpu", "4")
                    .with("own", "cpu", "4", "example.com/gpu", "2")
                    .with("none", "cpu", "4");
            put(SLICE.formatted(
                    "n",
                    Stream.of("0 a", "1 a", "2 a", "3 a", "4 b")
                            .map(card -> CARD.formatted((Object[]) card.split(" ")))
                            .collect(Collectors.joining(","))));
            put("{'kind':'ResourceClaim','apiVersion':'resource.k8s.io/v1','metadata':{'name':'c','uid':'c'},'status':{"
                    + "'allocation':{'devices':{'results':[{'driver':'d','pool':'n','device':'0'}]}}}}");
        }

        private void put(String object) {
            cluster.state.put(new ObjectReader().read(object.replace('\'', '"')));
        }

        /** All four of the class count, though a slice of the pool is missing; one is in use. */
        @Test
        void thatStandForAResourceAreCountedByTheFit() {
            PodBuilder pod = pod("p").container("cpu", "1", "example.com/gpu", "1");
            assertThat(scores(strategy(LEAST_ALLOCATED, CPU_AND_GPU), pod))
                    .isEqualTo(Map.of("n", (75 + 50) / 2, "own", (75 + 50) / 2, "none", 75));
            assertThat(scores(strategy(MOST_ALLOCATED, weighted(1, "example.com/gpu")), pod))
                    .isEqualTo(Map.of("n", 50, "own", 50, "none", 0));
        }

        @Test
        void thatStandForAResourceAreCountedByTheBalance() {
            // (¼ of cpu, ½ of devices) after (0, ¼): 50 + (50 + 87 − 87) / 2
            assertThat(cluster.scores(
                            cluster.balanced("cpu", "example.com/gpu"),
                            pod("p").container("cpu", "1", "example.com/gpu", "1")
                                    .build()))
                    .isEqualTo(Map.of("n", 75, "own", 50 + (50 + 87 - 100) / 2, "none", 75));
        }

        @Test
        void areLookedAtAgainForEachPod() {
            NodeResourcesFit fit = cluster.fit(strategy(MOST_ALLOCATED, weighted(1, "example.com/gpu")));
            Pod pod = pod("p").container("example.com/gpu", "1").build();
            assertThat(cluster.scores(fit, pod)).containsEntry("n", 50);

            put("{'kind':'ResourceClaim','apiVersion':'resource.k8s.io/v1','metadata':{'name':'c','uid':'c'}}");
            assertThat(cluster.scores(fit, pod)).containsEntry("n", 25);
            assertThat(fit.reads()).contains(Kinds.RESOURCE_SLICE, Kinds.RESOURCE_CLAIM);
            assertThat(cluster.fit().reads()).containsExactly(Kinds.DEVICE_CLASS);
        }
    }

    private Map<String, Integer> scores(ScoringStrategy strategy, PodBuilder pod) {
        return cluster.scores(cluster.fit(strategy), pod.build());
    }
}
