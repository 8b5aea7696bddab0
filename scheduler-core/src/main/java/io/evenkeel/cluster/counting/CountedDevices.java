package io.evenkeel.cluster.counting;

import io.evenkeel.model.kind.Kind;
import java.util.Set;

/**
 * How many devices a node has of an extended resource that it does not offer itself, and how many of them are in use: for scores,
 * which are about how full nodes are.
 */
public interface CountedDevices {
    /** What has to be read for it. */
    Set<Kind<?>> kinds();

    /** Counts those of this resource; there are none of one that stands for no devices. */
    void count(String resource, int node);

    /** All that were counted. */
    long all();

    /** Those of them that somebody has. */
    long inUse();
}
