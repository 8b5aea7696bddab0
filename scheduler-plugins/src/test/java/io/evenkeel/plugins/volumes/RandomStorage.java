package io.evenkeel.plugins.volumes;

import static io.evenkeel.plugins.RandomCluster.oneOf;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodVolume;
import io.evenkeel.model.PodVolume.Source;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.storage.CsiDriver;
import io.evenkeel.model.storage.CsiNode;
import io.evenkeel.model.storage.CsiStorageCapacity;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.StorageClass;
import io.evenkeel.model.storage.StorageClass.BindingMode;
import io.evenkeel.model.storage.StorageClass.TopologyTerm;
import io.evenkeel.model.value.LabelRequirement;
import io.evenkeel.model.value.LabelSelector;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Nodes, pods and their volumes with so few names that what they name is there, missing, or another by now. */
public final class RandomStorage {
    private static final String EBS = "ebs.csi.aws.com";
    private static final String[] SIZES = {"1Gi", "2Gi", "2048Mi", "5Gi"};
    private static final String[] CLASSES = {"late", "late", "late", "local", "ebs", "gce", "now", "", "gone"};
    private static final String[] CLAIMS = {"c0", "c1", "c2", "c3", "c4", "c5", "p0-scratch", "p1-scratch"};
    private static final String[] PLUGINS = {
        "",
        "kubernetes.io/aws-ebs",
        "kubernetes.io/aws-ebs,kubernetes.io/gce-pd",
        "kubernetes.io/gce-pd,kubernetes.io/gce-pd,,"
    };

    private final SplittableRandom random;
    private final RandomNodeSelectors selectors;
    private final int nodes;
    private int version;

    public RandomStorage(long seed, int nodes) {
        this.random = new SplittableRandom(seed);
        this.selectors = new RandomNodeSelectors(random, this::nodeName);
        this.nodes = nodes;
    }

    public SplittableRandom random() {
        return random;
    }

    public KubernetesObject anything() {
        return switch (random.nextInt(22)) {
            case 0, 1, 2 -> node();
            case 3, 4, 5, 6 -> placedPod();
            case 7, 8, 9, 10, 11 -> claim();
            case 12, 13, 14, 15 -> volume();
            case 16 -> storageClass();
            case 17, 18 -> csiNode();
            case 19 -> csiDriver();
            case 20 -> capacity();
            default ->
                StorageObjects.attachment(
                        "a" + random.nextInt(6),
                        oneOf(random, "disk.example", EBS, ""),
                        nodeName(),
                        random.nextInt(6) == 0 ? "" : volumeName());
        };
    }

    public String nodeName() {
        return "n" + random.nextInt(nodes);
    }

    private String volumeName() {
        return "v" + random.nextInt(8);
    }

    private String namespace() {
        return random.nextInt(8) == 0 ? "other" : "default";
    }

    public Node node() {
        return node(nodeName());
    }

    /** With labels of few values, some of them numbers, and not all of them. */
    public Node node(String name) {
        NodeBuilder node = NodeBuilder.node(name);
        for (String key : RandomNodeSelectors.ZONE_KEYS) {
            if (random.nextInt(3) > 0) {
                node.label(key, oneOf(random, "x", "y", "z"));
            }
        }
        if (random.nextBoolean()) {
            node.label("size", oneOf(random, "1", "2", "03", "many"));
        }
        return node.allocatable("cpu", oneOf(random, "2", "4"), "pods", "20").build();
    }

    public Pod placedPod() {
        Pod pod = pod("p" + random.nextInt(10));
        return PodBuilder.from(pod)
                .nodeName(nodeName())
                .phase(random.nextInt(10) == 0 ? "Succeeded" : "Running")
                .build();
    }

    public Pod pod(String name) {
        PodBuilder pod = PodBuilder.pod(namespace(), name).uid(name + "-uid" + random.nextInt(2));
        for (int i = random.nextInt(4); i > 0; i--) {
            pod.volume(podVolume());
        }
        return pod.build();
    }

    /** A pod with volumes of which it can have all at once, if it is lucky. */
    public Pod modestPod(String name) {
        PodBuilder pod = PodBuilder.pod(name).uid(name + "-uid");
        for (int i = random.nextInt(3); i >= 0; i--) {
            pod.volume(PodVolume.ofClaim(oneOf(random, CLAIMS)));
        }
        return pod.build();
    }

    private PodVolume podVolume() {
        boolean readOnly = random.nextBoolean();
        return switch (random.nextInt(10)) {
            case 0 -> StorageObjects.disk(Source.GCE_PERSISTENT_DISK, oneOf(random, "d0", "d1"), readOnly);
            case 1 -> StorageObjects.disk(Source.AWS_ELASTIC_BLOCK_STORE, oneOf(random, "h0", "h1"), readOnly);
            case 2 -> StorageObjects.image(oneOf(random, "i0", "i1"), readOnly, oneOf(random, "m0", "m1"), "m2");
            case 3 -> new PodVolume("scratch", Source.EPHEMERAL);
            default -> PodVolume.ofClaim(oneOf(random, CLAIMS));
        };
    }

    public PersistentVolumeClaim claim() {
        String name = oneOf(random, CLAIMS);
        ClaimBuilder claim = ClaimBuilder.claim(name)
                .namespace(namespace())
                .uid(name + "-uid" + (random.nextInt(5) == 0 ? "2" : ""))
                .version("" + ++version)
                .storageClass(oneOf(random, CLASSES))
                .size(oneOf(random, SIZES));
        if (name.endsWith("-scratch") && random.nextInt(4) > 0) {
            String pod = name.substring(0, 2);
            claim.ownedBy(
                    PodBuilder.pod(pod).uid(pod + "-uid" + random.nextInt(2)).build());
        }
        switch (random.nextInt(12)) {
            case 0, 1, 2 -> claim.boundTo(volumeName());
            case 3 -> claim.wanting(volumeName());
            case 4 -> claim.selectedNode(nodeName());
            case 5 -> claim.withoutSize();
            case 6 -> claim.selector("kind", "fast");
            case 7 -> claim.boundTo(volumeName()).modes("ReadWriteOncePod");
            case 8 -> claim.boundTo(volumeName()).selectedNode(nodeName());
            default -> {}
        }
        switch (random.nextInt(16)) {
            case 0 -> claim.lost();
            case 1 -> claim.terminating();
            case 2 -> claim.block();
            case 3 -> claim.attributesClass("gold");
            default -> {}
        }
        return claim.build();
    }

    public PersistentVolume volume() {
        VolumeBuilder volume = VolumeBuilder.volume(volumeName())
                .version("" + ++version)
                .storageClass(oneOf(random, CLASSES))
                .size(oneOf(random, SIZES));
        switch (random.nextInt(5)) {
            case 0, 1 -> volume.csi(oneOf(random, "disk.example", EBS), oneOf(random, "h0", "h1", "h2", ""));
            case 2 -> volume.inTree(Source.AWS_ELASTIC_BLOCK_STORE, oneOf(random, "h0", "aws://x/h1", "aws:///h2", ""));
            case 3 -> volume.inTree(Source.GCE_PERSISTENT_DISK, oneOf(random, "d0", "d1", ""));
            default -> {}
        }
        switch (random.nextInt(4)) {
            case 0 -> volume.reservedFor("default", oneOf(random, CLAIMS), "");
            case 1 -> {
                String claim = oneOf(random, CLAIMS);
                volume.reservedFor(namespace(), claim, claim + "-uid" + oneOf(random, "", "", "2"));
            }
            default -> {}
        }
        if (random.nextBoolean()) {
            volume.on(selector());
        }
        for (String key : List.of(DiskZones.ZONE, DiskZones.BETA_ZONE, DiskZones.REGION, DiskZones.BETA_REGION)) {
            if (random.nextInt(5) == 0) {
                volume.label(key, oneOf(random, "x", "y", "x__y", "r-x__r-y", "", "x__"));
            }
        }
        switch (random.nextInt(12)) {
            case 0 -> volume.terminating();
            case 1 -> volume.unavailable();
            case 2 -> volume.block();
            case 3 -> volume.label("kind", "fast");
            case 4 -> volume.attributesClass("gold");
            case 5 -> volume.modes("ReadOnlyMany");
            default -> volume.modes("ReadWriteOnce", "ReadWriteOncePod");
        }
        return volume.build();
    }

    public NodeSelector selector() {
        return selectors.selector();
    }

    private StorageClass storageClass() {
        Optional<BindingMode> late = Optional.of(BindingMode.WAIT_FOR_FIRST_CONSUMER);
        TopologyTerm[] allowed = IntStream.range(0, random.nextInt(3))
                .mapToObj(_ -> random.nextInt(5) == 0
                        ? new TopologyTerm(List.of())
                        : StorageObjects.allowed(
                                oneOf(random, RandomNodeSelectors.ZONE_KEYS), oneOf(random, "x", "y"), "z"))
                .toArray(TopologyTerm[]::new);
        return switch (oneOf(random, "late", "late", "local", "ebs", "gce", "now")) {
            case "local" -> StorageObjects.storageClass("local", StorageObjects.NOBODY, late, allowed);
            case "ebs" ->
                StorageObjects.storageClass("ebs", oneOf(random, "kubernetes.io/aws-ebs", EBS), late, allowed);
            case "gce" -> StorageObjects.storageClass("gce", "kubernetes.io/gce-pd", late, allowed);
            case "now" ->
                StorageObjects.storageClass(
                        "now",
                        "disk.example",
                        oneOf(random, Optional.of(BindingMode.IMMEDIATE), Optional.empty(), late));
            default -> StorageObjects.storageClass("late", oneOf(random, "disk.example", ""), late, allowed);
        };
    }

    private CsiDriver csiDriver() {
        CsiDriver driver = StorageObjects.driver(oneOf(random, "disk.example", EBS), random.nextInt(3) > 0);
        return new CsiDriver(driver.meta(), driver.tellsCapacity(), random.nextInt(3) == 0);
    }

    private CsiNode csiNode() {
        Set<String> drivers = new HashSet<>();
        Map<String, Integer> limits = new HashMap<>();
        for (String driver : List.of("disk.example", EBS, "pd.csi.storage.gke.io")) {
            if (random.nextBoolean()) {
                drivers.add(driver);
                if (random.nextInt(4) > 0) {
                    limits.put(driver, random.nextInt(4));
                }
            }
        }
        CsiNode migrated = StorageObjects.migratedNode(nodeName(), oneOf(random, PLUGINS));
        return new CsiNode(migrated.meta(), drivers, limits, Map.of());
    }

    public CsiStorageCapacity capacity() {
        Optional<LabelSelector> near = switch (random.nextInt(5)) {
            case 0 -> Optional.empty();
            case 1 -> Optional.of(LabelSelector.EVERYTHING);
            case 2 ->
                Optional.of(LabelSelector.of(List.of(new LabelRequirement(
                        oneOf(random, RandomNodeSelectors.ZONE_KEYS),
                        oneOf(random, LabelRequirement.Operator.NOT_IN, LabelRequirement.Operator.IN),
                        List.of("x", "y")))));
            case 3 ->
                Optional.of(LabelSelector.of(List.of(new LabelRequirement(
                        oneOf(random, RandomNodeSelectors.ZONE_KEYS),
                        oneOf(random, LabelRequirement.Operator.EXISTS, LabelRequirement.Operator.DOES_NOT_EXIST),
                        List.of()))));
            default -> StorageObjects.nodesWith(oneOf(random, RandomNodeSelectors.ZONE_KEYS), oneOf(random, "x", "y"));
        };
        return StorageObjects.capacity(
                "k" + random.nextInt(5),
                oneOf(random, "late", "ebs", "gone"),
                near,
                oneOf(random, "", "1Gi", "2Gi", "2147483647500m"),
                oneOf(random, "", "", "1Gi", "5Gi"));
    }
}
