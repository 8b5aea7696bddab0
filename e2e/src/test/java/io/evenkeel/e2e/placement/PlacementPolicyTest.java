package io.evenkeel.e2e.placement;

import static io.evenkeel.e2e.cluster.ClusterKind.HOLLOW;
import static io.evenkeel.e2e.scene.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.live.LiveOptions;
import io.evenkeel.e2e.scene.OnClusters;
import io.evenkeel.e2e.scene.PodView;
import io.evenkeel.e2e.scene.Scene;
import io.evenkeel.e2e.scene.SchedulerUnderTest;
import io.evenkeel.hollow.Faults.RequestMatch;
import io.evenkeel.kube.watch.Watches.WatchStatus;
import io.evenkeel.model.json.Trees;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The limits of policies, by way of an API server that has their definitions, and of one that has not. */
@OnClusters(HOLLOW)
class PlacementPolicyTest {
    private static final String API = "evenkeel.io/v1alpha1";
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final String HOSTNAME = "kubernetes.io/hostname";
    private static final String WITH_POLICIES = "plugins: {multiPoint: {enabled: [{name: PlacementPolicy}]}}";
    private static final String REDIS = "labels: {app: redis}";
    private static final int NOT_FOUND = 404;

    private static SchedulerUnderTest scheduler(Scene scene) {
        return scene.scheduler(scene.configuration(WITH_POLICIES), LiveOptions.usual("e2e"))
                .awaitSynced();
    }

    private static void policy(Scene scene, String rule) {
        scene.create(
                API,
                "PlacementPolicy",
                "redis",
                "spec: {selector: {matchLabels: {app: redis}}, rules: [%s]}".formatted(rule));
    }

    private static void change(Scene scene, String rule) {
        scene.api().patch(scene.path(API, "PlacementPolicy") + "/redis", "spec: {rules: [%s]}".formatted(rule));
    }

    private static void nodes(Scene scene, int first, int end) {
        for (int number = first; number < end; number++) {
            scene.node("n" + number, "");
        }
    }

    private static List<PodView> waiting(Scene scene) {
        return scene.pods().all().stream().filter(pod -> pod.node().isEmpty()).toList();
    }

    private static String most(int pods) {
        return "{topologyKey: %s, maxPods: %d}".formatted(HOSTNAME, pods);
    }

    private static String capped(int nodes) {
        return "0/%1$d nodes are available: %1$d node(s) didn't satisfy PlacementPolicy redis (maxPods 2 over %2$s)"
                .formatted(nodes, HOSTNAME);
    }

    @Test
    void podsAboveACapWaitAndAreToldWhichUntilThereIsANodeMore(Scene scene) {
        nodes(scene, 0, 4);
        policy(scene, most(2));
        scheduler(scene);
        scene.pods("redis", 10, REDIS);
        scene.awaitAllBound(8);
        eventually("two are told which cap it is")
                .untilAsserted(() -> assertThat(waiting(scene))
                        .hasSize(2)
                        .allSatisfy(pod -> assertThat(pod.message()).startsWith(capped(4))));
        String one = waiting(scene).getFirst().name();
        eventually("an event says so")
                .untilAsserted(() -> assertThat(scene.events(one)).anySatisfy(event -> {
                    assertThat(Trees.text(event, "reason")).isEqualTo("FailedScheduling");
                    assertThat(Trees.text(event, "note")).startsWith(capped(4));
                }));
        assertThat(scene.spread("redis", HOSTNAME))
                .hasSize(4)
                .allSatisfy((_, pods) -> assertThat(pods).isEqualTo(2));

        nodes(scene, 4, 5);
        scene.awaitAllBound(10);
        assertThat(scene.spread("redis", HOSTNAME))
                .hasSize(5)
                .allSatisfy((_, pods) -> assertThat(pods).isEqualTo(2));
    }

    @Test
    void aPolicyThatIsRaisedLetsInThoseThatWaitForIt(Scene scene) {
        nodes(scene, 0, 4);
        policy(scene, most(2));
        scheduler(scene);
        scene.pods("redis", 10, REDIS);
        eventually("two are told which cap it is")
                .untilAsserted(() -> assertThat(waiting(scene))
                        .hasSize(2)
                        .allSatisfy(pod -> assertThat(pod.message()).startsWith(capped(4))));

        change(scene, most(3));
        scene.awaitAllBound(10);
        assertThat(scene.spread("redis", HOSTNAME))
                .hasSize(4)
                .allSatisfy((_, pods) -> assertThat(pods).isBetween(2L, 3L));
    }

    @Test
    void podsOfAnotherNamespaceAreNoneOfItsBusiness(Scene scene) {
        nodes(scene, 0, 1);
        scene.createInCluster("v1", "Namespace", scene.namespace() + "-other", "");
        scene.api().create("""
                        {apiVersion: %s, kind: PlacementPolicy, metadata: {name: redis, namespace: %s-other},
                         spec: {selector: {matchLabels: {app: redis}}, rules: [%s]}}
                        """.formatted(API, scene.namespace(), most(1)));
        scheduler(scene);
        scene.pods("redis", 3, REDIS);
        scene.awaitAllBound(3);
    }

    @Test
    void byWeightEachZoneIsWithinOnePodOfItsShareAtEachStep(Scene scene) {
        scene.zones(3, 2);
        policy(scene, "{topologyKey: %s, weights: [{domain: a, weight: 7}, {domain: b, weight: 3}]}".formatted(ZONE));
        scheduler(scene);
        for (int pods = 1; pods <= 50; pods++) {
            scene.pod("redis-" + pods, REDIS);
            scene.awaitAllBound(pods);
            Map<String, Long> spread = scene.spread("redis", ZONE);
            assertThat(spread).as("of " + pods).containsEntry("c", 0L);
            assertThat(10 * spread.get("a")).as("tenths of a, of " + pods).isBetween(7L * pods - 9, 7L * pods + 9);
            if (pods == 10) {
                assertThat(spread).isEqualTo(Map.of("a", 7L, "b", 3L, "c", 0L));
            }
        }
    }

    @Test
    void onNoMoreThanFourNodesAndEvenlyOnThese(Scene scene) {
        nodes(scene, 0, 7);
        policy(scene, "{topologyKey: %s, maxDomains: 4, maxSkew: 1}".formatted(HOSTNAME));
        scheduler(scene);
        scene.pods("redis", 10, REDIS);
        scene.awaitAllBound(10);
        assertThat(scene.spread("redis", HOSTNAME).values()).containsExactlyInAnyOrder(0L, 0L, 0L, 2L, 2L, 3L, 3L);
    }

    @Test
    void eachZoneThatMustBeUsedHasAPodBeforeAnotherHasTwo(Scene scene) {
        scene.zones(3, 4);
        policy(scene, "{topologyKey: %s, mustUse: [b, d]}".formatted(ZONE));
        scheduler(scene);
        scene.pods("redis", 4, REDIS);
        scene.awaitAllBound(3);
        assertThat(scene.spread("redis", ZONE)).isEqualTo(Map.of("a", 1L, "b", 1L, "c", 1L));
        eventually("one waits for d")
                .untilAsserted(() -> assertThat(waiting(scene))
                        .singleElement()
                        .extracting(PodView::message)
                        .asString()
                        .contains("12 node(s) didn't satisfy PlacementPolicy redis (mustUse over " + ZONE + ")"));

        scene.zone("d", "d1");
        scene.awaitAllBound(4);
        assertThat(scene.spread("redis", ZONE)).containsEntry("d", 1L);
    }

    @Test
    void oneOfTheClusterCountsTheNamespacesThatItSelectsTogether(Scene scene) {
        nodes(scene, 0, 2);
        scene.createInCluster(
                API, "ClusterPlacementPolicy", scene.namespace(), """
                spec:
                  selector: {matchLabels: {app: redis}}
                  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: %s}}
                  rules: [%s]
                """.formatted(scene.namespace(), most(1)));
        scheduler(scene);
        scene.pods("redis", 3, REDIS);
        scene.awaitAllBound(2);
        eventually("one is told which policy it is")
                .untilAsserted(() -> assertThat(waiting(scene))
                        .singleElement()
                        .extracting(PodView::message)
                        .asString()
                        .contains("didn't satisfy ClusterPlacementPolicy " + scene.namespace()));
    }

    @Test
    void whereThereAreNoSuchKindsPodsArePlaced(Scene scene) {
        nodes(scene, 0, 1);
        for (String kinds : List.of("placementpolicies", "clusterplacementpolicies")) {
            scene.hollow().faults().refuseShare(1, new RequestMatch("*", kinds), NOT_FOUND, 0);
        }
        SchedulerUnderTest scheduler = scheduler(scene);
        assertThat(scheduler.live().watchStatuses())
                .filteredOn(WatchStatus::absent)
                .extracting(WatchStatus::kind)
                .contains("PlacementPolicy", "ClusterPlacementPolicy");
        scene.pod("redis", REDIS);
        scene.awaitBound("redis");
    }
}
