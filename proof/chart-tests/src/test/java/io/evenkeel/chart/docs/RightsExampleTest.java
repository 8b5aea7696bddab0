package io.evenkeel.chart.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** With {@code -Devenkeel.chart.docs=write} it writes docs/examples/rbac.yaml anew. */
class RightsExampleTest {
    @Test
    void theExampleGivesWhatTheChartGives() throws IOException {
        if (System.getProperty("evenkeel.chart.docs", "").equals("write")) {
            RightsExample.write();
        }
        assertThat(RightsExample.committed())
                .as("docs/examples/rbac.yaml; write it anew with -Devenkeel.chart.docs=write")
                .isEqualTo(RightsExample.generated());
    }

    @Test
    void whatOnlyHelmIsToldAndWhatIsNotAboutRightsIsLeftOut() {
        String example = RightsExample.of("""
            ---
            # Source: evenkeel/templates/service.yaml
            apiVersion: v1
            kind: Service
            metadata:
              name: s
            ---
            # Source: evenkeel/templates/role.yaml
            # Why.
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata:
              name: r
              labels:
                app.kubernetes.io/name: evenkeel
                app.kubernetes.io/managed-by: Helm
            rules:
            - apiGroups: [""]
              resources: [pods]
              verbs: [get]
            ---
            # Source: evenkeel/templates/serviceaccount.yaml
            apiVersion: v1
            kind: ServiceAccount
            metadata:
              name: a
            """);
        assertThat(example).startsWith("# What Evenkeel may do").endsWith("""
            RightsExampleTest.
            # Why.
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata:
              name: r
            rules:
            - apiGroups: [""]
              resources: [pods]
              verbs: [get]
            ---
            apiVersion: v1
            kind: ServiceAccount
            metadata:
              name: a
            """);
    }
}
