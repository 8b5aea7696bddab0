package io.evenkeel.model.kind;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PluginObject;
import io.evenkeel.model.UnreadObject;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.decode.Metadata;
import io.evenkeel.model.decode.Values;
import io.evenkeel.model.decode.cursor.FieldProblem;
import java.util.List;
import java.util.stream.Stream;

/**
 * A kind of object: the row that all who deal with kinds go by.
 *
 * @param name as objects name it, such as ReplicaSet; where another kind that is read has that name already, its group
 *     stands behind a dot, as in PodGroup.scheduling.x-k8s.io
 * @param group such as apps; empty for the core's
 * @param version of the group in which it is watched
 * @param plural as paths name it, such as replicasets
 * @param namespaced whether its objects live in namespaces
 * @param type what its objects are
 * @param table what is read of them
 * @param optional whether there are servers without it, as without a custom resource: there are no objects of it then
 * @param older versions of the group in which a server may have it instead, the newest first
 * @since 0.1
 */
public record Kind<T extends KubernetesObject>(
        String name,
        String group,
        String version,
        String plural,
        boolean namespaced,
        Class<T> type,
        Message<T> table,
        boolean optional,
        List<String> older) {

    public Kind {
        if (!Metadata.isObject(table)) {
            throw new IllegalArgumentException(name + ": the table of an object is made by Message.ofObject");
        }
        int dot = name.indexOf('.');
        if (dot >= 0 && !name.substring(dot + 1).equals(group)) {
            throw new IllegalArgumentException(name + ": what stands behind the dot must be the group, " + group);
        }
    }

    /** A kind that every server has. */
    public Kind(
            String name,
            String group,
            String version,
            String plural,
            boolean namespaced,
            Class<T> type,
            Message<T> table) {
        this(name, group, version, plural, namespaced, type, table, false, List.of());
    }

    /**
     * Returns the kind as one that a server may not have, or only in an older version. Its objects look the same in that, unless
     * the table {@linkplain Message#butIn has another} for it.
     */
    public Kind<T> orAbsent(String... olderVersions) {
        return new Kind<>(name, group, version, plural, namespaced, type, table, true, List.of(olderVersions));
    }

    /** The kind in each version in which a server may have it, the newest first. */
    public List<Kind<T>> versions() {
        return Stream.concat(Stream.of(version), older.stream())
                .map(one -> new Kind<>(name, group, one, plural, namespaced, type, table.in(one), optional, older))
                .toList();
    }

    /** As objects name it, and nothing more. */
    public String objectKind() {
        int dot = name.indexOf('.');
        return dot < 0 ? name : name.substring(0, dot);
    }

    /** As objects name their group and version, such as apps/v1. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** Where its objects of all namespaces are, such as /apis/apps/v1/replicasets. */
    public String path() {
        return (group.isEmpty() ? "/api/" : "/apis/") + apiVersion() + "/" + plural;
    }

    /** Where one of its objects is, such as /api/v1/namespaces/shop/services/web. Names need no encoding. */
    public String path(ObjectMeta object) {
        String place = namespaced ? "namespaces/" + object.namespace() + "/" : "";
        return (group.isEmpty() ? "/api/" : "/apis/") + apiVersion() + "/" + place + plural + "/" + object.name();
    }

    /** Whether the two could not be told apart, here or by what their objects say. */
    boolean clashesWith(Kind<?> other) {
        return name.equals(other.name) || (objectKind().equals(other.objectKind()) && group.equals(other.group));
    }

    /** Whether this is meant; an empty apiVersion means any group. Other groups have kinds of the same names. */
    boolean isOfGroup(String apiVersion) {
        int slash = apiVersion.indexOf('/');
        return apiVersion.isEmpty()
                || (slash < 0 ? group.isEmpty() : slash == group.length() && apiVersion.startsWith(group));
    }

    /**
     * The metadata with the namespace in which such an object is: the default one where it names none, and none for an
     * object of the cluster, whatever it names. An API server goes by the path, too.
     */
    public ObjectMeta home(ObjectMeta meta) {
        if (namespaced != meta.namespace().isEmpty()) {
            return meta;
        }
        return meta.inNamespace(namespaced ? "default" : "");
    }

    public T make(ObjectMeta meta, Values values) {
        values.put(Metadata.FIELD, named(meta));
        T made = table.make(values);
        if (!made.kindName().equals(name)) {
            throw new FieldProblem("kind", "the record of " + name + " calls itself \"" + made.kindName() + "\"");
        }
        return made;
    }

    /** An object that is gone, so that nothing else of it is read: what a plugin requires of its own counts no more. */
    public KubernetesObject identity(ObjectMeta meta) {
        return PluginObject.class.isAssignableFrom(type)
                ? new UnreadObject(name, named(meta))
                : make(meta, table.newValues());
    }

    private ObjectMeta named(ObjectMeta meta) {
        if (meta.name().isEmpty()) {
            throw new FieldProblem("metadata.name", "missing");
        }
        return home(meta);
    }
}
