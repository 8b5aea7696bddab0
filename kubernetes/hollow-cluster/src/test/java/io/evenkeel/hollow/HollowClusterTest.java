package io.evenkeel.hollow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.hollow.Faults.HeldRequests;
import io.evenkeel.hollow.Faults.RequestMatch;
import io.evenkeel.hollow.resource.ResourceTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HollowClusterTest {

    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final RequestMatch BIND = new RequestMatch("create", "pods/binding");

    private final HollowCluster cluster = HollowCluster.start(HollowOptions.DEFAULT.plainHttp());
    private final TestClient client = new TestClient(cluster);

    @BeforeEach
    void aNodeAndThreePods() {
        cluster.objects().create("{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n1\"}}");
        Stream.of("p1", "p2", "p3").forEach(this::createPod);
    }

    @AfterEach
    void close() {
        client.close();
        cluster.close();
    }

    @Test
    void pagesShowTheVersionOfTheFirst() throws Exception {
        JsonObject first = client.getTree(PODS + "?limit=2");
        cluster.objects().deleteNow(ResourceTable.PODS, "default", "p3");
        createPod("p4");
        String token = first.getAsJsonObject("metadata").get("continue").getAsString();

        assertThat(names(first)).containsExactly("p1", "p2");
        assertThat(names(client.getTree(PODS + "?limit=2&continue=" + token))).containsExactly("p3");
        cluster.compact();
        JsonObject gone = client.getTree(PODS + "?limit=2&continue=" + token);
        assertThat(gone.get("code").getAsInt()).isEqualTo(410);
        String goesOn = gone.getAsJsonObject("metadata").get("continue").getAsString();
        assertThat(names(client.getTree(PODS + "?limit=2&continue=" + goesOn))).containsExactly("p4");
    }

    @Test
    void theKubeconfigIsForItsOwnerAlone(@TempDir Path folder) throws IOException {
        Path readable = Files.writeString(folder.resolve("kubeconfig"), "of another cluster");
        Files.setPosixFilePermissions(readable, PosixFilePermissions.fromString("rw-r--r--"));

        assertThat(cluster.writeKubeconfig(readable)).hasContent(cluster.kubeconfig());

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(readable)))
                .isEqualTo("rw-------");
    }

    @Test
    void aWatchGoesOnFromWhereItWasCut() throws Exception {
        long before = cluster.version();
        createPod("p4");
        try (Stream<String> lines = client.watch(PODS + "?watch=1&resourceVersion=" + before)) {
            Iterator<String> events = lines.iterator();
            assertThat(event(events)).isEqualTo("ADDED p4");
            cluster.objects().bind("default", "p4", "n1");
            assertThat(event(events)).isEqualTo("MODIFIED p4");
            cluster.closeWatches();
            assertThat(events.hasNext()).isFalse();
        }
        cluster.compact();
        assertThat(client.events(PODS + "?watch=1&timeoutSeconds=1&resourceVersion=" + before))
                .extracting(event -> event.get("type").getAsString())
                .containsExactly("ERROR");
    }

    @Test
    void olderServersRejectInitialEvents() throws Exception {
        String watch = PODS + "?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=1";
        try (HollowCluster older =
                        HollowCluster.start(HollowOptions.DEFAULT.plainHttp().withoutWatchList());
                TestClient olderClient = new TestClient(older)) {
            assertThat(olderClient.get(watch).statusCode()).isEqualTo(422);
        }
        assertThat(client.get(watch).statusCode()).isEqualTo(200);
        assertThat(client.get(PODS + "?watch=1&sendInitialEvents=true").statusCode())
                .isEqualTo(422);
    }

    @Test
    void refusesAsOrderedThenRecovers() throws Exception {
        cluster.faults().refuseNext(1, BIND, 429, 3);

        var refused = bind("p1");
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValue("Retry-After")).contains("3");
        assertThat(bind("p1").statusCode()).isEqualTo(201);
    }

    @Test
    void nothingIsDoneForHeldRequestsUntilTheyAreLetOn() throws Exception {
        HeldRequests held = cluster.faults().hold(BIND);
        CompletableFuture<Integer> code = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                code.complete(bind("p1").statusCode());
            } catch (IOException | InterruptedException cutOff) {
                code.completeExceptionally(cutOff);
            }
        });
        await().atMost(Duration.ofMinutes(10)).until(() -> held.waiting() == 1);
        assertThat(client.get(PODS).statusCode()).as("others go on").isEqualTo(200);
        assertThat(cluster.requestLog().underway()).isEqualTo(1);
        assertThat(cluster.objects().get(ResourceTable.PODS, "default", "p1").orElseThrow())
                .doesNotContain("nodeName");

        held.letOn();
        assertThat(code.get()).isEqualTo(201);
        assertThat(bind("p2").statusCode()).as("no others are held").isEqualTo(201);
    }

    @Test
    void aDroppedAnswerLeavesTheWriteDone() throws Exception {
        cluster.faults().dropNextAnswers(1, BIND);

        assertThatThrownBy(() -> bind("p1")).isInstanceOf(IOException.class);
        assertThat(cluster.objects().get(ResourceTable.PODS, "default", "p1").orElseThrow())
                .contains("\"nodeName\":\"n1\"");
    }

    @Test
    void aRestartedServerHasThePortAndTheObjectsItHad() throws Exception {
        String url = cluster.url();
        cluster.stopServer();
        assertThatThrownBy(() -> client.get(PODS)).isInstanceOf(IOException.class);
        cluster.restartServer();

        assertThat(cluster.url()).isEqualTo(url);
        assertThat(names(client.getTree(PODS))).containsExactly("p1", "p2", "p3");
    }

    @Test
    void anExhaustedBudgetKeepsItsPod() throws Exception {
        cluster.objects().create("""
            {"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"b"},
             "spec":{"minAvailable":1,"selector":{"matchLabels":{"app":"a"}}}}\
            """);
        cluster.objects().bind("default", "p1", "n1");
        cluster.objects().patchStatus(ResourceTable.PODS, "default", "p1", "{\"status\":{\"phase\":\"Running\"}}");

        var refused = client.post(PODS + "/p1/eviction", "{}");
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.body()).contains("Cannot evict pod as it would violate the pod's disruption budget.");
    }

    @Test
    void everyPodGetsATokenVolumeOfItsOwn() {
        assertThat(cluster.objects().list(ResourceTable.PODS, "default"))
                .allMatch(pod -> pod.contains("kube-api-access-"));
    }

    @Test
    void aServiceKeepsTheAddressThatItWasGiven() throws Exception {
        String services = "/api/v1/namespaces/default/services";
        String service = "{\"metadata\":{\"name\":\"%s\"},\"spec\":{\"ports\":[{\"port\":%d}]}}";
        client.post(services, service.formatted("a", 80));
        client.post(services, service.formatted("b", 80));
        client.put(services + "/a", service.formatted("a", 81));

        assertThat(address(client.getTree(services + "/a"))).isEqualTo("10.96.0.1");
        assertThat(address(client.getTree(services + "/b"))).isEqualTo("10.96.0.2");
    }

    @Test
    void aServiceWithoutAnAddressStaysWithout() throws Exception {
        String services = "/api/v1/namespaces/default/services";
        String service = "{\"metadata\":{\"name\":\"a\"},\"spec\":{\"clusterIP\":\"None\"}}";
        client.post(services, service);
        client.put(services + "/a", service);

        assertThat(address(client.getTree(services + "/a"))).isEqualTo("None");
    }

    @Test
    void logsWhoAskedForWhat() throws Exception {
        bind("p1");

        assertThat(cluster.requestLog().requests()).singleElement().satisfies(request -> {
            assertThat(request.attributes().verb()).isEqualTo("create");
            assertThat(request.attributes().resourcePath()).isEqualTo("pods/binding");
            assertThat(request.code()).isEqualTo(201);
        });
    }

    private java.net.http.HttpResponse<String> bind(String pod) throws IOException, InterruptedException {
        return client.post(PODS + "/" + pod + "/binding", "{\"target\":{\"kind\":\"Node\",\"name\":\"n1\"}}");
    }

    private void createPod(String name) {
        cluster.objects().create("""
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","labels":{"app":"a"}},
             "spec":{"containers":[{"name":"c","image":"pause"}]}}\
            """.formatted(name));
    }

    @Test
    void keepsRolesAndWhoHasThem() throws Exception {
        String rbac = "/apis/rbac.authorization.k8s.io/v1";
        String named = "{\"metadata\":{\"name\":\"reader\"}}";
        for (String path : List.of("/clusterroles", "/clusterrolebindings", "/namespaces/default/roles")) {
            assertThat(client.post(rbac + path, named).statusCode()).as(path).isEqualTo(201);
            assertThat(names(client.getTree(rbac + path))).as(path).containsExactly("reader");
        }
        assertThat(client.get(rbac + "/namespaces/default/roles/writer").body())
                .contains("roles.rbac.authorization.k8s.io \\\"writer\\\" not found");
    }

    @Test
    void rolesMayHaveNamesThatOthersMayNot() throws Exception {
        String roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
        String named = "{\"metadata\":{\"name\":\"%s\"}}";
        assertThat(client.post(roles, named.formatted("system:node")).statusCode())
                .isEqualTo(201);
        assertThat(client.get(roles + "/system:node").statusCode()).isEqualTo(200);
        assertThat(client.post(roles, named.formatted("a/b")).body()).contains("may not contain '/'");
        assertThat(client.post(roles, named.formatted("..")).body()).contains("may not be '..'");
        assertThat(client.post("/api/v1/namespaces/default/configmaps", named.formatted("system:node"))
                        .statusCode())
                .isEqualTo(422);
    }

    private static String address(JsonObject service) {
        return service.getAsJsonObject("spec").get("clusterIP").getAsString();
    }

    private static String event(Iterator<String> lines) {
        JsonObject event = JsonParser.parseString(lines.next()).getAsJsonObject();
        return event.get("type").getAsString() + " "
                + event.getAsJsonObject("object")
                        .getAsJsonObject("metadata")
                        .get("name")
                        .getAsString();
    }

    private static List<String> names(JsonObject list) {
        List<String> names = new ArrayList<>();
        list.getAsJsonArray("items")
                .forEach(item -> names.add(item.getAsJsonObject()
                        .getAsJsonObject("metadata")
                        .get("name")
                        .getAsString()));
        return names;
    }
}
