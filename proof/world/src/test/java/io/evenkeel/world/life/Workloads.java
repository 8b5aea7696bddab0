package io.evenkeel.world.life;

import static io.evenkeel.world.life.ClusterObjects.label;
import static io.evenkeel.world.life.ClusterObjects.name;
import static io.evenkeel.world.life.ClusterObjects.text;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.HollowObjects;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.model.json.Trees;
import io.evenkeel.world.Story;
import io.evenkeel.world.play.Choices;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * ReplicaSets that are spread hard, so that their pods are moved when that does not hold any more. Their controller, their kubelets and
 * who counts their budgets act by themselves; what else becomes of them: zones go and come back, they are scaled, rolled out and ended,
 * pods are never ready, or not made again for long, and others take the room.
 */
final class Workloads {
    private static final int MOST = 3;
    private static final int MOST_PODS = 30;
    private static final int ZONES = 3;
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final String HOSTNAME = "kubernetes.io/hostname";
    private static final String SPREAD = """
        {"maxSkew":1,"topologyKey":"%s","whenUnsatisfiable":"DoNotSchedule","labelSelector":{"matchLabels":{"app":"%s"}}}\
        """;
    private static final List<List<String>> KEYS = List.of(List.of(ZONE), List.of(HOSTNAME), List.of(ZONE, HOSTNAME));

    private final HollowObjects objects;
    private final ClusterObjects cluster;
    private final Nodes nodes;
    private final Pods pods;
    private final Choices choices;
    private final Story story;
    private final List<Workload> workloads = new ArrayList<>();
    /** How many pods Deployments are to have, by their names. */
    private final Map<String, Integer> wanted = new HashMap<>();

    private final Set<String> failing = new HashSet<>();
    private final Set<String> stuck = new HashSet<>();
    private Optional<Integer> away = Optional.empty();
    /** Whether there is room for all pods that are wanted. */
    private boolean isSettled;

    /**
     * A ReplicaSet of a Deployment.
     *
     * @param app the Deployment, by which its pods are spread
     */
    private record Workload(String name, String uid, String app, String appUid, List<String> keys) {}

    Workloads(HollowObjects objects, ClusterObjects cluster, Nodes nodes, Pods pods, Choices choices, Story story) {
        this.objects = objects;
        this.cluster = cluster;
        this.nodes = nodes;
        this.pods = pods;
        this.choices = choices;
        this.story = story;
    }

    /** There are some from the beginning, and nodes in each zone. */
    void begin() {
        for (int zone = 0; zone < ZONES; zone++) {
            nodes.add(zone);
        }
        for (int workload = 0; workload < 2; workload++) {
            create();
        }
    }

    /** Somebody does something about one of them, or to its pods. */
    void step() {
        if (workloads.isEmpty()) {
            create();
            return;
        }
        Workload workload = choices.from(workloads);
        switch (choices.below(16)) {
            case 5 -> create();
            case 6 -> scale(workload);
            case 7 -> roll(workload);
            case 8 -> end(workload);
            case 9 -> comeOrGo();
            case 12 -> protect(workload);
            case 13 -> toggle(failing, workload.app, "are never ready");
            case 14 -> toggle(stuck, workload.app, "are not made");
            case 15 -> crowd();
            default -> control();
        }
    }

    private void create() {
        if (workloads.size() < MOST) {
            String app = "app-" + cluster.number();
            deploy(app, choices.from(KEYS), 4 + choices.below(5));
            if (choices.oneIn(3)) {
                protect(workloads.getLast());
            }
            control();
        }
    }

    /** A Deployment and its first ReplicaSet. */
    private void deploy(String app, List<String> keys, int replicas) {
        wanted.put(app, replicas);
        String text = objects.create("""
            {"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"%s","namespace":"default"},"spec":\
            {"replicas":%d,"selector":{"matchLabels":{"app":"%1$s"}},"template":{"metadata":{"labels":{"app":"%1$s"}},\
            "spec":{"containers":[{"name":"main","image":"example.com/main:1"}]}}}}\
            """.formatted(app, replicas));
        create(app, Trees.text(Trees.parse(text), "metadata", "uid"), keys, replicas);
    }

    private void create(String app, String uid, List<String> keys, int replicas) {
        String name = app + "-" + cluster.number();
        story.tell("life", "creates ReplicaSet " + name + " of " + replicas + ", spread over " + keys);
        String text = objects.create("""
            {"kind":"ReplicaSet","apiVersion":"apps/v1","metadata":{"name":"%s","namespace":"default","ownerReferences":\
            [{"apiVersion":"apps/v1","kind":"Deployment","name":"%s","uid":"%s","controller":true}]},\
            "spec":{"replicas":%d,"selector":{"matchLabels":{"set":"%1$s"}},"template":{"metadata":{"labels":\
            {"set":"%1$s"}},"spec":{"containers":[{"name":"main","image":"example.com/main:1"}]}}}}\
            """.formatted(name, app, uid, replicas));
        workloads.add(new Workload(name, Trees.text(Trees.parse(text), "metadata", "uid"), app, uid, keys));
    }

    private Optional<JsonObject> set(Workload workload) {
        return objects.get(ResourceTable.REPLICA_SETS, "default", workload.name).map(Trees::parse);
    }

    private int replicas(Workload workload) {
        return set(workload)
                .flatMap(set -> Trees.number(set, "spec", "replicas"))
                .orElse(0L)
                .intValue();
    }

    private static Predicate<JsonObject> isOf(Workload workload) {
        return pod -> label(pod, "set").equals(workload.name);
    }

    private static boolean isLeaving(JsonObject pod) {
        return pod.getAsJsonObject("metadata").has("deletionTimestamp");
    }

    private static boolean isReady(JsonObject pod) {
        return Trees.objects(pod, "status", "conditions").stream()
                .anyMatch(condition -> Trees.text(condition, "type").equals("Ready")
                        && Trees.text(condition, "status").equals("True"));
    }

    /** Controllers make pods and let others go, and kubelets run them and end them, each as far as it may. */
    void control() {
        workloads.stream().map(Workload::app).distinct().forEach(this::deployments);
        for (Workload workload : workloads) {
            kubelets(workload);
            List<JsonObject> its = cluster.pods(isOf(workload).and(pod -> !isLeaving(pod) && !isFinished(pod)));
            int wanted = set(workload).isEmpty() ? its.size() : replicas(workload);
            for (int missing = its.size(); missing < wanted; missing++) {
                if (!stuck.contains(workload.app)
                        && (isSettled || cluster.pods(_ -> true).size() < MOST_PODS)) {
                    pods.create(pod(workload), false);
                }
            }
            its.reversed().stream()
                    .sorted(Comparator.comparing(Workloads::isReady).thenComparingLong(Workloads::cost))
                    .limit(Math.max(0, its.size() - wanted))
                    .forEach(pod -> {
                        story.tell("controller", "deletes " + name(pod));
                        pods.delete(pod);
                    });
        }
        goOnRolling();
    }

    private static long cost(JsonObject pod) {
        String cost = Trees.text(pod, "metadata", "annotations", "controller.kubernetes.io/pod-deletion-cost");
        return cost.isEmpty() ? 0 : Long.parseLong(cost);
    }

    private Optional<JsonObject> deployment(String app) {
        return objects.get(ResourceTable.DEPLOYMENTS, "default", app).map(Trees::parse);
    }

    /** The newest ReplicaSet of a Deployment has as many as the older ones leave to it. */
    private void deployments(String app) {
        List<Workload> its =
                workloads.stream().filter(each -> each.app.equals(app)).toList();
        Optional<JsonObject> deployment = deployment(app);
        if (deployment.isEmpty()) {
            return;
        }
        int left = Trees.number(deployment.get(), "spec", "replicas").orElse(1L).intValue();
        for (Workload each : its) {
            boolean isNewest = each.equals(its.getLast());
            int replicas = isNewest ? left : Math.min(left, replicas(each));
            if (replicas != replicas(each)) {
                scaleSet(each, replicas);
            }
            left -= replicas;
        }
        List<JsonObject> active =
                cluster.pods(pod -> label(pod, "app").equals(app) && !isLeaving(pod) && !isFinished(pod));
        String status = "{\"replicas\":%d,\"updatedReplicas\":%d,\"availableReplicas\":%d,\"observedGeneration\":%d}"
                .formatted(
                        active.size(),
                        active.stream().filter(isOf(its.getLast())).count(),
                        active.stream().filter(Workloads::isReady).count(),
                        Trees.number(deployment.get(), "metadata", "generation").orElse(0L));
        if (!Trees.parse(status).equals(deployment.get().get("status"))) {
            objects.patchStatus(ResourceTable.DEPLOYMENTS, "default", app, "{\"status\":" + status + "}");
        }
    }

    /** Deployments that have not as many replicas as is wanted, or are said to have one more. */
    List<String> astray() {
        return cluster.all(ResourceTable.DEPLOYMENTS).stream()
                .filter(each -> !Trees.text(each, "metadata", "annotations", "evenkeel.io/surge")
                                .isEmpty()
                        || Trees.number(each, "spec", "replicas").orElse(1L)
                                != wanted.get(name(each)).longValue())
                .map(each -> name(each) + " " + each.get("spec") + " " + Trees.at(each, "metadata", "annotations"))
                .toList();
    }

    private static boolean isFinished(JsonObject pod) {
        return List.of("Succeeded", "Failed").contains(ClusterObjects.phase(pod));
    }

    private void kubelets(Workload workload) {
        Set<String> there = new HashSet<>();
        cluster.all(ResourceTable.NODES).forEach(node -> there.add(name(node)));
        for (JsonObject pod : cluster.pods(isOf(workload).and(ClusterObjects::isPlaced))) {
            if (isLeaving(pod) || isFinished(pod) || !there.contains(text(pod, "spec", "nodeName"))) {
                story.tell("kubelet", "ends " + name(pod));
                pods.deleteNow(pod);
            } else if (!isReady(pod) && !failing.contains(workload.app)) {
                story.tell("kubelet", "has " + name(pod) + " ready");
                objects.patchStatus(
                        ResourceTable.PODS,
                        "default",
                        name(pod),
                        "{\"status\":{\"phase\":\"Running\",\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}");
            }
        }
    }

    private String pod(Workload workload) {
        String name = workload.name + "-" + cluster.number();
        String constraints = String.join(
                ",",
                workload.keys.stream()
                        .map(key -> SPREAD.formatted(key, workload.app))
                        .toList());
        story.tell("controller", "creates " + name);
        return """
            {"kind":"Pod","apiVersion":"v1","metadata":{"name":"%s","namespace":"default","labels":{"app":"%s","set":"%s"},\
            "ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"%3$s","uid":"%s","controller":true}]},\
            "spec":{"schedulerName":"default-scheduler","containers":[{"name":"main","image":"example.com/main:1",\
            "resources":{"requests":{"cpu":"100m","memory":"64Mi"}}}],"topologySpreadConstraints":[%s]}}\
            """.formatted(name, workload.app, workload.name, workload.uid, constraints);
    }

    private void scale(Workload workload) {
        scale(workload, choices.oneIn(6) ? 0 : 1 + choices.below(8));
    }

    private void scale(Workload workload, int replicas) {
        story.tell("life", "scales " + workload.app + " to " + replicas);
        wanted.put(workload.app, replicas);
        objects.patch(ResourceTable.DEPLOYMENTS, "default", workload.app, "{\"spec\":{\"replicas\":" + replicas + "}}");
    }

    private void scaleSet(Workload workload, int replicas) {
        if (set(workload).isPresent()) {
            story.tell("controller", "scales " + workload.name + " to " + replicas);
            objects.patch(
                    ResourceTable.REPLICA_SETS, "default", workload.name, "{\"spec\":{\"replicas\":" + replicas + "}}");
        }
    }

    /** Some of another revision come, and by and by all are of it. */
    private void roll(Workload workload) {
        int replicas = replicas(workload);
        if (replicas > 0) {
            story.tell("life", "rolls " + workload.app);
            scaleSet(workload, replicas - 1);
            create(workload.app, workload.appUid, workload.keys, 1);
        }
    }

    private void goOnRolling() {
        for (Workload newer : List.copyOf(workloads)) {
            workloads.subList(0, workloads.indexOf(newer)).stream()
                    .filter(older -> older.app.equals(newer.app) && replicas(older) > 0)
                    .findFirst()
                    .ifPresent(older -> {
                        boolean mayGoOn = cluster.pods(isOf(newer)).stream().allMatch(Workloads::isReady);
                        if (mayGoOn) {
                            scaleSet(older, replicas(older) - 1);
                        }
                    });
        }
    }

    private void end(Workload workload) {
        story.tell("life", "deletes ReplicaSet " + workload.name);
        if (set(workload).isPresent()) {
            objects.deleteNow(ResourceTable.REPLICA_SETS, "default", workload.name);
        }
        workloads.remove(workload);
        if (workloads.stream().noneMatch(other -> other.app.equals(workload.app))) {
            objects.deleteNow(ResourceTable.DEPLOYMENTS, "default", workload.app);
        }
        cluster.pods(isOf(workload)).forEach(pods::deleteNow);
    }

    /** A zone goes with all that is there, or comes back, empty. */
    void comeOrGo() {
        if (away.isPresent()) {
            int zone = away.get();
            away = Optional.empty();
            nodes.add(zone);
            nodes.add(zone + ZONES);
        } else if (cluster.all(ResourceTable.NODES).size() > 1) {
            int zone = choices.below(ZONES);
            away = Optional.of(zone);
            for (JsonObject node : cluster.all(ResourceTable.NODES)) {
                if (label(node, ZONE).equals("zone-" + zone)) {
                    nodes.takeAway(name(node));
                    cluster.pods(pod -> text(pod, "spec", "nodeName").equals(name(node)))
                            .forEach(pods::deleteNow);
                }
            }
        }
    }

    /** All zones are there, controllers and kubelets do what they should, and rollouts end. */
    void settle() {
        isSettled = true;
        failing.clear();
        stuck.clear();
        if (away.isPresent()) {
            comeOrGo();
        }
        for (int zone = 0; zone < ZONES; zone++) {
            nodes.add(zone);
        }
    }

    private void toggle(Set<String> which, String app, String what) {
        if (which.isEmpty()) {
            story.tell("life", "pods of " + app + " " + what);
            which.add(app);
        } else {
            story.tell("life", "pods of " + which + " " + what + ": no longer");
            which.clear();
        }
    }

    /** Another scheduler's pods are where others may be expected. */
    void crowd() {
        List<JsonObject> there = cluster.all(ResourceTable.NODES);
        if (!there.isEmpty()) {
            pods.occupy(name(choices.from(there)));
        }
    }

    private static String budgetOf(String app) {
        return "budget-of-" + app;
    }

    private void protect(Workload workload) {
        String name = budgetOf(workload.app);
        if (objects.get(ResourceTable.DISRUPTION_BUDGETS, "default", name).isPresent()) {
            story.tell("life", "deletes " + name);
            objects.deleteNow(ResourceTable.DISRUPTION_BUDGETS, "default", name);
        } else {
            int unavailable = choices.below(2);
            story.tell("life", "creates " + name + ": " + unavailable + " may be missing");
            objects.create("""
                {"kind":"PodDisruptionBudget","apiVersion":"policy/v1","metadata":{"name":"%s","namespace":"default"},\
                "spec":{"maxUnavailable":%d,"selector":{"matchLabels":{"app":"%s"}}}}\
                """.formatted(name, unavailable, workload.app));
            count();
        }
    }

    /** Whoever counts budgets does so at once: none is used up that is not said to be. */
    void count() {
        workloads.stream()
                .map(Workload::app)
                .distinct()
                .forEach(app -> objects.get(ResourceTable.DISRUPTION_BUDGETS, "default", budgetOf(app))
                        .map(Trees::parse)
                        .ifPresent(budget -> count(app, budget)));
    }

    private void count(String app, JsonObject budget) {
        List<JsonObject> its = cluster.pods(pod -> label(pod, "app").equals(app) && !isFinished(pod));
        long healthy =
                its.stream().filter(pod -> isReady(pod) && !isLeaving(pod)).count();
        long expected = workloads.stream()
                .filter(workload -> workload.app.equals(app))
                .mapToLong(this::replicas)
                .sum();
        long desired = Math.max(
                0, expected - Trees.number(budget, "spec", "maxUnavailable").orElse(0L));
        String status = """
            {"status":{"disruptionsAllowed":%d,"currentHealthy":%d,"desiredHealthy":%d,"expectedPods":%d}}\
            """.formatted(Math.max(0, healthy - desired), healthy, desired, expected);
        if (!Trees.parse(status).getAsJsonObject("status").equals(statusOf(budget))) {
            objects.patchStatus(ResourceTable.DISRUPTION_BUDGETS, "default", name(budget), status);
        }
    }

    private static JsonObject statusOf(JsonObject budget) {
        JsonObject status =
                Trees.object(budget, "status").orElseGet(JsonObject::new).deepCopy();
        status.entrySet().removeIf(member -> !COUNTS.contains(member.getKey()));
        return status;
    }

    private static final Set<String> COUNTS =
            Set.of("disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods");

    /**
     * Something is done to this pod, to its owner, or to where it is to go.
     *
     * @param node where it is to go, or is
     */
    void cross(JsonObject pod, String node) {
        Optional<Workload> its =
                workloads.stream().filter(workload -> isOf(workload).test(pod)).findFirst();
        switch (choices.below(8)) {
            case 1 -> its.ifPresent(this::scale);
            case 2 -> its.ifPresent(this::roll);
            case 3 -> its.ifPresent(workload -> toggle(stuck, workload.app, "are not made"));
            case 4 -> its.ifPresent(this::protect);
            case 5 -> {
                if (objects.get(ResourceTable.NODES, "", node).isPresent()) {
                    pods.occupy(node);
                }
            }
            case 6 -> nodes.drain(node);
            case 7 -> nodes.takeAway(node);
            default -> pods.delete(pod);
        }
    }
}
