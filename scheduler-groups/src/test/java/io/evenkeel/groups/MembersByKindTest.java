package io.evenkeel.groups;

import static io.evenkeel.groups.GroupScene.HOST;
import static io.evenkeel.groups.GroupScene.ZONE;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.groups.MembersByKind.PodKinds.Kind;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class MembersByKindTest {
    private final GroupScene scene = new GroupScene()
            .with(GroupScene.node("n0", 9).zone("a").label("disk", "ssd").build())
            .with(GroupScene.node("n1", 9).zone("a").build())
            .with(GroupScene.node("n2", 9).zone("b").build());

    private void crewOf(List<Pod> pods, Consumer<MembersByKind> test) {
        pods.forEach(scene.engine::decide);
        List<String> before = scene.kept();
        List<PodInfo> admitted = scene.admit(pods);
        try (Board board = scene.board(new Budget(1_000));
                HardSpreads spreads = new HardSpreads(scene.engine.cluster())) {
            test.accept(MembersByKind.of(admitted, board, spreads));
        }
        admitted.forEach(scene.engine.forGroups().cluster()::giveBack);
        assertThat(scene.kept()).isEqualTo(before);
        assertThat(ClusterAudit.differences(scene.engine.cluster())).isEmpty();
    }

    private static Pod web(String name) {
        return GroupScene.pod(name, 1, ZONE).build();
    }

    private static PodBuilder plain(String name) {
        return PodBuilder.pod(name);
    }

    private static List<String> names(Kind kind) {
        return kind.pods().stream().map(pod -> pod.pod().name()).toList();
    }

    private List<List<List<String>>> alikeInSpread(MembersByKind crew) {
        return crew.alikeInSpread(scene.engine.cluster()).stream()
                .map(kinds -> kinds.stream().map(MembersByKindTest::names).toList())
                .toList();
    }

    @Test
    void podsThatNoFilterTellsApartAreOfAKind() {
        crewOf(
                List.of(
                        web("a"),
                        plain("x").container("cpu", "1").build(),
                        web("b"),
                        plain("y").build()),
                crew -> {
                    assertThat(crew.kinds())
                            .extracting(MembersByKindTest::names)
                            .containsExactly(List.of("a", "b"), List.of("x"), List.of("y"));
                    assertThat(crew.kinds()).extracting(Kind::number).containsExactly(0, 1, 2);
                    assertThat(crew.pods()).isEqualTo(4);
                    assertThat(crew.spreads()).extracting(List::size).containsExactly(1, 0, 0);
                });
    }

    @Test
    void kindsWithTheFewestNodesGoFirstAndOneWithoutIsNamed() {
        crewOf(
                List.of(
                        plain("anywhere").build(),
                        plain("ssd").nodeSelector("disk", "ssd").build(),
                        plain("a")
                                .nodeSelector("topology.kubernetes.io/zone", "a")
                                .build()),
                crew -> {
                    assertThat(crew.fewestNodesFirst()).containsExactly(1, 2, 0);
                    assertThat(crew.thatFitsNowhere()).isEmpty();
                    NodeSet last = new NodeSet();
                    last.add(scene.id("n2"));
                    MembersByKind within = crew.within(last);
                    assertThat(within.thatFitsNowhere().map(Kind::number)).contains(1);
                    assertThat(within.mayFit().getFirst().size()).isEqualTo(1);
                    assertThat(within.kinds()).isEqualTo(crew.kinds());
                });
    }

    @Test
    void aKindIsAsFullAsItsDomainsTogether() {
        scene.engine.put(plain("there").label("app", "web").nodeName("n1").build());
        crewOf(List.of(GroupScene.pod("p", 1, ZONE, HOST).build(), plain("q").build()), crew -> {
            assertThat(crew.fillOf(0, scene.id("n0"))).isEqualTo(1);
            assertThat(crew.fillOf(0, scene.id("n1"))).isEqualTo(2);
            assertThat(crew.fillOf(0, scene.id("n2"))).isZero();
            assertThat(crew.fillOf(1, scene.id("n1"))).isZero();
        });
    }

    /** The larger one counts for the same constraint, and is reckoned with the others. */
    @Test
    void kindsWithTheSameConstraintsAreReckonedTogetherIfNoOtherCountsForThem() {
        Pod larger = GroupScene.pod("c", 1, ZONE).container("cpu", "2").build();
        crewOf(
                List.of(web("a"), larger, plain("x").build()),
                crew -> assertThat(alikeInSpread(crew))
                        .containsExactly(List.of(List.of("a"), List.of("c")), List.of(List.of("x"))));
        Pod counts = plain("x").label("app", "web").build();
        crewOf(
                List.of(web("a"), larger, counts),
                crew -> assertThat(alikeInSpread(crew)).containsExactly(List.of(List.of("x"))));
    }

    @Test
    void whatIsSpreadOverOtherNodesIsNotReckonedTogether() {
        Pod elsewhere = GroupScene.pod("b", 1, ZONE)
                .nodeSelector("disk", "ssd")
                .label("app", "db")
                .build();
        Pod web = GroupScene.pod("a", 1, ZONE).label("app", "db").build();
        crewOf(
                List.of(web, elsewhere),
                crew -> assertThat(alikeInSpread(crew)).containsExactly(List.of(List.of("a")), List.of(List.of("b"))));
    }

    @Test
    void ofVeryManyClassesNoneIsReckoned() {
        List<Pod> pods = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            pods.add(plain("p" + i).nodeSelector("disk", "d" + i).build());
        }
        crewOf(pods, crew -> assertThat(alikeInSpread(crew)).hasSize(64));
        pods.add(plain("p").build());
        crewOf(pods, crew -> assertThat(alikeInSpread(crew)).isEmpty());
    }

    @Test
    void anOrderEndsLegallyWhereWhoeverCountsIsSpreadToo() {
        crewOf(
                List.of(web("a"), plain("x").build()),
                crew -> assertThat(crew.endsOfOrdersAreLegal(scene.engine.cluster()))
                        .isTrue());
        crewOf(
                List.of(web("a"), plain("x").label("app", "web").build()),
                crew -> assertThat(crew.endsOfOrdersAreLegal(scene.engine.cluster()))
                        .isFalse());
    }

    @Test
    void podsWithVolumesOrClaimsForDevicesMayTellTwinsApart() {
        crewOf(
                List.of(web("a")),
                crew -> assertThat(crew.allowsTwins(scene.engine.cluster())).isTrue());
        crewOf(
                List.of(web("a"), plain("v").claim("data").build()),
                crew -> assertThat(crew.allowsTwins(scene.engine.cluster())).isFalse());
        crewOf(
                List.of(plain("d").resourceClaim("gpu").build()),
                crew -> assertThat(crew.allowsTwins(scene.engine.cluster())).isFalse());
    }
}
