package io.evenkeel.model.decode;

import io.evenkeel.model.Annotations;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.OwnerReference;
import java.util.Optional;

/** The table of {@code metadata}, which every object has as field 1. Objects of a workload have the same labels. */
public final class Metadata {
    private static final Message<Optional<OwnerReference>> CONTROLLER = Message.<Optional<OwnerReference>>of(fields -> {
                var kind = fields.string("kind", 1);
                var name = fields.string("name", 3);
                var uid = fields.string("uid", 4);
                var apiVersion = fields.string("apiVersion", 5);
                var controller = fields.bool("controller", 6, false);
                return read -> read.get(controller)
                        ? Optional.of(
                                new OwnerReference(read.get(apiVersion), read.get(kind), read.get(name), read.get(uid)))
                        : Optional.empty();
            })
            .shared();

    /** All of its rows. */
    public static final Message<ObjectMeta> TABLE = Message.inParts(fields -> {
        var name = fields.uniqueString("name", 1).apart();
        var namespace = fields.string("namespace", 3).apart();
        var uid = fields.uniqueString("uid", 5).apart();
        var resourceVersion = fields.uniqueString("resourceVersion", 6).apart();
        var generation = fields.int64("generation", 7, 0).apart();
        var deleted = fields.time("deletionTimestamp", 9).apart();
        var labels = fields.labels("labels", 11);
        var annotations = fields.keptEntries("annotations", 12, Annotations.ALL).apart();
        var controller = fields.merged(
                        "ownerReferences", 13, CONTROLLER, Optional.empty(), (a, b) -> a.isPresent() ? a : b)
                .apart();
        return new Parts<>(
                read -> read.get(labels),
                (alike, read) -> new ObjectMeta(
                        read.get(namespace),
                        read.get(name),
                        read.get(uid),
                        alike,
                        read.get(annotations),
                        read.get(controller),
                        !read.get(deleted).isEmpty(),
                        read.get(resourceVersion),
                        read.get(generation)));
    });

    /** The row of it that is the first of every object's table. */
    public static final Field<ObjectMeta> FIELD =
            new Field<>("metadata", 1, 0, new MessageType<>(TABLE), ObjectMeta.named("", ""));

    /** The table of an object of which nothing else is read. */
    public static final Message<ObjectMeta> IDENTITY = Message.ofObject(_ -> read -> read.get(FIELD));

    private Metadata() {}

    /** What has been read so far: no field is required. */
    public static ObjectMeta ofWhatIsThere(Values values) {
        return TABLE.make(values);
    }
}
