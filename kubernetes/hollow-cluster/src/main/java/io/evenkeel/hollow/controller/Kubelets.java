package io.evenkeel.hollow.controller;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.DeleteOptions;
import io.evenkeel.hollow.registry.Deletion;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.Change;
import io.evenkeel.hollow.store.ObjectKey;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** All kubelets: they start the pods bound to their nodes, end the marked ones, and lose pods when their node goes. */
public final class Kubelets implements Controller {

    private final Registry registry;
    private final Deletion deletion;
    private final Observed observed;
    private final Schedule schedule;
    private final EventRecorder events;
    private final Pace pace;
    private final Set<String> underWay = new HashSet<>();
    private int addresses;

    /** How long pods take; zero for at once. */
    public record Pace(Duration start, Duration longestGrace) {
        public static final Pace AT_ONCE = new Pace(Duration.ZERO, Duration.ZERO);
    }

    public Kubelets(
            Registry registry,
            Deletion deletion,
            Observed observed,
            Schedule schedule,
            EventRecorder events,
            Pace pace) {
        this.registry = registry;
        this.deletion = deletion;
        this.observed = observed;
        this.schedule = schedule;
        this.events = events;
        this.pace = pace;
    }

    @Override
    public void concerned(Change change, Consumer<ObjectKey> look) {
        ObjectKey key = change.object().key();
        if (key.table().equals("nodes")) {
            // who was bound before the node came starts now; who is on a node that went is lost
            if (!(change instanceof Change.Modified)) {
                observed.podsOn(key.name()).forEach(pod -> look.accept(pod.key()));
            }
        } else if (key.table().equals("pods")
                && !(change instanceof Change.Deleted)
                && !node(change.object()).isEmpty()) {
            look.accept(key);
        }
    }

    @Override
    public void sync(ObjectKey key) {
        Optional<StoredObject> found = registry.find(ResourceTable.PODS, key.namespace(), key.name());
        if (found.isEmpty()) {
            return;
        }
        StoredObject pod = found.get();
        boolean going = Trees.at(pod.tree(), "metadata", "deletionTimestamp").isPresent();
        boolean started = !Trees.text(pod.tree(), "status", "phase").equals("Pending");
        if (registry.find(ResourceTable.NODES, "", node(pod)).isEmpty()) {
            // like a real cluster's: a pod may be bound early to a node that is still to come
            if (started || going) {
                end(key, uid(pod));
            }
        } else if (going) {
            long grace = Trees.number(pod.tree(), "metadata", "deletionGracePeriodSeconds")
                    .orElse(0L);
            Duration delay = Duration.ofSeconds(grace);
            after(delay.compareTo(pace.longestGrace) < 0 ? delay : pace.longestGrace, "end", pod, this::end);
        } else if (!started) {
            after(pace.start, "start", pod, this::start);
        }
    }

    private interface Action {
        void on(ObjectKey pod, String uid);
    }

    private void after(Duration delay, String what, StoredObject pod, Action action) {
        ObjectKey key = pod.key();
        String uid = uid(pod);
        if (delay.isZero()) {
            action.on(key, uid);
        } else if (underWay.add(what + uid)) {
            schedule.in(delay, () -> {
                underWay.remove(what + uid);
                action.on(key, uid);
            });
        }
    }

    private void start(ObjectKey key, String uid) {
        Optional<StoredObject> pod = present(key, uid);
        Optional<StoredObject> node = pod.flatMap(each -> registry.find(ResourceTable.NODES, "", node(each)));
        if (pod.isEmpty() || node.isEmpty()) {
            return;
        }
        RunningStatus running = new RunningStatus(
                registry.times().now(), PodNetwork.podAddress(node.get(), addresses++), address(node.get()));
        StoredObject started = registry.change(ResourceTable.PODS, key.namespace(), key.name(), false, tree -> {
            if (Trees.text(tree, "status", "phase").equals("Pending")) {
                running.writeTo(tree);
            }
            return tree;
        });
        events.normal(ResourceTable.PODS, started, "kubelet", "Started", "Started all containers");
    }

    private void end(ObjectKey key, String uid) {
        present(key, uid)
                .ifPresent(_ -> deletion.delete(
                        ResourceTable.PODS,
                        key.namespace(),
                        key.name(),
                        new DeleteOptions(Optional.of(0L), uid, "", false)));
    }

    private Optional<StoredObject> present(ObjectKey key, String uid) {
        return registry.find(ResourceTable.PODS, key.namespace(), key.name()).filter(pod -> uid(pod).equals(uid));
    }

    private static String address(StoredObject node) {
        return Trees.objects(node.tree(), "status", "addresses").stream()
                .filter(each -> Trees.text(each, "type").equals("InternalIP"))
                .map(each -> Trees.text(each, "address"))
                .findFirst()
                .orElse("127.0.0.1");
    }

    private static String uid(StoredObject pod) {
        return Trees.text(pod.tree(), "metadata", "uid");
    }

    private static String node(StoredObject pod) {
        JsonObject tree = pod.tree();
        return Trees.text(tree, "spec", "nodeName");
    }
}
