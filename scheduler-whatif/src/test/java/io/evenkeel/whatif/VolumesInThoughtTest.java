package io.evenkeel.whatif;

import static io.evenkeel.whatif.SchedulingOptions.USUAL;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.whatif.ClusterSnapshot.Transaction;
import io.evenkeel.whatif.Verdict.Placed;
import io.evenkeel.whatif.Verdict.Refused;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pods that are placed in thought have their volumes then, as after they were bound. */
class VolumesInThoughtTest {
    private static final ObjectReader READER = new ObjectReader(Kinds.IN_TREE);

    private final ClusterSnapshot cluster =
            new ClusterSnapshot(SchedulerConfiguration.defaults(), InTreePlugins.registry());

    @BeforeEach
    void clusterOfTwoZones() {
        for (String name : List.of("n1", "n2", "n3")) {
            put("""
                    {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "%1$s", "labels": {"kubernetes.io/hostname": "%1$s",
                      "topology.kubernetes.io/zone": "%2$s"}}, "status": {"allocatable": {"cpu": "4", "pods": "110"}}}
                    """.formatted(name, name.equals("n3") ? "b" : "a"));
            put("""
                    {"apiVersion": "storage.k8s.io/v1", "kind": "CSINode", "metadata": {"name": "%1$s"}, "spec": {"drivers": [{
                      "name": "disk.example.com", "nodeID": "%1$s", "topologyKeys": ["topology.kubernetes.io/zone"],
                      "allocatable": {"count": 2}}]}}
                    """.formatted(name));
        }
        storageClass("disk", "disk.example.com");
        storageClass("local", "kubernetes.io/no-provisioner");
    }

    private void put(String object) {
        cluster.put(READER.read(object));
    }

    private void storageClass(String name, String provisioner) {
        put("""
                {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "%s"}, "provisioner": "%s",
                 "volumeBindingMode": "WaitForFirstConsumer"}""".formatted(name, provisioner));
    }

    private void claim(String name, String storageClass, String mode) {
        put("""
                {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "%1$s", "namespace": "shop", "uid": "%1$s"},
                 "spec": {"storageClassName": "%2$s", "accessModes": ["%3$s"], "resources": {"requests": {"storage": "1Gi"}}}}
                """.formatted(name, storageClass, mode));
    }

    private void localVolume(String name, String node) {
        put("""
                {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "%s"}, "spec": {"storageClassName": "local",
                 "accessModes": ["ReadWriteOnce"], "capacity": {"storage": "1Gi"}, "local": {"path": "/disk"}, "nodeAffinity": {
                 "required": {"nodeSelectorTerms": [{"matchExpressions": [
                 {"key": "kubernetes.io/hostname", "operator": "In", "values": ["%s"]}]}]}}}, "status": {"phase": "Available"}}
                """.formatted(name, node));
    }

    private static Pod pod(String name, String cpu, String... claims) {
        String volumes = String.join(
                ",",
                IntStream.range(0, claims.length)
                        .mapToObj(i -> "{\"name\": \"v%d\", \"persistentVolumeClaim\": {\"claimName\": \"%s\"}}"
                                .formatted(i, claims[i]))
                        .toList());
        return (Pod) READER.read("""
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%1$s", "namespace": "shop", "uid": "%1$s"}, "spec": {
                 "containers": [{"name": "c", "resources": {"requests": {"cpu": "%2$s"}}}], "volumes": [%3$s]}}
                """.formatted(name, cpu, volumes));
    }

    private static List<String> told(List<Verdict> verdicts) {
        return verdicts.stream()
                .map(verdict -> switch (verdict) {
                    case Placed(Pod _, String node) -> node;
                    case Refused(Pod _, String message) -> message;
                })
                .toList();
    }

    private Set<KubernetesObject> objects() {
        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
        Set<KubernetesObject> all = new HashSet<>(cluster.pods());
        cluster.kinds().forEach(kind -> all.addAll(cluster.view().all(kind.name())));
        return all;
    }

    @Test
    void aVolumeThatOneGetsIsNoLongerFree() {
        localVolume("v1", "n1");
        localVolume("v3", "n3");
        List.of("c0", "c1", "c2").forEach(name -> claim(name, "local", "ReadWriteOnce"));
        Set<KubernetesObject> before = objects();

        try (Transaction _ = cluster.begin()) {
            assertThat(told(cluster.schedulePods(
                            List.of(pod("p0", "1", "c0"), pod("p1", "1", "c1"), pod("p2", "1", "c2")), USUAL)))
                    .containsExactly(
                            "n1",
                            "n3",
                            "0/3 nodes are available: 3 node(s) didn't find available persistent volumes to bind.");
            assertThat(cluster.view().find(Kinds.PERSISTENT_VOLUME_CLAIM, "shop/c1"))
                    .get()
                    .matches(claim -> claim.isBound() && claim.volumeName().equals("v3"));
            cluster.preemptPods(cluster.podsOn("n3"));
            assertThat(told(List.of(cluster.schedulePod(pod("again", "1", "c1"), USUAL))))
                    .as("a pod's end does not free its claim's volume")
                    .containsExactly("n3");
        }

        assertThat(objects()).isEqualTo(before);
    }

    @Test
    void aVolumeIsMadeNearTheFirstPodAndReachedInItsZoneThen() {
        claim("shared", "disk", "ReadWriteMany");
        Set<KubernetesObject> before = objects();

        assertThat(told(cluster.schedulePods(
                        List.of(pod("p0", "2500m", "shared"), pod("p1", "1", "shared"), pod("p2", "1", "shared")),
                        USUAL)))
                .as("as long as it is not made, all pods are kept to the node that is selected")
                .containsExactly(
                        "n1",
                        "n1",
                        "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't find available persistent volumes to bind.");
        assertThat(told(cluster.schedulePodsByTemplate(pod("later", "2", "shared"), 3, USUAL)))
                .containsExactly(
                        "n2",
                        "n2",
                        "0/3 nodes are available: 1 node(s) didn't match PersistentVolume's node affinity, 2 Insufficient cpu.");

        cluster.reset();
        assertThat(objects()).isEqualTo(before);
    }

    @Test
    void aClaimForOnePodAtATimeIsTaken() {
        claim("one", "disk", "ReadWriteOncePod");

        assertThat(told(cluster.schedulePods(List.of(pod("p0", "1", "one"), pod("p1", "1", "one")), USUAL)))
                .containsExactly(
                        "n1",
                        "0/3 nodes are available: 3 node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access"
                                + " mode already in-use by another pod.");
    }

    @Test
    void aNodeTakesSoManyVolumesOfADriver() {
        List<Pod> pods = IntStream.range(0, 7)
                .mapToObj(number -> {
                    claim("c" + number, "disk", "ReadWriteOnce");
                    return pod("p" + number, "100m", "c" + number);
                })
                .toList();

        List<String> told = told(cluster.schedulePods(pods, USUAL));

        assertThat(told.subList(0, 6)).containsExactlyInAnyOrder("n1", "n1", "n2", "n2", "n3", "n3");
        assertThat(told.getLast()).isEqualTo("0/3 nodes are available: 3 node(s) exceed max volume count.");
    }

    @Test
    void podsTogetherDoNotGetOneVolumeTwice() {
        localVolume("v1", "n1");
        List.of("c0", "c1").forEach(name -> claim(name, "local", "ReadWriteOnce"));
        List<Pod> both = List.of(pod("p0", "1", "c0"), pod("p1", "1", "c1"));

        assertThat(told(cluster.scheduleWorkload(both, USUAL)))
                .containsOnly(
                        "pod shop/p1: 0/1 nodes are available: 1 node(s) didn't find available persistent volumes to bind.");
        assertThat(cluster.isChanged()).isFalse();

        localVolume("v1b", "n1");
        assertThat(told(cluster.scheduleWorkload(both, USUAL))).containsExactly("n1", "n1");
    }

    /** Whatever is tried with claims: all is as it was, afterwards. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void whateverIsTriedIsTakenBack(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 6; i++) {
            claim("c" + i, random.nextBoolean() ? "disk" : "local", "ReadWriteOnce");
            localVolume("v" + i, "n" + (1 + random.nextInt(3)));
        }
        change(random, 0);
        Set<KubernetesObject> before = objects();

        try (Transaction _ = cluster.begin()) {
            change(random, 3);
            objects();
        }

        assertThat(objects()).isEqualTo(before);
    }

    private void change(Random random, int depth) {
        for (int i = 0; i < 8; i++) {
            Pod pod = pod("p" + random.nextInt(8), "500m", "c" + random.nextInt(6), "c" + random.nextInt(6));
            switch (random.nextInt(5)) {
                case 0 ->
                    cluster.preemptPods(
                            cluster.pods().stream().limit(random.nextInt(3)).toList());
                case 1 -> cluster.place(pod, "n" + (1 + random.nextInt(3)));
                case 2 -> {
                    if (depth > 0) {
                        try (Transaction inner = cluster.begin()) {
                            change(random, depth - 1);
                            if (random.nextBoolean()) {
                                inner.commit();
                            }
                        }
                    }
                }
                default -> {
                    if (cluster.nodeOf(pod.key()).isEmpty()) {
                        cluster.schedulePod(pod, USUAL);
                    }
                }
            }
        }
    }
}
