package io.evenkeel.whatif.rebalance;

import io.evenkeel.model.Pod;

/** A running pod that its owner is to run on another node: it is evicted, and the pod that comes in its place goes there. */
public record Move(Pod pod, String from, String to) {}
