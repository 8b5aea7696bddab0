package io.evenkeel.chart.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.chart.helm.Chart;
import io.evenkeel.chart.helm.Manifests;
import io.evenkeel.chart.helm.Yaml;
import org.junit.jupiter.api.Test;

/** Who may look inside gets those paths, by get, and nothing else. */
class DebugReadersTest {
    private static final String NAME = "kube-system.evenkeel-debug-readers";

    @Test
    void subjectsOfEachKindGetWhatIsToBeRead() {
        Manifests rendered = Chart.render("""
                debug:
                  readers:
                  - {kind: User, name: 'oidc:jane@example.com'}
                  - {kind: Group, name: on-call}
                  - {kind: ServiceAccount, name: toolbox, namespace: ops}
                """);

        assertThat(rendered.find("ClusterRole", NAME).orElseThrow().objects("rules"))
                .containsExactly(
                        Yaml.document("{nonResourceURLs: [/debug/cache, /debug/dump, /debug/queue], verbs: [get]}"));
        assertThat(rendered.find("ClusterRoleBinding", NAME).orElseThrow().objects("subjects"))
                .containsExactly(
                        Yaml.document(
                                "{kind: User, apiGroup: rbac.authorization.k8s.io, name: 'oidc:jane@example.com'}"),
                        Yaml.document("{kind: Group, apiGroup: rbac.authorization.k8s.io, name: on-call}"),
                        Yaml.document("{kind: ServiceAccount, name: toolbox, namespace: ops}"));
    }

    @Test
    void nobodyGetsItWhereNobodyIsNamed() {
        assertThat(Chart.render("").find("ClusterRole", NAME)).isEmpty();
    }
}
