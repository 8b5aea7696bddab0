package io.evenkeel.chart.manifests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import io.evenkeel.chart.helm.Chart;
import io.evenkeel.chart.helm.Manifest;
import io.evenkeel.chart.helm.Manifests;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.hollow.registry.PolicySchema;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.hollow.resource.Refusals.ApiException;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    /** The hollow cluster answers as a real server did that had these definitions. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            rules.items.properties.topologyKey                                                  | spec.rules[0].topologyKey
            rules.items.properties.matchLabelKeys.items                                         | spec.rules[0].matchLabelKeys[0]
            rules.items.properties.knownDomains.items                                           | spec.rules[0].knownDomains[0]
            rules.items.properties.mustUse.items                                                | spec.rules[0].mustUse[0]
            rules.items.properties.weights.items.properties.domain                              | spec.rules[0].weights[0].domain
            selector.properties.matchLabels.additionalProperties                                | spec.selector.matchLabels.app
            selector.properties.matchExpressions.items.properties.key                           | spec.selector.matchExpressions[0].key
            selector.properties.matchExpressions.items.properties.values.items                  | spec.selector.matchExpressions[0].values[0]
            namespaceSelector.properties.matchLabels.additionalProperties                       | spec.namespaceSelector.matchLabels.app
            """)
    void whatNoLabelCanBeIsRefusedInTheSameWords(String schema, String field) {
        String pattern = Trees.text(
                Trees.object(spec(Kinds.PLACEMENT_POLICY), ("properties." + schema).split("[.]", -1))
                        .orElseThrow(),
                "pattern");

        assertThat(pattern).startsWith("^").endsWith("$");
        assertThat(refusalOf("""
                {'selector':{'matchLabels':{'app':' '},'matchExpressions':[{'key':' ','operator':'In','values':[' ']}]},
                 'namespaceSelector':{'matchLabels':{'app':' '}},
                 'rules':[{'topologyKey':' ','matchLabelKeys':[' '],'maxSkew':1,'knownDomains':[' '],'mustUse':[' '],
                           'weights':[{'domain':' ','weight':1}]}]}"""))
                .contains(field + ": Invalid value: \" \": " + field + " in body should match '" + pattern + "'");
    }

    /** A schema has no pattern for keys. */
    @Test
    void theKeysOfLabelsAreHeldToTheSamePattern() {
        JsonObject properties =
                Trees.object(spec(Kinds.PLACEMENT_POLICY), "properties").orElseThrow();
        String pattern = Trees.text(properties, "rules", "items", "properties", "topologyKey", "pattern");

        assertThat(Trees.objects(properties, "selector", "properties", "matchLabels", "x-kubernetes-validations"))
                .singleElement()
                .satisfies(rule -> assertThat(Trees.text(rule, "rule")).contains("key.matches('" + pattern + "')"));
        assertThat(refusalOf("{'selector':{'matchLabels':{'a b':''}},'rules':[{'topologyKey':'a','maxPods':1}]}"))
                .contains("spec.selector.matchLabels: Invalid value: has a key that no label can have");
    }

    private static String refusalOf(String spec) {
        FieldErrors errors = new FieldErrors();
        PolicySchema.check(Trees.parse("{'spec':" + spec + "}"), true, errors);
        try {
            errors.refuse("evenkeel.io", "PlacementPolicy", "web");
            return "";
        } catch (ApiException refused) {
            return String.valueOf(refused.getMessage());
        }
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
