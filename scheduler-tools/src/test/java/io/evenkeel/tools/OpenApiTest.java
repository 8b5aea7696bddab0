package io.evenkeel.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.evenkeel.app.live.ServedEvenkeel;
import io.evenkeel.hollow.HollowObjects;
import io.evenkeel.hollow.controller.ClusterFiles;
import io.evenkeel.hollow.controller.HollowWorld;
import io.evenkeel.hollow.controller.WorldOptions;
import io.evenkeel.hollow.controller.WorldOptions.Capacity;
import io.evenkeel.hollow.controller.WorldOptions.Devices;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.model.json.Trees;
import io.evenkeel.testing.Ports;
import io.evenkeel.tools.why.AnswerSchema;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a running Evenkeel answers is as {@code docs/openapi.json} says, and it serves no path that is not there. */
@TestInstance(Lifecycle.PER_CLASS)
class OpenApiTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final JsonObject DOCUMENT = document();
    private static final String NAMESPACED = "/apis/why.evenkeel.io/v1alpha1/namespaces/default/";

    /** Of demo, hollow and replay. */
    private static final String OF_OTHERS = "/page/api/(apply|moment)";

    private static final String EXACT_TYPE = "application/json;g=config.k8s.io;v=v1beta1;as=";

    /** Something waits for each sort of reason; web and steady are in place. */
    private static final String OBJECTS = """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web}
            spec:
              replicas: 6
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec:
                  schedulerName: evenkeel
                  topologySpreadConstraints:
                  - maxSkew: 1
                    topologyKey: topology.kubernetes.io/zone
                    whenUnsatisfiable: DoNotSchedule
                    labelSelector: {matchLabels: {app: web}}
                  containers: [{name: main, image: x, resources: {requests: {cpu: "1", memory: 1Gi}}}]
            ---
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: apart}
            spec:
              replicas: 4
              selector: {matchLabels: {app: apart}}
              template:
                metadata: {labels: {app: apart}}
                spec:
                  schedulerName: evenkeel
                  affinity:
                    podAntiAffinity:
                      requiredDuringSchedulingIgnoredDuringExecution:
                      - {topologyKey: topology.kubernetes.io/zone, labelSelector: {matchLabels: {app: apart}}}
                  containers: [{name: main, image: x}]
            ---
            apiVersion: scheduling.x-k8s.io/v1alpha1
            kind: PodGroup
            metadata: {name: train}
            spec: {minMember: 3}
            ---
            apiVersion: evenkeel.io/v1alpha1
            kind: PlacementPolicy
            metadata: {name: few}
            spec:
              selector: {matchLabels: {app: few}}
              rules: [{topologyKey: topology.kubernetes.io/zone, maxPods: 1}]
            ---
            apiVersion: evenkeel.io/v1alpha1
            kind: ClusterPlacementPolicy
            metadata: {name: even}
            spec:
              namespaceSelector: {}
              selector: {matchLabels: {app: web}}
              rules: [{topologyKey: topology.kubernetes.io/zone, maxSkew: 1}]
            ---
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: few}
            spec:
              replicas: 4
              selector: {matchLabels: {app: few}}
              template:
                metadata: {labels: {app: few}}
                spec:
                  schedulerName: evenkeel
                  containers: [{name: main, image: x}]
            ---
            apiVersion: storage.k8s.io/v1
            kind: StorageClass
            metadata: {name: slow}
            provisioner: disk.example.com
            volumeBindingMode: WaitForFirstConsumer
            parameters: {delay: 10h}
            ---
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata: {name: data}
            spec: {storageClassName: slow, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaimTemplate
            metadata: {name: gpus}
            spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com, count: 9}}]}}}
            ---
            apiVersion: scheduling.k8s.io/v1
            kind: PriorityClass
            metadata: {name: high}
            value: 1000
            """;

    private static final String POD = """
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, labels: {%s}}
            spec:
              schedulerName: evenkeel
              %s
              containers: [{name: main, image: x, resources: {requests: {cpu: "%s"}}}]
            """;

    private final HttpClient client = HttpClient.newHttpClient();
    private HollowWorld world;
    private ServedEvenkeel evenkeel;

    private static JsonObject document() {
        try {
            return Trees.parse(Files.readString(DOCS.resolve("openapi.json")));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @BeforeAll
    void open(@TempDir Path directory) throws IOException {
        world = HollowWorld.start(WorldOptions.DEFAULT
                .withNodes(6, 3, Capacity.of("4", "8Gi", 20))
                .withDevices(new Devices(1, 0, 0, 0)));
        evenkeel = new ServedEvenkeel(
                world.cluster().writeKubeconfig(directory.resolve("kubeconfig.yaml")), Ports.unused());
        objects().patch(ResourceTable.NODES, "", "node-5", """
                {"spec":{"taints":[{"key":"for","value":"others","effect":"NoSchedule"}]}}""");
        create(OBJECTS);
        await().untilAsserted(() -> assertThat(placed("web")).isEqualTo(6));
        create(POD.formatted("steady", "app: steady", "", "100m"));
        create(POD.formatted("large", "app: large", "", "9"));
        create(POD.formatted("urgent", "app: urgent", "priorityClassName: high", "3500m"));
        create(POD.formatted("misspelt", "app: x", "nodeSelector: {topology.kubernetes.io/zone: zone_1}", "0"));
        create(POD.formatted("tainted", "app: x", "nodeSelector: {kubernetes.io/hostname: node-5}", "0"));
        create(POD.formatted("gated", "app: x", "schedulingGates: [{name: example.com/wait}]", "0"));
        create(POD.formatted("foreign", "app: x", "", "0").replace("evenkeel", "nobody"));
        create(POD.formatted("lost", "app: x", "volumes: [{name: d, persistentVolumeClaim: {claimName: none}}]", "0"));
        create(POD.formatted("slow", "app: x", "volumes: [{name: d, persistentVolumeClaim: {claimName: data}}]", "0"));
        create(POD.formatted("gpus", "app: x", "resourceClaims: [{name: gpu, resourceClaimTemplateName: gpus}]", "0"));
        for (int i = 0; i < 3; i++) {
            create(POD.formatted("train-" + i, "scheduling.x-k8s.io/pod-group: train", "", "4"));
        }
        await().untilAsserted(() ->
                assertThat(answer("/page/api/pod?pod=default/slow").body()).contains("\"state\":\"onItsWay\""));
    }

    @AfterAll
    void close() {
        client.close();
        evenkeel.close();
        world.close();
    }

    private HollowObjects objects() {
        return world.cluster().objects();
    }

    private void create(String yaml) {
        ClusterFiles.parse("manifest", yaml).forEach(objects()::create);
    }

    private List<String> pods() {
        return objects().list(ResourceTable.PODS, "default").stream()
                .map(pod -> Trees.text(Trees.parse(pod), "metadata", "name"))
                .toList();
    }

    private long placed(String app) {
        return objects().list(ResourceTable.PODS, "default").stream()
                .map(Trees::parse)
                .filter(pod -> Trees.text(pod, "metadata", "labels", "app").equals(app))
                .filter(pod -> !Trees.text(pod, "spec", "nodeName").isEmpty())
                .count();
    }

    private HttpResponse<String> answer(String path, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(evenkeel.plain() + path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    @ParameterizedTest
    @CsvSource({
        "/page/api/state, State",
        "/page/api/cluster, Cluster",
        "/page/api/cluster?colour=pods, Cluster",
        "/page/api/cluster?key=kubernetes.io/hostname&colour=cpu, Cluster",
        "/page/api/cluster?colour=workload:default/Deployment/web, Cluster",
        "/page/api/node?name=node-0, Node",
        "/page/api/node?name=node-5, Node",
        "/page/api/workloads, Workloads",
        "/page/api/waiting, Waiting",
        "/page/api/groups, Groups",
        "/page/api/groups?pod=default/train-0, Groups",
        "/page/api/whatif?scale=default/deploy/web=40, Simulation",
        "/page/api/whatif?drain=node-0&drain=node-1, Simulation",
        "/page/api/whatif?addNodes=2&like=node-0&zone=zone-1, Simulation",
        "/page/api/whatif?lose=zone=zone-1, Simulation",
        "/apis/why.evenkeel.io/v1alpha1/placements, PlacementList",
        "/apis/why.evenkeel.io/v1alpha1/namespaces/default/placements?workload=deploy/apart, PlacementList",
        "/apis/why.evenkeel.io/v1alpha1/namespaces/default/placements?labelSelector=app=x, PlacementList",
        "/apis/why.evenkeel.io/v1alpha1/spreads, SpreadList",
        "/apis/why.evenkeel.io/v1alpha1/namespaces/default/spreads, SpreadList",
        "/debug/queue?format=json, Queue",
        "/debug/cache?format=json, Cache",
        "/configz, Configz",
        "/version, Version",
        "/, Paths",
    })
    void anAnswerIsAsItsSchemaSays(String path, String schema) throws Exception {
        HttpResponse<String> answer = answer(path);

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(AnswerSchema.problems(schema, answer.body()))
                .as(answer.body())
                .isEmpty();
    }

    /** The test of the test. */
    @ParameterizedTest
    @CsvSource({
        "cluster, Cluster",
        "node?name=node-5, Node",
        "workloads, Workloads",
        "waiting, Waiting",
        "groups, Groups",
        "whatif?drain=node-0, Simulation",
    })
    void aFieldThatTheDocumentDoesNotNameIsAProblemWhereverItIs(String path, String schema) throws Exception {
        JsonObject answer = Trees.parse(answer("/page/api/" + path).body());
        walk(answer, object -> {
            object.add("undocumented", new JsonObject());
            assertThat(AnswerSchema.problems(schema, answer.toString()))
                    .as("%s", object)
                    .isNotEmpty();
            object.remove("undocumented");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"Statusz", "Flagz"})
    void aPageIsAnObjectForWhoAccepts(String kind) throws Exception {
        String page = answer("/" + kind.toLowerCase(Locale.ROOT), "Accept", EXACT_TYPE + kind)
                .body();

        assertThat(AnswerSchema.problems(kind, page)).as(page).isEmpty();
    }

    @Test
    void eachPodsAnswerIsAsTheSchemaSaysOnBothPaths() throws Exception {
        Set<String> states = new TreeSet<>();
        for (String pod : pods()) {
            String why = answer("/page/api/pod?pod=default/" + pod).body();
            String placement = answer(NAMESPACED + "pods/" + pod + "/placement").body();

            assertThat(AnswerSchema.problems(why)).as(why).isEmpty();
            assertThat(AnswerSchema.problems("Placement", placement))
                    .as(placement)
                    .isEmpty();
            states.add(Trees.text(Trees.parse(why), "state"));
        }
        assertThat(states).contains("gangWaits", "held", "inPlace", "onItsWay", "unattended", "waits");
    }

    @Test
    void asIfSomethingWereSoItIsTheSameSchema() throws Exception {
        String why = answer("/page/api/pod?pod=default/large&if=6%20more%20cpu%20on%20node-0")
                .body();

        assertThat(why).contains("supposed: ");
        assertThat(AnswerSchema.problems(why)).as(why).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "/page/api/node, 400",
        "/page/api/node?name=none, 404",
        "/page/api/pod?pod=web, 400",
        "/page/api/pod?pod=default/none, 404",
        "/page/api/pod?pod=default/large&if=luck, 400",
        "/page/api/whatif?drain=none, 400",
        "/page/api/state?pretty=true&colour=cpu, 400",
        "/apis/why.evenkeel.io/v1alpha1/nodes, 404",
        "/apis/why.evenkeel.io/v1alpha1/namespaces/default/pods/none/placement, 404",
        "/apis/why.evenkeel.io/v1alpha1/namespaces/default/placements?output=xml, 400",
        "/debug/queue?format=xml, 400",
        "/debug/dump?anonymize=true, 400",
    })
    void aRefusalIsAStatus(String path, int code) throws Exception {
        HttpResponse<String> answer = answer(path);

        assertThat(answer.statusCode()).isEqualTo(code);
        assertThat(AnswerSchema.problems("Status", answer.body()))
                .as(answer.body())
                .isEmpty();
    }

    @Test
    void eachEventIsAsItsSchemaSays() throws Exception {
        Set<String> events = new HashSet<>();
        Set<String> kinds = new HashSet<>();
        try (Stream<String> stream = decisions()) {
            Iterator<String> lines = stream.iterator();
            heard(lines, events, kinds, () -> events.contains("tick")); // from then on nothing is missed
            create(POD.formatted("quick", "app: quick", "", "100m"));
            create(POD.formatted("refused", "app: x", "", "0").replace("evenkeel", "nobody"));
            condition("refused", "PodScheduled", "False");
            await().untilAsserted(() -> assertThat(placed("quick")).isEqualTo(1));
            condition("quick", "DisruptionTarget", "True");

            heard(lines, events, kinds, () -> kinds.containsAll(Set.of("evicted", "placed", "turnedAway")));
        }
        assertThat(events).contains("changed", "decision", "tick");
    }

    private void condition(String pod, String type, String status) {
        objects().patchStatus(ResourceTable.PODS, "default", pod, """
                {"status":{"conditions":[{"type":"%s","status":"%s","reason":"Example","message":"as it is"}]}}""".formatted(type, status));
    }

    private static void heard(Iterator<String> lines, Set<String> events, Set<String> kinds, BooleanSupplier isEnough) {
        String event = "";
        while (!isEnough.getAsBoolean()) {
            String line = lines.next();
            if (line.startsWith("event: ")) {
                event = line.substring("event: ".length());
            } else if (line.startsWith("data: ")) {
                String data = line.substring("data: ".length());
                String schema = event.substring(0, 1).toUpperCase(Locale.ROOT) + event.substring(1);
                assertThat(AnswerSchema.problems(schema, data)).as(data).isEmpty();
                events.add(event);
                kinds.add(Trees.text(Trees.parse(data), "kind"));
            }
        }
    }

    private Stream<String> decisions() throws IOException, InterruptedException {
        InputStream body = client.send(
                        HttpRequest.newBuilder(URI.create(evenkeel.plain() + "/page/api/decisions"))
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

    @Test
    void eachPathThatIsServedIsInTheDocumentAndThereAreNoOthers() throws Exception {
        Set<String> served = new TreeSet<>();
        Trees.parse(answer("/").body()).getAsJsonArray("paths").forEach(path -> served.add(path.getAsString()));
        served.removeIf(path -> path.matches("/page/[a-z]+\\.(html|js|css|svg)"));
        Set<String> told = new TreeSet<>(paths());
        told.removeIf(path -> path.contains("{"));
        told.removeIf(path -> path.matches(OF_OTHERS));

        assertThat(told).isEqualTo(served);
    }

    private static Set<String> paths() {
        return DOCUMENT.getAsJsonObject("paths").keySet();
    }

    @Test
    void eachPathIsInTheTablesForPeople() throws Exception {
        String text = Files.readString(DOCS.resolve("api.md"));

        assertThat(paths()).allSatisfy(path -> assertThat(text).contains("`" + path + "`"));
    }

    static Stream<String> pathsOfThePage() {
        return paths().stream().filter(path -> path.startsWith("/page/api/") && !path.matches(OF_OTHERS));
    }

    @ParameterizedTest
    @MethodSource("pathsOfThePage")
    void aPathTakesTheParametersThatTheDocumentNamesAndNoOthers(String path) throws Exception {
        for (JsonObject parameter : Trees.objects(DOCUMENT, "paths", path, "get", "parameters")) {
            if (Trees.text(parameter, "in").equals("query")) {
                String name = Trees.text(parameter, "name");
                boolean isList = Trees.text(parameter, "schema", "type").equals("array");

                assertThat(answer(path + "?" + name + "=1").body()).doesNotContain("no parameter of this path");
                assertThat(answer(path + "?" + name + "=1&" + name + "=1")
                                .body()
                                .contains("given 2 times"))
                        .as(name)
                        .isEqualTo(!isList);
            }
        }
        assertThat(answer(path + "?nonsense=1").body()).contains("\"nonsense: no parameter of this path\"");
    }

    @Test
    void eachReferenceLeadsSomewhere() throws IOException {
        JsonObject why = Trees.parse(Files.readString(DOCS.resolve("why.schema.json")));
        List<String> references = new ArrayList<>();
        walk(DOCUMENT, object -> {
            if (object.has("$ref")) {
                references.add(Trees.text(object, "$ref"));
            }
        });

        assertThat(references)
                .isNotEmpty()
                .allSatisfy(reference -> assertThat(Trees.object(
                                reference.startsWith("#") ? DOCUMENT : why,
                                Stream.of(reference
                                                .substring(reference.indexOf('#') + 1)
                                                .split("/", -1))
                                        .skip(1)
                                        .toArray(String[]::new)))
                        .isPresent());
    }

    private static void walk(JsonElement element, Consumer<JsonObject> looking) {
        if (element instanceof JsonObject object) {
            looking.accept(object);
            List.copyOf(object.asMap().values()).forEach(each -> walk(each, looking));
        } else if (element.isJsonArray()) {
            element.getAsJsonArray().forEach(each -> walk(each, looking));
        }
    }
}
