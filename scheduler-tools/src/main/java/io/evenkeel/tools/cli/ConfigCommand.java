package io.evenkeel.tools.cli;

import io.evenkeel.app.option.ConfigurationFile;
import io.evenkeel.app.option.FeatureGateOptions;
import io.evenkeel.app.plugin.OutOfTreePlugins;
import io.evenkeel.app.plugin.OutOfTreePlugins.PluginOptions;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.SchedulerConfiguration.LeaderElection;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorRequirement.Operator;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.value.NameForm;
import io.evenkeel.model.value.WholeNumber;
import io.evenkeel.problem.UserProblem;
import io.evenkeel.tools.plan.OnlySubcommands;
import io.evenkeel.tools.why.UsualProfiles;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code evenkeel config}. */
@Command(
        name = "config",
        description = "Checks configurations before a scheduler runs by them.",
        footerHeading = "%nExamples:%n",
        footer = "  evenkeel config check a.yaml b.yaml",
        subcommands = ConfigCommand.Check.class,
        mixinStandardHelpOptions = true)
public final class ConfigCommand extends OnlySubcommands {
    /** {@code evenkeel config check}. */
    @Command(
            name = "check",
            description = {
                "Reads each file as run does, and says on which nodes its profiles place pods.",
                "Several files are of schedulers that run side by side: no node may be open to two of them, as each counts"
                        + " on what is free there. What profiles keep to is addedAffinity of NodeAffinity. The exit code is"
                        + " 1 where a node could be open to two. No cluster is asked."
            },
            footerHeading = "%nExamples:%n",
            footer = {"  evenkeel config check config.yaml", "  evenkeel config check a.yaml b.yaml"},
            mixinStandardHelpOptions = true)
    static final class Check implements Callable<Integer> {
        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Parameters(arity = "1..*", paramLabel = "FILE", description = "KubeSchedulerConfiguration of a scheduler")
        private List<Path> files = new ArrayList<>();

        @Mixin
        private FeatureGateOptions features = new FeatureGateOptions();

        @Mixin
        private PluginOptions plugins = new PluginOptions();

        private record Scheduler(Path file, SchedulerConfiguration configuration) {
            List<Profile> profiles() {
                return configuration.profiles();
            }
        }

        @Override
        public Integer call() {
            OutOfTreePlugins outOfTree = plugins.load();
            List<Scheduler> schedulers = new ArrayList<>();
            for (Path file : files) {
                schedulers.add(new Scheduler(
                        file,
                        UsualProfiles.ofFileOr(
                                Optional.of(file),
                                Optional.of(ConfigurationFile.read(file)),
                                UsualProfiles.CONFIGURATION,
                                _ -> features.gates(),
                                outOfTree.registry())));
            }
            outOfTree.warnOfUnused();
            PrintWriter out = spec.commandLine().getOut();
            for (Scheduler each : schedulers) {
                each.profiles()
                        .forEach(profile -> out.println(each.file + ": " + profile.schedulerName() + " places pods on "
                                + profile.pool().map(Check::text).orElse("all nodes")));
            }
            out.flush();
            List<String> problems = new ArrayList<>();
            for (int i = 0; i < schedulers.size(); i++) {
                for (Scheduler other : schedulers.subList(i + 1, schedulers.size())) {
                    problems.addAll(between(schedulers.get(i), other));
                }
            }
            if (!problems.isEmpty()) {
                throw new UserProblem(String.join("\n", problems));
            }
            if (schedulers.size() > 1) {
                out.println("no node is open to two of them");
                out.flush();
            }
            return ExitCode.OK;
        }

        private static String text(NodeSelector pool) {
            return pool.terms().isEmpty()
                    ? "no node"
                    : "nodes with "
                            + pool.terms().stream()
                                    .map(term -> Stream.of(term.matchExpressions(), term.matchFields())
                                            .flatMap(List::stream)
                                            .map(NodeSelectorRequirement::text)
                                            .collect(Collectors.joining(" and ")))
                                    .collect(Collectors.joining(", or "));
        }

        private static List<String> between(Scheduler one, Scheduler other) {
            List<String> problems = new ArrayList<>();
            LeaderElection election = one.configuration.leaderElection();
            LeaderElection others = other.configuration.leaderElection();
            if (election.leaderElect()
                    && others.leaderElect()
                    && election.resourceName().equals(others.resourceName())
                    && election.resourceNamespace().equals(others.resourceNamespace())) {
                problems.add(one.file + " and " + other.file
                        + " name the same Lease, so only one of them places pods: leaderElection.resourceName "
                        + election.resourceName());
            }
            for (Profile profile : one.profiles()) {
                for (Profile beside : other.profiles()) {
                    if (profile.schedulerName().equals(beside.schedulerName())) {
                        problems.add(profile.schedulerName() + " is in " + one.file + " and in " + other.file
                                + ": each of them places its pods");
                    }
                    OpenNode.of(profile.pool(), beside.pool())
                            .ifPresent(node -> problems.add(profile.schedulerName() + " (" + one.file + ") and "
                                    + beside.schedulerName() + " (" + other.file + ") may both place pods on "
                                    + node.text()));
                }
            }
            return problems;
        }
    }

    /**
     * A node that is open to two schedulers. Requirements on different labels never depend on each other, so there is such a node if
     * each label, and the name, can have a value that all requirements on it allow.
     *
     * @param name empty where any will do
     */
    record OpenNode(Map<String, String> labels, String name) {

        /** The first there can be, if any; without a pool all nodes are open. */
        static Optional<OpenNode> of(Optional<NodeSelector> one, Optional<NodeSelector> other) {
            return terms(one).stream()
                    .flatMap(term -> terms(other).stream().flatMap(beside -> matching(term, beside).stream()))
                    .findFirst();
        }

        /** Where no pool is named, one term that is no requirement. */
        private static List<Optional<NodeSelectorTerm>> terms(Optional<NodeSelector> pool) {
            return pool.map(selector ->
                            selector.terms().stream().map(Optional::of).toList())
                    .orElse(List.of(Optional.empty()));
        }

        private static Optional<OpenNode> matching(Optional<NodeSelectorTerm> one, Optional<NodeSelectorTerm> other) {
            List<NodeSelectorTerm> terms =
                    Stream.of(one, other).flatMap(Optional::stream).toList();
            Map<String, List<NodeSelectorRequirement>> byLabel = terms.stream()
                    .flatMap(term -> term.matchExpressions().stream())
                    .collect(Collectors.groupingBy(NodeSelectorRequirement::key, TreeMap::new, Collectors.toList()));
            Map<String, String> labels = new TreeMap<>();
            byLabel.forEach((key, requirements) -> values(requirements).stream()
                    .filter(value -> requirements.stream().allMatch(each -> each.matches(Labels.of(key, value))))
                    .findFirst()
                    .ifPresent(value -> labels.put(key, value)));
            // a label that no value was found for is absent, which may be just what is required
            return names(terms).stream()
                    .filter(name -> terms.stream().allMatch(term -> term.matches(Labels.of(labels), name)))
                    .findFirst()
                    .map(name -> new OpenNode(labels, name));
        }

        /** Those of which one is allowed, if the label may be there at all: each that is named, and more others than are forbidden. */
        private static Set<String> values(List<NodeSelectorRequirement> requirements) {
            Set<String> values = new LinkedHashSet<>();
            int forbidden = 0;
            long least = 0;
            for (NodeSelectorRequirement each : requirements) {
                switch (each.operator()) {
                    case IN -> values.addAll(each.values());
                    case NOT_IN -> forbidden += each.values().size();
                    case GT -> least = Math.max(least, above(each));
                    default -> {}
                }
            }
            for (int i = 0; i <= forbidden; i++) {
                values.add("other" + (i == 0 ? "" : i));
                values.add(Long.toString(least + i));
                values.add("0".repeat(i) + least); // the same number, and another value
            }
            values.removeIf(value -> !NameForm.isLabelValue(value));
            return values;
        }

        private static long above(NodeSelectorRequirement bound) {
            return bound.values().stream()
                    .flatMapToLong(value -> WholeNumber.parse(value).stream())
                    .map(number -> number + 1)
                    .findFirst()
                    .orElse(0);
        }

        private static Set<String> names(List<NodeSelectorTerm> terms) {
            List<NodeSelectorRequirement> fields =
                    terms.stream().flatMap(term -> term.matchFields().stream()).toList();
            Set<String> names = new LinkedHashSet<>();
            if (fields.stream().noneMatch(field -> field.operator() == Operator.IN)) {
                names.add("");
            }
            fields.forEach(field -> names.addAll(field.values()));
            return names;
        }

        String text() {
            String labelled = labels.entrySet().stream()
                    .map(label -> label.getKey() + "=" + label.getValue())
                    .collect(Collectors.joining(","));
            String such = (name.isEmpty() ? "" : " named " + name) + (labelled.isEmpty() ? "" : " with " + labelled);
            return "one node" + (such.isEmpty() ? "" : ", such as one" + such);
        }
    }
}
