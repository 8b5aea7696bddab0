/**
 * The cluster as the engine sees it: {@link io.evenkeel.cluster.ClusterState}, which alone changes it, {@link
 * io.evenkeel.cluster.ClusterView}, which all others read, and what-ifs, audits and dumps of the whole. Beside them stand the
 * counters of spread constraints. The other structures live in the packages below; one thread writes and reads them.
 */
@NullMarked
package io.evenkeel.cluster;

import org.jspecify.annotations.NullMarked;
