package io.evenkeel.engine.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.FilterPlugin;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.QueueSortPlugin;
import io.evenkeel.api.QueuedPod;
import io.evenkeel.api.ScorePlugin;
import io.evenkeel.api.StateKey;
import io.evenkeel.api.Status;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.SchedulingCycle.Scoring;
import io.evenkeel.engine.decision.Survey.Assessment;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A pod may run on the nodes that have a score, and the best of these is wanted. */
class SchedulingCycleTest {
    private final Map<String, Long> scores = new TreeMap<>();
    private final Pod pod = PodBuilder.pod("p").build();
    private int scored;
    private CycleState judgedIn = new CycleState();

    @ParameterizedTest
    @CsvSource({"n1:1 n2:9 n3:5, n2", "n1:9 n2:9 n3:5, n1", "n3:0, n3"})
    void theBestNodeIsTaken(String drawn, String expected) {
        assertThat(chosen(engine(Scoring.WHEN_NEEDED, drawn, 0, "null"), pod)).isEqualTo(expected);
    }

    @Test
    void ofOneNodeTheScoreIsOnlyAskedWhereAllAnswersAreWanted() {
        chosen(engine(Scoring.WHEN_NEEDED, "n1:9", 0, "null"), pod);
        assertThat(scored).isZero();
        chosen(engine(Scoring.ALWAYS, "n1:9", 0, "null"), pod);
        assertThat(scored).isOne();
        chosen(engine(Scoring.WHEN_NEEDED, "n1:9 n2:9", 0, "null"), pod);
        assertThat(scored).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({"n1, n1", "n9, n2", "'', n2"})
    void theNominatedNodeIsTakenWhereItFits(String nominated, String expected) {
        Engine engine = engine(Scoring.WHEN_NEEDED, "n1:1 n2:9", 0, "null");
        engine.put(NodeBuilder.node("n9").build());

        assertThat(chosen(
                        engine,
                        PodBuilder.from(pod).nominatedNodeName(nominated).build()))
                .isEqualTo(expected);
    }

    @Test
    void answersInFullAreOfTheBestNodeWhateverIsNominated() {
        Engine engine = engine(Scoring.ALWAYS, "n1:1 n2:9", 0, "null");

        assertThat(chosen(engine, PodBuilder.from(pod).nominatedNodeName("n1").build()))
                .isEqualTo("n2");
    }

    @ParameterizedTest
    @CsvSource({"0, null, 200", "60, null, 120", "60, 70, 140", "0, 80, 160", "60, 0, 200"})
    void theProfilesShareOfNodesGoesBeforeThatOfAll(int ofAll, String ofProfile, int expected) {
        chosen(engine(Scoring.WHEN_NEEDED, many(200), ofAll, ofProfile), pod);

        assertThat(scored).isEqualTo(expected);
    }

    @Test
    void answersInFullAreOfAllNodes() {
        chosen(engine(Scoring.ALWAYS, many(200), 60, "null"), pod);

        assertThat(scored).isEqualTo(200);
    }

    @Test
    void aNodeIsJudgedAsIfOthersWereNowhere() {
        Engine engine = engine(Scoring.WHEN_NEEDED, "n1:1 n2:9", 0, "null");
        Pod other = PodBuilder.pod("other").nodeName("n2").build();
        engine.put(other);

        assertThat(engine.assess(pod, "n1", List.of())).isEqualTo(new Assessment.Fits(1, 1));
        assertThat(engine.assess(pod, "n2", List.of())).isEqualTo(new Assessment.Rejected("node(s) are taken"));
        assertThat(engine.assess(pod, "n1", List.of(other))).isEqualTo(new Assessment.Fits(1, 9));
        assertThat(engine.assess(pod, "n2", List.of(other))).isEqualTo(new Assessment.Fits(9, 9));
        assertThat(engine.assess(pod, "n3", List.of())).isEqualTo(new Assessment.Rejected("the node is not known"));
        assertThat(engine.cluster().pods().count()).as("nothing of it is left").isOne();

        engine.remove(NodeBuilder.node("n1").build());
        assertThat(engine.assess(pod, "n1", List.of())).isEqualTo(new Assessment.Rejected("the node is not known"));
    }

    @Test
    void onlyTheBestIsBest() {
        assertThat(new Assessment.Fits(9, 9).isBest()).isTrue();
        assertThat(new Assessment.Fits(1, 9).isBest()).isFalse();
    }

    /** Else what is gone is kept until the next pod of the profile comes. */
    @Test
    void ofAPodThatIsDecidedNothingIsKept() {
        Engine engine = engine(Scoring.WHEN_NEEDED, "n1:1", 0, "null");
        Decision.Placed placed = (Decision.Placed) engine.decide(pod);
        assertThat(judgedIn.find(Scores.JUDGED)).contains(pod.key());
        engine.assume(pod, placed);
        assertThat(judgedIn.find(Scores.JUDGED)).isEmpty();

        assertThat(engine.decide(PodBuilder.pod("other").build())).isInstanceOf(Decision.Unschedulable.class);
        assertThat(judgedIn.find(Scores.JUDGED)).isEmpty();
    }

    private Engine engine(Scoring scoring, String drawn, int percentageOfAll, String percentage) {
        scores.clear();
        String configuration = """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            percentageOfNodesToScore: %d
            profiles:
            - percentageOfNodesToScore: %s
              plugins:
                multiPoint:
                  disabled: [{name: "*"}]
                  enabled: [{name: Scores}, {name: DefaultBinder}]
            """.formatted(percentageOfAll, percentage);
        Engine engine = new Engine(
                new ConfigurationReader().read("test", configuration),
                new PluginRegistry(List.of(PluginFactory.of("Scores", Scores.class, context -> new Scores()))),
                new FirstByName(),
                scoring);
        for (String node : drawn.split(" ", -1)) {
            String[] nameAndScore = node.split(":", -1);
            scores.put(nameAndScore[0], Long.valueOf(nameAndScore[1]));
            engine.put(NodeBuilder.node(nameAndScore[0]).build());
        }
        return engine;
    }

    private static String many(int nodes) {
        StringBuilder drawn = new StringBuilder();
        for (int node = 0; node < nodes; node++) {
            drawn.append(" n").append(1000 + node).append(":0");
        }
        return drawn.substring(1);
    }

    private static String chosen(Engine engine, Pod newcomer) {
        Decision.Placed placed = (Decision.Placed) engine.decide(newcomer);
        return engine.cluster().nodes().name(placed.node());
    }

    /** Lets a node that has a score take one pod. */
    private final class Scores implements QueueSortPlugin, FilterPlugin, ScorePlugin {
        private static final StateKey<String> JUDGED = new StateKey<>("the pod's key", String.class);

        @Override
        public String name() {
            return "Scores";
        }

        @Override
        public int compare(QueuedPod one, QueuedPod other) {
            return Long.compare(one.queuedAtNanos(), other.queuedAtNanos());
        }

        @Override
        public Status filter(CycleState state, PendingPod newcomer, NodeInfo node) {
            judgedIn = state;
            state.put(JUDGED, newcomer.pod().key());
            if (!scores.containsKey(node.name())) {
                return Status.unschedulable("node(s) have no score");
            }
            return node.podCount() == 0 ? Status.SUCCESS : Status.unschedulable("node(s) are taken");
        }

        @Override
        public long score(CycleState state, PendingPod newcomer, NodeInfo node) {
            scored++;
            return scores.get(node.name());
        }
    }
}
