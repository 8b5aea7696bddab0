package io.evenkeel.e2e.rebalance;

import static io.evenkeel.e2e.scene.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.app.companion.RebalanceOptions.RebalanceSettings;
import io.evenkeel.app.live.LiveObservers;
import io.evenkeel.app.live.LiveOptions;
import io.evenkeel.app.live.LiveScheduler;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.SchedulerConfiguration.LeaderElection;
import io.evenkeel.hollow.HollowObjects;
import io.evenkeel.hollow.controller.HollowWorld;
import io.evenkeel.hollow.controller.WorldOptions;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.client.ConnectionOptions;
import io.evenkeel.kube.client.HttpTransport;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.tools.moves.Moving;
import io.evenkeel.whatif.moves.Step;
import io.evenkeel.whatif.moves.Step.Result;
import io.evenkeel.whatif.rebalance.MovePlan;
import io.evenkeel.whatif.rebalance.Rebalancer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nine pods that are to be spread over zones are on two, and a third zone comes back. */
class RebalanceTest {
    private static final int PODS = 9;

    private final HollowWorld world = HollowWorld.start(WorldOptions.DEFAULT);
    private final HollowObjects objects = world.cluster().objects();
    private final List<Step.Ended> ended = new CopyOnWriteArrayList<>();
    private final AtomicInteger plans = new AtomicInteger();

    @TempDir
    private Path files;

    @BeforeEach
    void fill() {
        node("a1", "a");
        node("a2", "a");
        node("b1", "b");
        node("b2", "b");
        objects.create("""
                {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "web", "namespace": "default"},
                 "spec": {"maxUnavailable": 1, "selector": {"matchLabels": {"app": "web"}}}}""");
        objects.create("""
                {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web", "namespace": "default"},
                 "spec": {"replicas": 9, "selector": {"matchLabels": {"app": "web"}}, "template": {
                  "metadata": {"labels": {"app": "web"}},
                  "spec": {"schedulerName": "default-scheduler", "containers": [{"name": "c", "image": "pause:1"}],
                   "topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "topology.kubernetes.io/zone",
                    "whenUnsatisfiable": "DoNotSchedule", "labelSelector": {"matchLabels": {"app": "web"}}}]}}}}""");
    }

    @AfterEach
    void close() {
        world.close();
    }

    private void node(String name, String zone) {
        objects.create("""
                {"kind": "Node", "apiVersion": "v1", "metadata": {"name": "%1$s",
                 "labels": {"kubernetes.io/hostname": "%1$s", "topology.kubernetes.io/zone": "%2$s"}},
                 "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "20"}}}""".formatted(name, zone));
    }

    @Test
    void thePodsOfTheFullZonesMoveOneAfterTheOther() throws IOException {
        play(true, () -> {
            Set<String> before = uids();
            eventually("all zones have as many").until(() -> readyByZone().equals(Map.of("a", 3L, "b", 3L, "c", 3L)));
            eventually("it is planned again").until(() -> plans.get() > 8);
            assertThat(ended).extracting(Step.Ended::result).containsExactly(Result.MOVED, Result.MOVED, Result.MOVED);
            before.retainAll(uids());
            assertThat(before).as("pods that stayed").hasSize(PODS - 3);
        });
    }

    @Test
    void fromOutsideTheSchedulerOnlySuchMovesAreMadeAsItWouldChooseItself() throws IOException {
        play(false, () -> {
            Set<String> before = uids();
            eventually("it is planned again").until(() -> plans.get() > 3);
            assertThat(ended)
                    .as("c1 is as good as c2")
                    .extracting(Step.Ended::result)
                    .containsOnly(Result.LEFT_ALONE);
            assertThat(uids()).isEqualTo(before);
            objects.deleteNow(ResourceTable.NODES, "", "c2");
            eventually("all zones have as many").until(() -> readyByZone().equals(Map.of("a", 3L, "b", 3L, "c", 3L)));
            assertThat(ended).extracting(Step.Ended::result).containsOnly(Result.LEFT_ALONE, Result.MOVED);
        });
    }

    @Test
    void withSurgeSuccessorsComeFirstAndTheDeploymentIsAsItWas() throws IOException {
        play(true, true, () -> {
            eventually("all zones have as many").until(() -> {
                assertThat(readyByZone().values().stream()
                                .mapToLong(Long::longValue)
                                .sum())
                        .as("ready, at each look")
                        .isGreaterThanOrEqualTo(PODS);
                return readyByZone().equals(Map.of("a", 3L, "b", 3L, "c", 3L));
            });
            eventually("it is planned again").until(() -> plans.get() > 8);
            assertThat(ended).extracting(Step.Ended::result).containsExactly(Result.MOVED, Result.MOVED, Result.MOVED);
            assertThat(objects.list(ResourceTable.NEW_EVENTS, "default"))
                    .anyMatch(event -> event.contains("Is to go from "))
                    .noneMatch(event -> event.contains("Evicted from "));
            assertThat(objects.list(ResourceTable.DEPLOYMENTS, "default"))
                    .allMatch(deployment -> deployment.contains("\"replicas\":9") && !deployment.contains("surge"));
        });
    }

    private void play(boolean beside, Runnable scene) throws IOException {
        play(beside, false, scene);
    }

    /**
     * Plays a scene.
     *
     * @param beside whether it runs beside the scheduler, and can hold places there
     * @param surges whether Deployments have a pod more while one of theirs moves
     */
    private void play(boolean beside, boolean surges, Runnable scene) throws IOException {
        SchedulerConfiguration configuration = SchedulerConfiguration.defaults().toBuilder()
                .leaderElection(notElected())
                .build();
        Moving moving = new Moving(
                configuration,
                InTreePlugins.registry(),
                Rebalancer::plan,
                new Moving.Manner(
                        new RebalanceSettings(Duration.ofSeconds(1), 60, Duration.ZERO, false, surges),
                        beside,
                        false,
                        new Moving.Listener() {
                            @Override
                            public void planned(MovePlan plan) {
                                plans.incrementAndGet();
                            }

                            @Override
                            public void did(Step step) {
                                if (step instanceof Step.Ended end) {
                                    ended.add(end);
                                }
                            }
                        }));
        try (HttpTransport transport = HttpTransport.open(
                        ConnectionOptions.of(Optional.of(world.cluster().writeKubeconfig(files.resolve("kubeconfig")))),
                        "e2e",
                        ApiObserver.NONE);
                LiveScheduler scheduler = LiveScheduler.start(
                        configuration,
                        transport,
                        LiveOptions.usual("e2e"),
                        beside ? LiveObservers.NONE.with(List.of(moving)) : LiveObservers.NONE)) {
            eventually("all pods are ready")
                    .until(() -> readyByZone().values().stream()
                                    .mapToLong(Long::longValue)
                                    .sum()
                            == PODS);
            node("c1", "c");
            if (beside) {
                scene.run();
                assertThat(scheduler.<Integer>answer(live -> live.queue().held().size()))
                        .as("held")
                        .isZero();
            } else {
                node("c2", "c");
                try (LiveScheduler _ = LiveScheduler.start(
                        configuration,
                        transport,
                        LiveOptions.observing("outside", InTreePlugins.registry()),
                        LiveObservers.NONE.with(List.of(moving)))) {
                    scene.run();
                }
            }
        }
    }

    private static LeaderElection notElected() {
        LeaderElection usual = SchedulerConfiguration.defaults().leaderElection();
        return new LeaderElection(
                false,
                usual.leaseDuration(),
                usual.renewDeadline(),
                usual.retryPeriod(),
                usual.resourceLock(),
                usual.resourceName(),
                usual.resourceNamespace());
    }

    private List<JsonObject> pods() {
        return objects.list(ResourceTable.PODS, "default").stream()
                .map(pod -> JsonParser.parseString(pod).getAsJsonObject())
                .toList();
    }

    private Set<String> uids() {
        return pods().stream()
                .map(pod -> pod.getAsJsonObject("metadata").get("uid").getAsString())
                .collect(Collectors.toCollection(HashSet::new));
    }

    private Map<String, Long> readyByZone() {
        return pods().stream()
                .filter(pod -> pod.getAsJsonObject("spec").has("nodeName")
                        && pod.toString().contains("\"type\":\"Ready\"")
                        && !pod.getAsJsonObject("metadata").has("deletionTimestamp"))
                .collect(Collectors.groupingBy(
                        pod -> pod.getAsJsonObject("spec")
                                .get("nodeName")
                                .getAsString()
                                .substring(0, 1),
                        TreeMap::new,
                        Collectors.counting()));
    }
}
