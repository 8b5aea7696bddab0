package io.evenkeel.cluster.shape;

import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.shape.PodShapes.ShapePart;
import io.evenkeel.model.Pod;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Audits the interned facets: that pods have the facets that their records say, that ids are neither shared nor lost,
 * and that a facet has as many users as it counts.
 */
record FacetAudit(
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
                table.all().stream().filter(facet -> facet.references() == 0).count());
    }
}
