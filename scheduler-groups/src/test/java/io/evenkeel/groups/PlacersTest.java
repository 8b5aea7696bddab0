package io.evenkeel.groups;

import static io.evenkeel.groups.GroupScene.HOST;
import static io.evenkeel.groups.GroupScene.ZONE;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.engine.group.Seat;
import io.evenkeel.groups.AlikeModel.AlikeModelBuilder;
import io.evenkeel.groups.DepthSearch.EndStateSearch;
import io.evenkeel.groups.DepthSearch.OrderSearch;
import io.evenkeel.groups.DepthSearch.Outcome;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Each way to look for places by itself: what it leaves on the board, and what it says where it finds nothing. */
class PlacersTest {

    /** Zone a has two nodes, zone b has one. */
    private GroupScene scene = new GroupScene()
            .with(GroupScene.node("n1", 110).zone("a").build())
            .with(GroupScene.node("n2", 110).zone("a").build())
            .with(GroupScene.node("n3", 110).zone("b").build());

    private interface Search<T> {
        T run(Board board, MembersByKind crew);
    }

    private <T> T on(List<Pod> pods, Budget budget, Search<T> search) {
        List<PodInfo> admitted = scene.admit(pods);
        try (Board board = scene.board(budget);
                HardSpreads spreads = new HardSpreads(scene.engine.cluster())) {
            return search.run(board, MembersByKind.of(admitted, board, spreads));
        } finally {
            admitted.forEach(scene.engine.forGroups().cluster()::giveBack);
        }
    }

    /** What was found, and who is on the board then. */
    private record Left(Outcome outcome, List<Seat> seats, List<Seat> best, long steps) {}

    private Left searchOrder(List<Pod> pods, Budget budget, int goal, boolean ofAll) {
        return on(pods, budget, (board, crew) -> {
            OrderSearch search = new OrderSearch(board, crew, new SearchContext(board, crew), 1, goal, ofAll);
            return new Left(search.run(), board.seats(), search.best(), board.steps());
        });
    }

    private Left searchEnd(List<Pod> pods, Budget budget, int parts) {
        return on(pods, budget, (board, crew) -> {
            Outcome outcome = new EndStateSearch(board, crew, new SearchContext(board, crew), parts).run();
            return new Left(outcome, board.seats(), List.of(), board.steps());
        });
    }

    @Test
    void anOrderOfFiveIsFoundAndLeftOnTheBoard() {
        Left left = searchOrder(GroupScene.pods(5, ZONE, HOST), new Budget(10_000), 5, true);

        assertThat(left.outcome()).isEqualTo(Outcome.FOUND);
        assertThat(left.seats()).hasSize(5).isEqualTo(left.best());
        scene.follow(left.seats());
    }

    @Test
    void ofSixAllOrdersAreGoneThroughInVainAndTheLongestIsKept() {
        Left left = searchOrder(GroupScene.pods(6, ZONE, HOST), new Budget(100_000), 6, true);

        assertThat(left.outcome()).isEqualTo(Outcome.NONE);
        assertThat(left.seats()).isEmpty();
        assertThat(left.best()).hasSize(5);
        scene.follow(left.best());
    }

    @Test
    void aSearchThatIsSatisfiedWithFewerEndsThere() {
        Left left = searchOrder(GroupScene.pods(6, ZONE, HOST), new Budget(100_000), 4, false);

        assertThat(left.outcome()).isEqualTo(Outcome.FOUND);
        assertThat(left.seats()).hasSize(4);
    }

    /** One that fits nowhere ends a search for all at once; without it the others have places. */
    @Test
    void whereOneFitsNowhereOnlyFewerAreLookedFor() {
        List<Pod> pods = new ArrayList<>(GroupScene.pods(3, ZONE));
        pods.add(PodBuilder.pod("huge").container("cpu", "1000").build());

        Left ofAll = searchOrder(pods, new Budget(100_000), 4, true);
        assertThat(ofAll.outcome()).isEqualTo(Outcome.NONE);
        assertThat(ofAll.best()).isEmpty();
        Left ofSome = searchOrder(pods, new Budget(100_000), 4, false);
        assertThat(ofSome.outcome()).isEqualTo(Outcome.NONE);
        assertThat(ofSome.best()).hasSize(3);
    }

    @Test
    void aSearchThatIsSpentSaysSo() {
        List<Pod> pods = GroupScene.pods(6, ZONE, HOST);

        assertThat(searchOrder(pods, new Budget(6, 1_000), 6, true).outcome()).isEqualTo(Outcome.SPENT);
        assertThat(searchEnd(pods, new Budget(1, 1_000), 1).outcome()).isEqualTo(Outcome.SPENT);
        assertThat(searchEnd(pods, new Budget(100_000), 1).outcome()).isEqualTo(Outcome.NONE);
        assertThat(searchEnd(pods, new Budget(100_000), 20_000).outcome()).isEqualTo(Outcome.SPENT);
    }

    @Test
    void moreThanAThousandAreNotSearchedFor() {
        List<Pod> pods = IntStream.range(0, 1_001)
                .mapToObj(
                        i -> PodBuilder.pod("p" + i).nodeSelector("no", "where").build())
                .toList();

        assertThat(searchEnd(pods, new Budget(1_000_000), 1).outcome()).isEqualTo(Outcome.SPENT);
        assertThat(searchEnd(pods.subList(0, 1_000), new Budget(1_000_000), 1).outcome())
                .isEqualTo(Outcome.NONE);
    }

    @Test
    void anEndOfSevenIsFoundAndOfSixThereIsNone() {
        Left seven = searchEnd(GroupScene.pods(7, ZONE, HOST), new Budget(100_000), 1);

        assertThat(seven.outcome()).isEqualTo(Outcome.FOUND);
        assertThat(seven.seats())
                .extracting(Seat::node)
                .filteredOn("n3"::equals)
                .hasSize(3);
        assertThat(searchEnd(GroupScene.pods(6, ZONE, HOST), new Budget(100_000), 1)
                        .outcome())
                .isEqualTo(Outcome.NONE);
    }

    /** Steps that lead nowhere are few, as no state is gone on from that has too full a domain, or that was there before. */
    @Test
    void whatIsHopelessIsGivenUpSoon() {
        assertThat(searchOrder(GroupScene.pods(6, ZONE, HOST), new Budget(100_000), 6, true)
                        .steps())
                .isLessThanOrEqualTo(7);
        assertThat(searchEnd(GroupScene.pods(6, ZONE, HOST), new Budget(100_000), 1)
                        .steps())
                .isLessThanOrEqualTo(39);
        assertThat(searchEnd(GroupScene.pods(7, ZONE, HOST), new Budget(100_000), 1)
                        .steps())
                .isEqualTo(7);
        List<Pod> fewDomains = IntStream.range(0, 4)
                .mapToObj(i -> PodBuilder.pod("p" + i)
                        .label("app", "web")
                        .spread(GroupScene.spread(1, ZONE).withMinDomains(3))
                        .build())
                .toList();
        assertThat(searchEnd(fewDomains, new Budget(100_000), 1).steps()).isLessThanOrEqualTo(10);
    }

    /** Zone c takes only the one that counts for the others' constraint and does not have it. */
    @Test
    void whoeverCountsMayFillTheEmptiestDomain() {
        scene = new GroupScene()
                .with(GroupScene.node("n1", 110).zone("a").build())
                .with(GroupScene.node("n2", 110)
                        .zone("c")
                        .label("only", "others")
                        .build());
        List<Pod> pods = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            pods.add(GroupScene.pod("p" + i, 1, ZONE).container("cpu", "8").build());
        }
        scene.engine.put(
                PodBuilder.pod("large").container("cpu", "60").nodeName("n2").build());
        pods.add(PodBuilder.pod("other").label("app", "web").build());

        assertThat(searchEnd(pods.subList(0, 2), new Budget(10_000), 1).outcome())
                .isEqualTo(Outcome.NONE);
        Left left = searchEnd(pods, new Budget(10_000), 1);
        assertThat(left.outcome()).isEqualTo(Outcome.FOUND);
        assertThat(left.seats()).filteredOn(seat -> seat.node().equals("n2")).hasSize(1);
    }

    private <T> T placing(List<Pod> pods, Budget budget, ByModel<T> search) {
        return on(pods, budget, (board, crew) -> {
            NodeSet mayFit = crew.mayFit().getFirst().copy();
            PodInfo first = crew.kinds().getFirst().first();
            AlikeModel model = AlikeModelBuilder.build(
                    board.view(), crew.kinds(), crew.spreads().getFirst(), board.judge(first), mayFit);
            return search.run(board, new AlikePlacer(board, model, crew.members()));
        });
    }

    private interface ByModel<T> {
        T run(Board board, AlikePlacer placer);
    }

    @Test
    void podsThatAreAlikeArePlacedByTheirModel() {
        List<Seat> seats = placing(GroupScene.pods(5, ZONE, HOST), new Budget(10_000), (board, placer) -> {
            assertThat(placer.place(6)).isFalse();
            assertThat(placer.placeAtOnce()).isFalse();
            assertThat(board.count()).isZero();
            assertThat(placer.allows(5, 1)).isTrue();
            assertThat(placer.allows(6, 1)).isFalse();
            assertThat(placer.place(5)).isTrue();
            return board.seats();
        });

        assertThat(seats).hasSize(5);
        scene.follow(seats);
    }

    @Test
    void whatHasNoOrderIsPlacedAtOnce() {
        placing(GroupScene.pods(7, ZONE, HOST), new Budget(10_000), (board, placer) -> {
            assertThat(placer.place(7)).isFalse();
            assertThat(board.count()).isZero();
            assertThat(placer.placeAtOnce()).isTrue();
            assertThat(board.count()).isEqualTo(7);
            board.takeBackTo(0);
            assertThat(placer.placeLongest(7, 1)).isEqualTo(5);
            assertThat(board.count()).isEqualTo(5);
            return placer;
        });
    }

    @Test
    void moreThanThereAreAreMadeLikeTheFirst() {
        List<Seat> seats = placing(GroupScene.pods(2, HOST), new Budget(10_000), (board, placer) -> {
            assertThat(placer.place(4)).isTrue();
            return board.seats();
        });

        assertThat(seats).extracting(seat -> seat.pod().name()).containsExactly("p0", "p1", "p0~more-0", "p0~more-1");
    }

    @Test
    void whereTheBudgetIsSpentNothingIsPlacedByTheModel() {
        placing(GroupScene.pods(5, ZONE, HOST), new Budget(10_000, 4), (board, placer) -> {
            assertThat(placer.place(5)).isFalse();
            assertThat(placer.placeLongest(5, 1)).isEqualTo(5);
            assertThat(board.count()).isZero();
            return placer;
        });
    }

    /** A policy lets one pod into a zone; the model does not know it. */
    @Test
    void whatTheModelDoesNotKnowIsFoundOutOnTheBoard() {
        scene = new GroupScene(GroupScene.WITH_POLICIES)
                .with(GroupScene.node("n1", 110).zone("a").build())
                .with(GroupScene.node("n2", 110).zone("b").build());
        scene.engine.put(JointPlacerTest.policy("own", "web"));
        placing(GroupScene.pods(3, ZONE), new Budget(10_000), (board, placer) -> {
            assertThat(placer.place(2)).isTrue();
            board.takeBackTo(0);
            assertThat(placer.place(3)).isFalse();
            assertThat(board.count()).isZero();
            assertThat(placer.placeAtOnce()).isFalse();
            assertThat(board.count()).isZero();
            placer.placeLongest(3, 1);
            assertThat(board.count()).isEqualTo(2);
            return placer;
        });
    }

    /** Each is counted by itself, so that there are more counts than it keeps columns for. */
    @Test
    void greedyPutsEachWhereItsDomainIsTheEmptiest() {
        List<Pod> pods = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            scene.engine.put(PodBuilder.pod("there-" + i)
                    .label("kind", "k" + i)
                    .nodeName(i % 2 == 0 ? "n1" : "n3")
                    .build());
            pods.add(PodBuilder.pod("p" + i)
                    .label("kind", "k" + i)
                    .spread(TopologySpreadConstraint.of(
                            5,
                            ZONE,
                            WhenUnsatisfiable.DO_NOT_SCHEDULE,
                            LabelSelector.matchingLabels(Labels.of("kind", "k" + i))))
                    .build());
        }

        List<Seat> seats = on(pods, new Budget(10_000), (board, crew) -> {
            assertThat(new GreedyPlacer(board, crew).run()).isTrue();
            return board.seats();
        });

        assertThat(seats).hasSize(20).allSatisfy(seat -> {
            boolean isFirstFull = Integer.parseInt(seat.pod().name().substring(1)) % 2 == 0;
            assertThat(seat.node()).as(seat.pod().name()).isEqualTo(isFirstFull ? "n3" : "n1");
        });
    }

    @Test
    void greedyCountsWhatItHasPlaced() {
        List<Pod> pods = IntStream.range(0, 6)
                .mapToObj(i -> GroupScene.pod("p" + i, 9, HOST).build())
                .toList();

        List<Seat> seats = on(pods, new Budget(10_000), (board, crew) -> {
            new GreedyPlacer(board, crew).run();
            return board.seats();
        });

        assertThat(seats).extracting(Seat::node).containsExactly("n1", "n2", "n3", "n1", "n2", "n3");
    }

    @Test
    void greedyGoesOnFromWhatIsThere() {
        for (int i = 0; i < 6; i++) {
            scene.engine.put(PodBuilder.pod("there-" + i)
                    .label("app", "web")
                    .nodeName(i == 0 ? "n1" : i < 3 ? "n2" : "n3")
                    .build());
        }
        List<Pod> pods = IntStream.range(0, 6)
                .mapToObj(i -> GroupScene.pod("p" + i, 9, HOST).build())
                .toList();

        List<Seat> seats = on(pods, new Budget(10_000), (board, crew) -> {
            new GreedyPlacer(board, crew).run();
            return board.seats();
        });

        // from 1, 2 and 3
        assertThat(seats).extracting(Seat::node).containsExactly("n1", "n1", "n2", "n1", "n2", "n3");
    }

    /** The one that needs another in its zone has the fewest nodes and waits for it. */
    @Test
    void greedyComesBackToWhatDidNotFitBefore() {
        PodAffinityTerm near = new PodAffinityTerm(
                LabelSelector.matchingLabels(Labels.of("app", "db")), ZONE, List.of(), LabelSelector.NOTHING);
        List<Pod> pods = List.of(
                PodBuilder.pod("web")
                        .nodeSelector("topology.kubernetes.io/zone", "b")
                        .podAffinity(new PodAffinity(List.of(near), List.of(), List.of(), List.of()))
                        .build(),
                GroupScene.pod("db", 5, HOST)
                        .label("app", "db")
                        .nodeSelector("topology.kubernetes.io/zone", "b")
                        .build(),
                PodBuilder.pod("huge").container("cpu", "1000").build());

        List<Seat> both = on(pods.subList(0, 2), new Budget(1_000), (board, crew) -> {
            assertThat(new GreedyPlacer(board, crew).run()).isTrue();
            return board.seats();
        });
        List<Seat> withoutHuge = on(pods, new Budget(1_000), (board, crew) -> {
            assertThat(new GreedyPlacer(board, crew).run()).isFalse();
            return board.seats();
        });

        assertThat(both).extracting(seat -> seat.pod().name()).containsExactly("db", "web");
        assertThat(withoutHuge).hasSize(2);
    }

    @Test
    void whatIsKnownOfTheMostIsSaid() {
        List<Pod> pods = new ArrayList<>(GroupScene.pods(3, ZONE));
        pods.add(PodBuilder.pod("other").build());
        on(pods, new Budget(1_000), (board, crew) -> {
            Reach reach = new Reach(board, crew, Optional.empty(), Integer.MAX_VALUE);
            assertThat(reach.words()).isEmpty();
            reach.keep(List.of(seat("p0"), seat("p1")));
            assertThat(reach.words()).isEmpty();
            reach.findMost(3, false, new SearchContext(board, crew));
            assertThat(reach.isMost()).isFalse();
            assertThat(reach.words()).isEqualTo("at least 2 can be placed");
            reach.keep(List.of(seat("p0")));
            assertThat(reach.most()).hasSize(2);
            reach.findMost(2, false, new SearchContext(board, crew));
            assertThat(reach.isMost()).isTrue();
            assertThat(reach.words()).isEmpty();
            assertThat(reach.knownMost()).isEmpty();
            return reach;
        });
    }

    @Test
    void ofPodsThatAreAlikeLessAndMoreIsSaid() {
        List<Pod> pods = GroupScene.pods(6, ZONE, HOST);
        on(pods, new Budget(10_000), (board, crew) -> {
            PodInfo first = crew.kinds().getFirst().first();
            AlikePlacer placer = new AlikePlacer(
                    board,
                    AlikeModelBuilder.build(
                            board.view(),
                            crew.kinds(),
                            crew.spreads().getFirst(),
                            board.judge(first),
                            crew.mayFit().getFirst()),
                    crew.members());
            Reach reach = new Reach(board, crew, Optional.of(placer), Integer.MAX_VALUE);
            reach.findMost(6, false, new SearchContext(board, crew));
            assertThat(board.count()).isZero();
            assertThat(reach.most()).hasSize(5);
            assertThat(reach.isMost()).isTrue();
            assertThat(reach.knownMost()).hasValue(5);
            assertThat(reach.words()).isEqualTo("5 would do");
            reach.findMore(placer);
            assertThat(board.count()).isZero();
            assertThat(reach.words()).isEqualTo("5 would do, or 7 at once");
            return reach;
        });
    }

    private static Seat seat(String pod) {
        return new Seat(PodBuilder.pod(pod).build(), "n1");
    }
}
