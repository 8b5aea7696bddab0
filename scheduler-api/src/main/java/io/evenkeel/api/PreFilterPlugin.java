package io.evenkeel.api;

/**
 * Looks at the pod once, before nodes are filtered.
 *
 * @since 0.1
 */
public interface PreFilterPlugin extends Plugin {
    PreFilterResult preFilter(CycleState state, PendingPod pod);
}
