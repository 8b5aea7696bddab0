package io.evenkeel.tools.why;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.build.ContainerBuilder;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.tools.output.Layout;
import io.evenkeel.tools.output.Output;
import io.evenkeel.tools.why.ClusterQuestions.Judgement;
import io.evenkeel.whatif.why.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Where a list is cut, it is said by how much. */
class CutListsTest {
    private final ClusterQuestions questions =
            new ClusterQuestions(UsualProfiles.CONFIGURATION, InTreePlugins.registry(), Judgement.OWN, (_, _) -> {});

    /** 20 nodes of two cpus: one has a pod of its own, all others would do for that too. */
    @BeforeEach
    void tell() {
        List<KubernetesObject> objects = new ArrayList<>();
        for (int i = 10; i < 30; i++) {
            objects.add(NodeBuilder.node("n" + i)
                    .hostname("n" + i)
                    .allocatable("cpu", "2", "memory", "8Gi", "pods", "10")
                    .build());
        }
        for (int i = 0; i < 6; i++) {
            objects.add(pod("big-" + i, 3, "").build());
        }
        objects.add(pod("small", 1, "n10").build());
        questions.tell(objects);
    }

    private static PodBuilder pod(String name, int cpu, String node) {
        return PodBuilder.pod(name)
                .uid(name)
                .schedulerName("default-scheduler")
                .container(ContainerBuilder.container("c")
                        .requests("cpu", String.valueOf(cpu))
                        .build())
                .nodeName(node);
    }

    private static String text(Output output, PodReport report) throws IOException {
        return output.of(report, Layout.of(200));
    }

    private PodReport about(String pod) {
        return questions.about("default/" + pod, Requester.OPERATOR).orElseThrow();
    }

    @Test
    void theNearestNodesAreCounted() throws IOException {
        assertThat(text(Output.WIDE, about("big-0")))
                .containsPattern("The nearest nodes\n(  n.*\n){10}  and 10 more\n");
    }

    @Test
    void theOtherNodesOfAPodInPlaceAreCounted() throws IOException {
        assertThat(text(Output.WIDE, about("small"))).containsPattern("20 would do now\n\n(  n.*\n){4}  and 16 more\n");
    }

    @Test
    void podsAlikeAreCounted() throws IOException {
        PodReport all =
                questions.allThatWait(Optional.empty(), Requester.OPERATOR).getFirst();

        assertThat(text(Output.TEXT, all)).startsWith("default/big-0, default/big-1, default/big-2 and 3 more wait: ");
    }

    @Test
    void remediesAreCounted() throws IOException {
        Answer all = ((PodReport.State.Waits) about("big-0").state()).answer();
        Answer cut = new Answer(
                all.pod(), all.funnel(), all.rules(), all.nearest(), all.remedies(), 3, all.inVain(), all.awaited());

        assertThat(text(Output.WIDE, PodReport.of("", cut.pod().key(), new PodReport.State.Waits("", cut))))
                .containsPattern("→ goes to .*\n  and 3 more\n");
        assertThat(text(Output.JSON, PodReport.of("", cut.pod().key(), new PodReport.State.Waits("", cut))))
                .contains("\"moreRemedies\":3");
        assertThat(text(Output.JSON, about("big-0"))).doesNotContain("moreRemedies");
    }
}
