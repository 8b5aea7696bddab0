package io.evenkeel.model.constraint;

import io.evenkeel.model.value.LabelSelector;
import java.util.List;

/**
 * Pods, chosen by label and namespace, and the topology key that tells what "near" means.
 *
 * @param namespaces empty together with a {@link LabelSelector#NOTHING} namespaceSelector: the pod's own namespace
 * @param namespaceSelector {@link LabelSelector#NOTHING} where absent
 */
public record PodAffinityTerm(
        LabelSelector labelSelector, String topologyKey, List<String> namespaces, LabelSelector namespaceSelector) {}
