package io.evenkeel.framework;

import io.evenkeel.api.Plugin;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.framework.cycle.FilterDryRun;

/**
 * A PreFilter or Filter plugin that can work out what it would say of a node without some of its pods. Preemption asks that
 * often; where one of a profile's filters cannot, the pods are taken away hypothetically each time, which costs a hundred
 * times as much.
 */
public interface DryRunPlugin extends Plugin {

    /** Judges nodes for this pod, which its PreFilter has not turned away; used before the cluster changes. */
    FilterDryRun dryRun(PodInfo pod);
}
