package io.evenkeel.app.kube.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class WatchedKindTest {
    /** What the ClusterRole system:kube-scheduler of Kubernetes 1.36 lets be listed and watched, of what Evenkeel has a reader for. */
    private static final Set<String> KUBE_SCHEDULERS = Set.of(
            "/api/v1/nodes",
            "/api/v1/pods",
            "/api/v1/namespaces",
            "/api/v1/services",
            "/api/v1/replicationcontrollers",
            "/apis/apps/v1/replicasets",
            "/apis/apps/v1/statefulsets");

    @Test
    void kubeSchedulersOwnRoleLetsAllBeWatched() {
        assertThat(WatchedKind.ALL).extracting(WatchedKind::path).isSubsetOf(KUBE_SCHEDULERS);
    }
}
