package io.evenkeel.tools.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.FeatureGates;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.rotation.Rotated;
import io.evenkeel.rotation.Rotation;
import io.evenkeel.tools.output.Output;
import io.evenkeel.tools.replay.Replay.StepAudit;
import io.evenkeel.tools.why.AnswerSchema;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is said to help does: whoever makes the changes to the scenario as JSON and replays it sees the pod go where it was
 * said to. What is called the smallest is: without one of the changes, or with a smaller one, the pod still waits.
 *
 * <p>{@code -Dwhy.scenarios=N} and {@code -Dwhy.policies=N} ask about more random scenarios; what was found is told by kind.
 */
@Rotated(3)
class RemedyTest {
    private static final int SCENARIOS = Integer.getInteger("why.scenarios", 10);
    private static final int POLICIES = Integer.getInteger("why.policies", 15);
    /** Of each corpus. */
    private static final int PARTS = 10;

    private static final Map<String, Integer> REMEDIES_BY_KIND = new TreeMap<>();
    private static int waiting;

    @AfterAll
    static void tellKinds() {
        if (System.getProperty("why.scenarios") != null) {
            System.out.println("remedies by kind: " + REMEDIES_BY_KIND + ", pods that wait: " + waiting);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"seeds", "spread-hard", "node-affinity", "ports", "pod-affinity", "mixed"})
    void whatIsSaidToHelpDoes(String theme) throws IOException {
        List<String> lines = Corpora.lines(theme);
        int remedies = 0;
        for (int at = 0; at < lines.size(); at++) {
            remedies += Rotation.plays(at, PARTS) ? check(lines.get(at)) : 0;
        }
        // and until there is one
        for (int at = 0; at < lines.size() && remedies == 0; at++) {
            remedies += check(lines.get(at));
        }
        assertThat(remedies).isPositive();
    }

    @Test
    void whatIsSaidToHelpDoesWhateverIsInTheWay() throws IOException {
        RandomScenarios scenarios = new RandomScenarios(17);
        int remedies = 0;
        for (int number = 0; number < SCENARIOS; number++) {
            remedies += check(scenarios.next(number));
        }
        assertThat(remedies).isGreaterThan(SCENARIOS);
    }

    @Test
    void whatIsSaidToHelpPodsOfPoliciesDoes() throws IOException {
        RandomPolicies scenarios = new RandomPolicies(18);
        int before = REMEDIES_BY_KIND.getOrDefault("policy", 0);
        for (int number = 0; number < POLICIES; number++) {
            check(scenarios.next(number));
        }
        assertThat(REMEDIES_BY_KIND.getOrDefault("policy", 0) - before).isGreaterThan(POLICIES);
    }

    /** By one container or several, beside init containers and sidecars. */
    @Test
    void whatIsSaidToBeAskedForTooMuchIs() throws IOException {
        int before = REMEDIES_BY_KIND.getOrDefault("request", 0);
        for (String line : Corpora.lines("resources").subList(0, 15)) {
            check(line);
        }
        assertThat(REMEDIES_BY_KIND.getOrDefault("request", 0) - before).isGreaterThan(3);
    }

    /** How many remedies there are. */
    private static int check(String scenario) throws IOException {
        int remedies = 0;
        for (String answer :
                run(Replay.asking(InTreePlugins.registry(), FeatureGates.DEFAULTS, Output.JSON.within(80)), scenario)) {
            Map<String, Object> answered = JsonTree.object(answer);
            waiting++;
            countsAreTheMessages(answered);
            assertThat(AnswerSchema.problems(answer)).as(answer).isEmpty();
            String pod = (String) answered.get("pod");
            for (Object each : JsonEdits.list(answered, "remedies")) {
                Map<String, Object> remedy = JsonEdits.map(each);
                List<Object> changes = JsonEdits.list(remedy, "changes");
                String what = answered.get("scenario") + ", " + pod + ": " + remedy.get("text");
                assertThat(nodeOf(pod, scenario, changes)).as(what).contains((String) remedy.get("node"));
                if (remedy.get("smallest").equals(true)) {
                    for (List<Object> less : Smaller.than(changes)) {
                        assertThat(nodeOf(pod, scenario, less))
                                .as("%s, but with %s", what, less)
                                .isEmpty();
                    }
                }
                REMEDIES_BY_KIND.merge((String) remedy.get("kind"), 1, Integer::sum);
                remedies++;
            }
        }
        return remedies;
    }

    /** The funnel says of how many nodes what the reference's message says of so many. */
    private static void countsAreTheMessages(Map<String, Object> answer) {
        Map<String, Object> funnel = JsonEdits.map(answer.get("funnel"));
        if (!funnel.containsKey("preFilter") && !funnel.get("nodes").equals(0L)) {
            Map<String, Long> counts = new TreeMap<>();
            for (Object step : JsonEdits.list(funnel, "steps")) {
                JsonEdits.map(JsonEdits.map(step).get("reasons"))
                        .forEach((reason, nodes) -> counts.merge(reason, (Long) nodes, Long::sum));
            }
            String counted = counts.entrySet().stream()
                    .map(reason -> reason.getValue() + " " + reason.getKey())
                    .sorted()
                    .collect(Collectors.joining(", "));
            assertThat((String) answer.get("message"))
                    .startsWith("0/" + funnel.get("nodes") + " nodes are available: " + counted + ".");
        }
    }

    /** Where the pod goes in the scenario as it is after these changes. */
    private static Optional<String> nodeOf(String pod, String scenario, List<Object> changes) throws IOException {
        String changed = JsonTree.text(JsonEdits.applied(scenario, changes));
        String answer = run(
                        Replay.placing(
                                InTreePlugins.registry(),
                                StepAudit.NONE,
                                FeatureGates.DEFAULTS,
                                Output.JSON.within(80)),
                        changed)
                .getFirst();
        return JsonEdits.list(JsonTree.object(answer), "steps").stream()
                .map(JsonEdits::map)
                .filter(step -> step.get("pod").equals(pod))
                .reduce((_, last) -> last)
                .map(step -> (String) step.get("node"));
    }

    private static List<String> run(Replay replay, String scenario) {
        StringWriter out = new StringWriter();
        List<String> problems = new ArrayList<>();
        ScenarioSource source =
                ScenarioSource.standardInput(new ByteArrayInputStream(scenario.getBytes(StandardCharsets.UTF_8)));
        boolean all = replay.run(source, new PrintWriter(out), problems::add);
        assertThat(all).as("%s of %s", problems, scenario).isTrue();
        return out.toString().lines().toList();
    }
}
