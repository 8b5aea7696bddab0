package io.evenkeel.cluster;

import io.evenkeel.model.Labels;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The labels of the namespaces that exist. */
public final class Namespaces {
    private final Map<String, Labels> labels = new HashMap<>();

    /** Empty where there is no such namespace. */
    public Optional<Labels> labelsOf(String namespace) {
        return Optional.ofNullable(labels.get(namespace));
    }

    Map<String, Labels> all() {
        return labels;
    }

    void put(String namespace, Labels newLabels) {
        labels.put(namespace, newLabels);
    }

    void remove(String namespace) {
        labels.remove(namespace);
    }
}
