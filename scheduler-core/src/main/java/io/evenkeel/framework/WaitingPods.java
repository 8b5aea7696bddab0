package io.evenkeel.framework;

import java.util.List;

/** The pods that wait for permits, for the plugins that give them. To be looked at on the engine's thread only. */
public interface WaitingPods {
    WaitingPods NONE = List::of;

    /** All of them, in the order in which they began to wait. */
    List<WaitingPod> all();
}
