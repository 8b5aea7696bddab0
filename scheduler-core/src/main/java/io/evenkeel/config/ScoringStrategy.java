package io.evenkeel.config;

import io.evenkeel.model.value.NamedConstant;
import java.util.List;

/**
 * The formula from a node's resources to a score.
 *
 * @param shape for REQUESTED_TO_CAPACITY_RATIO, else empty
 */
public record ScoringStrategy(Type type, List<ResourceWeight> resources, List<ShapePoint> shape) {

    /** The nodes that are preferred. */
    public enum Type implements NamedConstant {
        LEAST_ALLOCATED("LeastAllocated"),
        MOST_ALLOCATED("MostAllocated"),
        REQUESTED_TO_CAPACITY_RATIO("RequestedToCapacityRatio");

        private final String apiName;

        Type(String apiName) {
            this.apiName = apiName;
        }

        @Override
        public String apiName() {
            return apiName;
        }
    }

    public ScoringStrategy {
        resources = List.copyOf(resources);
        shape = List.copyOf(shape);
    }

    public static ScoringStrategy defaults() {
        return new ScoringStrategy(Type.LEAST_ALLOCATED, ResourceWeight.CPU_AND_MEMORY, List.of());
    }
}
