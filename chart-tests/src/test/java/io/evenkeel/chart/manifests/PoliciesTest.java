package io.evenkeel.chart.manifests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import io.evenkeel.chart.helm.Chart;
import io.evenkeel.chart.helm.Manifest;
import io.evenkeel.chart.helm.Manifests;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.read.ConfigurationReader;
import io.evenkeel.hollow.json.Trees;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One value installs the definitions of policies and has them kept. */
class PoliciesTest {
    private static final String DEFINITION = "CustomResourceDefinition";
    private static final String BY_ONE = "config: {profiles: [{schedulerName: a},"
            + " {schedulerName: b, plugins: {filter: {enabled: [{name: PlacementPolicy}]}}}]}";

    private final Manifests rendered = Chart.render("policies: {enabled: true}");

    static Stream<Kind<?>> kinds() {
        return Stream.of(Kinds.PLACEMENT_POLICY, Kinds.CLUSTER_PLACEMENT_POLICY);
    }

    @Test
    void nothingIsThereUnlessItIsAskedFor() {
        Manifests usual = Chart.render("");

        assertThat(usual.ofKind(DEFINITION)).isEmpty();
        assertThat(mayReadPolicies(usual)).isFalse();
        assertThat(keepsPolicies(usual)).isFalse();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void theSchedulersOwnKindsAreDefined(Kind<?> kind) {
        Manifest definition = definition(kind);

        assertThat(definition.text("spec", "names", "kind")).isEqualTo(kind.name());
        assertThat(definition.text("spec", "names", "plural")).isEqualTo(kind.plural());
        assertThat(definition.text("spec", "group")).isEqualTo(kind.group());
        assertThat(definition.text("spec", "scope")).isEqualTo(kind.namespaced() ? "Namespaced" : "Cluster");
        assertThat(version(kind).get("name").getAsString()).isEqualTo(kind.version());
    }

    /** With a definition go all objects of its kind. */
    @ParameterizedTest
    @MethodSource("kinds")
    void theDefinitionsStayWhenTheReleaseGoes(Kind<?> kind) {
        assertThat(definition(kind).text("metadata", "annotations", "helm.sh/resource-policy"))
                .isEqualTo("keep");
    }

    @Test
    void whoIsOfTheClusterSaysWhichNamespacesItIsAbout() {
        assertThat(Trees.texts(spec(Kinds.PLACEMENT_POLICY), "required")).containsExactly("selector", "rules");
        assertThat(Trees.texts(spec(Kinds.CLUSTER_PLACEMENT_POLICY), "required"))
                .containsExactly("selector", "namespaceSelector", "rules");
    }

    @Test
    void theChartsOwnProfileKeepsThem() {
        assertThat(keepsPolicies(rendered)).isTrue();
        assertThat(mayReadPolicies(rendered)).isTrue();
    }

    /** A status that its schema does not know would be cut to nothing without a word. */
    @ParameterizedTest
    @MethodSource("kinds")
    void theirStatusIsWrittenApartAndShown(Kind<?> kind) {
        JsonObject version = version(kind);

        assertThat(Trees.object(version, "subresources", "status")).isPresent();
        assertThat(Trees.object(version, "schema", "openAPIV3Schema", "properties", "status", "properties")
                        .orElseThrow()
                        .keySet())
                .containsExactlyInAnyOrder(
                        "observedGeneration", "pods", "waiting", "rules", "relaxed", "remembered", "conditions");
        assertThat(Trees.objects(version, "additionalPrinterColumns"))
                .extracting(column -> column.get("name").getAsString())
                .containsExactly("Selector", "Over", "Pods", "Waiting", "Satisfied", "Age");
        assertThat(mayWriteStatuses(rendered)).isTrue();
        assertThat(mayWriteStatuses(Chart.render(""))).isFalse();
        assertThat(mayWriteStatuses(Chart.render("{observe: true, replicas: 1, " + BY_ONE + "}")))
                .isFalse();
    }

    /** As the scheduler reads it: a list without items is none, whoever writes it. */
    @ParameterizedTest
    @ValueSource(strings = {"mustUse", "weights", "knownDomains"})
    void noRuleTakesAnEmptyListForOne(String list) {
        String isThere = "has(self." + list + ")";
        String isEmpty = "size(self." + list + ") == 0";
        String isFull = "size(self." + list + ") > 0";

        assertThat(rules().map(each -> Trees.text(each, "rule")).filter(rule -> rule.contains(isThere)))
                .isNotEmpty()
                .allMatch(rule -> rule.contains("(!" + isThere + " || " + isEmpty + ")")
                        || rule.contains("(" + isThere + " && " + isFull + ")")
                        || rule.startsWith("!" + isThere + " || "));
    }

    private Stream<JsonObject> rules() {
        return Trees.objects(
                Trees.object(spec(Kinds.PLACEMENT_POLICY), "properties", "rules", "items")
                        .orElseThrow(),
                "x-kubernetes-validations")
                .stream();
    }

    @Test
    void anotherReleaseKeepsWhatOneHasInstalled() {
        Manifests another = Chart.render(BY_ONE);

        assertThat(another.ofKind(DEFINITION)).isEmpty();
        assertThat(mayReadPolicies(another)).isTrue();
    }

    @Test
    void aProfileAmongOthersThatKeepsThemIsEnough() {
        assertThat(Chart.render("{policies: {enabled: true}, " + BY_ONE + "}").ofKind(DEFINITION))
                .hasSize(2);
    }

    @Test
    void whereNobodyWouldKeepThemTheyAreRefused() {
        assertThatThrownBy(() -> Chart.render("{policies: {enabled: true}, config: {profiles: [{schedulerName: a}]}}"))
                .hasMessageContaining("no profile of config.profiles enables the plugin PlacementPolicy");
    }

    @Test
    void whoOnlyLooksOnInstallsNothing() {
        Manifests observing = Chart.render("{observe: true, replicas: 1, policies: {enabled: true}}");

        assertThat(observing.ofKind(DEFINITION)).isEmpty();
        assertThat(keepsPolicies(observing)).isFalse();
    }

    private Manifest definition(Kind<?> kind) {
        return rendered.find(DEFINITION, kind.plural() + "." + kind.group()).orElseThrow();
    }

    private JsonObject version(Kind<?> kind) {
        List<JsonObject> versions = definition(kind).objects("spec", "versions");
        assertThat(versions).hasSize(1);
        return versions.getFirst();
    }

    private JsonObject spec(Kind<?> kind) {
        return Trees.object(version(kind), "schema", "openAPIV3Schema", "properties", "spec")
                .orElseThrow();
    }

    private static boolean keepsPolicies(Manifests rendered) {
        SchedulerConfiguration read = new ConfigurationReader().read("config.yaml", rendered.configuration());
        assertThat(read.profiles()).isNotEmpty();
        return rendered.configuration().contains("PlacementPolicy");
    }

    private static boolean mayWriteStatuses(Manifests rendered) {
        return rendered.find("ClusterRole", "kube-system.evenkeel").orElseThrow().objects("rules").stream()
                .filter(rule -> Trees.texts(rule, "apiGroups").contains("evenkeel.io"))
                .anyMatch(rule -> Trees.texts(rule, "verbs").equals(List.of("patch"))
                        && Trees.texts(rule, "resources")
                                .equals(List.of("placementpolicies/status", "clusterplacementpolicies/status")));
    }

    private static boolean mayReadPolicies(Manifests rendered) {
        return rendered.find("ClusterRole", "kube-system.evenkeel").orElseThrow().objects("rules").stream()
                .filter(rule -> Trees.texts(rule, "apiGroups").contains("evenkeel.io"))
                .anyMatch(rule ->
                        Trees.texts(rule, "resources").equals(List.of("placementpolicies", "clusterplacementpolicies"))
                                && Trees.texts(rule, "verbs").equals(List.of("list", "watch")));
    }
}
