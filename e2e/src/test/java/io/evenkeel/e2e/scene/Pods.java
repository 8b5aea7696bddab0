package io.evenkeel.e2e.scene;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A scene's pods at one moment. */
public record Pods(List<PodView> all) {

    static Pods of(List<JsonObject> trees, String nodePrefix) {
        return new Pods(
                trees.stream().map(tree -> new PodView(tree, nodePrefix)).toList());
    }

    /** Nodes of the pods that have one. */
    public Map<String, String> placements() {
        return all.stream()
                .filter(pod -> pod.node().isPresent())
                .collect(Collectors.toMap(PodView::name, pod -> pod.node().orElseThrow()));
    }

    public void assertBound(String... names) {
        assertThat(placements()).containsKeys(names);
    }
}
