package io.evenkeel.plugins.preemption;

import static io.evenkeel.model.build.PodBuilder.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.plugins.PluginHarness;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A tenant whose pods are of ever new shapes and priorities. */
class KeptAnswersTest {
    private final PluginHarness harness = PluginHarness.cluster();
    private final ClusterView cluster = harness.state().view();
    private final KeptAnswers kept = new KeptAnswers(cluster, cluster.index(EvictionIndex.class, EvictionIndex::new));

    @Test
    void theyAreBoundedAndWhoComesOftenKeepsTheirs() {
        Answers own = answers("1", 7);
        for (int i = 0; i < 5_000; i++) {
            answers(i % 40 + "m", i);
            assertThat(answers("1", 7)).as("%d others later", i).isSameAs(own);
        }

        assertThat(kept.size()).isEqualTo(1_024);
    }

    @Test
    void theyGoWithTheirShape() {
        for (int i = 0; i < 1_000; i++) {
            answers(i + "m", 7);
        }

        assertThat(kept.size())
                .isEqualTo(cluster.shapes().shapes().all().size())
                .isLessThan(1_000);
    }

    private Answers answers(String cpu, int priority) {
        PodInfo info = harness.state()
                .admit(pod("p").priority(priority).container("cpu", cpu).build());
        try {
            return kept.of(info, List.of());
        } finally {
            harness.state().dismiss(info);
        }
    }
}
