package io.evenkeel.whatif.rebalance;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.PluginArgs.PodTopologySpreadArgs;
import io.evenkeel.config.PluginArgs.PodTopologySpreadArgs.DefaultingType;
import io.evenkeel.config.Plugins;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodDisruptionBudget;
import io.evenkeel.model.Service;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.rebalance.MoveSearch.Effort;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The stories of the documents and of the descheduler's threads, each with what the descheduler does beside. */
class RebalancerTest {
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final LabelSelector WEB = LabelSelector.matchingLabels(Labels.of("app", "web"));

    private final ClusterSnapshot cluster = of(SchedulerConfiguration.defaults());

    private static ClusterSnapshot of(SchedulerConfiguration configuration) {
        return new ClusterSnapshot(configuration, InTreePlugins.registry());
    }

    private static Node node(String name, int cpus) {
        return NodeBuilder.node(name)
                .hostname(name)
                .zone(name.substring(0, 1))
                .allocatable("cpu", Integer.toString(cpus), "pods", "110")
                .build();
    }

    private static PodBuilder pod(String name) {
        return PodBuilder.pod(name)
                .label("app", "web")
                .container("cpu", "1")
                .controller(new OwnerReference("apps/v1", "ReplicaSet", "web", "u"));
    }

    private static TopologySpreadConstraint hard(String key) {
        return TopologySpreadConstraint.of(1, key, WhenUnsatisfiable.DO_NOT_SCHEDULE, WEB);
    }

    /** Nodes of 8 processors named after their zone: a1, a2, b1. */
    private void nodes(String... names) {
        for (String name : names) {
            cluster.put(node(name, 8));
        }
    }

    private static PodAffinityTerm term(String key, String... labels) {
        return new PodAffinityTerm(
                LabelSelector.matchingLabels(Labels.of(labels)), key, List.of(), LabelSelector.NOTHING);
    }

    private MovePlan plan() {
        MovePlan plan = Rebalancer.plan(cluster);
        // never a loop: once carried out there is nothing more to move
        try (ClusterSnapshot.Transaction _ = cluster.begin()) {
            plan.moves().forEach(move -> cluster.place(move.pod(), move.to()));
            assertThat(Rebalancer.plan(cluster).moves()).isEmpty();
        }
        return plan;
    }

    private static List<String> moves(MovePlan plan) {
        return plan.moves().stream()
                .map(move -> move.pod().name() + ": " + move.from() + " → " + move.to())
                .toList();
    }

    @Test
    void fiveThreeOneBecomesEvenByTwoMoves() {
        nodes("a1", "b1", "c1");
        for (int i = 0; i < 9; i++) {
            cluster.put(pod("web-" + i)
                    .spread(hard(ZONE))
                    .nodeName(i < 5 ? "a1" : i < 8 ? "b1" : "c1")
                    .build());
        }

        MovePlan plan = plan();

        assertThat(moves(plan)).containsExactly("web-0: a1 → c1", "web-1: a1 → c1");
        assertThat(plan.optimal()).isTrue();
        assertThat(plan.violationsBefore()).isEqualTo(8);
        assertThat(plan.violationsAfter()).isZero();
    }

    /** The descheduler evicts in loops here (#1918): no state of nine pods is legal. */
    @Test
    void whereEvictionsCanNeverHelpNothingMoves() {
        String[] names = {"a1", "a2", "a3", "a4", "a5", "b1", "b2", "c1", "c2"};
        nodes(names);
        for (String name : names) {
            cluster.put(pod("web-" + name)
                    .spread(hard(ZONE))
                    .spread(hard(Node.HOSTNAME))
                    .nodeName(name)
                    .build());
        }

        MovePlan plan = plan();

        assertThat(plan.moves()).isEmpty();
        assertThat(plan.optimal()).isTrue();
        assertThat(plan.violationsAfter()).isEqualTo(plan.violationsBefore()).isEqualTo(5);
    }

    @Test
    void redisOverThreeZonesIsEvenAgainAfterAZoneCameBack() {
        nodes("a1", "a2", "b1", "b2", "c1", "c2");
        String[] places = {"a1", "b1", "a2", "b2", "b1", "a1"};
        for (int i = 0; i < places.length; i++) {
            String shard = Integer.toString(i / 2);
            cluster.put(PodBuilder.pod("redis-" + i)
                    .label("app", "web")
                    .label("shard", shard)
                    .controller(new OwnerReference("apps/v1", "StatefulSet", "redis", "u"))
                    .container("cpu", "1")
                    .spread(hard(ZONE))
                    .spread(hard(Node.HOSTNAME))
                    .podAffinity(new PodAffinity(
                            List.of(), List.of(), List.of(term(ZONE, "app", "web", "shard", shard)), List.of()))
                    .nodeName(places[i])
                    .build());
        }

        MovePlan plan = plan();

        assertThat(moves(plan)).hasSize(2).allMatch(move -> move.contains("→ c"));
        assertThat(plan.optimal()).isTrue();
        assertThat(plan.violationsAfter()).isZero();
    }

    /** The descheduler sees to one constraint after the other, and evicts for each (#1032). */
    @Test
    void oneMoveIsEnoughForTwoConstraintsAtOnce() {
        nodes("a1", "a2", "b1", "b2");
        String[] places = {"a1", "a1", "a2", "b1"};
        for (int i = 0; i < places.length; i++) {
            cluster.put(pod("web-" + i)
                    .spread(hard(ZONE))
                    .spread(hard(Node.HOSTNAME))
                    .nodeName(places[i])
                    .build());
        }

        assertThat(moves(plan())).hasSize(1).allMatch(move -> move.endsWith("a1 → b2"));
    }

    /** The descheduler takes the emptiest domain there is for the minimum (#855). */
    @Test
    void lessDomainsThanMinDomainsCountAsAnEmptyOne() {
        nodes("a1", "b1");
        for (int i = 0; i < 4; i++) {
            cluster.put(pod("web-" + i)
                    .spread(hard(ZONE).withMaxSkew(2).withMinDomains(3))
                    .nodeName(i < 3 ? "a1" : "b1")
                    .build());
        }

        assertThat(moves(plan())).containsExactly("web-0: a1 → b1");
    }

    /** To kube-scheduler an empty selector counts no pod before 1.38; the descheduler counts all, and evicts. */
    @Test
    void anEmptySelectorCountsWhatTheSchedulerCounts() {
        for (CompatibilityLevel level : CompatibilityLevel.values()) {
            ClusterSnapshot snapshot = of(SchedulerConfiguration.defaults().toBuilder()
                    .featureGates(FeatureGates.with(level, Map.of()))
                    .build());
            snapshot.put(node("a1", 8));
            snapshot.put(node("b1", 8));
            for (int i = 0; i < 3; i++) {
                snapshot.put(pod("web-" + i)
                        .spread(hard(ZONE).withSelector(LabelSelector.EVERYTHING))
                        .nodeName("a1")
                        .build());
            }

            assertThat(Rebalancer.plan(snapshot).moves())
                    .as(level.toString())
                    .hasSize(level.toString().equals("1.38") ? 1 : 0);
        }
    }

    /** The descheduler ignores them (#839). */
    @Test
    void defaultConstraintsHoldForPodsWithoutTheirOwn() {
        Profile profile = Profile.completed(
                Profile.DEFAULT_SCHEDULER_NAME,
                OptionalInt.empty(),
                Plugins.NONE,
                Map.of(
                        "PodTopologySpread",
                        new PodTopologySpreadArgs(
                                DefaultingType.LIST,
                                List.of(TopologySpreadConstraint.of(
                                        1, ZONE, WhenUnsatisfiable.DO_NOT_SCHEDULE, LabelSelector.NOTHING)))));
        ClusterSnapshot snapshot = of(SchedulerConfiguration.defaults().toBuilder()
                .profiles(List.of(profile))
                .build());
        snapshot.put(node("a1", 8));
        snapshot.put(node("b1", 8));
        snapshot.put(new Service(ObjectMeta.named("default", "web"), Labels.of("app", "web")));
        for (int i = 0; i < 4; i++) {
            snapshot.put(pod("web-" + i).nodeName("a1").build());
        }

        MovePlan plan = Rebalancer.plan(snapshot);

        assertThat(plan.moves()).hasSize(2).allMatch(move -> move.to().equals("b1"));
        assertThat(plan.violationsBefore()).isEqualTo(4);
        assertThat(plan.violationsAfter()).isZero();
        assertThat(plan.optimal()).isTrue();
    }

    /** The descheduler's node fit looks at one pod, and not at what others need or leave (#1584). */
    @Test
    void aPodMakesRoomForAnotherWhereThatIsTheOnlyWay() {
        cluster.put(node("a1", 8));
        cluster.put(node("a2", 1));
        cluster.put(node("b1", 1));
        cluster.put(pod("web-0").spread(hard(ZONE)).nodeName("a1").build());
        cluster.put(pod("web-1").spread(hard(ZONE)).nodeName("a1").build());
        cluster.put(PodBuilder.pod("other")
                .container("cpu", "1")
                .controller(new OwnerReference("apps/v1", "ReplicaSet", "other", "u"))
                .nodeName("b1")
                .build());

        MovePlan plan = plan();

        assertThat(moves(plan)).hasSize(2).first().asString().startsWith("other: b1 → a");
        assertThat(plan.violationsAfter()).isZero();
        assertThat(plan.optimal()).isTrue();
    }

    @Test
    void aFullNodeTakesNoPod() {
        cluster.put(node("a1", 8));
        cluster.put(node("b1", 1));
        for (int i = 0; i < 2; i++) {
            cluster.put(pod("web-" + i).spread(hard(ZONE)).nodeName("a1").build());
        }
        cluster.put(PodBuilder.pod("alone").container("cpu", "1").nodeName("b1").build());

        MovePlan plan = plan();

        assertThat(plan.moves()).isEmpty();
        assertThat(plan.optimal()).isTrue();
        assertThat(plan.violationsAfter()).isEqualTo(2);
    }

    @Test
    void podsThatNothingMakesAgainElsewhereStay() {
        nodes("a1", "b1");
        cluster.put(PodBuilder.pod("alone")
                .label("app", "web")
                .spread(hard(ZONE))
                .nodeName("a1")
                .build());
        cluster.put(pod("daemon")
                .controller(new OwnerReference("apps/v1", "DaemonSet", "d", "u"))
                .spread(hard(ZONE))
                .nodeName("a1")
                .build());
        cluster.put(pod("mirror")
                .controller(new OwnerReference("v1", "Node", "a1", "u"))
                .spread(hard(ZONE))
                .nodeName("a1")
                .build());

        MovePlan plan = plan();

        assertThat(plan.moves()).isEmpty();
        assertThat(plan.optimal()).isTrue();
        assertThat(Rebalancer.violations(cluster))
                .extracting(violation -> violation.keptBy().orElse(""))
                .containsExactly(
                        "nothing makes it again: it has no controller",
                        "it belongs to its node, as a pod of a DaemonSet",
                        "it belongs to its node, as a pod of a Node");
    }

    @Test
    void aBudgetThatAllowsNothingKeepsItsPods() {
        nodes("a1", "b1");
        for (int i = 0; i < 3; i++) {
            cluster.put(pod("web-" + i).spread(hard(ZONE)).nodeName("a1").build());
        }
        cluster.put(new PodDisruptionBudget(ObjectMeta.named("default", "web"), WEB, 0, Set.of()));

        assertThat(plan().moves()).isEmpty();

        cluster.reset();
        cluster.put(new PodDisruptionBudget(ObjectMeta.named("default", "web"), WEB, 1, Set.of()));

        assertThat(plan().moves()).hasSize(1);
    }

    @Test
    void aPodThatIsOnItsWayOutNeitherCountsNorMoves() {
        nodes("a1", "b1");
        for (int i = 0; i < 3; i++) {
            cluster.put(pod("web-" + i)
                    .spread(hard(ZONE))
                    .terminating(i > 0)
                    .nodeName("a1")
                    .build());
        }

        assertThat(plan().violationsBefore()).isZero();
    }

    /** Where several nodes do, the one that the scheduler would take itself. */
    @Test
    void theTargetIsWhatTheSchedulerWouldChoose() {
        nodes("a1", "b1", "b2", "b3");
        for (int i = 0; i < 3; i++) {
            cluster.put(pod("web-" + i).spread(hard(ZONE)).nodeName("a1").build());
        }
        for (String taken : List.of("b1", "b3")) {
            Pod busy = PodBuilder.pod("busy-" + taken)
                    .container("cpu", "4")
                    .nodeName(taken)
                    .build();
            cluster.put(busy);
        }

        assertThat(moves(plan())).containsExactly("web-0: a1 → b2");
    }

    /** Their key is on no node, or all must be in one zone: what is spent is for those that can be helped. */
    @Test
    void podsThatNothingHelpsCostNoSearch() {
        int hopeless = 300;
        nodes("a1", "a2", "b1", "b2", "c1");
        for (int i = 0; i < hopeless; i++) {
            String app = "no-" + i / 3;
            LabelSelector its = LabelSelector.matchingLabels(Labels.of("app", app));
            PodBuilder pod = PodBuilder.pod("no-" + i)
                    .label("app", app)
                    .container("cpu", "1m")
                    .controller(new OwnerReference("apps/v1", "ReplicaSet", app, app))
                    .nodeName(i % 2 == 0 ? "a1" : "a2");
            cluster.put(
                    i / 3 % 2 == 0
                            ? pod.spread(TopologySpreadConstraint.of(1, "rack", WhenUnsatisfiable.DO_NOT_SCHEDULE, its))
                                    .build()
                            : pod.nodeSelector(ZONE, "a")
                                    .spread(new TopologySpreadConstraint(
                                            1,
                                            ZONE,
                                            WhenUnsatisfiable.DO_NOT_SCHEDULE,
                                            its,
                                            1,
                                            NodeInclusionPolicy.IGNORE,
                                            NodeInclusionPolicy.IGNORE,
                                            List.of()))
                                    .build());
        }
        for (int i = 0; i < 3; i++) {
            cluster.put(pod("web-" + i).spread(hard(ZONE)).nodeName("a1").build());
        }
        long all = 100_000;
        Effort effort = new Effort(all);

        MovePlan plan = Rebalancer.plan(cluster, effort);

        assertThat(plan.violationsBefore()).isEqualTo(hopeless + 3);
        assertThat(plan.violationsAfter()).isEqualTo(hopeless);
        assertThat(plan.optimal()).isTrue();
        assertThat(plan.moves()).hasSize(2).allMatch(move -> move.pod().name().startsWith("web-"));
        assertThat(effort.left()).isEqualTo(all);
    }
}
