package io.evenkeel.kube.api;

import io.evenkeel.model.Pod;

/** The path of a pod at the API server. Names and namespaces are DNS labels and need no encoding. */
public final class PodPath {
    private PodPath() {}

    public static String of(Pod pod) {
        return "/api/v1/namespaces/" + pod.namespace() + "/pods/" + pod.name();
    }
}
