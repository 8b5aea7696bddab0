package io.evenkeel.world.life;

import static io.evenkeel.world.life.ClusterObjects.name;
import static io.evenkeel.world.life.ClusterObjects.namespace;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.HollowObjects;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.model.json.Trees;
import io.evenkeel.world.Story;
import io.evenkeel.world.play.Choices;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Claims, the volumes that there are for them, the controller that binds the two, a driver that makes more, and how many of
 * its volumes a node takes. Controller and driver do one thing at a time, now and then; the driver may fail.
 */
final class Volumes {
    static final String DRIVER = "csi.example.com";
    private static final int MOST_CLAIMS = 8;
    private static final int MOST_VOLUMES = 4;
    private static final ResourceType CLAIMS = ResourceTable.PERSISTENT_VOLUME_CLAIMS;
    private static final ResourceType VOLUMES = ResourceTable.PERSISTENT_VOLUMES;
    private static final ResourceType CSI_NODES =
            ResourceTable.find("storage.k8s.io", "v1", "csinodes").orElseThrow();
    private static final String NODE_SELECTED = "volume.kubernetes.io/selected-node";
    /** Bound once there is a pod, to what there is; to what is made then; and at once, to what is made. */
    private static final List<String> CLASSES = List.of("local", "late", "late", "now");

    private final HollowObjects objects;
    private final ClusterObjects cluster;
    private final Pods pods;
    private final Choices choices;
    private final Story story;
    private final boolean isParted;

    /** @param isParted whether engines share the nodes: then some claims are for one pod each, and more pods want them */
    Volumes(HollowObjects objects, ClusterObjects cluster, Pods pods, Choices choices, Story story, boolean isParted) {
        this.isParted = isParted;
        this.objects = objects;
        this.cluster = cluster;
        this.pods = pods;
        this.choices = choices;
        this.story = story;
    }

    void begin() {
        createClass("local", "kubernetes.io/no-provisioner", "WaitForFirstConsumer");
        createClass("late", DRIVER, "WaitForFirstConsumer");
        createClass("now", DRIVER, "Immediate");
    }

    private void createClass(String name, String provisioner, String mode) {
        objects.create("""
            {"kind":"StorageClass","apiVersion":"storage.k8s.io/v1","metadata":{"name":"%s"},"provisioner":"%s",\
            "volumeBindingMode":"%s"}\
            """.formatted(name, provisioner, mode));
    }

    /** Somebody does something. */
    void step() {
        switch (choices.below(14)) {
            case 1, 2, 3 -> createPods();
            case 4, 5 -> createVolume();
            case 6 -> limit();
            case 7 -> some(CLAIMS, _ -> true).ifPresent(this::end);
            case 8 -> some(VOLUMES, volume -> claimUid(volume).isEmpty()).ifPresent(this::end);
            default -> control(true);
        }
        for (int more = isParted ? choices.below(3) : 0; more > 0; more--) {
            control(true);
        }
    }

    /** Who wants one claim, which there may be already, or will be soon; now and then several pods do. */
    void createPods() {
        boolean isNew = all(CLAIMS).size() < MOST_CLAIMS && !choices.oneIn(4);
        String claim = isNew
                ? "claim-" + cluster.number()
                : some(CLAIMS, _ -> true).map(ClusterObjects::name).orElse("claim-never");
        boolean isLate = isNew && choices.oneIn(4);
        if (isNew && !isLate) {
            createClaim(claim);
        }
        int more = isParted ? 1 + choices.below(3) : choices.oneIn(3) ? 2 : 1;
        for (; more > 0; more--) {
            pods.createWithClaim(claim);
        }
        if (isLate) {
            createClaim(claim);
        }
    }

    private void createClaim(String name) {
        String storageClass = choices.from(CLASSES);
        String mode = mode();
        story.tell("life", "creates " + name + " of class " + storageClass + ", " + mode);
        objects.create("""
            {"kind":"PersistentVolumeClaim","apiVersion":"v1","metadata":{"name":"%s","namespace":"default"},\
            "spec":{"storageClassName":"%s","accessModes":["%s"],"resources":{"requests":{"storage":"1Gi"}}}}\
            """.formatted(name, storageClass, mode));
    }

    private String mode() {
        return isParted && choices.oneIn(3) ? "ReadWriteOncePod" : "ReadWriteOnce";
    }

    private void createVolume() {
        if (all(VOLUMES).size() < MOST_VOLUMES) {
            cluster.someNode(node -> {
                String name = "volume-" + cluster.number();
                String mode = mode();
                story.tell("life", "creates " + name + " on " + name(node) + ", " + mode);
                objects.create(volume(name, "local", mode, "kubernetes.io/hostname", name(node), ""));
                objects.patchStatus(VOLUMES, "", name, "{\"status\":{\"phase\":\"Available\"}}");
            });
        }
    }

    /** @param claim as a member of the specification, or nothing */
    private static String volume(
            String name, String storageClass, String mode, String key, String value, String claim) {
        String source = storageClass.equals("local")
                ? "\"local\":{\"path\":\"/disk\"}"
                : "\"csi\":{\"driver\":\"%s\",\"volumeHandle\":\"%s\"}".formatted(DRIVER, name);
        return """
            {"kind":"PersistentVolume","apiVersion":"v1","metadata":{"name":"%s"},"spec":{"storageClassName":"%s",\
            "accessModes":["%s"],"capacity":{"storage":"1Gi"},"persistentVolumeReclaimPolicy":"Retain",%s,\
            "nodeAffinity":{"required":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"%s","operator":"In",\
            "values":["%s"]}]}]}}%s}}\
            """.formatted(name, storageClass, mode, source, key, value, claim);
    }

    /** How many of the driver's volumes a node takes. */
    private void limit() {
        cluster.someNode(node -> {
            int most = 1 + choices.below(2);
            story.tell("life", name(node) + " takes " + most + " volumes");
            if (objects.get(CSI_NODES, "", name(node)).isPresent()) {
                objects.deleteNow(CSI_NODES, "", name(node));
            }
            objects.create("""
                {"kind":"CSINode","apiVersion":"storage.k8s.io/v1","metadata":{"name":"%s"},"spec":{"drivers":\
                [{"name":"%s","nodeID":"%1$s","topologyKeys":[],"allocatable":{"count":%d}}]}}\
                """.formatted(name(node), DRIVER, most));
        });
    }

    private void end(JsonObject object) {
        ResourceType type = name(object).startsWith("claim") ? CLAIMS : VOLUMES;
        story.tell("life", "deletes " + name(object));
        objects.deleteNow(type, namespace(object), name(object));
    }

    /**
     * Controller and driver do the next of what is to be done, if anything is.
     *
     * @param mayFail whether the driver may
     */
    void control(boolean mayFail) {
        for (JsonObject volume : all(VOLUMES)) {
            if (!claimUid(volume).isEmpty() && claimOf(volume).isEmpty()) {
                release(volume);
                return;
            }
        }
        for (JsonObject claim : all(CLAIMS)) {
            if (Trees.text(claim, "spec", "volumeName").isEmpty() && hasVolume(claim, mayFail)) {
                return;
            }
        }
    }

    /** What was made goes with its claim; what a user has made is free again. */
    private void release(JsonObject volume) {
        if (Trees.text(volume, "spec", "storageClassName").equals("local")) {
            story.tell("controller", name(volume) + " is free again");
            objects.patch(VOLUMES, "", name(volume), "{\"spec\":{\"claimRef\":null}}");
            objects.patchStatus(VOLUMES, "", name(volume), "{\"status\":{\"phase\":\"Available\"}}");
        } else {
            end(volume);
        }
    }

    /** Whether something was done. */
    private boolean hasVolume(JsonObject claim, boolean mayFail) {
        String uid = Trees.text(claim, "metadata", "uid");
        Optional<JsonObject> its = all(VOLUMES).stream()
                .filter(volume -> claimUid(volume).equals(uid))
                .findFirst();
        if (its.isPresent()) {
            tie(its.get(), claim);
            return true;
        }
        String storageClass = Trees.text(claim, "spec", "storageClassName");
        String selected = Trees.text(claim, "metadata", "annotations", NODE_SELECTED);
        boolean isWanted = storageClass.equals("now") || (storageClass.equals("late") && !selected.isEmpty());
        if (isWanted) {
            make(claim, storageClass, selected, mayFail && choices.oneIn(4));
        }
        return isWanted;
    }

    private void make(JsonObject claim, String storageClass, String selected, boolean fails) {
        String zone = selected.isEmpty()
                ? "zone-" + choices.below(3)
                : objects.get(ResourceTable.NODES, "", selected)
                        .map(node -> Trees.text(Trees.parse(node), "metadata", "labels", "topology.kubernetes.io/zone"))
                        .orElse("");
        if (fails || zone.isEmpty()) {
            story.tell("driver", "makes no volume for " + name(claim));
            objects.patch(
                    CLAIMS,
                    namespace(claim),
                    name(claim),
                    "{\"metadata\":{\"annotations\":{\"" + NODE_SELECTED + "\":null}}}");
            return;
        }
        String name = "made-" + cluster.number();
        story.tell("driver", "makes " + name + " in " + zone + " for " + name(claim));
        objects.create(volume(
                name,
                storageClass,
                Trees.texts(claim, "spec", "accessModes").getFirst(),
                "topology.kubernetes.io/zone",
                zone,
                ",\"claimRef\":{\"kind\":\"PersistentVolumeClaim\",\"apiVersion\":\"v1\",\"namespace\":\"default\","
                        + "\"name\":\"%s\",\"uid\":\"%s\"}"
                                .formatted(name(claim), Trees.text(claim, "metadata", "uid"))));
    }

    private void tie(JsonObject volume, JsonObject claim) {
        story.tell("controller", "binds " + name(claim) + " to " + name(volume));
        objects.patchStatus(VOLUMES, "", name(volume), "{\"status\":{\"phase\":\"Bound\"}}");
        objects.patch(CLAIMS, namespace(claim), name(claim), """
            {"metadata":{"annotations":{"pv.kubernetes.io/bind-completed":"yes","pv.kubernetes.io/bound-by-controller":"yes"}},\
            "spec":{"volumeName":"%s"}}\
            """.formatted(name(volume)));
        objects.patchStatus(CLAIMS, namespace(claim), name(claim), "{\"status\":{\"phase\":\"Bound\"}}");
    }

    private static String claimUid(JsonObject volume) {
        return Trees.text(volume, "spec", "claimRef", "uid");
    }

    private Optional<JsonObject> claimOf(JsonObject volume) {
        return all(CLAIMS).stream()
                .filter(claim -> Trees.text(claim, "metadata", "uid").equals(claimUid(volume)))
                .findFirst();
    }

    private Optional<JsonObject> some(ResourceType type, Predicate<JsonObject> which) {
        List<JsonObject> found = all(type).stream().filter(which).toList();
        return found.isEmpty() ? Optional.empty() : Optional.of(choices.from(found));
    }

    private List<JsonObject> all(ResourceType type) {
        return cluster.all(type);
    }
}
