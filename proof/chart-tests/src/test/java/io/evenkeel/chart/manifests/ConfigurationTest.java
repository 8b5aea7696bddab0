package io.evenkeel.chart.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.chart.helm.Chart;
import io.evenkeel.chart.helm.Manifest;
import io.evenkeel.chart.helm.Manifests;
import io.evenkeel.chart.helm.Target;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.ShardSettings;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.model.json.Trees;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The configuration that the scheduler gets, and what else depends on it. */
class ConfigurationTest {
    @Test
    void byDefaultTheProfileEvenkeelAndALeaseWhereTheReleaseIs() {
        SchedulerConfiguration configuration = configuration("");
        assertThat(configuration.profiles()).containsExactly(Profile.defaults().named("evenkeel"));
        assertThat(configuration.leaderElection().leaderElect()).isTrue();
        assertThat(configuration.leaderElection().resourceNamespace()).isEqualTo("kube-system");
        assertThat(configuration.leaderElection().resourceName()).isEqualTo("evenkeel");
        assertThat(configuration.clientConnection().qps()).isEqualTo(200);
        assertThat(configuration.clientConnection().burst()).isEqualTo(400);
    }

    @Test
    void whatIsSaidIsLaidOverTheDefaults() {
        SchedulerConfiguration configuration = configuration(
                "config: {clientConnection: {qps: 1000}, profiles: [{schedulerName: a}, {schedulerName: b}]}");
        assertThat(configuration.clientConnection().qps()).isEqualTo(1000);
        assertThat(configuration.clientConnection().burst()).isEqualTo(400);
        assertThat(configuration.profiles()).extracting(Profile::schedulerName).containsExactly("a", "b");
    }

    @Test
    void twoReleasesInANamespaceHaveALeaseEach() {
        assertThat(Chart.render(Target.USUAL.named("other"), "").configuration())
                .contains("resourceName: other-evenkeel");
    }

    @Test
    void otherConfigurationMeansOtherPods() {
        String checksum = checksum("");
        assertThat(checksum("config: {percentageOfNodesToScore: 50}")).isNotEqualTo(checksum);
        assertThat(checksum("config: {clientConnection: {qps: 200}}")).isEqualTo(checksum);
        assertThat(checksum("commonLabels: {a: b}")).isEqualTo(checksum);
    }

    @Test
    void theChecksumIsTheChartsOwn() {
        assertThat(checksum("podAnnotations: {checksum/config: mine, other: theirs}"))
                .isEqualTo(checksum(""));
    }

    @Test
    void theRoleIsForTheLeaseThatIsConfigured() {
        assertThat(leaseOf("config: {leaderElection: {resourceName: mine, resourceNamespace: leases}}"))
                .isEqualTo("leases/mine");
    }

    @Test
    void kubeSchedulersOwnLeaseMeansOursAsWithTheScheduler() {
        assertThat(leaseOf("config: {leaderElection: {resourceName: kube-scheduler}}"))
                .isEqualTo("kube-system/evenkeel");
    }

    @Test
    void shardsAreWhatTheConfigurationSays() {
        assertThat(configuration("").shards()).isEqualTo(ShardSettings.NONE);
        assertThat(configuration("shards: {count: 4}").shards()).isEqualTo(new ShardSettings("", List.of(), 4, false));
        assertThat(configuration("shards: {nodeLabel: example.com/pool, values: [b, a, ''], across: Refuse}")
                        .shards())
                .isEqualTo(new ShardSettings("example.com/pool", List.of("b", "a", ""), 1, true));
    }

    /** Also those that replicas hold which were told otherwise, until they have gone. */
    @Test
    void whereThereAreShardsTheRoleIsForTheLeasesOfAsManyAsThereMayBe() {
        for (String shards : List.of("{count: 1}", "{count: 64}", "{nodeLabel: pool, values: [a]}")) {
            assertThat(leaseOf("shards: " + shards))
                    .startsWith("kube-system/evenkeel,evenkeel-shard-0,evenkeel-shard-1,")
                    .endsWith(",evenkeel-shard-" + (ShardSettings.MOST_SHARDS - 1));
        }
    }

    @Test
    void withoutAnElectionThereIsNoRightToALease() {
        Manifests rendered = Chart.render("{replicas: 1, config: {leaderElection: {leaderElect: false}}}");
        assertThat(rendered.find("Role", "evenkeel")).isEmpty();
        assertThat(rendered.find("RoleBinding", "evenkeel")).isEmpty();
    }

    private static SchedulerConfiguration configuration(String values) {
        return new ConfigurationReader()
                .read("config.yaml", Chart.render(values).configuration());
    }

    private static String checksum(String values) {
        return Chart.render(values).deployment().text("spec", "template", "metadata", "annotations", "checksum/config");
    }

    /** Namespace and name of the Lease that the Role is for. */
    private static String leaseOf(String values) {
        Manifest role = Chart.render(values).ofKind("Role").stream()
                .filter(each -> each.objects("rules").stream()
                        .anyMatch(rule -> Trees.texts(rule, "resources").contains("leases")))
                .findFirst()
                .orElseThrow();
        List<String> names = role.objects("rules").stream()
                .flatMap(rule -> Trees.texts(rule, "resourceNames").stream())
                .toList();
        return role.namespace() + "/" + String.join(",", names);
    }
}
