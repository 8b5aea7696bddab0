package io.evenkeel.model.build;

import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.value.Labels;
import java.util.Map;
import java.util.Optional;

/** The part of a builder that every object has: its metadata. */
abstract sealed class ObjectMetaBuilder<B extends ObjectMetaBuilder<B>> permits NodeBuilder, PodBuilder {
    private String namespace;
    private String name;
    private String uid;
    private Labels labels;
    private Labels annotations;
    private Optional<OwnerReference> controller;
    private boolean terminating;
    private String resourceVersion;
    private long generation;

    ObjectMetaBuilder(ObjectMeta meta) {
        namespace = meta.namespace();
        name = meta.name();
        uid = meta.uid();
        labels = meta.labels();
        annotations = meta.annotations();
        controller = meta.controller();
        terminating = meta.terminating();
        resourceVersion = meta.resourceVersion();
        generation = meta.generation();
    }

    abstract B self();

    final ObjectMeta buildMeta() {
        return new ObjectMeta(
                namespace, name, uid, labels, annotations, controller, terminating, resourceVersion, generation);
    }

    /** Replaces all metadata. */
    public B meta(ObjectMeta meta) {
        namespace = meta.namespace();
        uid(meta.uid()).labels(meta.labels()).terminating(meta.terminating());
        annotations = meta.annotations();
        controller = meta.controller();
        version(meta.resourceVersion(), meta.generation());
        return name(meta.name());
    }

    public B namespace(String newNamespace) {
        namespace = newNamespace;
        return self();
    }

    public B name(String newName) {
        name = newName;
        return self();
    }

    public B uid(String newUid) {
        uid = newUid;
        return self();
    }

    public B label(String key, String value) {
        return labels(labels.with(key, value));
    }

    /** Replaces all labels. */
    public B labels(Labels newLabels) {
        labels = newLabels;
        return self();
    }

    public B withoutLabel(String key) {
        Map<String, String> rest = labels.asMap();
        rest.remove(key);
        return labels(Labels.of(rest));
    }

    public B annotation(String key, String value) {
        annotations = annotations.with(key, value);
        return self();
    }

    public B controller(OwnerReference owner) {
        controller = Optional.of(owner);
        return self();
    }

    public B version(String newResourceVersion, long newGeneration) {
        resourceVersion = newResourceVersion;
        generation = newGeneration;
        return self();
    }

    public B terminating(boolean nowTerminating) {
        terminating = nowTerminating;
        return self();
    }
}
