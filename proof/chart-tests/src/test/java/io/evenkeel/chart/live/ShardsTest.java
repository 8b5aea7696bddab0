package io.evenkeel.chart.live;

import static io.evenkeel.chart.live.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.evenkeel.chart.helm.Chart;
import io.evenkeel.chart.helm.Manifests;
import io.evenkeel.chart.helm.Yaml;
import io.evenkeel.hollow.Authorizer.Attributes;
import io.evenkeel.hollow.HollowCluster;
import io.evenkeel.hollow.HollowOptions;
import io.evenkeel.hollow.RequestLog.LoggedRequest;
import io.evenkeel.hollow.Tokens.User;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.model.json.Trees;
import io.evenkeel.rotation.Rotated;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The chart's scheduler with shards, with its rights and no others. */
class ShardsTest {
    private static final String SCHEDULER = "scheduler-token";
    private static final String PROMETHEUS = "prometheus-token";
    private static final Manifests RENDERED = rendered("{nodeLabel: pool, values: [a]}");

    private final HollowCluster cluster = HollowCluster.start(HollowOptions.DEFAULT);
    private final Rights rights = Rights.of("kube-system", "evenkeel", RENDERED.all());

    @TempDir
    private Path folder;

    private static Manifests rendered(String shards) {
        return rendered(shards, false);
    }

    private static Manifests rendered(String shards, boolean answering) {
        return Chart.render("""
                replicas: 1
                shards: %s
                why: {enabled: %s}
                metrics: {serviceMonitor: {enabled: true}, prometheusRule: {enabled: true}}
                config:
                  leaderElection: {leaseDuration: 3s, renewDeadline: 2s, retryPeriod: 500ms}
                  profiles: [{schedulerName: evenkeel, plugins: {multiPoint: {enabled: [{name: GroupPlacement}]}}}]
                """.formatted(shards, answering));
    }

    @BeforeEach
    void begin() {
        cluster.tokens().add(SCHEDULER, User.named(rights.user(), "system:serviceaccounts"));
        cluster.tokens().add(PROMETHEUS, User.named("prometheus"));
        cluster.authorize(rights);
        for (String pool : List.of("a", "b")) {
            cluster.objects().create(Yaml.document("""
                    apiVersion: v1
                    kind: Node
                    metadata: {name: of-%1$s, labels: {pool: %1$s, kubernetes.io/hostname: of-%1$s}}
                    status: {allocatable: {cpu: 4, memory: 1Gi, pods: 10}, capacity: {cpu: 4, memory: 1Gi, pods: 10}}
                    """.formatted(pool)).toString());
        }
    }

    @AfterEach
    void end() {
        cluster.close();
    }

    private void pod(String name, String cpu, String more) {
        cluster.objects().create(Yaml.document("""
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, labels: {app: web}}
                spec:
                  schedulerName: evenkeel
                  containers: [{name: c, image: i, resources: {requests: {cpu: %s}}}]
                  %s
                """.formatted(name, cpu, more)).toString());
    }

    private JsonObject pod(String name) {
        return Trees.parse(
                cluster.objects().get(ResourceTable.PODS, "default", name).orElseThrow());
    }

    private void awaitNode(String pod) {
        eventually(pod + " has a node")
                .until(() -> !Trees.text(pod(pod), "spec", "nodeName").isEmpty());
    }

    private String condition(String pod, String type) {
        return Trees.objects(pod(pod), "status", "conditions").stream()
                .filter(condition -> Trees.text(condition, "type").equals(type))
                .map(condition -> Trees.text(condition, "message"))
                .findFirst()
                .orElse("");
    }

    /** By a shard, by the overseer, and by none. */
    private void schedules() {
        pod("plain", "1", "nodeSelector: {pool: a}");
        pod("spread", "1", """
            topologySpreadConstraints:
              - {maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}}
            """);
        awaitNode("plain");
        awaitNode("spread");
        pod("big", "9", "");
        eventually("each shard has tried big")
                .until(() ->
                        condition("big", "PodScheduled").startsWith("0/2 nodes are available: 2 Insufficient cpu."));
    }

    @Rotated(2)
    @Test
    void withTheseRightsAndNoOthersItWorksAndIsWatched() throws Exception {
        String metrics;
        try (SchedulerProcess scheduler = SchedulerProcess.start(folder, RENDERED, cluster, "scheduler", SCHEDULER)) {
            schedules();
            metrics = scheduler.get("/metrics", PROMETHEUS).body();
            assertThat(scheduler.stop()).as(scheduler.log()).isZero();
        }

        List<LoggedRequest> calls = cluster.requestLog().requests().stream()
                .filter(request -> request.user().equals(rights.user()))
                .toList();
        assertThat(calls).isNotEmpty().noneMatch(call -> call.code() == 403);
        assertThat(written(calls)).containsExactlyInAnyOrder("evenkeel", "evenkeel-shard-0", "evenkeel-shard-1");
        assertThat(condition("spread", "evenkeel.io/shard")).startsWith("of-");
        Scrape scrape = Scrape.read(metrics);
        assertThat(alertsOfShards())
                .hasSize(7)
                .allSatisfy(alert -> new Expression(Trees.text(alert, "expr")).check(scrape));
    }

    private static Set<String> written(List<LoggedRequest> calls) {
        return calls.stream()
                .map(LoggedRequest::attributes)
                .filter(call -> call.resource().equals("leases") && call.verb().equals("update"))
                .map(Attributes::name)
                .collect(Collectors.toSet());
    }

    /** Those that ask otherwise where there are shards; of policies there are none here. */
    private static List<JsonObject> alertsOfShards() {
        return RENDERED.the("PrometheusRule").objects("spec", "groups").stream()
                .flatMap(group -> Trees.objects(group, "rules").stream())
                .filter(rule -> Trees.text(rule, "expr").contains("shard")
                        && !Trees.text(rule, "alert").contains("Policy"))
                .toList();
    }

    /** Also about what the other holds. */
    @Rotated(2)
    @Test
    void eachReplicaSaysWhyAPodWaits() throws Exception {
        Manifests answering = rendered("{nodeLabel: pool, values: [a]}", true);
        cluster.authorize(Rights.of("kube-system", "evenkeel", answering.all()));
        try (SchedulerProcess one = SchedulerProcess.start(
                        Files.createDirectory(folder.resolve("one")), answering, cluster, "scheduler", SCHEDULER);
                SchedulerProcess other = SchedulerProcess.start(
                        Files.createDirectory(folder.resolve("other")), answering, cluster, "scheduler", SCHEDULER)) {
            pod("big", "9", "");
            for (SchedulerProcess replica : List.of(one, other)) {
                eventually("it holds a shard")
                        .ignoreExceptionsInstanceOf(IOException.class)
                        .until(() -> Pattern.compile("(?m)^evenkeel_shard_held\\{.*\\} 1(\\.0)?$")
                                .matcher(replica.get("/metrics", PROMETHEUS).body())
                                .find());
            }
            eventually("each shard has tried big")
                    .until(() -> condition("big", "PodScheduled").startsWith("0/2 nodes are available"));
            for (SchedulerProcess replica : List.of(one, other)) {
                assertThat(replica.get(
                                        "/apis/why.evenkeel.io/v1alpha1/namespaces/default/pods/big/placement?output=text",
                                        PROMETHEUS)
                                .body())
                        .startsWith("default/big waits: 0/2 nodes are available: 2 Insufficient cpu.")
                        .contains("tried by shards 0, 1 of 2");
                assertThat(replica.log()).contains("Reading the whole cluster, as somebody asks about it");
            }
        }
        assertThat(cluster.requestLog().requests())
                .filteredOn(request -> request.user().equals(rights.user()))
                .noneMatch(request -> request.code() == 403);
    }

    /** Also where it died, so that it is waited for until its Leases run out, which are to be read for that. */
    @Rotated(2)
    @Test
    void oneThatKnowsNoShardsTakesItsPlace() throws Exception {
        Manifests whole = rendered("{}");
        SchedulerProcess before = SchedulerProcess.start(folder, RENDERED, cluster, "scheduler", SCHEDULER);
        pod("plain", "1", "nodeSelector: {pool: a}");
        awaitNode("plain");
        before.close();

        cluster.authorize(Rights.of("kube-system", "evenkeel", whole.all()));
        try (SchedulerProcess after = SchedulerProcess.start(folder, whole, cluster, "scheduler", SCHEDULER)) {
            pod("late", "1", "");
            awaitNode("late");
            assertThat(after.stop()).as(after.log()).isZero();
        }
    }
}
