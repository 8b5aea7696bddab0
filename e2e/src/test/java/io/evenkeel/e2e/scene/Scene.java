package io.evenkeel.e2e.scene;

import static io.evenkeel.e2e.scene.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.evenkeel.app.live.LiveOptions;
import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.e2e.cluster.Cluster;
import io.evenkeel.hollow.HollowCluster;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.client.ConnectionOptions;
import io.evenkeel.kube.client.HttpTransport;
import io.evenkeel.model.json.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A test's own part of a cluster: a namespace, nodes, and schedulers that answer to a name of their own. Everything is
 * taken away on close; what a killed run leaves behind carries the label {@code evenkeel.io/e2e}.
 */
public final class Scene implements AutoCloseable {
    private final Cluster cluster;
    private final CompatibilityLevel level;
    private final HttpTransport transport;
    private final KubeApi api;
    private final String id = randomLetters();
    private final String namespace = "evenkeel-e2e-" + id;
    private final Drafts drafts = new Drafts(id, namespace, namespace);
    private final List<String> nodes = new ArrayList<>();
    private final List<SchedulerUnderTest> schedulers = new ArrayList<>();
    /** Paths of what is in no namespace. */
    private final List<String> ownOfCluster = new ArrayList<>();

    private final int foreignNodes;

    private Scene(Cluster cluster, CompatibilityLevel level) {
        this.cluster = cluster;
        this.level = level;
        transport =
                HttpTransport.open(ConnectionOptions.of(Optional.of(cluster.kubeconfig())), "e2e", ApiObserver.NONE);
        api = new KubeApi(transport);
        foreignNodes = api.list("/api/v1/nodes").size();
    }

    static Scene open(Cluster cluster, CompatibilityLevel level) {
        Scene scene = new Scene(cluster, level);
        scene.api.create("{apiVersion: v1, kind: Namespace, metadata: {name: %s, labels: {%s: %s}}}"
                .formatted(scene.namespace, Drafts.MARK, scene.id));
        if (cluster.hollow().isEmpty()) {
            // a controller makes it, and no pod is admitted before
            eventually("the service account is there")
                    .until(() -> scene.api
                            .find("/api/v1/namespaces/" + scene.namespace + "/serviceaccounts/default")
                            .isPresent());
        }
        return scene;
    }

    private static String randomLetters() {
        return ThreadLocalRandom.current()
                .ints(6, 'a', 'z' + 1)
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
    }

    public KubeApi api() {
        return api;
    }

    public String namespace() {
        return namespace;
    }

    /** For clients of others: who may do anything. */
    public String kubeconfig() {
        try {
            return Files.readString(cluster.kubeconfig());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Whose answers our schedulers give, whatever release the API server is of. */
    public CompatibilityLevel level() {
        return level;
    }

    /** The name that our pods ask for. */
    public String schedulerName() {
        return namespace;
    }

    /** The cluster's other side, where it is a hollow one. */
    public HollowCluster hollow() {
        return cluster.hollow().orElseThrow();
    }

    /** Checks what only a hollow cluster knows. */
    public void ifHollow(Consumer<HollowCluster> check) {
        cluster.hollow().ifPresent(check);
    }

    /** Waits until the server answers again, on connections that it has not closed. */
    public void awaitServer() {
        eventually("the server answers")
                .ignoreExceptions()
                .until(() -> api.find("/api/v1/namespaces/" + namespace).isPresent());
    }

    // nodes

    /** The name of a node in the cluster, as others may have nodes too. */
    public String nodeName(String node) {
        return namespace + "-" + node;
    }

    public String nodePath(String node) {
        return "/api/v1/nodes/" + nodeName(node);
    }

    public void node(String name, String draft) {
        nodes.add(name);
        api.create(drafts.node(nodeName(name), draft));
    }

    /** Nodes of a zone. */
    public void zone(String zone, String... names) {
        for (String name : names) {
            node(name, "labels: {topology.kubernetes.io/zone: %s}".formatted(zone));
        }
    }

    /** Zones a, b, c … with so many nodes each: a1, a2, …. */
    public void zones(int count, int nodesEach) {
        for (int zone = 0; zone < count; zone++) {
            String letter = Character.toString('a' + zone);
            zone(
                    letter,
                    IntStream.rangeClosed(1, nodesEach)
                            .mapToObj(number -> letter + number)
                            .toArray(String[]::new));
        }
    }

    /** Waits until a scheduler knows each node as the server does. What others do to nodes it may learn after their pods. */
    public void awaitNodesKnown(SchedulerUnderTest scheduler) {
        eventually("all nodes are known as they are").untilAsserted(() -> {
            for (String node : nodes) {
                String version = Trees.text(api.get(nodePath(node)), "metadata", "resourceVersion");
                assertThat(scheduler.nodeVersion(nodeName(node))).as(node).contains(version);
            }
        });
    }

    // pods

    public String key(String pod) {
        return namespace + "/" + pod;
    }

    public String podPath(String pod) {
        return podsPath() + "/" + pod;
    }

    public String podsPath() {
        return path("v1", "Pod");
    }

    public String path(String apiVersion, String kind) {
        return new Resource(apiVersion, kind).path(namespace);
    }

    public JsonObject pod(String name, String draft) {
        return api.create(drafts.pod(name, draft));
    }

    /** A pod as {@link #pod(String, String)} creates it, for those who create it on other ways. */
    public String draftPod(String name, String draft) {
        return drafts.pod(name, draft).toString();
    }

    /** A PriorityClass of this scene; returns what a pod's draft says to be of it. */
    public String priority(String name, int value) {
        String ours = namespace + "-" + name;
        ownOfCluster.add("/apis/scheduling.k8s.io/v1/priorityclasses/" + ours);
        api.create("{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: %s}, value: %d}"
                .formatted(ours, value));
        return "priorityClassName: " + ours;
    }

    /** A pod that is on a node already when it comes. */
    public JsonObject podOn(String node, String name, String draft) {
        JsonObject pod = drafts.pod(name, draft);
        pod.getAsJsonObject("spec").addProperty("nodeName", nodeName(node));
        return api.create(pod);
    }

    /** Creates an object that is in no namespace, under a name of this scene, and answers its path. */
    public String createInCluster(String apiVersion, String kind, String name, String draft) {
        JsonObject tree = Yaml.parse(draft);
        tree.addProperty("apiVersion", apiVersion);
        tree.addProperty("kind", kind);
        Trees.ensureObject(tree, "metadata").addProperty("name", name);
        api.create(tree);
        String path = new Resource(apiVersion, kind).path("") + "/" + name;
        ownOfCluster.add(path);
        return path;
    }

    /** Pods {@code prefix-0}, {@code prefix-1}, …. */
    public void pods(String prefix, int count, String draft) {
        for (int number = 0; number < count; number++) {
            pod(prefix + "-" + number, draft);
        }
    }

    /** The pods, as the server shows them. */
    public Pods pods() {
        return Pods.of(api.list(podsPath()), namespace + "-");
    }

    public PodView pod(String name) {
        return new PodView(api.get(podPath(name)), namespace + "-");
    }

    public void awaitBound(String... names) {
        eventually("bound: " + List.of(names)).untilAsserted(() -> pods().assertBound(names));
    }

    public void awaitAllBound(int count) {
        eventually(count + " pods bound").until(() -> pods().placements().size(), bound -> bound == count);
    }

    /** Creates any object in the namespace; the draft is what it has beside kind and metadata. */
    public JsonObject create(String apiVersion, String kind, String name, String draft) {
        JsonObject tree = Yaml.parse(draft);
        tree.addProperty("apiVersion", apiVersion);
        tree.addProperty("kind", kind);
        JsonObject metadata = Trees.ensureObject(tree, "metadata");
        metadata.addProperty("name", name);
        metadata.addProperty("namespace", namespace);
        return api.create(tree);
    }

    /**
     * Waits until a pod is told that it fits nowhere, and why: {@code 2 Insufficient cpu}, …, a reason for each of our
     * nodes. Nodes of others do not match our pods' selector; what exactly is said of them is not our business.
     */
    public void awaitRejected(String pod, String... reasons) {
        eventually(pod + " is rejected for " + List.of(reasons))
                .untilAsserted(
                        () -> pod(pod).assertRejected(nodes.size() + foreignNodes, foreignNodes > 0, List.of(reasons)));
    }

    // schedulers

    /** Starts a scheduler with the default configuration, and waits until it knows the cluster. */
    public SchedulerUnderTest scheduler() {
        return scheduler(configuration(""), LiveOptions.usual("e2e")).awaitSynced();
    }

    public SchedulerUnderTest scheduler(SchedulerConfiguration configuration, LiveOptions options) {
        SchedulerUnderTest started = SchedulerUnderTest.start(cluster, configuration, options);
        schedulers.add(started);
        return started;
    }

    /** A configuration whose only profile is ours, and what else the text says of it. */
    public SchedulerConfiguration configuration(String profile) {
        return configuration(profile, "leaderElection: {leaderElect: false}");
    }

    /** The same, with other fields of the configuration at will; without an election it has to say so. */
    public SchedulerConfiguration configuration(String profile, String more) {
        JsonObject ours = Yaml.parse(profile);
        ours.addProperty("schedulerName", schedulerName());
        JsonObject whole = Yaml.parse(more);
        whole.addProperty("apiVersion", SchedulerConfiguration.API_VERSION);
        whole.addProperty("kind", SchedulerConfiguration.KIND);
        if (!whole.has("clientConnection")) {
            whole.add("clientConnection", Yaml.parse("{qps: 1000, burst: 1000}"));
        }
        Trees.ensureArray(whole, "profiles").add(ours);
        return new ConfigurationReader()
                .read("e2e", whole.toString()).toBuilder()
                        .featureGates(FeatureGates.DEFAULTS.at(level))
                        .build();
    }

    /** Where our pods are: the number of pods in each value of a label of nodes. */
    public Map<String, Long> spread(String prefix, String nodeLabel) {
        Map<String, String> domains = api.list("/api/v1/nodes").stream()
                .filter(node ->
                        Trees.text(node, "metadata", "labels", Drafts.MARK).equals(id))
                .collect(Collectors.toMap(
                        node -> Trees.text(node, "metadata", "name").substring(namespace.length() + 1),
                        node -> Trees.text(node, "metadata", "labels", nodeLabel)));
        Map<String, Long> spread = pods().placements().entrySet().stream()
                .filter(placement -> placement.getKey().startsWith(prefix))
                .collect(Collectors.groupingBy(placement -> domains.get(placement.getValue()), Collectors.counting()));
        domains.values().forEach(domain -> spread.putIfAbsent(domain, 0L));
        return spread;
    }

    /** Events about a pod, oldest first. */
    public List<JsonObject> events(String pod) {
        return api.list(path("events.k8s.io/v1", "Event")).stream()
                .filter(event -> Trees.text(event, "regarding", "name").equals(pod))
                .toList();
    }

    @Override
    public void close() {
        cluster.hollow().ifPresent(hollow -> hollow.faults().clear());
        schedulers.forEach(SchedulerUnderTest::close);
        api.deleteNow(podsPath());
        nodes.forEach(node -> api.deleteNow(nodePath(node)));
        ownOfCluster.forEach(api::deleteNow);
        api.deleteNow("/api/v1/namespaces/" + namespace);
        transport.close();
    }
}
