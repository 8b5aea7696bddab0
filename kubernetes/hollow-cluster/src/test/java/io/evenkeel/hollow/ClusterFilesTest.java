package io.evenkeel.hollow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.controller.ClusterFiles;
import io.evenkeel.hollow.controller.HollowWorld;
import io.evenkeel.hollow.controller.WorldOptions;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.model.json.Trees;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

    @AfterEach
    void close() {
        worlds.forEach(HollowWorld::close);
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    private HollowWorld world(Path... files) throws InterruptedException {
        ClusterFiles read = ClusterFiles.read(List.of(files));
        HollowWorld world = HollowWorld.start(WorldOptions.DEFAULT, read::fill);
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
    void aServersObjectsOfOtherKindsAreLeftOutAndCounted() throws Exception {
        ClusterFiles files = ClusterFiles.read(List.of(file("prod.json", EXPORTED)));
        try (HollowCluster cluster = HollowCluster.start(HollowOptions.DEFAULT.plainHttp())) {
            assertThat(files.fill(cluster.objects())).isEqualTo(Map.of("Ingress", 1));
        }
        assertThat(files.haveNodes()).isTrue();
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

    @Test
    void aFieldOfAnotherTypeIsNamedWithItsObject() throws Exception {
        Path file = file("prod.json", EXPORTED.replace("\"nodeName\":\"worker\"", "\"nodeName\":5"));

        assertThatThrownBy(() -> world(file))
                .hasMessageStartingWith(file + ": items[0]: Pod in version \"v1\" cannot be handled as a Pod:")
                .hasMessageContaining("spec.nodeName");
    }
}
