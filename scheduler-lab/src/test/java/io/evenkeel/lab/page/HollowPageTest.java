package io.evenkeel.lab.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import io.evenkeel.app.live.LiveObservers;
import io.evenkeel.app.live.LiveOptions;
import io.evenkeel.app.live.LiveScheduler;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.hollow.HollowObjects;
import io.evenkeel.hollow.controller.ClusterFiles;
import io.evenkeel.hollow.controller.HollowWorld;
import io.evenkeel.hollow.controller.WorldOptions;
import io.evenkeel.hollow.controller.WorldOptions.Capacity;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.client.ConnectionOptions;
import io.evenkeel.kube.client.HttpTransport;
import io.evenkeel.model.json.Trees;
import io.evenkeel.tools.page.PageSite;
import io.evenkeel.tools.why.ClusterQuestions.Judgement;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page of a hollow cluster of three zones that Evenkeel schedules, asked over HTTP as a browser would. */
@TestInstance(Lifecycle.PER_CLASS)
class HollowPageTest {
    private static final SchedulerConfiguration CONFIGURATION = new ConfigurationReader().read("test", """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            leaderElection: {leaderElect: false}
            profiles: [{schedulerName: evenkeel}]
            """);

    private static final String DEPLOYMENT = """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: %1$s, namespace: default}
            spec:
              replicas: %2$d
              selector: {matchLabels: {app: %1$s}}
              template:
                metadata: {labels: {app: %1$s}}
                spec:
                  schedulerName: evenkeel
                  topologySpreadConstraints:
                  - maxSkew: 1
                    topologyKey: topology.kubernetes.io/zone
                    whenUnsatisfiable: DoNotSchedule
                    labelSelector: {matchLabels: {app: %1$s}}
                  containers: [{name: main, image: x, resources: {requests: {cpu: "%3$s"}}}]
            """;

    private static final String POD = """
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, namespace: default}
            spec:
              schedulerName: evenkeel
              containers: [{name: main, image: x, resources: {requests: {cpu: "%s"}}}]
            """;

    private final HttpClient browser = HttpClient.newHttpClient();
    private HollowWorld world;
    private HttpTransport transport;
    private LiveScheduler scheduler;
    private PageSite site;

    @BeforeAll
    void open(@TempDir Path directory) throws IOException {
        world = HollowWorld.start(WorldOptions.DEFAULT.withNodes(6, 3, Capacity.of("4", "8Gi", 20)));
        Path kubeconfig = world.cluster().writeKubeconfig(directory.resolve("kubeconfig.yaml"));
        transport = HttpTransport.open(ConnectionOptions.of(Optional.of(kubeconfig)), "test", ApiObserver.NONE);
        scheduler = LiveScheduler.start(CONFIGURATION, transport, LiveOptions.usual("test"), LiveObservers.NONE);
        site = HollowPage.site(0, "hollow", () -> CONFIGURATION, Judgement.OWN, kubeconfig, objects());
        create(DEPLOYMENT.formatted("web", 6, "1"));
        await().until(() -> get("state").get("synced").getAsBoolean());
        await().untilAsserted(() ->
                assertThat(workload("web").get("placed").getAsInt()).isEqualTo(6));
    }

    @AfterAll
    void close() {
        browser.close();
        site.close();
        scheduler.close();
        transport.close();
        world.close();
    }

    private HollowObjects objects() {
        return world.cluster().objects();
    }

    private void create(String yaml) {
        ClusterFiles.parse("manifest", yaml).forEach(objects()::create);
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(site.address().resolve(path)).timeout(Duration.ofMinutes(1));
    }

    private HttpResponse<String> answer(String path, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = request(path);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return browser.send(request.build(), BodyHandlers.ofString());
    }

    private JsonObject get(String path) throws IOException, InterruptedException {
        HttpResponse<String> answer = answer("api/" + path);
        return answer.statusCode() == 200 ? Trees.parse(answer.body()) : Trees.of("synced", false, "placed", -1);
    }

    private JsonObject workload(String name) throws IOException, InterruptedException {
        return Trees.objects(get("workloads"), "workloads").stream()
                .filter(row -> Trees.text(row, "name").equals(name))
                .findFirst()
                .orElseGet(() -> Trees.of("placed", -1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "index.html", "app.js", "style.css", "favicon.svg"})
    void eachFileForbidsAllThatIsNotItsOwn(String name) throws Exception {
        HttpResponse<String> file = answer(name);

        assertThat(file.statusCode()).isEqualTo(200);
        assertThat(file.headers().firstValue("Content-Security-Policy"))
                .hasValueSatisfying(policy ->
                        assertThat(policy).startsWith("default-src 'none'").doesNotContain("unsafe"));
        assertThat(file.headers().map()).doesNotContainKey("set-cookie");
    }

    @Test
    void theClusterIsShownByDomainsWithItsNodes() throws Exception {
        JsonObject cluster = get("cluster");

        assertThat(Trees.text(cluster, "key")).isEqualTo("topology.kubernetes.io/zone");
        assertThat(Trees.objects(cluster, "domains"))
                .hasSize(3)
                .allSatisfy(domain -> assertThat(Trees.text(domain, "nodes")).isEqualTo("2"));
        assertThat(cluster.getAsJsonObject("nodes").getAsJsonArray("name")).hasSize(6);
    }

    @Test
    void aWorkloadHasItsSpread() throws Exception {
        JsonObject constraint = Trees.objects(workload("web"), "constraints").getFirst();

        assertThat(Trees.text(constraint, "skew")).isEqualTo("0");
        assertThat(Trees.objects(constraint, "domains"))
                .allSatisfy(domain -> assertThat(Trees.text(domain, "pods")).isEqualTo("2"));
    }

    @Test
    void whatIsSimulatedIsNotWritten() throws Exception {
        JsonObject answer = get("whatif?scale=default/deploy/web=9&drain=node-0");

        assertThat(answer.getAsJsonArray("changes").toString()).contains("node-0 drained", "scaled from 6 to 9");
        assertThat(objects().list(ResourceTable.PODS, "default"))
                .filteredOn(pod -> pod.contains("\"app\":\"web\""))
                .hasSize(6);
    }

    private static final String PACKED = """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            profiles:
            - schedulerName: evenkeel
              plugins: {multiPoint: {enabled: [{name: NodeResourcesFit, weight: 50}]}}
              pluginConfig:
              - name: NodeResourcesFit
                args:
                  apiVersion: kubescheduler.config.k8s.io/v1
                  kind: NodeResourcesFitArgs
                  scoringStrategy: {type: %s, resources: [{name: cpu, weight: 1}]}
            """;

    @Test
    void anotherConfigurationIsComparedWithThePresentOne() throws Exception {
        HttpResponse<String> answer = put("whatif?anew=true", PACKED.formatted("MostAllocated"));

        JsonObject packed = Trees.parse(answer.body());
        JsonObject compared = packed.getAsJsonObject("compared");
        assertThat(Trees.text(compared, "with")).isEqualTo("the present configuration");
        assertThat(nodesInUse(packed)).isPositive().isLessThan(nodesInUse(compared));
        assertThat(objects().list(ResourceTable.PODS, "default"))
                .as("nothing is written")
                .filteredOn(pod -> pod.contains("\"app\":\"web\""))
                .hasSize(6);
    }

    private static int nodesInUse(JsonObject answer) {
        return answer.getAsJsonObject("after").get("nodesInUse").getAsInt();
    }

    @Test
    void aConfigurationWithAMistakeIsRefusedByItsField() throws Exception {
        HttpResponse<String> answer = put("whatif", PACKED.formatted("Tight"));

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(Trees.text(Trees.parse(answer.body()), "message"))
                .startsWith("configuration")
                .contains("scoringStrategy.type", "\"Tight\"")
                .doesNotContain("\n");
    }

    /** Each profile takes memory: as many as fit into the text would take more than there is. */
    @Test
    void aConfigurationHasSoManyProfilesAndNoMore() throws Exception {
        String many = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n"
                + IntStream.range(0, 5_000)
                        .mapToObj("- {schedulerName: s%d}\n"::formatted)
                        .collect(Collectors.joining());

        HttpResponse<String> answer = put("whatif", many);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(Trees.text(Trees.parse(answer.body()), "message"))
                .isEqualTo("configuration: profiles: at most 50 are tried here, got 5000");
    }

    @Test
    void ofManyMistakesTheFirstAreTold() throws Exception {
        String many =
                IntStream.range(0, 1_000).mapToObj("wrong%d: 1\n"::formatted).collect(Collectors.joining());

        HttpResponse<String> answer = put("whatif", many);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(Trees.text(Trees.parse(answer.body()), "message").lines())
                .hasSize(21)
                .endsWith("and 982 more");
    }

    @Test
    void aConfigurationIsOfSomeLengthAndComesFromThePageItself() throws Exception {
        assertThat(put("whatif", "#".repeat(256 * 1024 + 1)).statusCode()).isEqualTo(400);
        assertThat(put("whatif", "", "Origin", "https://elsewhere.example").statusCode())
                .isEqualTo(403);
        assertThat(browser.send(request("api/whatif").DELETE().build(), BodyHandlers.ofString())
                        .headers()
                        .firstValue("Allow"))
                .hasValue("GET, HEAD, PUT");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "whatif?drain=nowhere",
                "whatif?addNodes=many",
                "pod?pod=web",
                "pod?pod=default/web&if=luck",
                "node",
            })
    void whatMakesNoSenseIsSaidAsStatus(String question) throws Exception {
        HttpResponse<String> answer = answer("api/" + question);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(Trees.text(Trees.parse(answer.body()), "kind")).isEqualTo("Status");
    }

    @Test
    void pagesOfOtherSitesLearnNothing() throws Exception {
        assertThat(answer("api/state", "Origin", "https://elsewhere.example").statusCode())
                .isEqualTo(403);
        assertThat(answer("api/state", "Sec-Fetch-Site", "cross-site").statusCode())
                .isEqualTo(403);
        assertThat(answer("api/state", "Sec-Fetch-Site", "same-origin").statusCode())
                .isEqualTo(200);
        assertThat(put("apply", "{}", "Origin", "https://elsewhere.example").statusCode())
                .isEqualTo(403);
    }

    /** A driver may be faster with what a new node brings along. */
    @Test
    void whatIsToBeAddedMayBeThere() throws Exception {
        JsonObject node = Trees.parse(objects().list(ResourceTable.NODES, "").getFirst());
        String name = Trees.text(node, "metadata", "name");

        HttpResponse<String> applied = apply("default/any", Trees.parse("""
                {"changes": [{"add": {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "%s"}}}]}
                """.formatted(name)));

        assertThat(Trees.text(Trees.parse(applied.body()), "message")).isEqualTo("Node " + name + " is there");
    }

    /** The pod drops into its place while somebody looks. */
    @Test
    void aRemedyThatIsAppliedLetsThePodGoToItsNode() throws Exception {
        create(POD.formatted("large", "6"));
        JsonObject why = awaited("large", answer -> Trees.text(answer, "state").equals("waits"));
        JsonObject remedy = Trees.objects(why, "remedies").stream()
                .filter(each -> Trees.text(each, "kind").equals("request"))
                .findFirst()
                .orElseThrow();
        try (Stream<String> events = decisions(0)) {
            HttpResponse<String> applied = apply("default/large", remedy);

            assertThat(applied.statusCode()).isEqualTo(200);
            assertThat(Trees.text(Trees.parse(applied.body()), "message")).isEqualTo("Pod default/large made again");
            assertThat(Trees.parse(applied.body()).keySet()).isEqualTo(fieldsOf("Applied"));
            assertThat(events.filter(line -> line.startsWith("data: "))
                            .map(line -> Trees.parse(line.substring("data: ".length())))
                            .filter(event -> Trees.text(event, "kind").equals("placed"))
                            .filter(event -> Trees.text(event, "pod").equals("default/large"))
                            .findFirst())
                    .hasValueSatisfying(
                            placed -> assertThat(Trees.text(placed, "node")).startsWith("node-"));
        }
        awaited("large", answer -> Trees.text(answer, "state").equals("inPlace"));
    }

    /** As {@code docs/openapi.json} has them. */
    private static Set<String> fieldsOf(String schema) throws IOException {
        JsonObject document = Trees.parse(Files.readString(Path.of("..", "docs", "openapi.json")));
        return Trees.object(document, "components", "schemas", schema, "properties")
                .orElseThrow()
                .keySet();
    }

    @Test
    void aRemedyInATemplateReplacesThePodsOfADeployment() throws Exception {
        create(DEPLOYMENT.formatted("big", 1, "5"));
        await().untilAsserted(() -> assertThat(podOf("big")).isPresent());
        JsonObject why = awaited(
                podOf("big").orElseThrow(),
                answer -> Trees.text(answer, "state").equals("waits"));

        apply(
                "default/" + podOf("big").orElseThrow(),
                Trees.objects(why, "remedies").stream()
                        .filter(each -> Trees.text(each, "kind").equals("request"))
                        .findFirst()
                        .orElseThrow());

        await().untilAsserted(() ->
                assertThat(workload("big").get("placed").getAsInt()).isEqualTo(1));
    }

    @Test
    void whatCannotBeAppliedIsRefusedInALine() throws Exception {
        HttpResponse<String> nothing = put("apply", "{\"pod\":\"default/x\",\"changes\":[]}");
        HttpResponse<String> unknown = put("apply", "{\"changes\":[{\"remove\":\"Pod/default/no-such-pod\"}]}");

        assertThat(nothing.statusCode()).isEqualTo(400);
        assertThat(nothing.body()).contains("there are none");
        assertThat(unknown.statusCode()).isEqualTo(400);
        assertThat(unknown.body()).contains("not found");
    }

    private HttpResponse<String> apply(String pod, JsonObject remedy) throws IOException, InterruptedException {
        return put(
                "apply",
                Trees.of("pod", pod, "changes", remedy.getAsJsonArray("changes"))
                        .toString());
    }

    private HttpResponse<String> put(String path, String body, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = request("api/" + path).PUT(HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return browser.send(request.build(), BodyHandlers.ofString());
    }

    private Optional<String> podOf(String app) {
        return objects().list(ResourceTable.PODS, "default").stream()
                .map(Trees::parse)
                .filter(pod -> Trees.text(pod, "metadata", "labels", "app").equals(app))
                .map(pod -> Trees.text(pod, "metadata", "name"))
                .findFirst();
    }

    private JsonObject awaited(String pod, Predicate<JsonObject> wanted) {
        return await().until(() -> get("pod?pod=default/" + pod), wanted);
    }

    private Stream<String> decisions(long after) throws IOException, InterruptedException {
        InputStream body = browser.send(
                        HttpRequest.newBuilder(site.address().resolve("api/decisions"))
                                .header("Last-Event-ID", String.valueOf(after))
                                .build(),
                        BodyHandlers.ofInputStream())
                .body();
        BufferedReader lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
        return lines.lines().onClose(() -> {
            try {
                body.close();
            } catch (IOException hungUp) {
                // as was meant
            }
        });
    }
}
