package io.evenkeel.kube.watch.frame;

import io.evenkeel.kube.api.ApiStatus;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.decode.cursor.ObjectReadException;
import java.util.Optional;
import java.util.function.Supplier;

/** One event of a watch's stream. */
public sealed interface WatchEvent {

    /** ADDED or MODIFIED. */
    record Put(KubernetesObject object) implements WatchEvent {}

    /**
     * ADDED or MODIFIED, with an object that cannot be read. It exists all the same.
     *
     * @param identity its metadata, where these can be read
     */
    record Illegible(Optional<ObjectMeta> identity, String reason) implements WatchEvent {}

    /** DELETED; of the object only the metadata is read. */
    record Removed(KubernetesObject object) implements WatchEvent {}

    /**
     * BOOKMARK: everything up to this version has been sent.
     *
     * @param endsInitialEvents whether it stands between what there was and what changes
     */
    record Bookmark(String resourceVersion, boolean endsInitialEvents) implements WatchEvent {}

    /** ERROR: the server ends the stream. */
    record Failed(ApiStatus status) implements WatchEvent {}

    /** An event that says nothing: of an unknown type, or without a form. */
    record Unreadable(String reason) implements WatchEvent {}

    /** What ADDED and MODIFIED come to. */
    static WatchEvent put(Supplier<KubernetesObject> read) {
        try {
            return new Put(read.get());
        } catch (ObjectReadException problem) {
            return new Illegible(problem.identity(), String.valueOf(problem.getMessage()));
        }
    }

    /** The annotation of the bookmark that ends the initial events. */
    String INITIAL_EVENTS_END = "k8s.io/initial-events-end";
}
