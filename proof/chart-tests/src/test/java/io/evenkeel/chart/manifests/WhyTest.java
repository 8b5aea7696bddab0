package io.evenkeel.chart.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.chart.helm.Chart;
import io.evenkeel.chart.helm.Manifest;
import io.evenkeel.chart.helm.Manifests;
import io.evenkeel.chart.helm.Yaml;
import org.junit.jupiter.api.Test;

/** One value turns it on: the API server passes questions on, and who may ask is the cluster's to say. */
class WhyTest {
    private static final String ROLE = "kube-system.evenkeel-why-readers";

    @Test
    void nothingIsThereUnlessItIsAskedFor() {
        Manifests usual = Chart.render("");

        assertThat(usual.all()).noneMatch(manifest -> manifest.kind().equals("APIService"));
        assertThat(usual.find("ClusterRole", ROLE)).isEmpty();
        assertThat(usual.arguments()).doesNotContain("--why-api");
    }

    @Test
    void theApiServerPassesQuestionsOnToReplicasThatAnswer() {
        Manifests rendered = Chart.render("why: {enabled: true}");

        assertThat(rendered.arguments()).contains("--why-api");
        assertThat(rendered.the("APIService").object("spec")).isEqualTo(Yaml.document("""
                        {group: why.evenkeel.io, version: v1alpha1, groupPriorityMinimum: 100, versionPriority: 100,
                         service: {name: evenkeel, namespace: kube-system, port: 10259}, insecureSkipTLSVerify: true}
                        """));
        assertThat(role(rendered).objects("rules"))
                .containsExactly(
                        Yaml.document("{apiGroups: [why.evenkeel.io], resources: [pods/placement], verbs: [get]}"),
                        Yaml.document(
                                "{apiGroups: [why.evenkeel.io], resources: [placements, spreads], verbs: [list]}"));
        assertThat(rendered.find("ClusterRoleBinding", ROLE)).isEmpty();
    }

    @Test
    void whoMayAskAboutAllIsBoundToTheRole() {
        Manifests rendered = Chart.render("why: {enabled: true, readers: [{kind: Group, name: on-call}]}");

        assertThat(rendered.find("ClusterRoleBinding", ROLE).orElseThrow().objects("subjects"))
                .containsExactly(Yaml.document("{kind: Group, apiGroup: rbac.authorization.k8s.io, name: on-call}"));
    }

    @Test
    void viewersOfANamespaceMayAskWhereThatIsSaid() {
        String label = "rbac.authorization.k8s.io/aggregate-to-view";

        assertThat(role(Chart.render("why: {enabled: true}")).text("metadata", "labels", label))
                .isEmpty();
        assertThat(role(Chart.render("why: {enabled: true, viewers: true}")).text("metadata", "labels", label))
                .isEqualTo("true");
    }

    @Test
    void aCertificateThatCanBeCheckedIs() {
        Manifest service =
                Chart.render("why: {enabled: true, caBundle: bm9uZQ==}").the("APIService");

        assertThat(service.text("spec", "caBundle")).isEqualTo("bm9uZQ==");
        assertThat(service.object("spec").has("insecureSkipTLSVerify")).isFalse();
    }

    private static Manifest role(Manifests rendered) {
        return rendered.find("ClusterRole", ROLE).orElseThrow();
    }
}
