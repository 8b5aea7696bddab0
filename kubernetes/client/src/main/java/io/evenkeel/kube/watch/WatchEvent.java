package io.evenkeel.kube.watch;

import io.evenkeel.kube.api.ApiStatus;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.decode.cursor.ObjectReadException;
import io.evenkeel.model.read.ObjectReader.PodHeader;
import java.util.Optional;
import java.util.function.Supplier;

/** One event of a watch's stream. */
public sealed interface WatchEvent {

    record Put(KubernetesObject object) implements WatchEvent {}

    /** MODIFIED, with a node that was only heard of again: it is as it was, but for the version and the times. */
    record Heartbeat(String resourceVersion) implements WatchEvent {}

    /**
     * ADDED or MODIFIED, with an object that cannot be read. It exists all the same.
     *
     * @param identity its metadata, where these can be read
     * @param pod the pod, where it is one and that can be read too
     */
    record Illegible(Optional<ObjectMeta> identity, Optional<Pod> pod, String reason) implements WatchEvent {
        static Illegible of(ObjectReadException problem, Optional<PodHeader> header) {
            return new Illegible(
                    problem.identity(),
                    problem.identity().flatMap(meta -> header.map(known -> known.of(meta))),
                    String.valueOf(problem.getMessage()));
        }
    }

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

    /** An event that says nothing: of an unknown type, or without a form. The reason is always a line for a log. */
    record Unreadable(String reason) implements WatchEvent {
        private static final int LONGEST = 500;

        public Unreadable {
            reason = Excerpt.of(reason, LONGEST);
        }
    }

    /** Makes the event for ADDED and MODIFIED. */
    static WatchEvent put(Supplier<KubernetesObject> read) {
        return put(read, Optional::empty);
    }

    /**
     * Makes the event for ADDED and MODIFIED.
     *
     * @param header is read of a pod that cannot be read whole
     */
    static WatchEvent put(Supplier<KubernetesObject> read, Supplier<Optional<PodHeader>> header) {
        try {
            return new Put(read.get());
        } catch (ObjectReadException problem) {
            return Illegible.of(problem, header.get());
        }
    }

    /** The annotation of the bookmark that ends the initial events. */
    String INITIAL_EVENTS_END = "k8s.io/initial-events-end";
}
