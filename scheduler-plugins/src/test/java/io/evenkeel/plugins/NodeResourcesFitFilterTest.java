package io.evenkeel.plugins;

import static io.evenkeel.api.Status.unresolvable;
import static io.evenkeel.api.Status.unschedulable;
import static io.evenkeel.model.build.PodBuilder.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.Status;
import io.evenkeel.config.PluginArgs.NodeResourcesFitArgs;
import io.evenkeel.config.PluginArgs.ScoringStrategy;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.device.DeviceClass;
import io.evenkeel.model.value.ResourceList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class NodeResourcesFitFilterTest {
    private final ResourceCluster cluster = new ResourceCluster();

    @Test
    void aPodFitsWhereExactlyAsMuchIsLeft() {
        cluster.with("n", "cpu", "1", "memory", "1Gi")
                .place(pod("old").container("cpu", "600m", "memory", "512Mi"), "n");

        assertThat(verdict(pod("p").container("cpu", "400m", "memory", "512Mi")))
                .isEqualTo(Status.SUCCESS);
        assertThat(verdict(pod("p").container("cpu", "401m", "memory", "512Mi")))
                .isEqualTo(unschedulable("Insufficient cpu"));
    }

    @Test
    void allThatIsMissingIsReportedInOrder() {
        cluster.with(
                        "n",
                        "pods",
                        "1",
                        "cpu",
                        "1",
                        "memory",
                        "1Gi",
                        "ephemeral-storage",
                        "1Gi",
                        "example.com/gpu",
                        "1",
                        "a.com/b",
                        "1")
                .place(
                        pod("old")
                                .container(ResourceList.of(
                                        "cpu",
                                        "1",
                                        "memory",
                                        "1Gi",
                                        "ephemeral-storage",
                                        "1Gi",
                                        "example.com/gpu",
                                        "1",
                                        "a.com/b",
                                        "1")),
                        "n");

        assertThat(verdict(pod("p").container(
                                "example.com/gpu",
                                "1",
                                "a.com/b",
                                "1",
                                "ephemeral-storage",
                                "1",
                                "memory",
                                "1",
                                "cpu",
                                "1m")))
                .isEqualTo(unschedulable(
                        "Too many pods",
                        "Insufficient cpu",
                        "Insufficient memory",
                        "Insufficient ephemeral-storage",
                        "Insufficient a.com/b",
                        "Insufficient example.com/gpu"));
    }

    @Test
    void moreThanTheNodeHasAtAllCannotBeResolvedByEvictingPods() {
        cluster.with("n", "cpu", "1", "memory", "1Gi").place(pod("old").container("memory", "1Gi"), "n");

        assertThat(verdict(pod("p").container("cpu", "1001m", "memory", "1Mi")))
                .isEqualTo(unresolvable("Insufficient cpu", "Insufficient memory"));
        assertThat(verdict(pod("p").container("example.com/gpu", "1")))
                .isEqualTo(unresolvable("Insufficient example.com/gpu"));
    }

    @Test
    void tooManyPodsCanAlwaysBeResolvedEvenOnANodeForNone() {
        cluster.with("n", "pods", "0", "cpu", "1");

        assertThat(verdict(pod("p").container("cpu", "1"))).isEqualTo(unschedulable("Too many pods"));
    }

    @Test
    void aPodWithoutRequestsOnlyNeedsAPlace() {
        cluster.with("n", "pods", "2", "cpu", "1").place(pod("old").container("cpu", "2"), "n");

        assertThat(verdict(pod("p").container())).isEqualTo(Status.SUCCESS);
        cluster.place(pod("second").container(), "n");
        assertThat(verdict(pod("p").container())).isEqualTo(unschedulable("Too many pods"));
    }

    @Test
    void whatThePodDoesNotRequestMayBeOverbooked() {
        cluster.with("n", "cpu", "1", "memory", "1Gi").place(pod("old").container("cpu", "5"), "n");

        assertThat(verdict(pod("p").container("cpu", "0", "memory", "1Gi", "example.com/gpu", "0")))
                .isEqualTo(Status.SUCCESS);
    }

    @Test
    void podLevelRequestsAndOverheadAreNeededToo() {
        cluster.with("n", "cpu", "1");

        assertThat(verdict(pod("p").container("cpu", "100m").podRequests("cpu", "1")))
                .isEqualTo(Status.SUCCESS);
        assertThat(verdict(pod("p").container("cpu", "100m")
                        .podRequests("cpu", "1")
                        .overhead(ResourceList.of("cpu", "1m"))))
                .isEqualTo(unresolvable("Insufficient cpu"));
    }

    @Test
    void ignoredExtendedResourcesAreNotCompared() {
        cluster.with("n", "cpu", "1", "hugepages-2Mi", "0");
        NodeResourcesFit plugin = cluster.fit(new NodeResourcesFitArgs(
                List.of("example.com/foo", "hugepages-2Mi", "cpu"),
                List.of("ignored.com"),
                ScoringStrategy.defaults()));

        assertThat(verdicts(
                        plugin,
                        pod("p").container(
                                        "example.com/foo", "3", "ignored.com/a", "1", "ignored.com/b", "1", "cpu", "1")
                                .build()))
                .containsEntry("n", Status.SUCCESS);
        assertThat(verdicts(
                        plugin,
                        pod("p").container("example.com/bar", "3", "sub.ignored.com/a", "1", "example.com/foo", "1")
                                .build()))
                .containsEntry("n", unresolvable("Insufficient example.com/bar", "Insufficient sub.ignored.com/a"));
        assertThat(verdicts(
                        plugin,
                        pod("p").container("hugepages-2Mi", "2Mi", "cpu", "2").build()))
                .containsEntry("n", unresolvable("Insufficient cpu", "Insufficient hugepages-2Mi"));
    }

    @Test
    void placementsRemovalsAndNodesAreFollowed() {
        NodeResourcesFit plugin = cluster.fit();
        Pod pod = pod("p").container("cpu", "1").build();

        cluster.with("a", "cpu", "1").with("b", "cpu", "1");
        assertThat(verdicts(plugin, pod)).isEqualTo(Map.of("a", Status.SUCCESS, "b", Status.SUCCESS));
        cluster.place(pod("old").container("cpu", "1m"), "a");
        assertThat(verdicts(plugin, pod))
                .isEqualTo(Map.of("a", unschedulable("Insufficient cpu"), "b", Status.SUCCESS));
        cluster.remove("old").with("b", "cpu", "500m");
        assertThat(verdicts(plugin, pod)).isEqualTo(Map.of("a", Status.SUCCESS, "b", unresolvable("Insufficient cpu")));
        cluster.without("b").with("c", "cpu", "2");
        assertThat(verdicts(plugin, pod)).isEqualTo(Map.of("a", Status.SUCCESS, "c", Status.SUCCESS));
    }

    @Test
    void nodesThatLackTheSameShareTheirStatus() {
        cluster.with("a", "cpu", "1", "memory", "1Gi")
                .with("b", "cpu", "1", "memory", "1Gi")
                .with("c", "memory", "1Gi");
        Map<String, Status> verdicts = verdicts(
                cluster.fit(), pod("p").container("cpu", "2", "memory", "1Gi").build());

        assertThat(verdicts.get("a")).isSameAs(verdicts.get("b")).isSameAs(verdicts.get("c"));
    }

    @Test
    void aPodMayRequestAnyNumberOfResources() {
        cluster.with("n", "r00.com/x", "1");
        Map<String, String> requests = new TreeMap<>();
        for (int i = 0; i < 70; i++) {
            requests.put(String.format("r%02d.com/x", i), "1");
        }
        String[] namesAndQuantities = requests.entrySet().stream()
                .flatMap(entry -> List.of(entry.getKey(), entry.getValue()).stream())
                .toArray(String[]::new);

        Status status = verdict(pod("p").container(namesAndQuantities));

        assertThat(status.code()).isEqualTo(Status.Code.UNSCHEDULABLE_AND_UNRESOLVABLE);
        assertThat(status.reasons())
                .hasSize(69)
                .startsWith("Insufficient r01.com/x")
                .endsWith("Insufficient r69.com/x");
    }

    @Test
    void ofAnyNumberOfResourcesNodesLackWhatTheyDoNotHaveEnoughOf() {
        String[] all = new String[140];
        for (int i = 0; i < 70; i++) {
            all[2 * i] = String.format("r%02d.com/x", i);
            all[2 * i + 1] = "2";
        }
        cluster.with("all", all)
                .with("used", all)
                .with("full", "pods", "0")
                .with("some", "r03.com/x", "2", "r07.com/x", "1", "r69.com/x", "2", "other.com/x", "5")
                .place(pod("old").container("r03.com/x", "1", "r69.com/x", "2"), "used");
        NodeResourcesFit plugin = cluster.fit();
        Map<String, Status> verdicts = verdicts(plugin, pod("p").container(all).build());

        assertThat(verdicts).containsEntry("all", Status.SUCCESS);
        assertThat(verdicts).containsEntry("used", unschedulable("Insufficient r03.com/x", "Insufficient r69.com/x"));
        assertThat(verdicts.get("full").reasons()).hasSize(71).startsWith("Too many pods", "Insufficient r00.com/x");
        assertThat(verdicts.get("some").code()).isEqualTo(Status.Code.UNSCHEDULABLE_AND_UNRESOLVABLE);
        assertThat(verdicts.get("some").reasons())
                .hasSize(68)
                .contains("Insufficient r07.com/x")
                .doesNotContain("Insufficient r03.com/x", "Insufficient r69.com/x");

        cluster.remove("old").with("all", all).with("full", all);
        assertThat(verdicts(plugin, pod("p").container(all).build()))
                .containsEntry("used", Status.SUCCESS)
                .containsEntry("full", Status.SUCCESS);
    }

    @Test
    void aResourceThatStandsForDevicesIsOnlyCountedOnNodesThatOfferItThemselves() {
        cluster.with("offers", "example.com/gpu", "1")
                .with("offersNone", "example.com/gpu", "0")
                .with("knowsNone", "cpu", "1")
                .with("isFull", "pods", "0");
        NodeResourcesFit plugin = cluster.fit();
        Pod one = pod("p").container("example.com/gpu", "1").build();
        Pod two = pod("p").container("example.com/gpu", "2", "cpu", "2").build();
        assertThat(verdicts(plugin, one)).containsEntry("knowsNone", unresolvable("Insufficient example.com/gpu"));

        DeviceClass gpus = new DeviceClass(ObjectMeta.named("", "gpu"), List.of(), List.of(), "example.com/gpu");
        cluster.state.put(gpus);

        assertThat(verdicts(plugin, one))
                .isEqualTo(Map.of(
                        "offers", Status.SUCCESS,
                        "offersNone", Status.SUCCESS,
                        "knowsNone", Status.SUCCESS,
                        "isFull", unschedulable("Too many pods")));
        assertThat(verdicts(plugin, two))
                .isEqualTo(Map.of(
                        "offers", unresolvable("Insufficient cpu", "Insufficient example.com/gpu"),
                        "offersNone", unresolvable("Insufficient cpu"),
                        "knowsNone", unresolvable("Insufficient cpu"),
                        "isFull", unresolvable("Too many pods", "Insufficient cpu")));

        cluster.state.remove(gpus);
        assertThat(verdicts(plugin, one)).containsEntry("knowsNone", unresolvable("Insufficient example.com/gpu"));
    }

    @Test
    void ofAnyNumberOfResourcesSomeMayStandForDevices() {
        String[] all = new String[140];
        for (int i = 0; i < 70; i++) {
            all[2 * i] = String.format("r%02d.com/x", i);
            all[2 * i + 1] = "2";
        }
        cluster.with("n", Arrays.copyOfRange(all, 2, 138)).place(pod("old").container("r03.com/x", "1"), "n");
        for (String resource : List.of("r00.com/x", "r03.com/x", "r69.com/x")) {
            cluster.state.put(new DeviceClass(ObjectMeta.named("", resource), List.of(), List.of(), resource));
        }

        assertThat(verdict(pod("p").container(all))).isEqualTo(unschedulable("Insufficient r03.com/x"));
        cluster.remove("old");
        assertThat(verdict(pod("p").container(all))).isEqualTo(Status.SUCCESS);
    }

    private Status verdict(PodBuilder pod) {
        return verdicts(cluster.fit(), pod.build()).get("n");
    }

    private Map<String, Status> verdicts(NodeResourcesFit plugin, Pod pod) {
        Map<String, Status> verdicts = cluster.verdicts(plugin, pod);
        assertThat(cluster.verdictsOneByOne(plugin, pod)).isEqualTo(verdicts);
        return verdicts;
    }
}
