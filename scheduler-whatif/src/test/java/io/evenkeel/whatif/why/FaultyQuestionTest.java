package io.evenkeel.whatif.why;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.FilterPlugin;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.ClusterDump;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.framework.run.PluginFailure;
import io.evenkeel.framework.why.Account;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.Change.NodeAdded;
import io.evenkeel.framework.why.Change.PodGone;
import io.evenkeel.framework.why.ExplainingPlugin;
import io.evenkeel.framework.why.PodChange.MaxSkew;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.whatif.why.PodQuestions.Trial;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Questions that end in the midst, by a plugin's bug or as nobody wants the answer: the cluster is as it was. */
class FaultyQuestionTest {
    private static final int NEVER = Integer.MAX_VALUE;

    private final Faulty faulty = new Faulty();
    private final List<String> told = new ArrayList<>();
    private final Engine engine = new Engine(
            SchedulerConfiguration.defaults(),
            InTreePlugins.registry().withInEveryProfile(PluginFactory.of("Faulty", Faulty.class, _ -> faulty)),
            new FirstByName(),
            SchedulingCycle.Scoring.WHEN_NEEDED,
            new SchedulerObserver() {
                @Override
                public void faulted(Pod pod, RuntimeException fault) {
                    if (String.valueOf(fault.getMessage()).contains("Explain")) {
                        told.add(pod.key() + ": " + fault.getMessage());
                    }
                }
            });
    private final PodQuestions questions = new PodQuestions(engine);
    private final Pod there = PodBuilder.pod("there")
            .uid("there")
            .container("cpu", "3")
            .nodeName("n1")
            .build();
    private final Pod waits = PodBuilder.pod("waits")
            .uid("waits")
            .priority(5)
            .container("cpu", "2")
            .build();

    /** Fails when it is asked the so manieth time, whatever for. */
    private static final class Faulty implements FilterPlugin, ExplainingPlugin {
        private int left = NEVER;
        private boolean failedToExplain;
        private boolean hasHoles;

        @Override
        public String name() {
            return "Faulty";
        }

        private void asked(boolean toExplain) {
            if (--left == 0) {
                failedToExplain = toExplain;
                throw new IllegalStateException("bug");
            }
        }

        @Override
        public Status filter(CycleState state, PendingPod pod, NodeInfo node) {
            asked(false);
            return node.name().equals("n2") ? Status.unschedulable("not here") : Status.SUCCESS;
        }

        @Override
        public List<Account> accounts(PodInfo pod) {
            asked(true);
            return hasHoles ? Arrays.asList(new Account.Words("counted"), null) : List.of(new Account.Words("counted"));
        }

        @Override
        public double distance(PodInfo pod, NodeInfo node) {
            asked(true);
            return 1;
        }

        @Override
        public List<List<Change>> remedies(PodInfo pod, NodeInfo node) {
            asked(true);
            return List.of(
                    List.of(new NodeAdded(NodeBuilder.like(node.node(), "n9").build(), node.name(), "", List.of())));
        }
    }

    @BeforeEach
    void fill() {
        for (String name : List.of("n1", "n2")) {
            engine.put(NodeBuilder.node(name)
                    .hostname(name)
                    .allocatable("cpu", "4", "memory", "8Gi", "pods", "10")
                    .build());
        }
        engine.put(there);
    }

    /** What is kept of masks and columns may be more than before. */
    private List<String> counted() {
        return ClusterDump.of(engine.cluster())
                .lines()
                .takeWhile(line -> !line.startsWith("column"))
                .toList();
    }

    private static boolean saysThatItFailed(Answer.Rule rule) {
        return rule.account() instanceof Account.Words(var text)
                && text.startsWith("failed as it was to explain itself");
    }

    private Answer why(Trial trial) {
        return questions.why(waits, trial, _ -> true);
    }

    /** Without the verdict there is no answer; whatever else fails costs a part of it. */
    @Test
    void whereverAPluginFailsTheClusterIsAsItWasAndTheNextAnswerIsRight() {
        List<String> before = counted();
        Answer right = why(questions.trial(waits));
        int failed = 0;
        int explained = 0;
        int answered = 0;
        for (int call = 1; ; call++) {
            faulty.left = call;
            faulty.failedToExplain = false;
            try {
                Answer answer = why(questions.trial(waits));
                if (faulty.left > 0) {
                    break;
                }
                assertThat(answer.funnel()).isEqualTo(right.funnel());
                assertThat(answer.rules().stream().filter(FaultyQuestionTest::saysThatItFailed))
                        .extracting(Answer.Rule::plugin)
                        .isEqualTo(faulty.failedToExplain ? List.of("Faulty") : List.of());
                assertThat(told)
                        .isEqualTo(
                                faulty.failedToExplain
                                        ? List.of("default/waits: running Explain plugin \"Faulty\": bug")
                                        : List.of());
                explained += told.size();
                told.clear();
                answered++;
            } catch (PluginFailure named) {
                assertThat(named).hasMessageContaining("\"Faulty\"").hasMessageContaining("bug");
                failed++;
            }
            assertThat(counted()).isEqualTo(before);
            assertThat(ClusterAudit.differences(engine.cluster())).isEmpty();
        }
        faulty.left = NEVER;

        assertThat(failed).as("the verdict").isBetween(1, 5);
        assertThat(explained).as("an explanation").isGreaterThan(3);
        assertThat(answered)
                .as("a change is tried in vain, or a node is further away")
                .isGreaterThan(20);
        assertThat(why(questions.trial(waits))).isEqualTo(right);
    }

    /** As of one that throws, though it answers. */
    @Test
    void aListWithNothingInThePlaceOfSomethingCostsThePluginsPartAlone() {
        faulty.hasHoles = true;

        Answer answer = why(questions.trial(waits));

        assertThat(answer.rules().stream().filter(FaultyQuestionTest::saysThatItFailed))
                .extracting(Answer.Rule::plugin)
                .containsExactly("Faulty");
        assertThat(answer.rules()).extracting(Answer.Rule::plugin).contains("NodeResourcesFit");
        assertThat(told).hasSize(1).allMatch(line -> line.contains("running Explain plugin \"Faulty\""));
    }

    @Test
    void whereverAnAnswerIsGivenUpTheClusterIsAsItWas() {
        List<String> before = counted();
        Trial trial = questions.trial(waits);
        int[] left = new int[1];
        why(changes -> {
            left[0]++;
            return trial.nodeWith(changes);
        });
        int trials = left[0];
        assertThat(trials).isGreaterThan(3);
        for (int last = 1; last <= trials; last++) {
            left[0] = last;

            assertThatThrownBy(() -> why(changes -> {
                        if (--left[0] == 0) {
                            throw new UnsupportedOperationException("given up");
                        }
                        return trial.nodeWith(changes);
                    }))
                    .hasMessage("given up");

            assertThat(counted()).isEqualTo(before);
            assertThat(ClusterAudit.differences(engine.cluster())).isEmpty();
        }
    }

    @Test
    void aChangeThatCannotBeMadeLeavesNoneOfThoseBefore() {
        List<String> before = counted();
        List<Change> changes = List.of(new PodGone(there, "n1"), new MaxSkew(7, "zone", 1, 2));

        assertThatThrownBy(() -> questions.trial(waits).nodeWith(changes))
                .isInstanceOf(IndexOutOfBoundsException.class);

        assertThat(counted()).isEqualTo(before);
        assertThat(ClusterAudit.differences(engine.cluster())).isEmpty();
    }
}
