package io.evenkeel.chart.manifests;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.chart.helm.Chart;
import io.evenkeel.chart.helm.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values that make no sense, and what is said of them. */
class RefusalTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    replica: 3                                    | replica
                    replicas: two                                 | /replicas
                    replicas: -1                                  | /replicas
                    image: {name: x}                              | name
                    image: {digest: 'sha256:abc'}                 | /image/digest
                    image: {pullPolicy: Sometimes}                | /image/pullPolicy
                    image: {repository: 'a@sha256:abc'}           | /image/repository
                    imagePullSecrets: [registry]                  | /imagePullSecrets/0
                    config: []                                    | /config
                    config: {kind: Deployment}                    | /config/kind
                    logging: {format: xml}                        | /logging/format
                    logging: {verbosity: high}                    | /logging/verbosity
                    shutdownGrace: 20                             | /shutdownGrace
                    extraArgs: --dry-run                          | /extraArgs
                    extraArgs: [dry-run]                          | /extraArgs/0
                    extraEnv: [{value: x}]                        | /extraEnv/0
                    serviceAccount: {create: 'yes'}               | /serviceAccount/create
                    podAntiAffinity: sometimes                    | /podAntiAffinity
                    topologySpreadConstraints: [{maxSkew: 1}]     | /topologySpreadConstraints/0
                    tolerations: [{effect: Never}]                | /tolerations/0/effect
                    podDisruptionBudget: {maxUnavailable: some}   | /podDisruptionBudget/maxUnavailable
                    resources: {request: {cpu: 1}}                | request
                    livenessProbe: {httpGet: {}}                  | httpGet
                    service: {port: 0}                            | /service/port
                    metrics: {readers: [prometheus]}              | /metrics/readers/0
                    metrics: {prometheusRule: {errorRatio: 5}}    | /metrics/prometheusRule/errorRatio
                    metrics: {prometheusRule: {skewFor: a while}} | /metrics/prometheusRule/skewFor
                    metrics: {prometheusRule: {runbookUrl: here}} | /metrics/prometheusRule/runbookUrl
                    networkPolicy: {apiServerPorts: [https]}      | /networkPolicy/apiServerPorts/0
                    """)
    void whatTheSchemaDoesNotKnowIsRefusedWithItsPlace(String values, String place) {
        assertThatThrownBy(() -> Chart.render(values))
                .hasMessageContaining("values don't meet the specifications of the schema")
                .hasMessageContaining(
                        place.startsWith("/")
                                ? "at '" + place + "': "
                                : "additional properties '" + place + "' not allowed");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    config: {leaderElection: {leaderElect: false}}                                         | all replicas would schedule at once
                    metrics: {serviceMonitor: {enabled: true}, podMonitor: {enabled: true}}                | scraped twice
                    metrics: {podMonitor: {enabled: true}}                                                 | metrics.podMonitor.authorization is empty
                    extraArgs: [--dry-run, --v=4]                                                          | use the value logging.verbosity
                    schedulerName: evenkeel                                                                | could not start while it is not running
                    """)
    void valuesThatContradictEachOtherAreRefusedWithTheRemedy(String values, String message) {
        assertThatThrownBy(() -> Chart.render(values)).hasMessageContaining(message);
    }

    /** That the first of those that are tried is taken is what {@link OpenApiTest} shows. */
    @Test
    void aServerOlderThanWhatIsTriedIsRefused() {
        assertThatThrownBy(() -> Chart.render(Target.USUAL.on("v1.29.15"), ""))
                .hasMessageContaining("requires kubeVersion: >=1.30.0-0");
    }
}
