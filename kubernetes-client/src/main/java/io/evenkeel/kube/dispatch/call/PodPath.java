package io.evenkeel.kube.dispatch.call;

import io.evenkeel.model.Pod;

/** Where a pod is found. Names and namespaces are DNS labels and need no encoding. */
final class PodPath {
    private PodPath() {}

    static String of(Pod pod) {
        return "/api/v1/namespaces/" + pod.namespace() + "/pods/" + pod.name();
    }
}
