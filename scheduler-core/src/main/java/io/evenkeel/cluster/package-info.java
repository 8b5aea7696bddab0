/**
 * The cluster as the engine sees it: {@link io.evenkeel.cluster.ClusterState} and the counts, columns and sets that it
 * keeps up to date with every event, so that nothing has to be recounted for a pod. One thread writes; nobody else
 * reads.
 */
@NullMarked
package io.evenkeel.cluster;

import org.jspecify.annotations.NullMarked;
