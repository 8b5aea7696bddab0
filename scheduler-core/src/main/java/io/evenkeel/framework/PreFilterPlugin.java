package io.evenkeel.framework;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.framework.cycle.CycleState;
import io.evenkeel.framework.cycle.PreFilterResult;

/** Looks at the pod once, before nodes are filtered. */
public interface PreFilterPlugin extends Plugin {
    PreFilterResult preFilter(CycleState state, PodInfo pod);
}
