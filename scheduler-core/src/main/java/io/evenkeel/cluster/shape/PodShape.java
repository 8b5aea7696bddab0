package io.evenkeel.cluster.shape;

import io.evenkeel.model.HostPort;
import java.util.List;

/**
 * All that scheduling reads of a pod but its labels, as facets. Ten thousand pods of a StatefulSet, each with a label,
 * a token volume and a claim of its own, are of one shape.
 */
public record PodShape(
        Facet<PodResources> resources,
        Facet<Tolerations> tolerations,
        Facet<NodeRequirement> nodes,
        Facet<List<HostPort>> hostPorts,
        Facet<PodImages> images,
        Facet<SpreadRules> spread,
        Facet<AffinityRules> affinity) {}
