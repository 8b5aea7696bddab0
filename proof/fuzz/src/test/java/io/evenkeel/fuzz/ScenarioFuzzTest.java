package io.evenkeel.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.gson.JsonParser;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.tools.output.Output;
import io.evenkeel.tools.replay.Replay;
import io.evenkeel.tools.replay.Replay.StepAudit;
import io.evenkeel.tools.replay.ScenarioSource;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Each line is answered in one of JSON, or has one that says what is wrong with it; and the counts are right after each pod. */
class ScenarioFuzzTest {
    private static final int LONGEST_PROBLEM = 2_000;
    private static final byte GZIP = 0x1f;
    private static final Pattern WARNING = Pattern.compile("standard input:[0-9]+: warning: ");

    @FuzzTest
    @DictionaryEntries({
        "objects",
        "pods",
        "metadata",
        "labels",
        "spec",
        "containers",
        "requests",
        "topologySpreadConstraints",
        "affinity",
        "tolerations",
        "nodeName",
        "config",
        "kind",
        "\\x0a"
    })
    void everyLineHasItsAnswerOrItsProblem(byte[] bytes) throws Throwable {
        if (bytes.length > 0 && bytes[0] == GZIP) {
            return;
        }
        Cost.isAtMost(200_000, bytes.length, () -> check(bytes));
    }

    private static void check(byte[] bytes) {
        StringWriter answers = new StringWriter();
        List<String> problems = new ArrayList<>();
        boolean all = Replay.placing(
                        InTreePlugins.registry(), StepAudit.EACH, FeatureGates.DEFAULTS, Output.JSON.within(80))
                .run(
                        ScenarioSource.standardInput(new ByteArrayInputStream(bytes)),
                        new PrintWriter(answers),
                        problems::add);

        assertThat(problems).allSatisfy(problem -> {
            assertThat(problem)
                    .matches("(?s)standard input:([0-9]+:)? .*")
                    .doesNotContain("fault of the replay", "java.");
            assertThat(problem.lines()).hasSize(1);
            assertThat(problem).hasSizeLessThan(LONGEST_PROBLEM);
        });
        assertThat(problems.stream()
                        .anyMatch(problem -> !WARNING.matcher(problem).lookingAt()))
                .isNotEqualTo(all);
        assertThat(answers.toString().lines())
                .allSatisfy(line ->
                        assertThat(JsonParser.parseString(line).isJsonObject()).isTrue());
    }
}
