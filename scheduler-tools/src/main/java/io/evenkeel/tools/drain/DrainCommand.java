package io.evenkeel.tools.drain;

import io.evenkeel.app.option.Converters.Name;
import io.evenkeel.model.Node;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.problem.NearestName;
import io.evenkeel.problem.UserProblem;
import io.evenkeel.tools.plan.ClusterOptions;
import io.evenkeel.tools.plan.OnlySubcommands;
import io.evenkeel.tools.replay.ScenarioCluster;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.drain.DrainPlan;
import io.evenkeel.whatif.drain.DrainPlanner;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code evenkeel drain}. */
@Command(
        name = "drain",
        description = "Plans drains of nodes, as for an upgrade.",
        footerHeading = "%nExamples:%n",
        footer = "  evenkeel drain plan --all --max-unavailable 1",
        subcommands = DrainCommand.Plan.class,
        mixinStandardHelpOptions = true)
public final class DrainCommand extends OnlySubcommands {
    /** {@code evenkeel drain plan}. */
    @Command(
            name = "plan",
            description = {
                "Says in which order nodes can be drained, and where their pods go.",
                "Every PodDisruptionBudget and every hard constraint is kept at each step; or it is said which cannot be."
                        + " Nothing is written to the cluster."
            },
            footerHeading = "%nExamples:%n",
            footer = {
                "  evenkeel drain plan --nodes n1,n2",
                "  evenkeel drain plan --dump cluster.dump.gz --all --max-unavailable 2 --surge 1"
            },
            mixinStandardHelpOptions = true)
    static final class Plan implements Callable<Integer> {
        /** More nodes than anybody adds for an upgrade, and a plan for them still ends. */
        private static final int MOST_SURGE = 10_000;

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Option(
                names = "--nodes",
                paramLabel = "NODE",
                split = ",",
                converter = Name.class,
                description = "Nodes to drain, in this order if that goes")
        private List<String> nodes = List.of();

        @Option(names = "--all", description = "Drain each node once")
        private boolean all;

        @Option(
                names = "--max-unavailable",
                paramLabel = "N",
                description = "How many drained nodes may be away at once (default: ${DEFAULT-VALUE})")
        private int maxUnavailable = 1;

        @Option(
                names = "--surge",
                paramLabel = "N",
                description =
                        "Nodes more, like those that are drained, that are there meanwhile (default: ${DEFAULT-VALUE})")
        private int surge;

        @Option(
                names = "--force",
                description = "Let pods go that no controller makes again, as kubectl drain --force does")
        private boolean force;

        @Mixin
        private ClusterOptions clusters = new ClusterOptions();

        @Override
        public Integer call() throws InterruptedException {
            if (all != nodes.isEmpty()) {
                throw new ParameterException(spec.commandLine(), "--nodes, --all: one of these");
            }
            if (maxUnavailable < 1) {
                throw new ParameterException(spec.commandLine(), "--max-unavailable: must be at least 1");
            }
            if (surge < 0 || surge > MOST_SURGE) {
                throw new ParameterException(
                        spec.commandLine(), "--surge: must be 0 to " + MOST_SURGE + ", not " + surge);
            }
            return clusters.answer(this::plan);
        }

        private DrainReport plan(ScenarioCluster cluster) {
            ClusterSnapshot snapshot = cluster.snapshot();
            List<Node> meant = all
                    ? snapshot.nodes()
                    : nodes.stream()
                            .distinct()
                            .map(name -> node(snapshot, name))
                            .toList();
            List<Node> more = surge(snapshot, meant);
            DrainPlan plan = DrainPlanner.plan(
                    snapshot,
                    new DrainPlanner.Request(meant.stream().map(Node::name).toList(), maxUnavailable, more, force));
            return new DrainReport(cluster.name(), plan);
        }

        private static Node node(ClusterSnapshot snapshot, String name) {
            return snapshot.view()
                    .node(name)
                    .orElseThrow(() -> new UserProblem("--nodes " + name + ": there is no such node"
                            + NearestName.hint(
                                    name,
                                    snapshot.nodes().stream().map(Node::name).toList())));
        }

        /** Each like one that is drained, zone by zone; put there at once. */
        private List<Node> surge(ClusterSnapshot snapshot, List<Node> drained) {
            List<Node> models = new ArrayList<>(drained);
            Map<String, Integer> byZone = new HashMap<>();
            List<Node> more = new ArrayList<>();
            while (more.size() < surge && !models.isEmpty()) {
                Node model = models.stream()
                        .min(Comparator.comparingInt(node -> byZone.getOrDefault(zone(node), 0)))
                        .orElseThrow();
                models.remove(model);
                models.add(model);
                byZone.merge(zone(model), 1, Integer::sum);
                Node added = NodeBuilder.like(
                                model, snapshot.freeNodeName(model.name() + "-surge-" + (more.size() + 1)))
                        .build();
                snapshot.putNodeLike(added, model.name());
                more.add(added);
            }
            return more;
        }

        private static String zone(Node node) {
            return node.labels().getOrDefault("topology.kubernetes.io/zone", "");
        }
    }
}
