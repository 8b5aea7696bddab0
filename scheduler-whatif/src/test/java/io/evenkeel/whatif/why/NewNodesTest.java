package io.evenkeel.whatif.why;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.framework.why.Change.NodeAdded;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.whatif.why.RemedySearch.NewNodes;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Nodes that are tried have names that nothing in the cluster has. */
class NewNodesTest {
    private final Engine engine = new Engine(
            SchedulerConfiguration.defaults(),
            InTreePlugins.registry(),
            new FirstByName(),
            SchedulingCycle.Scoring.WHEN_NEEDED);

    /** A node put in the place of another would take its pods over, and be called one more. */
    @Test
    void severalAlikeTakeTheNameOfNoNodeThatThereIs() {
        engine.put(NodeBuilder.node("n1").allocatable("cpu", "4").build());
        engine.put(NodeBuilder.node("n1-copy-2").allocatable("cpu", "9").build());
        NewNodes nodes = new NewNodes(engine.cluster());
        NodeAdded one = nodes.alike().getFirst();

        List<String> names = nodes.several(one).stream()
                .map(change -> ((NodeAdded) change).node().name())
                .toList();

        assertThat(names)
                .containsExactly(
                        "n1-copy",
                        "n1-copy-3",
                        "n1-copy-4",
                        "n1-copy-5",
                        "n1-copy-6",
                        "n1-copy-7",
                        "n1-copy-8",
                        "n1-copy-9");
    }

    @Test
    void noneTakesTheNameOfANodeThatPodsWaitFor() {
        engine.put(NodeBuilder.node("n1").allocatable("cpu", "4").build());
        engine.put(PodBuilder.pod("left").uid("left").nodeName("n1-copy").build());

        assertThat(new NewNodes(engine.cluster()).alike().getFirst().node().name())
                .isEqualTo("n1-copy-copy");
    }
}
