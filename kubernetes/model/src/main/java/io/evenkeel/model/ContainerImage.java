package io.evenkeel.model;

import java.util.List;

/**
 * An image that a node holds, with all names it is known by.
 *
 * @since 0.1
 */
public record ContainerImage(List<String> names, long sizeBytes) {}
