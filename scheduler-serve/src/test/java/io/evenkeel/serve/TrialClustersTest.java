package io.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import evenkeel.whatif.v1.CanSchedulePod;
import evenkeel.whatif.v1.KubernetesObject;
import evenkeel.whatif.v1.Names;
import evenkeel.whatif.v1.Nothing;
import evenkeel.whatif.v1.ObjectName;
import evenkeel.whatif.v1.Place;
import evenkeel.whatif.v1.Result;
import evenkeel.whatif.v1.SchedulePods;
import evenkeel.whatif.v1.SchedulingOptions;
import evenkeel.whatif.v1.SessionRequest;
import evenkeel.whatif.v1.Step;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.whatif.ClusterSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TrialClustersTest {
    private static final WhatIfLimits SMALL = new WhatIfLimits(
            WhatIfLimits.USUAL.traffic(), 2, 2, 10, 20, 2, 20, 10, 2_000, Duration.ZERO, Duration.ofMinutes(1));
    private static final Nothing NOTHING = Nothing.getDefaultInstance();
    private static final Step BEGIN = Step.newBuilder().setBegin(NOTHING).build();
    private static final Step COMMIT = Step.newBuilder().setCommit(NOTHING).build();
    private static final Step ROLLBACK = Step.newBuilder().setRollback(NOTHING).build();
    private static final Step RESET = Step.newBuilder().setReset(NOTHING).build();
    private static final Step FORK = Step.newBuilder().setFork(NOTHING).build();

    private final TrialClusters own = trials(true);

    private static TrialClusters trials(boolean isOwn) {
        ClusterSnapshot cluster = new ClusterSnapshot(SchedulerConfiguration.defaults(), InTreePlugins.registry());
        Kinds kinds = Kinds.of(cluster.kinds());
        return new TrialClusters(cluster, isOwn, new ObjectsOnWire(new ObjectReader(kinds), kinds), SMALL);
    }

    private static KubernetesObject json(String text) {
        return KubernetesObject.newBuilder().setJson(text).build();
    }

    private static KubernetesObject node(String name) {
        return json("""
                {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "%s"},
                 "status": {"allocatable": {"cpu": "2", "pods": "110"}}}""".formatted(name));
    }

    private static KubernetesObject pod(String name, String node) {
        return json("""
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"namespace": "shop", "name": "%s"},
                 "spec": {"nodeName": "%s", "containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}}}]}}""".formatted(name, node));
    }

    private static Step put(KubernetesObject object) {
        return Step.newBuilder().setPut(object).build();
    }

    private static Step schedule(KubernetesObject... pods) {
        return Step.newBuilder()
                .setSchedulePods(SchedulePods.newBuilder().addAllPods(List.of(pods)))
                .build();
    }

    private static Step canSchedule() {
        return Step.newBuilder()
                .setSchedulePods(SchedulePods.newBuilder()
                        .addPods(pod("tried", ""))
                        .setOptions(SchedulingOptions.newBuilder().setDryRun(true)))
                .build();
    }

    @Test
    void nothingMoreIsDoneForWhoDoesNotWait() {
        AtomicInteger steps = new AtomicInteger();
        SessionRequest request = SessionRequest.newBuilder()
                .addSteps(BEGIN)
                .addSteps(BEGIN)
                .addSteps(BEGIN)
                .build();

        assertThatThrownBy(() -> own.answer(request, SMALL.objects(), () -> {
                    if (steps.getAndIncrement() == 2) {
                        throw new CancellationException();
                    }
                }))
                .isInstanceOf(CancellationException.class);
        assertThat(error(does(COMMIT, COMMIT, COMMIT))).isEqualTo("no transaction is open");
        assertThat(does(RESET)).hasSize(1);
    }

    private List<Result> does(Step... steps) {
        return doesIn(own, 0, steps);
    }

    private static List<Result> doesIn(TrialClusters trials, int cluster, Step... steps) {
        return trials.answer(
                        SessionRequest.newBuilder()
                                .setCluster(cluster)
                                .addAllSteps(List.of(steps))
                                .build(),
                        SMALL.objects(),
                        () -> {})
                .getResultsList();
    }

    private static String node(Result result) {
        return result.getVerdicts().getVerdicts(0).getNode();
    }

    private static String error(List<Result> results) {
        return results.getLast().getError();
    }

    @Test
    void transactionsNest() {
        List<Result> results = does(
                put(node("a")),
                BEGIN,
                put(pod("one", "a")),
                BEGIN,
                put(pod("two", "a")),
                canSchedule(),
                ROLLBACK,
                canSchedule(),
                COMMIT,
                canSchedule(),
                RESET,
                canSchedule());

        assertThat(Stream.of(5, 7, 9, 11).map(results::get).map(TrialClustersTest::node))
                .containsExactly("", "a", "a", "a");
        assertThat(error(does(ROLLBACK))).isEqualTo("no transaction is open");
    }

    @Test
    void whatIsPutAfterAQuestionStays() {
        assertThat(does(put(node("a")), canSchedule(), put(pod("one", "a")), put(pod("two", "a")), BEGIN, RESET))
                .allMatch(result -> !result.hasError());

        assertThat(node(does(canSchedule()).getFirst())).isEmpty();
    }

    @Test
    void aPodInPlaceIsJudgedBesideAllOthers() {
        KubernetesObject there =
                KubernetesObject.newBuilder().setPod("shop/one").build();
        Step fits = Step.newBuilder()
                .setCanSchedulePod(CanSchedulePod.newBuilder().setPod(there))
                .build();

        assertThat(does(put(node("a")), put(pod("one", "a")), put(pod("two", "a")), fits)
                        .getLast()
                        .getFitting()
                        .getNodesList())
                .containsExactly("a");
    }

    @Test
    void aForkGoesItsOwnWay() {
        assertThat(does(put(node("a")), put(pod("one", "a")), FORK).getLast().getForked())
                .isEqualTo(1);

        doesIn(
                own,
                1,
                Step.newBuilder()
                        .setDelete(ObjectName.newBuilder()
                                .setKind("Pod")
                                .setNamespace("shop")
                                .setName("one"))
                        .build());

        Step both = schedule(pod("x", ""), pod("y", ""));
        assertThat(doesIn(own, 1, both).getFirst().getVerdicts().getVerdicts(1).getNode())
                .isEqualTo("a");
        assertThat(does(both).getFirst().getVerdicts().getVerdicts(1).getNode()).isEmpty();
        assertThat(error(does(FORK))).isEqualTo("a session has 2 clusters at most");
        assertThat(does(Step.newBuilder().setDrop(1).build()).getFirst().hasDone())
                .isTrue();
        assertThat(error(doesIn(own, 1, both))).isEqualTo("there is no cluster 1");
    }

    @Test
    void nobodyTakesMoreThanTheLimits() {
        Step[] nodes = IntStream.range(0, 11)
                .mapToObj(number -> put(node("n" + number)))
                .toArray(Step[]::new);

        assertThat(error(does(nodes))).isEqualTo("there is room for 10 objects and changes, and 10 are there");
        assertThat(error(does(BEGIN, BEGIN, BEGIN))).isEqualTo("a cluster has 2 open transactions at most");
        assertThat(does(Stream.generate(() -> RESET).limit(21).toArray(Step[]::new)))
                .singleElement()
                .extracting(Result::getError)
                .isEqualTo("a request has 20 steps at most");
        assertThat(error(does(
                        RESET,
                        schedule(IntStream.range(0, 11)
                                .mapToObj(number -> pod("p" + number, ""))
                                .toArray(KubernetesObject[]::new)))))
                .isEqualTo("a request schedules 10 pods at most");
    }

    @Test
    void aChangeThatIsTakenBackTakesNoRoom() {
        Step place = Step.newBuilder()
                .setPlace(Place.newBuilder().setPod(pod("one", "")).setNode("a"))
                .build();
        does(put(node("a")));

        for (int round = 0; round < 10; round++) {
            assertThat(does(BEGIN, place, ROLLBACK)).allMatch(Result::hasDone);
        }
        assertThat(does(place, place, place)).hasSize(3).last().matches(Result::hasDone);
        assertThat(error(does(place, place, place, place, place, place)))
                .startsWith("there is room for 10 objects and changes");
    }

    @Test
    void theServersClusterIsNoSessions() {
        TrialClusters shared = trials(false);

        assertThat(error(doesIn(shared, 0, FORK)))
                .isEqualTo("the server's own cluster cannot be forked: open the session on a copy");
        assertThat(doesIn(shared, 0, put(node("a")), canSchedule(), RESET, canSchedule()))
                .extracting(result -> result.hasVerdicts() ? node(result) : "")
                .containsExactly("", "a", "", "");
    }

    @Test
    void mistakesAreNamed() {
        assertThat(error(does(put(json("{\"kind\": \"Node\", \"metadata\": 7}")))))
                .contains("metadata");
        assertThat(error(does(
                        put(json("{\"kind\": \"Secret\", \"apiVersion\": \"v1\", \"metadata\": {\"name\": \"s\"}}")))))
                .isEqualTo("scheduling does not read objects of kind \"Secret\"");
        assertThat(error(does(schedule(node("a"))))).isEqualTo("expected a Pod");
        assertThat(error(does(Step.getDefaultInstance()))).isEqualTo("a step says nothing that is known here");
        assertThat(error(does(Step.newBuilder()
                        .setPreemptPods(Names.newBuilder().addNames("shop/none"))
                        .build())))
                .isEqualTo("no pod shop/none is on a node");
        assertThat(error(does(BEGIN, put(pod("lost", "nowhere"))))).isEqualTo("there is no node nowhere");
    }
}
