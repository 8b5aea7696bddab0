package io.evenkeel.model;

import java.util.Optional;

/**
 * What scheduling reads of an object's metadata.
 *
 * @param namespace empty for objects that live in no namespace
 * @param controller the owner reference that has {@code controller: true}
 * @param terminating whether a deletionTimestamp is set
 */
public record ObjectMeta(
        String namespace,
        String name,
        String uid,
        Labels labels,
        Optional<OwnerReference> controller,
        boolean terminating) {

    public static ObjectMeta named(String namespace, String name) {
        return new ObjectMeta(namespace, name, "", Labels.EMPTY, Optional.empty(), false);
    }

    public ObjectMeta withLabels(Labels newLabels) {
        return new ObjectMeta(namespace, name, uid, newLabels, controller, terminating);
    }

    public ObjectMeta withTerminating(boolean nowTerminating) {
        return new ObjectMeta(namespace, name, uid, labels, controller, nowTerminating);
    }

    /** {@code namespace/name}, or the bare name outside of namespaces. */
    public String key() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
