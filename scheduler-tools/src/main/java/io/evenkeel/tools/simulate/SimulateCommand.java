package io.evenkeel.tools.simulate;

import io.evenkeel.app.cli.ClusterListing;
import io.evenkeel.app.cli.Version;
import io.evenkeel.app.option.ConfigurationFile;
import io.evenkeel.app.option.FeatureGateOptions;
import io.evenkeel.app.option.ServerRelease;
import io.evenkeel.app.plugin.OutOfTreePlugins;
import io.evenkeel.app.plugin.OutOfTreePlugins.PluginOptions;
import io.evenkeel.cluster.shape.PodRequests;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.ConfigurationWriter;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.Annotations;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.UnreadObject;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.write.ObjectWriter;
import io.evenkeel.model.write.Tree;
import io.evenkeel.tools.dump.Dump;
import io.evenkeel.tools.dump.SourceOptions;
import io.evenkeel.tools.output.Layout;
import io.evenkeel.tools.output.Output;
import io.evenkeel.tools.simulate.Outcome.Decided;
import io.evenkeel.tools.simulate.Outcome.Verdict;
import io.evenkeel.tools.why.UsualProfiles;
import io.evenkeel.whatif.ClusterSnapshot;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code evenkeel simulate}. */
@Command(
        name = "simulate",
        description = {
            "Says what would happen to a cluster if something changed.",
            "Manifests are applied, workloads scaled, nodes added, drained or lost, another configuration tried, all in"
                    + " memory: how many pods would be placed, which would wait and why, which would move, how evenly"
                    + " they would be spread and how full it would be. Nothing is written to the cluster."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  evenkeel simulate --drain node-3",
            "  evenkeel simulate --dump cluster.dump.gz --add-nodes 2 --like node-3"
        },
        mixinStandardHelpOptions = true)
public final class SimulateCommand implements Callable<Integer> {
    /** Kinds that say to whom pods belong, what protects them and what is made for them, whatever plugins read. */
    private static final List<Kind<?>> ALWAYS = List.of(
            Kinds.NAMESPACE,
            Kinds.PRIORITY_CLASS,
            Kinds.POD_DISRUPTION_BUDGET,
            Kinds.REPLICA_SET,
            Kinds.STATEFUL_SET,
            Kinds.RESOURCE_CLAIM_TEMPLATE);

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ChangeOptions what = new ChangeOptions();

    @Mixin
    private SourceOptions source = new SourceOptions();

    @Option(names = "--empty", description = "No cluster: manifests bring the nodes too")
    private boolean empty;

    @Mixin
    private PlacingOptions placing = new PlacingOptions();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            converter = SimulateOutput.Names.class,
            completionCandidates = SimulateOutput.Names.class,
            description = "text, for people to read, json, one line, scenario, a line that replay takes, or dump, the"
                    + " cluster as it is then, which --dump takes (default: text)")
    private SimulateOutput output = SimulateOutput.TEXT;

    @Mixin
    private FeatureGateOptions features = new FeatureGateOptions();

    @Mixin
    private PluginOptions plugins = new PluginOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        OutOfTreePlugins outOfTree = plugins.load();
        PluginRegistry registry = outOfTree.registry();
        PlacingOptions.Named configured;
        Optional<PlacingOptions.Named> compared;
        List<String> ofManifests = new ArrayList<>();
        List<ClusterChange> changes;
        ClusterPicture picture;
        if (source.named() + (empty ? 1 : 0) > 1) {
            throw new ParameterException(spec.commandLine(), "--from, --dump, --empty: one of these");
        }
        try (SourceOptions.Source opened = empty ? SourceOptions.Source.EMPTY : source.open()) {
            FeatureGates gates = features.gates(() -> opened.cluster().flatMap(ServerRelease::of));
            configured = placing.placing(gates, registry);
            compared = placing.comparing(gates, registry);
            outOfTree.warnOfUnused();
            Set<Kind<?>> needed = new LinkedHashSet<>(ALWAYS);
            needed.addAll(new ClusterSnapshot(configured.configuration(), registry).kinds());
            compared.ifPresent(other -> needed.addAll(new ClusterSnapshot(other.configuration(), registry).kinds()));
            Kinds kinds = Kinds.of(needed);
            changes = what.changes(Kinds.IN_TREE.with(needed), opened.namespace(), ofManifests::add);
            picture = new ClusterPicture(opened.objects(kinds, ClusterListing.warningsTo(err)));
        }
        ChangedCluster cluster = new ChangedCluster(picture);
        ofManifests.forEach(cluster::remark);
        cluster.change(changes);
        if (changes.isEmpty()) {
            cluster.changed("nothing changed: the pods that wait, placed as far as they can be");
        }
        print(cluster, configured, compared, registry, remarks(cluster, configured));
        return ExitCode.OK;
    }

    private static PodRequests requests(PlacingOptions.Named placing) {
        return PodRequests.at(placing.configuration().featureGates());
    }

    private void print(
            ChangedCluster cluster,
            PlacingOptions.Named configured,
            Optional<PlacingOptions.Named> compared,
            PluginRegistry registry,
            List<String> remarks)
            throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        Outcome outcome = Simulation.run(cluster, configured.configuration(), registry);
        if (output == SimulateOutput.SCENARIO || output == SimulateOutput.DUMP) {
            Kinds kinds = Kinds.IN_TREE.with(new ClusterSnapshot(configured.configuration(), registry).kinds());
            if (output == SimulateOutput.SCENARIO) {
                out.println(ScenarioLine.of("simulate", cluster, outcome, configured.configuration(), kinds));
            } else {
                Dump.Header header = Dump.Header.now(new Version().number(), "simulate", false, Map.of());
                Dump.write(header, outcome.cluster(), kinds, UnaryOperator.identity(), out);
            }
            cluster.remarks()
                    .forEach(ClusterListing.warningsTo(spec.commandLine().getErr()));
        } else {
            Answer answer = Answer.of(cluster, outcome, requests(configured), remarks);
            if (compared.isPresent()) {
                Outcome other = Simulation.run(cluster, compared.get().configuration(), registry);
                answer = answer.comparedWith(
                        compared.get().name(), Answer.of(cluster, other, requests(compared.get()), List.of()));
            }
            Output form = output == SimulateOutput.JSON ? Output.JSON : Output.TEXT;
            out.println(form.of(answer, Layout.of(spec.usageMessage().width())));
        }
        out.flush();
    }

    private enum SimulateOutput {
        DUMP,
        JSON,
        SCENARIO,
        TEXT;

        private String written() {
            return name().toLowerCase(Locale.ROOT);
        }

        static final class Names implements ITypeConverter<SimulateOutput>, Iterable<String> {
            @Override
            public SimulateOutput convert(String value) {
                return Stream.of(values())
                        .filter(output -> output.written().equals(value))
                        .findFirst()
                        .orElseThrow(() -> new TypeConversionException(
                                "expected dump, json, scenario or text, got \"" + value + '"'));
            }

            @Override
            public Iterator<String> iterator() {
                return Stream.of(values()).map(SimulateOutput::written).iterator();
            }
        }
    }

    private static List<String> remarks(ChangedCluster cluster, PlacingOptions.Named configured) {
        List<String> remarks = new ArrayList<>();
        SchedulerConfiguration configuration = configured.configuration();
        Profile first = configuration.profiles().getFirst();
        Map<String, Profile> profiles = configuration.profiles().stream()
                .collect(Collectors.toMap(Profile::schedulerName, Function.identity()));
        Set<String> others = new TreeSet<>();
        for (Arrival arrival : cluster.arrivals()) {
            String name = arrival.pod().spec().schedulerName();
            if (!profiles.containsKey(name)) {
                others.add(name);
            }
        }
        others.forEach(name -> remarks.add("pods of schedulerName \"" + name
                + "\", which is no profile, are placed as \"" + first.schedulerName() + "\" would"));
        if (configured.isUsual() && !cluster.arrivals().isEmpty()) {
            remarks.add("placed by kube-scheduler's default plugins; --config names what the cluster's scheduler is"
                    + " configured with");
        }
        boolean arePolicies = Stream.of(Kinds.PLACEMENT_POLICY, Kinds.CLUSTER_PLACEMENT_POLICY)
                .anyMatch(kind -> !cluster.picture().all(kind.name()).isEmpty());
        if (configured.isUsual()
                && arePolicies
                && cluster.arrivals().stream()
                        .anyMatch(
                                arrival -> !arrival.pod().spec().schedulerName().equals(Profile.OWN_NAME))) {
            remarks.add("PlacementPolicies are kept for pods of schedulerName " + Profile.OWN_NAME + " alone");
        }
        if (cluster.arrivals().stream()
                .map(Arrival::pod)
                .filter(pod -> pod.meta().annotations().has(Annotations.GROUP_PLACEMENT))
                .map(pod -> profiles.getOrDefault(pod.spec().schedulerName(), first))
                .anyMatch(profile -> !profile.plugins().enabledNames().contains("GroupPlacement"))) {
            remarks.add("the annotation " + Annotations.GROUP_PLACEMENT + " of pods is without effect:"
                    + " GroupPlacement is not enabled in their profile");
        }
        if (!configuration.extenders().isEmpty()) {
            remarks.add("extenders are not asked: each is taken to agree");
        }
        if (cluster.arrivals().stream()
                .map(Arrival::pod)
                .filter(pod -> !pod.spec().resourceClaims().isEmpty())
                .map(pod -> profiles.getOrDefault(pod.spec().schedulerName(), first))
                .anyMatch(profile -> !profile.plugins().enabledNames().contains("DynamicResources"))) {
            remarks.add("devices that pods claim are not looked at: DynamicResources is not enabled in their profile");
        }
        return remarks;
    }

    /** Options that say by which configuration pods are placed, and which it is compared with. */
    private static final class PlacingOptions {
        @Spec(Spec.Target.MIXEE)
        private CommandSpec spec = CommandSpec.create();

        @Option(
                names = "--config",
                paramLabel = "FILE",
                description = "KubeSchedulerConfiguration to place pods by, compared with that of --against"
                        + " (default: the default plugins, compared with nothing)")
        private Optional<Path> config = Optional.empty();

        @Option(
                names = "--against",
                paramLabel = "FILE",
                description = "KubeSchedulerConfiguration to compare --config with (default: the default plugins)")
        private Optional<Path> against = Optional.empty();

        /**
         * A configuration by the name that it has in answers.
         *
         * @param isUsual whether it is none of the user's
         */
        record Named(String name, SchedulerConfiguration configuration, boolean isUsual) {}

        Named placing(FeatureGates gates, PluginRegistry registry) {
            return named(config, gates, registry);
        }

        /** Empty where there is nothing to compare. */
        Optional<Named> comparing(FeatureGates gates, PluginRegistry registry) {
            if (config.isEmpty()) {
                if (against.isPresent()) {
                    throw new ParameterException(
                            spec.commandLine(), "--against goes with --config, which is not there");
                }
                return Optional.empty();
            }
            return Optional.of(named(against, gates, registry));
        }

        private static Named named(Optional<Path> file, FeatureGates gates, PluginRegistry registry) {
            return new Named(
                    file.map(Path::toString).orElse("the default plugins"),
                    UsualProfiles.ofFileOr(
                            file, file.map(ConfigurationFile::read), UsualProfiles.OF_A_CLUSTER, _ -> gates, registry),
                    file.isEmpty());
        }
    }

    /** A simulation as a scenario that replay takes: the changed cluster, and the pods in the order in which they were decided. */
    private static final class ScenarioLine {
        private ScenarioLine() {}

        static String of(
                String name,
                ChangedCluster cluster,
                Outcome outcome,
                SchedulerConfiguration configuration,
                Kinds kinds) {
            ObjectWriter writer = new ObjectWriter(kinds);
            Map<String, Verdict> verdicts = new HashMap<>();
            for (Decided decided : outcome.pods()) {
                verdicts.put(decided.arrival().pod().key(), decided.verdict());
            }
            Tree gates = new Tree();
            configuration.featureGates().set().forEach(gates::put);
            Tree expected = new Tree();
            outcome.inOrder()
                    .forEach(pod -> expected.put(
                            pod.key(),
                            Answer.node(verdicts.getOrDefault(pod.key(), new Verdict.Waits("")))
                                    .orElse("")));
            return new Tree()
                    .put("name", name)
                    .put("version", configuration.featureGates().level().toString())
                    .put("config", new Tree.Raw(new ConfigurationWriter().writeJson(configuration)))
                    .put("featureGates", gates)
                    .put("objects", read(cluster), object -> new Tree.Raw(writer.json(object)))
                    .put("pods", outcome.inOrder(), pod -> new Tree.Raw(writer.json(pod)))
                    .put("expected", expected)
                    .json();
        }

        private static List<KubernetesObject> read(ChangedCluster cluster) {
            return cluster.picture().all().stream()
                    .filter(object -> !(object instanceof UnreadObject))
                    .toList();
        }
    }
}
