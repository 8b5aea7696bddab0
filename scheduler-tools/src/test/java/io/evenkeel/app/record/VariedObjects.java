package io.evenkeel.app.record;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.SplittableRandom;

/** Objects of all sorts that have a say in where pods go, of so few names that they often mean one another. */
final class VariedObjects {
    static final int NODES = 6;
    static final String GPU = "example.com/gpu";
    private static final int GROUPS = 4;
    private static final int CLAIMS = 8;

    private final SplittableRandom random;
    private int made;

    VariedObjects(SplittableRandom random) {
        this.random = random;
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation is in no library that tests have
    private static JsonObject json(String text, Object... arguments) {
        return JsonParser.parseString(text.formatted(arguments).replace('\'', '"'))
                .getAsJsonObject();
    }

    private String oneOf(String... words) {
        return words[random.nextInt(words.length)];
    }

    private String uid() {
        return Long.toHexString(random.nextLong());
    }

    JsonObject node(int number) {
        return json("""
                {'apiVersion': 'v1', 'kind': 'Node', 'metadata': {'name': 'n%1$d', 'uid': '%2$s',
                  'labels': {'kubernetes.io/hostname': 'n%1$d', 'topology.kubernetes.io/zone': 'z%3$d', 'disk': '%4$s'}},
                 'status': {'allocatable': {'cpu': '%5$d', 'memory': '8Gi', 'pods': '20', 'example.com/gpu': '2'}}}""", number, uid(), number % 3, oneOf("ssd", "hdd"), 3 + random.nextInt(3));
    }

    /** Anything but pods and nodes. */
    JsonObject other() {
        return switch (random.nextInt(16)) {
            case 0, 1 -> podGroup(random.nextInt(GROUPS));
            case 2, 3 -> coschedulingGroup(random.nextInt(GROUPS));
            case 4 -> replicaSet(random.nextInt(GROUPS));
            case 5, 6, 7, 8 -> claim("c" + random.nextInt(CLAIMS));
            case 9, 10, 11 -> volume(random.nextInt(CLAIMS));
            case 12 -> storageClass(oneOf("made", "local", "now"));
            case 13 -> csiNode(random.nextInt(NODES));
            case 14 -> capacity();
            default -> budget();
        };
    }

    JsonObject storageClass(String name) {
        return json(
                """
                {'apiVersion': 'storage.k8s.io/v1', 'kind': 'StorageClass', 'metadata': {'name': '%s', 'uid': '%s'},
                 'provisioner': '%s', 'volumeBindingMode': '%s'}""",
                name,
                uid(),
                name.equals("local") ? "kubernetes.io/no-provisioner" : "disk.example",
                name.equals("now") ? "Immediate" : "WaitForFirstConsumer");
    }

    JsonObject driver() {
        return json("""
                {'apiVersion': 'storage.k8s.io/v1', 'kind': 'CSIDriver',
                 'metadata': {'name': 'disk.example', 'uid': '%s'}, 'spec': {'storageCapacity': true}}""", uid());
    }

    JsonObject csiNode(int number) {
        return json("""
                {'apiVersion': 'storage.k8s.io/v1', 'kind': 'CSINode', 'metadata': {'name': 'n%1$d', 'uid': '%2$s'},
                 'spec': {'drivers': [{'name': 'disk.example', 'nodeID': 'n%1$d', 'topologyKeys': [],
                  'allocatable': {'count': %3$d}}]}}""", number, uid(), random.nextInt(4));
    }

    JsonObject capacity() {
        return json("""
                {'apiVersion': 'storage.k8s.io/v1', 'kind': 'CSIStorageCapacity',
                 'metadata': {'namespace': 'default', 'name': 'k%1$d', 'uid': '%2$s'}, 'storageClassName': 'made',
                 'nodeTopology': {'matchLabels': {'topology.kubernetes.io/zone': 'z%1$d'}}, 'capacity': '%3$s'}""", random.nextInt(3), uid(), oneOf("1Gi", "5Gi", "100Gi"));
    }

    private JsonObject budget() {
        return json("""
                {'apiVersion': 'policy/v1', 'kind': 'PodDisruptionBudget',
                 'metadata': {'namespace': 'default', 'name': 'b%1$d', 'uid': '%2$s'},
                 'spec': {'selector': {'matchLabels': {'app': 'app%1$d'}}, 'maxUnavailable': %4$s},
                 'status': {'disruptionsAllowed': %3$d}}""", random.nextInt(3), uid(), random.nextInt(2), oneOf("1", "'25%'"));
    }

    JsonObject claim(String name) {
        return json(
                """
                {'apiVersion': 'v1', 'kind': 'PersistentVolumeClaim',
                 'metadata': {'namespace': 'default', 'name': '%s', 'uid': '%s'},
                 'spec': {'accessModes': ['%s'], 'storageClassName': '%s',
                  'resources': {'requests': {'storage': '%s'}}}}""",
                name,
                uid(),
                oneOf("ReadWriteOnce", "ReadWriteOnce", "ReadWriteOncePod"),
                oneOf("made", "local", "local", "now"),
                oneOf("1Gi", "2Gi"));
    }

    JsonObject volume(int number) {
        return json("""
                {'apiVersion': 'v1', 'kind': 'PersistentVolume', 'metadata': {'name': 'v%d', 'uid': '%s'},
                 'spec': {'accessModes': ['ReadWriteOnce', 'ReadWriteOncePod'], 'storageClassName': 'local',
                  'capacity': {'storage': '%s'}, 'nodeAffinity': {'required': {'nodeSelectorTerms': [
                   {'matchExpressions': [{'key': 'kubernetes.io/hostname', 'operator': 'In', 'values': ['n%d']}]}]}}},
                 'status': {'phase': 'Available'}}""", number, uid(), oneOf("1Gi", "2Gi", "4Gi"), random.nextInt(NODES));
    }

    /** The volume that a provisioner makes for a claim. */
    JsonObject volumeFor(JsonObject claim) {
        JsonObject volume = volume(100 + made++);
        JsonObject spec = volume.getAsJsonObject("spec");
        spec.add("storageClassName", claim.getAsJsonObject("spec").get("storageClassName"));
        spec.add("csi", json("{'driver': 'disk.example', 'volumeHandle': 'h%d'}", made));
        spec.remove("nodeAffinity");
        JsonObject meta = claim.getAsJsonObject("metadata");
        spec.add(
                "claimRef",
                json(
                        "{'namespace': 'default', 'name': '%s', 'uid': '%s'}",
                        meta.get("name").getAsString(), meta.get("uid").getAsString()));
        return volume;
    }

    JsonObject podGroup(int number) {
        return json(
                """
                {'apiVersion': 'scheduling.k8s.io/v1beta1', 'kind': 'PodGroup',
                 'metadata': {'namespace': 'default', 'name': 'g%d', 'uid': '%s'},
                 'spec': {'schedulingPolicy': %s%s}}""",
                number,
                uid(),
                random.nextInt(3) == 0
                        ? "{'basic': {}}"
                        : "{'gang': {'minCount': %d}}".formatted(1 + random.nextInt(3)),
                random.nextBoolean() ? "" : """
                ,'schedulingConstraints': {'topology': [{'key': 'topology.kubernetes.io/zone'}]}""");
    }

    JsonObject coschedulingGroup(int number) {
        return json("""
                {'apiVersion': 'scheduling.x-k8s.io/v1alpha1', 'kind': 'PodGroup',
                 'metadata': {'namespace': 'default', 'name': 'k%d', 'uid': '%s'},
                 'spec': {'minMember': %d}}""", number, uid(), 1 + random.nextInt(3));
    }

    JsonObject replicaSet(int number) {
        return json("""
                {'apiVersion': 'apps/v1', 'kind': 'ReplicaSet',
                 'metadata': {'namespace': 'default', 'name': 'r%1$d', 'uid': 'rs-%1$d'},
                 'spec': {'replicas': %2$d, 'selector': {'matchLabels': {'owner': 'r%1$d'}}}}""", number, 2 + random.nextInt(3));
    }

    /** A pod of a random sort, which often needs an object that is not there, or not yet. */
    JsonObject pod() {
        made++;
        JsonObject pod = json("""
                {'apiVersion': 'v1', 'kind': 'Pod', 'metadata': {'namespace': 'default', 'name': 'p%d', 'uid': '%s',
                  'creationTimestamp': '2026-11-25T08:00:00Z', 'labels': {'app': 'app%d'}, 'annotations': {}},
                 'spec': {'schedulerName': 'default-scheduler', 'priority': %d, 'containers': [{'name': 'c',
                  'image': 'pause', 'resources': {'requests': {'cpu': '%d'}}}]}}""", made, uid(), random.nextInt(3), random.nextInt(3), 1 + random.nextInt(2));
        JsonObject spec = pod.getAsJsonObject("spec");
        switch (random.nextInt(8)) {
            case 0, 1 -> spec.add("volumes", volumes());
            case 2 -> spec.add("schedulingGroup", json("{'podGroupName': 'g%d'}", random.nextInt(GROUPS)));
            case 3 -> label(pod, "scheduling.x-k8s.io/pod-group", "k" + random.nextInt(GROUPS));
            case 4 -> own(pod, random.nextInt(GROUPS));
            case 5, 6 ->
                spec.getAsJsonArray("containers")
                        .get(0)
                        .getAsJsonObject()
                        .getAsJsonObject("resources")
                        .getAsJsonObject("requests")
                        .addProperty(GPU, "1");
            default ->
                spec.add(
                        "schedulingGates",
                        JsonParser.parseString("[{\"name\": \"wait\"}]").getAsJsonArray());
        }
        return pod;
    }

    private JsonArray volumes() {
        JsonArray volumes = new JsonArray();
        for (int i = random.nextInt(2); i >= 0; i--) {
            volumes.add(
                    json("{'name': 'd%d', 'persistentVolumeClaim': {'claimName': 'c%d'}}", i, random.nextInt(CLAIMS)));
        }
        return volumes;
    }

    private static void label(JsonObject pod, String key, String value) {
        pod.getAsJsonObject("metadata").getAsJsonObject("labels").addProperty(key, value);
    }

    private void own(JsonObject pod, int owner) {
        JsonObject meta = pod.getAsJsonObject("metadata");
        label(pod, "owner", "r" + owner);
        if (random.nextBoolean()) {
            meta.getAsJsonObject("annotations").addProperty("evenkeel.io/group-placement", "gang");
        }
        JsonArray owners = new JsonArray();
        owners.add(json(
                "{'apiVersion': 'apps/v1', 'kind': 'ReplicaSet', 'name': 'r%1$d', 'uid': 'rs-%1$d', 'controller': true}",
                owner));
        meta.add("ownerReferences", owners);
    }
}
