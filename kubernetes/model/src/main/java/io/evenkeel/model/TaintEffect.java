package io.evenkeel.model;

import io.evenkeel.model.value.NamedConstant;

/**
 * The effect of a taint on pods that do not tolerate it.
 *
 * @since 0.1
 */
public enum TaintEffect implements NamedConstant {
    NO_SCHEDULE,
    PREFER_NO_SCHEDULE,
    NO_EXECUTE;

    /** NoSchedule and NoExecute keep pods away; PreferNoSchedule only costs score. */
    public boolean keepsPodsAway() {
        return this != PREFER_NO_SCHEDULE;
    }
}
