package io.evenkeel.tools.why;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.framework.why.Change;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.ContainerBuilder;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.tools.output.Output;
import io.evenkeel.tools.why.ClusterQuestions.Judgement;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers of each state; those of pods that wait are held against the schema wherever remedies are tried. */
class WhySchemaTest {
    private final ClusterQuestions questions = new ClusterQuestions(
            UsualProfiles.CONFIGURATION, InTreePlugins.registry(), Judgement.GUESSED, (_, _) -> {});

    private static PodBuilder pod(String name, String cpu) {
        return PodBuilder.pod("shop", name)
                .uid(name)
                .container(ContainerBuilder.container("c").requests("cpu", cpu).build());
    }

    private String about(Pod pod) throws IOException {
        questions.tell(List.of(
                NodeBuilder.node("n1").allocatable("cpu", "4", "pods", "10").build(),
                NodeBuilder.node("n2").allocatable("cpu", "2", "pods", "10").build(),
                pod));
        QueuedPod queued =
                new QueuedPod("unschedulable", 2, Duration.ofMillis(9500), Optional.of(Duration.ofSeconds(290)), "n1");
        return Output.JSON
                .within(80)
                .apply(questions
                        .about(pod.key(), Requester.OPERATOR)
                        .orElseThrow()
                        .inQueue(queued));
    }

    private static void isAsTheSchemaSays(String answer, String state) {
        assertThat(answer).contains("\"state\":\"" + state + '"');
        assertThat(AnswerSchema.problems(answer)).as(answer).isEmpty();
    }

    @Test
    void ofEachState() throws IOException {
        isAsTheSchemaSays(about(pod("big", "9").build()), "waits");
        isAsTheSchemaSays(about(pod("next", "1").build()), "fits");
        isAsTheSchemaSays(
                about(pod("held", "1").schedulingGate("example.com/wait").build()), "held");
        isAsTheSchemaSays(about(pod("there", "1").nodeName("n1").build()), "inPlace");
        isAsTheSchemaSays(about(pod("too-big", "3").nodeName("n2").build()), "inPlace");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"version\":1,\"pod\":\"shop/a\"}",
                "{\"version\":2,\"pod\":\"shop/a\",\"state\":\"fits\",\"node\":\"n1\"}",
                "{\"version\":1,\"pod\":\"a\",\"state\":\"fits\",\"node\":\"n1\"}",
                "{\"version\":1,\"pod\":\"shop/a\",\"state\":\"fits\"}",
                "{\"version\":1,\"pod\":\"shop/a\",\"state\":\"fits\",\"node\":\"n1\",\"more\":1}",
                "{\"version\":1,\"pod\":\"shop/a\",\"state\":\"fits\",\"node\":\"n1\",\"queue\":{\"name\":\"active\"}}",
                "{\"version\":1,\"pod\":\"shop/a\",\"state\":\"waits\",\"node\":\"n1\"}"
            })
    void otherThingsAreNoAnswers(String other) {
        assertThat(AnswerSchema.problems(other)).isNotEmpty();
    }

    @Test
    void knowsAllKindsOfChanges() {
        assertThat(Arrays.stream(Change.Kind.values()).map(Change.Kind::fieldName))
                .allSatisfy(kind -> assertThat(
                                AnswerSchema.problems("{\"version\":1,\"pod\":\"shop/a\",\"state\":\"waits\","
                                        + "\"message\":\"m\",\"funnel\":{\"nodes\":0,\"steps\":[],\"message\":\"m\"},"
                                        + "\"constraints\":[],\"nearest\":[],\"remedies\":[],\"awaited\":[],"
                                        + "\"inVain\":[{\"kind\":\"" + kind + "\",\"text\":\"t\",\"because\":\"b\"}]}"))
                        .isEmpty());
    }
}
