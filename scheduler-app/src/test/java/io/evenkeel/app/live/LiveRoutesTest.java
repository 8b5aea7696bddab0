package io.evenkeel.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.http.Client;
import io.evenkeel.app.http.EndpointServer;
import io.evenkeel.app.http.EndpointServer.AccessControl;
import io.evenkeel.app.metrics.LiveMetrics;
import io.evenkeel.app.metrics.MetricsOptions.ShownMetrics;
import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ScriptedTransport;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
        assertThat(of(
                        FeatureGates.DEFAULTS,
                        routes -> routes.status("1.0", CompatibilityLevel.FIRST).paths()))
                .containsExactly("/configz", "/flagz", "/healthz", "/livez", "/metrics", "/readyz");
        assertThat(of(
                        FeatureGates.with(Map.of("ComponentFlagz", false)),
                        routes -> routes.status("1.0", CompatibilityLevel.FIRST).paths()))
                .doesNotContain("/flagz");
    }

    @Test
    void whoTurnsProfilingOffServesNeitherProfilesNorFlags() {
        SchedulerConfiguration without = SchedulerConfiguration.defaults().toBuilder()
                .profiling(false, false)
                .build();
        List<String> added =
                List.of("/debug/flags/v", "/debug/flags/vmodule", "/debug/pprof/allocs", "/debug/pprof/profile");

        assertThat(paths(FeatureGates.DEFAULTS)).containsAll(added);
        assertThat(of(without, routes -> routes.routes().paths())).doesNotContainAnyElementsOf(added);
    }

    /** In the reference's words. */
    @Test
    void thePutOfAFlagChangesTheLog() {
        var answers = of(SchedulerConfiguration.defaults(), routes -> {
            try (EndpointServer server = EndpointServer.plain(
                            Client.freePort(), routes.routes(), AccessControl.OPEN_TO_ALL, Client.UNHARMED);
                    Client client = new Client(server)) {
                Logger any = LoggerFactory.getLogger("io.evenkeel.app.live.Any");
                return List.of(
                        client.put("/debug/flags/v", "4").body(),
                        "debug " + any.isDebugEnabled() + ", trace " + any.isTraceEnabled(),
                        client.put("/debug/flags/vmodule", "live=5").body(),
                        "trace " + any.isTraceEnabled(),
                        client.put("/debug/flags/vmodule", "").body(),
                        client.put("/debug/flags/v", "much").body(),
                        client.put("/debug/flags/v", "2").body(),
                        "debug " + any.isDebugEnabled());
            } catch (IOException | InterruptedException broken) {
                throw new IllegalStateException(broken);
            }
        });

        assertThat(answers)
                .containsExactly(
                        "successfully set klog.logging.verbosity to 4",
                        "debug true, trace false",
                        "successfully set klog.logging.vmodule to live=5",
                        "trace true",
                        "successfully set klog.logging.vmodule to ",
                        "failed set klog.logging.verbosity much: expected a whole number from 0 on\n",
                        "successfully set klog.logging.verbosity to 2",
                        "debug false");
    }

    private static List<String> paths(FeatureGates gates) {
        return of(gates, routes -> routes.routes().paths());
    }

    private static List<String> of(FeatureGates gates, Function<LiveRoutes, List<String>> asked) {
        return of(
                SchedulerConfiguration.defaults().toBuilder()
                        .featureGates(gates)
                        .build(),
                asked);
    }

    private static List<String> of(SchedulerConfiguration configuration, Function<LiveRoutes, List<String>> asked) {
        LiveMetrics metrics = new LiveMetrics("evenkeel", "1.0", configuration.featureGates(), ShownMetrics.ALL);
        ScriptedTransport transport = new ScriptedTransport(_ -> Answers.of(500, ""));
        try (DrivenScheduler scheduler = new DrivenScheduler(transport, LiveObservers.of(metrics, List.of()), false);
                LiveRoutes routes = new LiveRoutes(
                        scheduler.live(), metrics, configuration, Map.of(), transport, "1.0", List.of())) {
            return asked.apply(routes);
        }
    }
}
