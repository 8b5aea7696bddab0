package io.evenkeel.plugins.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.CycleState;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.WhatIf;
import io.evenkeel.config.Profile;
import io.evenkeel.framework.run.FilterRunner.CrowdedFilters;
import io.evenkeel.framework.run.Objection;
import io.evenkeel.framework.run.SchedulingProfile;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.rotation.Rotation;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What filters say of a node beside pods that are nominated to it is what they say where these are in place; but pods that no
 * rule restricts, and that no pod in place shuns, do not notice that a nominated pod shuns them.
 */
class CrowdedFiltersTest {
    private static final int PODS = 30;
    private static int clusters;
    private static int told;
    private static int objections;

    private final ClusterState cluster = new ClusterState();
    private final SchedulingProfile profile =
            SchedulingProfile.of(Profile.defaults(), InTreePlugins.registry(), cluster.view());

    static LongStream seeds() {
        return Rotation.seeds(100);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whoIsNominatedCountsAsIfInPlace(long seed) {
        clusters++;
        SplittableRandom random = new SplittableRandom(seed);
        CrowdedObjects objects = new CrowdedObjects(random);
        IntStream.range(0, CrowdedObjects.NODES).forEach(node -> cluster.put(objects.node(node)));
        IntStream.range(0, 5).forEach(pod -> cluster.put(objects.placed("p" + pod)));
        for (int number = 0; number < PODS; number++) {
            PodInfo pod = cluster.admit(objects.preemptor("w" + number));
            List<PodInfo> nominated = IntStream.rangeClosed(0, random.nextInt(3))
                    .mapToObj(other -> cluster.admit(objects.preemptor("n" + other)))
                    .toList();
            for (int node = 0; node < CrowdedObjects.NODES; node++) {
                compare(pod, node, nominated);
            }
            nominated.forEach(cluster::dismiss);
            cluster.dismiss(pod);
        }
    }

    /** Of pods in place it counts none. */
    @Test
    void anEmptySelectorCountsNominatedPodsOfTheNamespace() {
        cluster.put(NodeBuilder.node("a").zone("x").allocatable("pods", "9").build());
        cluster.put(NodeBuilder.node("b").zone("y").allocatable("pods", "9").build());
        cluster.put(PodBuilder.pod("there").nodeName("a").build());
        PodInfo pod = cluster.admit(PodBuilder.pod("w")
                .spread(new TopologySpreadConstraint(
                        1,
                        "topology.kubernetes.io/zone",
                        WhenUnsatisfiable.DO_NOT_SCHEDULE,
                        LabelSelector.EVERYTHING,
                        1,
                        NodeInclusionPolicy.HONOR,
                        NodeInclusionPolicy.IGNORE,
                        List.of()))
                .build());
        CrowdedFilters crowded = profile.trialFilters().crowded(pod).orElseThrow();
        int node = cluster.view().nodes().find("a");

        assertThat(crowded.begin(node, List.of(cluster.admit(PodBuilder.pod("n").build()))))
                .isTrue();
        assertThat(crowded.objection()).map(Objection::plugin).contains("PodTopologySpread");
        assertThat(crowded.begin(
                        node,
                        List.of(cluster.admit(
                                PodBuilder.pod("n").namespace("other").build()))))
                .isTrue();
        assertThat(crowded.objection()).isEmpty();
    }

    private void compare(PodInfo pod, int node, List<PodInfo> nominated) {
        CrowdedFilters crowded = profile.trialFilters().crowded(pod).orElseThrow();
        assertThat(crowded.begin(node, nominated)).isTrue();
        Optional<Objection> objection = crowded.objection();
        assertThat(objection).as("%s on %d beside %s", pod, node, nominated).isEqualTo(inPlace(pod, node, nominated));
        told++;
        objections += objection.isPresent() ? 1 : 0;
    }

    private Optional<Objection> inPlace(PodInfo pod, int node, List<PodInfo> nominated) {
        NoticedPods noticed = new NoticedPods(cluster.view(), pod.pod());
        try (WhatIf beside = cluster.whatIf()) {
            nominated.stream().map(PodInfo::pod).map(noticed::asNoticed).forEach(other -> beside.place(other, node));
            return profile.trialFilters().objectionOn(node, new CycleState(), pod);
        }
    }

    @AfterAll
    static void thereWasEnoughToSee() {
        assertThat(told).isGreaterThan(clusters * PODS * 2);
        assertThat(objections).isBetween(told / 4, told * 95 / 100);
    }
}
