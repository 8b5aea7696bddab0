package io.evenkeel.tools.replay;

import io.evenkeel.engine.why.PodQuestions;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.Change.NodeAdded;
import io.evenkeel.framework.why.Change.ObjectAdded;
import io.evenkeel.framework.why.Change.PodGone;
import io.evenkeel.framework.why.Change.PolicyLimit;
import io.evenkeel.framework.why.NodeChange;
import io.evenkeel.framework.why.PodChange;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.policy.PolicyObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** A scenario with changes made to its objects, and to the pod that is asked about. */
final class ChangedScenario {
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
            case NodeChange there -> change(Node.class, node -> node.name().equals(there.node()), there::applied);
            case NodeAdded added -> {
                objects.add(added.node());
                yield objects.addAll(added.with()) || added.with().isEmpty();
            }
            case ObjectAdded added -> objects.add(added.object());
            case PolicyLimit more -> change(PolicyObject.class, more::isOf, more::applied);
            case PodGone gone ->
                objects.removeIf(object ->
                        object instanceof Pod pod && pod.key().equals(gone.pod().key()));
        };
    }

    /** Changes pods of a group by their template, as a gang's pods in a cluster are changed. */
    private boolean change(PodChange own, int at) {
        Pod asked = pods.get(at);
        for (int i = 0; i < pods.size(); i++) {
            boolean isMeant = scenario.groups().isEmpty() ? i == at : PodQuestions.areOfOneTemplate(pods.get(i), asked);
            if (isMeant) {
                pods.set(i, own.applied(pods.get(i)));
            }
        }
        return true;
    }

    /** Whether there is one that is meant. */
    private <T extends KubernetesObject> boolean change(Class<T> type, Predicate<T> isMeant, UnaryOperator<T> changed) {
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
