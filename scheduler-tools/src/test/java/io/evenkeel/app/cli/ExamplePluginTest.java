package io.evenkeel.app.cli;

import static io.evenkeel.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.app.plugin.BuiltPlugin;
import io.evenkeel.config.Profile;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.framework.ApiVersion;
import io.evenkeel.hollow.HollowCluster;
import io.evenkeel.hollow.HollowOptions;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.rotation.Rotated;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The plugin of docs/examples/plugin, built from its sources on the published API alone, at work. */
@Rotated(2)
class ExamplePluginTest {
    private static final Path EXAMPLE = Path.of("../docs/examples/plugin");
    private static final Path CONFIGURATION = EXAMPLE.resolve("scheduler.yaml");
    private static final String MESSAGE =
            "0/2 nodes are available: 2 node(s) had as many pods of the app as it allows.";
    private static final String NOBODY_CAN_GO = " no new claims to deallocate,"
            + " preemption: 0/2 nodes are available: 2 No preemption victims found for incoming pod.";
    private static final Pattern OURS = Pattern.compile("import io\\.evenkeel\\..*;");
    private static final Pattern VERSIONED =
            Pattern.compile("<artifactId>([^<]+)</artifactId>\\s*<version>([^<$]+)</version>");

    @TempDir
    private Path files;

    private Path plugins;
    private String pom;

    @BeforeEach
    void build() throws IOException {
        pom = Files.readString(EXAMPLE.resolve("pom.xml"));
        BuiltPlugin example = new BuiltPlugin().saying("Evenkeel-Api", api());
        try (Stream<Path> sources = Files.walk(EXAMPLE.resolve("src/main"))) {
            for (Path source : sources.filter(Files::isRegularFile).toList()) {
                add(example, source);
            }
        }
        plugins = example.writeTo(files.resolve("plugins/pods-per-node.jar")).getParent();
    }

    private static void add(BuiltPlugin example, Path source) throws IOException {
        String text = Files.readString(source);
        if (source.toString().endsWith(".java")) {
            String path = EXAMPLE.resolve("src/main/java").relativize(source).toString();
            example.source(path.replace(".java", "").replace('/', '.'), text);
        } else {
            example.file(
                    EXAMPLE.resolve("src/main/resources").relativize(source).toString(), text);
        }
    }

    @Test
    void podsLandWhereItLetsThemAndWaitUntilItDoes() throws IOException, InterruptedException {
        try (HollowCluster cluster = HollowCluster.start(HollowOptions.DEFAULT)) {
            Path kubeconfig = Files.writeString(files.resolve("kubeconfig.yaml"), cluster.kubeconfig());
            cluster.objects().create(node("n1"));
            cluster.objects().create(node("n2"));
            for (int i = 1; i <= 5; i++) {
                cluster.objects().create(pod("web-" + i));
            }
            try (RunProcess scheduler = new RunProcess(
                    files.resolve("log"),
                    "--kubeconfig=" + kubeconfig,
                    "--config=" + CONFIGURATION,
                    "--plugins=" + plugins,
                    "--secure-port=0")) {
                scheduler.awaitLogged(
                        "INFO  Loaded out-of-tree plugin name=PodsPerNode version=unknown api=0.2 file=" + plugins);
                await().untilAsserted(() -> {
                    assertThat(waiting(cluster)).containsExactly(MESSAGE + NOBODY_CAN_GO);
                    assertThat(nodes(cluster)).containsExactly("", "n1", "n1", "n2", "n2");
                });

                cluster.objects().create(node("n3"));

                await().untilAsserted(() -> assertThat(nodes(cluster)).containsExactly("n1", "n1", "n2", "n2", "n3"));
                scheduler.terminate();
                assertThat(scheduler.exitCode()).isZero();
            }
        }
    }

    @Test
    void itsScenarioEndsWithAPodThatWaits() {
        StringWriter out = new StringWriter();
        int exitCode = Evenkeel.commandLine()
                .setOut(new PrintWriter(out))
                .execute(
                        "replay",
                        "--plugins=" + plugins,
                        EXAMPLE.resolve("scenario.jsonl").toString());

        assertThat(exitCode).isZero();
        assertThat(out.toString()).contains("\"node\":\"n1\"", "\"node\":\"n2\"", "\"message\":\"" + MESSAGE + "\"");
    }

    @Test
    void itMakesDoWithFewTypesOfTheApi() throws IOException {
        Set<String> used = new TreeSet<>();
        try (Stream<Path> sources = Files.walk(EXAMPLE.resolve("src/main/java"))) {
            for (Path source : sources.filter(Files::isRegularFile).toList()) {
                OURS.matcher(Files.readString(source))
                        .results()
                        .map(MatchResult::group)
                        .forEach(used::add);
            }
        }
        assertThat(used).hasSizeBetween(2, 15);
    }

    @Test
    void itsConfigurationLeavesThePodsOfOthersAlone() throws IOException {
        assertThat(new ConfigurationReader()
                        .read(CONFIGURATION.toString(), Files.readString(CONFIGURATION))
                        .profiles())
                .extracting(Profile::schedulerName)
                .doesNotContain(Profile.DEFAULT_SCHEDULER_NAME);
    }

    @Test
    void itIsBuiltForThisVersionByWhatEvenkeelIsBuiltBy() throws IOException {
        String ofEvenkeel = Files.readString(Path.of("../pom.xml"));

        assertThat(api()).isEqualTo(ApiVersion.CURRENT.toString());
        assertThat(pom)
                .contains("<evenkeel.version>" + first(ofEvenkeel, "<version>(.*?)</version>") + "</evenkeel.version>");
        List<MatchResult> pinned = VERSIONED
                .matcher(pom)
                .results()
                .filter(pin -> !pin.group(1).equals("pods-per-node"))
                .toList();
        assertThat(pinned)
                .hasSizeGreaterThan(5)
                .allSatisfy(pin -> assertThat(versionOf(pin.group(1), ofEvenkeel))
                        .as(pin.group(1))
                        .isEqualTo(pin.group(2)));
    }

    private static String versionOf(String artifact, String ofEvenkeel) {
        return switch (artifact) {
            case "junit-jupiter" -> first(ofEvenkeel, "<junit.version>(.*?)</junit.version>");
            case "assertj-core" -> first(ofEvenkeel, "<assertj.version>(.*?)</assertj.version>");
            default -> first(ofEvenkeel, "<artifactId>" + artifact + "</artifactId>\\s*<version>(.*?)</version>");
        };
    }

    private String api() {
        return first(pom, "<Evenkeel-Api>(.*?)</Evenkeel-Api>");
    }

    private static String first(String text, String pattern) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
    }

    private static String node(String name) {
        return """
            {"kind":"Node","apiVersion":"v1","metadata":{"name":"%s"},
             "status":{"allocatable":{"cpu":"4","memory":"8Gi","pods":"10"}}}\
            """.formatted(name);
    }

    private static String pod(String name) {
        return """
            {"kind":"Pod","apiVersion":"v1",
             "metadata":{"name":"%s","labels":{"app":"web","example.com/max-per-node":"2"}},
             "spec":{"schedulerName":"evenkeel-capped","containers":[{"name":"c","image":"pause:1"}]}}\
            """.formatted(name);
    }

    private static List<String> nodes(HollowCluster cluster) {
        return pods(cluster)
                .map(pod -> pod.getAsJsonObject("spec"))
                .map(spec -> spec.has("nodeName") ? spec.get("nodeName").getAsString() : "")
                .sorted()
                .toList();
    }

    /** Why pods wait, of each that was told. */
    private static List<String> waiting(HollowCluster cluster) {
        return pods(cluster)
                .filter(pod -> !pod.getAsJsonObject("spec").has("nodeName"))
                .map(pod -> pod.getAsJsonObject("status"))
                .filter(status -> status.has("conditions"))
                .map(status -> status.getAsJsonArray("conditions").get(0).getAsJsonObject())
                .map(condition -> condition.get("message").getAsString())
                .toList();
    }

    private static Stream<JsonObject> pods(HollowCluster cluster) {
        return Stream.of("web-1", "web-2", "web-3", "web-4", "web-5")
                .map(name -> cluster.objects()
                        .get(ResourceTable.PODS, "default", name)
                        .orElseThrow())
                .map(json -> JsonParser.parseString(json).getAsJsonObject());
    }
}
