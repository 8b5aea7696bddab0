package io.evenkeel.framework;

import io.evenkeel.api.PostFilterPlugin;
import io.evenkeel.framework.cycle.VictimOrder;

/** A PostFilter plugin that lets less important pods go, and by whose order they go for a gang too. */
public interface PreemptingPlugin extends PostFilterPlugin {

    /** Whom it would let go rather than whom. */
    VictimOrder victimOrder();

    @Override
    default boolean onlyPreempts() {
        return true;
    }
}
