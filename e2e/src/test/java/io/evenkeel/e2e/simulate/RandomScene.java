package io.evenkeel.e2e.simulate;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.config.CompatibilityLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A cluster, what runs there before, and what is done to it then, drawn from a seed. Names are such that pods are listed in the order
 * of the manifests that they are of: so they come to a scheduler that begins when all are there.
 */
final class RandomScene {
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final String HOSTNAME = "kubernetes.io/hostname";

    private final CompatibilityLevel level;
    private final SplittableRandom random;
    private final List<String> nodes = new ArrayList<>();
    private final List<String> before = new ArrayList<>();
    private final List<String> then = new ArrayList<>();
    private final Optional<String> drained;
    private final boolean prioritised;
    private final boolean isLost;
    private final Optional<String> added;
    private final List<String> gang = new ArrayList<>();
    private final List<String> devices = new ArrayList<>();
    private final List<String> claiming = new ArrayList<>();
    private final List<String> storage = new ArrayList<>();
    private final List<String> storing = new ArrayList<>();

    RandomScene(long seed) {
        level = CompatibilityLevel.values()[(int) (seed % CompatibilityLevel.values().length)];
        random = new SplittableRandom(seed);
        prioritised = oneIn(4);
        int count = between(3, 8);
        for (int i = 1; i <= count; i++) {
            nodes.add(node("n" + i));
        }
        for (int i = between(1, 3); i > 0; i--) {
            before.addFirst(workload("a" + i));
        }
        for (int i = between(1, 4); i > 0; i--) {
            then.addFirst(workload("b" + i));
        }
        if (oneIn(3)) {
            then.add(stateful("b9", "OrderedReady"));
        }
        drained = oneIn(3) ? Optional.of("n" + between(1, count)) : Optional.empty();
        isLost = oneIn(3);
        added = oneIn(3) ? Optional.of(node("n9")) : Optional.empty();
        boolean grows = then.getLast().contains("OrderedReady");
        if (!prioritised && !grows && oneIn(2)) {
            drawGang(between(2, 6));
        }
        if (!prioritised && !grows && oneIn(2)) {
            nodes.forEach(node -> drawDevices(name(node)));
            added.ifPresent(node -> drawDevices(name(node)));
            claiming.add(claiming("a9"));
            claiming.add(claiming("d1"));
        }
        if (!prioritised && !grows && oneIn(2)) {
            drawStorage();
        }
    }

    /** Volumes that are there and volumes that are made; a StatefulSet before and one then, and pods that share a claim. */
    private void drawStorage() {
        storage.add(storageClass("disk", "disk.example.com"));
        storage.add(storageClass("local", "kubernetes.io/no-provisioner"));
        Stream.concat(nodes.stream(), added.stream()).map(RandomScene::name).forEach(node -> {
            storage.add("""
                    {"apiVersion":"storage.k8s.io/v1","kind":"CSINode","metadata":{"name":"%1$s"},"spec":{"drivers":[{"name":"disk.example.com",\
                    "nodeID":"%1$s","topologyKeys":["topology.kubernetes.io/zone"],"allocatable":{"count":%2$d}}]}}
                    """.formatted(node, between(1, 4)).strip());
            for (int i = between(0, 2); i > 0; i--) {
                storage.add(localVolume(node + "-" + i, node));
            }
        });
        storage.add("""
                {"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"shared","namespace":"default"},"spec":%s}
                """.formatted(claimSpec("disk", "ReadWriteMany")).strip());
        storing.add(storing("a8"));
        storing.add(storing("e1"));
        // they take turns: which of them selects a node for the volume, and whether the others know, is a matter of
        // moments else
        storing.add(
                replicas("e2", "ReplicaSet", "")
                        .replaceFirst(
                                "\"containers\"",
                                "\"schedulingGates\":[{\"name\":\"example.com/turn\"}],\"volumes\":[{\"name\":\"data\",\"persistentVolumeClaim\":{\"claimName\":\"shared\"}}],$0"));
    }

    private static String storageClass(String name, String provisioner) {
        return """
                {"apiVersion":"storage.k8s.io/v1","kind":"StorageClass","metadata":{"name":"%s"},"provisioner":"%s",\
                "volumeBindingMode":"WaitForFirstConsumer"}""".formatted(name, provisioner);
    }

    private String localVolume(String name, String node) {
        return """
                {"apiVersion":"v1","kind":"PersistentVolume","metadata":{"name":"%s"},"spec":{"storageClassName":"local",\
                "accessModes":["ReadWriteOnce"],"capacity":{"storage":"%dGi"},"local":{"path":"/disk"},"nodeAffinity":{"required":\
                {"nodeSelectorTerms":[{"matchExpressions":[{"key":"kubernetes.io/hostname","operator":"In","values":["%s"]}]}]}}}}
                """.formatted(name, between(1, 3), node).strip();
    }

    private String claimSpec(String storageClass, String mode) {
        return """
                {"storageClassName":"%s","accessModes":["%s"],"resources":{"requests":{"storage":"%dGi"}}}
                """.formatted(storageClass, mode, between(1, 2)).strip();
    }

    private String storing(String name) {
        String claims = "[{\"metadata\":{\"name\":\"data\"},\"spec\":"
                + claimSpec(oneOf("disk", "local"), "ReadWriteOnce") + "}]";
        return replicas(
                name,
                "StatefulSet",
                "\"serviceName\":\"x\",\"podManagementPolicy\":\"Parallel\",\"volumeClaimTemplates\":" + claims + ",");
    }

    private static String name(String manifest) {
        return JsonParser.parseString(manifest)
                .getAsJsonObject()
                .getAsJsonObject("metadata")
                .get("name")
                .getAsString();
    }

    private void drawDevices(String node) {
        String some = IntStream.range(0, between(0, 3))
                .mapToObj("{\"name\":\"gpu-%d\"}"::formatted)
                .collect(Collectors.joining(","));
        devices.add("""
                {"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"%1$s"},"spec":{"driver":"gpu.example.com",\
                "nodeName":"%1$s","pool":{"name":"%1$s","generation":1,"resourceSliceCount":1},"devices":[%2$s]}}
                """.formatted(node, some).strip());
    }

    private String claiming(String name) {
        return replicas(name, "ReplicaSet", "")
                .replaceFirst(
                        "\"containers\"",
                        "\"resourceClaims\":[{\"name\":\"gpu\",\"resourceClaimTemplateName\":\"gpu\"}],$0");
    }

    private void drawGang(int size) {
        String spec = spec("c1").replaceFirst("\\{", "{\"schedulingGroup\":{\"podGroupName\":\"c1\"},");
        gang.add("""
                {"apiVersion":"scheduling.k8s.io/v1beta1","kind":"PodGroup","metadata":{"name":"c1","namespace":"default"},\
                "spec":{"schedulingPolicy":{"gang":{"minCount":%d}}}}
                """.formatted(size).strip());
        for (int i = 0; i < size; i++) {
            gang.add(pod("c1-" + i, "c1", spec));
        }
    }

    /** Seven, or more by {@code -Dscenes=1000}. */
    static LongStream seeds() {
        long first = Long.getLong("scenes.first", 1);
        return LongStream.range(first, first + Long.getLong("scenes", 7));
    }

    /** Of the cluster, and of the answers. */
    CompatibilityLevel level() {
        return level;
    }

    /** How many pods come of manifests at first: those of a StatefulSet that goes in order come one by one. */
    static int pods(List<String> manifests) {
        return manifests.stream()
                .filter(manifest -> !manifest.contains("\"PodGroup\""))
                .mapToInt(manifest -> manifest.contains("\"OrderedReady\"") ? 1 : replicas(manifest))
                .sum();
    }

    private static int replicas(String manifest) {
        JsonObject spec = JsonParser.parseString(manifest).getAsJsonObject().getAsJsonObject("spec");
        return spec.has("replicas") ? spec.get("replicas").getAsInt() : 1;
    }

    /**
     * Whether a pod that waits says the same in the end whenever it was tried last: where others go for it, or it keeps away from
     * others, it says what was so at its last attempt, and how many of these there are is a matter of moments.
     */
    boolean hasWordsThatLast() {
        return !prioritised
                && Stream.concat(before.stream(), then.stream())
                        .noneMatch(manifest -> manifest.contains("podAntiAffinity"));
    }

    /** PriorityClasses and nodes. */
    List<String> cluster() {
        List<String> all = new ArrayList<>();
        if (prioritised) {
            for (int value : new int[] {10, 100}) {
                all.add("""
                        {"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass","metadata":{"name":"p%1$d"},"value":%1$d}
                        """.formatted(value).strip());
            }
        }
        all.addAll(nodes);
        return all;
    }

    /** Manifests of what runs there before. */
    List<String> before() {
        return before;
    }

    /** Manifests that are applied then. */
    List<String> then() {
        return then;
    }

    /** A node that is drained then, before the manifests are applied. */
    Optional<String> drained() {
        return drained;
    }

    /** Whether pods are more and less important, so that some may go for others. */
    boolean isPrioritised() {
        return prioritised;
    }

    /** Whether the node that is drained goes, too. */
    boolean isLost() {
        return isLost;
    }

    /** How many pods there are to be of the StatefulSet that comes one by one. */
    int replicasOfGrowing() {
        return replicas(then.getLast());
    }

    /** A node that joins then. */
    Optional<String> added() {
        return added;
    }

    /** A PodGroup and its pods, which come last; none among pods of different importance. */
    List<String> gang() {
        return gang;
    }

    /** Devices of nodes, their class, and a template of claims for one of them; there from the beginning. */
    List<String> devices() {
        List<String> all = new ArrayList<>(devices);
        all.add("""
                {"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"gpu"},"spec":{}}\
                """);
        all.add("""
                {"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaimTemplate","metadata":{"name":"gpu","namespace":"default"},\
                "spec":{"spec":{"devices":{"requests":[{"name":"gpu","exactly":{"deviceClassName":"gpu"}}]}}}}\
                """);
        return all;
    }

    /** Manifests of pods with such claims that run there before. */
    List<String> claimingBefore() {
        return claiming.stream().limit(1).toList();
    }

    /** Those that come then, after all others. */
    List<String> claimingThen() {
        return claiming.stream().skip(1).toList();
    }

    /** Classes, drivers, volumes and a claim; there from the beginning. */
    List<String> storage() {
        return storage;
    }

    /** Manifests of pods with claims for volumes that run there before. */
    List<String> storingBefore() {
        return storing.stream().limit(1).toList();
    }

    /** Those that come then, last of all. */
    List<String> storingThen() {
        return storing.stream().skip(1).toList();
    }

    private String node(String name) {
        String zone = oneIn(12) ? "" : ",\"topology.kubernetes.io/zone\":\"" + oneOf("a", "b", "c") + "\"";
        String disk = oneIn(3) ? ",\"disk\":\"ssd\"" : "";
        String taint = oneIn(5) ? "{\"key\":\"dedicated\",\"value\":\"x\",\"effect\":\"NoSchedule\"}" : "";
        return """
                {"apiVersion":"v1","kind":"Node","metadata":{"name":"%1$s","labels":{"kubernetes.io/hostname":"%1$s"%2$s%3$s}},\
                "spec":{"taints":[%4$s]},"status":{"allocatable":{"cpu":"%5$d","memory":"%6$dGi","pods":"%7$d"}}}
                """.formatted(name, zone, disk, taint, between(1, 6), between(2, 12), between(3, 12))
                .strip();
    }

    private String workload(String name) {
        return switch (between(0, 5)) {
            case 0 -> pod(name, name, spec(name));
            case 1 -> stateful(name, "Parallel");
            case 2 -> replicas(name, "ReplicaSet", "");
            default -> replicas(name, "Deployment", "");
        };
    }

    private static String pod(String name, String app, String spec) {
        return """
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","namespace":"default","labels":{"app":"%s"}},"spec":%s}
                """.formatted(name, app, spec).strip();
    }

    private String stateful(String name, String policy) {
        return replicas(name, "StatefulSet", "\"serviceName\":\"x\",\"podManagementPolicy\":\"" + policy + "\",");
    }

    private String replicas(String name, String kind, String more) {
        return """
                {"apiVersion":"apps/v1","kind":"%2$s","metadata":{"name":"%1$s","namespace":"default"},"spec":{%3$s"replicas":%4$d,\
                "selector":{"matchLabels":{"app":"%1$s"}},"template":{"metadata":{"labels":{"app":"%1$s"}},"spec":%5$s}}}
                """.formatted(name, kind, more, between(1, 7), spec(name)).strip();
    }

    private String spec(String app) {
        List<String> parts = new ArrayList<>();
        String ports = oneIn(15) ? ",\"ports\":[{\"containerPort\":80,\"hostPort\":8080}]" : "";
        String amounts = "{\"cpu\":\"" + 100 * between(1, 15) + "m\",\"memory\":\"" + 128 * between(1, 16) + "Mi\"}";
        parts.add("\"containers\":[{\"name\":\"main\",\"image\":\"example.com/" + app + ":1\",\"resources\":{\""
                + oneOf("requests", "limits") + "\":" + amounts + "}" + ports + "}]");
        if (prioritised) {
            parts.add("\"priorityClassName\":\"" + oneOf("p10", "p100") + "\"");
        }
        if (oneIn(6)) {
            parts.add("\"topologySpreadConstraints\":[" + spread(app, ZONE) + "," + spread(app, HOSTNAME) + "]");
        } else if (oneIn(2)) {
            parts.add("\"topologySpreadConstraints\":[" + spread(app, oneOf(ZONE, HOSTNAME)) + "]");
        }
        if (oneIn(6)) {
            parts.add("\"nodeSelector\":{\"disk\":\"ssd\"}");
        }
        if (oneIn(3)) {
            parts.add("\"tolerations\":[{\"key\":\"dedicated\",\"operator\":\"Exists\"}]");
        }
        if (oneIn(4)) {
            parts.add("\"affinity\":{" + affinity(app) + "}");
        }
        return "{" + String.join(",", parts) + "}";
    }

    private String spread(String app, String key) {
        boolean isHard = oneIn(2);
        return """
                {"maxSkew":%d,"topologyKey":"%s","whenUnsatisfiable":"%s","labelSelector":{"matchLabels":{"app":"%s"}}%s%s%s}
                """.formatted(
                between(1, 2),
                key,
                isHard ? "DoNotSchedule" : "ScheduleAnyway",
                app,
                isHard && oneIn(4) ? ",\"minDomains\":" + between(2, 3) : "",
                oneIn(4) ? ",\"matchLabelKeys\":[\"pod-template-hash\"]" : "",
                oneIn(5) ? ",\"nodeTaintsPolicy\":\"Honor\"" : "").strip();
    }

    private String affinity(String app) {
        String term = "{\"topologyKey\":\"" + oneOf(HOSTNAME, ZONE)
                + "\",\"labelSelector\":{\"matchLabels\":{\"app\":\"" + app + "\"}}}";
        return switch (between(0, 2)) {
            case 0 -> "\"podAntiAffinity\":{\"requiredDuringSchedulingIgnoredDuringExecution\":[" + term + "]}";
            case 1 ->
                "\"podAntiAffinity\":{\"preferredDuringSchedulingIgnoredDuringExecution\":[{\"weight\":50,\"podAffinityTerm\":"
                        + term + "}]}";
            default ->
                "\"nodeAffinity\":{\"preferredDuringSchedulingIgnoredDuringExecution\":[{\"weight\":20,\"preference\":"
                        + "{\"matchExpressions\":[{\"key\":\"topology.kubernetes.io/zone\",\"operator\":\"In\",\"values\":[\"a\"]}]}}]}";
        };
    }

    private int between(int least, int most) {
        return random.nextInt(least, most + 1);
    }

    private boolean oneIn(int times) {
        return random.nextInt(times) == 0;
    }

    private String oneOf(String... texts) {
        return texts[random.nextInt(texts.length)];
    }
}
