/**
 * How many pods of which kind are where: selectors and the groups of pods that they select, tallies by node, sums by the
 * domains of a topology, the affinity terms of pods in place; and which resources stand for devices.
 */
@NullMarked
package io.evenkeel.cluster.counting;

import org.jspecify.annotations.NullMarked;
