package io.evenkeel.tools.moves;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.whatif.moves.MoveRun.EvictionAnswer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** EvictionRequests as Kubernetes 1.37 has them. */
class EvictorTest {
    private static final String REQUESTS = "/apis/lifecycle.k8s.io/v1alpha1/namespaces/default/evictionrequests";
    private static final String SERVED = """
        {"kind": "APIResourceList", "groupVersion": "lifecycle.k8s.io/v1alpha1", "resources": [
         {"name": "evictions", "kind": "Eviction"}, {"name": "evictionrequests", "kind": "EvictionRequest"}]}""";

    private final Map<String, String> requests = new LinkedHashMap<>();
    private boolean isServed = true;
    private boolean isDown;
    private final ScriptedTransport server = new ScriptedTransport(this::answer);
    private final Evictor evictor = new Evictor.ByRequests(server, new Evictor.ByApi(server));
    private final Pod pod = PodBuilder.pod("web-0").uid("u-0").build();

    private ApiAnswer answer(ApiCall call) {
        if (isDown) {
            return Answers.of(503, "{\"kind\": \"Status\", \"code\": 503}");
        }
        if (call.path().equals("/apis/lifecycle.k8s.io/v1alpha1")) {
            return isServed ? Answers.of(200, SERVED) : Answers.of(404, "{\"kind\": \"Status\", \"code\": 404}");
        }
        if (call.path().equals("/api/v1/namespaces/default/pods/web-0/eviction")) {
            return Answers.of(201, "");
        }
        if (call.path().startsWith("/apis/lifecycle.k8s.io/v1alpha1/evictionrequests?labelSelector=")) {
            return Answers.of(200, "{\"items\": [" + String.join(", ", requests.values()) + "]}");
        }
        String name = call.path().substring(call.path().lastIndexOf('/') + 1);
        return switch (call.method()) {
            case "POST" -> {
                requests.put("evenkeel-u-0", call.body().orElseThrow().content());
                yield Answers.of(201, "");
            }
            case "DELETE" -> Answers.of(requests.remove(name) == null ? 404 : 200, "");
            default -> Answers.of(200, requests.get(name));
        };
    }

    private void status(String type, String reason) {
        requests.put("evenkeel-u-0", """
            {"status": {"conditions": [{"type": "%s", "status": "True", "reason": "%s", "message": "told"}]}}
            """.formatted(type, reason));
    }

    @Test
    void aRequestNamesThePodAndWhoAsks() {
        assertThat(evictor.evict(pod, false)).isEqualTo(new EvictionAnswer.Asked());

        assertThat(requests).containsExactly(Map.entry("evenkeel-u-0", """
            {"apiVersion":"lifecycle.k8s.io/v1alpha1","kind":"EvictionRequest","metadata":{"name":"evenkeel-u-0",\
            "namespace":"default","labels":{"evenkeel.io/rebalance":"true"},"ownerReferences":[{"apiVersion":"v1",\
            "kind":"Pod","name":"web-0","uid":"u-0"}]},"spec":{"requester":"evenkeel.io/rebalance","intent":"Eviction",\
            "target":{"pod":{"name":"web-0","uid":"u-0"}}}}"""));
    }

    @Test
    void howFarItHasComeIsReadFromItsConditions() {
        evictor.evict(pod, false);

        assertThat(evictor.evict(pod, false)).isInstanceOf(EvictionAnswer.NotNow.class);
        status("Failed", "EvictionInvalid");
        assertThat(evictor.evict(pod, false))
                .isEqualTo(new EvictionAnswer.Never("its EvictionRequest has failed: EvictionInvalid told"));
        status("TargetEvicted", "PodDeleted");
        assertThat(evictor.evict(pod, false)).isEqualTo(new EvictionAnswer.Gone());
    }

    /** So it is told of an eviction that others have given up, until there is a new one. */
    @ParameterizedTest
    @ValueSource(strings = {"CanceledDueToNoRequesters", "NoFurtherResponder"})
    void anEvictionThatFailedBeforeIsBegunAnew(String reason) {
        evictor.evict(pod, false);
        status("Failed", reason);

        assertThat(evictor.evict(pod, false))
                .isEqualTo(new EvictionAnswer.NotNow(
                        "its EvictionRequest has failed: " + reason + " told", Optional.empty()));
    }

    @Test
    void whatIsWithdrawnIsDeletedAsSoonAsTheServerHears() {
        evictor.evict(pod, false);
        isDown = true;
        evictor.withdraw(pod);
        assertThat(requests).hasSize(1);

        isDown = false;
        evictor.tidy();
        assertThat(requests).isEmpty();
    }

    @Test
    void whatAnotherLeaderLeftBehindIsDeleted() {
        evictor.evict(pod, false);
        requests.put("evenkeel-u-0", "{\"metadata\": {\"namespace\": \"default\", \"name\": \"evenkeel-u-0\"}}");
        requests.put("evenkeel-u-9", "{\"metadata\": {\"namespace\": \"default\", \"name\": \"evenkeel-u-9\"}}");
        isDown = true;
        assertThat(evictor.sweep()).isFalse();

        isDown = false;
        assertThat(evictor.sweep()).isTrue();
        assertThat(requests).containsOnlyKeys("evenkeel-u-0");
        assertThat(server.calls().getLast().path()).isEqualTo(REQUESTS + "/evenkeel-u-9");
    }

    @Test
    void whereThereIsNoSuchKindPodsAreEvictedAtOnce() {
        isServed = false;

        assertThat(evictor.sweep()).isTrue();
        assertThat(evictor.evict(pod, false)).isEqualTo(new EvictionAnswer.Accepted());
    }
}
