package io.evenkeel.cluster.shape;

import java.util.Map;

/** What tests of the whole cluster look at in this package. */
public final class ShapeRoom {
    private ShapeRoom() {}

    public static void addSizes(PodShapes shapes, Map<String, Integer> used, Map<String, Integer> reserved) {
        Map<String, FacetTable<?>> facets = Map.of(
                "shape facets", shapes.shapes(),
                "resource facets", shapes.resources(),
                "toleration facets", shapes.tolerations(),
                "node facets", shapes.nodeRequirements(),
                "port facets", shapes.hostPorts(),
                "image facets", shapes.images(),
                "spread facets", shapes.spread(),
                "affinity facets", shapes.affinity());
        facets.forEach((name, table) -> {
            used.put(name, table.size());
            reserved.put(name, table.end());
        });
    }
}
