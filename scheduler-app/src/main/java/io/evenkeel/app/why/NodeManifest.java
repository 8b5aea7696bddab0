package io.evenkeel.app.why;

import io.evenkeel.model.Node;
import io.evenkeel.model.Taint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A node as the API has it, with what scheduling reads of it, as maps and lists. */
final class NodeManifest {
    private NodeManifest() {}

    static Map<String, Object> of(Node node) {
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("name", node.name());
        metadata.put("labels", new TreeMap<String, Object>(node.labels().asMap()));
        Map<String, Object> spec = new LinkedHashMap<>();
        if (node.unschedulable()) {
            spec.put("unschedulable", true);
        }
        if (!node.taints().isEmpty()) {
            spec.put("taints", taints(node));
        }
        Map<String, Object> status = new LinkedHashMap<>();
        Map<String, Object> amounts = new TreeMap<>();
        node.allocatable().forEach((resource, amount) -> amounts.put(resource, amount.toString()));
        status.put("capacity", amounts);
        status.put("allocatable", amounts);
        if (!node.declaredFeatures().isEmpty()) {
            status.put("declaredFeatures", List.copyOf(node.declaredFeatures()));
        }
        Map<String, Object> manifest = new LinkedHashMap<>();
        manifest.put("apiVersion", "v1");
        manifest.put("kind", "Node");
        manifest.put("metadata", metadata);
        manifest.put("spec", spec);
        manifest.put("status", status);
        return manifest;
    }

    private static List<Object> taints(Node node) {
        List<Object> taints = new ArrayList<>();
        for (Taint taint : node.taints()) {
            Map<String, Object> written = new LinkedHashMap<>();
            written.put("key", taint.key());
            if (!taint.value().isEmpty()) {
                written.put("value", taint.value());
            }
            written.put("effect", taint.effect().apiName());
            taints.add(written);
        }
        return taints;
    }
}
