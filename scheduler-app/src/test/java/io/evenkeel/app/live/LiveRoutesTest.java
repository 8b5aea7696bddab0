package io.evenkeel.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.metrics.LiveMetrics;
import io.evenkeel.app.metrics.MetricsOptions.ShownMetrics;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ScriptedTransport;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class LiveRoutesTest {
    @Test
    void whatKubeSchedulerServesIsServed() {
        assertThat(paths(FeatureGates.DEFAULTS))
                .contains(
                        "/healthz",
                        "/livez",
                        "/readyz",
                        "/metrics",
                        "/metrics/slis",
                        "/metrics/resources",
                        "/configz",
                        "/flagz",
                        "/statusz");
    }

    @Test
    void pagesWhoseGateIsOffAreNotThere() {
        assertThat(paths(FeatureGates.with(Map.of("ComponentFlagz", false))))
                .contains("/statusz")
                .doesNotContain("/flagz");
        assertThat(paths(FeatureGates.with(Map.of("ComponentStatusz", false))))
                .contains("/flagz")
                .doesNotContain("/statusz");
    }

    /** Kubernetes' own tests compare the list. */
    @Test
    void theStatusListsWhatKubeSchedulersDoes() {
        assertThat(of(FeatureGates.DEFAULTS, routes -> routes.status("1.0").paths()))
                .containsExactly("/configz", "/flagz", "/healthz", "/livez", "/metrics", "/readyz");
        assertThat(of(
                        FeatureGates.with(Map.of("ComponentFlagz", false)),
                        routes -> routes.status("1.0").paths()))
                .doesNotContain("/flagz");
    }

    private static List<String> paths(FeatureGates gates) {
        return of(gates, routes -> routes.routes().paths());
    }

    private static List<String> of(FeatureGates gates, Function<LiveRoutes, List<String>> asked) {
        LiveMetrics metrics = new LiveMetrics("evenkeel", "1.0", gates, ShownMetrics.ALL);
        ScriptedTransport transport = new ScriptedTransport(_ -> Answers.of(500, ""));
        SchedulerConfiguration configuration = SchedulerConfiguration.defaults().toBuilder()
                .featureGates(gates)
                .build();
        try (DrivenScheduler scheduler = new DrivenScheduler(transport, LiveObservers.of(metrics, List.of()), false);
                LiveRoutes routes = new LiveRoutes(
                        scheduler.live(), metrics, configuration, Map.of(), transport, "1.0", List.of())) {
            return asked.apply(routes);
        }
    }
}
