package io.evenkeel.tools.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.ScorePlugin;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import io.evenkeel.model.PodStatus;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.build.PodStatusBuilder;
import io.evenkeel.model.write.Tree;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.tools.why.AnswerSchema;
import io.evenkeel.tools.why.ClusterQuestions;
import io.evenkeel.tools.why.ClusterQuestions.Judgement;
import io.evenkeel.tools.why.UsualProfiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DecisionsTest {
    private final ClusterQuestions copy =
            new ClusterQuestions(UsualProfiles.CONFIGURATION, InTreePlugins.registry(), Judgement.OWN, (_, _) -> {});
    private Instant now = Instant.parse("2026-11-28T15:00:00Z");
    private final Decisions decisions = new Decisions(() -> now);

    @BeforeEach
    void fill() {
        copy.tell(List.of(
                NodeBuilder.node("n1").allocatable("cpu", "4", "pods", "10").build(),
                NodeBuilder.node("n2").allocatable("cpu", "8", "pods", "10").build()));
    }

    private void happens(KubernetesObject object) {
        ClusterEvent event = new ClusterEvent.Put(object);
        decisions.news(copy, event);
        copy.follow(event);
    }

    private static PodBuilder pod(String name) {
        return PodBuilder.pod("shop", name).uid(name);
    }

    private static Pod refused(String name, String message) {
        return pod(name)
                .status(PodStatusBuilder.from(PodStatus.PENDING)
                        .scheduled(new PodCondition("PodScheduled", "False", "Unschedulable", message, "", 0))
                        .build())
                .build();
    }

    /** What a client reads until there is nothing more at once. */
    private String read(long after) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int[] looks = {0};
        decisions.write(after, () -> looks[0]++ < 8, () -> new Tree().put("waiting", 1), out);
        return out.toString(StandardCharsets.UTF_8);
    }

    private static Stream<String> data(String text, String event) {
        return Stream.of(text.split("\n\n"))
                .filter(block -> block.contains("event: " + event + "\n"))
                .map(block -> block.substring(block.indexOf("data: ") + "data: ".length()));
    }

    @Test
    void tellsWhereAPodWentAndHowLongItWaited() throws IOException {
        happens(pod("web").build());
        now = now.plusMillis(1200);
        happens(pod("web").nodeName("n1").build());

        assertThat(data(read(0), "decision"))
                .singleElement()
                .asString()
                .contains("\"kind\":\"placed\"", "\"pod\":\"shop/web\"", "\"node\":\"n1\"", "\"waitedMs\":1200")
                .doesNotContain("best");
    }

    @Test
    void scoresTheBestNodesWhereSomebodyLooks() throws IOException {
        decisions.enter();
        happens(pod("web").build());
        happens(pod("web").nodeName("n1").build());

        assertThat(data(read(0), "decision"))
                .singleElement()
                .asString()
                .contains("\"best\":[{\"node\":\"", "\"plugins\":{", "\"n2\"");
    }

    /** A fault that came out of here would cost the copy of the cluster. */
    @Test
    void tellsOfADecisionWithoutScoresWhereAPluginFails() throws IOException {
        ScorePlugin failing = new ScorePlugin() {
            @Override
            public String name() {
                return "Failing";
            }

            @Override
            public long score(CycleState state, PendingPod pod, NodeInfo node) {
                throw new IllegalStateException("on purpose");
            }
        };
        ClusterQuestions faulty = new ClusterQuestions(
                UsualProfiles.CONFIGURATION,
                InTreePlugins.registry()
                        .withInEveryProfile(PluginFactory.of("Failing", ScorePlugin.class, _ -> failing)),
                Judgement.OWN,
                (_, _) -> {});
        faulty.tell(List.of(
                NodeBuilder.node("n1").allocatable("cpu", "4", "pods", "10").build(),
                NodeBuilder.node("n2").allocatable("cpu", "4", "pods", "10").build()));
        decisions.enter();
        decisions.news(faulty, new ClusterEvent.Put(pod("web").build()));
        faulty.follow(new ClusterEvent.Put(pod("web").build()));

        decisions.news(faulty, new ClusterEvent.Put(pod("web").nodeName("n1").build()));

        assertThat(data(read(0), "decision"))
                .singleElement()
                .asString()
                .contains("\"kind\":\"placed\"")
                .doesNotContain("best");
    }

    @Test
    void tellsARefusalOnceForEachOfItsMessages() throws IOException {
        happens(refused("web", "no room"));
        happens(refused("web", "no room"));
        happens(refused("web", "no room at all"));

        assertThat(data(read(0), "decision"))
                .hasSize(2)
                .allSatisfy(decision -> assertThat(decision).contains("\"kind\":\"turnedAway\""));
    }

    @Test
    void tellsThatAPodHasToGo() throws IOException {
        happens(pod("web").nodeName("n1").build());
        happens(pod("web")
                .nodeName("n1")
                .status(PodStatusBuilder.from(PodStatus.PENDING)
                        .disruptionTarget(
                                new PodCondition("DisruptionTarget", "True", "PreemptionByScheduler", "for db", "", 0))
                        .build())
                .build());

        assertThat(data(read(0), "decision")).singleElement().asString().contains("\"kind\":\"preempted\"", "for db");
    }

    @Test
    void aClientGoesOnWhereItWas() throws IOException {
        happens(refused("a", "no"));
        happens(refused("b", "no"));

        String text = read(1);

        assertThat(text).contains("id: 2\n").doesNotContain("id: 1\n");
    }

    @Test
    void aClientThatIsTooSlowIsToldHowManyItHasMissed() throws IOException {
        for (int i = 0; i < 1_500; i++) {
            happens(refused("web", "no " + i));
        }

        String text = read(100);

        assertThat(data(text, "gap")).containsExactly("{\"missed\":400}");
        assertThat(AnswerSchema.problems("Gap", "{\"missed\":400}")).isEmpty();
        assertThat(data(text, "decision")).hasSize(1_000);
    }

    /** Of a process that has ended, and counted by itself. */
    @Test
    void aClientThatKnowsMoreThanThereIsBeginsFromTheFirst() throws IOException {
        happens(refused("web", "no"));

        assertThat(data(read(77_000), "decision")).hasSize(1);
    }

    @Test
    void figuresAreAskedForOnceASecondForAll() throws IOException {
        int[] asked = {0};
        for (int client = 0; client < 3; client++) {
            decisions.write(0, oneLook(), () -> new Tree().put("waiting", ++asked[0]), new ByteArrayOutputStream());
        }
        now = now.plusSeconds(1);
        decisions.write(0, oneLook(), () -> new Tree().put("waiting", ++asked[0]), new ByteArrayOutputStream());

        assertThat(asked[0]).isEqualTo(2);
    }

    /** Somebody may have lost the right to look meanwhile. */
    @Test
    void aClientIsLetGoAfterHalfAnHourAndMayComeAgain() throws IOException {
        int[] looks = {0};

        decisions.write(
                0,
                () -> {
                    now = now.plus(Duration.ofMinutes(20));
                    return ++looks[0] < 10;
                },
                Tree::new,
                new ByteArrayOutputStream());

        assertThat(looks[0]).isEqualTo(2);
    }

    private static BooleanSupplier oneLook() {
        int[] looks = {0};
        return () -> looks[0]++ < 1;
    }

    /** A node's heartbeat is no reason to draw it again. */
    @Test
    void nodesChangeOnlyInWhatSchedulingReads() {
        long before = decisions.nodeChanges();
        happens(NodeBuilder.node("n1").allocatable("cpu", "4", "pods", "10").build());
        assertThat(decisions.nodeChanges()).isEqualTo(before);

        happens(NodeBuilder.node("n1").allocatable("cpu", "5", "pods", "10").build());
        assertThat(decisions.nodeChanges()).isGreaterThan(before);
    }

    @Test
    void endsItsClients() throws IOException {
        decisions.end();
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        decisions.write(0, () -> true, Tree::new, out);

        assertThat(out.size()).isZero();
    }
}
