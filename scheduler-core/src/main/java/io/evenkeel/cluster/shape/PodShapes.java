package io.evenkeel.cluster.shape;

import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.shape.PodShapes.ShapePart;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.model.Container;
import io.evenkeel.model.HostPort;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.ObjectSize;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The shapes of pods and the facets that they are made of, interned. Whoever makes them has the {@link Writer}, by which
 * pods come and go.
 */
public final class PodShapes {
    private static final FacetKind<List<HostPort>> HOST_PORTS =
            new FacetKind<>("host ports", (pod, _) -> hostPortsOf(pod));

    private static final int BYTES_A_WEIGHT = 512;

    private final FacetTable<PodShape> shapes;
    private final FacetTable<PodResources> resources;
    private final FacetTable<Tolerations> tolerations;
    private final FacetTable<NodeRequirement> nodeRequirements;
    private final FacetTable<List<HostPort>> hostPorts;
    private final FacetTable<PodImages> images;
    private final FacetTable<SpreadRules> spread;
    private final FacetTable<AffinityRules> affinity;
    private final ResourceNames names;
    private final FeatureGates gates;
    private final int idleFacets;
    private ShapePart<?>[] parts = {};

    /** The facets of the pod while its shape is looked for: most pods have one that is there, and none is made for them. */
    private Facet<?>[] gathered = {};

    private PodShapes(ResourceNames names, FeatureGates gates, int idleFacets) {
        this.names = names;
        this.gates = gates;
        this.idleFacets = idleFacets;
        shapes = FacetTable.weighing(idleFacets, PodShape::weight);
        PodResourcesReader reader = new PodResourcesReader(names, PodRequests.at(gates));
        resources =
                part(PodShape.RESOURCES, table -> new FacetKind<>("resources", (pod, _) -> reader.read(pod, table)));
        resources.onAdd(added -> added.acquire(names));
        resources.onDrop(dropped -> dropped.value().release(names));
        tolerations = part(PodShape.TOLERATIONS, Tolerations.KIND);
        nodeRequirements = part(PodShape.NODE_REQUIREMENT, NodeRequirement.KIND);
        hostPorts = part(PodShape.HOST_PORTS, HOST_PORTS);
        images = part(PodShape.IMAGES, table -> new FacetKind<>("images", (pod, _) -> PodImages.of(pod, table)));
        spread = part(
                PodShape.SPREAD,
                table -> new FacetKind<>("spread rules", (pod, gate) -> SpreadRules.of(pod, gate, table)));
        affinity = part(
                PodShape.AFFINITY,
                table -> new FacetKind<>("affinity rules", (pod, _) -> AffinityRules.of(pod, table)));
        shapes.onDrop(this::releaseFacets);
    }

    /**
     * Nothing is known yet.
     *
     * @param idleFacets how many shapes stay that no pod has; large ones count for as many as they are half KB
     */
    public static Writer create(ResourceNames names, FeatureGates gates, int idleFacets) {
        return new PodShapes(names, gates, idleFacets).new Writer();
    }

    /** How many shapes stay that no pod has. */
    public int idleFacets() {
        return idleFacets;
    }

    /**
     * Adds a plugin's own kind to what is read of every pod; that of another profile's plugin is the same, if the kind is.
     * The table is what a {@link FacetCache} is for, and what a shape is asked by.
     *
     * @throws IllegalStateException once a pod has been read: plugins are made before
     */
    public <T> FacetTable<T> register(FacetKind<T> kind) {
        for (ShapePart<?> part : parts) {
            if (part.kind().equals(kind)) {
                return tableOf(part);
            }
        }
        if (shapes.end() > 0) {
            throw new IllegalStateException("pods have been read already without the facet \"" + kind.name() + "\"");
        }
        return part(parts.length, kind);
    }

    /** The kind, which is known to be the same, says what the table holds. */
    @SuppressWarnings("unchecked")
    private static <T> FacetTable<T> tableOf(ShapePart<?> part) {
        return (FacetTable<T>) part.table();
    }

    private <T> FacetTable<T> part(int position, FacetKind<T> kind) {
        return part(position, _ -> kind);
    }

    /** The kind may look at the facets that there are before it makes a value. */
    private <T> FacetTable<T> part(int position, Function<FacetTable<T>, FacetKind<T>> kind) {
        FacetTable<T> table = FacetTable.ofParts(position);
        parts = Arrays.copyOf(parts, position + 1);
        gathered = new Facet<?>[parts.length];
        parts[position] = new ShapePart<>(kind.apply(table), table);
        return table;
    }

    /** The shape of a pod, with one more user. */
    private Facet<PodShape> acquire(Pod pod) {
        for (int i = 0; i < parts.length; i++) {
            gathered[i] = parts[i].intern(pod, gates);
        }
        Facet<PodShape> known = shapes.find(PodShape.hash(gathered), gathered, PodShape::isOf);
        if (known != null) {
            shapes.acquire(known);
            return known;
        }
        PodShape shape = new PodShape(gathered.clone(), 1 + ObjectSize.ofSpec(pod) / BYTES_A_WEIGHT);
        acquireFacets(shape);
        return shapes.acquire(shape);
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

    public FacetTable<NodeRequirement> nodeRequirements() {
        return nodeRequirements;
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

    ResourceNames names() {
        return names;
    }

    List<ShapePart<?>> parts() {
        return List.of(parts);
    }

    /** Reads the pods in place again and compares with the shapes that they have. */
    public void audit(IdentityHashMap<Pod, Facet<PodShape>> placed, Differences differences) {
        Writer anew = create(names, gates, idleFacets);
        parts().subList(anew.shapes().parts.length, parts.length)
                .forEach(part -> anew.shapes().register(part.kind()));
        new FacetAudit(this, anew, placed, differences).run();
    }

    private void acquireFacets(PodShape shape) {
        for (ShapePart<?> part : parts) {
            part.acquire(shape);
        }
    }

    private void releaseFacets(Facet<PodShape> shape) {
        releaseFacets(shape.value());
    }

    private void releaseFacets(PodShape shape) {
        for (ShapePart<?> part : parts) {
            part.release(shape);
        }
    }

    /** Counts who uses them; made with them, and not to be had from them. */
    public final class Writer {
        private Writer() {}

        public PodShapes shapes() {
            return PodShapes.this;
        }

        /** The shape of a pod, with one more user. */
        public Facet<PodShape> acquire(Pod pod) {
            return PodShapes.this.acquire(pod);
        }

        /** One more user of a shape that was given back, perhaps, but is still there. */
        public void acquireAgain(Facet<PodShape> shape) {
            shapes.acquire(shape);
        }

        public void release(Facet<PodShape> shape) {
            shapes.release(shape);
        }

        /** Drops all that no pod uses; what is compiled for it goes with it. */
        public void dropIdle() {
            shapes.dropIdle();
            for (ShapePart<?> part : parts) {
                part.table().dropIdle();
            }
        }
    }

    /** Ordinary init containers are over before the pod serves, so only sidecars' ports count among them. */
    public static List<HostPort> hostPortsOf(Pod pod) {
        List<HostPort> ports = List.of();
        List<Container> containers = pod.spec().containers();
        for (int i = 0; i < containers.size(); i++) {
            ports = with(containers.get(i).hostPorts(), ports);
        }
        List<Container> initContainers = pod.spec().initContainers();
        for (int i = 0; i < initContainers.size(); i++) {
            if (initContainers.get(i).sidecar()) {
                ports = with(initContainers.get(i).hostPorts(), ports);
            }
        }
        return ports;
    }

    private static List<HostPort> with(List<HostPort> more, List<HostPort> ports) {
        if (more.isEmpty() || ports.isEmpty()) {
            return more.isEmpty() ? ports : more;
        }
        List<HostPort> all = new ArrayList<>(ports);
        all.addAll(more);
        return all;
    }

    /** A kind of facets, and the table that interns them. */
    record ShapePart<T>(FacetKind<T> kind, FacetTable<T> table) {
        Facet<T> intern(Pod pod, FeatureGates gates) {
            return table.intern(kind.read(pod, gates));
        }

        Facet<T> of(PodShape shape) {
            return shape.facet(table);
        }

        /** Whether both have the same of it, by two tables of this kind. */
        boolean isAlike(PodShape kept, PodShape read) {
            return of(kept).value().equals(of(read).value());
        }

        void acquire(PodShape shape) {
            table.acquire(of(shape));
        }

        void release(PodShape shape) {
            table.release(of(shape));
        }
    }

    /**
     * Audits the interned facets: that pods have the facets that their records say, that ids are neither shared nor lost,
     * and that a facet has as many users as it counts.
     */
    private record FacetAudit(
            PodShapes shapes,
            PodShapes.Writer anew,
            IdentityHashMap<Pod, Facet<PodShape>> placed,
            Differences differences) {
        void run() {
            checkTable("shape", shapes.shapes());
            checkPods();
            shapes.parts().forEach(this::checkUsers);
            checkNames();
        }

        /** Nodes use names too, so there may be more users than pods' resources, never fewer. */
        private void checkNames() {
            ResourceNames names = shapes.names();
            int[] users = new int[names.end()];
            for (Facet<PodResources> facet : shapes.resources().all()) {
                for (ResourceVector amounts : List.of(
                        facet.value().asked(),
                        facet.value().requests(),
                        facet.value().scored())) {
                    for (int i = 0; i < amounts.size(); i++) {
                        users[amounts.resourceAt(i)]++;
                    }
                }
            }
            for (int id = 0; id < users.length; id++) {
                int kept = names.users(id);
                int recounted = users[id];
                String name = names.nameOf(id);
                differences.require(
                        kept >= recounted,
                        () -> "resource name \"" + name + "\" counts " + kept + " users, has " + recounted);
                differences.require(
                        name.isEmpty() || kept > 0 || names.isKept(id),
                        () -> "resource name " + name + " is kept without a user");
            }
        }

        /** Pods that wait to be placed use shapes too, so there may be more users than pods in place, never fewer. */
        private void checkPods() {
            Map<Facet<PodShape>, Integer> users = new HashMap<>();
            placed.forEach((pod, shape) -> {
                users.merge(shape, 1, Integer::sum);
                Facet<PodShape> interned = anew.acquire(pod);
                PodShape read = interned.value();
                differences.require(
                        shapes.parts().stream().allMatch(part -> part.isAlike(shape.value(), read)),
                        () -> "shape of pod " + pod.key() + ": kept " + describe(shape.value()) + ", recounted "
                                + describe(read));
                anew.release(interned);
            });
            anew.dropIdle();
            users.forEach((shape, count) -> differences.require(
                    shape.references() >= count,
                    () -> "shape #" + shape.id() + " counts " + shape.references() + " users, has " + count));
        }

        private static Object describe(PodShape shape) {
            return shape.all().stream().map(Facet::value).toList();
        }

        private <T> void checkUsers(ShapePart<T> part) {
            String kind = part.kind().name();
            FacetTable<T> table = part.table();
            checkTable(kind, table);
            Map<Facet<T>, Integer> users = new HashMap<>();
            for (Facet<PodShape> shape : shapes.shapes().all()) {
                users.merge(part.of(shape.value()), 1, Integer::sum);
            }
            for (Facet<T> facet : table.all()) {
                differences.compare(
                        () -> "users of " + kind + " " + facet, facet.references(), users.getOrDefault(facet, 0));
                users.remove(facet);
            }
            users.forEach((facet, count) ->
                    differences.require(false, () -> kind + " " + facet + " was dropped, but has " + count + " users"));
        }

        private <T> void checkTable(String kind, FacetTable<T> table) {
            Set<Integer> ids = new HashSet<>(table.freeIds());
            for (Facet<T> facet : table.all()) {
                differences.require(ids.add(facet.id()), () -> kind + " id " + facet.id() + " is used twice");
                differences.compare(
                        () -> "whether " + kind + " " + facet + " lies idle",
                        table.idle().contains(facet),
                        facet.references() == 0);
            }
            differences.compare(() -> kind + " ids, used and free", table.end(), ids.size());
            differences.compare(
                    () -> "idle " + kind + " facets",
                    table.idle().size(),
                    table.all().stream()
                            .filter(facet -> facet.references() == 0)
                            .count());
        }
    }
}
