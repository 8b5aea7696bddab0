package io.evenkeel.tools.why;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.app.cli.Typed;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Taint;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.Toleration;
import io.evenkeel.model.build.ContainerBuilder;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.tools.why.ClusterQuestions.Judgement;
import io.evenkeel.tools.why.PodReport.State;
import io.evenkeel.tools.why.Supposition.SuppositionException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SuppositionTest {
    private static final String ZONE = "topology.kubernetes.io/zone";

    private final ClusterQuestions questions =
            new ClusterQuestions(UsualProfiles.CONFIGURATION, InTreePlugins.registry(), Judgement.OWN, (_, _) -> {});

    /** Zone a has a pod of web more than b and c; what there is in b is tainted, in c cordoned or full. */
    SuppositionTest() {
        questions.tell(List.<KubernetesObject>of(
                node("n-a", "a", 4).build(),
                node("n-b", "b", 4)
                        .taint("dedicated", "db", TaintEffect.NO_SCHEDULE)
                        .build(),
                node("n-c", "c", 4).unschedulable(true).taint(Taint.CORDON).build(),
                node("m-c", "c", 2).build(),
                pod("web-0", "web", 1, "n-a").build(),
                pod("rest", "rest", 2, "m-c").build(),
                node("n-d", "d", 0).taint("rack", "", TaintEffect.NO_SCHEDULE).build(),
                spread(pod("web-1", "web", 1, ""))
                        .toleration(new Toleration(
                                "rack", Toleration.Operator.EXISTS, "", Optional.of(TaintEffect.NO_SCHEDULE)))
                        .build(),
                pod("big", "big", 6, "").build()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        web-1 | maxSkew=2                           | n-a
        web-1 | maxSkew 2 over topology.kubernetes.io/zone | n-a
        web-1 | ScheduleAnyway                      | n-a
        web-1 | toleration dedicated=db:NoSchedule  | n-b
        web-1 | without taint dedicated on n-b      | n-b
        web-1 | uncordon n-c                        | n-c
        web-1 | toleration node.kubernetes.io/unschedulable:NoSchedule | n-c
        web-1 | without pod rest                    | m-c
        web-1 | without pod default/rest            | m-c
        web-1 | 1 more cpu on m-c                   | m-c
        web-1 | 1000m more cpu on node m-c          | m-c
        web-1 | node c like n-a                     | n-a-copy
        web-1 | node topology.kubernetes.io/zone=c like n-a | n-a-copy
        web-1 | node like n-c                       | n-c-copy
        big   | 2 more cpu on n-a                   |
        big   | 3 more cpu on n-a                   | n-a
        big   | 2 less cpu                          |
        big   | 3000m less cpu                      | n-a
        web-0 | maxSkew=9                           |
        """)
    void isTriedOnTheClusterAsItIs(String pod, String supposed, String node) {
        if (pod.equals("web-0")) {
            assertThatThrownBy(() -> answer(pod, supposed))
                    .hasMessageContaining("changes nothing for pod default/web-0");
        } else if (node == null) {
            assertThat(answer(pod, supposed).state()).isInstanceOf(State.Waits.class);
        } else {
            assertThat(answer(pod, supposed).state()).isEqualTo(new State.Fits(node));
        }
        assertThat(questions
                        .about("default/" + pod, Requester.OPERATOR)
                        .orElseThrow()
                        .state())
                .as("nothing is left of what was supposed")
                .isInstanceOf(pod.equals("web-0") ? State.InPlace.class : State.Waits.class);
    }

    @Test
    void severalAreSupposedTogether() {
        assertThat(answer("big", "6 more cpu on n-b").state()).isInstanceOf(State.Waits.class);
        PodReport both = answer("big", "6 more cpu on n-b", "toleration dedicated=db:NoSchedule");

        assertThat(both.state()).isEqualTo(new State.Fits("n-b"));
        assertThat(both.remarks())
                .extracting(PodReport.Remark::text)
                .contains(
                        "supposed: 6 more cpu on node n-b (10 instead of 4)",
                        "supposed: toleration of taint dedicated=db:NoSchedule");
    }

    @Test
    void aPodInPlaceIsPlacedAnew() {
        assertThat(answer("rest", "uncordon n-c", "4 more cpu on n-c").state()).isEqualTo(new State.Fits("n-c"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        node a like nope               | there is no node nope
        2 more cpu on nope             | there is no node nope
        9E more cpu on n-a             | no node can offer 9E more cpu
        2 more cpuu on n-a             | pod default/web-1 takes no cpuu; what it takes is cpu, memory, pods
        1 less cpu                     | pod default/web-1 cannot ask for 1 less cpu: it asks for 1, of which each container keeps some, and overhead all
        1 less nope                    | pod default/web-1 cannot ask for 1 less nope: it asks for 0, of which each container keeps some, and overhead all
        node = like n-a                | "=" is neither a zone nor a label
        node ☃=% like n-a              | "☃=%" is neither a zone nor a label
        without pod nope               | there is no pod default/nope on a node
        without taint nope on n-b      | node n-b has no taint nope
        9000P more memory on n-a       | no node can offer 9000P more memory
        maxSkew=2 over nope            | pod default/web-1 has no spread constraint over nope that must be kept; it has over topology.kubernetes.io/zone
        minDomains=2 over nope         | pod default/web-1 has no spread constraint over nope that must be kept; it has over topology.kubernetes.io/zone
        maxSkew=1                      | "maxSkew=1" changes nothing for pod default/web-1
        uncordon n-a                   | node n-a is not cordoned
        uncordon nope                  | there is no node nope
        toleration dedicated:NoExecute | no node has a taint dedicated:NoExecute
        toleration dedicated=x:NoSchedule | no node has a taint dedicated=x:NoSchedule
        toleration rack:NoSchedule     | "toleration rack:NoSchedule" changes nothing for pod default/web-1
        without pod web-1              | pod default/web-1 is the one that is asked about, and is taken from its node in any case
        """)
    void whatIsNotThereIsNamed(String supposed, String message) {
        assertThatThrownBy(() -> answer("web-1", supposed))
                .isInstanceOf(SuppositionException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        two more cpu on n-a            | "two" is no quantity of cpu
        -5 more cpu on n-a             | more cpu must be more than 0, got -5
        0 less cpu                     | less cpu must be more than 0, got 0
        x less cpu                     | "x" is no quantity of cpu
        0 more cpu on n                | more cpu must be more than 0, got 0
        toleration a=b:Never           | "Never" is no effect of a taint
        maxSkew=0                      | maxSkew must be from 1 to 2147483647, got 0
        maxSkew=99999999999999999999   | maxSkew must be from 1 to 2147483647, got 99999999999999999999
        minDomains=-1                  | minDomains must be from 1 to 2147483647, got -1
        without pod a/b/c              | expected [NAMESPACE/]NAME of a pod, as in shop/web-6, got "a/b/c"
        minDomains=2147483648          | minDomains must be from 1 to 2147483647, got 2147483648
        """)
    void whatMakesNoSenseIsAMistakeAsItIsTyped(String supposed, String message) {
        assertThatThrownBy(() -> Supposition.parse(supposed))
                .isInstanceOf(SuppositionException.class)
                .hasMessage(message);
        Typed typed = Typed.evenkeel("why", "web-1", "--if", supposed);
        assertThat(typed.exitCode()).isEqualTo(2);
        assertThat(typed.err()).contains(message).hasLineCount(1);
    }

    @Test
    void greatNumbersAreTaken() {
        assertThat(answer("web-1", "maxSkew=2147483647").state()).isEqualTo(new State.Fits("n-a"));
        assertThat(answer("web-1", "minDomains=2147483647").state()).isInstanceOf(State.Waits.class);
        assertThat(answer("big", "1E more memory on n-a").state()).isInstanceOf(State.Waits.class);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        1 more cpu on n-a | 2 more cpu on n-a    | more cpu on n-a is supposed twice, and one would undo the other
        maxSkew=2         | maxSkew=3            | maxSkew is supposed twice, and one would undo the other
        maxSkew=2         | ScheduleAnyway       | maxSkew over topology.kubernetes.io/zone has no effect beside ScheduleAnyway over topology.kubernetes.io/zone
        ScheduleAnyway    | maxSkew=2 over topology.kubernetes.io/zone | maxSkew over topology.kubernetes.io/zone has no effect beside ScheduleAnyway over topology.kubernetes.io/zone
        ScheduleAnyway    | minDomains=2         | minDomains over topology.kubernetes.io/zone has no effect beside ScheduleAnyway over topology.kubernetes.io/zone
        toleration dedicated:NoSchedule | toleration dedicated=db:NoSchedule | "toleration dedicated=db:NoSchedule" changes nothing for pod default/web-1
        """)
    void whatUndoesAnotherIsRefused(String first, String second, String message) {
        assertThatThrownBy(() -> answer("web-1", first, second)).hasMessage(message);
    }

    /** But for nodes, of which two may be alike. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "2 more cpu on n-a",
                "100m less cpu",
                "without pod rest",
                "without taint dedicated on n-b",
                "uncordon n-c",
                "toleration dedicated:NoSchedule",
                "toleration dedicated=db:NoSchedule",
                "maxSkew=2",
                "minDomains=2",
                "ScheduleAnyway"
            })
    void theSameIsSupposedOnce(String supposed) {
        assertThatThrownBy(() -> answer("web-1", supposed, supposed))
                .isInstanceOf(SuppositionException.class)
                .hasMessageContaining("is supposed twice");
    }

    @Test
    void aNodeThatIsSupposedMayBeSpokenOf() {
        assertThat(answer("big", "node like n-a", "2 more cpu on n-a-copy").state())
                .isEqualTo(new State.Fits("n-a-copy"));
        assertThat(answer("big", "2 more cpu on n-a-copy", "node like n-a").state())
                .as("whichever is told first")
                .isEqualTo(new State.Fits("n-a-copy"));
        assertThat(answer("web-1", "node like n-b", "without taint dedicated on n-b-copy")
                        .state())
                .isEqualTo(new State.Fits("n-b-copy"));
    }

    /** A mistake may be as long as a command line, and hold what steers a terminal. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "maxSkew=%s",
                "minDomains=%s",
                "%s more cpu on n-a",
                "%sE more cpu on n-a",
                "2 more %s on n-a",
                "-2 more %s on n-a",
                "%s less cpu",
                "1 less %s",
                "2 more cpu on %s",
                "x more %s on n",
                "node %s= like n-a",
                "node like %s",
                "without pod %s",
                "without taint %s on n-b",
                "without taint dedicated on %s",
                "uncordon %s",
                "toleration a:%s",
                "toleration %s:NoSchedule",
                "maxSkew=2 over %s",
                "ScheduleAnyway over %s",
                "%s"
            })
    void noMistakeIsEchoedWhole(String form) {
        for (String part : List.of("9".repeat(5_000), "\u001b[31mx".repeat(1_000))) {
            assertThatThrownBy(() -> answerTyped(form.formatted(part)))
                    .isInstanceOf(RuntimeException.class)
                    .message()
                    .hasSizeLessThan(700)
                    .doesNotContain("\u001b");
        }
    }

    private PodReport answerTyped(String supposed) {
        Typed typed = Typed.evenkeel("why", "web-1", "--kubeconfig", "/none", "--if", supposed);
        if (typed.exitCode() == 2) {
            throw new SuppositionException(typed.err());
        }
        return answer("web-1", supposed);
    }

    @Test
    void oneMoreNodeDoesNotTakeTheNameOfAnother() {
        questions.follow(new ClusterEvent.Put(
                pod("racked", "racked", 1, "").nodeSelector("rack", "x").build()));

        assertThat(answer("racked", "node rack=x like n-a", "node rack=y like n-a")
                        .state())
                .isEqualTo(new State.Fits("n-a-copy"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "maxSkew",
                "maxSkew=",
                "maxSkew=a",
                "node",
                "without",
                "pod web gone",
                "priority=5",
                "maxSkew=2 over"
            })
    void otherTextIsNone(String text) {
        assertThat(Supposition.parse(text)).isEmpty();
    }

    private PodReport answer(String pod, String... suppositions) {
        return questions
                .supposing(
                        "default/" + pod,
                        Arrays.stream(suppositions)
                                .map(text -> Supposition.parse(text).orElseThrow())
                                .toList(),
                        Requester.OPERATOR)
                .orElseThrow();
    }

    private static NodeBuilder node(String name, String zone, int cpu) {
        return NodeBuilder.node(name).zone(zone).allocatable("cpu", String.valueOf(cpu), "memory", "8Gi", "pods", "10");
    }

    private static PodBuilder pod(String name, String app, int cpu, String node) {
        return PodBuilder.pod(name)
                .uid(name)
                .schedulerName("default-scheduler")
                .label("app", app)
                .container(ContainerBuilder.container("c")
                        .requests("cpu", String.valueOf(cpu))
                        .build())
                .nodeName(node);
    }

    private static PodBuilder spread(PodBuilder pod) {
        return pod.spread(TopologySpreadConstraint.of(
                1, ZONE, WhenUnsatisfiable.DO_NOT_SCHEDULE, LabelSelector.matchingLabels(Map.of("app", "web"))));
    }
}
