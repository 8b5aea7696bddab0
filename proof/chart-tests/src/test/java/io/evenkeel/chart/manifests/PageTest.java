package io.evenkeel.chart.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.chart.helm.Chart;
import io.evenkeel.chart.helm.Manifests;
import io.evenkeel.chart.helm.Yaml;
import org.junit.jupiter.api.Test;

/** One value has the page served; whom it shows the cluster is said by name. */
class PageTest {
    private static final String ROLE = "kube-system.evenkeel-page-readers";

    @Test
    void nothingIsThereUnlessItIsAskedFor() {
        Manifests usual = Chart.render("page: {readers: [{kind: Group, name: on-call}]}");

        assertThat(usual.arguments()).doesNotContain("--page");
        assertThat(usual.find("ClusterRole", ROLE)).isEmpty();
    }

    @Test
    void readersGetThePagesDataAndNothingElse() {
        Manifests rendered = Chart.render("page: {enabled: true, readers: [{kind: Group, name: on-call}]}");

        assertThat(rendered.arguments()).contains("--page");
        assertThat(rendered.find("ClusterRole", ROLE).orElseThrow().objects("rules"))
                .containsExactly(Yaml.document("{nonResourceURLs: ['/page/api/*'], verbs: [get, put]}"));
        assertThat(rendered.find("ClusterRoleBinding", ROLE).orElseThrow().objects("subjects"))
                .containsExactly(Yaml.document("{kind: Group, apiGroup: rbac.authorization.k8s.io, name: on-call}"));
    }

    @Test
    void nobodyGetsItWhereNobodyIsNamed() {
        Manifests rendered = Chart.render("page: {enabled: true}");

        assertThat(rendered.arguments()).contains("--page");
        assertThat(rendered.find("ClusterRole", ROLE)).isEmpty();
    }
}
