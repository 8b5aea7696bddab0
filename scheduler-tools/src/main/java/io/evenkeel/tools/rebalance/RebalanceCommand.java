package io.evenkeel.tools.rebalance;

import io.evenkeel.tools.moves.GoalOptions;
import io.evenkeel.tools.moves.MoveCommands;
import io.evenkeel.tools.plan.ClusterOptions;
import io.evenkeel.tools.plan.OnlySubcommands;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code evenkeel rebalance}. */
@Command(
        name = "rebalance",
        description = "Puts a cluster right by the fewest moves of running pods.",
        footerHeading = "%nExamples:%n",
        footer = "  evenkeel rebalance plan",
        subcommands = {RebalanceCommand.Plan.class, MoveCommands.Apply.class, MoveCommands.Run.class},
        mixinStandardHelpOptions = true)
public final class RebalanceCommand extends OnlySubcommands {
    /** {@code evenkeel rebalance plan}. */
    @Command(
            name = "plan",
            description = {
                "Says which pods are to run elsewhere, so that every pod's hard constraints hold again, or another goal is reached:"
                        + " the fewest moves, in an order in which they can be made.",
                "Each move is tried on a copy of the cluster, by the scheduler's own filters. Pods without a controller, of DaemonSets,"
                        + " on their way out or under a spent PodDisruptionBudget stay. Nothing is written to the cluster."
            },
            footerHeading = "%nExamples:%n",
            footer = {
                "  evenkeel rebalance plan",
                "  evenkeel rebalance plan --dump cluster.dump.gz -o json",
                "  evenkeel rebalance plan --goal place --place ml/train-0"
            },
            mixinStandardHelpOptions = true)
    static final class Plan implements Callable<Integer> {
        @Mixin
        private GoalOptions goals = new GoalOptions();

        @Mixin
        private ClusterOptions clusters = new ClusterOptions();

        @Override
        public Integer call() throws InterruptedException {
            goals.check();
            return clusters.answer(cluster -> PlanReport.of(cluster, goals));
        }
    }
}
