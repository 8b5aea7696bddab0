package io.evenkeel.api;

import io.evenkeel.model.Pod;
import java.util.List;

/**
 * A pod that has its node and waits for permits. Any thread may say what becomes of it, and the first word that decides
 * it counts; it takes effect when the scheduler is done with the pod or event that it is at, within a second at most.
 *
 * @since 0.1
 */
public interface WaitingPod {
    Pod pod();

    /** The node that it is counted on. */
    String node();

    /** The plugins with missing permits, in the profile's order. */
    List<String> pendingPlugins();

    /**
     * Gives the permit of the plugin; with the last that is missing the pod goes on to be bound. Nothing happens where the
     * pod does not wait for this plugin.
     */
    void allow(String plugin);

    /**
     * Turns the pod away in the name of the plugin: it sleeps until something happens that this plugin says may help.
     *
     * @return false where it was decided before what becomes of the pod
     */
    boolean reject(String plugin, String message);

    /**
     * Takes the pod's place for others. That is no rejection by a plugin: it is tried again after a backoff.
     *
     * @return false where it was decided before what becomes of the pod
     */
    boolean preempt(String plugin, String message);
}
