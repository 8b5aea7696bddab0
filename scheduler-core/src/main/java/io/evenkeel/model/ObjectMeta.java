package io.evenkeel.model;

import io.evenkeel.model.value.Labels;
import java.util.Optional;

/**
 * What scheduling reads of an object's metadata.
 *
 * @param namespace empty for objects that live in no namespace
 * @param controller the owner reference that has {@code controller: true}
 * @param terminating whether a deletionTimestamp is set
 * @param resourceVersion changes with every write, also with those that scheduling does not read; empty where unknown
 * @param generation counts the changes of the spec; 0 where the kind has none
 */
public record ObjectMeta(
        String namespace,
        String name,
        String uid,
        Labels labels,
        Optional<OwnerReference> controller,
        boolean terminating,
        String resourceVersion,
        long generation) {

    /** Metadata of an object that no server has seen. */
    public ObjectMeta(
            String namespace,
            String name,
            String uid,
            Labels labels,
            Optional<OwnerReference> controller,
            boolean terminating) {
        this(namespace, name, uid, labels, controller, terminating, "", 0);
    }

    public static ObjectMeta named(String namespace, String name) {
        return new ObjectMeta(namespace, name, "", Labels.EMPTY, Optional.empty(), false);
    }

    public ObjectMeta inNamespace(String newNamespace) {
        return new ObjectMeta(newNamespace, name, uid, labels, controller, terminating, resourceVersion, generation);
    }

    public ObjectMeta withLabels(Labels newLabels) {
        return new ObjectMeta(namespace, name, uid, newLabels, controller, terminating, resourceVersion, generation);
    }

    public ObjectMeta withTerminating(boolean nowTerminating) {
        return new ObjectMeta(namespace, name, uid, labels, controller, nowTerminating, resourceVersion, generation);
    }

    public ObjectMeta withVersion(String newResourceVersion, long newGeneration) {
        return new ObjectMeta(namespace, name, uid, labels, controller, terminating, newResourceVersion, newGeneration);
    }

    /** {@code namespace/name}, or the bare name outside of namespaces. */
    public String key() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
