package io.evenkeel.tools.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.FeatureGates;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.tools.output.Output;
import io.evenkeel.tools.output.Report;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What is said of pods whose volumes, or labels, are not where they need them. */
class WhyVolumesTest {
    private static final int COLUMNS = 200;

    private final List<String> objects = new ArrayList<>(List.of(node("n1", "zone", "a"), node("n2", "zone", "b")));

    @Test
    void aVolumeIsWhereThereIsNoRoom() throws IOException {
        String example =
                Files.readAllLines(Path.of("../docs/examples/why.jsonl")).getLast();
        assertThat(why(example, Output.WIDE.within(COLUMNS))).contains("""
              VolumeBinding: claim default/data-db-0: volume pv-data, within reach where topology.kubernetes.io/zone=zone-b: 1 of 3 nodes
                there: 1 NodeResourcesFit: Insufficient cpu
            """).contains("""
                What would help
                  500m more cpu on node node3 (4500m instead of 4) → goes to node3
                  one more node like node3 → goes to node3-copy
                  500m less cpu asked for (500m instead of 1) → goes to node3
                  pod default/web-0 gone from node node3 → goes to node3
                """);
        assertThat(why(example, Output.JSON.within(80)))
                .contains("\"nodes\":1,\"of\":3,\"there\":{\"NodeResourcesFit: Insufficient cpu\":1}");
    }

    @Test
    void aClaimIsMissing() throws IOException {
        objects.add(storageClass("fast", "csi.example.com", "WaitForFirstConsumer"));
        objects.add(storageClass("now", "csi.example.com", "Immediate"));
        assertThat(why("data")).contains("""
              VolumeRestrictions: claim default/data: there is none
            """).contains("""
                What would help
                  claim default/data, 1Gi of class fast → goes to n1
                """);
    }

    @Test
    void aClaimThatWaitsForTheControllerHasNoRemedy() throws IOException {
        objects.add(storageClass("now", "csi.example.com", "Immediate"));
        objects.add(claim("data", "now", "5Gi", "ReadWriteOnce", ""));
        assertThat(why("data")).contains("""
              VolumeBinding: claim default/data: waits for the volume controller to bind it, as its storage class now binds at once
            """).contains("What would help: nothing that was tried");
    }

    @Test
    void aStorageClassIsMissing() throws IOException {
        objects.add(storageClass("now", "csi.example.com", "Immediate"));
        objects.add(claim("data", "fast", "5Gi", "ReadWriteOnce", ""));
        assertThat(why("data")).contains("""
              VolumeBinding: claim default/data: its storage class fast is not there; there is now
            """).contains("""
                  storage class fast with provisioner csi.example.com and WaitForFirstConsumer → goes to n1
                """);
    }

    @Test
    void noVolumeIsLargeEnough() throws IOException {
        objects.add(storageClass("local", "kubernetes.io/no-provisioner", "WaitForFirstConsumer"));
        objects.add(claim("data", "local", "5Gi", "ReadWriteOnce", ""));
        objects.add("""
            {"kind":"PersistentVolume","metadata":{"name":"small"},"spec":{"capacity":{"storage":"4Gi"},\
            "accessModes":["ReadWriteOnce"],"storageClassName":"local"},"status":{"phase":"Available"}}\
            """);
        assertThat(why("data")).contains("""
              VolumeBinding: claim default/data: 5Gi of class local, no free volume does, none is made: 0 of 2 nodes
            """).contains("""
                What would help
                  volume of 5Gi of class local on node n1 for claim default/data → goes to n1
                """);
    }

    /** Else the volume would be taken by whichever claim is looked at first. */
    @Test
    void aVolumeThatWouldHelpIsReservedForItsClaim() throws IOException {
        objects.add(storageClass("local", "kubernetes.io/no-provisioner", "WaitForFirstConsumer"));
        objects.add(claim("data", "local", "5Gi", "ReadWriteOnce", ""));
        assertThat(why(scenario(volumes("data")), Output.JSON.within(80)))
                .contains("\"claimRef\":{\"namespace\":\"default\",\"name\":\"data\"}");
    }

    @Test
    void aBoundVolumeIsGone() throws IOException {
        objects.add(claim("data", "fast", "5Gi", "ReadWriteOnce", "pv-1"));
        assertThat(why("data")).contains("""
              VolumeZone: claim default/data: bound to volume pv-1, which is not there
            """).contains("""
                  volume pv-1, to which claim default/data is bound → goes to n1
                """);
    }

    @Test
    void aVolumeIsInAZoneWithoutNodes() throws IOException {
        objects.add(claim("data", "fast", "5Gi", "ReadWriteOnce", "pv-1"));
        objects.add("""
            {"kind":"PersistentVolume","metadata":{"name":"pv-1","labels":{"topology.kubernetes.io/zone":"c"}},\
            "spec":{"capacity":{"storage":"5Gi"}}}\
            """);
        objects.set(0, node("n1", "topology.kubernetes.io/zone", "a"));
        objects.set(1, node("n2", "topology.kubernetes.io/zone", "b"));
        assertThat(why("data")).contains("""
              VolumeZone: claim default/data: volume pv-1 with topology.kubernetes.io/zone=c: 0 of 2 nodes
            """).contains("""
                What would help
                  one more node like n1 with topology.kubernetes.io/zone=c → goes to n1-copy
                """);
    }

    /** No change of a node helps against its zone. */
    @Test
    void aNearNodeIsToldAllThatIsInTheWay() throws IOException {
        objects.add(claim("data", "fast", "5Gi", "ReadWriteOnce", "pv-1"));
        objects.set(0, node("n1", "topology.kubernetes.io/zone", "a"));
        objects.remove(1);
        objects.add("""
            {"kind":"PersistentVolume","metadata":{"name":"pv-1","labels":{"topology.kubernetes.io/zone":"c"}},\
            "spec":{"capacity":{"storage":"5Gi"}}}\
            """);
        assertThat(whyOf(volumes("data") + "\"nodeSelector\":{\"disk\":\"ssd\"},"))
                .contains("""
                    The nearest nodes
                      n1: NodeAffinity, VolumeZone: label disk=ssd on node n1, and node(s) had no available volume zone
                    """);
    }

    @Test
    void anotherPodHasTheClaimForOne() throws IOException {
        objects.add(claim("data", "fast", "5Gi", "ReadWriteOncePod", "pv-1"));
        objects.add("{\"kind\":\"PersistentVolume\",\"metadata\":{\"name\":\"pv-1\"}}");
        objects.add(pod("other", "\"nodeName\":\"n2\"," + volumes("data")));
        assertThat(why("data")).contains("""
              VolumeRestrictions: claim default/data: for one pod alone (ReadWriteOncePod), and pod default/other on node n2 has it
            """).contains("""
                What would help
                  pod default/other gone from node n2 → goes to\
                """);
    }

    /** A new node takes as many volumes as the one that it is like: it would not do for more than that. */
    @Test
    void aNodeHasAsManyVolumesAsItCan() throws IOException {
        objects.removeLast();
        objects.add("""
            {"kind":"CSINode","metadata":{"name":"n1"},"spec":{"drivers":\
            [{"name":"csi.example.com","allocatable":{"count":1}}]}}\
            """);
        objects.add(storageClass("fast", "csi.example.com", "WaitForFirstConsumer"));
        for (String name : List.of("data", "more", "old")) {
            objects.add(claim(name, "fast", "5Gi", "ReadWriteOnce", ""));
        }
        objects.add(pod("other", "\"nodeName\":\"n1\"," + volumes("old")));
        assertThat(why("data")).contains("""
              NodeVolumeLimits: driver csi.example.com: 1 volume asked for
                n1: 1 + 1 = 2, more than 1
            """).contains("""
                What would help
                  one more node like n1 → goes to n1-copy
                  pod default/other gone from node n1 → goes to n1
                """);
        assertThat(why("data", "more"))
                .contains("driver csi.example.com: 2 volumes asked for\n    n1: 1 + 2 = 3, more than 1")
                .contains("What would help: nothing that was tried")
                .contains("one more node like n1: NodeVolumeLimits: node(s) exceed max volume count");
    }

    /** From 1.37 on. */
    @Test
    void aDriverIsMissing() throws IOException {
        objects.add(
                "{\"kind\":\"CSINode\",\"metadata\":{\"name\":\"n1\"},\"spec\":{\"drivers\":[{\"name\":\"other\"}]}}");
        objects.add("{\"kind\":\"CSIDriver\",\"metadata\":{\"name\":\"csi.example.com\"},"
                + "\"spec\":{\"preventPodSchedulingIfMissing\":true}}");
        objects.add(storageClass("fast", "csi.example.com", "WaitForFirstConsumer"));
        objects.add(claim("data", "fast", "5Gi", "ReadWriteOnce", ""));
        String there = at137(scenario(volumes("data")));

        assertThat(why(there, Output.WIDE.within(COLUMNS))).contains("""
              NodeVolumeLimits: driver csi.example.com must be installed: 0 of 2 nodes
            """).contains("""
                What would help
                  CSI driver csi.example.com on node n1 → goes to n1
                """);
        assertThat(why(there, Output.JSON.within(80)))
                .contains("\"kind\":\"driver\"")
                .contains("{\"object\":\"CSINode/n1\",\"patch\":[{\"op\":\"add\",\"path\":\"/spec/drivers/-\","
                        + "\"value\":{\"name\":\"csi.example.com\",\"nodeID\":\"n1\"}}]}");
        objects.removeIf(object -> object.contains("CSINode"));
        assertThat(why(at137(scenario(volumes("data"))), Output.JSON.within(80)))
                .contains("{\"add\":{\"apiVersion\":\"storage.k8s.io/v1\",\"kind\":\"CSINode\"");
    }

    private static String at137(String scenario) {
        return scenario.replace("{\"name\":\"s\",", "{\"name\":\"s\",\"version\":\"1.37\",");
    }

    /** One that has another label of the key keeps it, and a host name is its own. */
    @Test
    void aNodeLacksALabel() throws IOException {
        objects.set(0, node("n1", "disk", "hdd"));
        assertThat(whyOf("\"nodeSelector\":{\"disk\":\"ssd\"},")).contains("""
            What would help
              one more node like n1 with disk=ssd → goes to n1-copy
              label disk=ssd on node n2 → goes to n2
              nodeSelector without disk=ssd → goes to n1
            """);
        assertThat(whyOf("\"nodeSelector\":{\"kubernetes.io/hostname\":\"n3\"},"))
                .doesNotContain("label ");
    }

    private static String node(String name, String key, String value) {
        return "{\"kind\":\"Node\",\"metadata\":{\"name\":\"" + name + "\",\"labels\":{\"kubernetes.io/hostname\":\""
                + name + "\",\"" + key + "\":\"" + value
                + "\"}},\"status\":{\"allocatable\":{\"cpu\":\"4\",\"pods\":\"9\"}}}";
    }

    private static String storageClass(String name, String provisioner, String mode) {
        return "{\"kind\":\"StorageClass\",\"metadata\":{\"name\":\"" + name + "\"},\"provisioner\":\"" + provisioner
                + "\",\"volumeBindingMode\":\"" + mode + "\"}";
    }

    /** @param volume empty where it is not bound */
    private static String claim(String name, String storageClass, String size, String mode, String volume) {
        String bound = volume.isEmpty() ? "" : ",\"annotations\":{\"pv.kubernetes.io/bind-completed\":\"yes\"}";
        return "{\"kind\":\"PersistentVolumeClaim\",\"metadata\":{\"name\":\"" + name + "\",\"namespace\":\"default\""
                + bound + "},\"spec\":{\"accessModes\":[\"" + mode + "\"],\"resources\":{\"requests\":{\"storage\":\""
                + size + "\"}},\"storageClassName\":\"" + storageClass + "\",\"volumeName\":\"" + volume + "\"}}";
    }

    private static String volumes(String... claims) {
        List<String> volumes = new ArrayList<>();
        for (String claim : claims) {
            volumes.add("{\"name\":\"" + claim + "\",\"persistentVolumeClaim\":{\"claimName\":\"" + claim + "\"}}");
        }
        return "\"volumes\":[" + String.join(",", volumes) + "],";
    }

    private static String pod(String name, String spec) {
        return "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"" + name + "\",\"namespace\":\"default\"},\"spec\":{" + spec
                + "\"containers\":[{\"name\":\"c\"}]}}";
    }

    private String why(String... claims) throws IOException {
        return whyOf(volumes(claims));
    }

    private String whyOf(String spec) throws IOException {
        return why(scenario(spec), Output.WIDE.within(COLUMNS));
    }

    private String scenario(String spec) {
        return "{\"name\":\"s\",\"objects\":[" + String.join(",", objects) + "],\"pods\":[" + pod("asked", spec) + "]}";
    }

    private static String why(String scenario, Function<Report, String> format) throws IOException {
        StringWriter out = new StringWriter();
        boolean all = Replay.asking(InTreePlugins.registry(), FeatureGates.DEFAULTS, format)
                .run(
                        ScenarioSource.standardInput(
                                new ByteArrayInputStream(scenario.getBytes(StandardCharsets.UTF_8))),
                        new PrintWriter(out),
                        problem -> {
                            throw new AssertionError(problem);
                        });
        assertThat(all).isTrue();
        return out.toString();
    }
}
