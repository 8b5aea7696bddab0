package io.evenkeel.tools.observe;

import static io.evenkeel.tools.observe.ObservedCluster.HOST;
import static io.evenkeel.tools.observe.ObservedCluster.ZONE;
import static io.evenkeel.tools.observe.ObservedCluster.hard;
import static io.evenkeel.tools.observe.ObservedCluster.node;
import static io.evenkeel.tools.observe.ObservedCluster.podOf;
import static io.evenkeel.tools.observe.ObservedCluster.replicaSet;
import static io.evenkeel.tools.observe.ObservedCluster.soft;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Taint;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.Toleration;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.tools.observe.Lint.Finding;
import io.evenkeel.tools.why.UsualProfiles;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each lint with a workload that it is about, and with ones that look alike and are right. */
class LintsTest {
    private static final String KEY_ON_NO_NODE = "key-on-no-node";
    private static final String SELECTOR_MISSES = "selector-misses-own-pods";
    private static final String TAINTED = "tainted-domain-counts";
    private static final String REVISIONS = "revisions-counted-together";
    private static final String DOMAINS_MISSING = "domains-missing";
    private static final String PAIR = "pair-cannot-hold";
    private static final Taint DEDICATED = new Taint("dedicated", "yes", TaintEffect.NO_SCHEDULE);

    private final List<KubernetesObject> objects = new ArrayList<>();

    private LintsTest with(KubernetesObject... more) {
        Collections.addAll(objects, more);
        return this;
    }

    /** So many waiting pods of a Deployment, of which the ReplicaSet is known. */
    private LintsTest deployment(int replicas, TopologySpreadConstraint... constraints) {
        return deployment(podOf("web", "web"), replicas, constraints);
    }

    private LintsTest deployment(PodBuilder pod, int replicas, TopologySpreadConstraint... constraints) {
        objects.add(replicaSet("web", replicas));
        for (TopologySpreadConstraint constraint : constraints) {
            pod.spread(constraint);
        }
        objects.add(pod.build());
        return this;
    }

    private List<Finding> findings() {
        ClusterOnce cluster = new ClusterOnce(UsualProfiles.CONFIGURATION, InTreePlugins.registry());
        cluster.tell(objects);
        return cluster.found().findings();
    }

    private List<String> lints() {
        return findings().stream().map(Finding::lint).toList();
    }

    private String wordsOf(String lint) {
        assertThat(lints()).containsOnlyOnce(lint);
        return findings().stream()
                .filter(one -> one.lint().equals(lint))
                .map(one -> one.constraint().workload() + ", "
                        + one.constraint().topologyKey() + ": " + one.wrong() + " → " + one.remedy())
                .findFirst()
                .orElseThrow();
    }

    private static TopologySpreadConstraint byRevision(TopologySpreadConstraint constraint) {
        return new TopologySpreadConstraint(
                constraint.maxSkew(),
                constraint.topologyKey(),
                constraint.whenUnsatisfiable(),
                constraint.labelSelector(),
                constraint.minDomains(),
                constraint.nodeAffinityPolicy(),
                constraint.nodeTaintsPolicy(),
                List.of("pod-template-hash"));
    }

    private static TopologySpreadConstraint firm(int maxSkew, String key) {
        return byRevision(hard(maxSkew, key, "web"));
    }

    private static NodeBuilder tainted(String name, String zone) {
        return node(name, zone).taint(DEDICATED);
    }

    @Test
    void aKeyThatNoNodeHas() {
        with(node("a1", "a").build()).deployment(3, firm(1, "example.com/rack"));

        assertThat(wordsOf(KEY_ON_NO_NODE))
                .isEqualTo(
                        "Deployment shop/web, example.com/rack: no node has the label example.com/rack, so its pods fit on"
                                + " none → label the nodes, or name a key that they have");
    }

    @Test
    void ofASoftConstraintItIsSaidToHaveNoEffect() {
        with(node("a1", "a").build()).deployment(3, byRevision(soft(1, "example.com/rack", "web")));

        assertThat(wordsOf(KEY_ON_NO_NODE)).contains("so the constraint has no effect");
    }

    @Test
    void aKeyThatSomeNodesHaveIsNoMistakeNorIsAClusterWithoutNodes() {
        deployment(3, firm(1, ZONE));
        assertThat(lints()).isEmpty();

        with(node("a1", "a").build(), NodeBuilder.node("bare").build());
        assertThat(lints()).isEmpty();
    }

    /** The built-in default constraints read an absent zone as one of its own. */
    @Test
    void aDefaultConstraintOverZonesThatThereAreNotIsNoMistake() {
        with(NodeBuilder.node("n1").hostname("n1").build()).deployment(3);

        assertThat(lints()).isEmpty();
    }

    @Test
    void aSelectorThatMissesItsOwnPods() {
        with(node("a1", "a").build()).deployment(3, byRevision(hard(1, ZONE, "wbe")));

        assertThat(wordsOf(SELECTOR_MISSES))
                .contains("its labelSelector app=wbe,pod-template-hash=5d9f does not match its own pods")
                .contains("write a labelSelector that matches the pod template's own labels");
    }

    @Test
    void aSelectorThatIsNotThereOrEmpty() {
        with(node("a1", "a").build()).deployment(3, hard(1, ZONE, "web").withSelector(LabelSelector.NOTHING));
        assertThat(wordsOf(SELECTOR_MISSES)).contains("it has no labelSelector");

        objects.clear();
        with(node("a1", "a").build()).deployment(3, hard(1, ZONE, "web").withSelector(LabelSelector.EVERYTHING));
        assertThat(wordsOf(SELECTOR_MISSES)).contains("its labelSelector is empty");
    }

    @Test
    void aSelectorThatMatchesOthersTooIsNoMistake() {
        with(node("a1", "a").build())
                .deployment(
                        3,
                        hard(1, ZONE, "web")
                                .withSelector(LabelSelector.matchingLabels(Map.of("pod-template-hash", "5d9f"))));

        assertThat(lints()).isEmpty();
    }

    @Test
    void aTaintedDomainThatCountsAsEmpty() {
        with(
                        node("a1", "a").build(),
                        node("b1", "b").build(),
                        tainted("c1", "c").build())
                .deployment(6, firm(1, ZONE));

        assertThat(wordsOf(TAINTED))
                .isEqualTo(
                        "Deployment shop/web, " + ZONE + ": domain c cannot be entered, as its pods do not tolerate the"
                                + " taints there, and counts as a domain with 0: the others take 2 of 6 pods → set nodeTaintsPolicy:"
                                + " Honor, which counts no node that is closed to the pods, or add a toleration");
    }

    @Test
    void aTaintedDomainIsNoMistakeWhereItIsLeftOutToleratedOpenOrFarEnough() {
        KubernetesObject[] nodes = {
            node("a1", "a").build(), node("b1", "b").build(), tainted("c1", "c").build()
        };
        with(nodes).deployment(6, firm(1, ZONE).withTaintsPolicy(NodeInclusionPolicy.HONOR));
        with(tolerant("tolerant", firm(1, ZONE)));
        with(alike("few", 2, firm(1, ZONE)));
        with(alike("soft", 6, soft(1, ZONE, "soft")));
        assertThat(lints()).doesNotContain(TAINTED);

        objects.clear();
        with(nodes).with(node("c2", "c").build()).deployment(6, firm(1, ZONE));
        assertThat(lints()).doesNotContain(TAINTED);
    }

    /** In place from before the taint: two there, and three in each of the others. */
    @Test
    void podsInATaintedDomainCount() {
        with(
                        node("a1", "a").build(),
                        node("b1", "b").build(),
                        tainted("c1", "c").build())
                .deployment(8, firm(1, ZONE))
                .with(podOf("web", "web-1").spread(firm(1, ZONE)).nodeName("c1").build())
                .with(podOf("web", "web-2").spread(firm(1, ZONE)).nodeName("c1").build());

        assertThat(lints()).doesNotContain(TAINTED);
    }

    private static KubernetesObject tolerant(String app, TopologySpreadConstraint constraint) {
        return podOf(app, app)
                .toleration(new Toleration("dedicated", Toleration.Operator.EXISTS, "", Optional.empty()))
                .spread(constraint.withSelector(LabelSelector.matchingLabels(Map.of("app", app))))
                .build();
    }

    private static KubernetesObject[] alike(String app, int replicas, TopologySpreadConstraint constraint) {
        return new KubernetesObject[] {
            replicaSet(app, replicas),
            podOf(app, app)
                    .spread(constraint.withSelector(
                            LabelSelector.matchingLabels(Map.of("app", app, "pod-template-hash", "5d9f"))))
                    .build()
        };
    }

    @Test
    void revisionsThatAreCountedTogether() {
        with(node("a1", "a").build()).deployment(3, hard(1, ZONE, "web"));

        assertThat(wordsOf(REVISIONS)).contains("pods of both revisions", "→ add matchLabelKeys: [pod-template-hash]");
    }

    @Test
    void revisionsAreNoMistakeWhereTheyAreApartOrNotMadeOrTheConstraintIsSoft() {
        with(node("a1", "a").build()).deployment(3, firm(1, ZONE), soft(1, HOST, "web"));
        with(podOf("db", "db-0")
                .controller(new OwnerReference("apps/v1", "StatefulSet", "db", "uid-db"))
                .spread(hard(1, ZONE, "db"))
                .build());
        with(
                replicaSet("single", 1),
                podOf("single", "single").spread(hard(1, ZONE, "single")).build());

        assertThat(lints()).isEmpty();
    }

    @Test
    void fewerDomainsThanMinDomains() {
        with(node("a1", "a").build(), node("b1", "b").build())
                .deployment(6, firm(2, ZONE).withMinDomains(3));

        assertThat(wordsOf(DOMAINS_MISSING))
                .isEqualTo("Deployment shop/web, " + ZONE
                        + ": minDomains is 3 and there are 2, so each takes 2 at most: 4 of 6"
                        + " pods → add nodes in 1 more of " + ZONE + ", or set minDomains: 2");
    }

    @Test
    void minDomainsIsNoMistakeWhereTheyAreThereOrThereIsRoomForAll() {
        with(node("a1", "a").build(), node("b1", "b").build())
                .deployment(6, firm(1, ZONE).withMinDomains(2));
        assertThat(lints()).isEmpty();

        objects.clear();
        with(node("a1", "a").build(), node("b1", "b").build())
                .deployment(4, firm(2, ZONE).withMinDomains(3));
        assertThat(lints()).isEmpty();
    }

    @Test
    void aPairThatCannotHoldThem() {
        with(node("a1", "a").build(), node("a2", "a").build(), node("b1", "b").build())
                .deployment(6, firm(1, ZONE), firm(1, HOST));

        assertThat(wordsOf(PAIR))
                .contains("maxSkew 1 over " + ZONE + " and maxSkew 1 over " + HOST
                        + " contradict each other for 6 pods: nodes by" + " domain are a=2 b=1");
    }

    /** Against all ways to put so many pods on so many nodes. */
    @ParameterizedTest
    @CsvSource({"1,1", "1,2", "2,1"})
    void aPairIsSaidToHoldThemWhereverAnEndIsLegal(int zoneSkew, int nodeSkew) {
        for (int nodesInA = 1; nodesInA <= 3; nodesInA++) {
            for (int nodesInB = 1; nodesInB <= 2; nodesInB++) {
                for (int pods = 1; pods <= 9; pods++) {
                    int inA = nodesInA;
                    objects.clear();
                    IntStream.range(0, nodesInA)
                            .forEach(i -> with(node("a" + i, "a").build()));
                    IntStream.range(0, nodesInB)
                            .forEach(i -> with(node("b" + i, "b").build()));
                    deployment(pods, firm(zoneSkew, ZONE), firm(nodeSkew, HOST));

                    assertThat(!lints().contains(PAIR))
                            .as("%d pods on %d and %d nodes", pods, nodesInA, nodesInB)
                            .isEqualTo(hasLegalEnd(new int[nodesInA + nodesInB], 0, pods, inA, zoneSkew, nodeSkew));
                }
            }
        }
    }

    private static boolean hasLegalEnd(int[] onNodes, int from, int left, int inA, int zoneSkew, int nodeSkew) {
        if (from == onNodes.length) {
            int a = IntStream.range(0, inA).map(i -> onNodes[i]).sum();
            int b = IntStream.range(inA, onNodes.length).map(i -> onNodes[i]).sum();
            return left == 0
                    && Math.abs(a - b) <= zoneSkew
                    && IntStream.of(onNodes).max().orElseThrow()
                                    - IntStream.of(onNodes).min().orElseThrow()
                            <= nodeSkew;
        }
        for (int here = 0; here <= left; here++) {
            onNodes[from] = here;
            if (hasLegalEnd(onNodes, from + 1, left - here, inA, zoneSkew, nodeSkew)) {
                return true;
            }
        }
        return false;
    }

    @Test
    void aPairOfWhichOneIsSoftOrCountsOthersIsPassedOver() {
        with(node("a1", "a").build(), node("a2", "a").build(), node("b1", "b").build())
                .deployment(6, firm(1, ZONE), byRevision(soft(1, HOST, "web")));
        assertThat(lints()).isEmpty();

        objects.clear();
        with(node("a1", "a").build(), node("a2", "a").build(), node("b1", "b").build())
                .deployment(6, firm(1, ZONE), firm(1, HOST))
                .with(PodBuilder.pod("shop", "guest")
                        .label("app", "web")
                        .label("pod-template-hash", "5d9f")
                        .nodeName("b1")
                        .build());
        assertThat(lints()).isEmpty();
    }
}
