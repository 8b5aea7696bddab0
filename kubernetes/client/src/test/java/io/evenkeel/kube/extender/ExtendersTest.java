package io.evenkeel.kube.extender;

import static io.evenkeel.model.build.NodeBuilder.node;
import static io.evenkeel.model.build.PodBuilder.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.api.PreemptionCandidate;
import io.evenkeel.api.Status;
import io.evenkeel.config.Extender;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.decision.Question.Answer.ExtenderAdvice;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.kube.extender.Extenders.ExtenderException;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.problem.ConfigurationException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests to extenders over HTTP, and messages about their answers in kube-scheduler's words. */
class ExtendersTest {
    private static final String GPU = "example.com/gpu";
    private static final Pod POD = pod("p").uid("u1").build();
    private static final List<Node> NODES =
            List.of(node("n1").build(), node("n2").build(), node("n3").build());

    private final ExtenderServer server = ExtenderServer.start();
    private final ExtenderServer other = ExtenderServer.start();
    private final ScriptedTransport api = new ScriptedTransport(ExtendersTest::apiServer);
    private final List<Extender> configured = new ArrayList<>();
    private final List<String> observed = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        server.close();
        other.close();
    }

    private static Answers apiServer(ApiCall call) {
        if (call.path().startsWith("/api/v1/namespaces/default/pods/")) {
            String name = call.path().substring(call.path().lastIndexOf('/') + 1);
            return Answers.of(200, """
                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"%s","namespace":"default","uid":"%s",
                 "annotations":{"note":"a \\"pod\\""},"managedFields":[{"manager":"kubectl"}]},"spec":{"x":1.50}}
                """.formatted(name, name.equals("p") ? "u1" : "u-" + name));
        }
        List<String> items = IntStream.rangeClosed(1, 40)
                .filter(i ->
                        !call.path().contains("fieldSelector") || call.path().endsWith("metadata.name%3Dn" + i))
                .mapToObj(i -> "{\"metadata\":{\"name\":\"n" + i + "\",\"annotations\":{\"rack\":\"r" + i + "\"}}}")
                .toList();
        return Answers.of(200, "{\"kind\":\"NodeList\",\"metadata\":{},\"items\":[" + String.join(",", items) + "]}");
    }

    /** An extender with all verbs, that knows the nodes itself. */
    private static Extender extender(ExtenderServer at, boolean ignorable) {
        return extender(at, ignorable, true, List.of());
    }

    private static Extender extender(
            ExtenderServer at, boolean ignorable, boolean nodeCacheCapable, List<Extender.ManagedResource> managed) {
        return new Extender(
                at.url() + "/",
                "filter",
                "preempt",
                "prioritize",
                3,
                "bind",
                false,
                Optional.empty(),
                Duration.ofMillis(500),
                nodeCacheCapable,
                managed,
                ignorable);
    }

    private Extenders extenders(Extender... some) {
        configured.addAll(List.of(some));
        return Extenders.of(
                SchedulerConfiguration.defaults().toBuilder()
                        .extenders(configured)
                        .build(),
                api,
                (_, verb, success, _) -> observed.add(verb + " " + success),
                Machine.SYSTEM);
    }

    private ExtenderAdvice advise(Extender... some) throws IOException {
        try (Extenders extenders = extenders(some)) {
            return extenders.advise(POD, NODES);
        }
    }

    private static JsonObject json(ExtenderServer.Asked asked) {
        return JsonParser.parseString(asked.body()).getAsJsonObject();
    }

    @Test
    void anExtenderThatKnowsTheNodesGetsTheirNamesAndTheWholePod() throws IOException {
        server.answers("filter", "{\"NodeNames\":[\"n2\"]}");

        assertThat(advise(extender(server, false)).left()).containsExactly("n2");

        assertThat(json(server.asked().getFirst())).isEqualTo(JsonParser.parseString("""
            {"Pod":{"metadata":{"name":"p","namespace":"default","uid":"u1",
                    "annotations":{"note":"a \\"pod\\""}},"spec":{"x":1.50}},
             "Nodes":null,"NodeNames":["n1","n2","n3"]}
            """));
    }

    @Test
    void anyOtherGetsWholeNodes() throws IOException {
        server.answers("filter", "{\"nodes\":{\"items\":[{\"metadata\":{\"name\":\"n3\"}}]}}");

        assertThat(advise(extender(server, false, false, List.of())).left()).containsExactly("n3");

        JsonObject asked = json(server.asked().getFirst());
        assertThat(asked.get("NodeNames").isJsonNull()).isTrue();
        JsonArray items = asked.getAsJsonObject("Nodes").getAsJsonArray("items");
        assertThat(items).hasSize(3);
        assertThat(items.get(1))
                .isEqualTo(
                        JsonParser.parseString("{\"metadata\":{\"name\":\"n2\",\"annotations\":{\"rack\":\"r2\"}}}"));
    }

    @Test
    void nodesAreReadAgainOnlyInAnotherVersion() throws IOException {
        server.answers("filter", "{}");
        try (Extenders extenders = extenders(extender(server, false, false, List.of()))) {
            extenders.advise(POD, NODES);
            assertThat(paths("/api/v1/nodes")).hasSize(3);
            Node changed = new Node(
                    NODES.get(0).meta().withVersion("8", 0), false, List.of(), Map.of(), List.of(), java.util.Set.of());
            extenders.advise(POD, List.of(changed, NODES.get(1), NODES.get(2)));

            assertThat(paths("/api/v1/nodes")).hasSize(4).endsWith("/api/v1/nodes?fieldSelector=metadata.name%3Dn1");
        }
    }

    @Test
    void manyNodesAreReadInOneGo() throws IOException {
        server.answers("filter", "{}");
        List<Node> many = IntStream.rangeClosed(1, 40)
                .mapToObj(i -> node("n" + i).build())
                .toList();
        try (Extenders extenders = extenders(extender(server, false, false, List.of()))) {
            extenders.advise(POD, many);
            extenders.advise(POD, many);
        }

        assertThat(paths("/api/v1/nodes")).containsExactly("/api/v1/nodes?limit=500");
        assertThat(json(server.asked().getLast()).getAsJsonObject("Nodes").getAsJsonArray("items"))
                .hasSize(40);
    }

    private List<String> paths(String prefix) {
        return api.calls().stream()
                .map(ApiCall::path)
                .filter(path -> path.startsWith(prefix))
                .toList();
    }

    @Test
    void oneFiltersWhatTheOtherHasLeftAndTheIgnorableOnesComeLast() throws IOException {
        server.answers("filter", "{\"NodeNames\":[\"n2\"],\"FailedNodes\":{\"n3\":\"no GPU\"}}");
        other.answers("filter", """
            {"NodeNames":["n3","n2"],
             "FailedNodes":{"n1":"busy","n9":"who?"},
             "FailedAndUnresolvableNodes":{"n1":"wrong rack"}}
            """);

        ExtenderAdvice advice = advise(extender(server, true), extender(other, false));

        assertThat(advice.left()).containsExactly("n2");
        assertThat(advice.turnedAway())
                .isEqualTo(Map.of(
                        "n1", Status.unresolvable("wrong rack"),
                        "n9", Status.unschedulable("who?"),
                        "n3", Status.unschedulable("no GPU")));
        assertThat(json(server.asked().getFirst()).getAsJsonArray("NodeNames").toString())
                .isEqualTo("[\"n3\",\"n2\"]");
    }

    @Test
    void scoresAreWeightedAndOfSeveralExtendersAdded() throws IOException {
        server.answers("filter", "{\"NodeNames\":[\"n1\",\"n2\"]}")
                .answers("prioritize", "[{\"Host\":\"n1\",\"Score\":10},{\"host\":\"n2\",\"score\":1}]");
        other.answers("filter", "{\"NodeNames\":[\"n1\",\"n2\"]}")
                .answers("prioritize", "[{\"Host\":\"n2\",\"Score\":4}]");

        assertThat(advise(extender(server, false), extender(other, false)).scores())
                .isEqualTo(Map.of("n1", 300L, "n2", 150L));
    }

    @Test
    void theOnlyNodeLeftIsNotScored() throws IOException {
        server.answers("filter", "{\"NodeNames\":[\"n1\"]}").answers("prioritize", "[]");

        assertThat(advise(extender(server, false)).scores()).isEmpty();
        assertThat(server.asked("prioritize")).isZero();
    }

    @Test
    void whoFailsToScoreGivesNothing() throws IOException {
        server.answers("filter", "{\"NodeNames\":[\"n1\",\"n2\"]}").fails("prioritize", 500);
        other.answers("filter", "{\"NodeNames\":[\"n1\",\"n2\"]}")
                .answers("prioritize", "[{\"Host\":\"n2\",\"Score\":4}]");

        assertThat(advise(extender(server, false), extender(other, false)).scores())
                .isEqualTo(Map.of("n2", 120L));
        assertThat(observed)
                .containsExactlyInAnyOrder("filter true", "filter true", "prioritize false", "prioritize true");
    }

    @Test
    void aFilterThatAnswersWithACodeFailsInTheReferencesWords() {
        server.fails("filter", 503);

        assertThatThrownBy(() -> advise(extender(server, false)))
                .hasMessage("failed filter with extender at URL " + server.url() + "/filter, code 503");
    }

    @Test
    void aFilterThatSaysWhatIsWrongIsQuoted() {
        server.answers("filter", "{\"Error\":\"the GPUs are on fire\",\"NodeNames\":[\"n1\"]}");

        assertThatThrownBy(() -> advise(extender(server, false))).hasMessage("the GPUs are on fire");
    }

    @Test
    void aFilterMayNotLeaveWhatItWasNotAskedAbout() {
        server.answers("filter", "{\"NodeNames\":[\"n7\"]}");

        assertThatThrownBy(() -> advise(extender(server, false)))
                .hasMessage("extender \"" + server.url()
                        + "/\" claims a filtered node \"n7\" which is not found in the input node list");
    }

    @Test
    void aSlowFilterIsGivenUpInTime() {
        server.answers("filter", "{}").hold();

        assertThatThrownBy(() -> advise(extender(server, false)))
                .hasMessage("Post \"" + server.url() + "/filter\": no answer within 500 ms");
    }

    @Test
    void anUnreachableFilterSaysSo() {
        server.close();

        assertThatThrownBy(() -> advise(extender(server, false)))
                .hasMessageStartingWith("Post \"" + server.url() + "/filter\": Failed to connect to");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "oops", "{\"NodeNames\":\"n1\"}", "{\"NodeNames\":[1]}", "{\"FailedNodes\":[]}", "{\"No"})
    void anAnswerThatIsNoneFails(String answer) {
        server.answers("filter", answer);

        assertThatThrownBy(() -> advise(extender(server, false)))
                .isInstanceOf(ExtenderException.class)
                .hasMessageContaining(server.url() + "/filter");
    }

    @Test
    void anIgnorableOneThatFailsIsPassedOver() throws IOException {
        server.fails("filter", 500);
        other.answers("filter", "{\"NodeNames\":[\"n1\",\"n3\"]}").answers("prioritize", "[]");

        assertThat(advise(extender(server, true), extender(other, false)).left())
                .containsExactlyInAnyOrder("n1", "n3");
    }

    @Test
    void whoNamesNoNodesLeavesNone() throws IOException {
        server.answers("filter", "{\"NodeNames\":null,\"FailedNodes\":null}");

        assertThat(advise(extender(server, false)).left()).isEmpty();
    }

    @Test
    void anExtenderWithResourcesIsAskedAboutPodsThatRequestThem() throws IOException {
        server.answers("filter", "{}");
        Extender ofGpus = extender(server, false, true, List.of(new Extender.ManagedResource(GPU, true)));

        assertThat(advise(ofGpus).left()).containsExactlyInAnyOrder("n1", "n2", "n3");
        assertThat(server.asked()).isEmpty();
        assertThat(ofGpus.isInterestedIn(pod("q").container(GPU, "1").build())).isTrue();
    }

    @Test
    void aBinderIsToldOnceWhatToBindWhere() throws IOException {
        server.answers("bind", "{}");
        try (Extenders extenders = extenders(extender(server, false))) {
            assertThat(extenders.haveBinderOf(POD)).isTrue();
            assertThat(extenders.bind(POD, "n2")).isTrue();
        }

        assertThat(server.asked().getFirst().body())
                .isEqualTo("{\"PodName\":\"p\",\"PodNamespace\":\"default\",\"PodUID\":\"u1\",\"Node\":\"n2\"}");
    }

    @Test
    void aBinderThatRefusesIsQuotedUnlessItMayBeIgnored() throws IOException {
        server.answers("bind", "{\"Error\":\"no\"}");
        try (Extenders extenders = extenders(extender(server, false))) {
            assertThatThrownBy(() -> extenders.bind(POD, "n2")).hasMessage("no");
        }
        configured.clear();
        try (Extenders extenders = extenders(extender(server, true))) {
            assertThat(extenders.bind(POD, "n2")).isFalse();
        }
    }

    private final Pod victim = pod("v").uid("u-v").nodeName("n1").build();
    private final Pod bystander = pod("b").uid("u-b").nodeName("n1").build();
    private final List<PreemptionCandidate> candidates = List.of(new PreemptionCandidate("n1", List.of(victim), 1));
    private final Map<String, List<Pod>> pods = Map.of("n1", List.of(victim, bystander));

    @Test
    void anExtenderThatKnowsTheNodesGetsTheVictimsUidsAndMayNameOthers() throws IOException {
        server.answers(
                "preempt",
                "{\"NodeNameToMetaVictims\":{\"n1\":{\"Pods\":[{\"UID\":\"u-b\"}],\"NumPDBViolations\":0}}}");
        try (Extenders extenders = extenders(extender(server, false))) {
            assertThat(extenders.preempt(POD, candidates, pods))
                    .containsExactly(new PreemptionCandidate("n1", List.of(bystander), 0));
        }

        JsonObject asked = json(server.asked().getFirst());
        assertThat(asked.get("NodeNameToVictims").isJsonNull()).isTrue();
        assertThat(asked.get("NodeNameToMetaVictims").toString())
                .isEqualTo("{\"n1\":{\"Pods\":[{\"UID\":\"u-v\"}],\"NumPDBViolations\":1}}");
    }

    @Test
    void anyOtherGetsTheWholeVictims() throws IOException {
        server.answers("preempt", "{}");
        try (Extenders extenders = extenders(extender(server, false, false, List.of()))) {
            assertThat(extenders.preempt(POD, candidates, pods)).isEmpty();
        }

        JsonObject asked = json(server.asked().getFirst());
        assertThat(asked.get("NodeNameToMetaVictims").isJsonNull()).isTrue();
        assertThat(asked.getAsJsonObject("NodeNameToVictims")
                        .getAsJsonObject("n1")
                        .getAsJsonArray("Pods")
                        .get(0)
                        .getAsJsonObject()
                        .getAsJsonObject("metadata")
                        .get("uid")
                        .getAsString())
                .isEqualTo("u-v");
    }

    @Test
    void ofFieldsThatComeTwiceTheLastCountsAndOfPodsEachOnce() throws IOException {
        server.answers("preempt", """
            {"NodeNameToMetaVictims":{"n1":{"Pods":[{"UID":"u-v"}],"pods":[{"UID":"u-v","uid":"u-b"},{"UID":"u-b"}]}}}
            """);
        try (Extenders extenders = extenders(extender(server, false))) {
            assertThat(extenders.preempt(POD, candidates, pods))
                    .containsExactly(new PreemptionCandidate("n1", List.of(bystander), 0));
        }
    }

    @Test
    void aCandidateWhoseVictimIsGoneIsLeftOut() throws IOException {
        Pod gone = pod("v").uid("u-before").nodeName("n2").build();
        server.answers("preempt", "{}");
        try (Extenders extenders = extenders(extender(server, false, false, List.of()))) {
            List<PreemptionCandidate> both =
                    List.of(new PreemptionCandidate("n2", List.of(gone), 0), candidates.getFirst());
            assertThat(extenders.preempt(POD, both, pods)).isEmpty();
            assertThat(json(server.asked().getFirst())
                            .getAsJsonObject("NodeNameToVictims")
                            .keySet())
                    .containsExactly("n1");

            assertThat(extenders.preempt(POD, both.subList(0, 1), pods)).isEmpty();
            assertThat(server.asked()).as("there is nothing to ask").hasSize(1);
        }
    }

    /** The first passes it on, the second names somebody; to leave a node out is to say no. */
    @Test
    void whereNobodyIsToGoYetTheyMayNameSomebodyOneAfterTheOther() throws IOException {
        List<PreemptionCandidate> open = List.of(
                new PreemptionCandidate("n1", List.of(), 0),
                new PreemptionCandidate("n2", List.of(), 0),
                new PreemptionCandidate("n3", List.of(), 0));
        Map<String, List<Pod>> there = Map.of("n1", List.of(victim, bystander), "n2", List.of(), "n3", List.of());
        try (ExtenderServer second = ExtenderServer.start()) {
            server.answers(
                    "preempt", "{\"NodeNameToMetaVictims\":{\"n1\":{\"Pods\":[]},\"n2\":{\"NumPDBViolations\":0}}}");
            second.answers("preempt", """
                {"NodeNameToMetaVictims":{"n1":{"Pods":[{"UID":"u-b"}],"NumPDBViolations":2},"n2":{"Pods":null}}}
                """);
            try (Extenders extenders = extenders(extender(server, false), extender(second, false))) {
                assertThat(extenders.preempt(POD, open, there))
                        .containsExactly(new PreemptionCandidate("n1", List.of(bystander), 2));
            }
            assertThat(json(server.asked().getFirst()).get("NodeNameToMetaVictims"))
                    .hasToString("{\"n1\":{\"Pods\":[],\"NumPDBViolations\":0},"
                            + "\"n2\":{\"Pods\":[],\"NumPDBViolations\":0},"
                            + "\"n3\":{\"Pods\":[],\"NumPDBViolations\":0}}");
            assertThat(json(second.asked().getFirst())
                            .getAsJsonObject("NodeNameToMetaVictims")
                            .keySet())
                    .containsExactly("n1", "n2");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"n1\":{\"Pods\":[{\"UID\":\"u-x\"}]}} | extender: URL/ claims to preempt pod (UID: &{u-x}) on node:"
                        + " n1, but the pod is not found on that node",
                "{\"n1\":{\"Pods\":[{\"UID\":\"u-v\"},{}]}} | extender: URL/ claims to preempt pod (UID: &{}) on node:"
                        + " n1, but the pod is not found on that node",
                "{\"n7\":{\"Pods\":[]}} | nodeinfo not found for node name \"n7\"",
                "{\"n1\":{\"Pods\":[]}} | expected at least one victim pod on node \"n1\"",
            })
    void victimsThatCannotBeFailInTheReferencesWords(String example) throws IOException {
        String[] parts = example.split(" \\| ", 2);
        server.answers("preempt", "{\"NodeNameToMetaVictims\":" + parts[0] + "}");
        try (Extenders extenders = extenders(extender(server, false))) {
            assertThatThrownBy(() -> extenders.preempt(POD, candidates, pods))
                    .hasMessage(parts[1].replace("URL", server.url()));
        }
        configured.clear();
        try (Extenders extenders = extenders(extender(server, true))) {
            assertThat(extenders.preempt(POD, candidates, pods))
                    .isEqualTo(parts[1].startsWith("expected") ? List.of() : candidates);
        }
    }

    @Test
    void aPodThatIsAnotherByNowIsNotAskedAbout() {
        assertThatThrownBy(() -> {
                    try (Extenders extenders = extenders(extender(server, false))) {
                        extenders.advise(pod("p").uid("u0").build(), NODES);
                    }
                })
                .hasMessage("cannot read pod default/p for the extenders: another has its name now");
        assertThat(server.asked()).isEmpty();
    }

    @Test
    void anAddressThatIsNoneIsRefusedAtTheStart() {
        Extender without = new Extender(
                "10.0.0.1:80", "filter", "", "", 0, "", false, Optional.empty(), Duration.ZERO, true, List.of(), false);

        assertThatThrownBy(() -> extenders(without))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("extender \"10.0.0.1:80\": urlPrefix: expected an address such as"
                        + " http://10.0.0.1:8888/scheduler");
    }
}
