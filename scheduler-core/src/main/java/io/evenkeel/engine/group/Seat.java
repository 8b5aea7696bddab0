package io.evenkeel.engine.group;

import io.evenkeel.model.Pod;

/** A pod of a group and the node that it goes to. */
public record Seat(Pod pod, String node) {}
