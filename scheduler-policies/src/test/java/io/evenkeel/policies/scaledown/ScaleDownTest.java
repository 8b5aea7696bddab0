package io.evenkeel.policies.scaledown;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.companion.WatchedScheduler;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.kube.patch.PatchSink.PatchObserver.End;
import io.evenkeel.model.Annotations;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.build.PodStatusBuilder;
import io.evenkeel.model.policy.ClusterPlacementPolicy;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicyRule.DomainWeight;
import io.evenkeel.model.policy.PolicySpec;
import io.evenkeel.model.policy.PolicySpec.PodDeletionCost;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.testing.LogLines;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written on which pods, when, and what becomes of it. */
class ScaleDownTest {
    private static final int REFUSED_IN_A_ROW = 10;
    private static final int FIVE_MINUTES = 300;

    private final ManagedCluster cluster = new ManagedCluster();

    private ManagedCluster managed() {
        return cluster.policy(PodDeletionCost.MANAGED);
    }

    @Test
    void thePodsOfEachZoneAreNumbered() {
        managed().pod("p1", "a").pod("p2", "a").pod("p3", "b").pass(3);
        assertThat(cluster.costs()).isEqualTo(Map.of("p1", "-1", "p2", "-2", "p3", "-1"));
        assertThat(cluster.writes()).containsExactlyInAnyOrder("p1", "p2", "p3");
        assertThat(cluster.counted("written")).isEqualTo(3);
    }

    @Test
    void whatIsWrittenIsNotWrittenAgain() {
        managed().pod("p1", "a").pod("p2", "b").pass(60);
        assertThat(cluster.writes()).hasSize(2);
    }

    @Test
    void onePodThatGoesIsOneWrite() {
        managed().pod("p1", "a").pod("p2", "a").pod("p3", "a").pass(3);
        cluster.writes();
        cluster.gone("p1").pass(3);
        assertThat(cluster.writes()).hasSize(1);
        assertThat(cluster.costs().values()).containsExactlyInAnyOrder("-1", "-2");
    }

    /** Each is another pod of the same name, as far as its places in the ranking are concerned. */
    @Test
    void whoeverLeavesItsPolicyOrItsReplicaSetOrTerminatesMakesRoom() {
        managed().pod("p1", "a").pod("p2", "a").pod("p3", "a").pod("p4", "a").pass(3);
        cluster.writes();

        cluster.put(PodBuilder.from(numbered("-1")).label("app", "debugged").build())
                .pass(3);
        assertThat(cluster.costs().values()).containsExactlyInAnyOrder("none", "-1", "-2", "-3");
        cluster.put(PodBuilder.from(numbered("-1"))
                        .meta(withoutController(numbered("-1").meta()))
                        .build())
                .pass(3);
        assertThat(cluster.costs().values()).containsExactlyInAnyOrder("none", "none", "-1", "-2");
        cluster.put(PodBuilder.from(numbered("-1")).terminating(true).build()).pass(3);
        assertThat(cluster.costs().values()).containsExactlyInAnyOrder("none", "none", "-1", "-1");
    }

    private Pod numbered(String cost) {
        return cluster.costs().entrySet().stream()
                .filter(each -> each.getValue().equals(cost))
                .findFirst()
                .flatMap(each -> cluster.find(each.getKey()))
                .orElseThrow();
    }

    private static ObjectMeta withoutController(ObjectMeta meta) {
        return new ObjectMeta(
                meta.namespace(),
                meta.name(),
                meta.uid(),
                meta.labels(),
                meta.annotations(),
                Optional.empty(),
                meta.terminating(),
                meta.resourceVersion(),
                meta.generation());
    }

    @Test
    void nothingIsWrittenUntilAPolicyAsksForIt() {
        cluster.policy(PodDeletionCost.UNMANAGED).pod("p1", "a").pass(5);
        assertThat(cluster.writes()).isEmpty();
    }

    @Test
    void whoDoesNotLeadWritesNothing() {
        managed().leading(false).pod("p1", "a").pass(5);
        assertThat(cluster.writes()).isEmpty();
        cluster.leading(true).pass(1);
        assertThat(cluster.writes()).containsExactly("p1");
    }

    @Test
    void anothersCostIsLeftAndTheClashToldOnce() {
        managed().pod("p1", "a").pod("p2", "a").annotated("p1", Annotations.DELETION_COST, "7");
        cluster.annotated("p2", Annotations.DELETION_COST, "7").pod("p3", "a").pass(30);
        assertThat(cluster.costs()).isEqualTo(Map.of("p1", "7", "p2", "7", "p3", "-3"));
        assertThat(cluster.events())
                .singleElement()
                .asString()
                .startsWith("PodDeletionCostNotOurs of spread: Pod shop/p");
    }

    @Test
    void anotherMayTakeAPodOver() {
        managed().pod("p1", "a").pass(3);
        cluster.annotated("p1", Annotations.DELETION_COST, "50").pass(30);
        assertThat(cluster.costs()).isEqualTo(Map.of("p1", "50"));
        assertThat(cluster.events()).hasSize(1);
    }

    @Test
    void oursAreTakenBackAndNoOthers() {
        managed()
                .pod("p1", "a")
                .pod("p2", "b")
                .annotated("p2", Annotations.DELETION_COST, "7")
                .pass(3);
        cluster.policy(PodDeletionCost.UNMANAGED).pass(3);
        assertThat(cluster.costs()).isEqualTo(Map.of("p1", "none", "p2", "7"));
        assertThat(cluster.hasMarksOfOurs()).isFalse();
    }

    /** The policy became Unmanaged while nobody led. */
    @Test
    void whatAnEarlierLeaderLeftIsTakenBack() {
        managed().pod("p1", "a").pass(3);
        cluster.leading(false)
                .policy(PodDeletionCost.UNMANAGED)
                .handOver()
                .leading(true)
                .pass(3);
        assertThat(cluster.costs()).isEqualTo(Map.of("p1", "none"));
    }

    @Test
    void anotherLeaderWritesNothingAnew() {
        managed().pod("p1", "a").pod("p2", "a").pass(3);
        cluster.writes();
        cluster.handOver().pass(10);
        assertThat(cluster.writes()).isEmpty();
    }

    @Test
    void whatWasOvertakenIsWrittenAnew() {
        managed().answering(End.OVERTAKEN).pod("p1", "a").pass(1);
        cluster.answering(End.WRITTEN).pass(2);
        assertThat(cluster.writes()).containsExactly("p1", "p1");
        assertThat(cluster.costs()).isEqualTo(Map.of("p1", "-1"));
    }

    @Test
    void aPodThatIsRefusedIsTriedAgainAfterFiveMinutes() {
        managed().answering(End.REFUSED).pod("p1", "a").pass(FIVE_MINUTES);
        assertThat(cluster.writes()).containsExactly("p1");
        cluster.answering(End.WRITTEN).pass(5);
        assertThat(cluster.costs()).isEqualTo(Map.of("p1", "-1"));
    }

    /** Where the right is missing, the server is not asked for each pod of the cluster. */
    @Test
    void manyRefusalsInARowEndTheWriting() {
        managed().answering(End.REFUSED);
        for (int i = 0; i < REFUSED_IN_A_ROW; i++) {
            cluster.pod("p" + i, "a");
        }
        cluster.pass(2).pod("late", "b").pass(10);
        assertThat(cluster.writes()).hasSize(REFUSED_IN_A_ROW).doesNotContain("late");
        cluster.answering(End.WRITTEN).pass(FIVE_MINUTES);
        assertThat(cluster.costs()).containsEntry("late", "-1").doesNotContainValue("none");
    }

    /** More pods than may be on their way at once: a dry run hears of each at once, and goes on. */
    @Test
    void aDryRunSaysAllThatItWouldWrite() {
        managed().answering(End.NOT_SENT);
        for (int i = 0; i < 250; i++) {
            cluster.pod("p" + i, "a");
        }
        cluster.pass(5).pod("another", "b").pass(5);
        assertThat(cluster.writes()).hasSize(251).doesNotHaveDuplicates().contains("another");
        assertThat(cluster.counted("not_sent")).isEqualTo(251);
    }

    /** Once in a row of refusals, and once they are over. */
    @Test
    void refusalsAreLoggedAndThatTheyAreOver() {
        try (LogLines log = new LogLines(CostWriter.class)) {
            managed().answering(End.REFUSED).pod("p1", "a").pod("p2", "a").pass(3);
            cluster.answering(End.WRITTEN).pod("p3", "a").pod("p4", "a").pass(3);
            assertThat(log.lines())
                    .containsExactly(
                            "WARN Cannot write pod deletion costs, podDeletionCost of policies has no effect"
                                    + " [pod=\"shop/p1\", why=\"pods \"…\" is forbidden\"]",
                            "INFO Pod deletion costs can be written again");
            cluster.answering(End.REFUSED).pod("p5", "a").pass(3);
            assertThat(log.lines()).hasSize(3);
        }
    }

    /** Whoever writes over ours, or makes the pod anew, is seen before the answer is. */
    @Test
    void aPodThatIsMadeAnewIsWrittenAnew() {
        managed().pod("p1", "a").pass(3);
        Pod before = cluster.find("p1").orElseThrow();
        cluster.gone("p1").put(PodBuilder.from(before).uid("another").build());
        cluster.annotated("p1", Annotations.DELETION_COST, "-1").pass(3);
        assertThat(cluster.writes()).containsExactly("p1");
        cluster.answering(End.NOT_SENT).pod("p2", "a").pass(3);
        cluster.gone("p2").pass(1).pod("p2", "a").pass(3);
        assertThat(cluster.writes()).containsExactly("p2", "p2");
        assertThat(cluster.events()).isEmpty();
    }

    @Test
    void clashesAreCountedByPodAndToldAgainOnceThePolicyIsAnother() {
        managed();
        for (int i = 0; i < 3; i++) {
            cluster.pod("p" + i, "a").annotated("p" + i, Annotations.DELETION_COST, "7");
        }
        cluster.pass(5).pod("p3", "a").pass(5);
        assertThat(cluster.clashes()).isEqualTo(3);
        assertThat(cluster.events())
                .containsExactly(
                        "PodDeletionCostNotOurs of spread: Pod shop/p0 has a pod-deletion-cost (7) that another"
                                + " has written: it is left as it is, as are those of other pods that this is so of");

        cluster.gone("p0")
                .pass(3)
                .pod("p0", "a")
                .annotated("p0", Annotations.DELETION_COST, "8")
                .pass(3);
        assertThat(cluster.clashes()).as("another pod of that name").isEqualTo(4);
        cluster.policy(PodDeletionCost.UNMANAGED)
                .pass(3)
                .policy(PodDeletionCost.MANAGED)
                .pass(3);
        assertThat(cluster.events()).hasSize(2);
    }

    @Test
    void whereNoProfileKeepsPoliciesNothingIsRanked() {
        assertThat(ScaleDown.of(WatchedScheduler.WITH_POLICIES)).isPresent();
        assertThat(ScaleDown.of(SchedulerConfiguration.defaults())).isEmpty();
    }

    /** Pods, nodes, policies and namespaces change by chance: nothing is overlooked that one who begins now would write. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void anotherProcessWouldWriteNothingMore(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int writes = 0;
        managed().pod("p1", "a").pass(4);
        for (int step = 0; step < 150; step++) {
            change(random);
            cluster.pass(4);
            writes += cluster.writes().size();
            assertThat(cluster.writesOfAnotherProcess())
                    .as("seed %d step %d", seed, step)
                    .isEmpty();
            assertThat(cluster.differences()).isEmpty();
        }
        assertThat(writes).isGreaterThan(20);
    }

    private void change(SplittableRandom random) {
        int number = random.nextInt(10);
        String namespace = number % 3 == 0 ? "other" : "shop";
        Optional<Pod> pod = cluster.find("p" + number);
        switch (random.nextInt(19)) {
            case 0 -> cluster.put(node(random, "a"));
            case 1 -> cluster.put(node(random, "b"));
            case 2 -> cluster.remove(node(random, "c"));
            case 8 -> cluster.put(node(random, "c"));
            case 3 -> {
                Labels team = random.nextBoolean() ? Labels.EMPTY : Labels.of("team", "blue");
                cluster.put(new Namespace(ObjectMeta.named("", namespace).withLabels(team)));
            }
            case 4, 9 -> cluster.put(policy(random, namespace));
            case 5 -> cluster.remove(policy(random, namespace));
            case 6 ->
                pod.ifPresent(one -> cluster.put(PodBuilder.from(one)
                        .status(PodStatusBuilder.running()
                                .ready(random.nextBoolean())
                                .build())
                        .build()));
            case 7 ->
                pod.ifPresent(one ->
                        cluster.annotated(one.name(), Annotations.DELETION_COST, Integer.toString(-random.nextInt(4))));
            case 10 ->
                pod.ifPresent(one -> cluster.put(PodBuilder.from(one)
                        .label("app", random.nextBoolean() ? "db" : "web")
                        .build()));
            case 11 ->
                pod.ifPresent(one -> cluster.put(
                        PodBuilder.from(one).meta(withoutController(one.meta())).build()));
            case 12 ->
                pod.ifPresent(one ->
                        cluster.put(PodBuilder.from(one).terminating(true).build()));
            default -> {
                pod.ifPresent(one -> cluster.gone(one.name()));
                if (random.nextInt(4) > 0) {
                    cluster.put(pod(random, namespace, "p" + number));
                }
            }
        }
    }

    private static Node node(SplittableRandom random, String name) {
        NodeBuilder node = NodeBuilder.node("node-" + name);
        return random.nextInt(4) == 0
                ? node.build()
                : node.zone("z" + random.nextInt(2)).build();
    }

    private static PolicyObject policy(SplittableRandom random, String namespace) {
        PolicyRule rule = PolicyRule.over("topology.kubernetes.io/zone").withMaxSkew(1);
        PolicyRule first = switch (random.nextInt(3)) {
            case 0 -> rule;
            case 1 -> rule.using(List.of("z1"));
            default -> rule.weighing(List.of(new DomainWeight("z0", 2), new DomainWeight("z1", 1)));
        };
        PolicySpec spec = PolicySpec.of(
                        random.nextBoolean()
                                ? LabelSelector.EVERYTHING
                                : LabelSelector.matchingLabels(Labels.of("app", "web")),
                        List.of(first))
                .with(random.nextInt(4) == 0 ? PodDeletionCost.UNMANAGED : PodDeletionCost.MANAGED);
        LabelSelector blue = LabelSelector.matchingLabels(Labels.of("team", "blue"));
        return random.nextInt(3) == 0
                ? new ClusterPlacementPolicy(ObjectMeta.named("", "wide"), spec.over(blue))
                : new PlacementPolicy(ObjectMeta.named(namespace, "policy" + random.nextInt(2)), spec);
    }

    private static Pod pod(SplittableRandom random, String namespace, String name) {
        String set = "web-" + random.nextInt(2);
        PodBuilder pod = PodBuilder.pod(namespace, name)
                .uid("uid " + random.nextInt())
                .label("app", random.nextInt(4) == 0 ? "db" : "web")
                .nodeName("node-" + List.of("a", "b", "c").get(random.nextInt(3)))
                .status(PodStatusBuilder.running()
                        .ready(random.nextInt(4) > 0)
                        .startTime("2026-11-0" + random.nextInt(1, 10))
                        .build());
        return switch (random.nextInt(8)) {
            case 0 -> pod.annotation(Annotations.OWN_DELETION_COST, "-1").build();
            case 1 ->
                pod.controller(new OwnerReference("batch/v1", "Job", set, "uid of " + set))
                        .build();
            case 2 ->
                pod.controller(new OwnerReference("example.com/v1", "ReplicaSet", set, "uid of " + set))
                        .build();
            default ->
                pod.controller(new OwnerReference("apps/v1", "ReplicaSet", set, "uid of " + set))
                        .build();
        };
    }
}
