package io.evenkeel.tools.moves;

import io.evenkeel.app.companion.RebalanceGoal;
import io.evenkeel.app.option.Converters.Name;
import io.evenkeel.app.option.Converters.PodKey;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.problem.NearestName;
import io.evenkeel.problem.UserProblem;
import io.evenkeel.tools.simulate.Manifest;
import io.evenkeel.tools.simulate.ManifestFiles;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.goal.Goal;
import io.evenkeel.whatif.goal.GoalPlanner;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What moves are to reach. */
public final class GoalOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--goal",
            paramLabel = "GOAL",
            converter = RebalanceGoal.Any.class,
            completionCandidates = RebalanceGoal.Any.class,
            description = {
                "What the moves are for (default: constraints):",
                "constraints: the hard constraints of all pods hold",
                "spread: so do their soft spread constraints",
                "policies: no pod is against a PlacementPolicy",
                "empty-nodes: nodes have no pods but those of DaemonSets: the nodes of --nodes, else as many as possible",
                "place: the waiting pods of --place or --template find nodes, together",
                "devices: as few nodes as possible have devices in use"
            })
    private RebalanceGoal goal = RebalanceGoal.CONSTRAINTS;

    @Option(
            names = "--nodes",
            paramLabel = "NODE",
            split = ",",
            converter = Name.class,
            description = "With empty-nodes: the nodes")
    private List<String> nodes = List.of();

    @Option(
            names = "--place",
            paramLabel = "NAMESPACE/POD",
            split = ",",
            converter = PodKey.class,
            description = "With place: pods that wait; of a gang one is enough")
    private List<String> place = List.of();

    @Option(
            names = "--template",
            paramLabel = "FILE",
            description = "With place: manifests of Pods that may be to come")
    private Optional<Path> template = Optional.empty();

    private List<Pod> templates = List.of();

    /** Reads what is named, or says in a line what makes no sense. */
    public void check() {
        require(nodes.isEmpty() || goal == RebalanceGoal.EMPTY_NODES, "--nodes goes with --goal empty-nodes");
        boolean arePlaced = !place.isEmpty() || template.isPresent();
        require(!arePlaced || goal == RebalanceGoal.PLACE, "--place and --template go with --goal place");
        require(arePlaced || goal != RebalanceGoal.PLACE, "--goal place needs --place or --template");
        templates = template.map(file -> ManifestFiles.read(List.of(file), "default", _ -> {}).stream()
                        .map((Manifest manifest) -> manifest.as(Kinds.POD))
                        .toList())
                .orElse(List.of());
    }

    public RebalanceGoal named() {
        return goal;
    }

    private void require(boolean holds, String problem) {
        if (!holds) {
            throw new ParameterException(spec.commandLine(), problem);
        }
    }

    /** The goal on a cluster, of which these are all objects. */
    public Goal goal(ClusterSnapshot snapshot, Collection<? extends KubernetesObject> objects) {
        return switch (goal) {
            case CONSTRAINTS, SPREAD, POLICIES, DEVICES -> lasting(goal, snapshot.configuration());
            case EMPTY_NODES -> {
                List<String> known = snapshot.nodes().stream().map(Node::name).toList();
                nodes.stream().filter(node -> !known.contains(node)).findFirst().ifPresent(node -> {
                    throw new UserProblem(
                            "--nodes " + node + ": there is no such node" + NearestName.hint(node, known));
                });
                yield new Goal.EmptyNodes(Set.copyOf(nodes));
            }
            case PLACE -> new Goal.Place(waiting(snapshot, objects));
        };
    }

    /** A goal that needs nothing else, on any cluster. */
    static Goal lasting(RebalanceGoal named, SchedulerConfiguration configuration) {
        if (named == RebalanceGoal.POLICIES && !GoalPlanner.knowPolicies(configuration)) {
            throw new UserProblem("goal policies: no profile of the configuration has the plugin PlacementPolicy");
        }
        return switch (named) {
            case CONSTRAINTS -> new Goal.Constraints();
            case SPREAD -> new Goal.Spread();
            case POLICIES -> new Goal.Policies();
            case EMPTY_NODES -> new Goal.EmptyNodes(Set.of());
            case DEVICES -> new Goal.Devices();
            case PLACE -> throw new IllegalArgumentException("which pods?");
        };
    }

    private List<Pod> waiting(ClusterSnapshot snapshot, Collection<? extends KubernetesObject> objects) {
        templates.forEach(pod -> snapshot.nodeOf(pod.key()).ifPresent(node -> {
            throw new UserProblem("--template " + template.orElseThrow() + ": pod " + pod.key() + " is on node " + node
                    + " already; give it another name");
        }));
        List<Pod> waiting = objects.stream()
                .filter(Pod.class::isInstance)
                .map(Pod.class::cast)
                .filter(pod -> !pod.isPlaced() && !pod.status().isFinished())
                .toList();
        Set<Pod> found = new LinkedHashSet<>();
        for (String key : place) {
            Pod pod = waiting.stream()
                    .filter(each -> each.key().equals(key))
                    .findFirst()
                    .orElseThrow(() -> new UserProblem("--place " + key + ": no such pod waits"
                            + NearestName.hint(
                                    key, waiting.stream().map(Pod::key).toList())));
            found.add(pod);
            snapshot.groupOf(pod)
                    .ifPresent(group -> waiting.stream()
                            .filter(other -> snapshot.groupOf(other).equals(Optional.of(group)))
                            .forEach(found::add));
        }
        return Stream.concat(found.stream(), templates.stream()).toList();
    }
}
