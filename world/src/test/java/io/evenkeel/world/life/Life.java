package io.evenkeel.world.life;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.hollow.HollowObjects;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.status.ApiException;
import io.evenkeel.world.Story;
import io.evenkeel.world.play.Choices;
import java.util.List;
import java.util.function.Predicate;

/**
 * All that lives in the cluster beside the scheduler: users, controllers, kubelets, an autoscaler, and a scheduler of
 * somebody else's. They write to the log directly, as how they get there is not what is tried.
 */
public final class Life {
    private static final int MOST_PODS = 16;
    private static final int MOST_NODES = 6;
    private static final String TEAM = "team";

    /** Whose pods are scheduled by a profile of their own, where there is one. */
    public static final String SECOND_PROFILE = "second";

    private final HollowObjects objects;
    private final Choices choices;
    private final Story story;
    private int made;
    private int size = 2;
    private int revision;

    public Life(HollowObjects objects, Choices choices, Story story) {
        this.objects = objects;
        this.choices = choices;
        this.story = story;
    }

    /** What every cluster begins with. */
    public void begin() {
        List.of("default", "kube-system").forEach(this::createNamespace);
        objects.create("""
            {"kind":"PriorityClass","apiVersion":"scheduling.k8s.io/v1","metadata":{"name":"first-of-all"},"value":1000}
            """);
        int nodes = 1 + choices.below(4);
        for (int node = 0; node < nodes; node++) {
            addNode(node);
        }
    }

    /** Somebody does something. */
    public void step() {
        try {
            switch (choices.below(30)) {
                case 8, 9 -> deletePod();
                case 10 -> changeNode();
                case 11 -> removeNode();
                case 12 -> bringBackNode();
                case 13 -> {
                    if (choices.oneIn(2)) {
                        taintNode();
                    } else {
                        someNode(this::cordonOrUncordon);
                    }
                }
                case 14 -> openGate();
                case 15 -> relabelPod();
                case 16 -> finishPod();
                case 17 -> bindByAnother();
                case 18 -> moveNode();
                case 19 -> relabelNamespace();
                case 20, 21 -> kubelets();
                case 22 -> replacePod();
                case 23 -> addNode(choices.below(MOST_NODES));
                case 24, 25 -> controller();
                case 26 -> roll();
                case 27 -> autoscaler();
                case 28 -> renameNode();
                case 29 -> namespaceComesOrGoes();
                default -> createPod();
            }
        } catch (ApiException refused) {
            story.tell("life", "refused: " + refused.getMessage());
        }
    }

    /** Something comes and goes, or changes and changes back. */
    public void flicker() {
        try {
            switch (choices.below(6)) {
                case 1 -> {
                    createPod();
                    deletePod();
                }
                case 2 -> removeAndRestoreNode();
                case 3 -> {
                    for (int time = 0; time < 2; time++) {
                        someNode(this::cordonOrUncordon);
                    }
                }
                case 4 -> replacePod();
                case 5 -> garble();
                default -> createPod();
            }
        } catch (ApiException refused) {
            story.tell("life", "refused: " + refused.getMessage());
        }
    }

    /** Somebody else is at this pod, at a moment that suits its scheduler least. */
    public void meddle(String namespace, String name) {
        objects.get(ResourceTable.PODS, namespace, name)
                .map(text -> JsonParser.parseString(text).getAsJsonObject())
                .ifPresent(pod -> {
                    try {
                        meddle(pod);
                    } catch (ApiException refused) {
                        story.tell("life", "refused: " + refused.getMessage());
                    }
                });
    }

    private void meddle(JsonObject pod) {
        switch (choices.below(8)) {
            case 1 -> {
                story.tell("life", "deletes " + name(pod) + " at once");
                deleteNow(pod);
            }
            case 2 -> {
                story.tell("life", "deletes " + name(pod));
                delete(pod);
            }
            case 3, 7 -> bindByAnother(pod);
            case 6 -> {
                replace(pod);
                bindByAnother(pod);
            }
            case 4 -> relabel(pod);
            case 5 -> removeNode();
            default -> replace(pod);
        }
    }

    /** The same in all but its UID. */
    private void removeAndRestoreNode() {
        someNode(node -> {
            story.tell("life", "removes " + name(node) + " and makes it anew as it was");
            objects.delete(ResourceTable.NODES, "", name(node));
            JsonObject same = node.deepCopy();
            JsonObject metadata = same.getAsJsonObject("metadata");
            List.of("uid", "resourceVersion", "creationTimestamp", "generation").forEach(metadata::remove);
            objects.create(same.toString());
        });
    }

    /** Labels say that all is well again: for who has turned pods away until the labels of a node, or theirs, change. */
    public void calmDown() {
        String calm = "{\"metadata\":{\"labels\":{\"example.com/calm\":\"true\"}}}";
        List<JsonObject> nodes = all(ResourceTable.NODES);
        nodes.forEach(node -> objects.patch(ResourceTable.NODES, "", name(node), calm));
        if (nodes.isEmpty()) {
            pods(_ -> true).forEach(pod -> objects.patch(ResourceTable.PODS, namespace(pod), name(pod), calm));
        }
    }

    private void createPod() {
        if (pods(_ -> true).size() < MOST_PODS) {
            boolean there = objects.get(ResourceTable.NAMESPACES, "", TEAM).isPresent();
            createPod(there && choices.oneIn(3) ? TEAM : "default", "pod-" + made++);
        }
    }

    private void createPod(String namespace, String name) {
        int template = choices.below(Templates.count());
        String scheduler = schedulerName();
        story.tell("life", "creates " + name + " (" + Templates.app(template) + ", of " + scheduler + ")");
        objects.create(Templates.pod(template, namespace, name, scheduler, 0));
    }

    private String schedulerName() {
        return switch (choices.below(10)) {
            case 7, 8 -> SECOND_PROFILE;
            case 9 -> "another";
            default -> "default-scheduler";
        };
    }

    /** Keeps some pods of one sort, of the newest revision once the old ones are gone. */
    private void controller() {
        List<JsonObject> its = pods(pod -> name(pod).startsWith("rolled-")
                && !pod.getAsJsonObject("metadata").has("deletionTimestamp"));
        if (its.size() < size) {
            String name = "rolled-" + made++;
            story.tell("controller", "creates " + name + " of revision " + revision);
            objects.create(Templates.pod(Templates.ROLLED, "default", name, "default-scheduler", revision));
        } else {
            its.stream()
                    .filter(pod -> !label(pod, "revision").equals("r" + revision))
                    .findFirst()
                    .ifPresent(old -> {
                        story.tell("controller", "deletes " + name(old));
                        delete(old);
                    });
        }
    }

    private void roll() {
        size = 1 + choices.below(4);
        revision++;
        story.tell("controller", "wants " + size + " of revision " + revision);
        controller();
    }

    /** Adds a node where a pod has been told that there is no room. */
    private void autoscaler() {
        boolean needed = pods(pod -> !isPlaced(pod)).stream()
                .anyMatch(pod -> pod.getAsJsonObject("status").toString().contains("\"Unschedulable\""));
        if (needed) {
            addNode(choices.below(MOST_NODES));
        }
    }

    /** The machine comes back by another name, and its pods do not. */
    private void renameNode() {
        someNode(node -> {
            String other = "renamed-" + made++;
            story.tell("life", name(node) + " comes back as " + other);
            objects.delete(ResourceTable.NODES, "", name(node));
            objects.create(Templates.node(other, choices.below(3), 4));
            pods(pod -> text(pod, "spec", "nodeName").equals(name(node))).forEach(this::deleteNow);
        });
    }

    private void namespaceComesOrGoes() {
        if (objects.get(ResourceTable.NAMESPACES, "", TEAM).isEmpty()) {
            story.tell("life", "creates namespace " + TEAM);
            createNamespace(TEAM);
        } else {
            story.tell("life", "deletes namespace " + TEAM + " and all in it");
            pods(pod -> namespace(pod).equals(TEAM)).forEach(this::deleteNow);
            objects.deleteNow(ResourceTable.NAMESPACES, "", TEAM);
        }
    }

    private void createNamespace(String name) {
        objects.create("{\"kind\":\"Namespace\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"" + name + "\"}}");
    }

    private void delete(JsonObject pod) {
        objects.delete(ResourceTable.PODS, namespace(pod), name(pod));
    }

    private void deleteNow(JsonObject pod) {
        objects.deleteNow(ResourceTable.PODS, namespace(pod), name(pod));
    }

    private void deletePod() {
        somePod(_ -> true, pod -> {
            story.tell("life", "deletes " + name(pod));
            delete(pod);
        });
    }

    /** Another pod of the same name, at once. */
    private void replacePod() {
        somePod(_ -> true, this::replace);
    }

    private void replace(JsonObject pod) {
        story.tell("life", "replaces " + name(pod));
        deleteNow(pod);
        createPod(namespace(pod), name(pod));
    }

    /** Pods that were asked to end do, those that are placed run. */
    private void kubelets() {
        for (JsonObject pod : pods(Life::isPlaced)) {
            if (pod.getAsJsonObject("metadata").has("deletionTimestamp")) {
                story.tell("kubelet", "ends " + name(pod));
                deleteNow(pod);
            } else if (phase(pod).equals("Pending")) {
                story.tell("kubelet", "runs " + name(pod));
                objects.patchStatus(
                        ResourceTable.PODS, namespace(pod), name(pod), "{\"status\":{\"phase\":\"Running\"}}");
            }
        }
    }

    private void finishPod() {
        somePod(Life::isPlaced, pod -> {
            story.tell("kubelet", name(pod) + " has succeeded");
            objects.patchStatus(
                    ResourceTable.PODS, namespace(pod), name(pod), "{\"status\":{\"phase\":\"Succeeded\"}}");
        });
    }

    private void openGate() {
        somePod(pod -> pod.getAsJsonObject("spec").has("schedulingGates"), pod -> {
            story.tell("life", "opens the gate of " + name(pod));
            objects.patch(
                    ResourceTable.PODS,
                    namespace(pod),
                    name(pod),
                    "{\"spec\":{\"schedulingGates\":[{\"name\":\"example.com/wait\",\"$patch\":\"delete\"}]}}");
        });
    }

    private void relabelPod() {
        somePod(_ -> true, this::relabel);
    }

    private void relabel(JsonObject pod) {
        String app = Templates.app(choices.below(Templates.count()));
        story.tell("life", "labels " + name(pod) + " app=" + app);
        objects.patch(
                ResourceTable.PODS, namespace(pod), name(pod), "{\"metadata\":{\"labels\":{\"app\":\"" + app + "\"}}}");
    }

    private void relabelNamespace() {
        String team = "team-" + choices.below(2);
        story.tell("life", "labels namespace default team=" + team);
        objects.patch(
                ResourceTable.NAMESPACES, "", "default", "{\"metadata\":{\"labels\":{\"team\":\"" + team + "\"}}}");
    }

    /** A scheduler of its own pods, which now and then takes one of ours. */
    private void bindByAnother() {
        boolean ours = choices.oneIn(2);
        somePod(
                pod -> !isPlaced(pod)
                        && !pod.getAsJsonObject("spec").has("schedulingGates")
                        && (ours || text(pod, "spec", "schedulerName").equals("another")),
                this::bindByAnother);
    }

    private void bindByAnother(JsonObject pod) {
        List<JsonObject> nodes = all(ResourceTable.NODES);
        if (!nodes.isEmpty()) {
            String node = name(choices.from(nodes));
            story.tell("another", "binds " + name(pod) + " to " + node);
            objects.bind(namespace(pod), name(pod), node);
        }
    }

    private void addNode(int number) {
        String name = "node-" + number;
        if (objects.get(ResourceTable.NODES, "", name).isEmpty()) {
            int cpus = 4 - choices.below(3);
            story.tell("life", "adds " + name + " with " + cpus + " CPUs");
            objects.create(Templates.node(name, number % 3, cpus));
        }
    }

    private void removeNode() {
        someNode(node -> {
            story.tell("life", "removes " + name(node));
            objects.delete(ResourceTable.NODES, "", name(node));
        });
    }

    /** The same name, another node. */
    private void bringBackNode() {
        someNode(node -> {
            story.tell("life", "makes " + name(node) + " anew");
            objects.delete(ResourceTable.NODES, "", name(node));
            objects.create(Templates.node(name(node), choices.below(3), 4 - choices.below(3)));
        });
    }

    private void changeNode() {
        if (choices.oneIn(4)) {
            garble();
            return;
        }
        someNode(node -> {
            int cpus = 4 - choices.below(4);
            story.tell("life", name(node) + " has " + cpus + " CPUs");
            objects.patchStatus(
                    ResourceTable.NODES, "", name(node), "{\"status\":{\"allocatable\":{\"cpu\":\"" + cpus + "\"}}}");
        });
    }

    /** Nobody can read any more what a node has, until it is set right. */
    private void garble() {
        someNode(node -> {
            story.tell("life", name(node) + " has so many CPUs that nobody can read it");
            objects.patchStatus(
                    ResourceTable.NODES, "", name(node), "{\"status\":{\"allocatable\":{\"cpu\":\"many\"}}}");
        });
    }

    /** Sets right what cannot be read. */
    public void mend() {
        for (JsonObject node : all(ResourceTable.NODES)) {
            if (node.getAsJsonObject("status").toString().contains("\"many\"")) {
                story.tell("life", name(node) + " can be read again");
                objects.patchStatus(
                        ResourceTable.NODES, "", name(node), "{\"status\":{\"allocatable\":{\"cpu\":\"2\"}}}");
            }
        }
    }

    private void moveNode() {
        someNode(node -> {
            int zone = choices.below(3);
            story.tell("life", name(node) + " is in zone-" + zone);
            objects.patch(
                    ResourceTable.NODES,
                    "",
                    name(node),
                    "{\"metadata\":{\"labels\":{\"topology.kubernetes.io/zone\":\"zone-" + zone + "\"}}}");
        });
    }

    private void taintNode() {
        someNode(node -> {
            boolean tainted = node.getAsJsonObject("spec") != null
                    && node.getAsJsonObject("spec").has("taints");
            story.tell("life", name(node) + (tainted ? " has no taint any more" : " is tainted"));
            String taint = "{\"key\":\"%s\",\"value\":\"x\",\"effect\":\"NoSchedule\"}".formatted(Templates.DEDICATED);
            objects.patch(
                    ResourceTable.NODES,
                    "",
                    name(node),
                    "{\"spec\":{\"taints\":" + (tainted ? "null" : "[" + taint + "]") + "}}");
        });
    }

    private void cordonOrUncordon(JsonObject node) {
        boolean cordoned = text(node, "spec", "unschedulable").equals("true");
        story.tell("life", (cordoned ? "uncordons " : "cordons ") + name(node));
        objects.patch(ResourceTable.NODES, "", name(node), "{\"spec\":{\"unschedulable\":" + !cordoned + "}}");
    }

    private interface Deed {
        void on(JsonObject object);
    }

    private void somePod(Predicate<JsonObject> which, Deed deed) {
        List<JsonObject> found = pods(which);
        if (!found.isEmpty()) {
            deed.on(choices.from(found));
        }
    }

    private void someNode(Deed deed) {
        List<JsonObject> found = all(ResourceTable.NODES);
        if (!found.isEmpty()) {
            deed.on(choices.from(found));
        }
    }

    private List<JsonObject> pods(Predicate<JsonObject> which) {
        return all(ResourceTable.PODS).stream().filter(which).toList();
    }

    private List<JsonObject> all(ResourceType type) {
        return objects.list(type, "").stream()
                .map(text -> JsonParser.parseString(text).getAsJsonObject())
                .toList();
    }

    private static String name(JsonObject object) {
        return text(object, "metadata", "name");
    }

    private static String namespace(JsonObject object) {
        return text(object, "metadata", "namespace");
    }

    private static String label(JsonObject object, String key) {
        JsonObject metadata = object.getAsJsonObject("metadata");
        return metadata.has("labels") ? text(metadata, "labels", key) : "";
    }

    private static String phase(JsonObject pod) {
        return text(pod, "status", "phase");
    }

    private static boolean isPlaced(JsonObject pod) {
        return !text(pod, "spec", "nodeName").isEmpty();
    }

    private static String text(JsonObject object, String part, String member) {
        return object.has(part) && object.getAsJsonObject(part).has(member)
                ? object.getAsJsonObject(part).get(member).getAsString()
                : "";
    }
}
