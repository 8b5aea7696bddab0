package io.evenkeel.model;

import io.evenkeel.model.value.Labels;

/**
 * A Service: default spreading derives a pod's selector from the Services that select it.
 *
 * @param selector empty where the Service selects nothing (its endpoints are kept by hand)
 */
public record Service(ObjectMeta meta, Labels selector) implements KubernetesObject {
    @Override
    public String kindName() {
        return "Service";
    }
}
