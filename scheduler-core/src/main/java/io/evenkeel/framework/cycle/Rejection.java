package io.evenkeel.framework.cycle;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.node.NodeSetView;

/**
 * Nodes that one plugin turned away for the same reasons.
 *
 * @param nodes to be read only
 */
public record Rejection(String plugin, Status status, NodeSetView nodes) {}
