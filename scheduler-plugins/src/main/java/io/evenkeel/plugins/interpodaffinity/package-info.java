/**
 * Inter-pod affinity: which domains a pod must, may not, would or would rather not share with other pods, by its own
 * terms and by those of the pods that are there. Reads the counts that the cluster keeps; counts nothing itself.
 */
@NullMarked
package io.evenkeel.plugins.interpodaffinity;

import org.jspecify.annotations.NullMarked;
