package io.evenkeel.chart.manifests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.chart.helm.Chart;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which flags may be given besides the chart's own, and what is said of the others. */
class ExtraArgumentsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --config=/my/config.yaml                         | use the value config
                    --secure-port=443                                | use the value service.port
                    --secure_port=443                                | use the value service.port
                    --leader_elect=false                             | use the value config.leaderElection.leaderElect
                    --emulated-version=1.37                          | use the value emulatedVersion
                    --v=4                                            | use the value logging.verbosity
                    -v=4                                             | use the value logging.verbosity
                    -v5                                              | extraArgs has -v, which the chart goes by elsewhere too
                    -v                                               | use the value logging.verbosity
                    --plugins=/mine                                  | use the value plugins
                    --leader-elect=false                             | use the value config.leaderElection.leaderElect
                    --leader-elect                                   | use the value config.leaderElection.leaderElect
                    --leader-elect-resource-name=mine                | use the value config.leaderElection.resourceName
                    --leader-elect-resource-namespace=leases         | use the value config.leaderElection.resourceNamespace
                    --dry-run                                        | set replicas to 1
                    --write-config-to=/tmp/config.yaml               | would end at once
                    --once                                           | would end at once
                    -hv                                              | would end at once
                    --version                                        | would end at once
                    --bind-address=127.0.0.1                         | the probes and the Service would not find
                    --bind-address=10.0.0.7                          | use 0.0.0.0, :: or a variable as $(POD_IP)
                    '--authorization_always_allow_paths=/metrics,/livez' | without /readyz, which the probes ask for
                    '--authorization-always-allow-paths=/metrics,/livez' | without /readyz, which the probes ask for
                    """)
    void whatBreaksAPromiseOfTheChartIsRefusedWithTheRemedy(String argument, String message) {
        assertThatThrownBy(() -> Chart.render("extraArgs: [--assert, '%s']".formatted(argument)))
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--leader-elect-lease-duration=30s",
                "--kubeconfig=/elsewhere/kubeconfig",
                "--context=elsewhere",
                "--master=https://10.0.0.1:6443",
                "--insecure-port=10251",
                "--bind-address=0.0.0.0",
                "--bind-address=::",
                "--bind-address=$(POD_IP)",
                "--authorization-always-allow-paths=/livez,/readyz,/metrics",
                "--authorization-always-allow-paths=/*",
                "--authorization_always_allow_paths=/*",
                "--profiling=false",
                "--feature-gates=TaintTolerationComparisonOperators=true",
                "--vmodule=x"
            })
    void theRestIsHandedOn(String argument) {
        assertThat(Chart.render("extraArgs: ['%s']".formatted(argument)).arguments())
                .endsWith(argument);
    }

    @Test
    void aReleaseOfKubeSchedulerIsHandedOn() {
        assertThat(Chart.render("").arguments()).noneMatch(argument -> argument.startsWith("--emulated-version"));
        assertThat(Chart.render("emulatedVersion: '1.37'").arguments()).contains("--emulated-version=1.37");
    }

    /** The paths of several such flags are put together, as the scheduler does. */
    @Test
    void pathsMayBeSpreadOverFlags() {
        assertThat(Chart.render(
                                "extraArgs: [--authorization-always-allow-paths=/livez, --authorization-always-allow-paths=/readyz]")
                        .arguments())
                .endsWith("--authorization-always-allow-paths=/readyz");
    }

    @Test
    void aSingleReplicaMayOnlyTry() {
        assertThat(Chart.render("{replicas: 1, extraArgs: [--dry-run]}").arguments())
                .endsWith("--dry-run");
    }
}
