package io.evenkeel.kube.dispatch.call;

import io.evenkeel.model.Pod;

/** The path of a pod at the API server. Names and namespaces are DNS labels and need no encoding. */
final class PodPath {
    private PodPath() {}

    static String of(Pod pod) {
        return "/api/v1/namespaces/" + pod.namespace() + "/pods/" + pod.name();
    }
}
