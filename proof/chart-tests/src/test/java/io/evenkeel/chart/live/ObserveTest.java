package io.evenkeel.chart.live;

import static io.evenkeel.chart.live.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.chart.helm.Chart;
import io.evenkeel.chart.helm.Manifests;
import io.evenkeel.chart.helm.Yaml;
import io.evenkeel.hollow.HollowCluster;
import io.evenkeel.hollow.RequestLog.LoggedRequest;
import io.evenkeel.hollow.Tokens.User;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.model.json.Trees;
import io.evenkeel.rotation.Rotated;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The chart's observer, {@code observe: true}: it has rights to read, and no others. */
class ObserveTest {
    private static final String TOKEN = "observer-token";
    private static final String PROMETHEUS = "prometheus-token";
    private static final List<String> REVIEWS = List.of("tokenreviews", "subjectaccessreviews");

    private final Manifests rendered = Chart.render("{observe: true, replicas: 1}");
    private final Rights rights = Rights.of("kube-system", "evenkeel", rendered.all());

    @TempDir
    private Path folder;

    /** A review is a question by its nature, though its verb is create: the server stores nothing. */
    @Test
    void noRuleOfAnyRoleLetsItWrite() {
        assertThat(rendered.all().stream()
                        .filter(manifest -> manifest.kind().endsWith("Role"))
                        .flatMap(role -> role.objects("rules").stream())
                        .filter(rule -> !REVIEWS.containsAll(Trees.texts(rule, "resources")))
                        .flatMap(rule -> Trees.texts(rule, "verbs").stream()))
                .isNotEmpty()
                .allMatch(verb -> List.of("get", "list", "watch").contains(verb));
        assertThat(rights.all())
                .filteredOn(right -> REVIEWS.contains(right.resource()))
                .extracting(Right::verb)
                .containsExactly("create", "create");
    }

    @Test
    void thereIsNoLeaseAndNoAlertOfOne() {
        assertThat(rights.all()).extracting(Right::resource).doesNotContain("leases", "events", "pods/binding");
        assertThat(Chart.text("{observe: true, replicas: 1, metrics: {prometheusRule: {enabled: true}}}"))
                .contains("EvenkeelSpreadSkew")
                .doesNotContain("EvenkeelNoLeader");
    }

    @Test
    void moreThanOneReplicaIsRefused() {
        assertThatThrownBy(() -> Chart.render("observe: true"))
                .hasMessageContaining(
                        "replicas is 2 and observe is true: each replica would observe the same and say so; set replicas to 1");
    }

    @Rotated(3)
    @Test
    void withTheseRightsAndNoOthersItObserves() throws Exception {
        try (HollowCluster cluster = HollowCluster.start()) {
            cluster.tokens().add(TOKEN, User.named(rights.user(), "system:serviceaccounts"));
            cluster.tokens().add(PROMETHEUS, User.named("prometheus"));
            cluster.authorize(rights);
            cluster.objects().create(Yaml.document("""
                {apiVersion: v1, kind: Node, metadata: {name: n1, labels: {topology.kubernetes.io/zone: a}},
                 status: {allocatable: {cpu: 1, memory: 1Gi, pods: 10}}}
                """).toString());
            cluster.objects().create(Yaml.document("""
                apiVersion: v1
                kind: Pod
                metadata:
                  name: job-1
                  namespace: default
                  labels: {app: job}
                  ownerReferences: [{apiVersion: batch/v1, kind: Job, name: job, uid: u, controller: true}]
                spec:
                  containers: [{name: c, image: i}]
                  topologySpreadConstraints:
                  - maxSkew: 1
                    topologyKey: topology.kubernetes.io/zone
                    whenUnsatisfiable: ScheduleAnyway
                    labelSelector: {matchLabels: {app: job}}
                """).toString());
            long before = cluster.version();
            try (SchedulerProcess observer = SchedulerProcess.start(folder, rendered, cluster, "observer", TOKEN)) {
                observer.awaitReady();
                eventually("the workload is in the metrics")
                        .until(() -> observer.get("/metrics", PROMETHEUS).body().contains("workload=\"Job/job\""));
                assertThat(observer.get("/debug/dump", PROMETHEUS).body()).contains("\"name\":\"n1\"");
                assertThat(observer.stop()).as(observer.log()).isZero();
            }

            List<LoggedRequest> calls = cluster.requestLog().requests().stream()
                    .filter(request -> request.user().equals(rights.user()))
                    .toList();
            assertThat(calls).isNotEmpty().noneMatch(call -> call.code() == 403);
            assertThat(calls)
                    .filteredOn(call -> !REVIEWS.contains(call.attributes().resource()))
                    .allMatch(call -> call.method().equals("GET"));
            assertThat(cluster.version()).isEqualTo(before);
            assertThat(cluster.objects().list(ResourceTable.LEASES, "")).isEmpty();
        }
    }
}
