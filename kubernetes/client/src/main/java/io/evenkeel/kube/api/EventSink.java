package io.evenkeel.kube.api;

import io.evenkeel.engine.ObjectEvent;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kind;

/** A taker of events for users. Neither blocks nor fails: what cannot be kept is dropped. */
@FunctionalInterface
public interface EventSink {
    void recordEvent(Regarding regarding, ObjectEvent event);

    /**
     * The object that an event is about.
     *
     * @param resourceVersion the version that was seen when it happened; empty where unknown
     */
    public record Regarding(
            String apiVersion, String kind, String namespace, String name, String uid, String resourceVersion) {

        public static Regarding pod(Pod pod) {
            return new Regarding(
                    "v1",
                    "Pod",
                    pod.namespace(),
                    pod.name(),
                    pod.meta().uid(),
                    pod.meta().resourceVersion());
        }

        public static Regarding object(Kind<?> kind, ObjectMeta object) {
            return new Regarding(
                    kind.apiVersion(),
                    kind.objectKind(),
                    object.namespace(),
                    object.name(),
                    object.uid(),
                    object.resourceVersion());
        }

        /** Tells the object from all others, for as long as it lives. */
        public String identity() {
            return uid.isEmpty() ? apiVersion + " " + kind + " " + namespace + "/" + name : uid;
        }
    }
}
