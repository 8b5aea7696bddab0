package io.evenkeel.plugins.live;

import static io.evenkeel.model.build.NodeBuilder.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.read.ConfigurationReader;
import io.evenkeel.engine.ClusterEvent;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.Relist;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.SchedulerSettings;
import io.evenkeel.engine.decision.ExtenderAdvice;
import io.evenkeel.engine.decision.FirstByName;
import io.evenkeel.engine.extender.Answer;
import io.evenkeel.framework.cycle.PreemptionCandidate;
import io.evenkeel.framework.cycle.Status;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.plugins.InTreePlugins;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Three nodes of 2 cpus, full of pods a, b and c; an extender has a say in who goes for pods that want a license. */
class ExtendersVictimsTest {
    private static final String ONLY_PREEMPTS =
            "{urlPrefix: http://x, preemptVerb: preempt, managedResources: [{name: l/l, ignoredByScheduler: true}]}";

    private final List<Command> commands = new ArrayList<>();
    private Scheduler scheduler = with(ONLY_PREEMPTS, "");
    private long now;

    private final Pod a = PodBuilder.from(pod("a", 1)).nodeName("n1").build();
    private final Pod b = PodBuilder.from(pod("b", 2)).nodeName("n2").build();
    private final Pod c = PodBuilder.from(pod("c", 3)).nodeName("n3").build();
    private final Pod urgent = licensed("urgent", 9);

    private Scheduler with(String extender, String fields) {
        SchedulerConfiguration configuration = new ConfigurationReader().read("test", """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            extenders: [%s]
            %s
            """.formatted(extender, fields));
        commands.clear();
        scheduler = new Scheduler(
                configuration,
                InTreePlugins.registry(),
                new FirstByName(),
                SchedulerSettings.of(50),
                commands::add,
                SchedulerObserver.NONE,
                () -> now);
        scheduler.awaitedKinds().forEach(kind -> {
            scheduler.handle(new Relist.Began(kind));
            scheduler.handle(new Relist.Ended(kind));
        });
        for (String name : List.of("n1", "n2", "n3")) {
            scheduler.handle(new ClusterEvent.Put(
                    node(name).allocatable("cpu", "2", "pods", "9").build()));
        }
        return scheduler;
    }

    private static Pod pod(String name, int priority) {
        return PodBuilder.pod(name)
                .uid(name)
                .priority(priority)
                .container("cpu", "2")
                .build();
    }

    private static Pod licensed(String name, int priority) {
        return PodBuilder.from(pod(name, priority)).container("l/l", "1").build();
    }

    @AfterEach
    void nothingOfItIsLeftInTheCluster() {
        assertThat(ClusterAudit.differences(scheduler.cluster())).isEmpty();
    }

    private void put(KubernetesObject... objects) {
        for (KubernetesObject object : objects) {
            scheduler.handle(new ClusterEvent.Put(object));
        }
        takeTurns();
    }

    private void takeTurns() {
        boolean more = true;
        while (more) {
            more = scheduler.scheduleNext();
        }
    }

    private void answer(Answer answer) {
        scheduler.handle(new SchedulerEvent.ExtendersAnswered(urgent, answer));
        takeTurns();
    }

    private void leave(PreemptionCandidate... candidates) {
        answer(new Answer.VictimsChosen(List.of(candidates)));
    }

    private static PreemptionCandidate from(String node, Pod... victims) {
        return new PreemptionCandidate(node, List.of(victims), 0);
    }

    private <C extends Command> List<C> given(Class<C> kind) {
        return commands.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /** What was asked, the pod first. */
    private List<String> asked() {
        return given(Command.AskOfVictims.class).stream()
                .map(question -> question.pod().name() + " "
                        + question.candidates().stream()
                                .map(each -> each.node() + "=" + names(each.victims()))
                                .toList())
                .toList();
    }

    private static List<String> names(List<Pod> pods) {
        return pods.stream().map(Pod::name).toList();
    }

    private List<String> evicted() {
        return given(Command.Evict.class).stream()
                .map(evict -> evict.pod().name())
                .toList();
    }

    private List<String> bound() {
        return given(Command.Bind.class).stream()
                .map(bind -> bind.pod().name() + " " + bind.node())
                .toList();
    }

    private String message() {
        return given(Command.RecordEvent.class).getLast().event().note();
    }

    @Test
    void theyAreAskedAboutTheBestCandidatesFirstAndNobodyGoesBefore() {
        put(a, b, c, urgent);

        assertThat(asked()).containsExactly("urgent [n1=[a], n2=[b], n3=[c]]");
        assertThat(given(Command.AskOfVictims.class).getFirst().podsByNode())
                .containsEntry("n1", List.of(a))
                .containsOnlyKeys("n1", "n2", "n3");
        assertThat(scheduler.atExtenders().orElseThrow().nodeCount()).isEqualTo(3);
        assertThat(evicted()).isEmpty();

        leave(from("n3", c), from("n2", b));
        assertThat(evicted()).containsExactly("b");
        assertThat(given(Command.PatchStatus.class).getLast().nominatedNodeName())
                .hasValue("n2");
    }

    @Test
    void noMoreThanAShortlistIsAskedAbout() {
        with(
                ONLY_PREEMPTS,
                "profiles: [{pluginConfig: [{name: DefaultPreemption,"
                        + " args: {minCandidateNodesPercentage: 70, minCandidateNodesAbsolute: 1}}]}]");
        put(a, b, c, urgent);

        assertThat(asked()).containsExactly("urgent [n1=[a], n2=[b]]");
    }

    @Test
    void othersOfTheNodesPodsGoWhereTheySaySo() {
        Pod aside = PodBuilder.pod("aside").uid("aside").nodeName("n1").build();
        put(a, aside, b, c, urgent);
        leave(from("n1", a, aside), from("n3", c));

        assertThat(evicted()).as("priority 1 before 3").containsExactlyInAnyOrder("a", "aside");
    }

    @Test
    void violationsAreTheirsToCount() {
        put(a, b, c, urgent);
        leave(new PreemptionCandidate("n1", List.of(a), Long.MAX_VALUE), from("n3", c));

        assertThat(evicted()).containsExactly("c");
    }

    @Test
    void whereTheyLeaveNothingNobodyGoesAndTheyAreAskedOnce() {
        put(a, b, c, urgent);
        leave();

        assertThat(asked()).hasSize(1);
        assertThat(evicted()).isEmpty();
        assertThat(message())
                .isEqualTo("0/3 nodes are available: 3 Insufficient cpu. no new claims to deallocate,"
                        + " preemption: no candidate node for preemption");
    }

    @Test
    void whereOneFailsNobodyGoes() {
        put(a, b, c, urgent);
        answer(new Answer.Failed("out of licenses"));

        assertThat(evicted()).isEmpty();
        assertThat(message()).isEqualTo("0/3 nodes are available: 3 Insufficient cpu. preemption: out of licenses");
    }

    @Test
    void roomThatIsThereMeanwhileIsTaken() {
        put(a, b, c, urgent);
        scheduler.handle(new ClusterEvent.Removed(b));
        leave(from("n1", a));

        assertThat(evicted()).isEmpty();
        assertThat(bound()).containsExactly("urgent n2");
    }

    @Test
    void whatTheySayOfANodeThatHasChangedCountsNot() {
        put(a, b, c, urgent);
        scheduler.handle(new ClusterEvent.Removed(a));
        put(PodBuilder.from(pod("d", 0)).nodeName("n1").build());
        leave(from("n1", a), from("n3", c));

        assertThat(evicted()).containsExactly("c");
    }

    @Test
    void whereAllHasChangedTheyAreAskedOnceMore() {
        put(a, b, c, urgent);
        scheduler.handle(new ClusterEvent.Removed(a));
        put(PodBuilder.from(pod("d", 0)).nodeName("n1").build());
        leave(from("n1", a));
        assertThat(asked()).containsExactly("urgent [n1=[a], n2=[b], n3=[c]]", "urgent [n1=[d], n2=[b], n3=[c]]");

        scheduler.handle(new ClusterEvent.Removed(pod("d", 0)));
        put(PodBuilder.from(pod("e", 0)).nodeName("n1").build());
        leave(from("n1", pod("d", 0)));
        assertThat(evicted()).isEmpty();
        assertThat(given(Command.RecordEvent.class)).as("the attempt has ended").hasSize(1);
        assertThat(asked()).as("in the next").last().isEqualTo("urgent [n1=[e], n2=[b], n3=[c]]");
    }

    @Test
    void aNodeThatIsGoneCountsNot() {
        put(a, b, c, urgent);
        scheduler.handle(new ClusterEvent.Removed(node("n1").build()));
        leave(from("n1", a), from("n2", b));

        assertThat(evicted()).containsExactly("b");
    }

    @Test
    void ofAPodThatIsGoneNothingIsMade() {
        put(a, b, c, urgent);
        scheduler.handle(new ClusterEvent.Removed(urgent));
        leave(from("n1", a));

        assertThat(evicted()).isEmpty();
        assertThat(scheduler.atExtenders()).isEmpty();
    }

    @Test
    void podsWithoutThemAreNotHeldUpAndThoseWithThemTakeTurns() {
        put(a, b, c, urgent);
        put(pod("quick", 10), licensed("next", 8));

        assertThat(evicted()).as("for quick").containsExactly("a");
        assertThat(asked()).hasSize(1);
        leave(from("n1", a), from("n2", b));
        assertThat(evicted()).containsExactly("a", "b");
        assertThat(asked()).last().isEqualTo("next [n3=[c]]");
    }

    @Test
    void whoHasBeenToldOfNodesIsAskedOfVictimsNext() {
        with(
                "{urlPrefix: http://x, filterVerb: filter, preemptVerb: preempt, nodeCacheCapable: true,"
                        + " managedResources: [{name: l/l, ignoredByScheduler: true}]}",
                "");
        put(PodBuilder.pod("small").uid("small").nodeName("n1").build(), b, c, urgent);
        answer(new Answer.Advised(
                new ExtenderAdvice(Set.of(), Map.of("n1", Status.unschedulable("no license")), Map.of())));

        assertThat(asked()).as("on n1 nobody is in the way").containsExactly("urgent [n2=[b], n3=[c]]");
        leave(from("n3", c));
        assertThat(given(Command.AskOfNodes.class)).as("not anew").hasSize(1);
        assertThat(evicted()).containsExactly("c");
        scheduler.handle(new CommandResult.Evicted(c));
        scheduler.handle(new ClusterEvent.Put(
                PodBuilder.from(urgent).nominatedNodeName("n3").build()));
        scheduler.handle(new ClusterEvent.Removed(c));
        now += TimeUnit.MINUTES.toNanos(1);
        scheduler.tick();
        takeTurns();
        assertThat(given(Command.AskOfNodes.class).getLast().nodes())
                .extracting(Node::name)
                .containsExactly("n3");
    }
}
