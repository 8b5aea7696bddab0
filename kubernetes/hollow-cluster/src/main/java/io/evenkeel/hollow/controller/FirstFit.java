package io.evenkeel.hollow.controller;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.Change;
import io.evenkeel.hollow.store.ObjectKey;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.model.workload.DaemonPods;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Stands in for another scheduler in the same cluster: puts the pods of {@code default-scheduler} on the first node by name
 * that has room for their requests, those of DaemonSets on theirs. Of taints it knows that they keep pods away, of all else nothing; pods that
 * claim devices it leaves alone.
 */
final class FirstFit implements Controller {

    private static final String NAME = "default-scheduler";

    private final Registry registry;
    private final EventRecorder events;
    private final Map<String, Room> taken = new LinkedHashMap<>();
    private final Map<ObjectKey, String> pending = new LinkedHashMap<>();
    private final Map<ObjectKey, StoredObject> waiting = new LinkedHashMap<>();

    FirstFit(Registry registry, EventRecorder events) {
        this.registry = registry;
        this.events = events;
    }

    @Override
    public void forEachConcerned(Change change, Consumer<ObjectKey> look) {
        switch (change.object().key().table()) {
            case "pods" -> {
                follow(change);
                if (change instanceof Change.Deleted) {
                    waiting.keySet().forEach(look);
                } else if (waits(change.object())) {
                    waiting.put(change.object().key(), change.object());
                    look.accept(change.object().key());
                }
            }
            case "nodes" -> waiting.keySet().forEach(look);
            default -> {}
        }
    }

    @Override
    public void sync(ObjectKey key) {
        Optional<StoredObject> pod = registry.find(ResourceTable.PODS, key).filter(FirstFit::waits);
        if (pod.isEmpty()) {
            waiting.remove(key);
            return;
        }
        Room asked = Room.asked(pod.get().tree());
        String only = DaemonPods.nodeOf(pod.get().tree());
        registry.store().list(ResourceTable.NODES.storage(), "").objects().stream()
                .filter(node ->
                        only.isEmpty() ? isOpen(node.tree()) : node.name().equals(only))
                .filter(node -> asked.fits(Room.offered(node.tree()), taken.getOrDefault(node.name(), Room.NONE)))
                .findFirst()
                .ifPresent(node -> bind(pod.get(), node.name(), asked));
    }

    private void bind(StoredObject pod, String node, Room asked) {
        ObjectKey key = pod.key();
        StoredObject bound = registry.bind(key.namespace(), key.name(), node);
        waiting.remove(key);
        // until the change is followed: others of this round must not take the same room
        pending.put(key, node);
        taken.merge(node, asked, Room::plus);
        events.normal(
                ResourceTable.PODS,
                bound,
                NAME,
                "Scheduled",
                "Successfully assigned %s/%s to %s".formatted(key.namespace(), key.name(), node));
    }

    /** Keeps count of what the pods on each node ask for. */
    private void follow(Change change) {
        Optional<StoredObject> before = switch (change) {
            case Change.Added _ -> Optional.empty();
            case Change.Modified modified -> Optional.of(modified.before());
            case Change.Deleted deleted -> Optional.of(deleted.before());
        };
        before.ifPresent(pod -> count(pod, -1));
        if (!(change instanceof Change.Deleted)) {
            StoredObject pod = change.object();
            String node = PodState.node(pod);
            if (!node.isEmpty() && node.equals(pending.remove(pod.key()))) {
                return; // counted when it was bound
            }
            count(pod, 1);
        }
    }

    private void count(StoredObject pod, int times) {
        String node = PodState.node(pod);
        if (!node.isEmpty() && !PodState.isOver(pod)) {
            taken.merge(node, Room.asked(pod.tree()).times(times), Room::plus);
        }
    }

    private static boolean waits(StoredObject pod) {
        return PodState.node(pod).isEmpty()
                && PodState.isActive(pod)
                && Trees.text(pod.tree(), "spec", "schedulerName").equals(NAME)
                && Trees.objects(pod.tree(), "spec", "schedulingGates").isEmpty()
                && PodState.deviceClaims(pod).isEmpty();
    }

    private static boolean isOpen(JsonObject node) {
        return !Trees.isTrue(node, "spec", "unschedulable")
                && Trees.objects(node, "spec", "taints").stream()
                        .allMatch(taint -> Trees.text(taint, "effect").equals("PreferNoSchedule"));
    }

    /** An amount of what pods share on a node. */
    private record Room(long milliCpu, long memory, long pods) {

        static final Room NONE = new Room(0, 0, 0);

        static Room asked(JsonObject pod) {
            Room sum = new Room(0, 0, 1);
            for (JsonObject container : Trees.objects(pod, "spec", "containers")) {
                sum = sum.plus(
                        of(Trees.object(container, "resources", "requests").orElseGet(JsonObject::new)));
            }
            return sum;
        }

        static Room offered(JsonObject node) {
            return of(Trees.object(node, "status", "allocatable").orElseGet(JsonObject::new));
        }

        boolean fits(Room offered, Room taken) {
            return milliCpu + taken.milliCpu <= offered.milliCpu
                    && memory + taken.memory <= offered.memory
                    && pods + taken.pods <= offered.pods;
        }

        Room plus(Room other) {
            return new Room(milliCpu + other.milliCpu, memory + other.memory, pods + other.pods);
        }

        Room times(int factor) {
            return new Room(milliCpu * factor, memory * factor, pods * factor);
        }

        private static Room of(JsonObject resources) {
            return new Room(
                    quantity(resources, "cpu").milliValue(),
                    quantity(resources, "memory").value(),
                    quantity(resources, "pods").value());
        }

        private static Quantity quantity(JsonObject resources, String name) {
            String text = Trees.text(resources, name);
            return text.isEmpty() ? Quantity.ZERO : Quantity.parse(text);
        }
    }
}
