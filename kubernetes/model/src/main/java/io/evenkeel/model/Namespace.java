package io.evenkeel.model;

/**
 * A namespace: affinity terms select namespaces by label.
 *
 * @since 0.1
 */
public record Namespace(ObjectMeta meta) implements KubernetesObject {
    @Override
    public String kindName() {
        return "Namespace";
    }
}
