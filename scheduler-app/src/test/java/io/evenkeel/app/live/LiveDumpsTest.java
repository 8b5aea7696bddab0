package io.evenkeel.app.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.app.live.LiveRoutes.LiveDumps;
import io.evenkeel.app.live.LiveRoutes.LiveDumps.ServerComparison;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.kube.extender.ExtenderServer;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LiveDumpsTest {
    private final ScriptedTransport server = new ScriptedTransport(_ -> Answers.of(503, ""));
    private final DrivenScheduler scheduler = new DrivenScheduler(server, LiveObservers.NONE, false);
    private final LiveDumps dumps =
            new LiveDumps(scheduler.live(), Optional.of(new ServerComparison(scheduler.live(), server)));

    @AfterEach
    void close() {
        scheduler.close();
    }

    @Test
    void whereNothingWaitsThereIsNothingToTell() {
        assertThat(dumps.queueText()).isEmpty();
        assertThat(dumps.queueTree().json()).isEqualTo("{\"pods\":[],\"binding\":[]}");
    }

    @Test
    void podsThatWaitAndPodsOnTheirWayAreALineEach() {
        aPodThatFitsAndOneThatDoesNot();

        assertThat(dumps.queueText().lines())
                .hasSize(2)
                .anySatisfy(line -> assertThat(line)
                        .matches("unschedulable default/large priority=7 attempts=1 for=[0-9.]+(s|ms|µs)"
                                + " by=\\[NodeResourcesFit\\]"))
                .last()
                .asString()
                .matches("binding default/small node=n1 waits-for=WATCH for=[0-9.]+(s|ms|µs)");
    }

    @Test
    void programsGetTheSameAsJson() {
        aPodThatFitsAndOneThatDoesNot();

        JsonObject queue = JsonParser.parseString(dumps.queueTree().json()).getAsJsonObject();
        JsonArray pods = queue.getAsJsonArray("pods");
        assertThat(pods).hasSize(1);
        JsonObject large = pods.get(0).getAsJsonObject();
        assertThat(large.remove("seconds").getAsDouble()).isBetween(0.0, 60.0);
        assertThat(large)
                .hasToString("{\"pod\":\"default/large\",\"queue\":\"unschedulable\",\"priority\":7,"
                        + "\"attempts\":1,\"rejectedBy\":[\"NodeResourcesFit\"]}");
        JsonArray binding = queue.getAsJsonArray("binding");
        assertThat(binding).hasSize(1);
        JsonObject small = binding.get(0).getAsJsonObject();
        assertThat(small.remove("seconds").getAsDouble()).isBetween(0.0, 60.0);
        assertThat(small).hasToString("{\"pod\":\"default/small\",\"node\":\"n1\",\"waitsFor\":\"WATCH\"}");
    }

    @Test
    void whoeverIsNominatedIsSaidToBe() {
        scheduler.put(PodBuilder.pod("gated")
                .schedulingGate("later")
                .nominatedNodeName("n1")
                .build());

        assertThat(dumps.queueText()).endsWith(" by=[SchedulingGates] nominated=n1\n");
        assertThat(dumps.queueTree().json()).contains("\"rejectedBy\":[\"SchedulingGates\"],\"nominatedNode\":\"n1\"}");
    }

    @Test
    void whoIsAtTheExtendersAndWhoWaitsForThemIsSaid() {
        String podInJson = "{\"metadata\":{\"name\":\"first\"}}";
        try (ExtenderServer extender = ExtenderServer.start();
                DrivenScheduler extended = DrivenScheduler.of(
                        new ConfigurationReader().read("test", """
                            apiVersion: kubescheduler.config.k8s.io/v1
                            kind: KubeSchedulerConfiguration
                            extenders: [{urlPrefix: '%s', filterVerb: filter, nodeCacheCapable: true, httpTimeout: 1m}]
                            """.formatted(extender.url())),
                        new ScriptedTransport(_ -> Answers.of(200, podInJson)))) {
            extender.hold();
            extended.leads(
                    NodeBuilder.node("n1").allocatable("pods", "10").build(),
                    PodBuilder.pod("first").priority(9).build(),
                    PodBuilder.pod("second").build());
            LiveDumps extendedDumps =
                    new LiveDumps(extended.live(), Optional.of(new ServerComparison(extended.live(), server)));

            assertThat(extendedDumps.queueText().lines())
                    .anyMatch(
                            line -> line.startsWith("active default/second ") && line.endsWith(" waits-for=EXTENDERS"))
                    .anyMatch(line -> line.matches("extenders default/first about=NODES nodes=1 for=[0-9.]+(s|ms|µs)"));
            JsonObject queue =
                    JsonParser.parseString(extendedDumps.queueTree().json()).getAsJsonObject();
            assertThat(queue.getAsJsonObject("extenders").get("pod").getAsString())
                    .isEqualTo("default/first");
            assertThat(queue.getAsJsonArray("pods")
                            .get(0)
                            .getAsJsonObject()
                            .get("waitsFor")
                            .getAsString())
                    .isEqualTo("EXTENDERS");
        }
    }

    @Test
    void theCacheIsDumpedAlsoWhereTheServerCannotBeAsked() {
        scheduler.put(NodeBuilder.node("n1").build());

        assertThat(dumps.cacheText().lines())
                .anyMatch(line -> line.startsWith("not compared with the API server: GET /api/v1/nodes"))
                .anyMatch(line -> line.startsWith("node n1 #0"));
    }

    @Test
    void anEngineThatHasEndedIsNotWaitedFor() {
        scheduler.fail();

        assertThatThrownBy(dumps::queueText).hasMessage("the engine does not answer");
        assertThatThrownBy(dumps::queueTree).hasMessage("the engine does not answer");
    }

    private void aPodThatFitsAndOneThatDoesNot() {
        scheduler.leads(
                NodeBuilder.node("n1")
                        .allocatable("cpu", "2")
                        .allocatable("pods", "10")
                        .build(),
                PodBuilder.pod("small").uid("small-1").container("cpu", "1").build(),
                PodBuilder.pod("large")
                        .uid("large-1")
                        .container("cpu", "3")
                        .priority(7)
                        .build());
        scheduler.settle();
    }
}
