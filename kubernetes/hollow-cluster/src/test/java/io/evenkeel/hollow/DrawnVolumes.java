package io.evenkeel.hollow;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.controller.HollowWorld;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.model.json.Trees;
import java.util.List;

/** Classes, volumes and claims in a line, written with single quotes, and what became of them in a word. */
final class DrawnVolumes {

    static final String NO_PROVISIONER = "kubernetes.io/no-provisioner";

    private final HollowWorld world;
    private final Drawn drawn;

    DrawnVolumes(HollowWorld world) {
        this.world = world;
        this.drawn = new Drawn(world);
    }

    /** A StorageClass; {@code members} are put behind its others. */
    void storageClass(String name, String provisioner, String mode, String members) throws InterruptedException {
        create("""
            {'apiVersion':'storage.k8s.io/v1','kind':'StorageClass','metadata':{'name':'%s'},
             'provisioner':'%s','volumeBindingMode':'%s'%s}\
            """.formatted(name, provisioner, mode, members));
    }

    /** A volume without claim; {@code members} are put behind those of its spec. */
    void volume(String name, String storageClass, String size, String members) throws InterruptedException {
        create(volumeText(name, storageClass, size, members));
    }

    static String volumeText(String name, String storageClass, String size, String members) {
        return """
            {'apiVersion':'v1','kind':'PersistentVolume','metadata':{'name':'%s','labels':{'disk':'%s'}},
             'spec':{'capacity':{'storage':'%s'},'accessModes':['ReadWriteOnce'],'hostPath':{'path':'/d'},
              'storageClassName':'%s'%s}}\
            """.formatted(name, name, size, storageClass, members);
    }

    void claim(String name, String storageClass, String size, String members) throws InterruptedException {
        claimWithout(name, size, ",'storageClassName':'" + storageClass + "'" + members);
    }

    /** A claim without a class, unless the members name one. */
    void claimWithout(String name, String size, String members) throws InterruptedException {
        create(claimText(name, size, members));
    }

    static String claimText(String name, String size, String members) {
        return """
            {'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'name':'%s'},
             'spec':{'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'%s'}}%s}}\
            """.formatted(name, size, members);
    }

    void create(String quoted) throws InterruptedException {
        createAtOnce(quoted);
        world.settle();
    }

    /** Does not wait for the controllers. */
    void createAtOnce(String quoted) {
        world.objects().create(quoted.replace('\'', '"'));
    }

    /** Says, as a scheduler does, for which node a claim's volume shall be made. */
    void selectNode(String claim, String node) throws InterruptedException {
        drawn.patch(
                ResourceTable.PERSISTENT_VOLUME_CLAIMS,
                claim,
                "{\"metadata\":{\"annotations\":{\"volume.kubernetes.io/selected-node\":\"%s\"}}}".formatted(node));
    }

    String selectedNode(String claim) {
        return annotation(claimTree(claim), "volume.kubernetes.io/selected-node");
    }

    JsonObject claimTree(String name) {
        return drawn.get(ResourceTable.PERSISTENT_VOLUME_CLAIMS, name);
    }

    JsonObject volumeTree(String name) {
        return drawn.get(ResourceTable.PERSISTENT_VOLUMES, name);
    }

    /** Its phase, and its volume if it has one: {@code Bound to small}. */
    String claimState(String name) {
        JsonObject claim = claimTree(name);
        String volume = Trees.text(claim, "spec", "volumeName");
        return phase(claim) + (volume.isEmpty() ? "" : " to " + volume);
    }

    /** Its phase, and its claim if it has one: {@code Bound to data}. */
    String volumeState(String name) {
        JsonObject volume = volumeTree(name);
        String claim = Trees.text(volume, "spec", "claimRef", "name");
        return phase(volume) + (claim.isEmpty() ? "" : " to " + claim);
    }

    /** The volume that a claim is bound to. */
    JsonObject volumeOf(String claim) {
        return volumeTree(Trees.text(claimTree(claim), "spec", "volumeName"));
    }

    List<String> volumes() {
        return world.objects().list(ResourceTable.PERSISTENT_VOLUMES, "").stream()
                .map(text -> Drawn.name(Trees.parse(text)))
                .toList();
    }

    List<String> claims() {
        return drawn.names(ResourceTable.PERSISTENT_VOLUME_CLAIMS);
    }

    /** The reasons of the events about an object, in any order. */
    List<String> reasons(String name) {
        return drawn.list(ResourceTable.EVENTS).stream()
                .filter(event -> Trees.text(event, "involvedObject", "name").equals(name))
                .map(event -> Trees.text(event, "reason"))
                .toList();
    }

    void delete(String claim) throws InterruptedException {
        world.objects().delete(ResourceTable.PERSISTENT_VOLUME_CLAIMS, "default", claim);
        world.settle();
    }

    static String annotation(JsonObject tree, String name) {
        return Trees.text(tree, "metadata", "annotations", name);
    }

    private static String phase(JsonObject tree) {
        return Trees.text(tree, "status", "phase");
    }
}
