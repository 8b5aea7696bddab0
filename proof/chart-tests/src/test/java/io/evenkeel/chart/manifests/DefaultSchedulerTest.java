package io.evenkeel.chart.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import dev.cel.bundle.Cel;
import dev.cel.bundle.CelFactory;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.SimpleType;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import io.evenkeel.app.cli.Evenkeel;
import io.evenkeel.chart.helm.Chart;
import io.evenkeel.chart.helm.Manifest;
import io.evenkeel.chart.helm.Manifests;
import io.evenkeel.chart.helm.Yaml;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.model.json.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of docs/default-scheduler.md, and the values that it sets. */
class DefaultSchedulerTest {
    private static final Path DOCS = Path.of("../..", "docs");
    private static final OpenApi API = OpenApi.of(KubernetesMinor.V1_36);
    private static final Pattern BLOCK = Pattern.compile("(?s)```yaml\n# ([\\w./-]+)[^\n]*\n(.*?)```");

    private final Manifest policy = example("by-namespace.yaml").getFirst();
    private final JsonObject pod = example("static-pod.yaml").getFirst().object("spec");
    private final JsonObject container = Trees.objects(pod, "containers").getFirst();
    private final List<String> arguments = Trees.texts(container, "args");

    @ParameterizedTest
    @ValueSource(strings = {"by-namespace.yaml", "static-pod.yaml"})
    void kubernetesKnowsWhatIsInTheExamples(String file) {
        assertThat(example(file)).isNotEmpty().allSatisfy(API::check);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{containers: []}", "{schedulerName: default-scheduler, containers: []}"})
    void aPodThatNamesNoSchedulerIsGivenToEvenkeel(String spec) {
        assertThat(admitted(spec)).isEqualTo(Yaml.document("{schedulerName: evenkeel, containers: []}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{schedulerName: volcano}", "{resourceClaims: [{name: gpu, resourceClaimName: gpu}]}"})
    void anotherSchedulersPodAndOneThatClaimsDevicesStay(String spec) {
        assertThat(admitted(spec)).isEqualTo(Yaml.document(spec));
    }

    @Test
    void thePolicyIsBoundAndAsksForTheLabelThatTheDocumentSets() {
        assertThat(example("by-namespace.yaml").getLast().text("spec", "policyName"))
                .isEqualTo(policy.name());
        Manifest.strings(policy.object("spec", "matchConstraints", "namespaceSelector", "matchLabels"))
                .forEach((label, value) -> assertThat(document())
                        .contains("kubectl label namespace shop " + label + "=" + value)
                        .contains("kubectl label namespace shop " + label + "-"));
    }

    @Test
    void kyvernosPolicySaysTheSame() {
        JsonObject kyverno = example("by-namespace-kyverno.yaml").getFirst().object("spec");
        assertThat(Trees.texts(kyverno, "autogen", "podControllers", "controllers"))
                .isEmpty();
        assertThat(kyverno.remove("autogen")).isNotNull();
        JsonObject own = policy.object("spec").deepCopy();
        own.remove("reinvocationPolicy");
        assertThat(kyverno).isEqualTo(own);
    }

    /** A block of YAML says in its first line whose it is: an example's, word for word, or values of the chart. */
    @Test
    void theDocumentShowsWhatIsInTheExamplesAndValuesThatTheChartTakes() {
        assertThat(blocks().map(Block::file)).contains("examples/by-namespace.yaml", "values.yaml");
        assertThat(blocks()).hasSize(document().split("```yaml", -1).length - 1).allSatisfy(block -> {
            if (block.file().equals("values.yaml")) {
                assertThat(Chart.render(block.text()).all()).allSatisfy(API::check);
            } else {
                assertThat(read(block.file())).contains(block.text());
            }
        });
    }

    /** OpenShift's restricted-v2 chooses user and group itself, and refuses others. */
    @Test
    void withTheDocumentsValuesOpenShiftChoosesTheUser() {
        Manifests rendered = Chart.render(values("podSecurityContext"));
        assertThat(Trees.object(rendered.pod(), "securityContext"))
                .hasValue(Yaml.document("{runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}"));
        assertThat(Trees.object(rendered.container(), "securityContext").orElseThrow())
                .isEqualTo(
                        Yaml.document(
                                "{allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: {drop: [ALL]}}"));
    }

    @Test
    void theServiceHasTheFamiliesThatTheDocumentSets() {
        JsonObject service = Chart.render(values("ipFamilies")).the("Service").object("spec");
        assertThat(Trees.texts(service, "ipFamilies")).containsExactly("IPv6", "IPv4");
        assertThat(Trees.text(service, "ipFamilyPolicy")).isEqualTo("PreferDualStack");
        assertThat(Chart.render("").the("Service").object("spec").keySet())
                .doesNotContain("ipFamilies", "ipFamilyPolicy");
    }

    @Test
    void inItsPlaceItSchedulesThePodsThatNameNoScheduler() {
        SchedulerConfiguration alone = configuration(read("examples/default-scheduler.yaml"));
        assertThat(alone.profiles()).extracting(Profile::schedulerName).containsExactly("default-scheduler");
        assertThat(alone.clientConnection())
                .isEqualTo(configuration(Chart.render("").configuration()).clientConnection());
        assertThat(configuration(Chart.render(values("default-scheduler")).configuration())
                        .profiles())
                .extracting(Profile::schedulerName)
                .containsExactly("default-scheduler");
    }

    /** The static pod is to be reached on the loopback address alone, where its probes ask. */
    @ParameterizedTest
    @CsvSource({"startupProbe,/livez", "livenessProbe,/livez", "readinessProbe,/readyz"})
    void theStaticPodIsAskedWhereItServes(String probe, String path) {
        assertThat(arguments).contains("--bind-address=127.0.0.1", "--secure-port=10259");
        JsonObject own = Trees.object(container, probe).orElseThrow().deepCopy();
        assertThat(own.remove("httpGet"))
                .isEqualTo(Yaml.document("{host: 127.0.0.1, path: %s, port: 10259, scheme: HTTPS}".formatted(path)));
        JsonObject charts =
                Trees.object(Chart.render("").container(), probe).orElseThrow().deepCopy();
        charts.remove("httpGet");
        assertThat(own).isEqualTo(charts);
    }

    @Test
    void theStaticPodHasFlagsThatThereAreAndFilesThatAreMounted() {
        assertThat(Evenkeel.commandLine()
                        .parseArgs(arguments.toArray(String[]::new))
                        .subcommand()
                        .commandSpec()
                        .name())
                .isEqualTo("run");
        List<String> files = arguments.stream()
                .map(argument -> argument.substring(argument.indexOf('=') + 1))
                .filter(value -> value.startsWith("/"))
                .distinct()
                .toList();
        assertThat(files).containsExactly("/etc/kubernetes/evenkeel.yaml", "/etc/kubernetes/scheduler.conf");
        for (String file : files) {
            JsonObject mount = Trees.objects(container, "volumeMounts").stream()
                    .filter(each -> Trees.text(each, "mountPath").equals(file))
                    .findFirst()
                    .orElseThrow();
            assertThat(Trees.isTrue(mount, "readOnly")).isTrue();
            assertThat(Trees.objects(pod, "volumes"))
                    .filteredOn(volume -> Trees.text(volume, "name").equals(Trees.text(mount, "name")))
                    .singleElement()
                    .satisfies(volume ->
                            assertThat(Trees.text(volume, "hostPath", "path")).isEqualTo(file));
        }
    }

    @Test
    void theStaticPodTakesTurnsWithKubeSchedulerAndHasTheChartsResources() {
        assertThat(arguments)
                .contains(
                        "--leader-elect-resource-name=kube-scheduler",
                        "--leader-elect-resource-namespace=kube-system",
                        "--shutdown-grace=20s");
        assertThat(Trees.object(container, "resources"))
                .isEqualTo(Trees.object(Chart.render("").container(), "resources"));
        assertThat(Trees.isTrue(pod, "hostNetwork")).isTrue();
    }

    /** The specification of a pod as the API server stores it. */
    private JsonObject admitted(String spec) {
        JsonObject tree = new JsonObject();
        tree.add("spec", Yaml.document(spec));
        Map<String, Object> inputs = Map.of("object", new Gson().fromJson(tree, Map.class));
        for (JsonObject condition : policy.objects("spec", "matchConditions")) {
            if (!value(Trees.text(condition, "expression"), inputs).equals(true)) {
                return tree.getAsJsonObject("spec");
            }
        }
        for (JsonObject mutation : policy.objects("spec", "mutations")) {
            String patches = Trees.text(mutation, "jsonPatch", "expression");
            for (Object patch : (List<?>) value(asMaps(patches), inputs)) {
                add(tree, (Map<?, ?>) patch);
            }
        }
        return tree.getAsJsonObject("spec");
    }

    /** CEL's library has no type JSONPatch, whose fields are those of a map. */
    private static String asMaps(String expression) {
        return expression.replace("JSONPatch{", "{").replaceAll("(\\w+): ", "\"$1\": ");
    }

    private static void add(JsonObject tree, Map<?, ?> patch) {
        assertThat(patch.keySet()).hasToString("[op, path, value]");
        assertThat(patch.get("op")).isEqualTo("add");
        String[] path = patch.get("path").toString().split("/", -1);
        assertThat(path).hasSize(3).startsWith("");
        tree.getAsJsonObject(path[1]).addProperty(path[2], patch.get("value").toString());
    }

    private static Object value(String expression, Map<String, Object> inputs) {
        Cel cel = CelFactory.standardCelBuilder()
                .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                .addVar("object", SimpleType.DYN)
                .build();
        try {
            return cel.createProgram(cel.compile(expression).getAst()).eval(inputs);
        } catch (CelValidationException | CelEvaluationException unusable) {
            throw new AssertionError(expression, unusable);
        }
    }

    private record Block(String file, String text) {}

    private static Stream<Block> blocks() {
        return BLOCK.matcher(document()).results().map(found -> new Block(found.group(1), found.group(2)));
    }

    /** The values of the document in which a word is. */
    private static String values(String word) {
        return blocks().filter(block ->
                        block.file().equals("values.yaml") && block.text().contains(word))
                .findFirst()
                .orElseThrow()
                .text();
    }

    private static SchedulerConfiguration configuration(String text) {
        return new ConfigurationReader().read("config.yaml", text);
    }

    private static List<Manifest> example(String file) {
        return Yaml.documents(read("examples/" + file)).stream()
                .map(Manifest::new)
                .toList();
    }

    private static String document() {
        return read("default-scheduler.md");
    }

    private static String read(String file) {
        try {
            return Files.readString(DOCS.resolve(file));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
