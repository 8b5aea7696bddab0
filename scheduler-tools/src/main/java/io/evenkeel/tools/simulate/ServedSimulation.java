package io.evenkeel.tools.simulate;

import io.evenkeel.cluster.shape.PodRequests;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.write.Tree;
import io.evenkeel.whatif.ClusterSnapshot;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** What {@code simulate} answers, asked by a program that has the cluster's objects at hand. */
public final class ServedSimulation {
    /** Who asks has the memory of a program that does something else. */
    private static final int MOST_MADE = 10_000;

    private ServedSimulation() {}

    /** The changes of nodes and workloads, as options of {@code simulate}. */
    @Command
    private static final class Options {
        @Mixin
        private ChangeOptions what = new ChangeOptions();
    }

    /**
     * The answer as JSON.
     *
     * @param changes as typed for {@code simulate}, such as {@code --drain=n1}; those that read no file
     * @param configuration of the scheduler that knows the objects
     * @param other places the pods in its stead, and the two are compared
     * @param stillWanted whether anybody waits for the answer
     * @throws CommandLine.ParameterException if a change makes no sense
     * @throws io.evenkeel.problem.UserProblem if something that is named is not there
     * @throws java.util.concurrent.CancellationException once it is wanted no more
     */
    public static Tree tree(
            Collection<? extends KubernetesObject> objects,
            List<String> changes,
            SchedulerConfiguration configuration,
            Optional<SchedulerConfiguration> other,
            PluginRegistry registry,
            BooleanSupplier stillWanted) {
        Options options = new Options();
        new CommandLine(options).parseArgs(changes.toArray(String[]::new));
        ChangedCluster cluster = new ChangedCluster(new ClusterPicture(objects), MOST_MADE);
        cluster.change(options.what.changes(Kinds.IN_TREE, "default", cluster::remark));
        Answer present = answer(cluster, configuration, registry, stillWanted);
        if (other.isEmpty()) {
            return present.tree();
        }
        Set<Kind<?>> unknown = new LinkedHashSet<>(new ClusterSnapshot(other.get(), registry).kinds());
        unknown.removeAll(new ClusterSnapshot(configuration, registry).kinds());
        unknown.forEach(kind -> cluster.remark(
                "objects of kind " + kind.name() + " are not known here, and the answer is as if there were none"));
        return answer(cluster, other.get(), registry, stillWanted)
                .comparedWith("the present configuration", present)
                .tree();
    }

    private static Answer answer(
            ChangedCluster cluster,
            SchedulerConfiguration configuration,
            PluginRegistry registry,
            BooleanSupplier stillWanted) {
        return Answer.of(
                cluster,
                Simulation.run(cluster, configuration, registry, stillWanted),
                PodRequests.at(configuration.featureGates()),
                List.of());
    }
}
