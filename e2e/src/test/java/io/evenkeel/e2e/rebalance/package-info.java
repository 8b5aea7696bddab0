/** Moves that are really made, on a cluster with controllers and kubelets. */
@NullMarked
package io.evenkeel.e2e.rebalance;

import org.jspecify.annotations.NullMarked;
