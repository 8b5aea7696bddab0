package io.evenkeel.kube.watch;

import io.evenkeel.hollow.HollowCluster;
import io.evenkeel.hollow.HollowObjects;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;

/** Creates, changes and deletes objects of all watched kinds at random. */
final class RandomWrites {
    private final HollowObjects objects;
    private final RandomGenerator random;
    private final List<Written> living = new ArrayList<>();
    private int created;

    RandomWrites(HollowCluster cluster, RandomGenerator random) {
        this.objects = cluster.objects();
        this.random = random;
    }

    private record Written(ResourceType type, String namespace, String name) {}

    void write() {
        int drawn = random.nextInt(10);
        if (living.size() < 5 || drawn < 4) {
            create();
        } else if (drawn < 8) {
            change(living.get(random.nextInt(living.size())));
        } else {
            Written gone = living.remove(random.nextInt(living.size()));
            objects.deleteNow(gone.type(), gone.namespace(), gone.name());
        }
    }

    private void create() {
        List<Kind<?>> kinds = Kinds.IN_TREE.all();
        Kind<?> kind = random.nextBoolean() ? Kinds.POD : kinds.get(random.nextInt(kinds.size()));
        if (kind.equals(Kinds.NAMESPACE)) {
            return; // they go by and by, which is another story
        }
        ResourceType type =
                ResourceTable.ofKind(kind.apiVersion(), kind.objectKind()).orElseThrow();
        String name = kind.name().toLowerCase(Locale.ROOT) + created++;
        objects.create(WatchedObjects.json(kind.name(), name, random.nextInt(3)));
        living.add(new Written(type, type.namespaced() ? "default" : "", name));
    }

    private void change(Written object) {
        if (object.type().equals(ResourceTable.PODS) && random.nextInt(4) == 0) {
            String phase = List.of("Running", "Succeeded", "Failed", "Pending").get(random.nextInt(4));
            objects.patchStatus(
                    object.type(), object.namespace(), object.name(), "{\"status\":{\"phase\":\"" + phase + "\"}}");
        } else {
            objects.patch(
                    object.type(),
                    object.namespace(),
                    object.name(),
                    "{\"metadata\":{\"labels\":{\"changed\":\"" + random.nextInt() + "\"}}}");
        }
    }
}
