package io.evenkeel.cluster.shape;

import io.evenkeel.model.HostPort;
import java.util.Arrays;
import java.util.List;

/**
 * All that scheduling reads of a pod but its labels, as facets: one of each kind that is registered. Ten thousand pods of a
 * StatefulSet, each with a label, a token volume and a claim of its own, are of one shape.
 */
public final class PodShape {
    static final int RESOURCES = 0;
    static final int TOLERATIONS = 1;
    static final int NODE_REQUIREMENT = 2;
    static final int HOST_PORTS = 3;
    static final int IMAGES = 4;
    static final int SPREAD = 5;
    static final int AFFINITY = 6;

    private final Facet<?>[] facets;
    private final int weight;
    private final int hash;

    /**
     * Of facets by the positions of their tables.
     *
     * @param weight how much it is to keep: 1 but for large pods
     */
    PodShape(Facet<?>[] facets, int weight) {
        this.facets = facets;
        this.weight = weight;
        hash = hash(facets);
    }

    /** How much it is to keep: 1 but for large pods. */
    public int weight() {
        return weight;
    }

    /** The hash of the shape that these make. */
    static int hash(Facet<?>[] facets) {
        int sum = 1;
        for (Facet<?> facet : facets) {
            sum = 31 * sum + facet.id();
        }
        return sum;
    }

    /** Whether it is made of these: facets are interned, so equal ones are the same. */
    static boolean isOf(Facet<?>[] gathered, PodShape shape) {
        if (gathered.length != shape.facets.length) {
            return false;
        }
        for (int i = 0; i < gathered.length; i++) {
            if (gathered[i] != shape.facets[i]) {
                return false;
            }
        }
        return true;
    }

    /** The facet of a kind, by the table that {@link PodShapes#register} answered. */
    public <T> Facet<T> facet(FacetTable<T> table) {
        return at(table.position());
    }

    public Facet<PodResources> resources() {
        return at(RESOURCES);
    }

    public Facet<Tolerations> tolerations() {
        return at(TOLERATIONS);
    }

    public Facet<NodeRequirement> nodeRequirement() {
        return at(NODE_REQUIREMENT);
    }

    public Facet<List<HostPort>> hostPorts() {
        return at(HOST_PORTS);
    }

    public Facet<PodImages> images() {
        return at(IMAGES);
    }

    public Facet<SpreadRules> spread() {
        return at(SPREAD);
    }

    public Facet<AffinityRules> affinity() {
        return at(AFFINITY);
    }

    List<Facet<?>> all() {
        return Arrays.asList(facets);
    }

    /** {@link PodShapes} puts at each position a facet of the table that has it. */
    @SuppressWarnings("unchecked")
    private <T> Facet<T> at(int position) {
        return (Facet<T>) facets[position];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PodShape that && hash == that.hash && isOf(facets, that);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return Arrays.toString(facets);
    }
}
