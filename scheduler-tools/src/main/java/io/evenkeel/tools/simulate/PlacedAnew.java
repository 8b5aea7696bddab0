package io.evenkeel.tools.simulate;

import io.evenkeel.model.Pod;
import io.evenkeel.model.PodStatus;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.tools.simulate.Arrival.Cause;

/** All pods that something makes again go from their nodes at once, to be placed again: what another configuration comes to. */
record PlacedAnew() implements ClusterChange {
    @Override
    public void apply(ChangedCluster cluster) {
        int taken = 0;
        for (Pod pod : cluster.picture().pods()) {
            if (Owners.isMadeAgain(pod) && !pod.meta().terminating()) {
                taken++;
                cluster.picture().remove(pod);
                Pod waiting = PodBuilder.from(pod)
                        .nodeName("")
                        .status(PodStatus.PENDING)
                        .build();
                cluster.comes(Arrival.instead(pod, waiting, cluster.owners().workloadOf(pod), Cause.AGAIN));
            }
        }
        cluster.changed("all " + taken + " pods with an owner placed anew, those of DaemonSets apart");
    }
}
