package io.evenkeel.app.live;

import static io.evenkeel.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.sun.net.httpserver.Headers;
import io.evenkeel.app.http.Request;
import io.evenkeel.app.live.LiveRoutes.Liveness;
import io.evenkeel.app.live.LiveScheduler.Ending;
import io.evenkeel.app.metrics.MetricsEndpoint;
import io.evenkeel.app.metrics.MetricsOptions.ShownMetrics;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.SchedulerConfiguration.LeaderElection;
import io.evenkeel.config.ShardSettings;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.hollow.HollowCluster;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.client.ConnectionOptions;
import io.evenkeel.kube.client.HttpTransport;
import io.evenkeel.kube.watch.Watches.WatchStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Replicas share the shards of a cluster, through HTTP: each pod is bound, whoever comes and goes. */
class ShardsOnHollowTest {
    private static final Duration GRACE = Duration.ofMinutes(1);
    private static final int SEATS = 5;
    /** A lease that no busy machine lets run out, and a look at it ten times a second. */
    private static final LeaderElection PATIENT = election(Duration.ofMinutes(2));
    /** One that is soon taken over. */
    private static final LeaderElection HASTY = election(Duration.ofSeconds(3));

    private static final SchedulerConfiguration WITH_GANGS = new ConfigurationReader().read("test", """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            profiles:
            - plugins: {multiPoint: {enabled: [{name: Coscheduling}]}}
            """);

    @TempDir
    private Path files;

    private final HollowCluster cluster = HollowCluster.start();
    private final List<Replica> replicas = new ArrayList<>();
    private int pods;

    private final class Replica implements AutoCloseable {
        private final HttpTransport transport;
        private final LiveShards live;

        Replica(String name, LeaderElection election, boolean refusesAcross) throws IOException {
            transport = HttpTransport.open(
                    ConnectionOptions.of(Optional.of(cluster.writeKubeconfig(files.resolve(name)))),
                    "test",
                    ApiObserver.NONE);
            live = new LiveShards(
                    WITH_GANGS.toBuilder()
                            .leaderElection(election)
                            .shards(new ShardSettings("", List.of(), SEATS - 1, refusesAcross))
                            .build(),
                    transport,
                    LiveOptions.usual(name),
                    "1.0",
                    ShownMetrics.ALL,
                    List::of,
                    GRACE,
                    Machine.SYSTEM);
            replicas.add(this);
            live.begin();
        }

        int engines() {
            return live.engines().size();
        }

        /** Ends as if killed: the Leases run out by themselves. */
        void die() {
            close();
            replicas.remove(this);
        }

        @Override
        public void close() {
            live.close();
            transport.close();
        }
    }

    private static LeaderElection election(Duration lease) {
        return new LeaderElection(
                true, lease, lease.dividedBy(2), Duration.ofMillis(100), "leases", "evenkeel", "kube-system");
    }

    @BeforeEach
    void nodes() {
        for (int i = 0; i < 12; i++) {
            cluster.objects().create("""
                    {"kind":"Node","apiVersion":"v1","metadata":{"name":"n%d"},
                     "status":{"allocatable":{"cpu":"64","memory":"8Gi","pods":"110"}}}""".formatted(i));
        }
    }

    @AfterEach
    void end() {
        replicas.forEach(Replica::close);
        cluster.close();
    }

    private void createPods(int more) {
        for (int i = 0; i < more; i++) {
            cluster.objects().create("""
                    {"kind":"Pod","apiVersion":"v1","metadata":{"name":"p%d","namespace":"default"},
                     "spec":{"schedulerName":"default-scheduler","containers":[{"name":"c","image":"pause:1",
                      "resources":{"requests":{"cpu":"100m"}}}]}}""".formatted(pods++));
        }
    }

    private void areBound() {
        await().until(() -> cluster.objects().list(ResourceTable.PODS, "default").stream()
                        .filter(pod -> pod.contains("nodeName"))
                        .count()
                == pods);
    }

    private Map<String, Integer> held() {
        Map<String, Integer> held = new HashMap<>();
        for (String text : cluster.objects().list(ResourceTable.LEASES, "kube-system")) {
            JsonObject lease = JsonParser.parseString(text).getAsJsonObject();
            String holder = lease.getAsJsonObject("spec").has("holderIdentity")
                    ? lease.getAsJsonObject("spec").get("holderIdentity").getAsString()
                    : "";
            held.merge(holder.isEmpty() ? "" : holder.substring(0, holder.indexOf('_')), 1, Integer::sum);
        }
        return held;
    }

    @Test
    void replicasThatComeAndGoShareTheShardsAndEachPodIsBound() throws IOException {
        Replica a = new Replica("a", PATIENT, false);
        await().until(() -> held().equals(Map.of("a", 5)));
        createPods(40);
        areBound();

        Replica b = new Replica("b", PATIENT, false);
        createPods(40);
        // whose engine of all nodes weighs as much as the others together
        await().until(() -> held().equals(Map.of("a", 4, "b", 1)));
        createPods(40);
        areBound();
        await().until(() -> a.engines() == 4 && b.engines() == 1);
        assertThat(b.live.engines()).containsOnlyKeys(LiveShards.OVERSEER);
        assertThat(a.live.engines().values()).allMatch(LiveScheduler::isSynced);

        createPods(40);
        b.live.stop(GRACE);
        assertThat(b.live.ended()).isCompletedWithValue(Ending.STOPPED);
        assertThat(held()).doesNotContainKey("b");
        createPods(40);
        areBound();
        await().until(() -> held().equals(Map.of("a", 5)));
    }

    @Test
    void aGangIsBoundWhosePodsAreInSeveralShards() throws IOException {
        new Replica("a", PATIENT, false);
        await().until(() -> held().equals(Map.of("a", 5)));
        cluster.objects().create("""
                {"kind":"PodGroup","apiVersion":"scheduling.x-k8s.io/v1alpha1","metadata":{"name":"g","namespace":"default"},
                 "spec":{"minMember":12}}""");
        for (int i = 0; i < 12; i++) {
            cluster.objects().create("""
                    {"kind":"Pod","apiVersion":"v1","metadata":{"name":"g%d","namespace":"default",
                      "labels":{"scheduling.x-k8s.io/pod-group":"g"}},
                     "spec":{"schedulerName":"default-scheduler","containers":[{"name":"c","image":"pause:1",
                      "resources":{"requests":{"cpu":"30"}}}]}}""".formatted(i));
        }
        pods = 12;
        areBound();
    }

    @Test
    void whatADeadReplicaHeldGoesToAnother() throws IOException {
        Replica a = new Replica("a", HASTY, false);
        await().until(() -> held().equals(Map.of("a", 5)));
        Replica b = new Replica("b", HASTY, false);
        await().until(() -> held().equals(Map.of("a", 4, "b", 1)));
        a.die();
        createPods(40);
        areBound();
        await().until(() -> b.engines() == 5);
    }

    @Test
    void whileTheServerIsSilentEnginesWaitAndReadNothingAnewAfterThat() throws IOException {
        Replica a = new Replica("a", HASTY, false);
        await().until(() ->
                a.engines() == 5 && a.live.engines().values().stream().allMatch(LiveScheduler::isSynced));
        createPods(20);
        areBound();
        Map<String, LiveScheduler> engines = Map.copyOf(a.live.engines());
        long read = timesRead(engines);
        cluster.stopServer();
        await().until(() -> a.live.engines().isEmpty());
        createPods(20);
        cluster.restartServer();
        areBound();
        await().until(() -> a.live.engines().equals(engines));
        assertThat(timesRead(engines)).isEqualTo(read);
    }

    private static long timesRead(Map<String, LiveScheduler> engines) {
        return engines.values().stream()
                .flatMap(engine -> engine.watchStatuses().stream())
                .mapToLong(WatchStatus::relists)
                .sum();
    }

    @Test
    void whereNothingReachesAcrossNoEngineKnowsAllNodesThoughItsLeaseIsHeld() throws IOException {
        Replica a = new Replica("a", PATIENT, true);
        await().until(() -> held().equals(Map.of("a", 5)));
        createPods(40);
        areBound();
        assertThat(a.live.engines()).containsOnlyKeys("0", "1", "2", "3");
    }

    @Test
    void whatIsServedIsOfAllShardsThatAreHeld() throws IOException {
        Replica a = new Replica("a", PATIENT, false);
        createPods(40);
        areBound();
        await().until(() -> troubles(a).isEmpty() && a.engines() == SEATS);

        Map<String, Double> held = series(a, "evenkeel_shard_held");
        assertThat(held)
                .containsExactlyInAnyOrderEntriesOf(Map.of("0", 1.0, "1", 1.0, "2", 1.0, "3", 1.0, "overseer", 1.0));
        await().until(() -> sum(series(a, "scheduler_schedule_attempts_total")) >= 40);
        assertThat(series(a, "scheduler_cache_size")).hasSize(SEATS);

        new Replica("b", PATIENT, false);
        await().until(() -> sum(series(a, "evenkeel_shard_held")) == 4);
        assertThat(series(a, "scheduler_cache_size")).hasSize(4);
        assertThat(troubles(a)).isEmpty();
    }

    private void createTooLargePod(String status) {
        cluster.objects().create("""
                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"large","namespace":"default"},
                 "spec":{"schedulerName":"default-scheduler","containers":[{"name":"c","image":"pause:1",
                  "resources":{"requests":{"cpu":"100"}}}]},"status":%s}""".formatted(status));
    }

    private String largePod() {
        return cluster.objects().list(ResourceTable.PODS, "default").getFirst();
    }

    @Test
    void ofAPodThatAllHaveTriedOneTellsAndOneCounts() throws IOException {
        Replica a = new Replica("a", PATIENT, false);
        await().until(() -> a.engines() == SEATS);
        createTooLargePod("{}");
        await().until(() -> largePod().contains("0/12 nodes are available: 12 Insufficient cpu."));
        await().until(() -> sum(series(a, "scheduler_schedule_attempts_total")) >= 2 * (SEATS - 1));
        await().until(() -> sum(series(a, "scheduler_pending_pods")) == 1);
        await().until(() ->
                !cluster.objects().list(ResourceTable.NEW_EVENTS, "default").isEmpty());
        assertThat(cluster.objects().list(ResourceTable.NEW_EVENTS, "default"))
                .singleElement()
                .asString()
                .contains("FailedScheduling", "0/12 nodes are available: 12 Insufficient cpu.");
    }

    @Test
    void whoSchedulesAloneTakesAwayWhatShardsHaveTold() throws IOException {
        createTooLargePod("""
                {"phase":"Pending","conditions":[
                 {"type":"evenkeel.io/shard","status":"True","reason":"Asked","message":"n1"}]}""");
        try (HttpTransport transport = HttpTransport.open(
                        ConnectionOptions.of(Optional.of(cluster.writeKubeconfig(files.resolve("alone")))),
                        "test",
                        ApiObserver.NONE);
                LiveScheduler alone = LiveScheduler.assemble(
                        SchedulerConfiguration.defaults().toBuilder()
                                .leaderElection(PATIENT)
                                .build(),
                        transport,
                        LiveOptions.usual("alone"),
                        LiveObservers.NONE)) {
            alone.begin();
            await().until(() -> largePod().contains("12 Insufficient cpu"));
        }
        assertThat(largePod()).doesNotContain("evenkeel.io/shard");
    }

    private static double sum(Map<String, Double> series) {
        return series.values().stream().mapToDouble(each -> each).sum();
    }

    private static List<String> troubles(Replica replica) {
        return Liveness.ready(replica.live).stream()
                .flatMap(check -> check.trouble().get().stream())
                .toList();
    }

    /** The series of a metric, summed by shard. */
    private static Map<String, Double> series(Replica replica, String metric) {
        Map<String, Double> series = new HashMap<>();
        try (var endpoint = MetricsEndpoint.of(List.of(replica.live.metrics()))) {
            String text = new String(
                    endpoint.answer(new Request("GET", "/metrics", Map.of(), new Headers()))
                            .body(),
                    StandardCharsets.UTF_8);
            Matcher each = Pattern.compile(
                            "^" + metric + "\\{(?:[^}]*,)?shard=\"(\\w+)\"[^}]*} (\\S+)$", Pattern.MULTILINE)
                    .matcher(text);
            while (each.find()) {
                series.merge(each.group(1), Double.parseDouble(each.group(2)), Double::sum);
            }
        }
        return series;
    }

    @Test
    void aFaultOfOneEngineEndsTheProcess() throws IOException {
        Replica a = new Replica("a", PATIENT, false);
        await().until(() -> a.engines() == SEATS);
        LiveScheduler one = a.live.engines()
                .getOrDefault("2", a.live.engines().values().iterator().next());
        one.mailbox().post(new SchedulerEvent.Inquiry(_ -> {
            throw new IllegalStateException("broken");
        }));
        await().until(() -> a.live.ended().isDone());
        assertThat(a.live.ended()).isCompletedWithValue(Ending.FAULT);
    }
}
