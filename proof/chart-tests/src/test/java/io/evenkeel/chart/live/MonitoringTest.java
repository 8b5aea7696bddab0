package io.evenkeel.chart.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.chart.helm.Chart;
import io.evenkeel.chart.helm.Manifests;
import io.evenkeel.hollow.Authorizer;
import io.evenkeel.hollow.HollowOptions;
import io.evenkeel.model.json.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Alerts, their runbook and the dashboard ask for metrics that there are, by labels that these have. */
class MonitoringTest {
    private static final Manifests RENDERED = Chart.render(Workday.VALUES + """

            rebalance: {enabled: true}
            metrics:
              serviceMonitor: {enabled: true}
              prometheusRule: {enabled: true}
              dashboard: {enabled: true}
            config:
              profiles:
              - schedulerName: evenkeel
                plugins: {multiPoint: {enabled: [{name: GroupPlacement}, {name: PlacementPolicy}]}}
            """);

    private static final Pattern METRIC = Pattern.compile("\\b(scheduler|evenkeel|rest_client|jvm|process)_\\w+");

    private static final Set<String> OF_EACH_ENGINE = Set.of(
            "scheduler_pending_pods",
            "scheduler_cache_size",
            "scheduler_unschedulable_pods",
            "scheduler_pending_async_api_calls");

    private static Scrape scrape;

    @BeforeAll
    static void work(@TempDir Path folder) throws Exception {
        String metrics = Workday.of(
                        folder, RENDERED, "scheduler", Authorizer.ALLOW_AUTHENTICATED, HollowOptions.DEFAULT)
                .metrics();
        scrape = Scrape.read(metrics);
    }

    @Test
    void theAlertsAreThoseThatWerePromised() {
        assertThat(rules())
                .extracting(rule -> Trees.text(rule, "alert"))
                .containsExactly(
                        "EvenkeelNoLeader",
                        "EvenkeelManyLeaders",
                        "EvenkeelLeaderNotReady",
                        "EvenkeelUnschedulableSpike",
                        "EvenkeelSlowAttempts",
                        "EvenkeelSchedulingErrors",
                        "EvenkeelSpreadSkew",
                        "EvenkeelGangDegraded",
                        "EvenkeelPolicyViolated",
                        "EvenkeelPolicyUnsatisfiable",
                        "EvenkeelRebalancingFails",
                        "EvenkeelWatchBroken");
    }

    @Test
    void alertsAskForWhatThereIs() {
        assertThat(rules())
                .allSatisfy(rule -> new Expression(Trees.text(rule, "expr")).check(scrape))
                .allSatisfy(rule ->
                        assertThat(Trees.text(rule, "expr")).contains("{job=\"evenkeel\",namespace=\"kube-system\""));
    }

    @Test
    void theDashboardAsksForWhatThereIs() {
        JsonObject dashboard = JsonParser.parseString(RENDERED.find("ConfigMap", "evenkeel-dashboard")
                        .orElseThrow()
                        .text("data", "evenkeel.json"))
                .getAsJsonObject();
        List<JsonObject> panels = Trees.objects(dashboard, "panels");
        assertThat(expressions(panels))
                .hasSizeGreaterThan(20)
                .allSatisfy(expression -> new Expression(expression).check(scrape))
                .allSatisfy(expression -> assertThat(expression).contains("{job=~\"$job\",namespace=~\"$namespace\""));
        assertThat(expressions(panelsOf("Spread, and what keeps pods waiting", panels)))
                .extracting(MonitoringTest::metricOf)
                .containsExactly(
                        "evenkeel_spread_skew",
                        "evenkeel_spread_skew",
                        "evenkeel_spread_violating_domains",
                        "scheduler_unschedulable_pods",
                        "evenkeel_policy_waiting_pods",
                        "evenkeel_policy_unsatisfiable",
                        "evenkeel_gangs_degraded");
    }

    /** Of several that share a cluster each tells of its own pods and nodes; the overseer of all nodes. */
    @Test
    void theDashboardTellsEnginesApart() {
        List<JsonObject> panels = Trees.objects(
                JsonParser.parseString(RENDERED.find("ConfigMap", "evenkeel-dashboard")
                                .orElseThrow()
                                .text("data", "evenkeel.json"))
                        .getAsJsonObject(),
                "panels");
        assertThat(expressions(panels))
                .filteredOn(expression -> OF_EACH_ENGINE.contains(metricOf(expression)))
                .hasSize(6)
                .allSatisfy(expression -> assertThat(expression).contains("by (shard"));
        assertThat(expressions(panels))
                .filteredOn(expression -> metricOf(expression).equals("scheduler_cache_size"))
                .allSatisfy(expression -> assertThat(expression).contains("shard!=\"overseer\""));
    }

    /** Those from this row to the next one. */
    private static List<JsonObject> panelsOf(String row, List<JsonObject> panels) {
        return panels.stream()
                .dropWhile(panel -> !Trees.text(panel, "title").equals(row))
                .skip(1)
                .takeWhile(panel -> !Trees.text(panel, "type").equals("row"))
                .toList();
    }

    private static List<String> expressions(List<JsonObject> panels) {
        return panels.stream()
                .flatMap(panel -> panel.has("targets") ? Trees.objects(panel, "targets").stream() : Stream.empty())
                .map(target -> Trees.text(target, "expr"))
                .toList();
    }

    /** The first one. */
    private static String metricOf(String expression) {
        return METRIC.matcher(expression).results().findFirst().orElseThrow().group();
    }

    /** So far as they find something of kube-scheduler. */
    @Test
    void theDashboardAndAlertsOfKubernetesMixinAskForWhatThereIs() {
        List<MixinQuery> queries = MixinQuery.all();

        assertThat(queries).hasSize(24).allSatisfy(query -> {
            if (query.absent().isEmpty()) {
                query.expression().check(scrape, query.rare());
            } else {
                assertThat(query.expression().asksInVainOf(scrape))
                        .as("%s: %s", query.expression().text(), query.absent())
                        .isTrue();
            }
        });
    }

    /** What comes before the suffixes of histograms and the like is enough. */
    @Test
    void theRunbookAsksForWhatThereIs() throws IOException {
        String runbook = Files.readString(Path.of("../..", "docs", "alerts.md"));
        assertThat(METRIC.matcher(runbook).results().map(MatchResult::group).toList())
                .hasSizeGreaterThan(10)
                .allSatisfy(metric ->
                        assertThat(scrape.labelsOfMetrics().keySet()).anyMatch(seen -> seen.startsWith(metric)));
    }

    private static List<JsonObject> rules() {
        return RENDERED.the("PrometheusRule").objects("spec", "groups").stream()
                .flatMap(group -> Trees.objects(group, "rules").stream())
                .toList();
    }
}
