package io.evenkeel.tools.replay;

import io.evenkeel.engine.Engine;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.group.Seat;
import io.evenkeel.framework.run.PluginFailure;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.Change.DriversInstalled;
import io.evenkeel.framework.why.Change.NodeAdded;
import io.evenkeel.framework.why.Change.ObjectAdded;
import io.evenkeel.framework.why.Change.ObjectRemoved;
import io.evenkeel.framework.why.Change.PodGone;
import io.evenkeel.framework.why.Change.PolicyLimit;
import io.evenkeel.framework.why.ClaimChange;
import io.evenkeel.framework.why.NodeChange;
import io.evenkeel.framework.why.PodChange;
import io.evenkeel.groups.Budget;
import io.evenkeel.groups.GroupDecisions;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.model.storage.CsiNode;
import io.evenkeel.tools.output.Report;
import io.evenkeel.tools.replay.Replay.ScenarioAnswers;
import io.evenkeel.tools.replay.Replay.ScenarioEngines;
import io.evenkeel.tools.why.PodReport;
import io.evenkeel.tools.why.PodReport.State;
import io.evenkeel.whatif.why.Answer;
import io.evenkeel.whatif.why.PodQuestions;
import io.evenkeel.whatif.why.PodQuestions.Trial;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Says of each pod of a scenario that finds no node why, as things stand when it, or its group, has had its turn, and what would
 * help: the scenario was replayed with it, and the pod finds a node then.
 */
record WhyAnswers(ScenarioEngines engines, Function<Report, String> format) implements ScenarioAnswers {
    @Override
    public List<String> answer(Scenario scenario, Engine engine, Replay.PermitDelays delays) {
        scenario.objects().forEach(engine::put);
        List<Optional<State>> states = scenario.groups().isPresent()
                ? together(scenario, scenario.groups().get(), engine, delays)
                : oneByOne(scenario, engine, delays);
        List<String> lines = new ArrayList<>();
        for (int at = 0; at < states.size(); at++) {
            if (states.get(at).isPresent()) {
                String pod = scenario.pods().get(at).key();
                lines.add(format.apply(
                        PodReport.of(scenario.name(), pod, states.get(at).get())));
            }
        }
        return lines;
    }

    private List<Optional<State>> oneByOne(Scenario scenario, Engine engine, Replay.PermitDelays delays) {
        List<Optional<State>> states = new ArrayList<>();
        for (int at = 0; at < scenario.pods().size(); at++) {
            Step step = PlacementAnswers.place(scenario.pods().get(at), engine, delays);
            states.add(alone(scenario, at, step, engine));
        }
        return states;
    }

    private List<Optional<State>> together(
            Scenario scenario, ScenarioGroups groups, Engine engine, Replay.PermitDelays delays) {
        GroupReplay replay = new GroupReplay(engine, groups.mode(), delays);
        Map<String, State> states = new HashMap<>();
        groups.pods().forEach((name, pods) -> {
            List<Pod> waiting = replay.place(name, pods);
            Gang gang = new Gang(engines, scenario, engine, name, pods.size(), waiting, seats(engine, waiting));
            for (Pod pod : pods) {
                Step step = replay.stepOf(pod);
                Optional<State> state = waiting.contains(pod)
                        ? Optional.of(gang.state(pod, step))
                        : alone(scenario, scenario.pods().indexOf(pod), step, engine);
                state.ifPresent(said -> states.put(pod.key(), said));
            }
        });
        return scenario.pods().stream()
                .map(pod -> Optional.ofNullable(states.get(pod.key())))
                .toList();
    }

    /** The state of a pod that was decided alone; empty where it has its node. */
    private Optional<State> alone(Scenario scenario, int at, Step step, Engine engine) {
        return switch (step.outcome()) {
            case Step.Outcome.Placed _ -> Optional.empty();
            case Step.Outcome.Held(String plugin, String why) -> Optional.of(new State.Held(plugin, why));
            case Step.Outcome.Failed(String message) -> Optional.of(new State.Failed(message));
            case Step.Outcome.Waits(String message, var _) ->
                Optional.of(unlessFailed(() -> waits(scenario, at, message, engine)));
        };
    }

    private State waits(Scenario scenario, int at, String message, Engine engine) {
        Pod pod = scenario.pods().get(at);
        Trial here = new PodQuestions(engine).trial(pod);
        Optional<String> node = here.nodeWith(List.of());
        if (node.isPresent()) {
            return State.Retried.ofOwn(node.get(), message);
        }
        Trial replay = new ReplayTrial(engines, scenario, at);
        return new State.Waits(
                message,
                new PodQuestions(engine)
                        .why(
                                pod,
                                changes -> (isOfThePodAlone(changes, scenario) ? here : replay).nodeWith(changes),
                                _ -> true));
    }

    private static State unlessFailed(Supplier<State> question) {
        try {
            return question.get();
        } catch (PluginFailure failure) {
            return new State.Failed(failure.getMessage());
        }
    }

    /** The pods before it come to the same cluster then as without the changes. */
    private static boolean isOfThePodAlone(List<Change> changes, Scenario scenario) {
        return scenario.groups().isEmpty() && changes.stream().allMatch(PodChange.class::isInstance);
    }

    /** Places for as many pods as find one; empty where a plugin fails on a pod. */
    private static Optional<List<Seat>> seats(Engine engine, List<Pod> waiting) {
        if (waiting.isEmpty()) {
            return Optional.empty();
        }
        try {
            int nodes = engine.cluster().nodes().count();
            return Optional.of(new GroupDecisions(engine.forGroups())
                    .placeMost(waiting, Budget.usual(waiting.size(), nodes))
                    .most());
        } catch (PluginFailure _) {
            return Optional.empty();
        }
    }

    /**
     * A group without a pod in place.
     *
     * @param size how many pods it has
     * @param waiting the pods that no gate holds
     */
    private record Gang(
            ScenarioEngines engines,
            Scenario scenario,
            Engine engine,
            String name,
            int size,
            List<Pod> waiting,
            Optional<List<Seat>> seats) {
        /** As that of a gang in a cluster. */
        State state(Pod pod, Step step) {
            String message = ((Step.Outcome.Waits) step.outcome()).message();
            String called = name.isEmpty() ? "the group" : "group " + name;
            return new State.GangWaits(message, new PodReport.Gang("", called, size, 0, waiting.size()), answer(pod));
        }

        /** Empty too where a plugin fails on a gang that was not tried, as some of it are held back. */
        private Optional<Answer> answer(Pod pod) {
            if (seats.isEmpty()) {
                return Optional.empty();
            }
            try {
                return new PodQuestions(engine)
                        .why(
                                pod,
                                waiting,
                                seats.get(),
                                (asked, _) -> new ReplayTrial(
                                        engines, scenario, scenario.pods().indexOf(asked)),
                                _ -> true);
            } catch (PluginFailure _) {
                return Optional.empty();
            }
        }
    }

    /**
     * Tries changes by replaying a scenario with them from its beginning, so that the pods before have come to what is changed too.
     *
     * @param at the pod that is asked about, by its place in the scenario
     */
    private record ReplayTrial(ScenarioEngines engines, Scenario scenario, int at) implements Trial {
        private static final Replay.PermitDelays ALLOWED = (_, _) -> {};

        @Override
        public Optional<String> nodeWith(List<Change> changes) {
            return ChangedScenario.of(scenario, at, changes).flatMap(this::nodeIn);
        }

        private Optional<String> nodeIn(Scenario changed) {
            Engine engine = engines.of(changed, SchedulerObserver.NONE);
            changed.objects().forEach(engine::put);
            Function<Pod, Step> steps = PlacementAnswers.steps(changed, engine, ALLOWED);
            return changed.pods().subList(0, at + 1).stream()
                    .map(steps)
                    .reduce((before, asked) -> asked)
                    .map(Step::outcome)
                    .flatMap(outcome -> outcome instanceof Step.Outcome.Placed(String node, var _)
                            ? Optional.of(node)
                            : Optional.empty());
        }
    }

    /** A scenario with changes made to its objects, and to the pod that is asked about. */
    private static final class ChangedScenario {
        private final Scenario scenario;
        private final List<KubernetesObject> objects;
        private final List<Pod> pods;

        private ChangedScenario(Scenario scenario) {
            this.scenario = scenario;
            objects = new ArrayList<>(scenario.objects());
            pods = new ArrayList<>(scenario.pods());
        }

        /** Empty where they cannot be made: a pod that the scenario places is not an object that could go. */
        static Optional<Scenario> of(Scenario scenario, int at, List<Change> changes) {
            ChangedScenario changed = new ChangedScenario(scenario);
            return changes.stream().allMatch(change -> changed.make(change, at))
                    ? Optional.of(changed.build())
                    : Optional.empty();
        }

        private boolean make(Change change, int at) {
            return switch (change) {
                case PodChange own -> change(own, at);
                case ClaimChange own -> change(own, pods.get(at));
                case NodeChange there -> change(Node.class, node -> node.name().equals(there.node()), there::applied);
                case NodeAdded added -> {
                    objects.add(added.node());
                    yield objects.addAll(added.with()) || added.with().isEmpty();
                }
                case DriversInstalled drivers ->
                    change(
                                    CsiNode.class,
                                    csiNode -> csiNode.meta().name().equals(drivers.node()),
                                    csiNode -> drivers.applied(Optional.of(csiNode)))
                            || objects.add(drivers.applied(Optional.empty()));
                case ObjectAdded added -> objects.add(added.object());
                case ObjectRemoved removed -> objects.removeIf(removed.object()::equals);
                case PolicyLimit more -> change(PolicyObject.class, more::isOf, more::applied);
                case PodGone gone -> {
                    free(gone.pod());
                    yield objects.removeIf(object -> object instanceof Pod pod
                            && pod.key().equals(gone.pod().key()));
                }
            };
        }

        private static boolean isOf(ResourceClaim claim, Pod pod, String name) {
            return claim.meta().namespace().equals(pod.namespace())
                    && claim.meta().name().equals(ClaimChange.namesOf(pod).get(name));
        }

        /** A controller frees the devices of a pod that is gone. */
        private void free(Pod gone) {
            ClaimChange.namesOf(gone)
                    .keySet()
                    .forEach(name -> change(
                            ResourceClaim.class,
                            claim -> isOf(claim, gone, name),
                            claim -> ClaimChange.without(claim, gone).orElse(claim)));
        }

        /** Changes the pod's claim, unless it has devices; and those of its group that are made of the same template. */
        private boolean change(ClaimChange own, Pod asked) {
            String itself = asked.namespace()
                    + '/'
                    + ClaimChange.namesOf(asked).get(own.source().claim());
            Optional<ResourceClaim.Spec> changed = objects.stream()
                    .filter(object -> object instanceof ResourceClaim claim
                            && claim.key().equals(itself)
                            && claim.allocation().isEmpty())
                    .map(claim -> own.applied((ResourceClaim) claim).spec())
                    .findFirst();
            Set<String> claims = (scenario.groups().isEmpty() ? List.of(asked) : pods)
                    .stream().flatMap(pod -> own.source().keysOf(pod).stream()).collect(Collectors.toSet());
            return changed.isPresent()
                    && change(
                            ResourceClaim.class,
                            claim -> claim.allocation().isEmpty() && claims.contains(claim.key()),
                            claim -> claim.asking(changed.get()));
        }

        /** Changes pods of a group by their template, as a gang's pods in a cluster are changed. */
        private boolean change(PodChange own, int at) {
            Pod asked = pods.get(at);
            for (int i = 0; i < pods.size(); i++) {
                boolean isMeant =
                        scenario.groups().isEmpty() ? i == at : PodQuestions.areOfOneTemplate(pods.get(i), asked);
                if (isMeant) {
                    pods.set(i, own.applied(pods.get(i)));
                }
            }
            return true;
        }

        /** Whether there is one that is meant. */
        private <T extends KubernetesObject> boolean change(
                Class<T> type, Predicate<T> isMeant, UnaryOperator<T> changed) {
            boolean isThere = false;
            for (int i = 0; i < objects.size(); i++) {
                if (type.isInstance(objects.get(i)) && isMeant.test(type.cast(objects.get(i)))) {
                    objects.set(i, changed.apply(type.cast(objects.get(i))));
                    isThere = true;
                }
            }
            return isThere;
        }

        private Scenario build() {
            return new Scenario(
                    scenario.name(),
                    scenario.configuration(),
                    scenario.level(),
                    scenario.featureGates(),
                    List.copyOf(objects),
                    List.copyOf(pods),
                    scenario.preempts(),
                    scenario.groups().map(this::groups));
        }

        /** Pods of groups have names of their own. */
        private ScenarioGroups groups(ScenarioGroups before) {
            Map<String, Pod> byKey = new LinkedHashMap<>();
            pods.forEach(pod -> byKey.put(pod.key(), pod));
            Map<String, List<Pod>> groups = new LinkedHashMap<>();
            before.pods()
                    .forEach((name, members) -> groups.put(
                            name,
                            members.stream()
                                    .map(pod -> byKey.getOrDefault(pod.key(), pod))
                                    .toList()));
            return new ScenarioGroups(before.mode(), groups);
        }
    }
}
