package io.evenkeel.cluster.shape;

import io.evenkeel.cluster.index.Differences;
import io.evenkeel.config.feature.FeatureGates;
import io.evenkeel.model.Container;
import io.evenkeel.model.HostPort;
import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/** Interns pod shapes and the facets that they are made of. */
public final class PodShapes {
    private final FacetTable<PodShape> shapes = new FacetTable<>();
    private final FacetTable<PodResources> resources = new FacetTable<>();
    private final FacetTable<Tolerations> tolerations = new FacetTable<>();
    private final FacetTable<NodeRequirement> nodes = new FacetTable<>();
    private final FacetTable<List<HostPort>> hostPorts = new FacetTable<>();
    private final FacetTable<PodImages> images = new FacetTable<>();
    private final FacetTable<SpreadRules> spread = new FacetTable<>();
    private final FacetTable<AffinityRules> affinity = new FacetTable<>();
    private final PodResourcesReader resourcesReader;
    private final ResourceNames names;
    private final FeatureGates gates;

    public PodShapes(ResourceNames names, FeatureGates gates) {
        this.names = names;
        this.gates = gates;
        resourcesReader = new PodResourcesReader(names);
        shapes.onDrop(this::releaseFacets);
    }

    /** The shape of a pod, with one more user. */
    public Facet<PodShape> acquire(Pod pod) {
        PodShape shape = new PodShape(
                resources.acquire(resourcesReader.read(pod)),
                tolerations.acquire(Tolerations.of(pod, gates)),
                nodes.acquire(new NodeRequirement(
                        pod.spec().nodeSelector(), pod.spec().nodeAffinity())),
                hostPorts.acquire(hostPortsOf(pod)),
                images.acquire(PodImages.of(pod)),
                spread.acquire(SpreadRules.of(pod, gates)),
                affinity.acquire(AffinityRules.of(pod)));
        Facet<PodShape> interned = shapes.acquire(shape);
        if (!isSame(interned.value(), shape)) {
            releaseFacets(shape);
        }
        return interned;
    }

    /** An equal shape that was there before holds the facets already, so they were acquired once too often. */
    @SuppressWarnings("ReferenceEquality")
    private static boolean isSame(PodShape interned, PodShape made) {
        return interned == made;
    }

    /** One more user of a shape that was given back, perhaps, but is still there. */
    public void acquireAgain(Facet<PodShape> shape) {
        shapes.acquireAgain(shape);
    }

    public void release(Facet<PodShape> shape) {
        shapes.release(shape);
    }

    /** Drops all that no pod uses; what is compiled for it goes with it. */
    public void dropIdle() {
        shapes.dropIdle();
        List.of(resources, tolerations, nodes, hostPorts, images, spread, affinity)
                .forEach(FacetTable::dropIdle);
    }

    public FacetTable<PodShape> shapes() {
        return shapes;
    }

    public FacetTable<PodResources> resources() {
        return resources;
    }

    public FacetTable<Tolerations> tolerations() {
        return tolerations;
    }

    public FacetTable<NodeRequirement> nodes() {
        return nodes;
    }

    public FacetTable<List<HostPort>> hostPorts() {
        return hostPorts;
    }

    public FacetTable<PodImages> images() {
        return images;
    }

    public FacetTable<SpreadRules> spread() {
        return spread;
    }

    public FacetTable<AffinityRules> affinity() {
        return affinity;
    }

    /** Reads the pods in place anew and compares with the shapes that they have. */
    public void audit(IdentityHashMap<Pod, Facet<PodShape>> placed, Differences differences) {
        new FacetAudit(this, new PodShapes(names, gates), placed, differences).run();
    }

    private void releaseFacets(Facet<PodShape> shape) {
        releaseFacets(shape.value());
    }

    private void releaseFacets(PodShape shape) {
        resources.release(shape.resources());
        tolerations.release(shape.tolerations());
        nodes.release(shape.nodes());
        hostPorts.release(shape.hostPorts());
        images.release(shape.images());
        spread.release(shape.spread());
        affinity.release(shape.affinity());
    }

    /** Ordinary init containers are over before the pod serves, so only sidecars' ports count among them. */
    private static List<HostPort> hostPortsOf(Pod pod) {
        List<HostPort> ports = new ArrayList<>();
        for (Container container : pod.spec().containers()) {
            ports.addAll(container.hostPorts());
        }
        for (Container container : pod.spec().initContainers()) {
            if (container.sidecar()) {
                ports.addAll(container.hostPorts());
            }
        }
        return ports.isEmpty() ? List.of() : List.copyOf(ports);
    }
}
