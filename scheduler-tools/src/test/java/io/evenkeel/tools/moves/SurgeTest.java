package io.evenkeel.tools.moves;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.json.Trees;
import io.evenkeel.whatif.moves.MoveRun.EvictionAnswer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A Deployment of three pods, of which one is to move. */
class SurgeTest {
    private static final String PATH = "/apis/apps/v1/namespaces/default/deployments/web";

    private JsonObject deployment = deployment("");
    private JsonObject pod = new JsonObject();
    private String autoscalers = "{\"items\": []}";
    private final List<String> evicted = new ArrayList<>();
    /** What becomes of patches: whether they are done, and answered. */
    private boolean isDone = true;

    private boolean isAnswered = true;
    private final ScriptedTransport server = new ScriptedTransport(this::answer);
    private final Pod moved = PodBuilder.pod("web-0").uid("u-0").build();
    private Surge surge = surge();

    private Surge surge() {
        return new Surge(
                server,
                _ -> Optional.of(new OwnerReference("apps/v1", "Deployment", "web", "d")),
                new Evictor.ByApi(server));
    }

    private static JsonObject deployment(String annotation) {
        return Trees.parse("""
            {"metadata": {"name": "web", "namespace": "default", "uid": "d", "resourceVersion": "7", "generation": 2,
              "annotations": {%s}},
             "spec": {"replicas": 3},
             "status": {"replicas": 3, "updatedReplicas": 3, "availableReplicas": 3, "observedGeneration": 2}}""".formatted(annotation));
    }

    private ApiAnswer answer(ApiCall call) throws IOException {
        if (call.path().endsWith("/eviction")) {
            evicted.add(call.path());
            return Answers.of(201, "");
        }
        if (call.path().contains("horizontalpodautoscalers")) {
            return autoscalers.isEmpty() ? Answers.of(403, "{\"code\": 403}") : Answers.of(200, autoscalers);
        }
        if (call.method().equals("GET")) {
            return Answers.of(
                    200, call.path().equals(PATH) ? deployment.toString() : "{\"items\": [" + deployment + "]}");
        }
        JsonObject patch = Trees.parse(call.body().orElseThrow().content());
        if (call.path().equals(PATH)) {
            String seen = Trees.text(patch, "metadata", "resourceVersion");
            if (!seen.equals(Trees.text(deployment, "metadata", "resourceVersion"))) {
                return Answers.of(409, "{\"code\": 409}");
            }
        }
        if (isDone) {
            JsonObject patched = call.path().equals(PATH) ? deployment : pod;
            merge(patched, patch);
            Trees.ensureObject(patched, "metadata")
                    .addProperty(
                            "resourceVersion", Integer.toString(server.calls().size()));
        }
        if (!isAnswered) {
            throw new IOException("reset");
        }
        return Answers.of(200, "{}");
    }

    private static void merge(JsonObject into, JsonObject patch) {
        for (var member : patch.entrySet()) {
            JsonElement value = member.getValue();
            if (value.isJsonNull()) {
                into.remove(member.getKey());
            } else if (value.isJsonObject()) {
                merge(Trees.ensureObject(into, member.getKey()), value.getAsJsonObject());
            } else {
                into.add(member.getKey(), value);
            }
        }
    }

    private long replicas() {
        return Trees.number(deployment, "spec", "replicas").orElseThrow();
    }

    private String note() {
        return Trees.text(deployment, "metadata", "annotations", "evenkeel.io/surge");
    }

    private void scale(long replicas) {
        Trees.ensureObject(deployment, "spec").addProperty("replicas", replicas);
        Trees.ensureObject(deployment, "metadata").addProperty("resourceVersion", "by-others");
    }

    @Test
    void aPodMoreComesAndThenTheOneThatMovesIsTheFirstToGo() {
        assertThat(surge.evict(moved, false)).isEqualTo(new EvictionAnswer.Asked());
        assertThat(replicas()).isEqualTo(4);
        assertThat(note()).isEqualTo("3 u-0");

        assertThat(surge.evict(moved, false)).isInstanceOf(EvictionAnswer.NotNow.class);
        assertThat(replicas()).isEqualTo(4);

        assertThat(surge.evict(moved, true)).isEqualTo(new EvictionAnswer.Accepted());
        assertThat(replicas()).isEqualTo(3);
        assertThat(note()).isEmpty();
        assertThat(Trees.text(pod, "metadata", "annotations", "controller.kubernetes.io/pod-deletion-cost"))
                .isEqualTo("-2147483648");
        assertThat(evicted).isEmpty();
    }

    @Test
    void whoLeadsNextTakesBackWhatTheLastOneLeft() {
        surge.evict(moved, false);
        surge = surge();

        assertThat(surge.sweep()).isTrue();
        assertThat(replicas()).isEqualTo(3);
        assertThat(note()).isEmpty();
    }

    @Test
    void whatNobodyHeardOfIsTakenBackToo() {
        isAnswered = false;
        assertThat(surge.evict(moved, false)).isInstanceOf(EvictionAnswer.NotNow.class);
        assertThat(replicas()).isEqualTo(4);

        surge.withdraw(moved);
        isAnswered = true;
        surge.tidy();
        assertThat(replicas()).isEqualTo(3);
        assertThat(note()).isEmpty();
    }

    @Test
    void whatOthersHaveScaledSinceStaysAsTheyWantIt() {
        surge.evict(moved, false);
        scale(6);

        surge.withdraw(moved);
        assertThat(replicas()).isEqualTo(6);
        assertThat(note()).isEmpty();
    }

    @Test
    void whatHasChangedSinceItWasLookedAtIsNotScaled() {
        server.nowAnswers(call -> {
            ApiAnswer answer = answer(call);
            if (call.method().equals("GET") && call.path().equals(PATH)) {
                scale(5);
            }
            return answer;
        });
        assertThat(surge.evict(moved, false)).isInstanceOf(EvictionAnswer.NotNow.class);
        assertThat(replicas()).isEqualTo(5);
        assertThat(note()).isEmpty();
    }

    @Test
    void whatOthersScaleOrKeepOrIsNotAtRestIsEvictedFrom() {
        autoscalers = """
            {"items": [{"metadata": {"name": "h"}, "spec": {"scaleTargetRef": {"kind": "Deployment", "name": "web"}}}]}""";
        evictedWithoutSurge();
        autoscalers = "";
        evictedWithoutSurge();
        autoscalers = "{\"items\": []}";
        deployment = deployment("\"argocd.argoproj.io/tracking-id\": \"shop\"");
        evictedWithoutSurge();
        deployment = deployment("");
        Trees.ensureObject(deployment, "status").addProperty("availableReplicas", 2);
        evictedWithoutSurge();
    }

    private void evictedWithoutSurge() {
        evicted.clear();
        assertThat(surge.evict(moved, false)).isEqualTo(new EvictionAnswer.Accepted());
        assertThat(evicted).hasSize(1);
        assertThat(replicas()).isEqualTo(3);
    }
}
