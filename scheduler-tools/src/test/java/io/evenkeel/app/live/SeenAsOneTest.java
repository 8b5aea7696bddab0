package io.evenkeel.app.live;

import static io.evenkeel.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.app.cli.Typed;
import io.evenkeel.hollow.controller.HollowWorld;
import io.evenkeel.hollow.controller.WorldOptions;
import io.evenkeel.hollow.controller.WorldOptions.Capacity;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.kube.api.Clocks;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.client.ConnectionOptions;
import io.evenkeel.kube.client.HttpTransport;
import io.evenkeel.testing.OtherMachine;
import io.evenkeel.tools.page.Page;
import io.evenkeel.tools.page.PageSite;
import io.evenkeel.tools.why.AnswerSchema;
import io.evenkeel.tools.why.ClusterQuestions.Judgement;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two replicas share the shards of a cluster, and each answers about all of it, whatever it holds. */
@TestInstance(Lifecycle.PER_CLASS)
class SeenAsOneTest {
    private static final int NODES = 12;
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final String BIG = """
            {"kind":"Pod","apiVersion":"v1","metadata":{"name":"big","namespace":"default"},"spec":{
             "schedulerName":"evenkeel","containers":[{"name":"main","image":"x",
             "resources":{"requests":{"cpu":"900"}}}]}}""";

    private final HttpClient client = HttpClient.newHttpClient();
    private HollowWorld world;
    private Path files;
    private Path kubeconfig;
    private ServedShards one;
    private ServedShards other;

    @BeforeAll
    void begin(@TempDir Path directory) throws IOException {
        files = directory;
        world = HollowWorld.start(WorldOptions.DEFAULT.withNodes(NODES, 3, Capacity.of("4", "8Gi", 20)));
        kubeconfig = world.cluster().writeKubeconfig(files.resolve("kubeconfig.yaml"));
        one = new ServedShards("one", kubeconfig, Optional.empty(), LONG);
        await().until(() -> one.held() == 5);
        other = new ServedShards("other", kubeconfig, Optional.empty(), LONG);
        await().until(() -> one.held() == 4 && other.held() == 1);
        create("""
                {"kind":"PodGroup","apiVersion":"scheduling.x-k8s.io/v1alpha1",
                 "metadata":{"name":"train","namespace":"default"},"spec":{"minMember":3}}""");
        create("""
                {"kind":"PlacementPolicy","apiVersion":"evenkeel.io/v1alpha1",
                 "metadata":{"name":"kept","namespace":"default"},"spec":{"selector":{"matchLabels":{"app":"kept"}},
                  "rules":[{"topologyKey":"topology.kubernetes.io/region","maxPods":1}]}}""");
        create("""
                {"kind":"DeviceClass","apiVersion":"resource.k8s.io/v1","metadata":{"name":"gpu"},
                 "spec":{"selectors":[{"cel":{"expression":"device.driver == 'gpu.example.com'"}}]}}""");
        create("""
                {"kind":"ResourceSlice","apiVersion":"resource.k8s.io/v1","metadata":{"name":"node-0"},
                 "spec":{"driver":"gpu.example.com","nodeName":"node-0","pool":{"name":"node-0","generation":1,
                  "resourceSliceCount":1},"devices":[{"name":"gpu-0"}]}}""");
        create("""
                {"kind":"ResourceClaim","apiVersion":"resource.k8s.io/v1","metadata":{"name":"two","namespace":"default"},
                 "spec":{"devices":{"requests":[{"name":"gpu","exactly":{"deviceClassName":"gpu","count":2}}]}}}""");
        pod("big", "", "900", "");
        IntStream.range(0, 3)
                .forEach(i -> pod(
                        "train-" + i,
                        "\"scheduling.x-k8s.io/pod-group\":\"train\"",
                        "3",
                        "\"nodeSelector\":{\"kubernetes.io/hostname\":\"node-1\"},"));
        pod("there", "\"app\":\"kept\"", "1", "\"nodeName\":\"node-2\",");
        pod("kept", "\"app\":\"kept\"", "1", "");
        pod("claiming", "", "1", "\"resourceClaims\":[{\"name\":\"gpu\",\"resourceClaimName\":\"two\"}],");
        create("""
                {"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"web","namespace":"default"},
                 "spec":{"replicas":1,"selector":{"matchLabels":{"app":"web"}},
                  "template":{"metadata":{"labels":{"app":"web"}},"spec":{"schedulerName":"evenkeel",
                   "containers":[{"name":"main","image":"x"}]}}}}""");
        await().until(() -> {
            List<String> pods = world.cluster().objects().list(ResourceTable.PODS, "default");
            return pods.size() == 8
                    && pods.stream().allMatch(pod -> pod.contains("nodeName") || pod.contains("Unschedulable"));
        });
    }

    @AfterAll
    void end() {
        other.close();
        one.close();
        client.close();
        world.close();
    }

    private void create(String object) {
        world.cluster().objects().create(object);
    }

    private void pod(String name, String labels, String cpu, String more) {
        create("""
                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"%s","namespace":"default","labels":{%s}},
                 "spec":{%s"schedulerName":"evenkeel","containers":[{"name":"main","image":"x",
                  "resources":{"requests":{"cpu":"%s"}}}]}}""".formatted(name, labels, more, cpu));
    }

    private HttpResponse<String> get(ServedShards replica, String path) {
        return get(URI.create(replica.address() + path));
    }

    private HttpResponse<String> get(URI address) {
        try {
            return client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private JsonObject json(ServedShards replica, String path) {
        HttpResponse<String> answer = get(replica, path);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return JsonParser.parseString(answer.body()).getAsJsonObject();
    }

    private static String placement(String pod) {
        return "/apis/why.evenkeel.io/v1alpha1/namespaces/default/pods/" + pod + "/placement?allNamespaces=true";
    }

    private static JsonObject without(JsonObject answer, String field) {
        answer.remove(field);
        return answer;
    }

    private Typed typed(String... command) throws IOException {
        Path config = Files.writeString(files.resolve("config.yaml"), """
                apiVersion: kubescheduler.config.k8s.io/v1
                kind: KubeSchedulerConfiguration
                profiles:
                - schedulerName: evenkeel
                  plugins: {multiPoint: {enabled: [{name: Coscheduling}, {name: PlacementPolicy}]}}
                """);
        return Typed.evenkeel(Stream.concat(
                        Stream.of(command), Stream.of("--config=" + config, "--kubeconfig=" + kubeconfig, "-o=json"))
                .toArray(String[]::new));
    }

    /** Alone, of a gang, under a policy, with devices: as who lists the cluster would say by the same configuration. */
    @ParameterizedTest
    @ValueSource(strings = {"big", "train-1", "kept", "claiming"})
    void eachSaysWhyAPodWaitsAndWhichEngineHasIt(String pod) throws IOException {
        JsonObject listed =
                JsonParser.parseString(typed("why", pod, "--alone").out()).getAsJsonObject();

        for (ServedShards replica : List.of(one, other)) {
            JsonObject told = json(replica, placement(pod)).getAsJsonObject("status");
            assertThat(told.getAsJsonObject("seen").get("by").getAsString())
                    .isEqualTo(replica == one ? "one" : "other");
            assertThat(told.getAsJsonObject("seen").get("secondsAgo").getAsDouble())
                    .isNotNegative();
            assertThat(AnswerSchema.problems(told.toString())).isEmpty();
            assertThat(without(told, "seen")).isEqualTo(listed);
        }
        assertThat(listed.get("remarks").toString())
                .contains(pod.equals("big") ? "tried by shards 0, 1, 2, 3 of 4" : "decided by the overseer (");
    }

    @Test
    void whatIsToldToPeopleIsTheSameButForItsAge() {
        List<String> texts = Stream.of(one, other)
                .map(replica -> get(replica, placement("big") + "&output=text").body())
                .toList();

        assertThat(texts.getFirst()).containsPattern("\\(as of (\\d+m)?\\d+s ago; ");
        assertThat(texts.getFirst().replaceFirst("as of \\w+ ago", ""))
                .isEqualTo(texts.getLast().replaceFirst("as of \\w+ ago", ""));
    }

    @Test
    void eachTriesWhatWouldBeAsSimulateDoes() throws IOException {
        JsonObject simulated = without(
                JsonParser.parseString(typed("simulate", "--add-nodes=1", "--like=node-0")
                                .out())
                        .getAsJsonObject(),
                "compared");
        for (ServedShards replica : List.of(one, other)) {
            assertThat(json(replica, "/page/api/whatif?addNodes=1&like=node-0")).isEqualTo(simulated);
        }
    }

    @Test
    void eachPageShowsAllNodesAndSaysSinceWhen() throws IOException {
        for (ServedShards replica : List.of(one, other)) {
            JsonObject cluster = json(replica, "/page/api/cluster");
            assertThat(StreamSupport.stream(cluster.getAsJsonArray("domains").spliterator(), false)
                            .map(JsonElement::getAsJsonObject)
                            .mapToInt(domain -> domain.get("nodes").getAsInt())
                            .sum())
                    .isEqualTo(NODES);
            assertThat(json(replica, "/page/api/state").keySet())
                    .contains("seen")
                    .doesNotContain("leading");
            JsonObject tick = tick(replica);
            assertThat(tick.get("waiting").getAsInt()).isEqualTo(6);
            assertThat(tick.has("seen")).isTrue();
        }
    }

    /** It reads the cluster, and is none of those that share it. */
    @Test
    void thePageOfAnObserverSaysWhichEngineHasAPodAsWhyDoes() throws IOException {
        try (PageSite observer = new PageSite(
                0,
                () -> new Page.Setting(
                        "observe",
                        "1.0",
                        ServedShards.CONFIGURATION,
                        LiveOptions.usual("page").plugins(),
                        Judgement.GIVEN,
                        false),
                () -> HttpTransport.open(ConnectionOptions.of(Optional.of(kubeconfig)), "test", ApiObserver.NONE),
                _ -> {
                    throw new IllegalArgumentException("nothing is changed");
                })) {
            URI page = observer.address();
            await().until(() -> get(page.resolve("api/pod?pod=default/big")).statusCode() == 200);
            for (String pod : List.of("big", "claiming")) {
                JsonObject told = JsonParser.parseString(
                                get(page.resolve("api/pod?pod=default/" + pod)).body())
                        .getAsJsonObject();
                assertThat(told.get("remarks"))
                        .isEqualTo(JsonParser.parseString(
                                        typed("why", pod, "--alone").out())
                                .getAsJsonObject()
                                .get("remarks"));
                assertThat(told.get("remarks").toString())
                        .contains(pod.equals("big") ? "tried by shards 0, 1, 2, 3 of 4" : "decided by the overseer (");
            }
        }
    }

    @Test
    void theSpreadOfWorkloadsSaysSinceWhen() {
        JsonObject told = json(one, "/apis/why.evenkeel.io/v1alpha1/namespaces/default/spreads");
        assertThat(AnswerSchema.problems("SpreadList", told.toString())).isEmpty();
        assertThat(told.toString()).contains("deployment.web", "\"seen\":{\"by\":\"one\"");
    }

    private JsonObject tick(ServedShards replica) throws IOException {
        try (InputStream stream =
                URI.create(replica.address() + "/page/api/decisions").toURL().openStream()) {
            BufferedReader lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("data: ")) {
                    return JsonParser.parseString(line.substring("data: ".length()))
                            .getAsJsonObject();
                }
            }
        }
        throw new IllegalStateException("no tick");
    }

    @Test
    void whereOneDiesTheOtherStillAnswersOfWhatTheDeadOneHolds() throws IOException {
        try (HollowWorld apart = HollowWorld.start(WorldOptions.DEFAULT.withNodes(3, 3, Capacity.of("4", "8Gi", 20)))) {
            Path there = apart.cluster().writeKubeconfig(files.resolve("apart.yaml"));
            try (ServedShards dying = new ServedShards("dying", there, Optional.empty(), LONG);
                    ServedShards left = new ServedShards("left", there, Optional.empty(), LONG)) {
                await().until(() -> dying.held() + left.held() == 5 && left.held() > 0 && dying.held() > 0);
                dying.die();
                apart.cluster().objects().create(BIG);

                await().untilAsserted(
                                () -> assertThat(json(left, placement("big")).toString())
                                        .contains("0/3 nodes are available: 3 Insufficient cpu."));
            }
        }
    }

    @Test
    void nothingIsReadBeforeTheFirstQuestionAndAllIsLetGoAfterTheLast() throws IOException {
        try (HollowWorld apart = HollowWorld.start(WorldOptions.DEFAULT.withNodes(3, 3, Capacity.of("4", "8Gi", 20)));
                ServedShards replica = new ServedShards(
                        "a",
                        apart.cluster().writeKubeconfig(files.resolve("kept.yaml")),
                        Optional.empty(),
                        Duration.ofMillis(200))) {
            assertThat(replica.whole.isSynced()).isFalse();
            assertThat(json(replica, "/page/api/cluster").toString()).contains("\"nodes\":1");
            await("let go").until(() -> !replica.whole.isSynced());
            await("read again").until(() -> get(replica, "/page/api/cluster").statusCode() == 200);
        }
    }

    /** All that was asked has its answer, from the engine and from the copy of its cluster; objects are known to both. */
    @Test
    void nothingHoldsWhatHasBeenLetGo() throws IOException {
        AtomicReference<Reference<?>> engine = new AtomicReference<>();
        CompletableFuture<Void> collected = new CompletableFuture<>();
        AtomicLong later = new AtomicLong();
        Machine answering = new OtherMachine() {
            @Override
            public Clocks clocks() {
                Clocks usual = super.clocks();
                return new Clocks(() -> usual.nanos().getAsLong() + later.get(), usual.time(), usual.random());
            }
        };
        try (HollowWorld apart = HollowWorld.start(WorldOptions.DEFAULT.withNodes(3, 3, Capacity.of("4", "8Gi", 20)));
                ServedShards replica = new ServedShards(
                        "a",
                        apart.cluster().writeKubeconfig(files.resolve("held.yaml")),
                        Optional.empty(),
                        LONG,
                        () -> {
                            await("not held by whoever collects").until(() -> isGone(List.of(engine.get())));
                            collected.complete(null);
                        },
                        answering)) {
            apart.cluster().objects().create(BIG);
            assertThat(json(replica, placement("big")).toString()).contains("0/3 nodes are available");
            json(replica, "/page/api/cluster");
            json(replica, "/page/api/whatif?addNodes=1&like=node-0");
            tick(replica);
            List<Reference<?>> known = replica.whole.answer(scheduler -> {
                engine.set(new WeakReference<>(scheduler));
                return scheduler.known().stream()
                        .<Reference<?>>map(WeakReference::new)
                        .toList();
            });

            await("let go, once the page is known to be closed").until(() -> {
                long turn = later.addAndGet(LONG.toNanos());
                apart.cluster().objects().create(BIG.replace("big", "next-" + turn));
                return !replica.whole.isSynced();
            });
            await("collected").until(collected::isDone);
            await("held by nothing").until(() -> isGone(known));
        }
    }

    private static boolean isGone(List<Reference<?>> held) {
        System.gc();
        return held.stream().allMatch(each -> each.refersTo(null));
    }

    /** What places pods goes on. */
    @Test
    void aFaultEndsItAlone() throws IOException {
        try (HollowWorld apart = HollowWorld.start(WorldOptions.DEFAULT.withNodes(3, 3, Capacity.of("4", "8Gi", 20)));
                ServedShards replica = new ServedShards(
                        "a", apart.cluster().writeKubeconfig(files.resolve("fault.yaml")), Optional.empty(), LONG)) {
            assertThat(replica.whole.isKnown()).isTrue();
            var _ = replica.whole.ask(_ -> {
                throw new AssertionError("broken");
            });
            await().until(() -> !replica.whole.isSynced());
            assertThat(get(replica, "/page/api/cluster").statusCode()).isEqualTo(503);
            assertThat(replica.shards.ended()).isNotDone();
        }
    }
}
