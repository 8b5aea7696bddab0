package io.evenkeel.api;

import java.util.Collection;

/**
 * Looks at the feasible nodes once, before they are scored. Skip leaves the plugin's score out.
 *
 * @since 0.1
 */
public interface PreScorePlugin extends Plugin {
    Status preScore(CycleState state, PendingPod pod, Collection<NodeInfo> feasible);
}
