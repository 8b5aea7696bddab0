package io.evenkeel.hollow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.controller.HollowWorld;
import io.evenkeel.hollow.controller.WorldOptions;
import io.evenkeel.hollow.controller.WorldOptions.Capacity;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.model.json.Trees;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HollowWorldTest {

    private final HollowWorld world = HollowWorld.start(WorldOptions.DEFAULT.withNodes(2, 2, Capacity.DEFAULT));
    private final Drawn drawn = new Drawn(world);

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void aDeploymentHasItsPodsAndTheyRunOnceBound() throws Exception {
        drawn.workload("Deployment", "web", 3, "");
        assertThat(drawn.list(ResourceTable.PODS)).hasSize(3).allSatisfy(pod -> {
            assertThat(pod.toString()).contains("\"controller\":true", "pod-template-hash");
            assertThat(phase(pod)).isEqualTo("Pending");
        });

        drawn.bindAll("node-0");

        assertThat(drawn.list(ResourceTable.PODS)).allSatisfy(pod -> {
            assertThat(phase(pod)).isEqualTo("Running");
            assertThat(pod.toString()).contains("\"podIP\":\"10.0.0.", "\"hostIP\":\"172.16.0.0\"");
        });
        assertThat(Drawn.count(drawn.status(ResourceTable.DEPLOYMENTS, "web"), "availableReplicas"))
                .isEqualTo(3);
        assertThat(drawn.get(ResourceTable.DEPLOYMENTS, "web").toString())
                .contains("\"deployment.kubernetes.io/revision\":\"1\"");
    }

    @Test
    void nodesAreOfTheServersRelease() {
        try (HollowWorld newer = HollowWorld.start(WorldOptions.DEFAULT
                .withServer(HollowOptions.DEFAULT.ofRelease("1.37"))
                .withNodes(1, 1, Capacity.DEFAULT))) {
            assertThat(newer.objects().get(ResourceTable.NODES, "", "node-0").orElseThrow())
                    .contains("\"kubeletVersion\":\"v1.37.0\"");
        }
    }

    @Test
    void whoHasAPodDeletedAtOnceIsToldThatItIsGoneThoughItsNodeWasQuicker() throws Exception {
        for (int i = 0; i < 300; i++) {
            createOn("node-0", "pod-" + i);
        }
        world.settle();
        for (int i = 0; i < 300; i++) {
            String name = "pod-" + i;
            assertThatCode(() -> world.objects().deleteNow(ResourceTable.PODS, "default", name))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void aPodThatComesWithItsNodeIsSaidToBeScheduledOnceItRuns() throws Exception {
        createOn("node-0", "placed");
        world.settle();

        assertThat(Trees.objects(drawn.get(ResourceTable.PODS, "placed"), "status", "conditions"))
                .filteredOn(condition -> Trees.text(condition, "type").equals("PodScheduled"))
                .singleElement()
                .satisfies(
                        scheduled -> assertThat(Trees.text(scheduled, "status")).isEqualTo("True"));
    }

    private void createOn(String node, String name) {
        world.objects().create("""
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s"},
                 "spec":{"nodeName":"%s","containers":[{"name":"c","image":"pause:1"}]}}""".formatted(name, node));
    }

    @Test
    void anotherTemplateReplacesThePodsWithinItsLimits() throws Exception {
        drawn.workload(
                "Deployment", "web", 4, "\"strategy\":{\"rollingUpdate\":{\"maxSurge\":1,\"maxUnavailable\":1}},");
        drawn.bindAll("node-0");
        List<String> before = drawn.names(ResourceTable.PODS);

        drawn.patch(ResourceTable.DEPLOYMENTS, "web", image("pause:2"));
        assertThat(drawn.list(ResourceTable.PODS)).as("4 + 1 in surge").hasSize(5);
        assertThat(Drawn.count(drawn.status(ResourceTable.DEPLOYMENTS, "web"), "availableReplicas"))
                .as("4 - 1 unavailable")
                .isEqualTo(3);
        drawn.bindUntilNoneWaits("node-1");

        assertThat(drawn.names(ResourceTable.PODS)).hasSize(4).doesNotContainAnyElementsOf(before);
        assertThat(drawn.names(ResourceTable.REPLICA_SETS)).hasSize(2);
        assertThat(Drawn.count(drawn.status(ResourceTable.DEPLOYMENTS, "web"), "updatedReplicas"))
                .isEqualTo(4);
    }

    @Test
    void goingBackToAnEarlierTemplateUsesItsReplicaSetAgain() throws Exception {
        drawn.workload("Deployment", "web", 1, "");
        drawn.bindUntilNoneWaits("node-0");
        drawn.patch(ResourceTable.DEPLOYMENTS, "web", image("pause:2"));
        drawn.bindUntilNoneWaits("node-0");
        drawn.patch(ResourceTable.DEPLOYMENTS, "web", image("pause:1"));
        drawn.bindUntilNoneWaits("node-0");

        assertThat(drawn.names(ResourceTable.REPLICA_SETS)).hasSize(2);
        assertThat(drawn.get(ResourceTable.DEPLOYMENTS, "web").toString())
                .contains("\"deployment.kubernetes.io/revision\":\"3\"");
    }

    @Test
    void recreatingWaitsForTheLastOldPod() throws Exception {
        drawn.workload("Deployment", "web", 2, "\"strategy\":{\"type\":\"Recreate\"},");
        drawn.bindAll("node-0");
        List<String> before = drawn.names(ResourceTable.PODS);
        drawn.patch(ResourceTable.DEPLOYMENTS, "web", image("pause:2"));

        assertThat(drawn.names(ResourceTable.PODS)).hasSize(2).doesNotContainAnyElementsOf(before);
    }

    @Test
    void theCheapestPodsGoFirst() throws Exception {
        drawn.workload("ReplicaSet", "web", 4, "");
        List<String> names = drawn.names(ResourceTable.PODS);
        world.objects().bind("default", names.get(0), "node-0");
        world.objects().bind("default", names.get(1), "node-0");
        world.objects().bind("default", names.get(2), "node-1");
        world.settle();
        scale("web", 3);
        assertThat(drawn.names(ResourceTable.PODS)).as("unassigned").doesNotContain(names.get(3));
        drawn.patch(ResourceTable.PODS, names.get(2), """
                {"metadata":{"annotations":{"controller.kubernetes.io/pod-deletion-cost":"-5"}}}""");
        scale("web", 2);
        assertThat(drawn.names(ResourceTable.PODS)).as("cost").containsExactlyInAnyOrderElementsOf(names.subList(0, 2));
        world.objects().delete(ResourceTable.PODS, "default", names.get(1));
        world.settle();
        assertThat(drawn.names(ResourceTable.PODS)).as("replaced").hasSize(2).doesNotContain(names.get(1));
    }

    @Test
    void aStatefulSetGoesUpInOrderAndDownInReverse() throws Exception {
        drawn.workload("StatefulSet", "db", 3, "");
        assertThat(drawn.names(ResourceTable.PODS)).containsExactly("db-0");
        drawn.bindAll("node-0");
        assertThat(drawn.names(ResourceTable.PODS)).containsExactly("db-0", "db-1");
        drawn.bindUntilNoneWaits("node-0");
        assertThat(drawn.get(ResourceTable.PODS, "db-2").toString())
                .contains(
                        "\"apps.kubernetes.io/pod-index\":\"2\"",
                        "\"statefulset.kubernetes.io/pod-name\":\"db-2\"",
                        "\"controller-revision-hash\":\"db-");

        drawn.patch(ResourceTable.STATEFUL_SETS, "db", image("pause:2"));
        assertThat(drawn.list(ResourceTable.PODS))
                .filteredOn(pod -> pod.toString().contains("pause:2"))
                .extracting(Drawn::name)
                .containsExactly("db-2");
        drawn.bindUntilNoneWaits("node-0");
        assertThat(Drawn.count(drawn.status(ResourceTable.STATEFUL_SETS, "db"), "updatedReplicas"))
                .isEqualTo(3);

        drawn.patch(ResourceTable.STATEFUL_SETS, "db", "{\"spec\":{\"replicas\":1}}");
        assertThat(drawn.names(ResourceTable.PODS)).containsExactly("db-0");
    }

    @Test
    void aParallelStatefulSetWaitsForNothing() throws Exception {
        drawn.workload("StatefulSet", "db", 3, "\"podManagementPolicy\":\"Parallel\",");

        assertThat(drawn.names(ResourceTable.PODS)).containsExactly("db-0", "db-1", "db-2");
    }

    @Test
    void aDisruptionBudgetCountsHealthyPods() throws Exception {
        world.objects().create("""
                {"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"b"},
                 "spec":{"maxUnavailable":"34%","selector":{"matchLabels":{"app":"web"}}}}""");
        drawn.workload("Deployment", "web", 3, "");
        assertThat(Drawn.count(drawn.status(ResourceTable.DISRUPTION_BUDGETS, "b"), "expectedPods"))
                .isEqualTo(3);
        drawn.bindAll("node-0");

        JsonObject status = drawn.status(ResourceTable.DISRUPTION_BUDGETS, "b");
        assertThat(Drawn.count(status, "currentHealthy")).isEqualTo(3);
        assertThat(Drawn.count(status, "desiredHealthy")).isEqualTo(1);
        assertThat(Drawn.count(status, "disruptionsAllowed")).isEqualTo(2);
    }

    @Test
    void whatADeploymentMadeGoesWithIt() throws Exception {
        drawn.workload("Deployment", "web", 3, "");
        drawn.bindAll("node-0");
        world.objects().delete(ResourceTable.DEPLOYMENTS, "default", "web");
        world.settle();

        assertThat(drawn.names(ResourceTable.REPLICA_SETS)).isEmpty();
        assertThat(drawn.names(ResourceTable.PODS)).isEmpty();
    }

    @Test
    void podsOfALostNodeAreReplaced() throws Exception {
        drawn.workload("Deployment", "web", 2, "");
        drawn.bindAll("node-0");
        List<String> before = drawn.names(ResourceTable.PODS);
        world.nodes().remove("node-0");
        world.settle();

        assertThat(drawn.names(ResourceTable.PODS)).hasSize(2).doesNotContainAnyElementsOf(before);
    }

    @Test
    void aCordonedNodeIsTaintedUntilItIsUncordoned() throws Exception {
        drawn.patch(ResourceTable.NODES, "node-0", "{\"spec\":{\"unschedulable\":true}}");
        assertThat(drawn.get(ResourceTable.NODES, "node-0")
                        .getAsJsonObject("spec")
                        .toString())
                .contains("\"key\":\"node.kubernetes.io/unschedulable\",\"effect\":\"NoSchedule\"");
        drawn.patch(ResourceTable.NODES, "node-0", "{\"spec\":{\"unschedulable\":null}}");
        assertThat(drawn.get(ResourceTable.NODES, "node-0")
                        .getAsJsonObject("spec")
                        .has("taints"))
                .isFalse();
    }

    @Test
    void everyNamespaceHasAServiceAccount() throws Exception {
        world.objects().create("{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"team\"}}");
        world.settle();

        assertThat(world.objects().list(ResourceTable.SERVICE_ACCOUNTS, "team")).hasSize(1);
        assertThat(new HashSet<>(world.objects().list(ResourceTable.SERVICE_ACCOUNTS, "")))
                .hasSize(5);
    }

    private void scale(String set, int replicas) throws InterruptedException {
        drawn.patch(ResourceTable.REPLICA_SETS, set, "{\"spec\":{\"replicas\":%d}}".formatted(replicas));
    }

    private static String image(String name) {
        return "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"%s\"}]}}}}"
                .formatted(name);
    }

    private static String phase(JsonObject pod) {
        return pod.getAsJsonObject("status").get("phase").getAsString();
    }
}
