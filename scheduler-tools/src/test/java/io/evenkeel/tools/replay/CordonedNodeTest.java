package io.evenkeel.tools.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.FeatureGates;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.tools.output.Output;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** A node that is cordoned in a real cluster has the field and the taint, and loses both when it is uncordoned. */
class CordonedNodeTest {
    private static final String TAINT = """
        {"key":"node.kubernetes.io/unschedulable","effect":"NoSchedule"}\
        """;

    @Test
    void theTaintGoesWithTheField() {
        String answer = why(TAINT);

        assertThat(answer).contains("""
            {"kind":"uncordon","text":"node n1 uncordoned","smallest":true,"changes":[{"object":"Node/n1","patch":[\
            {"op":"remove","path":"/spec/unschedulable"},{"op":"remove","path":"/spec/taints/0"}]}],"node":"n1",\
            "command":"kubectl uncordon n1"}\
            """);
    }

    @Test
    void anotherTaintStays() {
        String answer = why("""
            {"key":"dedicated","value":"db","effect":"NoSchedule"},\
            {"key":"node.kubernetes.io/unschedulable","effect":"NoExecute"},\
            """ + TAINT);

        assertThat(answer)
                .contains("node n1 uncordoned, and node n1 without taint dedicated=db:NoSchedule, and node n1 without"
                        + " taint node.kubernetes.io/unschedulable:NoExecute")
                .contains("""
                    [{"op":"remove","path":"/spec/unschedulable"},{"op":"remove","path":"/spec/taints/2"},\
                    {"op":"remove","path":"/spec/taints/0"},{"op":"remove","path":"/spec/taints/0"}]\
                    """);
    }

    /** What is taken away alone comes back for as long as the node is cordoned. */
    @Test
    void theTaintDoesNotGoAlone() {
        String answer = why(TAINT, """
            "config":{"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration","profiles":[{"plugins":\
            {"multiPoint":{"disabled":[{"name":"NodeUnschedulable"}]}}}]},\
            """);

        assertThat(answer).contains("\"kind\":\"uncordon\"").doesNotContain("\"kind\":\"taint\"");
    }

    /** It would bring the pod to a node that somebody is about to empty. */
    @Test
    void noPodIsToTolerateACordon() {
        assertThat(why(TAINT)).contains("\"lacks\":[\"node n1 uncordoned\"]").doesNotContain("toleration of");
        assertThat(why(TAINT + """
            ,{"key":"dedicated","value":"db","effect":"NoSchedule"}\
            """))
                .contains("node n1 uncordoned, and toleration of taint dedicated=db:NoSchedule")
                .doesNotContain("toleration of taint node.kubernetes.io");
    }

    @Test
    void aTaintThatACordonHasLeftBehindIsTakenAway() {
        assertThat(whyOf("", "", TAINT))
                .contains("node n1 without taint node.kubernetes.io/unschedulable:NoSchedule")
                .doesNotContain("toleration of");
    }

    private static String why(String taints) {
        return why(taints, "");
    }

    private static String why(String taints, String configuration) {
        return whyOf(configuration, """
            "unschedulable":true,\
            """, taints);
    }

    private static String whyOf(String configuration, String cordon, String taints) {
        String scenario = """
            {"name":"cordoned",%s"objects":[{"kind":"Node","metadata":{"name":"n1"},"spec":{%s\
            "taints":[%s]},"status":{"allocatable":{"cpu":"4","memory":"8Gi","pods":"10"}}}],\
            "pods":[{"metadata":{"name":"web"},"spec":{"containers":[{"name":"c"}]}}]}\
            """.formatted(configuration, cordon, taints);
        StringWriter out = new StringWriter();
        boolean all = Replay.asking(InTreePlugins.registry(), FeatureGates.DEFAULTS, Output.JSON.within(80))
                .run(
                        ScenarioSource.standardInput(
                                new ByteArrayInputStream(scenario.getBytes(StandardCharsets.UTF_8))),
                        new PrintWriter(out),
                        problem -> assertThat(problem).isEmpty());
        assertThat(all).isTrue();
        return out.toString();
    }
}
