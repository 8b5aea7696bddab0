package io.evenkeel.framework;

import io.evenkeel.model.Pod;
import java.util.List;

/**
 * A pod that has its node and waits for permits. Allowing and rejecting take effect when the scheduler is done with the
 * pod or event that it is at, and may be called by any thread: then within a second.
 */
public interface WaitingPod {
    Pod pod();

    /** The node that it is counted on. */
    String node();

    /** The plugins whose permits are missing, in the profile's order. */
    List<String> pendingPlugins();

    /** Gives the permit of the plugin; with the last that is missing the pod goes on to be bound. */
    void allow(String plugin);

    /** Turns the pod away in the name of the plugin: it sleeps until something happens that this plugin says may help. */
    void reject(String plugin, String message);
}
