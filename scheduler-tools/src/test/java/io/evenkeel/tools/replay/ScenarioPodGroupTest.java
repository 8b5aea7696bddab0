package io.evenkeel.tools.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.FeatureGates;
import io.evenkeel.model.CoschedulingPodGroup;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PodGroup;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.tools.output.Output;
import io.evenkeel.tools.replay.Replay.StepAudit;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** A scenario's objects may be groups of either kind, which are no namesakes of each other. */
class ScenarioPodGroupTest {
    private static final String LINE = """
        {"objects":[
          {"kind":"PodGroup","metadata":{"name":"g"},"spec":{"minMember":2},"apiVersion":"scheduling.x-k8s.io/v1alpha1"},
          {"apiVersion":"scheduling.k8s.io/v1beta1","kind":"PodGroup","metadata":{"name":"g"},
           "spec":{"schedulingPolicy":{"gang":{"minCount":3}}%s}}],
         "pods":[{"metadata":{"name":"p"},"spec":{"schedulingGroup":{"podGroupName":"g"}}}]}\
        """;

    @Test
    void bothKindsAreRead() throws IOException {
        Scenario scenario = new ScenarioReader(Kinds.IN_TREE).read(LINE.formatted(""));
        ObjectMeta meta = ObjectMeta.named("default", "g");

        assertThat(scenario.objects())
                .containsExactly(
                        new CoschedulingPodGroup(meta, 2),
                        new PodGroup(meta, OptionalInt.of(3), Optional.empty(), PodGroup.DISRUPTED_BY_POD, List.of()));
        assertThat(scenario.pods().getFirst().spec().podGroupName()).isEqualTo("g");
        assertThat(remarks("")).isEmpty();
    }

    @Test
    void aFieldThatOnlyTheOtherKindHasIsRemarkedOn() throws IOException {
        assertThat(remarks(",\"minMember\":2")).containsExactly("objects[1].spec.minMember: unknown field");
    }

    @Test
    void thatAGangIsNotPlacedTogetherIsSaidWhereTheScenarioDoesNotSayHow() {
        String gangs = """
            ,"config":{"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration",
              "profiles":[{"plugins":{"multiPoint":{"enabled":[{"name":"GangScheduling"}]}}}]}}\
            """;
        String line = LINE.formatted("").strip();
        String enabled = line.substring(0, line.length() - 1) + gangs;
        String together = line.substring(0, line.length() - 1) + ",\"group\":\"gang\"" + gangs;

        assertThat(problems(line)).isEmpty();
        assertThat(problems(together)).isEmpty();
        assertThat(problems(enabled))
                .singleElement()
                .asString()
                .endsWith("pods[0]: pod group default/g has no effect, as the scenario has no \"group\": its pods are"
                        + " decided one by one");
    }

    private static List<String> problems(String line) {
        List<String> problems = new ArrayList<>();
        Replay.placing(InTreePlugins.registry(), StepAudit.EACH, FeatureGates.DEFAULTS, Output.JSON.within(80))
                .run(
                        ScenarioSource.standardInput(
                                new ByteArrayInputStream(line.replace("\n", "").getBytes(StandardCharsets.UTF_8))),
                        new PrintWriter(new StringWriter()),
                        problems::add);
        return problems;
    }

    private static List<String> remarks(String more) throws IOException {
        List<String> said = new ArrayList<>();
        ScenarioRemarks remarks = new ScenarioRemarks();
        remarks.of(LINE.formatted(more), Kinds.IN_TREE, said::add);
        remarks.ofNamesakes(new ScenarioReader(Kinds.IN_TREE).read(LINE.formatted(more)), said::add);
        return said;
    }
}
