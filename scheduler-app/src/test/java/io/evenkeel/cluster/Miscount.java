package io.evenkeel.cluster;

import io.evenkeel.model.PodBuilder;

/** What no event does to a cluster's state. */
public final class Miscount {
    private Miscount() {}

    /** The node counts a pod that is not there. */
    public static void onePodTooMany(ClusterView cluster, String node) {
        PodInfo pod = cluster.admit(PodBuilder.pod("ghost").build());
        cluster.nodes()
                .addPod(
                        cluster.nodes().find(node),
                        pod.interned().value().resources().value());
        cluster.dismiss(pod);
    }
}
