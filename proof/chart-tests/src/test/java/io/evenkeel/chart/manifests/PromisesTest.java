package io.evenkeel.chart.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.evenkeel.chart.helm.Chart;
import io.evenkeel.chart.helm.Manifests;
import io.evenkeel.chart.helm.Yaml;
import io.evenkeel.model.json.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the chart promises where nothing is said. */
class PromisesTest {
    private final Manifests rendered = Chart.render("");

    @Test
    void isOfTheVersionThatIsBuilt() throws IOException {
        Matcher version =
                Pattern.compile("<version>(.*?)</version>").matcher(Files.readString(Path.of("../..", "pom.xml")));
        assertThat(version.find()).isTrue();
        JsonObject chart = Yaml.document(Chart.read("Chart.yaml"));
        assertThat(chart.get("appVersion").getAsString()).isEqualTo(version.group(1));
        assertThat(Yaml.document("images:\n" + Trees.text(chart, "annotations", "artifacthub.io/images")))
                .isEqualTo(Yaml.document("images: [{name: evenkeel, image: \""
                        + Trees.text(rendered.container(), "image") + "\", platforms: [linux/amd64, linux/arm64]}]"));
    }

    @Test
    void itsIconIsThere() {
        assertThat(Yaml.document(Chart.read("Chart.yaml")).get("icon").getAsString())
                .endsWith("/main/charts/icon.svg");
        assertThat(Path.of("../..", "charts", "icon.svg")).content().startsWith("<svg ");
    }

    @Test
    void twoReplicasThatADrainTakesOneAtATime() {
        assertThat(rendered.deployment().object("spec").get("replicas").getAsInt())
                .isEqualTo(2);
        assertThat(rendered.the("PodDisruptionBudget")
                        .object("spec")
                        .get("maxUnavailable")
                        .getAsInt())
                .isEqualTo(1);
    }

    @Test
    void aSingleReplicaCanBeDrained() {
        assertThat(Chart.render("replicas: 1").ofKind("PodDisruptionBudget")).isEmpty();
    }

    @Test
    void aSingleReplicaGoesOnlyWhenAnotherIsReady() {
        assertThat(strategy("replicas: 1")).isEqualTo(Yaml.document("""
                {type: RollingUpdate, rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}"""));
        assertThat(strategy("strategy: {type: Recreate}")).isEqualTo(Yaml.document("type: Recreate"));
    }

    private static JsonObject strategy(String values) {
        return Chart.render(values).deployment().object("spec").getAsJsonObject("strategy");
    }

    @Test
    void nobodysUserWithoutCapabilitiesOnAReadOnlyDisk() {
        assertThat(Trees.object(rendered.pod(), "securityContext")).hasValue(Yaml.document("""
                {runAsNonRoot: true, runAsUser: 65532, runAsGroup: 65532, fsGroup: 65532,
                 seccompProfile: {type: RuntimeDefault}}"""));
        assertThat(Trees.object(rendered.container(), "securityContext")).hasValue(Yaml.document("""
                {allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: {drop: [ALL]}}"""));
    }

    @Test
    void onlyThePodGetsTheToken() {
        assertThat(Trees.isTrue(rendered.the("ServiceAccount").tree(), "automountServiceAccountToken"))
                .isFalse();
        assertThat(Trees.isTrue(rendered.pod(), "automountServiceAccountToken")).isTrue();
    }

    @Test
    void beforeOrdinaryPodsAndApartFromEachOther() {
        JsonObject pod = rendered.pod();
        assertThat(Trees.text(pod, "priorityClassName")).isEqualTo("system-cluster-critical");
        assertThat(Trees.objects(pod, "affinity", "podAntiAffinity", "preferredDuringSchedulingIgnoredDuringExecution"))
                .singleElement()
                .satisfies(term -> assertThat(Trees.text(term, "podAffinityTerm", "topologyKey"))
                        .isEqualTo("kubernetes.io/hostname"));
        assertThat(Trees.objects(pod, "topologySpreadConstraints"))
                .extracting(constraint -> Trees.text(constraint, "topologyKey"))
                .containsExactly("topology.kubernetes.io/zone");
    }

    @Test
    void affinityOfOnesOwnIsLaidOverIt() {
        JsonObject pod = Chart.render("affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: []}}")
                .pod();
        assertThat(Trees.object(pod, "affinity").orElseThrow().keySet())
                .containsExactlyInAnyOrder("podAffinity", "podAntiAffinity");
    }

    @ParameterizedTest
    @CsvSource({"startupProbe,/livez", "livenessProbe,/livez", "readinessProbe,/readyz"})
    void isAskedOverHttps(String probe, String path) {
        JsonObject asked = Trees.object(rendered.container(), probe, "httpGet").orElseThrow();
        assertThat(asked).isEqualTo(Yaml.document("{path: %s, port: https, scheme: HTTPS}".formatted(path)));
    }

    @Test
    void saysWhatItNeeds() {
        assertThat(Trees.object(rendered.container(), "resources").orElseThrow().keySet())
                .containsExactlyInAnyOrder("requests", "limits");
    }

    @Test
    void hasLongerToEndThanItsBindings() {
        assertThat(rendered.arguments()).contains("--shutdown-grace=20s");
        assertThat(rendered.pod().get("terminationGracePeriodSeconds").getAsInt())
                .isGreaterThan(20);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    repository: r                          | r:%v
                    {repository: r, tag: v1}               | r:v1
                    {repository: r, digest: 'sha256:%d'}   | r@sha256:%d
                    {repository: r, tag: v1, digest: 'sha256:%d'} | r:v1@sha256:%d
                    """)
    void theImageIsNamedByTagOrDigest(String image, String expected) {
        String digest = "0123456789abcdef".repeat(4);
        String version =
                Yaml.document(Chart.read("Chart.yaml")).get("appVersion").getAsString();
        Manifests named = Chart.render("image: {%s}"
                .formatted(image.replace("%d", digest).replace("{", "").replace("}", "")));
        assertThat(Trees.text(named.container(), "image"))
                .isEqualTo(expected.replace("%v", version).replace("%d", digest));
    }

    @Test
    void monitoringAndNetworkPolicyAreThereOnDemandOnly() {
        assertThat(rendered.all())
                .extracting(manifest -> manifest.kind())
                .containsExactlyInAnyOrder(
                        "ClusterRole",
                        "ClusterRoleBinding",
                        "ConfigMap",
                        "Deployment",
                        "PodDisruptionBudget",
                        "Role",
                        "Role",
                        "RoleBinding",
                        "RoleBinding",
                        "Service",
                        "ServiceAccount");
    }
}
