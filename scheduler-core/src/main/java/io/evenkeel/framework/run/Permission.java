package io.evenkeel.framework.run;

import java.time.Duration;
import java.util.List;

/** The answer of a profile's Permit plugins together. */
public sealed interface Permission {

    /** The pod may be bound. */
    record Granted() implements Permission {}

    /** A plugin refuses, or failed. */
    record Denied(Objection objection) implements Permission {}

    /** Plugins make the pod wait, in the order of the profile. */
    record Delayed(List<Delay> delays) implements Permission {}

    /** A plugin makes the pod wait, at most for this long. */
    record Delay(String plugin, Duration limit) {}

    Permission GRANTED = new Granted();
}
