package io.evenkeel.chart.install;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.marcnuri.helm.Helm;
import io.evenkeel.chart.helm.Chart;
import io.evenkeel.chart.helm.Manifest;
import io.evenkeel.chart.helm.Manifests;
import io.evenkeel.chart.helm.Release;
import io.evenkeel.chart.helm.Target;
import io.evenkeel.chart.helm.Yaml;
import io.evenkeel.hollow.HollowOptions;
import io.evenkeel.hollow.controller.HollowWorld;
import io.evenkeel.hollow.controller.WorldOptions;
import io.evenkeel.hollow.controller.WorldOptions.Capacity;
import io.evenkeel.hollow.registry.PolicySchema;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.model.json.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What was installed of releases before, in proof/upgrade, becomes what this one installs. */
@ParameterizedClass
@MethodSource("releases")
class UpgradeTest {
    private static final Path RELEASES = Path.of("..", "upgrade");
    private static final List<String> VALUES = List.of("values-scheduling.yaml", "values-observing.yaml");
    /** Values that are one, whatever is in them. */
    private static final Set<String> WHOLE = Set.of(
            "livenessProbe",
            "metrics.dashboard.labels",
            "nodeSelector",
            "podSecurityContext",
            "readinessProbe",
            "resources",
            "securityContext",
            "shards",
            "startupProbe",
            "strategy");

    private final Path release;

    UpgradeTest(Path release) {
        this.release = release;
    }

    static Stream<Path> releases() throws IOException {
        return Files.list(RELEASES).filter(Files::isDirectory);
    }

    /** The test of the test: of no value is only the default tried. */
    @Test
    void everyValueIsSet() throws IOException {
        assertThat(unset(chart(), release)).isEmpty();
    }

    /** Of what {@code proof/upgrade/make} begins with, too. */
    @Test
    void everyValueOfThisReleaseIsSet() throws IOException {
        assertThat(unset(Chart.FOLDER, RELEASES)).isEmpty();
        for (String file : VALUES) {
            Chart.render(Files.readString(RELEASES.resolve(file)));
        }
    }

    private static Set<String> unset(Path chart, Path folder) throws IOException {
        JsonObject defaults = Yaml.document(new Helm(chart).show().values().call());
        Set<String> left = new TreeSet<>();
        leaves("", defaults, left);
        for (String file : VALUES) {
            unset("", defaults, Yaml.document(Files.readString(folder.resolve(file))), left);
        }
        return left;
    }

    private static void leaves(String prefix, JsonObject defaults, Set<String> leaves) {
        defaults.asMap().forEach((key, value) -> {
            if (isGroup(prefix + key, value)) {
                leaves(prefix + key + ".", value.getAsJsonObject(), leaves);
            } else {
                leaves.add(prefix + key);
            }
        });
    }

    private static void unset(String prefix, JsonObject defaults, JsonObject given, Set<String> left) {
        given.asMap().forEach((key, value) -> {
            if (isGroup(prefix + key, defaults.get(key))) {
                unset(prefix + key + ".", defaults.getAsJsonObject(key), value.getAsJsonObject(), left);
            } else if (!value.equals(defaults.get(key))) {
                left.remove(prefix + key);
            }
        });
    }

    private static boolean isGroup(String key, JsonElement value) {
        return value instanceof JsonObject object && !object.isEmpty() && !WHOLE.contains(key);
    }

    /** An object that another takes the place of would stay where Helm is not used, and a selector cannot change. */
    @ParameterizedTest
    @ValueSource(strings = {"", "values-scheduling.yaml", "values-observing.yaml"})
    void theSameValuesMakeTheSameObjects(String file) throws IOException {
        String values = file.isEmpty() ? "" : text(file);
        Manifests before = Chart.render(chart(), Target.USUAL, values);
        Manifests now = Chart.render(values);

        assertThat(now.all().stream().map(Manifest::toString))
                .containsAll(before.all().stream().map(Manifest::toString).toList());
        assertThat(now.deployment().object("spec", "selector"))
                .isEqualTo(before.deployment().object("spec", "selector"));
    }

    @Test
    void withoutHelmTheSameObjectsStayToo() throws IOException {
        String now = Files.readString(Chart.FOLDER.resolve("../kustomize/install.yaml"));
        assertThat(names(now)).containsAll(names(text("install.yaml")));
    }

    private static List<String> names(String manifests) {
        return Yaml.documents(manifests).stream()
                .map(tree -> new Manifest(tree).toString())
                .toList();
    }

    @Test
    void aReleaseOnAClusterIsUpgraded(@TempDir Path folder) throws IOException, InterruptedException {
        try (HollowWorld world = HollowWorld.start(WorldOptions.DEFAULT
                .withServer(HollowOptions.DEFAULT)
                .withNodes(3, 3, Capacity.DEFAULT)
                .withDefaultScheduler(true))) {
            Release there = new Release(world.cluster().writeKubeconfig(folder.resolve("kubeconfig")));
            there.install(chart(), "{networkPolicy: {enabled: true}, config: {percentageOfNodesToScore: 50}}");
            world.settle();

            there.upgrade("");

            world.settle();
            assertThat(world.objects().list(ResourceTable.PODS, "").stream().map(Trees::parse))
                    .hasSize(2)
                    .allMatch(pod -> Trees.text(pod, "status", "phase").equals("Running"))
                    .allMatch(pod -> Trees.text(pod, "metadata", "labels", "app.kubernetes.io/version")
                            .equals(Yaml.document(Chart.read("Chart.yaml"))
                                    .get("appVersion")
                                    .getAsString()));
        }
    }

    /** What the definitions of then took, those of now take. */
    @ParameterizedTest
    @ValueSource(strings = {"placementpolicies.evenkeel.io", "clusterplacementpolicies.evenkeel.io"})
    void aPolicyStaysValid(String definition) throws IOException {
        JsonObject before = schema(Chart.render(chart(), Target.USUAL, "policies: {enabled: true}"), definition);
        JsonObject now = schema(Chart.render("policies: {enabled: true}"), definition);
        Set<String> narrower = new TreeSet<>();
        narrower("", before, now, narrower);
        assertThat(narrower).isEmpty();

        for (JsonObject object : Yaml.documents(text("cluster.yaml"))) {
            String kind = object.get("kind").getAsString();
            if (kind.endsWith("PlacementPolicy")) {
                FieldErrors errors = new FieldErrors();
                PolicySchema.check(object, kind.equals("PlacementPolicy"), errors);
                errors.refuse("evenkeel.io", kind, new Manifest(object).name());
            }
        }
    }

    /** Where the schema of now takes less: what it says else of a field, or asks for, or does not know. */
    private static void narrower(String path, JsonElement before, JsonElement now, Set<String> found) {
        if (before instanceof JsonObject one && now instanceof JsonObject other) {
            for (String key : other.keySet()) {
                if (!one.has(key) && !path.endsWith("properties/") && !key.equals("description")) {
                    found.add(path + key);
                }
            }
            for (Map.Entry<String, JsonElement> member : one.entrySet()) {
                if (!other.has(member.getKey())) {
                    found.add(path + member.getKey());
                } else if (!member.getKey().equals("description")) {
                    narrower(path + member.getKey() + "/", member.getValue(), other.get(member.getKey()), found);
                }
            }
        } else if (!before.equals(now)) {
            found.add(path);
        }
    }

    private static JsonObject schema(Manifests rendered, String definition) {
        return Trees.objects(
                        rendered.find("CustomResourceDefinition", definition)
                                .orElseThrow()
                                .tree(),
                        "spec",
                        "versions")
                .getFirst()
                .getAsJsonObject("schema");
    }

    private Path chart() {
        return release.resolve("chart.tgz");
    }

    private String text(String file) throws IOException {
        return Files.readString(release.resolve(file));
    }
}
