package io.evenkeel.plugins.live;

import static io.evenkeel.model.build.NodeBuilder.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.NodeStatuses;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.PostFilterPlugin;
import io.evenkeel.api.Status;
import io.evenkeel.api.Trial;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.build.PodStatusBuilder;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.queue.SchedulingQueue.QueueCounts;
import io.evenkeel.queue.SchedulingQueue.QueueEntryView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What is in a pod's way and not what its user reads, as something else is before it, wakes the pod all the same when it is out
 * of the way: nothing else may happen for a long time.
 */
class HiddenObstaclesTest {
    private static final Node N1 =
            node("n1").label("zone", "z").allocatable("cpu", "3", "pods", "9").build();
    private static final Pod HOST = PodBuilder.pod("host")
            .uid("host")
            .priority(9)
            .label("app", "host")
            .nodeName("n1")
            .build();

    private PlayedCluster cluster = new PlayedCluster("");

    @AfterEach
    void whatIsKeptIsWhatARecountFinds() {
        assertThat(cluster.differences()).isEmpty();
    }

    private static PodBuilder pod(String name, String cpu) {
        return PodBuilder.pod(name).uid(name).container("cpu", cpu);
    }

    private static PodBuilder guest(String name, String cpu) {
        return pod(name, cpu)
                .podAffinity(new PodAffinity(
                        List.of(new PodAffinityTerm(
                                LabelSelector.matchingLabels(Map.of("app", "host")),
                                "zone",
                                List.of("default"),
                                LabelSelector.NOTHING)),
                        List.of(),
                        List.of(),
                        List.of()));
    }

    private QueueEntryView waiting(String name) {
        return cluster.scheduler().queue().view().stream()
                .filter(entry -> entry.key().equals("default/" + name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void besideNominatedPodsAnotherPluginObjectsThanWithoutThem() {
        Pod batch = pod("batch", "2").nodeName("n1").build();
        Pod urgent = pod("urgent", "2").label("app", "host").priority(9).build();
        cluster.put(N1, batch);
        cluster.put(urgent);
        assertThat(cluster.evicted()).containsExactly("batch");
        cluster.put(guest("guest", "1").build());
        assertThat(cluster.message()).startsWith("0/1 nodes are available: 1 Insufficient cpu.");

        cluster.tell(new CommandResult.Evicted(batch));
        cluster.remove(batch);
        cluster.aMinutePasses();
        cluster.tell(new CommandResult.Bound(urgent, "n1"));
        cluster.put(PodBuilder.from(urgent).nodeName("n1").build());
        cluster.aMinutePasses();
        assertThat(cluster.bound()).containsExactly("urgent n1", "guest n1");
    }

    @Test
    void onceOthersHaveGoneAnotherPluginWouldObject() {
        cluster.put(N1, pod("batch", "2").nodeName("n1").build());
        cluster.put(guest("urgent", "2").priority(9).build());
        assertThat(cluster.message())
                .endsWith("preemption: 0/1 nodes are available: 1 node(s) didn't match pod affinity rules.");
        assertThat(waiting("urgent").rejectedBy()).containsExactly("InterPodAffinity", "NodeResourcesFit");
        assertThat(cluster.scheduler().queue().counts().rejected())
                .as("counted for those that have said no")
                .extracting(QueueCounts.Rejected::plugin)
                .containsExactly("NodeResourcesFit");

        cluster.put(HOST);
        cluster.aMinutePasses();
        assertThat(cluster.evicted()).containsExactly("batch");
    }

    /** As two cases of kube-scheduler's own have it, which tries the pod. */
    @Test
    void roomOnANodeFromWhichAnotherPluginTurnsThePodAwayIsNoReasonToTryIt() {
        Node small = node("n2")
                .label("group", "b")
                .allocatable("cpu", "1", "pods", "9")
                .build();
        cluster.put(N1, small, pod("picky", "2").nodeSelector("group", "b").build());
        assertThat(waiting("picky").rejectedBy()).containsExactly("NodeAffinity", "NodeResourcesFit");

        cluster.put(node("n1").allocatable("cpu", "5", "pods", "9").build());
        cluster.put(node("n1").allocatable("cpu", "5", "pods", "10").build());
        cluster.aMinutePasses();
        assertThat(waiting("picky").attempts()).isOne();

        cluster.put(node("n1")
                .label("group", "b")
                .allocatable("cpu", "5", "pods", "10")
                .build());
        cluster.aMinutePasses();
        assertThat(cluster.bound()).containsExactly("picky n1");
    }

    @Test
    void roomForNominatedPodsIsInTheWayOnceOthersHaveGone() {
        PodAffinityTerm shunned = new PodAffinityTerm(
                LabelSelector.matchingLabels(Map.of("app", "guest")),
                "zone",
                List.of("default"),
                LabelSelector.NOTHING);
        Pod keeper = PodBuilder.pod("keeper")
                .uid("keeper")
                .priority(1)
                .podAffinity(new PodAffinity(List.of(), List.of(), List.of(shunned), List.of()))
                .nodeName("n1")
                .build();
        Pod leaving = pod("leaving", "2").priority(6).nodeName("n1").build();
        Pod urgent = pod("urgent", "2").priority(9).build();
        cluster.put(N1, keeper, leaving);
        cluster.put(urgent);
        assertThat(cluster.evicted()).containsExactly("leaving");
        cluster.put(pod("guest", "1").label("app", "guest").priority(5).build());
        assertThat(cluster.message()).as("beside urgent").endsWith("1 Insufficient cpu.");

        cluster.tell(new CommandResult.Evicted(leaving));
        cluster.remove(leaving);
        cluster.aMinutePasses();
        cluster.tell(new CommandResult.Bound(urgent, "n1"));
        cluster.put(PodBuilder.from(urgent).nodeName("n1").build());
        cluster.aMinutePasses();
        assertThat(cluster.evicted()).containsExactly("leaving", "keeper");
    }

    @Test
    void othersAreGoingAndTheNominationIsTakenAway() {
        cluster = new PlayedCluster(
                "profiles: [{plugins: {postFilter: {enabled: [{name: DefaultPreemption}, {name: TakesAway}],"
                        + " disabled: [{name: '*'}]}}}]",
                PluginFactory.of("TakesAway", TakesAway.class, _ -> new TakesAway()));
        Pod batch = pod("batch", "2").nodeName("n1").build();
        Node other = node("n2").allocatable("cpu", "2", "pods", "9").build();
        Pod several = pod("several-1", "1").nodeName("n2").priority(1).build();
        Pod more = pod("several-2", "1").nodeName("n2").priority(1).build();
        cluster.put(N1, other, batch, several, more);
        cluster.put(pod("urgent", "2").priority(9).build());
        assertThat(cluster.evicted()).containsExactly("batch");
        cluster.put(PodBuilder.from(pod("urgent", "2").priority(9).build())
                .nominatedNodeName("n1")
                .build());
        cluster.tell(new CommandResult.Evicted(batch));
        cluster.put(PodBuilder.from(batch)
                .status(PodStatusBuilder.from(batch.status())
                        .disruptionTarget(
                                cluster.given(Command.Evict.class).getFirst().disrupted())
                        .build())
                .terminating(true)
                .build());
        // while that one goes it is tried once more, and then n1 becomes too small
        cluster.put(node("n2").allocatable("cpu", "2500m", "pods", "9").build());
        cluster.aMinutePasses();
        assertThat(waiting("urgent").attempts()).isEqualTo(2);
        assertThat(waiting("urgent").nominatedNode()).isEmpty();
        cluster.put(node("n1").allocatable("cpu", "1", "pods", "9").build());

        cluster.remove(batch);
        cluster.aMinutePasses();
        cluster.aMinutePasses();
        assertThat(cluster.evicted()).containsExactlyInAnyOrder("batch", "several-1", "several-2");
    }

    /** Cannot help, and does not want the pod to name a node any more. */
    private record TakesAway() implements PostFilterPlugin {
        @Override
        public String name() {
            return "TakesAway";
        }

        @Override
        public Result postFilter(CycleState state, PendingPod pod, NodeStatuses statuses, Trial trial) {
            return new Result(Status.unschedulable("not I"), Optional.of(""));
        }
    }
}
