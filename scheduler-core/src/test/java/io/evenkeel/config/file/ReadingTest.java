package io.evenkeel.config.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.config.DefaultPlugins;
import io.evenkeel.config.Extender;
import io.evenkeel.config.ExtensionPoint;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.PluginArgs;
import io.evenkeel.config.PluginArgs.DefaultPreemptionArgs;
import io.evenkeel.config.PluginArgs.DynamicResourcesArgs;
import io.evenkeel.config.PluginArgs.InterPodAffinityArgs;
import io.evenkeel.config.PluginArgs.NodeAffinityArgs;
import io.evenkeel.config.PluginArgs.NodeResourcesBalancedAllocationArgs;
import io.evenkeel.config.PluginArgs.NodeResourcesFitArgs;
import io.evenkeel.config.PluginArgs.OpaqueArgs;
import io.evenkeel.config.PluginArgs.PodTopologySpreadArgs;
import io.evenkeel.config.PluginArgs.ResourceWeight;
import io.evenkeel.config.PluginArgs.ScoringStrategy;
import io.evenkeel.config.PluginArgs.UtilizationShape.ShapePoint;
import io.evenkeel.config.PluginArgs.VolumeBindingArgs;
import io.evenkeel.config.Plugins.EnabledPlugin;
import io.evenkeel.config.Plugins.PluginSet;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.SchedulerConfiguration.ClientConnection;
import io.evenkeel.config.SchedulerConfiguration.LeaderElection;
import io.evenkeel.config.ShardSettings;
import io.evenkeel.model.constraint.NodeAffinity;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelSelector;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReadingTest {
    private static final String EMPTY =
            "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";

    private final ConfigurationReader reader = new ConfigurationReader();

    @Test
    void aConfigurationThatSaysNothingIsTheDefaultOne() {
        assertThat(read("")).isEqualTo(SchedulerConfiguration.defaults());
        assertThat(read("profiles: []\nleaderElection: {}\nclientConnection:\n"))
                .isEqualTo(SchedulerConfiguration.defaults());
    }

    @Test
    void whatABuilderIsNotToldStaysAsItWas() {
        assertThat(full().toBuilder().build()).isEqualTo(full());
    }

    @Test
    void theDefaultsAreThoseOfKubeScheduler() {
        SchedulerConfiguration defaults = SchedulerConfiguration.defaults();

        assertThat(defaults.parallelism()).isEqualTo(16);
        assertThat(defaults.leaderElection())
                .isEqualTo(new LeaderElection(
                        true,
                        Duration.ofSeconds(15),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(2),
                        "leases",
                        "kube-scheduler",
                        "kube-system"));
        assertThat(defaults.clientConnection())
                .isEqualTo(new ClientConnection("", "", "application/vnd.kubernetes.protobuf", 50, 100));
        assertThat(defaults.profiles()).singleElement().satisfies(profile -> {
            assertThat(profile.schedulerName()).isEqualTo("default-scheduler");
            assertThat(profile.plugins().at(ExtensionPoint.MULTI_POINT).enabled())
                    .isEqualTo(DefaultPlugins.MULTI_POINT);
            assertThat(profile.pluginArgs())
                    .containsOnly(
                            Map.entry("DefaultPreemption", new DefaultPreemptionArgs(10, 100)),
                            Map.entry("DynamicResources", DynamicResourcesArgs.defaults()),
                            Map.entry("InterPodAffinity", new InterPodAffinityArgs(1, false, false)),
                            Map.entry("NodeAffinity", NodeAffinityArgs.defaults()),
                            Map.entry(
                                    "NodeResourcesBalancedAllocation", NodeResourcesBalancedAllocationArgs.defaults()),
                            Map.entry("NodeResourcesFit", NodeResourcesFitArgs.defaults()),
                            Map.entry("PodTopologySpread", PodTopologySpreadArgs.defaults()),
                            Map.entry("VolumeBinding", new VolumeBindingArgs(600, Optional.empty())));
        });
    }

    @Test
    void everyTopLevelFieldIsRead() {
        SchedulerConfiguration full = full();

        assertThat(full.parallelism()).isEqualTo(8);
        assertThat(full.shards()).isEqualTo(new ShardSettings("example.com/pool", List.of("a", "b"), 1, true));
        assertThat(full.leaderElection())
                .isEqualTo(new LeaderElection(
                        false,
                        Duration.ofMinutes(1),
                        Duration.ofSeconds(40),
                        Duration.ofMillis(1500),
                        "leases",
                        "evenkeel",
                        "scheduling"));
        assertThat(full.clientConnection())
                .isEqualTo(new ClientConnection(
                        "/etc/evenkeel/kubeconfig", "application/json", "application/json", 12.5f, 64));
        assertThat(full.enableProfiling()).isFalse();
        assertThat(full.enableContentionProfiling()).as("follows profiling").isFalse();
        assertThat(full.percentageOfNodesToScore()).isEqualTo(40);
        assertThat(full.podInitialBackoffSeconds()).isEqualTo(2);
        assertThat(full.podMaxBackoffSeconds()).isEqualTo(20);
        assertThat(full.delayCacheUntilActive()).isTrue();
        assertThat(full.profiles()).extracting(Profile::schedulerName).containsExactly("packed", "plain");
    }

    @Test
    void everyKindOfPluginArgumentsIsRead() {
        Map<String, PluginArgs> args = full().profiles().getFirst().pluginArgs();

        assertThat(args)
                .containsEntry(
                        "NodeResourcesFit",
                        new NodeResourcesFitArgs(
                                List.of("example.com/gpu"),
                                List.of("example.org"),
                                new ScoringStrategy(
                                        ScoringStrategy.Type.REQUESTED_TO_CAPACITY_RATIO,
                                        List.of(new ResourceWeight("cpu", 3), new ResourceWeight("example.com/gpu", 1)),
                                        List.of(new ShapePoint(0, 10), new ShapePoint(100, 0)))))
                .containsEntry(
                        "NodeResourcesBalancedAllocation",
                        new NodeResourcesBalancedAllocationArgs(List.of(new ResourceWeight("cpu", 1))))
                .containsEntry("InterPodAffinity", new InterPodAffinityArgs(100, true, true))
                .containsEntry("DefaultPreemption", new DefaultPreemptionArgs(0, 5))
                .containsEntry(
                        "VolumeBinding",
                        new VolumeBindingArgs(60, Optional.of(List.of(new ShapePoint(0, 0), new ShapePoint(100, 10)))))
                .containsEntry(
                        "DynamicResources", new DynamicResourcesArgs(Duration.ZERO, Duration.parse("PT1H2M3.5S")));
    }

    @Test
    void defaultConstraintsHaveNoSelectorOfTheirOwn() {
        assertThat(full().profiles().getFirst().argsOf("PodTopologySpread"))
                .contains(new PodTopologySpreadArgs(
                        PodTopologySpreadArgs.DefaultingType.LIST,
                        List.of(
                                new TopologySpreadConstraint(
                                        2,
                                        "topology.kubernetes.io/zone",
                                        WhenUnsatisfiable.DO_NOT_SCHEDULE,
                                        LabelSelector.NOTHING,
                                        3,
                                        NodeInclusionPolicy.IGNORE,
                                        NodeInclusionPolicy.HONOR,
                                        List.of("version")),
                                TopologySpreadConstraint.of(
                                        1,
                                        "topology.kubernetes.io/zone",
                                        WhenUnsatisfiable.SCHEDULE_ANYWAY,
                                        LabelSelector.NOTHING))));
    }

    @Test
    void addedAffinityIsRead() {
        NodeAffinityArgs args = (NodeAffinityArgs)
                full().profiles().getFirst().argsOf("NodeAffinity").orElseThrow();
        NodeAffinity affinity = args.addedAffinity().orElseThrow();

        assertThat(affinity.required().orElseThrow().terms())
                .extracting(NodeSelectorTerm::matchExpressions)
                .extracting(List::size)
                .containsExactly(3, 0);
        assertThat(affinity.preferred())
                .singleElement()
                .satisfies(term -> assertThat(term.weight()).isEqualTo(10));
    }

    @Test
    void argumentsOfAPluginFromOutsideStayATree() {
        assertThat(full().profiles().getFirst().argsOf("Outside"))
                .contains(new OpaqueArgs(Map.of(
                        "mode",
                        "fast",
                        "quoted",
                        "on",
                        "limits",
                        List.of(1L, 2.5, 1e20),
                        "nested",
                        Map.of("deep", Map.of("enabled", false)))));
        assertThat(read("profiles: [{pluginConfig: [{name: X, args: {n: 18446744073709551615}}]}]")
                        .profiles()
                        .getFirst()
                        .argsOf("X"))
                .contains(new OpaqueArgs(Map.of("n", new BigInteger("18446744073709551615"))));
    }

    @Test
    void aProfileHoldsItsOwnPluginsMergedWithTheDefaultOnes() {
        PluginSet multiPoint = full().profiles().getFirst().plugins().at(ExtensionPoint.MULTI_POINT);

        assertThat(multiPoint.enabled())
                .contains(new EnabledPlugin("NodeAffinity", 7))
                .doesNotContain(new EnabledPlugin("ImageLocality", 1))
                .endsWith(EnabledPlugin.of("NodeDeclaredFeatures"), EnabledPlugin.of("Outside"));
        assertThat(multiPoint.disabled()).containsExactly("ImageLocality");
    }

    @Test
    void mergedMappingsCount() {
        assertThat(full().profiles().getLast().plugins().at(ExtensionPoint.QUEUE_SORT))
                .isEqualTo(new PluginSet(List.of(EnabledPlugin.of("PrioritySort")), List.of("*")));
    }

    @Test
    void extendersAreRead() {
        assertThat(full().extenders())
                .containsExactly(new Extender(
                        "https://extender.example.com/scheduler",
                        "filter",
                        "preempt",
                        "prioritize",
                        5,
                        "bind",
                        true,
                        Optional.of(new Extender.Tls(
                                true, "extender", "/tls/cert", "/tls/key", "/tls/ca", "Y2VydA==", "a2V5", "Y2E=")),
                        Duration.ofMillis(500),
                        true,
                        List.of(new Extender.ManagedResource("example.com/fpga", true)),
                        true));
        assertThat(read("extenders: [{urlPrefix: http://x}]").extenders())
                .extracting(Extender::httpTimeout)
                .containsExactly(Duration.ofSeconds(5));
    }

    @Test
    void jsonIsReadToo() {
        String json = """
            {
            \t"apiVersion": "kubescheduler.config.k8s.io/v1",
            \t"kind": "KubeSchedulerConfiguration",
            \t"parallelism": 2
            }
            """;
        assertThat(reader.read("cfg.json", json).parallelism()).isEqualTo(2);
    }

    @Test
    void aSingleProfileWithoutNameIsTheDefaultScheduler() {
        assertThat(read("profiles: [{percentageOfNodesToScore: 5}]").profiles())
                .singleElement()
                .satisfies(profile -> {
                    assertThat(profile.schedulerName()).isEqualTo("default-scheduler");
                    assertThat(profile.percentageOfNodesToScore()).hasValue(5);
                });
    }

    @Test
    void whatIsWrittenReadsBackAsTheSame() {
        ConfigurationWriter writer = new ConfigurationWriter();

        for (SchedulerConfiguration configuration : List.of(full(), SchedulerConfiguration.defaults())) {
            assertThat(reader.read("written", writer.write(configuration))).isEqualTo(configuration);
            assertThat(reader.read("written", writer.writeJson(configuration))).isEqualTo(configuration);
        }
    }

    /** Written and read again at a level it means there what it meant. */
    @ParameterizedTest
    @EnumSource
    void howVolumesAreScoredIsWrittenWhereTheyAre(CompatibilityLevel level) {
        SchedulerConfiguration configuration = SchedulerConfiguration.defaults().toBuilder()
                .featureGates(FeatureGates.DEFAULTS.at(level))
                .build();
        String written = new ConfigurationWriter().write(configuration);

        Optional<List<ShapePoint>> shape = reader.read("written", written)
                .profiles()
                .getFirst()
                .argsOf("VolumeBinding")
                .map(VolumeBindingArgs.class::cast)
                .flatMap(VolumeBindingArgs::shape);
        assertThat(shape)
                .isEqualTo(
                        level == CompatibilityLevel.V1_36
                                ? Optional.empty()
                                : Optional.of(List.of(new ShapePoint(0, 10), new ShapePoint(100, 0))));
    }

    @Test
    void whatKubeSchedulerDoesNotKnowIsWrittenOnlyWhereItIsSet() {
        assertThat(new ConfigurationWriter().write(SchedulerConfiguration.defaults()))
                .doesNotContain("exactNamespaceSelectors");
        assertThat(new ConfigurationWriter().write(full())).contains("exactNamespaceSelectors: true");
    }

    @Test
    void aSelectorWithoutTermsSurvivesWriting() {
        SchedulerConfiguration configuration = read("""
            profiles:
              - pluginConfig:
                  - name: NodeAffinity
                    args:
                      addedAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: []}}
            """);
        String written = new ConfigurationWriter().write(configuration);

        assertThat(reader.read("written", written)).isEqualTo(configuration);
    }

    private SchedulerConfiguration read(String fields) {
        return reader.read("cfg.yaml", EMPTY + fields);
    }

    private SchedulerConfiguration full() {
        try (InputStream full = Objects.requireNonNull(ReadingTest.class.getResourceAsStream("/config/full.yaml"))) {
            return reader.read("full.yaml", new String(full.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
