package io.evenkeel.hollow.controller;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The labels of the nodes from which a volume can be reached; none for all nodes. */
record Topology(SortedMap<String, String> labels) {

    /** How far a class's volumes reach, by its parameter {@code topology}. */
    enum Kind {
        ZONE("topology.kubernetes.io/zone"),
        HOSTNAME("kubernetes.io/hostname"),
        NONE("");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        static Kind of(String parameter) throws ProvisioningFailure {
            return switch (parameter) {
                case "", "zone" -> ZONE;
                case "hostname" -> HOSTNAME;
                case "none" -> NONE;
                default ->
                    throw new ProvisioningFailure(
                            "the parameter topology is '%s', not zone, hostname or none".formatted(parameter));
            };
        }
    }

    /** Around a node, which must be one that the class allows. A node without the label reaches what all reach. */
    static Topology around(StoredObject node, Kind kind, StorageClass storageClass) throws ProvisioningFailure {
        List<JsonObject> allowed = storageClass.allowedTopologies();
        if (!allowed.isEmpty() && allowed.stream().noneMatch(term -> allows(term, node))) {
            throw new ProvisioningFailure("node %s is not in the allowed topologies"
                    .formatted(node.key().name()));
        }
        SortedMap<String, String> labels = new TreeMap<>();
        Optional.of(label(node, kind.label))
                .filter(value -> !value.isEmpty())
                .ifPresent(value -> labels.put(kind.label, value));
        return new Topology(labels);
    }

    /** Where no node is asked for: the first that the class allows, else anywhere. */
    static Topology anywhere(Kind kind, StorageClass storageClass) {
        SortedMap<String, String> labels = new TreeMap<>();
        if (kind != Kind.NONE) {
            storageClass.allowedTopologies().stream()
                    .limit(1)
                    .flatMap(term -> expressions(term).stream())
                    .forEach(expression -> Trees.texts(expression, "values").stream()
                            .findFirst()
                            .ifPresent(value -> labels.put(Trees.text(expression, "key"), value)));
        }
        return new Topology(labels);
    }

    /** As a volume says it; empty where all nodes will do. */
    Optional<JsonObject> nodeAffinity() {
        if (labels.isEmpty()) {
            return Optional.empty();
        }
        JsonArray expressions = new JsonArray();
        for (Map.Entry<String, String> label : labels.entrySet()) {
            JsonObject expression = new JsonObject();
            expression.addProperty("key", label.getKey());
            expression.addProperty("operator", "In");
            Trees.ensureArray(expression, "values").add(label.getValue());
            expressions.add(expression);
        }
        JsonObject term = new JsonObject();
        term.add("matchExpressions", expressions);
        JsonObject affinity = new JsonObject();
        Trees.ensureArray(Trees.ensureObject(affinity, "required"), "nodeSelectorTerms")
                .add(term);
        return Optional.of(affinity);
    }

    private static boolean allows(JsonObject term, StoredObject node) {
        return expressions(term).stream()
                .allMatch(expression ->
                        Trees.texts(expression, "values").contains(label(node, Trees.text(expression, "key"))));
    }

    private static List<JsonObject> expressions(JsonObject term) {
        return Trees.objects(term, "matchLabelExpressions");
    }

    private static String label(StoredObject node, String name) {
        return Trees.text(node.tree(), "metadata", "labels", name);
    }
}
