package io.evenkeel.kube.dispatch;

import static io.evenkeel.kube.dispatch.Commands.bind;
import static io.evenkeel.kube.dispatch.Commands.group;
import static io.evenkeel.kube.dispatch.Commands.patch;
import static io.evenkeel.kube.dispatch.Commands.patchGroup;
import static io.evenkeel.kube.dispatch.Commands.pod;
import static io.evenkeel.kube.dispatch.Commands.recordEvent;
import static io.evenkeel.kube.dispatch.Commands.recordGroupEvent;
import static io.evenkeel.kube.dispatch.DispatcherFixture.UNLIMITED;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.engine.Command;
import io.evenkeel.hollow.HollowCluster;
import io.evenkeel.hollow.HollowOptions;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.client.ConnectionOptions;
import io.evenkeel.kube.client.HttpTransport;
import io.evenkeel.kube.dispatch.Job.Retries;
import io.evenkeel.model.GroupCondition;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodGroup;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.testing.LogLines;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of a group of pods: a condition in its status, and events. */
class GroupWritesTest {
    private static final String STATUS = "/apis/scheduling.k8s.io/v1beta1/namespaces/ns/podgroups/g/status";

    @TempDir
    private Path folder;

    private final ScriptedTransport server =
            new ScriptedTransport(call -> Answers.of(call.method().equals("POST") ? 201 : 200, ""));
    private final DispatcherFixture fixture = new DispatcherFixture(UNLIMITED, server, Duration.ofMillis(5));
    private final Pod pod = pod("p1");

    private void submit(Command.AtServer... commands) {
        for (Command.AtServer command : commands) {
            fixture.dispatcher.submit(command);
        }
        fixture.pass(Duration.ofMinutes(5));
    }

    private List<String> paths() {
        return server.calls().stream().map(ApiCall::path).toList();
    }

    @Test
    void aPatchNamesTheGroupAndTheConditionAlone() {
        submit(patchGroup(pod, "g", "0/1 nodes"));

        assertThat(paths()).containsExactly(STATUS);
        assertThat(server.calls().getFirst().body().orElseThrow().contentType())
                .isEqualTo("application/strategic-merge-patch+json");
        assertThat(server.bodies()).containsExactly("""
            {"metadata":{"uid":"uid-g"},"status":{"conditions":[{"type":"PodGroupInitiallyScheduled","status":"False",\
            "observedGeneration":2,"lastTransitionTime":"2026-01-01T00:00:00Z","reason":"Unschedulable",\
            "message":"0/1 nodes"}]}}\
            """);
        assertThat(fixture.results).as("it has no answer").isEmpty();
    }

    @Test
    void aConditionWhoseStatusIsTheSameKeepsItsTime() {
        submit(patchGroup(pod, "g", "0/1 nodes", "2020-02-03T04:05:06Z"));
        assertThat(server.bodies().getFirst()).contains("\"lastTransitionTime\":\"2020-02-03T04:05:06Z\"");

        GroupCondition no = patchGroup(pod, "g", "no").condition();
        GroupCondition before =
                patchGroup(pod, "g", "before", "2020-02-03T04:05:06Z").condition();
        GroupCondition yes = new GroupCondition(no.type(), "True", "Scheduled", "", "", 2);
        assertThat(no.after(Optional.of(before)).lastTransitionTime()).isEqualTo("2020-02-03T04:05:06Z");
        assertThat(no.after(Optional.of(before)).message()).isEqualTo("no");
        assertThat(yes.after(Optional.of(before))).isEqualTo(yes);
        assertThat(no.after(Optional.empty())).isEqualTo(no);
    }

    @Test
    void aNewerConditionReplacesAWaitingOneOfTheSameGroup() {
        submit(
                patch(pod, "of the pod"),
                patchGroup(pod, "g", "first"),
                patchGroup(pod, "h", "of another"),
                patchGroup(pod, "g", "second"),
                bind(pod, "n1"));

        assertThat(paths())
                .containsExactly(STATUS.replace("/g/", "/h/"), STATUS, "/api/v1/namespaces/ns/pods/p1/binding");
        assertThat(server.bodies()).anyMatch(body -> body.contains("second")).noneMatch(body -> body.contains("first"));
        assertThat(fixture.drops).containsExactly("PATCH_STATUS SUPERSEDED", "PATCH_STATUS SUPERSEDED");
    }

    @Test
    void oneThatWaitsToBeTriedAgainIsOvertakenByANewerOne() {
        server.nowAnswers(call -> Answers.of(call.body().orElseThrow().content().contains("first") ? 503 : 200, ""));
        fixture.dispatcher.submit(patchGroup(pod, "g", "first"));
        fixture.pass(Duration.ofMillis(2));
        submit(patchGroup(pod, "g", "second"));

        assertThat(paths()).containsExactly(STATUS, STATUS);
        assertThat(fixture.drops).containsExactly("PATCH_STATUS SUPERSEDED");
    }

    @Test
    void itIsTriedAgainAFewTimes() {
        server.nowAnswers(_ -> Answers.of(500, ""));
        submit(patchGroup(pod, "g", "0/1 nodes"));

        assertThat(server.calls()).hasSize(Retries.MOST_ATTEMPTS);
        assertThat(fixture.drops).containsExactly("PATCH_STATUS EXHAUSTED");
    }

    @Test
    void aGroupThatIsGoneOrReplacedIsNoRefusal() {
        server.nowAnswers(_ -> Answers.of(404, "{\"kind\":\"Status\",\"details\":{\"kind\":\"podgroups\"}}"));
        submit(patchGroup(pod, "g", "0/1 nodes"));
        server.nowAnswers(_ -> Answers.recorded("patch by another uid"));
        submit(patchGroup(pod, "g", "0/1 nodes"));
        server.nowAnswers(_ -> Answers.of(404, "404 page not found"));
        submit(patchGroup(pod, "g", "0/1 nodes"));

        assertThat(fixture.drops).containsExactly("PATCH_STATUS GONE", "PATCH_STATUS GONE", "PATCH_STATUS REFUSED");
    }

    @Test
    void whoLeadsNoMoreWritesNothingUntilItLeadsAgain() {
        fixture.leading = false;
        submit(patchGroup(pod, "g", "0/1 nodes"), patchGroup(pod, "g", "0/2 nodes"));
        assertThat(server.calls()).isEmpty();

        fixture.leading = true;
        fixture.pass(Duration.ofSeconds(2));
        assertThat(server.calls())
                .singleElement()
                .satisfies(
                        call -> assertThat(call.body().orElseThrow().content()).contains("0/2 nodes"));
        assertThat(fixture.drops).containsExactly("PATCH_STATUS SUPERSEDED");
    }

    @Test
    void whatComesAfterTheEndIsCountedAsDropped() {
        fixture.dispatcher.close();
        submit(patchGroup(pod, "g", "late"), recordGroupEvent(pod, Kinds.POD_GROUP, "g", "late"));

        assertThat(server.calls()).isEmpty();
        assertThat(fixture.drops).containsExactly("PATCH_STATUS CLOSED", "RECORD_EVENT CLOSED");
    }

    /** A repeated event is told once more, as a series; one of a pod, or of another group, is none of it. */
    @Test
    void anEventIsAboutTheGroupAndItsRepetitionsAreASeries() {
        submit(
                recordGroupEvent(pod, Kinds.COSCHEDULING_POD_GROUP, "g", "no room"),
                recordGroupEvent(pod("p2"), Kinds.COSCHEDULING_POD_GROUP, "g", "no room"),
                recordGroupEvent(pod, Kinds.COSCHEDULING_POD_GROUP, "h", "no room"),
                recordEvent(pod, "no room"));

        assertThat(server.calls())
                .extracting(ApiCall::method)
                .containsExactlyInAnyOrder("POST", "PATCH", "POST", "POST");
        assertThat(server.bodies())
                .anyMatch(body -> body.contains("""
                    "regarding":{"kind":"PodGroup","namespace":"ns","name":"g","uid":"uid-g",\
                    "apiVersion":"scheduling.x-k8s.io/v1alpha1","resourceVersion":"9"}\
                    """))
                .anyMatch(body -> body.startsWith("{\"series\":{\"count\":2"));
    }

    @Test
    void aDryRunOnlySaysSo() {
        DryRun dryRun = new DryRun(fixture.results::add);
        try (LogLines log = new LogLines(DryRun.class)) {
            dryRun.submit(patchGroup(pod, "g", "no room"));
            dryRun.submit(recordGroupEvent(pod, Kinds.POD_GROUP, "g", "no room"));

            assertThat(log.lines())
                    .satisfiesExactly(
                            first -> assertThat(first).contains("Would set the condition", "group=\"ns/g\""),
                            second -> assertThat(second).contains("Would write an event", "about=\"g\""));
        }
        assertThat(fixture.results).isEmpty();
    }

    /** At a server that knows what a group is. */
    @Test
    void whatIsWrittenIsReadAgain() throws IOException {
        try (HollowCluster cluster = HollowCluster.start(HollowOptions.DEFAULT);
                HttpTransport transport = HttpTransport.open(
                        ConnectionOptions.of(Optional.of(cluster.writeKubeconfig(folder.resolve("kubeconfig")))),
                        "test",
                        ApiObserver.NONE)) {
            cluster.objects().create("""
                {"apiVersion":"v1","kind":"Namespace","metadata":{"name":"ns"}}\
                """);
            cluster.objects().create("""
                {"apiVersion":"scheduling.k8s.io/v1beta1","kind":"PodGroup","metadata":{"name":"g","namespace":"ns"},
                 "spec":{"schedulingPolicy":{"gang":{"minCount":4}}}}\
                """);
            ObjectMeta there = read(cluster).meta();
            DispatcherFixture live = new DispatcherFixture(UNLIMITED, new Waiting(transport), Duration.ofMillis(5));
            GroupCondition condition = patchGroup(pod, "g", "no room").condition();
            live.dispatcher.submit(new Command.PatchGroup(pod, Kinds.POD_GROUP, there, condition));
            live.dispatcher.submit(new Command.PatchGroup(pod, Kinds.POD_GROUP, group("g"), condition));
            live.dispatcher.submit(recordGroupEvent(pod, Kinds.POD_GROUP, "g", "no room"));
            live.pass(Duration.ofMinutes(1));

            assertThat(live.drops).as("of another UID").containsExactly("PATCH_STATUS SUPERSEDED", "PATCH_STATUS GONE");
            live.dispatcher.submit(new Command.PatchGroup(pod, Kinds.POD_GROUP, there, condition));
            live.pass(Duration.ofMinutes(1));
            assertThat(live.drops).hasSize(2);
            PodGroup written = read(cluster);
            assertThat(written.condition(GroupCondition.INITIALLY_SCHEDULED)).hasValueSatisfying(read -> {
                assertThat(read.lastTransitionTime()).startsWith("2026-01-01T00:0");
                assertThat(condition.after(Optional.of(read))).isEqualTo(read);
            });
            assertThat(written.minimum()).hasValue(4);
            assertThat(cluster.objects().list(ResourceTable.NEW_EVENTS, "ns"))
                    .singleElement()
                    .asString()
                    .contains("\"kind\":\"PodGroup\"", "no room");
        }
    }

    /** Simulated time waits for no answer that comes by itself. */
    private record Waiting(ApiTransport transport) implements ApiTransport {
        @Override
        public ApiAnswer call(ApiCall call) throws IOException {
            return transport.call(call);
        }

        @Override
        public ApiAnswer stream(ApiCall call) throws IOException {
            return transport.stream(call);
        }

        @Override
        public String host() {
            return transport.host();
        }
    }

    private static PodGroup read(HollowCluster cluster) {
        return (PodGroup) new ObjectReader()
                .only(Kinds.POD_GROUP)
                .read(cluster.objects().list(ResourceTable.POD_GROUPS, "ns").getFirst());
    }
}
