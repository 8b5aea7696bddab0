/**
 * Nodes as rows: the tables of nodes and of the pods on them, sets and counts by node, masks and columns derived from
 * nodes, and what nodes hold by name. Knows nothing of selectors and topologies.
 */
@NullMarked
package io.evenkeel.cluster.node;

import org.jspecify.annotations.NullMarked;
