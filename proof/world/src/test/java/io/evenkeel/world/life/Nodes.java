package io.evenkeel.world.life;

import static io.evenkeel.world.life.ClusterObjects.label;
import static io.evenkeel.world.life.ClusterObjects.name;
import static io.evenkeel.world.life.ClusterObjects.text;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.HollowObjects;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.world.Story;
import io.evenkeel.world.play.Choices;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What becomes of nodes: they come, go, change, and are others under the same name. */
final class Nodes {
    static final String OF_GUESTS = "node-of-guests";
    static final String OF_GANG = "node-of-gang";
    static final String OF_ONE = "node-of-one";

    private final HollowObjects objects;
    private final ClusterObjects cluster;
    private final Pods pods;
    private final Choices choices;
    private final Story story;
    private final List<String> pools;

    /** @param pools that nodes are in, if they are in any */
    Nodes(HollowObjects objects, ClusterObjects cluster, Pods pods, Choices choices, Story story, List<String> pools) {
        this.pools = pools;
        this.objects = objects;
        this.cluster = cluster;
        this.pods = pods;
        this.choices = choices;
        this.story = story;
    }

    void add(int number) {
        String name = "node-" + number;
        if (objects.get(ResourceTable.NODES, "", name).isEmpty()) {
            int cpus = 4 - choices.below(3);
            story.tell("life", "adds " + name + " with " + cpus + " CPUs");
            create(name, number % 3, cpus);
        }
    }

    private void create(String name, int zone, int cpus) {
        String node = Templates.node(name, zone, cpus);
        objects.create(pools.isEmpty() ? node : Templates.inPool(node, choices.from(pools)));
    }

    /** It is in another pool, and those who are on it stay there. */
    void movePool() {
        if (!pools.isEmpty()) {
            cluster.someNode(node -> moveTo(name(node), choices.from(pools)));
        }
    }

    /** Some node, where they are in pools. */
    Optional<String> some() {
        List<JsonObject> there = pools.isEmpty() ? List.of() : cluster.all(ResourceTable.NODES);
        return there.isEmpty() ? Optional.empty() : Optional.of(name(choices.from(there)));
    }

    /** The pool that a node is in; empty where it is gone. */
    String poolOf(String name) {
        return cluster.all(ResourceTable.NODES).stream()
                .filter(node -> name(node).equals(name))
                .map(node -> label(node, Life.POOL))
                .findFirst()
                .orElse("");
    }

    /** The node is in this pool, if it is still there. */
    void moveTo(String node, String pool) {
        if (objects.get(ResourceTable.NODES, "", node).isPresent()) {
            story.tell("life", node + " is in pool " + pool);
            objects.patch(
                    ResourceTable.NODES,
                    "",
                    node,
                    "{\"metadata\":{\"labels\":{\"%s\":\"%s\"}}}".formatted(Life.POOL, pool));
        }
    }

    /** Whether anybody may be put on the node from now on. */
    void open(String node, boolean isOpen) {
        if (objects.get(ResourceTable.NODES, "", node).isPresent()) {
            story.tell("life", (isOpen ? "uncordons " : "cordons ") + node);
            objects.patch(ResourceTable.NODES, "", node, "{\"spec\":{\"unschedulable\":" + !isOpen + "}}");
        }
    }

    /** One for those alone who know of it. */
    void addDedicated(String name) {
        story.tell("life", "adds " + name);
        create(name, choices.below(3), 4);
        taint(name, true);
    }

    void remove() {
        cluster.someNode(node -> takeAway(name(node)));
    }

    /** Nobody is put on it any more, and nobody is left; for those who are spread evenly it counts all the same. */
    Optional<String> drain() {
        List<JsonObject> there = cluster.all(ResourceTable.NODES);
        if (there.isEmpty()) {
            return Optional.empty();
        }
        String name = name(choices.from(there));
        story.tell("life", "drains " + name);
        objects.patch(ResourceTable.NODES, "", name, "{\"spec\":{\"unschedulable\":true}}");
        cluster.pods(pod -> text(pod, "spec", "nodeName").equals(name)).forEach(pods::deleteNow);
        int sort = choices.from(Templates.EVEN);
        for (int pod = 2 + choices.below(3); pod > 0; pod--) {
            pods.create(sort);
        }
        return Optional.of(name);
    }

    /** Nobody is put on it any more, and its pods are deleted. */
    void drain(String name) {
        if (objects.get(ResourceTable.NODES, "", name).isPresent()) {
            story.tell("life", "drains " + name);
            objects.patch(ResourceTable.NODES, "", name, "{\"spec\":{\"unschedulable\":true}}");
            cluster.pods(pod -> text(pod, "spec", "nodeName").equals(name)).forEach(pods::delete);
        }
    }

    void takeAway(String name) {
        if (objects.get(ResourceTable.NODES, "", name).isPresent()) {
            story.tell("life", "removes " + name);
            objects.delete(ResourceTable.NODES, "", name);
        }
    }

    /** The same in all but its UID. */
    void restore() {
        cluster.someNode(node -> {
            story.tell("life", "removes " + name(node) + " and makes it anew as it was");
            objects.delete(ResourceTable.NODES, "", name(node));
            JsonObject same = node.deepCopy();
            same.addProperty("kind", "Node");
            same.addProperty("apiVersion", "v1");
            JsonObject metadata = same.getAsJsonObject("metadata");
            List.of("uid", "resourceVersion", "creationTimestamp", "generation").forEach(metadata::remove);
            objects.create(same.toString());
        });
    }

    /** The same name, another node. */
    void replace() {
        cluster.someNode(node -> {
            story.tell("life", "makes " + name(node) + " anew");
            objects.delete(ResourceTable.NODES, "", name(node));
            create(name(node), choices.below(3), 4 - choices.below(3));
        });
    }

    /** The machine comes back by another name, and its pods do not. */
    void rename() {
        cluster.someNode(node -> {
            String other = "renamed-" + cluster.number();
            story.tell("life", name(node) + " comes back as " + other);
            objects.delete(ResourceTable.NODES, "", name(node));
            create(other, choices.below(3), 4);
            cluster.pods(pod -> text(pod, "spec", "nodeName").equals(name(node)))
                    .forEach(pods::deleteNow);
        });
    }

    void resize() {
        if (choices.oneIn(4)) {
            garble();
            return;
        }
        cluster.someNode(node -> {
            int cpus = 4 - choices.below(4);
            story.tell("life", name(node) + " has " + cpus + " CPUs");
            objects.patchStatus(
                    ResourceTable.NODES, "", name(node), "{\"status\":{\"allocatable\":{\"cpu\":\"" + cpus + "\"}}}");
        });
    }

    /** Nobody can read any more what a node has, until it is set right. */
    void garble() {
        cluster.someNode(node -> {
            story.tell("life", name(node) + " has so many CPUs that nobody can read it");
            objects.patchStatus(
                    ResourceTable.NODES,
                    "",
                    name(node),
                    "{\"status\":{\"allocatable\":{\"cpu\":\"" + Garbling.AMOUNT + "\"}}}");
        });
    }

    /** Sets right what cannot be read. */
    void mend() {
        for (JsonObject node : cluster.all(ResourceTable.NODES)) {
            if (node.getAsJsonObject("status").toString().contains(Garbling.AMOUNT)) {
                story.tell("life", name(node) + " can be read again");
                objects.patchStatus(
                        ResourceTable.NODES, "", name(node), "{\"status\":{\"allocatable\":{\"cpu\":\"2\"}}}");
            }
        }
    }

    void move() {
        cluster.someNode(node -> {
            int zone = choices.below(3);
            story.tell("life", name(node) + " is in zone-" + zone);
            objects.patch(
                    ResourceTable.NODES,
                    "",
                    name(node),
                    "{\"metadata\":{\"labels\":{\"topology.kubernetes.io/zone\":\"zone-" + zone + "\"}}}");
        });
    }

    void taint() {
        cluster.someNode(node -> {
            boolean tainted = node.getAsJsonObject("spec") != null
                    && node.getAsJsonObject("spec").has("taints");
            story.tell("life", name(node) + (tainted ? " has no taint any more" : " is tainted"));
            taint(name(node), !tainted);
        });
    }

    private void taint(String node, boolean isTainted) {
        String taint = "{\"key\":\"%s\",\"value\":\"x\",\"effect\":\"NoSchedule\"}".formatted(Templates.DEDICATED);
        objects.patch(
                ResourceTable.NODES,
                "",
                node,
                "{\"spec\":{\"taints\":" + (isTainted ? "[" + taint + "]" : "null") + "}}");
    }

    private void cordonOrUncordon(JsonObject node) {
        boolean cordoned = text(node, "spec", "unschedulable").equals("true");
        story.tell("life", (cordoned ? "uncordons " : "cordons ") + name(node));
        objects.patch(ResourceTable.NODES, "", name(node), "{\"spec\":{\"unschedulable\":" + !cordoned + "}}");
    }

    void cordonOrUncordon() {
        cluster.someNode(this::cordonOrUncordon);
    }

    /** Nobody is put any more where some that wait are about to have their place. */
    void cordonAwaited() {
        Set<String> awaited = pods.areExpectedOn();
        cluster.all(ResourceTable.NODES).stream()
                .filter(node -> awaited.contains(name(node)))
                .filter(node -> !text(node, "spec", "unschedulable").equals("true"))
                .findFirst()
                .ifPresent(this::cordonOrUncordon);
    }
}
