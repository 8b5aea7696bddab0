package io.evenkeel.model;

import java.util.List;

/** An image that a node holds, with all names it is known by. */
public record ContainerImage(List<String> names, long sizeBytes) {}
