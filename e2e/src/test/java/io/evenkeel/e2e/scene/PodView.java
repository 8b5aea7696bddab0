package io.evenkeel.e2e.scene;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.evenkeel.model.json.Trees;
import java.util.List;
import java.util.Optional;

/** A pod, as the server shows it; nodes go by their names in the scene. */
public record PodView(JsonObject tree, String nodePrefix) {

    public String name() {
        return Trees.text(tree, "metadata", "name");
    }

    public String uid() {
        return Trees.text(tree, "metadata", "uid");
    }

    public Optional<String> node() {
        String node = Trees.text(tree, "spec", "nodeName");
        return node.isEmpty()
                ? Optional.empty()
                : Optional.of(node.startsWith(nodePrefix) ? node.substring(nodePrefix.length()) : node);
    }

    /** The condition PodScheduled, or an empty object. */
    public JsonObject scheduled() {
        return Trees.objects(tree, "status", "conditions").stream()
                .filter(condition -> Trees.text(condition, "type").equals("PodScheduled"))
                .findFirst()
                .orElseGet(JsonObject::new);
    }

    public String reason() {
        return Trees.text(scheduled(), "reason");
    }

    public String message() {
        return Trees.text(scheduled(), "message");
    }

    void assertRejected(int nodes, boolean others, List<String> reasons) {
        assertThat(reason()).isEqualTo("Unschedulable");
        String message = "0/" + nodes + " nodes are available: ";
        if (others) {
            assertThat(message()).startsWith(message).contains(reasons);
        } else {
            assertThat(message())
                    .startsWith(message + String.join(", ", reasons) + ". ")
                    .contains(" preemption: " + message);
        }
    }
}
