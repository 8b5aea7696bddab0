package io.evenkeel.tools.simulate;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.write.Tree;
import io.evenkeel.tools.simulate.ClusterChange.MissingPods;
import java.util.Collection;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** What {@code simulate} answers, asked by a program that has the cluster's objects at hand. */
public final class WhatIf {
    private WhatIf() {}

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
     * @throws CommandLine.ParameterException if one makes no sense
     * @throws io.evenkeel.problem.UserProblem if something that is named is not there
     */
    public static Tree tree(
            Collection<? extends KubernetesObject> objects,
            List<String> changes,
            SchedulerConfiguration configuration,
            PluginRegistry registry) {
        Options options = new Options();
        new CommandLine(options).parseArgs(changes.toArray(String[]::new));
        ChangedCluster cluster = new ChangedCluster(new ClusterPicture(objects));
        options.what.changes(Kinds.IN_TREE, "default", cluster::remark).forEach(change -> change.apply(cluster));
        new MissingPods().apply(cluster);
        return Answer.of(cluster, Simulation.run(cluster, configuration, registry), List.of())
                .tree();
    }
}
