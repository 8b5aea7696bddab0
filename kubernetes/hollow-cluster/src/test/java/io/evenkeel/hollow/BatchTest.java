package io.evenkeel.hollow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.controller.HollowWorld;
import io.evenkeel.hollow.controller.WorldOptions;
import io.evenkeel.hollow.controller.WorldOptions.Capacity;
import io.evenkeel.hollow.controller.WorldOptions.Pace;
import io.evenkeel.hollow.resource.Refusals.ApiException;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.store.Change;
import io.evenkeel.model.json.Trees;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Jobs, DaemonSets and ResourceQuotas. */
class BatchTest {
    private final HollowWorld world = HollowWorld.start(WorldOptions.DEFAULT
            .withNodes(2, 2, Capacity.DEFAULT)
            .atPace(new Pace(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ofMillis(1))));
    private final Drawn drawn = new Drawn(world);

    @AfterEach
    void close() {
        world.close();
    }

    private void job(String spec, String annotations) throws InterruptedException {
        world.objects().create("""
                {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"sum"},
                 "spec":{%s "template":{"metadata":{"annotations":{%s}},
                  "spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"pause:1"}]}}}}""".formatted(spec, annotations));
        world.settle();
    }

    private JsonObject job() {
        return drawn.get(ResourceTable.JOBS, "sum");
    }

    private String conditions() {
        return Trees.objects(job(), "status", "conditions").stream()
                .map(each -> Trees.text(each, "type") + " " + Trees.text(each, "reason"))
                .toList()
                .toString();
    }

    @Test
    void aJobHasAsManyPodsAtOnceAsItSaysUntilAsManyHaveSucceeded() throws Exception {
        job("\"completions\":3,\"parallelism\":2,", "");
        assertThat(drawn.list(ResourceTable.PODS))
                .hasSize(2)
                .allSatisfy(pod -> assertThat(pod.toString())
                        .contains("\"batch.kubernetes.io/job-name\":\"sum\"", "batch.kubernetes.io/job-tracking"));

        drawn.bindUntilNoneWaits("node-0");

        assertThat(drawn.list(ResourceTable.PODS)).hasSize(3).allSatisfy(pod -> {
            assertThat(Trees.text(pod, "status", "phase")).isEqualTo("Succeeded");
            assertThat(pod.getAsJsonObject("metadata").has("finalizers")).isFalse();
        });
        assertThat(Trees.number(job(), "status", "succeeded")).contains(3L);
        assertThat(conditions()).isEqualTo("[SuccessCriteriaMet CompletionsReached, Complete CompletionsReached]");
    }

    @Test
    void aJobWithPodsThatFailEndsAtItsLimit() throws Exception {
        job("\"backoffLimit\":1,", "\"hollow.evenkeel.io/exit-code\":\"3\"");

        drawn.bindUntilNoneWaits("node-0");

        assertThat(drawn.list(ResourceTable.PODS)).hasSize(2);
        assertThat(Trees.number(job(), "status", "failed")).contains(2L);
        assertThat(conditions()).isEqualTo("[FailureTarget BackoffLimitExceeded, Failed BackoffLimitExceeded]");
    }

    @Test
    void aPodOfAJobRunsForAsLongAsItSays() throws Exception {
        job("", "\"hollow.evenkeel.io/runs-for\":\"ever\"");

        drawn.bindAll("node-0");

        assertThat(Trees.number(job(), "status", "active")).contains(1L);
        assertThat(Trees.number(job(), "status", "ready")).contains(1L);
    }

    @Test
    void anIndexedJobHasAPodOfEachIndex() throws Exception {
        job("\"completions\":4,\"parallelism\":3,\"completionMode\":\"Indexed\",", "");
        assertThat(drawn.names(ResourceTable.PODS)).anyMatch(name -> name.startsWith("sum-2-"));

        drawn.bindUntilNoneWaits("node-0");

        assertThat(Trees.text(job(), "status", "completedIndexes")).isEqualTo("0-3");
    }

    @Test
    void aPodThatIsDeletedCountsAsFailedAndIsMadeAgain() throws Exception {
        job("", "");
        String first = drawn.names(ResourceTable.PODS).getFirst();

        world.objects().delete(ResourceTable.PODS, "default", first);
        world.settle();

        assertThat(drawn.names(ResourceTable.PODS)).hasSize(1).doesNotContain(first);
        assertThat(Trees.number(job(), "status", "failed")).contains(1L);
    }

    @Test
    void nothingIsLeftOfAJobThatIsDeletedNorOfOneThatIsSuspended() throws Exception {
        job("", "");
        drawn.patch(ResourceTable.JOBS, "sum", "{\"spec\":{\"suspend\":true}}");
        assertThat(drawn.list(ResourceTable.PODS)).isEmpty();
        assertThat(Trees.number(job(), "status", "failed").orElse(0L)).isZero();

        drawn.patch(ResourceTable.JOBS, "sum", "{\"spec\":{\"suspend\":false}}");
        assertThat(drawn.list(ResourceTable.PODS)).hasSize(1);

        world.objects().delete(ResourceTable.JOBS, "default", "sum");
        world.settle();
        assertThat(drawn.list(ResourceTable.PODS)).isEmpty();
    }

    @Test
    void aDaemonSetHasAPodForEachNodeThatItIsFor() throws Exception {
        world.objects().create("""
                {"apiVersion":"v1","kind":"Node","metadata":{"name":"tainted"},
                 "spec":{"taints":[{"key":"k","effect":"NoSchedule"}]}}""");
        world.objects().create("""
                {"apiVersion":"apps/v1","kind":"DaemonSet","metadata":{"name":"agent"},
                 "spec":{"selector":{"matchLabels":{"app":"agent"}},
                  "template":{"metadata":{"labels":{"app":"agent"}},
                   "spec":{"containers":[{"name":"c","image":"pause:1"}]}}}}""");
        world.settle();
        assertThat(drawn.list(ResourceTable.PODS))
                .hasSize(2)
                .anySatisfy(pod -> assertThat(pod.toString())
                        .contains("{\"key\":\"metadata.name\",\"operator\":\"In\",\"values\":[\"node-1\"]}"));

        drawn.bindAll("node-0"); // one of them is where it must not be: that is the scheduler's affair
        world.nodes().remove("node-1");
        world.nodes().add("node-2", "zone-0", Capacity.DEFAULT);
        world.settle();

        assertThat(Trees.number(drawn.status(ResourceTable.DAEMON_SETS, "agent"), "desiredNumberScheduled"))
                .contains(2L);
        assertThat(drawn.list(ResourceTable.PODS))
                .hasSize(2)
                .anySatisfy(pod -> assertThat(pod.toString()).contains("\"node-2\""));
    }

    @Test
    void anotherTemplateReplacesThePodsOfADaemonSetOneByOne() throws Exception {
        world.objects().create("""
                {"apiVersion":"apps/v1","kind":"DaemonSet","metadata":{"name":"agent"},
                 "spec":{"selector":{"matchLabels":{"app":"agent"}},
                  "template":{"metadata":{"labels":{"app":"agent"}},
                   "spec":{"containers":[{"name":"c","image":"pause:1"}]}}}}""");
        world.settle();
        for (JsonObject pod : drawn.list(ResourceTable.PODS)) {
            boolean isFirst = pod.toString().contains("[\"node-0\"]");
            world.objects().bind("default", Drawn.name(pod), isFirst ? "node-0" : "node-1");
        }
        world.settle();

        drawn.patch(
                ResourceTable.DAEMON_SETS,
                "agent",
                "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"pause:2\"}]}}}}");

        assertThat(drawn.list(ResourceTable.PODS))
                .hasSize(2)
                .filteredOn(pod -> pod.toString().contains("pause:2"))
                .hasSize(1);
    }

    private void quota(String hard) throws InterruptedException {
        world.objects().create("""
                {"apiVersion":"v1","kind":"ResourceQuota","metadata":{"name":"compute"},"spec":{"hard":{%s}}}""".formatted(hard));
        world.settle();
    }

    private void pod(String name, String requests) {
        world.objects().create("""
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s"},
                 "spec":{"containers":[{"name":"c","image":"pause:1","resources":{"requests":{%s}}}]}}""".formatted(name, requests));
    }

    @Test
    void aQuotaRefusesInTheWordsOfTheServerAndCountsWhatIsUsed() throws Exception {
        quota("\"requests.cpu\":\"2\",\"pods\":\"3\"");
        pod("one", "\"cpu\":\"1500m\"");

        assertThatThrownBy(() -> pod("two", "\"cpu\":\"1\""))
                .isInstanceOf(ApiException.class)
                .hasMessage("pods \"two\" is forbidden: exceeded quota: compute, requested: requests.cpu=1, used:"
                        + " requests.cpu=1500m, limited: requests.cpu=2");
        assertThatThrownBy(() -> pod("three", ""))
                .hasMessage("pods \"three\" is forbidden: failed quota: compute: must specify requests.cpu for: c");
        world.settle();
        assertThat(used()).isEqualTo("{\"pods\":\"1\",\"requests.cpu\":\"1500m\"}");

        world.objects().deleteNow(ResourceTable.PODS, "default", "one");
        world.settle();
        assertThat(used()).isEqualTo("{\"pods\":\"0\",\"requests.cpu\":\"0\"}");
    }

    @Test
    void whatOneQuotaRefusesIsChargedToNoOther() throws Exception {
        quota("\"pods\":\"2\"");
        world.objects().create("""
                {"apiVersion":"v1","kind":"ResourceQuota","metadata":{"name":"tight"},"spec":{"hard":{"pods":"0"}}}""");
        world.settle();
        long before = world.cluster().version();

        assertThatThrownBy(() -> pod("one", "")).hasMessageContaining("exceeded quota: tight");

        assertThat(world.cluster().version()).isEqualTo(before);
    }

    @Test
    void aReplicaSetStaysWithinItsQuota() throws Exception {
        quota("\"pods\":\"2\",\"count/replicasets.apps\":\"1\"");

        drawn.workload("ReplicaSet", "web", 5, "");

        assertThat(drawn.list(ResourceTable.PODS)).hasSize(2);
        assertThatThrownBy(() -> drawn.workload("ReplicaSet", "more", 1, ""))
                .hasMessage("replicasets.apps \"more\" is forbidden: exceeded quota: compute, requested:"
                        + " count/replicasets.apps=1, used: count/replicasets.apps=1, limited:"
                        + " count/replicasets.apps=1");
    }

    @Test
    void whoIsRefusedPodsSaysSoUntilHeGetsThem() throws Exception {
        quota("\"pods\":\"2\"");
        drawn.workload("Deployment", "web", 5, "");
        String set = drawn.names(ResourceTable.REPLICA_SETS).getFirst();

        assertThat(failures(ResourceTable.REPLICA_SETS, set))
                .isEqualTo(failures(ResourceTable.DEPLOYMENTS, "web"))
                .singleElement()
                .asString()
                .startsWith("pods \"" + set + "-")
                .endsWith("is forbidden: exceeded quota: compute, requested: pods=1, used: pods=2, limited: pods=2");

        drawn.patch(ResourceTable.DEPLOYMENTS, "web", "{\"spec\":{\"replicas\":2}}");

        assertThat(drawn.list(ResourceTable.PODS)).hasSize(2);
        assertThat(failures(ResourceTable.REPLICA_SETS, set)).isEmpty();
        assertThat(failures(ResourceTable.DEPLOYMENTS, "web")).isEmpty();
    }

    private List<String> failures(ResourceType type, String name) {
        return Trees.objects(drawn.status(type, name), "conditions").stream()
                .filter(condition -> Trees.text(condition, "type").equals("ReplicaFailure"))
                .map(condition -> Trees.text(condition, "message"))
                .toList();
    }

    @Test
    void aJobThatHasRestedTriesAgainWhatAQuotaRefused() throws Exception {
        quota("\"pods\":\"2\"");
        pod("other", "");
        job("", "\"hollow.evenkeel.io/exit-code\":\"1\"");
        drawn.patch(ResourceTable.RESOURCE_QUOTAS, "compute", "{\"spec\":{\"hard\":{\"pods\":\"1\"}}}");
        drawn.bindAll("node-0");
        assertThat(drawn.list(ResourceTable.PODS)).hasSize(2);
        assertThat(Trees.number(job(), "status", "failed")).contains(1L);
        CountDownLatch second = new CountDownLatch(2); // the first is told of, too
        world.objects().registry().store().observe(change -> {
            if (change instanceof Change.Added && change.object().name().startsWith("sum-")) {
                second.countDown();
            }
        });

        world.objects().deleteNow(ResourceTable.PODS, "default", "other");

        assertThat(second.await(1, TimeUnit.MINUTES)).isTrue();
    }

    private String used() {
        return drawn.status(ResourceTable.RESOURCE_QUOTAS, "compute")
                .getAsJsonObject("used")
                .toString();
    }
}
