package io.evenkeel.hollow.controller;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.Change;
import io.evenkeel.hollow.store.ObjectKey;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.model.workload.DaemonPods;
import io.evenkeel.model.workload.Templates;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Sees to it that a DaemonSet has a pod for each node that it is for; schedulers place them by the affinity that each gets. */
final class DaemonSets implements Controller {
    private final Registry registry;
    private final Observed observed;
    private final PodFactory pods;
    private final EventRecorder events;
    private final ObjectReader reader = new ObjectReader();
    private final Map<String, Node> nodes = new LinkedHashMap<>();

    DaemonSets(Registry registry, Observed observed, PodFactory pods, EventRecorder events) {
        this.registry = registry;
        this.observed = observed;
        this.pods = pods;
        this.events = events;
    }

    @Override
    public void forEachConcerned(Change change, Consumer<ObjectKey> look) {
        StoredObject object = change.object();
        switch (object.key().table()) {
            case "daemonsets" -> look.accept(object.key());
            case "pods" -> Owner.controllerOf(object, ResourceTable.DAEMON_SETS).ifPresent(look);
            case "nodes" -> {
                if (follow(change)) {
                    registry.store()
                            .list(ResourceTable.DAEMON_SETS.storage(), "")
                            .objects()
                            .forEach(set -> look.accept(set.key()));
                }
            }
            default -> {}
        }
    }

    /** Whether a node has changed for what is placed on it: a heartbeat changes nothing. */
    private boolean follow(Change change) {
        String name = change.object().name();
        if (change instanceof Change.Deleted) {
            return nodes.remove(name) != null;
        }
        Node now = (Node)
                reader.read(ResourceTable.NODES.typed(change.object().tree()).toString());
        Node before = nodes.put(name, now);
        return before == null
                || !before.labels().equals(now.labels())
                || !before.taints().equals(now.taints());
    }

    @Override
    public void sync(ObjectKey key) {
        registry.find(ResourceTable.DAEMON_SETS, key)
                .filter(set -> !set.isGoing())
                .ifPresent(this::sync);
    }

    private void sync(StoredObject set) {
        String revision = Templates.revision(set.tree());
        JsonObject template = PodFactory.fromTemplate(ResourceTable.DAEMON_SETS, set);
        JsonObject metadata = template.getAsJsonObject("metadata");
        metadata.addProperty("generateName", set.name() + "-");
        Trees.ensureObject(metadata, "labels").addProperty(Templates.REVISION, revision);
        DaemonPods.tolerate(template.getAsJsonObject("spec"));
        Pod asked = (Pod) reader.read(ResourceTable.PODS.typed(named(template)).toString());
        Map<String, StoredObject> byNode = new LinkedHashMap<>();
        List<StoredObject> unwanted = new ArrayList<>();
        for (StoredObject pod : observed.controlledBy(set.uid(), ResourceTable.PODS)) {
            String meant = DaemonPods.nodeOf(pod.tree());
            String node = meant.isEmpty() ? PodState.node(pod) : meant;
            boolean isWanted = nodes.containsKey(node)
                    && !PodState.isOver(pod)
                    && DaemonPods.shallRunOn(nodes.get(node), asked)
                    && byNode.putIfAbsent(node, pod) == null;
            if (!isWanted) {
                unwanted.add(pod);
            }
        }
        List<Node> wanted = nodes.values().stream()
                .filter(node -> DaemonPods.shallRunOn(node, asked))
                .toList();
        writeStatus(set, revision, wanted.size(), List.copyOf(byNode.values()), unwanted.size());
        unwanted.forEach(pod -> delete(set, pod));
        for (Node node : wanted) {
            if (!byNode.containsKey(node.name())) {
                JsonObject pod = template.deepCopy();
                DaemonPods.bind(pod.getAsJsonObject("spec"), node.name());
                pods.create(ResourceTable.DAEMON_SETS, set, pod);
            }
        }
        update(set, revision, wanted.size(), List.copyOf(byNode.values()));
    }

    private static JsonObject named(JsonObject template) {
        JsonObject pod = template.deepCopy();
        pod.getAsJsonObject("metadata").addProperty("name", "template");
        return pod;
    }

    /** Deletes pods of an earlier template, no more at a time than may be unavailable. */
    private void update(StoredObject set, String revision, int wanted, List<StoredObject> members) {
        if (Trees.text(set.tree(), "spec", "updateStrategy", "type").equals("OnDelete")) {
            return;
        }
        JsonObject rolling = Trees.object(set.tree(), "spec", "updateStrategy", "rollingUpdate")
                .orElseGet(JsonObject::new);
        long available = members.stream()
                .filter(pod -> PodState.isReady(pod) && !pod.isGoing())
                .count();
        long may = IntOrPercent.resolve(rolling, "maxUnavailable", "1", wanted, true) - (wanted - available);
        List<StoredObject> old = members.stream()
                .filter(pod -> !pod.isGoing() && !isOf(pod, revision))
                .toList();
        // unavailable pods serve no client: they go whatever the limit is
        old.stream().filter(pod -> !PodState.isReady(pod)).forEach(pod -> delete(set, pod));
        old.stream().filter(PodState::isReady).limit(Math.max(may, 0)).forEach(pod -> delete(set, pod));
    }

    private static boolean isOf(StoredObject pod, String revision) {
        return Trees.text(pod.tree(), "metadata", "labels", Templates.REVISION).equals(revision);
    }

    private void delete(StoredObject set, StoredObject pod) {
        if (!pod.isGoing() && registry.deleteFound(ResourceTable.PODS, pod.key())) {
            events.normal(
                    ResourceTable.DAEMON_SETS,
                    set,
                    "daemonset-controller",
                    "SuccessfulDelete",
                    "Deleted pod: " + pod.name());
        }
    }

    private void writeStatus(
            StoredObject set, String revision, int wanted, List<StoredObject> members, int misscheduled) {
        long ready = members.stream().filter(PodState::isReady).count();
        new StatusWriter(set)
                .always("currentNumberScheduled", members.size())
                .always("numberMisscheduled", misscheduled)
                .always("desiredNumberScheduled", wanted)
                .always("numberReady", ready)
                .count(
                        "updatedNumberScheduled",
                        members.stream().filter(pod -> isOf(pod, revision)).count())
                .count("numberAvailable", ready)
                .count("numberUnavailable", Math.max(wanted - ready, 0))
                .write(registry, ResourceTable.DAEMON_SETS);
    }
}
