package io.evenkeel.world.life;

import static io.evenkeel.world.life.ClusterObjects.isPlaced;
import static io.evenkeel.world.life.ClusterObjects.label;
import static io.evenkeel.world.life.ClusterObjects.name;
import static io.evenkeel.world.life.ClusterObjects.namespace;
import static io.evenkeel.world.life.ClusterObjects.phase;
import static io.evenkeel.world.life.ClusterObjects.text;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.HollowObjects;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.model.json.Trees;
import io.evenkeel.world.Story;
import io.evenkeel.world.play.Choices;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What becomes of pods, by their users, kubelets, and a scheduler of somebody else's. */
final class Pods {
    private static final int MOST = 16;
    private static final int MOST_IN_A_CROWD = MOST + 6;

    private final HollowObjects objects;
    private final ClusterObjects cluster;
    private final Choices choices;
    private final Story story;
    private final boolean areExtended;

    /** @param areExtended whether some of them are an extender's */
    Pods(HollowObjects objects, ClusterObjects cluster, Choices choices, Story story, boolean areExtended) {
        this.areExtended = areExtended;
        this.objects = objects;
        this.cluster = cluster;
        this.choices = choices;
        this.story = story;
    }

    void create() {
        if (cluster.pods(_ -> true).size() < MOST) {
            boolean there = objects.get(ResourceTable.NAMESPACES, "", Life.TEAM).isPresent();
            create(there && choices.oneIn(3) ? Life.TEAM : "default", "pod-" + cluster.number());
        }
    }

    /** Of one sort, so that several wait for the same. */
    void createSeveral() {
        createSeveral(choices.below(Templates.count()));
    }

    void createSeveral(int template) {
        createSeveral(template, Templates.ANY);
    }

    private void createSeveral(int template, String priorityClass) {
        for (int more = 2 + choices.below(3); more > 0; more--) {
            create(template, priorityClass);
        }
    }

    /** Of the sorts that engines which part nodes among them must agree about. */
    void createOfShards() {
        if (choices.oneIn(3)) {
            createSeveral(choices.from(Templates.ofShards()));
        } else {
            create(choices.from(Templates.ofShards()));
        }
    }

    /** Some that leave no room on this node, by whoever may put them there. */
    void crowd(String node) {
        for (String cpu : List.of("2", "1", "500m", "500m", "500m", "1")) {
            createOn(node, "only", cpu, Templates.ANY);
        }
    }

    /** One for this node alone. */
    void createOn(String node, String app, String cpu, String priorityClass) {
        if (cluster.pods(_ -> true).size() < MOST_IN_A_CROWD) {
            String name = "pod-" + cluster.number();
            story.tell(
                    "life",
                    "creates " + name + " (" + app + ", " + priorityClass + " " + cpu + " CPUs, for " + node + ")");
            objects.create(Templates.onlyOn(node, app, name, cpu, priorityClass));
        }
    }

    /** They fit nowhere, whatever goes. */
    void createHopeless() {
        for (String spec : Templates.HOPELESS) {
            String name = "pod-" + cluster.number();
            story.tell("life", "creates " + name + ", which fits nowhere");
            objects.create(Templates.hopeless(name, spec));
        }
    }

    /** One that is placed already, or is not yet, becomes one whom others shun or want to be near, or is that no more. */
    void relabelForShards() {
        cluster.somePod(_ -> true, pod -> {
            String app = choices.from(List.of("plain", "zone-apart", "together", "zones"));
            story.tell("life", "labels " + name(pod) + " app=" + app);
            objects.patch(
                    ResourceTable.PODS,
                    namespace(pod),
                    name(pod),
                    "{\"metadata\":{\"labels\":{\"app\":\"" + app + "\"}}}");
        });
    }

    /** There is hardly room for others. */
    void fill() {
        createSeveral(choices.from(Templates.FILLING));
    }

    /** Others have to go for these. */
    void createImportant() {
        createSeveral(choices.below(Templates.count()), Templates.IMPORTANT);
    }

    /** And for these, who go for those. */
    void createMiddling() {
        createSeveral(choices.from(Templates.FILLING), Templates.MIDDLING);
    }

    /** Some that wait for the same, each of them unlike all others. */
    void createUnlikeGuests() {
        for (int more = 2 + choices.below(2); more > 0; more--) {
            int number = cluster.number();
            story.tell("life", "creates pod-" + number + " (guest of revision " + number + ")");
            objects.create(Templates.guest("pod-" + number, number));
        }
    }

    /** Some that leave no room on this node. */
    void occupy(String node) {
        for (int pod = 0; pod < 2; pod++) {
            String name = "pod-" + cluster.number();
            story.tell("another", "creates " + name + " on " + node);
            objects.create(Templates.only(name, node, "another", Templates.ANY));
            objects.bind("default", name, node);
        }
    }

    /** One for which others have to go from this node. */
    void createOnly(String node) {
        String name = "pod-" + cluster.number();
        story.tell("life", "creates " + name + " (" + Templates.IMPORTANT + ", for " + node + ")");
        objects.create(Templates.only(name, node, "default-scheduler", Templates.IMPORTANT));
    }

    /** One that another scheduler places. */
    void createForAnother(int template) {
        create(template, "default", "pod-" + cluster.number(), "another", Templates.ANY);
    }

    /** One more of this sort. */
    void create(int template) {
        create(template, Templates.ANY);
    }

    private void create(int template, String priorityClass) {
        if (cluster.pods(_ -> true).size() < MOST) {
            create(template, "default", "pod-" + cluster.number(), "default-scheduler", priorityClass);
        }
    }

    void create(String namespace, String name) {
        create(
                choices.below(Templates.count()),
                namespace,
                name,
                schedulerName(),
                choices.oneIn(6) ? Templates.IMPORTANT : Templates.ANY);
    }

    private void create(int template, String namespace, String name, String scheduler, String priorityClass) {
        story.tell(
                "life",
                "creates " + name + " (" + (priorityClass.isEmpty() ? "" : priorityClass + ", ")
                        + Templates.app(template) + ", of " + scheduler + ")");
        create(Templates.pod(template, namespace, name, scheduler, 0, priorityClass), areExtended && choices.oneIn(2));
    }

    /** @param isExtended whether it is the extender's, if there is one */
    void create(String pod, boolean isExtended) {
        objects.create(areExtended && isExtended ? Templates.withPart(pod) : pod);
    }

    /** One that uses this claim. */
    void createWithClaim(String claim) {
        if (cluster.pods(_ -> true).size() < MOST) {
            String name = "pod-" + cluster.number();
            story.tell("life", "creates " + name + " with " + claim);
            objects.create(Templates.podWithClaim(name, choices.oneIn(8) ? Templates.IMPORTANT : Templates.ANY, claim));
        }
    }

    /** One that uses devices. */
    void createForDevices(String requests, String claims) {
        if (cluster.pods(_ -> true).size() < MOST) {
            String name = "pod-" + cluster.number();
            story.tell("life", "creates " + name + " for devices: " + requests + claims);
            String priorityClass = choices.oneIn(8) ? Templates.IMPORTANT : Templates.ANY;
            objects.create(Templates.podForDevices(name, priorityClass, requests, claims));
        }
    }

    Predicate<JsonObject> isImportant() {
        return pod -> !isPlaced(pod) && text(pod, "spec", "priorityClassName").equals(Templates.IMPORTANT);
    }

    String schedulerName() {
        return switch (choices.below(10)) {
            case 7, 8 -> Life.SECOND_PROFILE;
            case 9 -> "another";
            default -> "default-scheduler";
        };
    }

    void delete(JsonObject pod) {
        objects.delete(ResourceTable.PODS, namespace(pod), name(pod));
    }

    void deleteNow(JsonObject pod) {
        objects.deleteNow(ResourceTable.PODS, namespace(pod), name(pod));
    }

    Predicate<JsonObject> isWaiting(int template) {
        return pod -> !isPlaced(pod) && label(pod, "app").equals(Templates.app(template));
    }

    void deleteSome() {
        cluster.somePod(_ -> true, pod -> {
            story.tell("life", "deletes " + name(pod));
            delete(pod);
        });
    }

    /** The pod is deleted, and stays as long as it has a finalizer, as those of jobs do. */
    void beginEnd(JsonObject pod) {
        story.tell("life", "deletes " + name(pod) + ", which lingers");
        finalizers(pod, "[\"example.com/last-words\"]");
        delete(pod);
    }

    /** Those that linger are gone. */
    void endLingering() {
        for (JsonObject pod :
                cluster.pods(pod -> pod.getAsJsonObject("metadata").has("finalizers"))) {
            story.tell("life", name(pod) + " lingers no more");
            finalizers(pod, "null");
        }
    }

    private void finalizers(JsonObject pod, String finalizers) {
        objects.patch(
                ResourceTable.PODS, namespace(pod), name(pod), "{\"metadata\":{\"finalizers\":" + finalizers + "}}");
    }

    /** Another pod of the same name, at once. */
    void replaceSome() {
        cluster.somePod(_ -> true, this::replace);
    }

    void replace(JsonObject pod) {
        story.tell("life", "replaces " + name(pod));
        if (objects.get(ResourceTable.PODS, namespace(pod), name(pod)).isPresent()) {
            deleteNow(pod);
        }
        create(namespace(pod), name(pod));
    }

    /** Another pod of the same name, which asks for the same as far as it is known what that was. */
    void renew(JsonObject pod) {
        OptionalInt sort = Templates.ofApp(label(pod, "app"));
        if (sort.isEmpty()) {
            replace(pod);
            return;
        }
        deleteNow(pod);
        create(
                sort.getAsInt(),
                namespace(pod),
                name(pod),
                text(pod, "spec", "schedulerName"),
                text(pod, "spec", "priorityClassName"));
    }

    /** Pods that were asked to end do, those that are placed run. */
    void kubelets() {
        for (JsonObject pod : cluster.pods(ClusterObjects::isPlaced)) {
            if (isLeaving(pod)) {
                story.tell("kubelet", "ends " + name(pod));
                deleteNow(pod);
            } else if (phase(pod).equals("Pending")) {
                story.tell("kubelet", "runs " + name(pod));
                objects.patchStatus(
                        ResourceTable.PODS, namespace(pod), name(pod), "{\"status\":{\"phase\":\"Running\"}}");
            }
        }
    }

    /**
     * Those are gone that go for others, or whose place others wait for. Nothing else is touched, as news of a pod may tell
     * what was missed before.
     */
    void endAwaited() {
        Set<String> awaited = areExpectedOn();
        Predicate<JsonObject> isAwaited = pod -> isToldToGo(pod) || awaited.contains(text(pod, "spec", "nodeName"));
        for (JsonObject pod : cluster.pods(pod -> isPlaced(pod) && isLeaving(pod) && isAwaited.test(pod))) {
            story.tell("kubelet", "ends " + name(pod) + ", for which others wait");
            deleteNow(pod);
        }
    }

    /** The nodes on which some that wait are to have their place. */
    Set<String> areExpectedOn() {
        return cluster.pods(pod -> !isPlaced(pod)).stream()
                .map(pod -> text(pod, "status", "nominatedNodeName"))
                .collect(Collectors.toSet());
    }

    private static boolean isLeaving(JsonObject pod) {
        return pod.getAsJsonObject("metadata").has("deletionTimestamp");
    }

    private static boolean isToldToGo(JsonObject pod) {
        return Trees.objects(pod, "status", "conditions").stream()
                .anyMatch(condition -> Trees.text(condition, "type").equals("DisruptionTarget"));
    }

    void finish() {
        cluster.somePod(ClusterObjects::isPlaced, pod -> {
            story.tell("kubelet", name(pod) + " has succeeded");
            objects.patchStatus(
                    ResourceTable.PODS, namespace(pod), name(pod), "{\"status\":{\"phase\":\"Succeeded\"}}");
        });
    }

    void openGate() {
        cluster.somePod(pod -> pod.getAsJsonObject("spec").has("schedulingGates"), pod -> {
            story.tell("life", "opens the gate of " + name(pod));
            objects.patch(
                    ResourceTable.PODS,
                    namespace(pod),
                    name(pod),
                    "{\"spec\":{\"schedulingGates\":[{\"name\":\"example.com/wait\",\"$patch\":\"delete\"}]}}");
        });
    }

    void relabelSome() {
        cluster.somePod(_ -> true, this::relabel);
    }

    void relabel(JsonObject pod) {
        String app = Templates.app(choices.below(Templates.count()));
        story.tell("life", "labels " + name(pod) + " app=" + app);
        objects.patch(
                ResourceTable.PODS, namespace(pod), name(pod), "{\"metadata\":{\"labels\":{\"app\":\"" + app + "\"}}}");
    }

    /** In a way that matters to nobody here. */
    void annotate(JsonObject pod) {
        story.tell("life", "annotates " + name(pod));
        String note = "{\"metadata\":{\"annotations\":{\"example.com/note\":\"%d\"}}}".formatted(cluster.number());
        objects.patch(ResourceTable.PODS, namespace(pod), name(pod), note);
    }

    /** A scheduler of its own pods, which now and then takes one of ours. */
    void bindByAnother() {
        boolean ours = choices.oneIn(2);
        cluster.somePod(
                pod -> !isPlaced(pod)
                        && !pod.getAsJsonObject("spec").has("schedulingGates")
                        && (ours || text(pod, "spec", "schedulerName").equals("another")),
                this::bindByAnother);
    }

    void bindByAnother(JsonObject pod) {
        List<JsonObject> nodes = cluster.all(ResourceTable.NODES);
        if (!nodes.isEmpty()) {
            bindByAnother(pod, name(choices.from(nodes)));
        }
    }

    void bindByAnother(JsonObject pod, String node) {
        story.tell("another", "binds " + name(pod) + " to " + node);
        objects.bind(namespace(pod), name(pod), node);
    }
}
