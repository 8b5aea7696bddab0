package io.evenkeel.model;

import io.evenkeel.model.value.Labels;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An object's metadata, as scheduling reads it. Like a record, but for the {@link #key}, by which an object is looked up
 * in several places each time that news of it come: it is put together, and hashed, once.
 *
 * @since 0.1
 */
public final class ObjectMeta {
    private final String namespace;
    private final String name;
    private final String uid;
    private final Labels labels;
    private final Labels annotations;
    private final Optional<OwnerReference> controller;
    private final boolean terminating;
    private final String resourceVersion;
    private final long generation;
    private final String created;

    /** Threads that race to set it set equal strings, which have final fields. */
    private @Nullable String key;

    /**
     * Metadata as a server has it.
     *
     * @param namespace empty for objects that live in no namespace
     * @param annotations the ones that scheduling reads
     * @param controller the owner reference that has {@code controller: true}
     * @param terminating whether a deletionTimestamp is set
     * @param resourceVersion changes with every write, also of fields that scheduling does not read; empty where unknown
     * @param generation counts the changes of the spec; 0 where the kind has none
     */
    public ObjectMeta(
            String namespace,
            String name,
            String uid,
            Labels labels,
            Labels annotations,
            Optional<OwnerReference> controller,
            boolean terminating,
            String resourceVersion,
            long generation) {
        this(namespace, name, uid, labels, annotations, controller, terminating, resourceVersion, generation, "");
    }

    private ObjectMeta(
            String namespace,
            String name,
            String uid,
            Labels labels,
            Labels annotations,
            Optional<OwnerReference> controller,
            boolean terminating,
            String resourceVersion,
            long generation,
            String created) {
        this.namespace = namespace;
        this.name = name;
        this.uid = uid;
        this.labels = labels;
        this.annotations = annotations;
        this.controller = controller;
        this.terminating = terminating;
        this.resourceVersion = resourceVersion;
        this.generation = generation;
        this.created = created;
    }

    /** Metadata of an object that no server has seen. */
    public ObjectMeta(
            String namespace,
            String name,
            String uid,
            Labels labels,
            Optional<OwnerReference> controller,
            boolean terminating) {
        this(namespace, name, uid, labels, Labels.EMPTY, controller, terminating, "", 0);
    }

    public static ObjectMeta named(String namespace, String name) {
        return new ObjectMeta(namespace, name, "", Labels.EMPTY, Optional.empty(), false);
    }

    public String namespace() {
        return namespace;
    }

    public String name() {
        return name;
    }

    public String uid() {
        return uid;
    }

    public Labels labels() {
        return labels;
    }

    public Labels annotations() {
        return annotations;
    }

    public Optional<OwnerReference> controller() {
        return controller;
    }

    public boolean terminating() {
        return terminating;
    }

    public String resourceVersion() {
        return resourceVersion;
    }

    /** Whether it is known to be of this version. */
    public boolean isOfVersion(String version) {
        return !version.isEmpty() && version.equals(resourceVersion);
    }

    public long generation() {
        return generation;
    }

    /** When the object was made, as RFC 3339 has it; empty where its kind is read without it. */
    public String created() {
        return created;
    }

    /** {@code namespace/name}, or the bare name outside of namespaces. */
    public String key() {
        String made = key;
        if (made == null) {
            made = namespace.isEmpty() ? name : namespace + "/" + name;
            key = made;
        }
        return made;
    }

    public ObjectMeta inNamespace(String newNamespace) {
        return copy(newNamespace, labels, annotations, terminating, resourceVersion, generation, created);
    }

    /** Returns these for another object, which no server has seen. */
    public ObjectMeta ofAnother(String newName) {
        return new ObjectMeta(namespace, newName, "", labels, annotations, controller, terminating, "", generation);
    }

    public ObjectMeta withLabels(Labels newLabels) {
        return copy(namespace, newLabels, annotations, terminating, resourceVersion, generation, created);
    }

    public ObjectMeta withAnnotations(Labels newAnnotations) {
        return copy(namespace, labels, newAnnotations, terminating, resourceVersion, generation, created);
    }

    public ObjectMeta withTerminating(boolean nowTerminating) {
        return copy(namespace, labels, annotations, nowTerminating, resourceVersion, generation, created);
    }

    public ObjectMeta withVersion(String newResourceVersion, long newGeneration) {
        return copy(namespace, labels, annotations, terminating, newResourceVersion, newGeneration, created);
    }

    public ObjectMeta withCreated(String newCreated) {
        return copy(namespace, labels, annotations, terminating, resourceVersion, generation, newCreated);
    }

    private ObjectMeta copy(
            String itsNamespace,
            Labels itsLabels,
            Labels itsAnnotations,
            boolean isTerminating,
            String itsVersion,
            long itsGeneration,
            String itsCreated) {
        return new ObjectMeta(
                itsNamespace,
                name,
                uid,
                itsLabels,
                itsAnnotations,
                controller,
                isTerminating,
                itsVersion,
                itsGeneration,
                itsCreated);
    }

    /** Whether the two differ in no more than their version and generation. */
    public boolean equalsButForVersion(ObjectMeta that) {
        return namespace.equals(that.namespace)
                && name.equals(that.name)
                && uid.equals(that.uid)
                && labels.equals(that.labels)
                && annotations.equals(that.annotations)
                && controller.equals(that.controller)
                && terminating == that.terminating
                && created.equals(that.created);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ObjectMeta that
                && equalsButForVersion(that)
                && resourceVersion.equals(that.resourceVersion)
                && generation == that.generation;
    }

    @Override
    public int hashCode() {
        return 31 * key().hashCode() + uid.hashCode();
    }

    @Override
    public String toString() {
        return "ObjectMeta[namespace=" + namespace + ", name=" + name + ", uid=" + uid + ", labels=" + labels
                + ", annotations=" + annotations + ", controller=" + controller + ", terminating=" + terminating
                + ", resourceVersion="
                + resourceVersion + ", generation=" + generation
                + (created.isEmpty() ? "" : ", created=" + created) + "]";
    }
}
