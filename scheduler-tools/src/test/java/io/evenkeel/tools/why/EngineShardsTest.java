package io.evenkeel.tools.why;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.companion.AskedCluster.Parted;
import io.evenkeel.app.companion.AskedCluster.Parted.Holder;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import io.evenkeel.model.PodStatus;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.build.PodStatusBuilder;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.shard.LocalGate;
import io.evenkeel.shard.ShardMap;
import io.evenkeel.shard.ShardTrace;
import io.evenkeel.shard.ShardTrace.Announced;
import io.evenkeel.shard.ShardTrace.Asked;
import io.evenkeel.shard.ShardTrace.Attempt;
import io.evenkeel.shard.ShardTrace.Refused;
import io.evenkeel.shard.ShardTrace.Tried;
import io.evenkeel.tools.output.Layout;
import io.evenkeel.tools.why.ClusterQuestions.Judgement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A pod that waits where engines share the cluster: which one has it, and who holds that, stands beside the answer. */
class EngineShardsTest {
    private static final ShardMap MAP =
            ShardMap.parse("example.com/pool in (a,b)").orElseThrow();
    private static final String FULL = "0/1 nodes are available: 1 Insufficient cpu.";

    private static Tried tried(int... shards) {
        List<Attempt> attempts = new ArrayList<>();
        for (int shard : shards) {
            attempts.add(new Attempt(shard, 1, FULL));
        }
        return new Tried(attempts);
    }

    private static PodBuilder pod(String cpu) {
        return PodBuilder.pod("shop", "web")
                .uid("web")
                .schedulerName("evenkeel")
                .container("cpu", cpu);
    }

    private static Pod with(PodBuilder pod, ShardTrace trace, Optional<String> said) {
        PodStatusBuilder status = PodStatusBuilder.from(PodStatus.PENDING).shard(trace.condition(pod.build(), MAP));
        said.map(message -> new PodCondition("PodScheduled", "False", "Unschedulable", message, "", 0))
                .ifPresent(status::scheduled);
        return pod.status(status.build()).build();
    }

    private static String why(Pod pod) {
        return why(pod, Parted.NOBODY);
    }

    /** @param last who holds the last shard */
    private static String why(Pod pod, Holder last) {
        ClusterQuestions questions = new ClusterQuestions(
                UsualProfiles.OF_PODS_THAT_WAIT, InTreePlugins.registry(), Judgement.GUESSED, (_, _) -> {});
        List<KubernetesObject> objects = new ArrayList<>(List.of(pod));
        for (String pool : List.of("a", "b", "c")) {
            objects.add(NodeBuilder.node("of-" + pool)
                    .label("example.com/pool", pool)
                    .allocatable("cpu", "4", "memory", "8Gi", "pods", "10")
                    .build());
        }
        questions.tell(objects);
        questions.tellOfShards(_ -> Optional.of(new EngineShards(
                MAP,
                new Holder("pod-0", false),
                List.of(new Holder("pod-0", false), new Holder("pod-1", false), last))));
        return questions
                .about("shop/web", Requester.OPERATOR)
                .orElseThrow()
                .text(Layout.of(200))
                .replaceAll("\\s+", " ");
    }

    @Test
    void itsWordsLeaveOneShard() {
        assertThat(why(pod("9").nodeSelector("example.com/pool", "b").build()))
                .contains("(it is the turn of shard 1 (pod-1) to find a node of its own)");
        assertThat(why(pod("9").nodeSelector("example.com/pool", "c").build()))
                .contains("(it is the turn of shard 2 (held by nobody) to find a node of its own)");
    }

    @Test
    void someHaveTriedIt() {
        assertThat(why(with(pod("1"), tried(0, 1), Optional.empty())))
                .contains(
                        "(it is the turn of shard 2 (held by nobody) to find a node of its own; shards 0, 1 of 3 had no place)");
        assertThat(why(with(pod("1").preempts(false), tried(0, 1, 2), Optional.empty())))
                .contains("(tried by shards 0, 1, 2 of 3: whichever has a place first takes it; nobody holds shard 2)");
        assertThat(why(with(pod("1").preempts(false), tried(0, 1, 2), Optional.empty()), new Holder("pod-2", false)))
                .contains(
                        "(tried by shards 0, 1, 2 of 3: whichever has a place first takes it, and shard 2 (pod-2) tells of it)");
        Holder late = new Holder("pod-2", true);
        assertThat(why(with(pod("1").preempts(false), tried(0, 1, 2), Optional.empty()), late))
                .contains("takes it; nobody holds shard 2, as the lease of pod-2 has run out)");
        assertThat(why(pod("9").nodeSelector("example.com/pool", "c").build(), late))
                .contains("(it is the turn of shard 2 (pod-2, whose lease has run out) to find a node of its own)");
    }

    @Test
    void whatOneShardHasTriedIsSaidOfAllNodes() {
        PodBuilder ofOne = pod("9").nodeSelector("example.com/pool", "b").preempts(false);
        String all =
                "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't match Pod's node affinity/selector.";
        assertThat(why(with(ofOne, tried(1), Optional.of(all))))
                .startsWith("shop/web waits: 0/3 nodes are available: ")
                .doesNotContain("condition")
                .contains("(tried by shard 1 (pod-1) of 3, as its words leave no other)");
    }

    @Test
    void whomAPodShunsIsAnnouncedOnceThereIsAPlaceAndWaitsForShardsThatNobodyHolds() {
        PodBuilder shunning = pod("1").podAffinity(new PodAffinity(
                List.of(),
                List.of(),
                List.of(new PodAffinityTerm(LabelSelector.EVERYTHING, "zone", List.of(), LabelSelector.NOTHING)),
                List.of()));
        assertThat(why(shunning.build()))
                .contains("(decided by the overseer (pod-0), as it has required anti-affinity by zone)");
        Pod announced = with(shunning, new Announced("of-b"), Optional.empty());
        assertThat(why(PodBuilder.from(announced)
                        .status(PodStatusBuilder.from(announced.status())
                                .nominatedNodeName("of-b")
                                .build())
                        .build()))
                .doesNotContain("nominates")
                .contains("(the overseer (pod-0) has a place on node of-b in view, and asks for it once all shards know"
                        + " whom the pod shuns; nobody holds shard 2)");
    }

    @Test
    void theOverseerDecidesWhatNoShardCanJudge() {
        PodBuilder spread = pod("1").spread(TopologySpreadConstraint.of(
                1, "zone", WhenUnsatisfiable.DO_NOT_SCHEDULE, LabelSelector.EVERYTHING));
        assertThat(why(spread.build())).contains("(decided by the overseer (pod-0), as it is to be spread by zone)");
        assertThat(why(with(spread, new Asked("of-b"), Optional.empty())))
                .contains("(the overseer (pod-0) asks shard 1 (pod-1) for a place on node of-b)");
        assertThat(why(with(spread, new Refused("of-b", "Insufficient cpu"), Optional.empty())))
                .contains("(decided by the overseer (pod-0), as it is to be spread by zone; shard 1 had no place on"
                        + " node of-b: Insufficient cpu)");
    }

    /** It has a place, and nobody to give it. */
    @Test
    void noneHasWhatAllRefuse() {
        PodBuilder refused = pod("1").status(PodStatusBuilder.from(PodStatus.PENDING)
                .scheduled(new PodCondition(
                        "PodScheduled", "False", "Unschedulable", LocalGate.NOBODY_JUDGES + "it is in a gang", "", 0))
                .build());

        assertThat(why(refused.build()))
                .contains("though its condition says: " + LocalGate.NOBODY_JUDGES + "it is in a gang")
                .contains("(its engines have none that knows all nodes, so it waits whatever room there is)")
                .doesNotContain("turn");
    }

    @Test
    void aPodOfAnotherSchedulerIsNotTheirs() {
        assertThat(why(pod("1").schedulerName("default-scheduler").build())).doesNotContain("shard");
    }
}
