package io.evenkeel.e2e.placement;

import static io.evenkeel.e2e.cluster.ClusterKind.HOLLOW;
import static io.evenkeel.e2e.scene.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.live.LiveOptions;
import io.evenkeel.e2e.scene.OnClusters;
import io.evenkeel.e2e.scene.Scene;
import io.evenkeel.e2e.scene.SchedulerUnderTest;
import io.evenkeel.model.json.Trees;
import io.evenkeel.rotation.Rotated;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A zone that takes no pods: they wait for it as they are asked to, then no longer, and for it alone once it is back. */
@OnClusters(HOLLOW)
@Rotated(3)
class PolicyRelaxationTest {
    private static final String API = "evenkeel.io/v1alpha1";
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final String REDIS = "labels: {app: redis}";

    /** The zones are [1, 1, 1] when c is tainted, and six more pods come. */
    @Test
    void anOutageOfAKnownZoneIsWaitedForAndThenNoLonger(Scene scene) {
        scene.zones(3, 1);
        policy(scene, "knownDomains: [a, b, c]");
        SchedulerUnderTest scheduler = scheduler(scene);
        scene.pods("redis", 3, REDIS);
        scene.awaitAllBound(3);
        scene.api().patch(scene.nodePath("c1"), "spec: {taints: [{key: outage, effect: NoSchedule}]}");
        scene.awaitNodesKnown(scheduler);

        scene.pods("more", 6, REDIS);
        scene.awaitAllBound(9);
        assertThat(zones(scene)).isEqualTo(Map.of("a", 4L, "b", 4L, "c", 1L));
        assertThat(relaxed(scene)).containsExactly("c Tainted");
        assertThat(reasons(scene)).contains("PolicyRelaxed").doesNotContain("PolicyStrict");
        eventually("each pod says that was placed beyond the skew which is allowed with c")
                .untilAsserted(() -> assertThat(remarks(scene, "redis", 3)).isEmpty());
        eventually("and why")
                .untilAsserted(() -> assertThat(remarks(scene, "more", 6))
                        .hasSize(4)
                        .allSatisfy(remark -> assertThat(remark)
                                .matches("True Tainted PlacementPolicy redis: placed beyond maxSkew 1 over " + ZONE
                                        + ", without waiting for c \\(Tainted since 20.*Z\\)")));

        scene.api().patch(scene.nodePath("c1"), "spec: {taints: []}");
        eventually("it is strict again")
                .untilAsserted(() -> assertThat(relaxed(scene)).isEmpty());
        scene.pods("last", 3, REDIS);
        eventually("all are where there were fewest")
                .untilAsserted(() -> assertThat(zones(scene)).isEqualTo(Map.of("a", 4L, "b", 4L, "c", 4L)));
        assertThat(reasons(scene)).contains("PolicyStrict");
    }

    /** Nine pods, and a zone without room from the beginning. */
    @Test
    void aZoneWithoutRoomIsWaitedForAndThenNoLonger(Scene scene) {
        scene.zones(2, 1);
        scene.node("c1", "{labels: {%s: c}, allocatable: {cpu: 0}}".formatted(ZONE));
        policy(scene, "");
        scheduler(scene);
        scene.pods("redis", 9, REDIS + "\nspec: {containers: [{name: main, resources: {requests: {cpu: 10m}}}]}");

        scene.awaitAllBound(9);
        assertThat(zones(scene).get("c")).isZero();
        assertThat(zones(scene).values()).containsExactlyInAnyOrder(5L, 4L, 0L);
        assertThat(relaxed(scene)).containsExactly("c NoRoom");
    }

    /** Of three zones one has lost its nodes: the third pod waits for it, until it is forgotten. */
    @Test
    void aZoneThatHasLostItsNodesIsRemembered(Scene scene) {
        scene.zones(3, 1);
        rule(scene, "rememberDomainsSeconds: 3600");
        scheduler(scene);
        scene.pods("redis", 2, REDIS);
        scene.awaitAllBound(2);
        eventually("all zones are remembered")
                .untilAsserted(() -> assertThat(remembered(scene)).containsExactly("a", "b", "c"));
        String empty = zones(scene).entrySet().stream()
                .filter(zone -> zone.getValue() == 0)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
        scene.api().delete(scene.nodePath(empty + "1"));
        eventually("that it is gone is known")
                .untilAsserted(() -> assertThat(remembered(scene)).contains(empty + " is gone"));

        scene.pods("more", 1, REDIS);
        eventually("it is told what it waits for")
                .untilAsserted(() -> assertThat(scene.events("more-0").toString())
                        .contains("known domain " + empty + " has no nodes"));
        scene.api()
                .patch(
                        scene.path(API, "PlacementPolicy") + "/redis",
                        "spec: {rules: [{topologyKey: %s, maxSkew: 1, rememberDomainsSeconds: 1}]}".formatted(ZONE));
        scene.awaitAllBound(3);
        eventually("that it is forgotten is told")
                .untilAsserted(() -> assertThat(reasons(scene)).contains("PolicyDomainForgotten"));
        assertThat(remembered(scene)).hasSize(2).allMatch(domain -> !domain.startsWith(empty));
    }

    private static List<String> remembered(Scene scene) {
        return Trees.objects(scene.api().get(scene.path(API, "PlacementPolicy") + "/redis"), "status", "remembered")
                .stream()
                .map(domain -> Trees.text(domain, "domain")
                        + (Trees.text(domain, "goneSince").isEmpty() ? "" : " is gone"))
                .toList();
    }

    private static void policy(Scene scene, String more) {
        rule(scene, "relaxAfterSeconds: 2" + (more.isEmpty() ? "" : ", " + more));
    }

    private static void rule(Scene scene, String terms) {
        scene.create(API, "PlacementPolicy", "redis", """
                spec: {selector: {matchLabels: {app: redis}}, rules: [{topologyKey: %s, maxSkew: 1, %s}]}
                """.formatted(ZONE, terms));
    }

    private static SchedulerUnderTest scheduler(Scene scene) {
        return scene.scheduler(
                        scene.configuration("plugins: {multiPoint: {enabled: [{name: PlacementPolicy}]}}"),
                        LiveOptions.usual("e2e"))
                .awaitSynced();
    }

    private static Map<String, Long> zones(Scene scene) {
        return Stream.of("redis", "more", "last")
                .flatMap(prefix -> scene.spread(prefix, ZONE).entrySet().stream())
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, Long::sum));
    }

    private static List<String> relaxed(Scene scene) {
        return Trees.objects(scene.api().get(scene.path(API, "PlacementPolicy") + "/redis"), "status", "relaxed")
                .stream()
                .map(domain -> Trees.text(domain, "domain") + " " + Trees.text(domain, "reason"))
                .toList();
    }

    private static List<String> remarks(Scene scene, String prefix, int pods) {
        return IntStream.range(0, pods)
                .mapToObj(i -> scene.api().get(scene.podPath(prefix + "-" + i)))
                .flatMap(pod -> Trees.objects(pod, "status", "conditions").stream())
                .filter(condition -> Trees.text(condition, "type").equals("evenkeel.io/PolicyRelaxed"))
                .map(condition -> Trees.text(condition, "status") + " " + Trees.text(condition, "reason") + " "
                        + Trees.text(condition, "message"))
                .toList();
    }

    private static List<String> reasons(Scene scene) {
        return scene.events("redis").stream()
                .map(event -> Trees.text(event, "reason"))
                .toList();
    }
}
