package io.evenkeel.config.file;

import io.evenkeel.config.PluginArgs.NodeResourcesBalancedAllocationArgs;
import io.evenkeel.config.PluginArgs.NodeResourcesFitArgs;
import io.evenkeel.config.PluginArgs.ResourceWeight;
import io.evenkeel.config.PluginArgs.ScoringStrategy;
import io.evenkeel.config.UtilizationShape.ShapePoint;
import io.evenkeel.model.value.NamedConstant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Arguments of the plugins that compare requests with what nodes have. */
final class NodeResourcesBinder {
    private NodeResourcesBinder() {}

    static NodeResourcesFitArgs fit(MappingFields fields) {
        return new NodeResourcesFitArgs(
                fields.list("ignoredResources", NodeResourcesBinder::resource),
                fields.list("ignoredResourceGroups", NodeResourcesBinder::group),
                fields.mapping("scoringStrategy", NodeResourcesBinder::strategy).orElse(ScoringStrategy.defaults()));
    }

    static NodeResourcesBalancedAllocationArgs balancedAllocation(MappingFields fields) {
        Set<String> seen = new HashSet<>();
        List<ResourceWeight> resources = fields.mappings("resources", entry -> {
            ResourceWeight resource = weighted(entry, Range.INT32);
            if (resource.weight() != 1) {
                entry.error("weight", "must be 1, got " + resource.weight());
            }
            if (!seen.add(resource.name())) {
                entry.error("name", "\"" + resource.name() + "\" is listed twice");
            }
            return resource;
        });
        return resources.isEmpty()
                ? NodeResourcesBalancedAllocationArgs.defaults()
                : new NodeResourcesBalancedAllocationArgs(resources);
    }

    private static Optional<String> resource(Cursor cursor) {
        Optional<String> name = cursor.string();
        name.flatMap(NameRules::qualifiedNameProblem).ifPresent(cursor::error);
        return name;
    }

    private static Optional<String> group(Cursor cursor) {
        Optional<String> name = cursor.string();
        if (name.isPresent() && name.get().contains("/")) {
            cursor.error("a resource group is what stands before the slash, got \"" + name.get() + '"');
            return name;
        }
        name.flatMap(NameRules::qualifiedNameProblem).ifPresent(cursor::error);
        return name;
    }

    /** A strategy that is given must name its type; resources and their weights have defaults. */
    private static ScoringStrategy strategy(MappingFields fields) {
        if (!fields.has("type")) {
            fields.error("type", "is required: one of LeastAllocated, MostAllocated, RequestedToCapacityRatio");
        }
        Optional<ScoringStrategy.Type> type = fields.oneOf("type", NamedConstant.byName(ScoringStrategy.Type.class));
        List<ResourceWeight> resources = fields.mappings("resources", entry -> weighted(entry, new Range(0, 100)));
        boolean shaped = type.stream().anyMatch(ScoringStrategy.Type.REQUESTED_TO_CAPACITY_RATIO::equals);
        Optional<List<ShapePoint>> shape = fields.mapping("requestedToCapacityRatio", ShapeBinder::bind);
        if (shaped && !fields.has("requestedToCapacityRatio")) {
            fields.error("requestedToCapacityRatio", "is required by the type RequestedToCapacityRatio");
        }
        if (!shaped && type.isPresent() && fields.has("requestedToCapacityRatio")) {
            fields.error("requestedToCapacityRatio", "belongs to the type RequestedToCapacityRatio only");
        }
        return new ScoringStrategy(
                type.orElse(ScoringStrategy.Type.LEAST_ALLOCATED),
                resources.isEmpty() ? ScoringStrategy.defaults().resources() : resources,
                shape.orElse(List.of()));
    }

    /** A weight of 0 counts as absent, which is 1. */
    private static ResourceWeight weighted(MappingFields fields, Range range) {
        int weight = fields.int32("weight", 1, range);
        return new ResourceWeight(fields.required("name"), weight == 0 ? 1 : weight);
    }
}
