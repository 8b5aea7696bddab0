package io.evenkeel.hollow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.controller.ClusterFiles;
import io.evenkeel.hollow.controller.HollowWorld;
import io.evenkeel.hollow.controller.WorldOptions;
import io.evenkeel.hollow.controller.WorldOptions.Capacity;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.model.json.Trees;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A cluster that begins with what another one had. */
class ClusterFilesTest {
    /** As kubectl prints it, in the order of the kinds that were asked for. */
    private static final String EXPORTED = """
            {"apiVersion":"v1","kind":"List","items":[
             {"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-1-abcde","namespace":"shop","uid":"u-pod",
               "resourceVersion":"907","creationTimestamp":"2026-01-02T03:04:05Z","labels":{"app":"web","pod-template-hash":"1"},
               "ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-1","uid":"u-set","controller":true}]},
              "spec":{"nodeName":"worker","priority":7,"containers":[{"name":"c","image":"pause:1"}]},
              "status":{"phase":"Running","startTime":"2026-01-02T03:04:06Z","podIP":"10.9.8.7",
               "conditions":[{"type":"Ready","status":"True","lastTransitionTime":"2026-01-02T03:04:07Z"}],
               "containerStatuses":[{"name":"c","ready":true,"restartCount":3,"image":"pause:1","imageID":""}]}},
             {"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"web-1","namespace":"shop","uid":"u-set",
               "resourceVersion":"905","generation":4},
              "spec":{"replicas":1,"selector":{"matchLabels":{"app":"web"}},
               "template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"c","image":"pause:1"}]}}}},
             {"apiVersion":"v1","kind":"Node","metadata":{"name":"worker","uid":"u-node","resourceVersion":"910"},
              "status":{"capacity":{"cpu":"4"},"conditions":[{"type":"Ready","status":"True"}]}},
             {"apiVersion":"networking.k8s.io/v1","kind":"Ingress","metadata":{"name":"i","namespace":"shop","uid":"u-i"}}],
             "metadata":{"resourceVersion":""}}
            """;

    @TempDir
    private Path directory;

    private final List<HollowWorld> worlds = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();

    @AfterEach
    void close() {
        worlds.forEach(HollowWorld::close);
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    private HollowWorld world(Path... files) throws InterruptedException {
        return world(WorldOptions.DEFAULT, files);
    }

    private HollowWorld world(WorldOptions options, Path... files) throws InterruptedException {
        HollowWorld world = HollowWorld.start(options, ClusterFiles.read(List.of(files)), remarks::add);
        worlds.add(world);
        world.settle();
        return world;
    }

    private static JsonObject pod(HollowWorld world) {
        return Trees.parse(
                world.objects().get(ResourceTable.PODS, "shop", "web-1-abcde").orElseThrow());
    }

    @Test
    void whatAServerHadStaysAsItWas() throws Exception {
        HollowWorld world = world(file("prod.json", EXPORTED));

        JsonObject pod = pod(world);
        assertThat(Trees.text(pod, "metadata", "resourceVersion")).isEqualTo("907");
        assertThat(Trees.text(pod, "metadata", "uid")).isEqualTo("u-pod");
        assertThat(Trees.text(pod, "metadata", "creationTimestamp")).isEqualTo("2026-01-02T03:04:05Z");
        assertThat(Trees.text(pod, "spec", "nodeName")).isEqualTo("worker");
        assertThat(Trees.text(pod, "spec", "priority")).isEqualTo("7");
        assertThat(Trees.text(pod, "status", "podIP")).isEqualTo("10.9.8.7");
        assertThat(world.objects().list(ResourceTable.PODS, "")).hasSize(1);
        assertThat(world.cluster().version()).isGreaterThanOrEqualTo(910);
        assertThat(world.objects().get(ResourceTable.NAMESPACES, "", "shop")).isPresent();
    }

    /** A dump has neither annotations nor finalizers that scheduling does not read. */
    @Test
    void aPodOfADumpKeepsItsDevicesUntilItGoes() throws Exception {
        HollowWorld world = world(file("claims.json", """
                {"dump":{}}
                {"apiVersion":"v1","kind":"Node","metadata":{"name":"worker"},"status":{"capacity":{"cpu":"4"}}}
                {"apiVersion":"v1","kind":"Namespace","metadata":{"name":"shop"}}
                {"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"gpu-1","namespace":"shop",
                  "uid":"u-claim","ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"p","uid":"u-p","controller":true}]},
                 "spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"c"}}]}},
                 "status":{"allocation":{"devices":{"results":[{"request":"r","driver":"d.x","pool":"p","device":"d"}]}},
                  "reservedFor":[{"resource":"pods","name":"p","uid":"u-p"},{"resource":"pods","name":"gone","uid":"u-q"}]}}
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"shop","uid":"u-p"},
                 "spec":{"nodeName":"worker","containers":[{"name":"c","image":"i"}],
                  "resourceClaims":[{"name":"gpu","resourceClaimTemplateName":"one"}]},
                 "status":{"phase":"Running","resourceClaimStatuses":[{"name":"gpu","resourceClaimName":"gpu-1"}]}}
                {"objects":4}
                """));

        assertThat(world.objects().list(ResourceTable.RESOURCE_CLAIMS, "shop"))
                .singleElement()
                .satisfies(claim ->
                        assertThat(claim).contains("gpu-1", "u-p", "allocation").doesNotContain("u-q"));
        world.objects().delete(ResourceTable.PODS, "shop", "p");
        world.settle();

        assertThat(world.objects().list(ResourceTable.RESOURCE_CLAIMS, "shop")).isEmpty();
    }

    @Test
    void whatRunsGoesOnToLive() throws Exception {
        HollowWorld world = world(file("prod.json", EXPORTED));

        world.nodes().remove("worker");
        world.settle();

        assertThat(world.objects().list(ResourceTable.PODS, "shop"))
                .singleElement()
                .satisfies(pod -> assertThat(pod).doesNotContain("web-1-abcde").contains("\"Pending\""));
    }

    @Test
    void ofKindsWithoutEffectAreTold() throws Exception {
        world(file("prod.json", EXPORTED), file("nightly.yaml", """
                apiVersion: batch/v1
                kind: CronJob
                metadata: {name: nightly}
                spec: {schedule: "@daily", jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}}}
                """));

        assertThat(remarks)
                .containsExactly(
                        "1 object of kind CronJob kept, and no Jobs are made of it",
                        "1 object of kind Ingress left out: a hollow cluster has no such kind");
    }

    @Test
    void filesMayOverlap() throws Exception {
        Path later = file(
                "later.json",
                EXPORTED.replace("\"907\"", "\"912\"")
                        .replace("\"priority\":7", "\"priority\":8")
                        .replace(",\"labels\":{\"app\":\"web\"", ",\"labels\":{\"app\":\"web\",\"late\":\"yes\""));
        Path earlier = file("prod.json", EXPORTED);

        HollowWorld world = world(later, earlier);

        assertThat(Trees.text(pod(world), "metadata", "labels", "late")).isEqualTo("yes");
        assertThat(Trees.text(pod(world), "metadata", "resourceVersion")).isEqualTo("912");
        assertThat(remarks)
                .contains("3 objects are in the files again, the latest resourceVersion counts: ReplicaSet shop/web-1 ("
                        + later + ": items[1]; " + earlier + ": items[1]) and others");
    }

    @Test
    void podsWhoseNodesAreInNoFileAreLostAndThatIsTold() throws Exception {
        HollowWorld world = world(
                WorldOptions.DEFAULT.withNodes(1, 1, Capacity.DEFAULT),
                file("prod.json", EXPORTED.replace("\"name\":\"worker\"", "\"name\":\"node-0\"")));

        assertThat(world.objects().get(ResourceTable.PODS, "shop", "web-1-abcde"))
                .isEmpty();
        assertThat(remarks).contains("1 pod is lost, as its node is in no file: shop/web-1-abcde on worker");
        assertThat(world.objects().get(ResourceTable.NODES, "", "node-0").orElseThrow())
                .contains("u-node");
        assertThat(world.objects().get(ResourceTable.NODES, "", "node-1")).isPresent();
    }

    private static String ofJob(String ending) {
        return """
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"sum-abcde","namespace":"shop","uid":"u-pod",
                "ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"sum","uid":"u-job","controller":true}]},
                "spec":{"nodeName":"worker","containers":[{"name":"c","image":"pause:1"}]%s}}
                """.formatted(ending).replace("\n", "");
    }

    private static String dump(String... objects) {
        return "{\"dump\":\"evenkeel\",\"version\":1}\n" + String.join("\n", objects) + "\n{\"objects\":"
                + objects.length + "}\n";
    }

    @Test
    void podsOfJobsThatRunEnd() throws Exception {
        String status = ",\"restartPolicy\":\"Never\"},\"status\":{\"phase\":\"Running\","
                + "\"containerStatuses\":[{\"name\":\"c\",\"ready\":true,\"restartCount\":0,\"image\":\"i\",\"imageID\":\"\"}]";
        String node = "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"worker\"}}";

        for (Path file :
                List.of(file("prod.json", node + ofJob(status)), file("cluster.jsonl", dump(node, ofJob(""))))) {
            assertThat(world(file).objects().get(ResourceTable.PODS, "shop", "sum-abcde"))
                    .as(file.toString())
                    .hasValueSatisfying(pod -> assertThat(pod).contains("\"phase\":\"Succeeded\""));
        }
        assertThat(remarks).isEmpty();
    }

    @Test
    void aListMayHoldListsAndBeEmpty() throws Exception {
        Path nested = file("nested.json", "{\"kind\":\"List\",\"items\":[" + EXPORTED + "]}");
        Path empty = file("empty.json", "{\"kind\":\"List\",\"items\":[]}");
        Path text = file("empty.yaml", "kind: List\nitems: []");

        Path raw = file("raw.json", """
                {"kind":"PodList","apiVersion":"v1","items":[{"metadata":{"name":"raw","namespace":"shop","uid":"u-raw"},
                "spec":{"containers":[{"name":"c","image":"pause:1"}]}}]}""");

        HollowWorld world = world(nested, empty, text, raw);

        assertThat(pod(world)).isNotNull();
        assertThat(world.objects().get(ResourceTable.PODS, "shop", "raw").orElseThrow())
                .contains("\"phase\":\"Pending\"");
        assertThat(remarks).contains(empty + ": the list is empty", text + ": the list is empty");
    }

    @Test
    void aNamespaceThatCannotBeIsOneLineWithAnObjectOfIt() throws Exception {
        Path file = file("prod.json", EXPORTED.replace("\"namespace\":\"shop\"", "\"namespace\":\"no_name\""));

        assertThatThrownBy(() -> world(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        file
                                + ": items[1]: ReplicaSet no_name/web-1: Namespace \"no_name\" is invalid: metadata.name: Invalid value: \"no_name\"");
    }

    @Test
    void yamlAndGzipAreTheSame() throws Exception {
        Path packed = directory.resolve("prod.yaml.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
            out.write("""
                    apiVersion: v1
                    kind: List
                    items:
                    - apiVersion: v1
                      kind: Pod
                      metadata: {name: web-1-abcde, namespace: shop, uid: u-pod, creationTimestamp: 2026-01-02T03:04:05Z}
                      spec: {containers: [{name: c, image: 'pause:1'}]}
                      status: {phase: Succeeded}
                    ---
                    apiVersion: v1
                    kind: ConfigMap
                    metadata: {name: mine}
                    """.getBytes(UTF_8));
        }

        HollowWorld world = world(packed);

        assertThat(Trees.text(pod(world), "status", "phase")).isEqualTo("Succeeded");
        assertThat(Trees.text(pod(world), "metadata", "creationTimestamp")).isEqualTo("2026-01-02T03:04:05Z");
    }

    /** It has neither templates nor what containers do. */
    @Test
    void ofADumpPodsAreReportedOnAndMadeAgain() throws Exception {
        HollowWorld world = world(file("cluster.jsonl", """
                {"dump":"evenkeel","version":1}
                {"apiVersion":"v1","kind":"Node","metadata":{"name":"n1"},"status":{"allocatable":{"cpu":"4"}}}
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"db-0","namespace":"shop","uid":"u-0",\
                "labels":{"app":"db","controller-revision-hash":"db-77"},"ownerReferences":[{"apiVersion":"apps/v1",\
                "kind":"StatefulSet","name":"db","uid":"u-db","controller":true}]},"spec":{"nodeName":"n1",\
                "containers":[{"resources":{"requests":{"cpu":"2"}}}],"volumes":[{"name":"data",\
                "persistentVolumeClaim":{"claimName":"data-db-0"}}]},"status":{"phase":"Running"}}
                {"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"data-db-0","namespace":"shop"},\
                "spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}},"volumeName":"v"}}
                {"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"db","namespace":"shop","uid":"u-db"},\
                "spec":{"replicas":1,"selector":{"matchLabels":{"app":"db"}}}}
                {"objects":4}
                """));
        JsonObject pod = Trees.parse(
                world.objects().get(ResourceTable.PODS, "shop", "db-0").orElseThrow());
        assertThat(Trees.text(pod, "metadata", "uid")).isEqualTo("u-0");
        assertThat(Trees.objects(pod, "status", "containerStatuses")).hasSize(1);

        world.objects().delete(ResourceTable.PODS, "shop", "db-0");
        world.settle();

        JsonObject again = Trees.parse(
                world.objects().get(ResourceTable.PODS, "shop", "db-0").orElseThrow());
        assertThat(Trees.text(again, "metadata", "uid")).isNotEqualTo("u-0");
        assertThat(again.toString()).contains("\"cpu\":\"2\"", "\"claimName\":\"data-db-0\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "a.json |{\"items\":[{\"kind\":1|: no valid JSON at line 1",
                "a.json |{\"kind\":\"List\",\"items\":[3]}|: items[0]: expected an object, got 3",
                "a.yaml |- 1|: a document is no object",
                "a.yaml |`a: [`|: no valid YAML: while parsing a flow node",
                "a.jsonl|`{\"dump\":\"evenkeel\",\"version\":1}`|: the dump has no end: it was cut off after 0 objects",
                "a.yaml |` `|: there is no object in it",
            })
    void aFileThatMakesNoSenseIsOneLine(String name, String text, String message) throws Exception {
        Path file = file(name, text);

        assertThatThrownBy(() -> ClusterFiles.read(List.of(file)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(file + message);
    }

    /** As a namespace, and a class that gives pods their priority. */
    @Test
    void whatManifestsNeedMayComeAfterThem() throws Exception {
        Path pod = file("a.yaml", """
                apiVersion: v1
                kind: Pod
                metadata: {name: web, namespace: shop}
                spec: {priorityClassName: high, containers: [{name: c, image: i}]}
                """);

        assertThatThrownBy(() -> world(pod)).hasMessage(pod + ": Pod shop/web: namespaces \"shop\" not found");
        assertThat(Trees.text(
                        Trees.parse(world(pod, file("b.yaml", """
                                {apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}, value: 7}
                                ---
                                {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
                                """))
                                .objects()
                                .get(ResourceTable.PODS, "shop", "web")
                                .orElseThrow()),
                        "spec",
                        "priority"))
                .isEqualTo("7");
    }

    @Test
    void aFieldOfAnotherTypeIsNamedWithItsObject() throws Exception {
        Path file = file("prod.json", EXPORTED.replace("\"nodeName\":\"worker\"", "\"nodeName\":5"));

        assertThatThrownBy(() -> world(file))
                .hasMessageStartingWith(
                        file + ": items[0]: Pod shop/web-1-abcde: Pod in version \"v1\" cannot be handled as a Pod:")
                .hasMessageContaining("spec.nodeName");
    }
}
