package io.evenkeel.model.decode;

import io.evenkeel.model.Annotations;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.decode.Fields.MessageType;
import io.evenkeel.model.value.Labels;
import java.util.Optional;

/**
 * The table of {@code metadata}, which every object has as field 1. Objects of a workload have the same labels.
 *
 * @since 0.1
 */
public final class Metadata {
    private static final Message<Optional<OwnerReference>> CONTROLLER = Message.<Optional<OwnerReference>>of(fields -> {
                var kind = fields.string("kind", 1)
                        .from((Optional<OwnerReference> owner) ->
                                owner.map(OwnerReference::kind).orElse(""));
                var name = fields.string("name", 3)
                        .from((Optional<OwnerReference> owner) ->
                                owner.map(OwnerReference::name).orElse(""));
                var uid = fields.string("uid", 4)
                        .from((Optional<OwnerReference> owner) ->
                                owner.map(OwnerReference::uid).orElse(""));
                var apiVersion = fields.string("apiVersion", 5)
                        .from((Optional<OwnerReference> owner) ->
                                owner.map(OwnerReference::apiVersion).orElse(""));
                var controller =
                        fields.bool("controller", 6, false).from((Optional<OwnerReference> owner) -> owner.isPresent());
                return read -> read.get(controller)
                        ? Optional.of(
                                new OwnerReference(read.get(apiVersion), read.get(kind), read.get(name), read.get(uid)))
                        : Optional.empty();
            })
            .shared();

    public static final Message<ObjectMeta> TABLE = Message.inParts(Metadata::parts);

    /** With the time at which the object was made, which few kinds are read for; all rows of the other come first. */
    public static final Message<ObjectMeta> AGED_TABLE = Message.inParts(fields -> {
        Parts<Labels, ObjectMeta> parts = parts(fields);
        var created = fields.timeOrNone("creationTimestamp", 8)
                .from(ObjectMeta::created)
                .apart();
        return new Parts<>(
                parts.alike(), (alike, read) -> parts.whole().apply(alike, read).withCreated(read.get(created)));
    });

    /** The row of it that is the first of every object's table. */
    public static final Field<ObjectMeta> FIELD = field(TABLE);

    /** The first row instead of it, of kinds that are read for when their objects were made. */
    public static final Field<ObjectMeta> AGED_FIELD = field(AGED_TABLE);

    /** The table of an object that is read for its metadata only. */
    public static final Message<ObjectMeta> IDENTITY = Message.ofObject(_ -> read -> read.get(FIELD));

    private static final Message<ObjectMeta> AGED_IDENTITY =
            Message.ofObject(AGED_FIELD, _ -> read -> read.get(AGED_FIELD));

    private Metadata() {}

    private static Parts<Labels, ObjectMeta> parts(Fields fields) {
        var name = fields.uniqueString("name", 1).from(ObjectMeta::name).apart();
        var namespace =
                fields.string("namespace", 3).from(ObjectMeta::namespace).apart();
        var uid = fields.uniqueString("uid", 5).from(ObjectMeta::uid).apart();
        var resourceVersion = fields.uniqueString("resourceVersion", 6)
                .from(ObjectMeta::resourceVersion)
                .apart();
        var generation =
                fields.int64("generation", 7, 0).from(ObjectMeta::generation).apart();
        var deleted = fields.time("deletionTimestamp", 9)
                .from((ObjectMeta meta) -> meta.terminating() ? Rfc3339.ofEpochSecond(0) : "")
                .apart();
        var labels = fields.labels("labels", 11).from(ObjectMeta::labels);
        var annotations = fields.keptEntries("annotations", 12, Annotations.ALL)
                .from(ObjectMeta::annotations)
                .apart();
        var controller = fields.merged(
                        "ownerReferences", 13, CONTROLLER, Optional.empty(), (a, b) -> a.isPresent() ? a : b)
                .from(ObjectMeta::controller)
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
    }

    private static Field<ObjectMeta> field(Message<ObjectMeta> table) {
        return new Field<>("metadata", 1, 0, new MessageType<>(table), ObjectMeta.named("", "")).from(Metadata::of);
    }

    private static ObjectMeta of(Object whole) {
        return whole instanceof KubernetesObject object ? object.meta() : (ObjectMeta) whole;
    }

    /** Whether the table is one of objects. */
    public static boolean isObject(Message<?> table) {
        return !table.fields().isEmpty() && (table.fields().getFirst() == FIELD || isAged(table));
    }

    /** Whether objects of this table are read for when they were made. */
    private static boolean isAged(Message<?> object) {
        return object.fields().getFirst() == AGED_FIELD;
    }

    /** The table of objects of this table where only their metadata is read. */
    public static Message<ObjectMeta> identity(Message<?> object) {
        return isAged(object) ? AGED_IDENTITY : IDENTITY;
    }

    /**
     * Returns as much as has been read so far: no field is required.
     *
     * @param values of the {@link #AGED_TABLE}
     * @param object the table of the object
     */
    public static ObjectMeta ofWhatIsThere(Values values, Message<?> object) {
        return (isAged(object) ? AGED_TABLE : TABLE).make(values);
    }
}
