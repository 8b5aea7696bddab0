package io.evenkeel.tools.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.app.cli.Typed;
import io.evenkeel.model.json.Trees;
import io.evenkeel.tools.why.AnswerSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Claims to devices: made for the pods that come, freed by those that go, and told with the nodes. */
class SimulateDevicesTest {
    private static final String TEMPLATE = """
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaimTemplate
            metadata: {name: gpus}
            spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu, count: 2}}]}}}
            ---
            """;

    @TempDir
    private Path folder;

    private final List<String> objects = new ArrayList<>();

    /** Two nodes with four devices each, and a class that selects them. */
    @BeforeEach
    void begin() {
        addNode("n1");
        addNode("n2");
        add("DeviceClass", "gpu", "'spec':{'extendedResourceName':'example.com/gpu'}");
    }

    private void add(String kind, String name, String fields) {
        objects.add("{'kind':'%s','apiVersion':'resource.k8s.io/v1','metadata':{'name':'%s'},%s}"
                .formatted(kind, name, fields)
                .replace('\'', '"'));
    }

    private void addNode(String name) {
        objects.add("""
                {"kind":"Node","apiVersion":"v1","metadata":{"name":"%1$s","labels":{"kubernetes.io/hostname":"%1$s"}},
                "status":{"allocatable":{"cpu":"8","pods":"10"}}}""".formatted(name));
        add("ResourceSlice", name + "-gpu", """
                'spec':{'driver':'gpu.example.com','nodeName':'%1$s',
                'pool':{'name':'%1$s','generation':1,'resourceSliceCount':1},
                'devices':[{'name':'gpu-0'},{'name':'gpu-1'},{'name':'gpu-2'},{'name':'gpu-3'}]}""".formatted(name));
    }

    /** A pod of the ReplicaSet old, with a claim of its own that was made from the template gpus. */
    private void addPodWithDevices(String name, String node, String first, String second) {
        objects.add("""
                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"%1$s","namespace":"default","uid":"%1$s","ownerReferences":[
                {"apiVersion":"apps/v1","kind":"ReplicaSet","name":"old","uid":"old","controller":true}]},
                "spec":{"nodeName":"%2$s","containers":[{"name":"c"}],
                "resourceClaims":[{"name":"gpu","resourceClaimTemplateName":"gpus"}]},
                "status":{"phase":"Running","resourceClaimStatuses":[{"name":"gpu","resourceClaimName":"%1$s-gpu"}]}}
                {"kind":"ResourceClaim","apiVersion":"resource.k8s.io/v1","metadata":{"name":"%1$s-gpu","namespace":"default",
                "uid":"%1$s-gpu","ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"%1$s","uid":"%1$s","controller":true}]},
                "spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"gpu","count":2}}]}},
                "status":{"reservedFor":[{"resource":"pods","name":"%1$s","uid":"%1$s"}],"allocation":{"devices":{"results":[
                {"request":"r","driver":"gpu.example.com","pool":"%2$s","device":"%3$s"},
                {"request":"r","driver":"gpu.example.com","pool":"%2$s","device":"%4$s"}]}}}}
                """.formatted(name, node, first, second));
    }

    private static String workload(int replicas, String spec) {
        return """
                apiVersion: apps/v1
                kind: ReplicaSet
                metadata: {name: train}
                spec:
                  replicas: %d
                  selector: {matchLabels: {app: train}}
                  template:
                    metadata: {labels: {app: train}}
                    spec: {%s}
                """.formatted(replicas, spec);
    }

    private static String ofTemplate(int replicas) {
        return TEMPLATE
                + workload(
                        replicas,
                        "resourceClaims: [{name: gpu, resourceClaimTemplateName: gpus}], containers: [{name: c}]");
    }

    private Typed simulate(String manifests, String... arguments) throws IOException {
        Path cluster = Files.writeString(folder.resolve("cluster.json"), String.join("\n", objects));
        List<String> all = new ArrayList<>(List.of("simulate", "--dump", cluster.toString()));
        if (!manifests.isEmpty()) {
            all.addAll(List.of(
                    "-f", Files.writeString(folder.resolve("m.yaml"), manifests).toString()));
        }
        all.addAll(List.of(arguments));
        Typed typed = Typed.evenkeel(all.toArray(String[]::new));
        assertThat(typed.err()).isEmpty();
        return typed;
    }

    private String said(String manifests, String... arguments) throws IOException {
        return simulate(manifests, arguments).out().replaceAll("\\s+", " ");
    }

    /** Each device that placed pods have, as {@code pool/device}. */
    private List<String> devices(String manifests, String... arguments) throws IOException {
        String json = simulate(
                        manifests,
                        Stream.concat(Stream.of(arguments), Stream.of("-o", "json"))
                                .toArray(String[]::new))
                .out();
        assertThat(AnswerSchema.problems("Simulation", json)).isEmpty();
        JsonObject answer = JsonParser.parseString(json).getAsJsonObject();
        return Trees.objects(answer, "pods").stream()
                .flatMap(pod -> Trees.objects(pod, "devices").stream())
                .map(device -> Trees.text(device, "pool") + "/" + Trees.text(device, "device"))
                .sorted()
                .toList();
    }

    @Test
    void podsOfATemplateHaveDevicesEachAtMostOnce() throws IOException {
        assertThat(said(ofTemplate(5)))
                .contains("1 of 5 pods finds no node")
                .contains("1 of ReplicaSet default/train: 0/2 nodes are available: 2 cannot allocate all claims.")
                .contains("Placed ReplicaSet default/train: n1 ×2 (gpu-0, gpu-1, gpu-2, gpu-3), n2 ×2 (gpu-0, gpu-1,")
                .doesNotContain("devices that pods claim");
        assertThat(devices(ofTemplate(5)))
                .containsExactly(
                        "n1/gpu-0", "n1/gpu-1", "n1/gpu-2", "n1/gpu-3", "n2/gpu-0", "n2/gpu-1", "n2/gpu-2", "n2/gpu-3");
    }

    @Test
    void anAddedNodeBringsDevices() throws IOException {
        assertThat(said(ofTemplate(5), "--add-nodes", "2", "--like", "n2"))
                .startsWith("All 5 pods find nodes 2 nodes more like n2, with 4 devices each ");
        assertThat(devices(ofTemplate(8), "--add-nodes", "2", "--like", "n2"))
                .hasSize(16)
                .doesNotHaveDuplicates()
                .contains("n2-new-1/gpu-0", "n2-new-2/gpu-3");
    }

    @Test
    void aPodThatGoesFreesItsDevicesAndTheOneThatComesHasOthers() throws IOException {
        addPodWithDevices("old-a", "n1", "gpu-0", "gpu-1");
        addPodWithDevices("old-b", "n2", "gpu-2", "gpu-3");
        assertThat(devices(ofTemplate(3))).containsExactly("n1/gpu-2", "n1/gpu-3", "n2/gpu-0", "n2/gpu-1");
        assertThat(said(TEMPLATE, "--drain", "n1")).contains("Moved ReplicaSet default/old: n1 → n2 (gpu-0, gpu-1)");
        assertThat(devices(ofTemplate(3), "--scale", "rs/old=1")).hasSize(6).doesNotHaveDuplicates();
        assertThat(devices(TEMPLATE, "--anew")).containsExactly("n1/gpu-0", "n1/gpu-1", "n2/gpu-0", "n2/gpu-1");
    }

    @Test
    void aLostNodesDevicesAreGone() throws IOException {
        addPodWithDevices("old-a", "n1", "gpu-0", "gpu-1");
        assertThat(simulate("", "-o", "dump").out()).contains("\"n1-gpu\"", "\"old-a-gpu\"");
        assertThat(simulate(TEMPLATE, "--lose", "node=n1", "-o", "dump").out())
                .doesNotContain("\"n1-gpu\"", "\"old-a-gpu\"")
                .contains("\"n2-gpu\"", "\"kind\":\"ResourceClaim\"");
        assertThat(said(ofTemplate(2), "--lose", "node=n1"))
                .contains(
                        "Pending 1 of ReplicaSet default/train: 0/1 nodes are available: 1 cannot allocate all claims."
                                + " Placed ReplicaSet default/train: n2 (gpu-2, gpu-3) Moved ReplicaSet default/old: n1 → n2"
                                + " (gpu-0, gpu-1)");
    }

    @Test
    void aClaimOfTheNameIsSharedByItsPods() throws IOException {
        String claim = """
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: one}
                spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}
                ---
                """;
        String pods = workload(3, "resourceClaims: [{name: gpu, resourceClaimName: one}], containers: [{name: c}]");
        assertThat(said(claim + pods)).contains("Placed ReplicaSet default/train: n1 ×3 (gpu-0, gpu-0, gpu-0)");
    }

    @Test
    void extendedResourcesStandForDevices() throws IOException {
        String pods = workload(3, "containers: [{name: c, resources: {limits: {example.com/gpu: 3}}}]");
        assertThat(said(pods))
                .contains("1 of 3 pods finds no node")
                .contains("Placed ReplicaSet default/train: n1 (gpu-0, gpu-1, gpu-2), n2 (gpu-0, gpu-1, gpu-2)");
    }

    @Test
    void withoutItsTemplateAPodWaits() throws IOException {
        String pods = ofTemplate(1).substring(TEMPLATE.length());
        assertThat(said(pods))
                .contains("1 of ReplicaSet default/train: DynamicResources: pod")
                .contains("ResourceClaim not created yet")
                .contains("(there is no ResourceClaimTemplate default/gpus: pods wait for it)");
    }

    @Test
    void whereTemplatesAreNotKnownClaimsAreLikeThoseThatThereAre() throws IOException {
        addPodWithDevices("old-a", "n1", "gpu-0", "gpu-1");
        assertThat(said("", "--scale", "rs/old=3"))
                .contains("All 2 pods find nodes")
                .contains("(ResourceClaimTemplate default/gpus is not known: its claims are like default/old-a-gpu)");
    }

    @Test
    void theClusterThatIsPrintedHasTheClaims() throws IOException {
        String after = simulate(ofTemplate(3), "-o", "dump").out();
        objects.clear();
        objects.add(after);
        assertThat(said("", "--scale", "rs/train=5")).contains("1 of 2 pods finds no node");
    }

    @Test
    void withoutThePluginDevicesAreNotLookedAt() throws IOException {
        Path config = Files.writeString(folder.resolve("config.yaml"), """
                apiVersion: kubescheduler.config.k8s.io/v1
                kind: KubeSchedulerConfiguration
                profiles: [{plugins: {multiPoint: {disabled: [{name: DynamicResources}]}}}]
                """);
        assertThat(said(ofTemplate(9), "--config", config.toString()))
                .startsWith("All 9 pods find nodes")
                .contains(
                        "(devices that pods claim are not looked at: DynamicResources is not enabled in their profile)");
    }
}
