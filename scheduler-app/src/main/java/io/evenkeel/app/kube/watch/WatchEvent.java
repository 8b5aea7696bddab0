package io.evenkeel.app.kube.watch;

import io.evenkeel.model.KubernetesObject;

/** One event of a watch's stream. */
sealed interface WatchEvent {

    /** ADDED or MODIFIED. */
    record Put(KubernetesObject object) implements WatchEvent {}

    /** DELETED; of the object only the metadata is read. */
    record Removed(KubernetesObject object) implements WatchEvent {}

    /**
     * BOOKMARK: everything up to this version has been sent.
     *
     * @param endsInitialEvents whether it stands between what there was and what changes
     */
    record Bookmark(String resourceVersion, boolean endsInitialEvents) implements WatchEvent {}

    /** ERROR: the server ends the stream. */
    record Failed(ServerStatus status) implements WatchEvent {}

    /** An event of an unknown type, or with an object that cannot be read. */
    record Unreadable(String reason) implements WatchEvent {}

    /** The annotation of the bookmark that ends the initial events. */
    String INITIAL_EVENTS_END = "k8s.io/initial-events-end";
}
