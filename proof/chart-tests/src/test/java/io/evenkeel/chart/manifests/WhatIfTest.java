package io.evenkeel.chart.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.chart.helm.Chart;
import io.evenkeel.chart.helm.Manifests;
import io.evenkeel.chart.helm.Yaml;
import org.junit.jupiter.api.Test;

/** One value has what-ifs answered; who may ask is said by name. */
class WhatIfTest {
    private static final String ROLE = "kube-system.evenkeel-whatif-readers";

    @Test
    void nothingIsThereUnlessItIsAskedFor() {
        Manifests usual = Chart.render("whatifApi: {readers: [{kind: Group, name: karmada}]}");

        assertThat(usual.arguments()).doesNotContain("--whatif-api");
        assertThat(usual.find("ClusterRole", ROLE)).isEmpty();
    }

    @Test
    void readersMayAskAndDoNothingElse() {
        Manifests rendered = Chart.render("whatifApi: {enabled: true, readers: [{kind: Group, name: karmada}]}");

        assertThat(rendered.arguments()).contains("--whatif-api");
        assertThat(rendered.find("ClusterRole", ROLE).orElseThrow().objects("rules"))
                .containsExactly(Yaml.document("{nonResourceURLs: ['/evenkeel.whatif.v1.WhatIf/*',"
                        + " '/github.com.karmada_io.karmada.pkg.estimator.service.Estimator/*'], verbs: [post]}"));
        assertThat(rendered.find("ClusterRoleBinding", ROLE).orElseThrow().objects("subjects"))
                .containsExactly(Yaml.document("{kind: Group, apiGroup: rbac.authorization.k8s.io, name: karmada}"));
    }

    @Test
    void anObserverAnswersNone() {
        Manifests rendered = Chart.render(
                "{observe: true, replicas: 1, whatifApi: {enabled: true, readers: [{kind: Group, name: karmada}]}}");

        assertThat(rendered.arguments()).doesNotContain("--whatif-api");
        assertThat(rendered.find("ClusterRole", ROLE)).isEmpty();
    }
}
