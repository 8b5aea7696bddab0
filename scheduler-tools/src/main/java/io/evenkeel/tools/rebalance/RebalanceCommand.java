package io.evenkeel.tools.rebalance;

import io.evenkeel.app.option.FeatureGateOptions;
import io.evenkeel.app.plugin.OutOfTreePlugins.PluginOptions;
import io.evenkeel.tools.moves.MoveCommands;
import io.evenkeel.tools.output.Layout;
import io.evenkeel.tools.output.Output;
import io.evenkeel.tools.plan.ClusterOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code evenkeel rebalance}. */
@Command(
        name = "rebalance",
        description = "Puts a cluster right by the fewest moves of running pods.",
        footerHeading = "%nExamples:%n",
        footer = "  evenkeel rebalance plan",
        subcommands = {RebalanceCommand.Plan.class, MoveCommands.Apply.class, MoveCommands.Run.class},
        mixinStandardHelpOptions = true)
public final class RebalanceCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        throw new ParameterException(
                spec.commandLine(),
                "say what to do: " + String.join(", ", spec.subcommands().keySet()));
    }

    /** {@code evenkeel rebalance plan}. */
    @Command(
            name = "plan",
            description = {
                "Says which pods are to run elsewhere, so that every pod's hard constraints hold again: the fewest moves, in an order"
                        + " in which they can be made.",
                "Each move is tried on a copy of the cluster, by the scheduler's own filters. Pods without a controller, of DaemonSets,"
                        + " on their way out or under a spent PodDisruptionBudget stay. Nothing is written to the cluster."
            },
            footerHeading = "%nExamples:%n",
            footer = {"  evenkeel rebalance plan", "  evenkeel rebalance plan --dump cluster.dump.gz -o json"},
            mixinStandardHelpOptions = true)
    static final class Plan implements Callable<Integer> {
        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Mixin
        private ClusterOptions clusters = new ClusterOptions();

        @Option(
                names = {"-o", "--output"},
                paramLabel = "FORMAT",
                converter = Output.JsonOrText.class,
                completionCandidates = Output.JsonOrText.class,
                description = "text, for people to read, or json, a plan a line (default: text)")
        private Output output = Output.TEXT;

        @Mixin
        private FeatureGateOptions features = new FeatureGateOptions();

        @Mixin
        private PluginOptions plugins = new PluginOptions();

        @Override
        public Integer call() throws InterruptedException {
            Layout layout = Layout.of(spec.usageMessage().width());
            return clusters.answer(features, plugins, cluster -> output.of(PlanReport.of(cluster), layout));
        }
    }
}
