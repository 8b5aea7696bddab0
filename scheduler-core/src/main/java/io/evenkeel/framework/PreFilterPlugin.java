package io.evenkeel.framework;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.Plugin;
import io.evenkeel.api.PreFilterResult;
import io.evenkeel.cluster.PodInfo;

/** Looks at the pod once, before nodes are filtered. */
public interface PreFilterPlugin extends Plugin {
    PreFilterResult preFilter(CycleState state, PodInfo pod);
}
