package io.evenkeel.policies;

import io.evenkeel.model.Pod;
import io.evenkeel.model.value.LabelRequirement;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.SelectorText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Pods of a policy that count one another.
 *
 * @param namespace theirs, where each namespace counts for itself
 * @param labels by which they are told from others
 */
record PodKind(Optional<String> namespace, List<LabelRequirement> labels) {
    static final PodKind ALL = new PodKind(Optional.empty(), List.of());

    /** A key that the pod does not have tells it apart from no other. */
    static PodKind of(Pod pod, boolean byNamespace, List<String> labelKeys) {
        List<LabelRequirement> labels = labelKeys.isEmpty() ? List.of() : new ArrayList<>(labelKeys.size());
        for (int i = 0; i < labelKeys.size(); i++) {
            String key = labelKeys.get(i);
            if (pod.labels().has(key)) {
                labels.add(LabelRequirement.equalTo(key, pod.labels().getOrDefault(key, "")));
            }
        }
        return new PodKind(byNamespace ? Optional.of(pod.namespace()) : Optional.empty(), labels);
    }

    /** Tells them from the policy's other pods; empty where nothing does. */
    String inWords() {
        String told = labels.isEmpty() ? "" : " with " + SelectorText.of(LabelSelector.of(labels));
        return told + namespace.map(own -> " of namespace " + own).orElse("");
    }
}
