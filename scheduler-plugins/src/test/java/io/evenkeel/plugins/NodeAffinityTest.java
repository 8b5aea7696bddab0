package io.evenkeel.plugins;

import static io.evenkeel.model.build.NodeBuilder.node;
import static io.evenkeel.model.build.PodBuilder.pod;
import static io.evenkeel.plugins.PluginHarness.cluster;
import static io.evenkeel.plugins.Terms.in;
import static io.evenkeel.plugins.Terms.named;
import static io.evenkeel.plugins.Terms.notNamed;
import static io.evenkeel.plugins.Terms.preferring;
import static io.evenkeel.plugins.Terms.requiring;
import static io.evenkeel.plugins.Terms.term;
import static io.evenkeel.plugins.Terms.worth;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.PreFilterResult;
import io.evenkeel.api.Status;
import io.evenkeel.config.PluginArgs.NodeAffinityArgs;
import io.evenkeel.model.Pod;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class NodeAffinityTest {
    private static final Status NO_MATCH = Status.unresolvable("node(s) didn't match Pod's node affinity/selector");
    private static final NodeSelectorTerm EMPTY = new NodeSelectorTerm(List.of(), List.of());

    private final PluginHarness cluster = cluster(
            node("ssd-a").label("disk", "ssd").zone("a").build(),
            node("ssd-b").label("disk", "ssd").zone("b").build(),
            node("hdd-a").label("disk", "hdd").zone("a").build());
    private final NodeAffinity plugin = new NodeAffinity(cluster.context());

    @Nested
    class Filtering {

        @Test
        void nodeSelectorAndAffinityMustBothHold() {
            Pod pod = pod("p").nodeSelector("disk", "ssd")
                    .nodeAffinity(requiring(term(in("topology.kubernetes.io/zone", "a"))))
                    .build();

            assertThat(cluster.filterAll(plugin, pod))
                    .isEqualTo(Map.of("ssd-a", Status.SUCCESS, "ssd-b", NO_MATCH, "hdd-a", NO_MATCH));
        }

        @Test
        void oneTermIsEnough() {
            Pod pod = pod("p").nodeAffinity(requiring(term(in("disk", "hdd")), named("ssd-b")))
                    .build();

            assertThat(cluster.passing(plugin, pod)).containsExactly("hdd-a", "ssd-b");
        }

        @Test
        void anEmptyTermAndAnEmptyListOfTermsMatchNothing() {
            assertThat(cluster.passing(
                            plugin, pod("p").nodeAffinity(requiring(EMPTY)).build()))
                    .isEmpty();
            assertThat(cluster.passing(
                            plugin, pod("p").nodeAffinity(requiring()).build()))
                    .isEmpty();
        }

        @Test
        void aNodeIsJudgedByItsLabelsOfNow() {
            Pod pod = pod("p").nodeSelector("disk", "ssd").build();
            assertThat(cluster.passing(plugin, pod)).containsExactly("ssd-a", "ssd-b");

            cluster.put(node("hdd-a").label("disk", "ssd").build());
            cluster.put(node("ssd-a").label("disk", "hdd").build());
            cluster.remove(node("ssd-b").build());

            assertThat(cluster.passing(plugin, pod)).containsExactly("hdd-a");
        }

        @Test
        void aPodThatNamesItsNodeFitsThereAlsoWithoutNarrowing() {
            assertThat(cluster.passing(
                            plugin,
                            pod("p").nodeAffinity(requiring(named("ssd-b"))).build()))
                    .containsExactly("ssd-b");
        }
    }

    @Nested
    class Narrowing {

        @Test
        void aPodThatAsksForNothingIsSkipped() {
            assertThat(preFilter(pod("p").build())).isEqualTo(PreFilterResult.SKIP);
            assertThat(preFilter(pod("p").nodeAffinity(preferring(worth(1, term(in("disk", "ssd")))))
                            .build()))
                    .isEqualTo(PreFilterResult.SKIP);
        }

        @Test
        void everyTermMustNameNodes() {
            assertThat(preFilter(pod("p").nodeSelector("disk", "ssd").build())).isEqualTo(PreFilterResult.PROCEED);
            assertThat(preFilter(requiringPod(named("x"), term(in("disk", "ssd")))))
                    .isEqualTo(PreFilterResult.PROCEED);
            assertThat(preFilter(requiringPod(notNamed("x")))).isEqualTo(PreFilterResult.PROCEED);
            assertThat(preFilter(requiringPod())).isEqualTo(PreFilterResult.PROCEED);
        }

        @Test
        void namesOfSeveralTermsAreUnited() {
            assertThat(preFilter(requiringPod(named("x"), named("y"), named("x"))))
                    .isEqualTo(new PreFilterResult.OnlyNodes(Set.of("x", "y")));
        }

        @Test
        void namesWithinATermAreIntersectedAndNoneLeftIsAConflict() {
            NodeSelectorTerm impossible = named("x", "y");

            assertThat(preFilter(requiringPod(impossible, named("z"))))
                    .isEqualTo(new PreFilterResult.OnlyNodes(Set.of("z")));
            assertThat(preFilter(requiringPod(impossible)))
                    .isEqualTo(new PreFilterResult.Rejected(Status.unresolvable("pod affinity terms conflict")));
        }

        private PreFilterResult preFilter(Pod pod) {
            return cluster.preFilter(plugin, pod);
        }

        private static Pod requiringPod(NodeSelectorTerm... terms) {
            return pod("p").nodeAffinity(requiring(terms)).build();
        }
    }

    @Nested
    class Scoring {

        @Test
        void matchingWeightsAreSummedAndTheGreatestSumIsTheFullScore() {
            Pod pod = pod("p").nodeAffinity(preferring(
                            worth(2, term(in("disk", "ssd"))),
                            worth(4, term(in("topology.kubernetes.io/zone", "b"))),
                            worth(100, EMPTY)))
                    .build();

            assertThat(cluster.scores(plugin, pod)).isEqualTo(Map.of("ssd-a", 33, "ssd-b", 100, "hdd-a", 0));
            assertThat(cluster.scores(plugin, pod, Set.of("ssd-a", "hdd-a")))
                    .isEqualTo(Map.of("ssd-a", 100, "hdd-a", 0));
        }

        @Test
        void whereNothingMatchesAllScoreNothing() {
            Pod pod = pod("p").nodeAffinity(preferring(worth(2, term(in("disk", "tape")))))
                    .build();

            assertThat(cluster.scores(plugin, pod)).isEqualTo(Map.of("ssd-a", 0, "ssd-b", 0, "hdd-a", 0));
        }

        @Test
        void aPodWithoutPreferencesIsSkipped() {
            assertThat(cluster.preScore(
                            plugin, pod("p").nodeSelector("disk", "ssd").build()))
                    .isEqualTo(Status.SKIP);
            assertThat(cluster.preScore(
                            plugin,
                            pod("p").nodeAffinity(preferring(worth(1, term(in("disk", "ssd")))))
                                    .build()))
                    .isEqualTo(Status.SUCCESS);
        }
    }

    @Nested
    class AffinityAddedByTheProfile {

        @Test
        void itIsCheckedFirstAndHasAReasonOfItsOwn() {
            NodeAffinity enforcing = withAdded(requiring(term(in("disk", "ssd"))));
            Pod pod = pod("p").nodeSelector("topology.kubernetes.io/zone", "b").build();

            assertThat(cluster.filterAll(enforcing, pod))
                    .isEqualTo(Map.of(
                            "ssd-a",
                            NO_MATCH,
                            "ssd-b",
                            Status.SUCCESS,
                            "hdd-a",
                            Status.unresolvable("node(s) didn't match scheduler-enforced node affinity")));
        }

        @Test
        void itFiltersForPodsThatAskForNothingAndNeverNarrows() {
            NodeAffinity enforcing = withAdded(requiring(named("ssd-a")));

            assertThat(cluster.preFilter(enforcing, pod("p").build())).isEqualTo(PreFilterResult.PROCEED);
            assertThat(cluster.passing(enforcing, pod("p").build())).containsExactly("ssd-a");
        }

        @Test
        void itsPreferencesAddToThePods() {
            NodeAffinity preferring = withAdded(preferring(worth(5, term(in("disk", "ssd")))));
            Pod pod = pod("p").nodeAffinity(preferring(worth(15, term(in("topology.kubernetes.io/zone", "b")))))
                    .build();

            assertThat(cluster.preScore(preferring, pod("p").build())).isEqualTo(Status.SUCCESS);
            assertThat(cluster.scores(preferring, pod("p").build()))
                    .isEqualTo(Map.of("ssd-a", 100, "ssd-b", 100, "hdd-a", 0));
            assertThat(cluster.scores(preferring, pod)).isEqualTo(Map.of("ssd-a", 25, "ssd-b", 100, "hdd-a", 0));
        }

        private NodeAffinity withAdded(io.evenkeel.model.constraint.NodeAffinity added) {
            return new NodeAffinity(cluster.context(new NodeAffinityArgs(Optional.of(added))));
        }
    }
}
