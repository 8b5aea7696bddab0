package io.evenkeel.cluster.shape;

import static io.evenkeel.model.build.PodBuilder.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.ContainerStatus;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodStatus;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.model.value.ResourceList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** CPU is written in thousandths, memory in bytes: as the vectors hold them. */
class PodResourcesReaderTest {
    private static final long MEBI = 1024 * 1024;
    private static final long DEFAULT_MEMORY = 200 * MEBI;

    private final ResourceNames names = new ResourceNames();
    private final PodResourcesReader reader = new PodResourcesReader(names, PodRequests.OF_CONTAINERS);

    @Nested
    class OfContainers {
        @Test
        void requestsAddUp() {
            Pod pod = pod("p").container("cpu", "100m", "memory", "1Mi")
                    .container("cpu", "250m", "example.com/gpu", "2")
                    .build();

            assertThat(requests(pod)).isEqualTo(Map.of("cpu", 350L, "memory", MEBI, "example.com/gpu", 2L));
        }

        @Test
        void fractionsAreRoundedUpOnceInTheEnd() {
            Pod pod = pod("p").container("cpu", "400u", "memory", "400m")
                    .container("cpu", "400u", "memory", "400m")
                    .build();

            assertThat(requests(pod)).isEqualTo(Map.of("cpu", 1L, "memory", 1L));
        }

        @Test
        void anInitContainerRunsAloneSoTheMostOfBothCountsForEachResource() {
            Pod pod = pod("p").container("cpu", "100m", "memory", "10Mi")
                    .container("cpu", "100m", "memory", "10Mi")
                    .initContainer("cpu", "500m", "memory", "5Mi")
                    .initContainer("cpu", "300m", "memory", "15Mi")
                    .build();

            assertThat(requests(pod)).isEqualTo(Map.of("cpu", 500L, "memory", 20 * MEBI));
        }

        @Test
        void aSidecarRunsBesideTheContainersAndBesideTheInitContainersAfterIt() {
            Pod pod = pod("p").container("cpu", "700m")
                    .sidecar("cpu", "100m")
                    .initContainer("cpu", "800m")
                    .sidecar("cpu", "200m")
                    .initContainer("cpu", "950m")
                    .build();

            assertThat(requests(pod)).isEqualTo(Map.of("cpu", 100L + 200 + 950));
            assertThat(requests(pod("p").container("cpu", "700m")
                            .initContainer("cpu", "800m")
                            .sidecar("cpu", "200m")
                            .build()))
                    .isEqualTo(Map.of("cpu", 900L));
        }

        @Test
        void overheadComesOnTop() {
            Pod pod = pod("p").container("cpu", "100m")
                    .initContainer("cpu", "300m")
                    .overhead(ResourceList.of("cpu", "50m", "memory", "7Mi"))
                    .build();

            assertThat(requests(pod)).isEqualTo(Map.of("cpu", 350L, "memory", 7 * MEBI));
        }

        @Test
        void onlyResourcesThatSchedulersCountAreTakenIn() {
            Pod pod = pod("p").container(
                            "storage",
                            "1Gi",
                            "unheard-of",
                            "1",
                            "requests.example.com/gpu",
                            "1",
                            "hugepages-2Mi",
                            "4Mi",
                            "attachable-volumes-x",
                            "1",
                            "extra.kubernetes.io/thing",
                            "3",
                            "example.com/gpu",
                            "2")
                    .build();

            assertThat(requests(pod))
                    .isEqualTo(Map.of(
                            "hugepages-2Mi", 4 * MEBI,
                            "attachable-volumes-x", 1L,
                            "extra.kubernetes.io/thing", 3L,
                            "example.com/gpu", 2L));
        }
    }

    @Nested
    class OfThePodAsAWhole {
        @Test
        void replaceWhatTheContainersAddUpToForTheResourcesNamed() {
            Pod pod = pod("p").container("cpu", "100m", "memory", "10Mi", "example.com/gpu", "1")
                    .podRequests("cpu", "2")
                    .overhead(ResourceList.of("cpu", "50m"))
                    .build();

            assertThat(requests(pod)).isEqualTo(Map.of("cpu", 2050L, "memory", 10 * MEBI, "example.com/gpu", 1L));
        }

        @Test
        void cannotNameExtendedResources() {
            Pod pod = pod("p").container("cpu", "100m")
                    .podRequests("example.com/gpu", "4", "hugepages-2Mi", "8Mi")
                    .build();

            assertThat(requests(pod)).isEqualTo(Map.of("cpu", 100L, "hugepages-2Mi", 8 * MEBI));
        }

        @Test
        void areNotSeenByTheScorerOfTheIncomingPod() {
            Pod pod = pod("p").container("cpu", "100m")
                    .podRequests("cpu", "2", "memory", "1Gi")
                    .build();

            assertThat(scored(pod)).isEqualTo(Map.of("cpu", 100L, "memory", DEFAULT_MEMORY));
        }
    }

    @Nested
    class Defaults {
        @Test
        void countForEachContainerThatRequestsNone() {
            Pod pod = pod("p").container()
                    .container("cpu", "50m")
                    .container("memory", "1Mi")
                    .build();

            assertThat(requests(pod)).isEqualTo(Map.of("cpu", 50L, "memory", MEBI));
            assertThat(nonZero(pod)).isEqualTo(Map.of("cpu", 250L, "memory", 2 * DEFAULT_MEMORY + MEBI));
            assertThat(scored(pod)).isEqualTo(nonZero(pod));
        }

        @Test
        void countForTheOnlyContainerToo() {
            Pod pod = pod("p").container("cpu", "50m", "example.com/gpu", "1").build();

            assertThat(nonZero(pod)).isEqualTo(Map.of("cpu", 50L, "memory", DEFAULT_MEMORY));
            assertThat(scored(pod)).isEqualTo(Map.of("cpu", 50L, "memory", DEFAULT_MEMORY, "example.com/gpu", 1L));
        }

        @Test
        void doNotCountWhereZeroIsRequestedOutright() {
            Pod pod = pod("p").container("cpu", "0", "memory", "0").build();

            assertThat(nonZero(pod)).isEqualTo(Map.of("cpu", 0L, "memory", 0L));
            assertThat(scored(pod)).isEmpty();
        }

        @Test
        void countForInitContainersAndSidecars() {
            Pod pod = pod("p").container("cpu", "10m", "memory", "1Mi")
                    .sidecar()
                    .initContainer()
                    .build();

            assertThat(nonZero(pod)).isEqualTo(Map.of("cpu", 200L, "memory", 2 * DEFAULT_MEMORY));
        }

        @Test
        void doNotCountForWhatThePodNamesAsAWhole() {
            Pod pod = pod("p").container().container().podRequests("cpu", "1").build();

            assertThat(nonZero(pod)).isEqualTo(Map.of("cpu", 1000L, "memory", 2 * DEFAULT_MEMORY));
        }

        @Test
        void doNotCountUnderPodLevelRequestsForWhatAnyContainerNames() {
            Pod pod = pod("p").container("memory", "1Mi")
                    .container()
                    .podRequests("cpu", "1")
                    .build();

            assertThat(nonZero(pod)).isEqualTo(Map.of("cpu", 1000L, "memory", MEBI));
        }
    }

    @Nested
    class WhileResizing {
        @Test
        void theMostOfSpecAllocatedAndActualCounts() {
            Pod pod = withStatus(
                    pod("p").container("cpu", "100m", "memory", "30Mi").build(),
                    false,
                    status("c0", ResourceList.of("cpu", "200m", "memory", "20Mi"), "cpu", "150m", "memory", "40Mi"));

            assertThat(requests(pod)).isEqualTo(Map.of("cpu", 200L, "memory", 40 * MEBI));
            assertThat(scored(pod)).isEqualTo(Map.of("cpu", 100L, "memory", 30 * MEBI));
        }

        @Test
        void whatIsAskedForInVainDoesNotCount() {
            Pod pod = withStatus(
                    pod("p").container("cpu", "9").build(),
                    true,
                    status("c0", ResourceList.of("cpu", "200m"), "cpu", "150m"));

            assertThat(requests(pod)).isEqualTo(Map.of("cpu", 200L));
        }

        @Test
        void aContainerWithoutActualResourcesInItsStatusCountsAsSpecified() {
            Pod pod = withStatus(
                    pod("p").container("cpu", "100m").build(),
                    false,
                    new ContainerStatus("c0", ResourceList.of("cpu", "5"), Optional.empty()));

            assertThat(requests(pod)).isEqualTo(Map.of("cpu", 100L));
        }

        @Test
        void sidecarsAreResizedAndInitContainersAreNot() {
            Pod pod = withStatus(
                    pod("p").container("cpu", "100m")
                            .sidecar("cpu", "100m")
                            .initContainer("cpu", "100m")
                            .build(),
                    false,
                    status("sidecar-c1", Map.of(), "cpu", "300m"),
                    status("init-c2", Map.of(), "cpu", "9"));

            assertThat(requests(pod)).isEqualTo(Map.of("cpu", 400L));
        }

        @Test
        void aPodThatWaitsIsFilteredByWhatItAsksFor() {
            Pod pod = withStatus(
                    pod("p").container("cpu", "8").podRequests("memory", "1Gi").build(),
                    true,
                    status("c0", ResourceList.of("cpu", "100m"), "cpu", "100m"));

            assertThat(byName(reader.read(pod).asked())).isEqualTo(Map.of("cpu", 8000L, "memory", 1024 * MEBI));
            assertThat(requests(pod)).isEqualTo(Map.of("cpu", 100L, "memory", 1024 * MEBI));
        }

        @Test
        void aSettledPodIsReadAsSpecified() {
            Pod settled = withStatus(
                    pod("p").container("cpu", "100m", "memory", "1Mi").build(),
                    false,
                    status("c0", ResourceList.of("cpu", "100m", "memory", "1Mi"), "cpu", "0.1", "memory", "1024Ki"));

            assertThat(reader.read(settled))
                    .isEqualTo(reader.read(
                            pod("p").container("cpu", "100m", "memory", "1Mi").build()));
        }

        @Test
        void thePodAsAWholeIsResizedInTheResourcesItNames() {
            PodStatus status = new PodStatus(
                    "Running",
                    "",
                    List.of(),
                    false,
                    ResourceList.of("cpu", "3"),
                    Optional.of(ResourceList.of("cpu", "1", "memory", "5Gi")));
            Pod pod = pod("p").container("memory", "1Mi")
                    .podRequests("cpu", "2")
                    .status(status)
                    .build();

            assertThat(requests(pod)).isEqualTo(Map.of("cpu", 3000L, "memory", MEBI));
        }

        /** Case "aggregate request resolves max of sums instead of sum of maxes" of kube-scheduler 1.37, with the status whole. */
        @Test
        void from137TheMostOfTheSumsCounts() {
            Pod pod = withStatus(
                    pod("p").container("cpu", "1").container("cpu", "2").build(),
                    false,
                    status("c0", ResourceList.of("cpu", "2"), "cpu", "2"),
                    status("c1", ResourceList.of("cpu", "1"), "cpu", "1"));

            assertThat(requests(pod)).isEqualTo(Map.of("cpu", 4000L));
            assertThat(of137(pod)).isEqualTo(Map.of("cpu", 3000L));
        }

        /** Cases "aggregate container request … when PLR vertical scaling enabled" and "falls back … podAllocatedResources is nil". */
        @Test
        void from137TheStatusOfTheWholePodGoesBeforeThoseOfItsContainers() {
            Pod pod = pod("p").container("cpu", "1").build();
            List<ContainerStatus> containers = List.of(status("c0", ResourceList.of("cpu", "6"), "cpu", "5"));
            Optional<Map<String, Quantity>> actual = Optional.of(ResourceList.of("cpu", "3"));

            assertThat(of137(with(
                            pod, new PodStatus("Running", "", containers, false, ResourceList.of("cpu", "4"), actual))))
                    .isEqualTo(Map.of("cpu", 4000L));
            assertThat(of137(with(pod, new PodStatus("Running", "", containers, false, Map.of(), actual))))
                    .isEqualTo(Map.of("cpu", 6000L));
        }

        /** Case "pod level requests/limits with PLR vertical scaling enabled and infeasible resize". */
        @Test
        void from137AnInfeasibleResizeOfTheWholePodLeavesWhatItHas() {
            Pod pod = with(
                    pod("p").container().podRequests("cpu", "10").build(),
                    new PodStatus(
                            "Running",
                            "",
                            List.of(),
                            true,
                            ResourceList.of("cpu", "3"),
                            Optional.of(ResourceList.of("cpu", "4", "memory", "1Mi"))));

            assertThat(of137(pod))
                    .as("memory too, which the spec does not name")
                    .isEqualTo(Map.of("cpu", 4000L, "memory", MEBI));
            assertThat(requests(pod)).isEqualTo(Map.of("cpu", 4000L));
        }

        @Test
        void from137InitContainersAreResizedToo() {
            Pod pod = withStatus(
                    pod("p").container("cpu", "100m")
                            .initContainer("cpu", "100m")
                            .build(),
                    false,
                    status("init-c1", Map.of(), "cpu", "9"));

            assertThat(of137(pod)).isEqualTo(Map.of("cpu", 9000L));
        }

        private Map<String, Long> of137(Pod pod) {
            return byName(
                    new PodResourcesReader(names, PodRequests.OF_PODS).read(pod).requests());
        }

        private static Pod with(Pod pod, PodStatus status) {
            return new Pod(pod.meta(), pod.spec(), status);
        }

        private Pod withStatus(Pod pod, boolean infeasible, ContainerStatus... statuses) {
            return with(pod, new PodStatus("Running", "", List.of(statuses), infeasible, Map.of(), Optional.empty()));
        }

        private ContainerStatus status(String name, Map<String, Quantity> allocated, String... actual) {
            return new ContainerStatus(name, allocated, Optional.of(ResourceList.of(actual)));
        }
    }

    @Test
    void equalRequestsAreEqualVectorsHoweverTheyAreWritten() {
        PodResources one =
                reader.read(pod("p").container("cpu", "100m", "memory", "1Gi").build());
        PodResources other = reader.read(pod("q").container("memory", "1024Mi")
                .container("cpu", "0.1", "memory", "0")
                .podRequests("cpu", "100m", "memory", "1Gi")
                .build());

        assertThat(other.requests())
                .isEqualTo(one.requests())
                .hasSameHashCodeAs(one.requests())
                .hasToString(one.requests().toString());
        assertThat(other.requests()).isNotEqualTo(ResourceVector.NONE);
    }

    private Map<String, Long> requests(Pod pod) {
        return byName(reader.read(pod).requests());
    }

    private Map<String, Long> scored(Pod pod) {
        return byName(reader.read(pod).scored());
    }

    private Map<String, Long> nonZero(Pod pod) {
        PodResources resources = reader.read(pod);
        return Map.of("cpu", resources.nonZeroCpu(), "memory", resources.nonZeroMemory());
    }

    private Map<String, Long> byName(ResourceVector vector) {
        Map<String, Long> amounts = new TreeMap<>();
        for (int i = 0; i < vector.size(); i++) {
            amounts.put(names.nameOf(vector.resourceAt(i)), vector.amountAt(i));
        }
        return amounts;
    }
}
