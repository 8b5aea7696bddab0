package io.evenkeel.tools.simulate;

import io.evenkeel.app.option.Converters.Name;
import io.evenkeel.app.option.Converters.NameList;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.tools.simulate.ClusterChange.Applied;
import io.evenkeel.tools.simulate.ClusterChange.Drained;
import io.evenkeel.tools.simulate.ClusterChange.Lost;
import io.evenkeel.tools.simulate.ClusterChange.NodesAdded;
import io.evenkeel.tools.simulate.ClusterChange.PlacedAnew;
import io.evenkeel.tools.simulate.ClusterChange.Scaled;
import io.evenkeel.tools.why.Workload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Options that say what is changed. Nodes change first, then manifests are applied, then workloads scaled. */
final class ChangeOptions {
    private static final int MOST_NODES = 20_000;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            description = "Manifests in YAML or JSON: a file, a directory or - for standard input; may be given several"
                    + " times")
    private List<Path> manifests = new ArrayList<>();

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            converter = Name.class,
            description =
                    "Namespace of objects that name none (default: that of the kubeconfig's context, else default)")
    private Optional<String> namespace = Optional.empty();

    @Option(
            names = "--scale",
            paramLabel = "WORKLOAD=N",
            converter = ScaleOption.Converter.class,
            description = "Scale a workload to N pods: [NAMESPACE/]KIND/NAME=N, such as deploy/web=50; may be"
                    + " given several times")
    private List<ScaleOption> scales = new ArrayList<>();

    @Option(names = "--add-nodes", paramLabel = "N", description = "Number of nodes to add, copies of that of --like")
    private Optional<Integer> nodesAdded = Optional.empty();

    @Option(names = "--like", paramLabel = "NODE", converter = Name.class, description = "Node to copy")
    private Optional<String> like = Optional.empty();

    @Option(
            names = "--zone",
            paramLabel = "ZONE",
            converter = Name.class,
            description = "Zone of the added nodes (default: that of --like)")
    private Optional<String> zone = Optional.empty();

    @Option(
            names = "--drain",
            paramLabel = "NODE,...",
            converter = NameList.Converter.class,
            description = "Cordon and empty a node; may be given several times")
    private List<NameList> drained = new ArrayList<>();

    @Option(
            names = "--lose",
            paramLabel = "LABEL=VALUE",
            converter = LabelOption.Converter.class,
            description = "Remove all nodes with a label, and their pods; zone, region and node stand for the"
                    + " usual labels; may be given several times")
    private List<LabelOption> lost = new ArrayList<>();

    @Option(names = "--anew", description = "Place all pods again that have an owner, except DaemonSets'")
    private boolean anew;

    /**
     * In the order in which they are made.
     *
     * @param usualNamespace of objects, where none is said
     */
    List<ClusterChange> changes(Kinds kinds, String usualNamespace, Consumer<String> warnings) {
        String meant = namespace.orElse(usualNamespace);
        Map<Workload, Integer> asked = asked(meant);
        List<String> nodes = drainedNodes();
        List<Manifest> read = ManifestFiles.read(manifests, meant, warnings);
        Map<Workload, Integer> inManifests = new HashMap<>();
        List<ClusterChange> scaled = new ArrayList<>();
        asked.forEach((workload, replicas) -> {
            if (read.stream().anyMatch(manifest -> isOf(manifest, workload))) {
                inManifests.put(workload, replicas);
            } else {
                scaled.add(new Scaled(workload, replicas));
            }
        });
        List<ClusterChange> changes = new ArrayList<>();
        added().ifPresent(changes::add);
        lost.forEach(label -> changes.add(new Lost(label.key(), label.value())));
        if (!nodes.isEmpty()) {
            changes.add(new Drained(nodes));
        }
        if (anew) {
            changes.add(new PlacedAnew());
        }
        if (!read.isEmpty()) {
            changes.add(new Applied(read, kinds, inManifests));
        }
        changes.addAll(scaled);
        return changes;
    }

    private List<String> drainedNodes() {
        if (drained.stream().anyMatch(names -> names.names().isEmpty())) {
            throw mistake("--drain names no node");
        }
        return drained.stream()
                .flatMap(names -> names.names().stream())
                .distinct()
                .toList();
    }

    /** How many pods of each workload, in the order in which they were typed. */
    private Map<Workload, Integer> asked(String usualNamespace) {
        Map<Workload, Integer> asked = new LinkedHashMap<>();
        for (ScaleOption scale : scales) {
            Workload workload = scale.in(usualNamespace);
            Integer before = asked.put(workload, scale.replicas());
            if (before != null) {
                throw mistake("--scale names " + workload.title() + " twice, with " + before + " pods and with "
                        + scale.replicas());
            }
        }
        return asked;
    }

    private static boolean isOf(Manifest manifest, Workload workload) {
        return manifest.kind().equals(workload.kind())
                && manifest.name().equals(workload.name())
                && manifest.namespaceNamed().equals(workload.namespace());
    }

    private Optional<ClusterChange> added() {
        if (nodesAdded.isEmpty()) {
            if (like.isPresent() || zone.isPresent()) {
                throw mistake((like.isPresent() ? "--like" : "--zone") + " goes with --add-nodes, which is not there");
            }
            return Optional.empty();
        }
        int count = nodesAdded.get();
        if (count < 1 || count > MOST_NODES) {
            throw mistake("--add-nodes must be between 1 and " + MOST_NODES + ", got " + count);
        }
        return Optional.of(new NodesAdded(
                count, like.orElseThrow(() -> mistake("--add-nodes needs --like: a node that they are like")), zone));
    }

    private ParameterException mistake(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private record LabelOption(String key, String value) {

        static final class Converter implements ITypeConverter<LabelOption> {
            @Override
            public LabelOption convert(String value) {
                int equals = value.indexOf('=');
                if (equals < 1) {
                    throw new TypeConversionException("expected LABEL=VALUE, such as zone=a, got \"" + value + '"');
                }
                return new LabelOption(value.substring(0, equals), value.substring(equals + 1));
            }
        }
    }

    /**
     * A workload and how many pods it is to have.
     *
     * @param namespace empty where none was named
     */
    private record ScaleOption(String namespace, String kind, String name, int replicas) {
        private static final Pattern FORM =
                Pattern.compile("(?:([a-z0-9-]+)/)?([A-Za-z.]+)/([a-z0-9.-]+)=([0-9]{1,9})");
        private static final int MOST = 200_000;
        private static final Set<String> SCALED = Set.of(
                Workload.DEPLOYMENT,
                Workload.STATEFUL_SET,
                Workload.REPLICA_SET,
                Workload.REPLICATION_CONTROLLER,
                Workload.JOB);

        /** In the namespace that is meant where none was named. */
        Workload in(String usual) {
            return new Workload(kind, namespace.isEmpty() ? usual : namespace, name);
        }

        static final class Converter implements ITypeConverter<ScaleOption> {
            @Override
            public ScaleOption convert(String value) {
                Matcher parts = FORM.matcher(value);
                if (!parts.matches()) {
                    throw new TypeConversionException(
                            "expected [NAMESPACE/]KIND/NAME=REPLICAS, such as deploy/web=50, got \"" + value + '"');
                }
                String kind = Workload.kindNamed(parts.group(2))
                        .filter(SCALED::contains)
                        .orElseThrow(() -> new TypeConversionException("\"" + parts.group(2)
                                + "\" is nothing that can be scaled; deploy, sts, rs, rc and job are"));
                int replicas = Integer.parseInt(parts.group(4));
                if (replicas > MOST) {
                    throw new TypeConversionException("at most " + MOST + " pods, got " + replicas);
                }
                String namespace = parts.group(1);
                return new ScaleOption(namespace == null ? "" : namespace, kind, parts.group(3), replicas);
            }
        }
    }
}
