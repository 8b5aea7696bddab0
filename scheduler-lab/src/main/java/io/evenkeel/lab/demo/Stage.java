package io.evenkeel.lab.demo;

import com.google.gson.JsonObject;
import io.evenkeel.app.live.LiveObservers;
import io.evenkeel.app.live.LiveOptions;
import io.evenkeel.app.live.LiveScheduler;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.hollow.HollowOptions;
import io.evenkeel.hollow.controller.ClusterFiles;
import io.evenkeel.hollow.controller.HollowWorld;
import io.evenkeel.hollow.controller.WorldOptions;
import io.evenkeel.hollow.controller.WorldOptions.Devices;
import io.evenkeel.hollow.controller.WorldOptions.Pace;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.client.ConnectionOptions;
import io.evenkeel.kube.client.HttpTransport;
import io.evenkeel.kube.client.OutageLog;
import io.evenkeel.kube.watch.Watches;
import io.evenkeel.lab.demo.Telling.NotAsToldException;
import io.evenkeel.lab.page.HollowPage;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.tools.page.PageSite;
import io.evenkeel.tools.why.ClusterQuestions.Judgement;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The stage of all stories: a hollow cluster, which serves HTTPS, and the live scheduler, which knows it by its kubeconfig
 * only. The scheduler and those who watch have connections of their own.
 */
final class Stage implements AutoCloseable {
    private static final Pace PACE =
            new Pace(Duration.ofMillis(100), Duration.ofMillis(100), Duration.ofSeconds(5), Duration.ofSeconds(10));
    private static final Devices A_GPU_EACH = new Devices(1, 0, 0, 0);
    private static final Duration TO_STOP = Duration.ofSeconds(2);
    private static final String VERSION = "demo";

    private final Path directory;
    private final List<Path> files = new ArrayList<>();
    private final Duration patience;
    private final HollowWorld world;
    private final HttpTransport ofScheduler;
    private final HttpTransport ofUser;
    private final LiveScheduler scheduler;
    private final WatchedCluster view;
    private final PageSite site;

    /** @param patience how long a story waits for anything before it is given up */
    Stage(Duration patience) throws IOException {
        this.patience = patience;
        directory = Files.createTempDirectory("evenkeel-demo-");
        world = HollowWorld.start(WorldOptions.DEFAULT
                .withServer(HollowOptions.DEFAULT)
                .atPace(PACE)
                .withDevices(A_GPU_EACH)
                .withEvents(true));
        directory.toFile().deleteOnExit();
        deleteAtEnd(world.cluster().writeKubeconfig(kubeconfig()));
        ConnectionOptions connection = ConnectionOptions.of(Optional.of(kubeconfig()));
        ofScheduler = HttpTransport.open(connection, VERSION, new OutageLog(ApiObserver.NONE));
        ofUser = HttpTransport.open(connection, VERSION, ApiObserver.NONE);
        scheduler = LiveScheduler.start(
                DemoConfiguration.read(), ofScheduler, LiveOptions.usual("demo"), LiveObservers.NONE);
        view = new WatchedCluster(ofUser);
        site = HollowPage.site(
                0,
                "demo",
                DemoConfiguration::read,
                Judgement.OWN,
                kubeconfig(),
                world.cluster().objects());
    }

    /** The address of the page to look at it all. */
    URI page() {
        return site.address();
    }

    Path kubeconfig() {
        return directory.resolve("kubeconfig.yaml");
    }

    /** A scheduler that is there for a part of a story, beside the one of all stories. */
    record Guest(LiveScheduler scheduler) implements AutoCloseable {
        @Override
        public void close() {
            scheduler.stop(TO_STOP);
        }
    }

    /** Starts another scheduler; its profiles should have names of their own. */
    Guest start(SchedulerConfiguration configuration) {
        return new Guest(
                LiveScheduler.start(configuration, ofScheduler, LiveOptions.usual("guest"), LiveObservers.NONE));
    }

    /** Writes a file beside the kubeconfig. */
    Path write(String name, String text) throws IOException {
        return deleteAtEnd(Files.writeString(directory.resolve(name), text));
    }

    /** When the stage is closed, and also when the process is ended on the way. */
    private Path deleteAtEnd(Path file) {
        file.toFile().deleteOnExit();
        files.add(file);
        return file;
    }

    Duration patience() {
        return patience;
    }

    HollowWorld world() {
        return world;
    }

    ApiUser user() {
        return new ApiUser(ofUser);
    }

    WatchedCluster view() {
        return view;
    }

    /**
     * Waits until the scheduler knows exactly these nodes. Nodes and pods reach it by different watches: without this, a
     * story's first pod could still be decided on the nodes of the story before.
     */
    void awaitSchedulerKnows(List<Node> nodes) throws InterruptedException {
        awaitScheduler("all nodes", cluster -> knows(cluster.nodes(), nodes));
    }

    /** Waits until the scheduler's own picture of the cluster has come that far. */
    void awaitScheduler(String what, Predicate<ClusterView> knows) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!ask(knows)) {
            if (System.nanoTime() > deadline) {
                throw new NotAsToldException("the scheduler has not learnt of " + what + " in time");
            }
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private boolean ask(Predicate<ClusterView> knows) throws InterruptedException {
        try {
            return scheduler
                    .ask(asked -> asked.isSynced() && knows.test(asked.cluster()))
                    .get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException | CancellationException e) {
            throw new NotAsToldException("the scheduler does not answer: " + e);
        }
    }

    private static boolean knows(NodeTable known, List<Node> nodes) {
        return known.count() == nodes.size()
                && nodes.stream()
                        .allMatch(node -> known.find(node.name()) >= 0
                                && known.node(known.find(node.name())).schedulesLike(node));
    }

    @Override
    public void close() {
        view.close();
        site.close();
        scheduler.stop(TO_STOP);
        ofUser.close();
        ofScheduler.close();
        world.close();
        try {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Nodes and pods as the API shows them to anybody who watches: what {@code kubectl get --watch} would show. It knows
     * nothing of what the scheduler believes. The server never forgets its history here, so no watch has to begin again.
     */
    static final class WatchedCluster implements AutoCloseable {
        /** Thousands of changes a second are looked at together: a look goes over all pods. */
        private static final long BETWEEN_LOOKS = Duration.ofMillis(10).toNanos();

        private final ReentrantLock lock = new ReentrantLock();
        private final Condition changed = lock.newCondition();
        private final Map<String, Node> nodes = new HashMap<>();
        private final Map<String, Pod> pods = new HashMap<>();
        private final Watches watches;
        private long changes;

        WatchedCluster(ApiTransport transport) {
            watches = Watches.start(List.of(Kinds.NODE, Kinds.POD), transport, this::take, Machine.SYSTEM);
        }

        private void take(SchedulerEvent event) {
            lock.lock();
            try {
                switch (event) {
                    case ClusterEvent.Put(Node node) -> nodes.put(node.name(), node);
                    case ClusterEvent.Put(Pod pod) -> pods.put(pod.key(), pod);
                    case ClusterEvent.Removed(KubernetesObject gone)
                    when gone.kindName().equals("Node") ->
                        nodes.remove(gone.meta().key());
                    case ClusterEvent.Removed(KubernetesObject gone) ->
                        pods.remove(gone.meta().key());
                    default -> {}
                }
                changes++;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        /** All nodes, and the pods of one namespace. */
        Cluster of(String namespace) {
            lock.lock();
            try {
                return Cluster.of(
                        nodes.values().stream(),
                        pods.values().stream().filter(pod -> pod.namespace().equals(namespace)));
            } finally {
                lock.unlock();
            }
        }

        /**
         * Waits until a namespace is as wanted; empty if it is not for so long.
         *
         * @param meanwhile is shown every moment on the way
         */
        Optional<Cluster> await(
                String namespace, Predicate<Cluster> wanted, Duration patience, Consumer<Cluster> meanwhile)
                throws InterruptedException {
            long deadline = System.nanoTime() + patience.toNanos();
            while (true) {
                long seen = changeCount();
                Cluster now = of(namespace);
                meanwhile.accept(now);
                if (wanted.test(now)) {
                    return Optional.of(now);
                }
                if (!awaitChange(seen, System.nanoTime() + BETWEEN_LOOKS, deadline)) {
                    return Optional.empty();
                }
            }
        }

        private long changeCount() {
            lock.lock();
            try {
                return changes;
            } finally {
                lock.unlock();
            }
        }

        private boolean awaitChange(long since, long earliest, long deadline) throws InterruptedException {
            lock.lock();
            try {
                long now = System.nanoTime();
                while (now < deadline && (changes == since || now < earliest)) {
                    long _ = changed.awaitNanos((changes == since ? deadline : earliest) - now);
                    now = System.nanoTime();
                }
                return changes != since;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            watches.close();
        }
    }

    /** A user of kubectl, by the same requests. */
    record ApiUser(ApiTransport transport) {
        private static final int REFUSED = 300;
        private static final String PATCH = "application/strategic-merge-patch+json";
        private static final String JSON_PATCH = "application/json-patch+json";

        /** {@code kubectl create -f}. */
        void create(String namespace, String yaml) {
            for (String json : ClusterFiles.parse("manifest", yaml)) {
                JsonObject tree = Trees.parse(json);
                ResourceType type = ResourceTable.ofKind(Trees.text(tree, "apiVersion"), Trees.text(tree, "kind"))
                        .orElseThrow(() -> new IllegalArgumentException("no such kind: " + json));
                ask(ApiCall.send("POST", path(type, namespace), "application/json", json));
            }
        }

        /** {@code kubectl patch}. */
        void patch(ResourceType type, String namespace, String name, String patch) {
            ask(ApiCall.send("PATCH", path(type, namespace) + "/" + name, PATCH, patch));
        }

        /** {@code kubectl patch --type=json}. */
        void patchByOperations(ResourceType type, String namespace, String name, String operations) {
            ask(ApiCall.send("PATCH", path(type, namespace) + "/" + name, JSON_PATCH, operations));
        }

        /** {@code kubectl delete}. */
        void delete(ResourceType type, String namespace, String name) {
            ask(new ApiCall(
                    "DELETE",
                    path(type, namespace) + "/" + name,
                    Map.of("Accept", "application/json"),
                    Optional.empty()));
        }

        /** The first event of a namespace that is as wanted, if it comes in time. */
        Optional<JsonObject> awaitEvent(String namespace, Predicate<JsonObject> wanted, Duration patience) {
            String query = "?watch=true&timeoutSeconds=" + Math.max(1, patience.toSeconds());
            ApiCall call = ApiCall.get(path(ResourceTable.EVENTS, namespace) + query);
            try (ApiAnswer answer = transport.stream(call);
                    BufferedReader lines =
                            new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    Optional<JsonObject> event =
                            Trees.object(Trees.parse(line), "object").filter(wanted);
                    if (event.isPresent()) {
                        return event;
                    }
                }
                return Optional.empty();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** {@code kubectl get}. */
        List<JsonObject> list(ResourceType type, String namespace) {
            return Trees.objects(Trees.parse(ask(ApiCall.get(path(type, namespace)))), "items");
        }

        private String ask(ApiCall call) {
            try (ApiAnswer answer = transport.call(call)) {
                String text = new String(answer.body().readAllBytes(), StandardCharsets.UTF_8);
                if (answer.code() >= REFUSED) {
                    String reason = Trees.text(Trees.parse(text), "message");
                    throw new NotAsToldException(call.method() + " " + call.path() + " was refused: " + reason);
                }
                return text;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static String path(ResourceType type, String namespace) {
            String root = type.group().isEmpty() ? "/api/v1" : "/apis/" + type.apiVersion();
            return root + (type.namespaced() ? "/namespaces/" + namespace : "") + "/" + type.resource();
        }
    }

    /** The configurations of the demo's schedulers: five profiles of the one that plays in all stories, one of its guest. */
    static final class DemoConfiguration {
        private static final String TEXT = """
                apiVersion: kubescheduler.config.k8s.io/v1
                kind: KubeSchedulerConfiguration
                leaderElection: {leaderElect: false}
                clientConnection: {qps: 5000, burst: 10000}
                profiles:
                - schedulerName: default-scheduler
                - schedulerName: evenkeel
                - schedulerName: no-defaults
                  pluginConfig:
                  - name: PodTopologySpread
                    args: {defaultingType: List, defaultConstraints: []}
                - schedulerName: even-zones
                  pluginConfig:
                  - name: PodTopologySpread
                    args:
                      defaultingType: List
                      defaultConstraints:
                      - maxSkew: 1
                        topologyKey: topology.kubernetes.io/zone
                        whenUnsatisfiable: DoNotSchedule
                - schedulerName: gangs
                  plugins:
                    multiPoint:
                      enabled:
                      - name: GangScheduling
                """;

        private static final String LOOKING_AHEAD = """
                apiVersion: kubescheduler.config.k8s.io/v1
                kind: KubeSchedulerConfiguration
                leaderElection: {leaderElect: false}
                profiles:
                - schedulerName: redis
                  plugins:
                    multiPoint:
                      enabled:
                      - name: GroupPlacement
                  pluginConfig:
                  - name: GroupPlacement
                    args: {scope: Label, labelKey: app}
                """;

        private DemoConfiguration() {}

        static SchedulerConfiguration read() {
            return new ConfigurationReader().read("the demo's configuration", TEXT);
        }

        /** Of a scheduler that looks ahead for the pods of an app. */
        static SchedulerConfiguration lookingAhead() {
            return new ConfigurationReader().read("the configuration of a guest", LOOKING_AHEAD);
        }

        /** The lines on a profile, as they are written. */
        static String ofProfile(String schedulerName) {
            String start = "- schedulerName: " + schedulerName + "\n";
            String text = LOOKING_AHEAD.contains(start) ? LOOKING_AHEAD : TEXT;
            int begin = text.indexOf(start);
            int end = text.indexOf("\n- ", begin + 1);
            return text.substring(begin, end < 0 ? text.length() : end + 1);
        }
    }
}
