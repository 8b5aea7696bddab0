package io.evenkeel.groups;

import static io.evenkeel.groups.GroupScene.HOST;
import static io.evenkeel.groups.GroupScene.ZONE;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.groups.AlikeModel.AlikeModelBuilder;
import io.evenkeel.groups.AlikeModel.KeyLevel;
import io.evenkeel.groups.AlikeModel.SkewRule;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A model allows at least what the filters allow, and as little more as the rules of the group tell. */
class AlikeModelBuilderTest {
    private final GroupScene scene = new GroupScene();

    private GroupScene zones(String... zones) {
        for (int node = 0; node < zones.length; node++) {
            scene.with(GroupScene.node("n" + node, 110).zone(zones[node]).build());
        }
        return scene;
    }

    private AlikeModel model(Pod... pods) {
        List<PodInfo> admitted = scene.admit(List.of(pods));
        try (Board board = scene.board(new Budget(1_000));
                HardSpreads spreads = new HardSpreads(scene.engine.cluster())) {
            MembersByKind crew = MembersByKind.of(admitted, board, spreads);
            NodeSet mayFit = new NodeSet();
            crew.mayFit().forEach(mayFit::addAll);
            return AlikeModelBuilder.build(
                    board.view(),
                    crew.kinds(),
                    crew.spreads().getFirst(),
                    board.judge(crew.kinds().getFirst().first()),
                    mayFit);
        } finally {
            admitted.forEach(scene.engine.forGroups().cluster()::giveBack);
        }
    }

    private static PodBuilder web(String name, String... keys) {
        return GroupScene.pod(name, 1, keys);
    }

    private void there(String node, PodBuilder pod) {
        scene.engine.put(pod.nodeName(node).build());
    }

    @Test
    void aNodeHasRoomForWhatIsLeftOfItsScarcestResource() {
        scene.with(GroupScene.node("cpu", 110).build())
                .with(GroupScene.node("used", 110).build())
                .with(GroupScene.node("pods", 3).build())
                .with(GroupScene.node("many", 10_000)
                        .allocatable("cpu", "1M", "pods", "10000")
                        .build());
        there("used", PodBuilder.pod("a").container("cpu", "31"));
        there("pods", PodBuilder.pod("b"));

        assertThat(model(PodBuilder.pod("p").container("cpu", "10").build()).slots)
                .containsExactly(6, 3, 2, 65);
        // of two kinds what the smaller one takes
        assertThat(model(
                                PodBuilder.pod("p").container("cpu", "20").build(),
                                PodBuilder.pod("q").container("cpu", "10").build())
                        .slots)
                .containsExactly(6, 3, 2, 66);
    }

    @Test
    void podsThatWantOnePortTakeANodeEach() {
        zones("a", "b");

        assertThat(model(PodBuilder.pod("p").hostPort(80).build()).slots).containsExactly(1, 1);
        assertThat(model(
                                PodBuilder.pod("p").hostPort(80).build(),
                                PodBuilder.pod("q").hostPort(81).build())
                        .slots)
                .containsExactly(66, 66);
    }

    @Test
    void aRuleKnowsWhatItsDomainsHoldAlready() {
        zones("a", "a", "b");
        there("n1", web("there"));
        there("n2", PodBuilder.pod("other"));
        AlikeModel model = model(web("p", ZONE, HOST).build());

        KeyLevel zones = model.chain.getFirst();
        SkewRule rule = zones.rules().getFirst();
        assertThat(zones.key()).isEqualTo(ZONE);
        assertThat(zones.names()).containsExactly("a", "b");
        assertThat(zones.domainOf()).containsExactly(0, 0, 1);
        assertThat(zones.room()).containsExactly(130, 65);
        assertThat(rule.existing()).containsExactly(1, 0);
        assertThat(rule.counted()).containsExactly(true, true);
        assertThat(rule.fromZero()).isFalse();
        assertThat(rule.words()).isEqualTo("maxSkew 1 over zones (topology.kubernetes.io/zone)");
        assertThat(model.perNode).extracting(KeyLevel::key).containsExactly(HOST);
        assertThat(model.perNode.getFirst().rules().getFirst().existing()).containsExactly(0, 1, 0);
    }

    @Test
    void whereThereAreFewerDomainsThanMinDomainsTheEmptiestCountsAsZero() {
        zones("a", "b");

        assertThat(model(PodBuilder.pod("p")
                                .label("app", "web")
                                .spread(GroupScene.spread(1, ZONE).withMinDomains(3))
                                .build())
                        .levels
                        .getFirst()
                        .rules())
                .extracting(SkewRule::fromZero)
                .containsExactly(true);
    }

    /** Such a constraint says the same of a node however many of the group come. */
    @Test
    void nodesThatAConstraintOverOthersRulesOutAreNoPartOfTheModel() {
        zones("a", "b");
        there("n0", PodBuilder.pod("db0").label("app", "db"));
        Pod pod = PodBuilder.pod("p")
                .label("app", "web")
                .spread(TopologySpreadConstraint.of(
                        1,
                        ZONE,
                        WhenUnsatisfiable.DO_NOT_SCHEDULE,
                        LabelSelector.matchingLabels(Labels.of("app", "db"))))
                .build();
        assertThat(model(pod).nodes).containsExactly(0, 1);
        assertThat(model(pod).levels).isEmpty();
        there("n0", PodBuilder.pod("db1").label("app", "db"));

        assertThat(model(pod).nodes).containsExactly(1);
    }

    private static PodBuilder alone(String name, String key, List<String> namespaces) {
        PodAffinityTerm term = new PodAffinityTerm(
                LabelSelector.matchingLabels(Labels.of("app", "web")), key, namespaces, LabelSelector.NOTHING);
        return web(name).podAffinity(new PodAffinity(List.of(), List.of(), List.of(term), List.of()));
    }

    @Test
    void podsThatKeepAwayFromTheirOwnKindTakeADomainEach() {
        zones("a", "a", "b");

        AlikeModel model = model(alone("p", ZONE, List.of()).build());
        assertThat(model.levels).hasSize(1);
        SkewRule rule = model.levels.getFirst().rules().getFirst();
        assertThat(rule.most()).isEqualTo(1);
        assertThat(rule.hasMinimum()).isFalse();
        assertThat(rule.upper(0, 1)).isEqualTo(1);
        assertThat(rule.lower(0, 1)).isZero();
        assertThat(rule.words()).isEqualTo("anti-affinity over zones (topology.kubernetes.io/zone)");
        assertThat(model(alone("p", ZONE, List.of("default")).build()).levels).hasSize(1);
    }

    @Test
    void nothingIsSaidOfAntiAffinityToOthersOrWhereSomeNodeHasNoDomain() {
        zones("a", "b").with(GroupScene.node("loose", 110).build());

        assertThat(model(alone("p", ZONE, List.of()).build()).levels).isEmpty();
        assertThat(model(alone("p", HOST, List.of()).build()).levels).hasSize(1);
        assertThat(model(alone("p", HOST, List.of("elsewhere")).build()).levels).isEmpty();
        assertThat(model(alone("p", HOST, List.of()).label("app", "db").build()).levels)
                .isEmpty();
        assertThat(model(
                                alone("p", HOST, List.of()).build(),
                                alone("q", HOST, List.of())
                                        .container("cpu", "1")
                                        .build())
                        .levels)
                .isEmpty();
    }
}
