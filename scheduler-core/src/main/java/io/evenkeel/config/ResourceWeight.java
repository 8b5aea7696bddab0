package io.evenkeel.config;

import java.util.List;

/** The weight of a resource in a score. */
public record ResourceWeight(String name, int weight) {
    static final List<ResourceWeight> CPU_AND_MEMORY =
            List.of(new ResourceWeight("cpu", 1), new ResourceWeight("memory", 1));
}
