package io.evenkeel.app.kube.watch;

import java.util.List;

/**
 * A kind of object that is watched. One more is one more line here and a reader in the model.
 *
 * @param kind as objects name it
 * @param path of all its objects in all namespaces
 * @param fieldSelector which of them, as a query has it; empty for all
 */
public record WatchedKind(String kind, String path, String fieldSelector) {
    public static final WatchedKind POD =
            new WatchedKind("Pod", "/api/v1/pods", "status.phase%21%3DSucceeded%2Cstatus.phase%21%3DFailed");

    /** Pods come last: there are the most of them, and all others are read to understand them. */
    public static final List<WatchedKind> ALL = List.of(
            all("Node", "/api/v1/nodes"),
            all("Namespace", "/api/v1/namespaces"),
            all("Service", "/api/v1/services"),
            all("ReplicationController", "/api/v1/replicationcontrollers"),
            all("ReplicaSet", "/apis/apps/v1/replicasets"),
            all("StatefulSet", "/apis/apps/v1/statefulsets"),
            POD);

    private static WatchedKind all(String kind, String path) {
        return new WatchedKind(kind, path, "");
    }
}
