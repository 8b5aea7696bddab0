package io.evenkeel.engine.binding;

import io.evenkeel.model.Pod;

/**
 * A pod that is to go from a node so that another may run there.
 *
 * @param plugin the one that chose it
 */
public record Eviction(Pod victim, Pod preemptor, String node, String plugin) {}
