package io.evenkeel.api;

import io.evenkeel.model.HostPort;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import java.util.List;

/**
 * One node and its pods. A window on the live state, not a copy; not to be kept from one call to the next.
 *
 * @since 0.1
 */
public interface NodeInfo {
    String name();

    Node node();

    int podCount();

    /** The pods that count on the node, those included that are still on their way to it. */
    List<Pod> pods();

    /** CPU in thousandths of a core, all else in whole units; 0 of what schedulers do not count. */
    long allocatable(String resource);

    /** Returns the requests of all pods on the node together, in the units of {@link #allocatable}. */
    long requested(String resource);

    /** Whether a pod on the node has a host port that conflicts with this one. */
    boolean hasTaken(HostPort port);
}
