package io.evenkeel.tools.replay;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.framework.cycle.Diagnosis;
import io.evenkeel.framework.cycle.Diagnosis.Rejection;
import io.evenkeel.framework.run.Objection;
import io.evenkeel.framework.run.PluginFailure;
import io.evenkeel.framework.run.SchedulingProfile;
import io.evenkeel.framework.run.ScoreRunner;
import io.evenkeel.model.Pod;
import io.evenkeel.model.device.ResourceClaim;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The answer for one pod.
 *
 * @param preFilter who turned the pod away as a whole
 * @param filtered who turned down which node and why
 * @param scores of the other nodes by plugin, weighted; none where the pod goes nowhere
 */
record Step(
        String pod,
        Optional<Verdict> preFilter,
        SortedMap<String, Verdict> filtered,
        SortedMap<String, Map<String, Long>> scores,
        Outcome outcome) {
    private static final String EXCLUDED = "excluded by PreFilter";

    /** A plugin's, or several', objection. */
    record Verdict(String plugin, Status status) {}

    /**
     * The way to make room for the pod.
     *
     * @param nominatedNode where it fits once the victims are gone, if there is such a node
     * @param message why there is none
     */
    record Preemption(Optional<String> nominatedNode, List<Pod> victims, String message) {
        private Preemption withVictimsBut(Set<String> before) {
            return new Preemption(
                    nominatedNode,
                    victims.stream().filter(victim -> before.add(victim.key())).toList(),
                    message);
        }
    }

    sealed interface Outcome {
        /** @param claims the claims of the pod, with the devices that it has */
        record Placed(String node, List<ResourceClaim> claims) implements Outcome {}

        /**
         * It waits; the message is the reference's.
         *
         * @param preemption what PostFilter plugins say, where some were asked
         */
        record Waits(String message, Optional<Preemption> preemption) implements Outcome {}

        /** A plugin does not let it into the queue, and nothing else is asked. */
        record Held(String plugin, String why) implements Outcome {}

        /** A plugin failed on it; the scheduler would try it again later. */
        record Failed(String message) implements Outcome {}
    }

    /** The step of a pod that is not tried. */
    static Step held(Pod pod, SchedulingProfile.Gate gate) {
        return untold(pod, new Outcome.Held(gate.plugin(), gate.status().message()));
    }

    static Step failed(Pod pod, PluginFailure failure) {
        return untold(pod, new Outcome.Failed(failure.getMessage()));
    }

    private static Step untold(Pod pod, Outcome outcome) {
        return new Step(pod.key(), Optional.empty(), new TreeMap<>(), new TreeMap<>(), outcome);
    }

    /** The step of a decision that was just made. */
    static Step of(Pod pod, SchedulingProfile profile, Decision decision, NodeTable nodes) {
        Diagnosis diagnosis = decision instanceof Decision.Unschedulable no
                ? no.diagnosis()
                : profile.filters().diagnosis();
        return new Step(
                pod.key(),
                diagnosis.preFilter().map(rejection -> new Verdict(rejection.plugin(), rejection.status())),
                filtered(diagnosis, nodes),
                decision instanceof Decision.Placed ? scores(profile, diagnosis, nodes) : new TreeMap<>(),
                switch (decision) {
                    case Decision.Placed placed -> new Outcome.Placed(nodes.name(placed.node()), List.of());
                    case Decision.Unschedulable no ->
                        new Outcome.Waits(
                                diagnosis.message(),
                                profile.postFilters().isEmpty() ? Optional.empty() : Optional.of(preemption(no)));
                });
    }

    private static Preemption preemption(Decision.Unschedulable decision) {
        return new Preemption(
                decision.nominatedNode().filter(node -> !node.isEmpty()),
                decision.victims(),
                decision.diagnosis().postFilterMessage());
    }

    /** Adds that a plugin then does not let the pod onto the node chosen. */
    Step objected(Objection objection) {
        return new Step(
                pod, preFilter, filtered, new TreeMap<>(), new Outcome.Waits(objection.message(), Optional.empty()));
    }

    /** Adds the claims that the pod has on its node. */
    Step withClaims(Function<String, List<ResourceClaim>> claims) {
        return outcome instanceof Outcome.Placed(String node, var _)
                ? new Step(pod, preFilter, filtered, scores, new Outcome.Placed(node, claims.apply(node)))
                : this;
    }

    /** Says that the pod waits for its group, whatever the filters say of it. */
    Step waiting(String message) {
        return new Step(pod, preFilter, filtered, new TreeMap<>(), new Outcome.Waits(message, Optional.empty()));
    }

    /** Drops the victims that had to go before, and counts the others among these. */
    Step withVictimsBut(Set<String> before) {
        return outcome instanceof Outcome.Waits(String message, Optional<Preemption> preemption)
                ? new Step(
                        pod,
                        preFilter,
                        filtered,
                        scores,
                        new Outcome.Waits(message, preemption.map(found -> found.withVictimsBut(before))))
                : this;
    }

    long totalOf(String node) {
        return scores.getOrDefault(node, Map.of()).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    private static SortedMap<String, Verdict> filtered(Diagnosis diagnosis, NodeTable nodes) {
        SortedMap<String, Verdict> filtered = new TreeMap<>();
        Verdict narrowed = new Verdict(String.join(",", diagnosis.narrowedBy()), Status.unresolvable(EXCLUDED));
        forEach(diagnosis.excluded(), nodes, (name, _) -> filtered.put(name, narrowed));
        for (Rejection rejection : diagnosis.rejections()) {
            Verdict verdict = new Verdict(rejection.plugin(), rejection.status());
            forEach(rejection.nodes(), nodes, (name, _) -> filtered.put(name, verdict));
        }
        return filtered;
    }

    private static SortedMap<String, Map<String, Long>> scores(
            SchedulingProfile profile, Diagnosis diagnosis, NodeTable nodes) {
        NodeSet feasible = nodes.present().copy();
        feasible.removeAll(diagnosis.excluded());
        diagnosis.rejections().forEach(rejection -> feasible.removeAll(rejection.nodes()));
        SortedMap<String, Map<String, Long>> scores = new TreeMap<>();
        forEach(feasible, nodes, (name, node) -> {
            Map<String, Long> byPlugin = new LinkedHashMap<>();
            for (ScoreRunner.WeightedScore score : profile.scores().scores()) {
                if (!score.isSkipped()) {
                    byPlugin.put(score.plugin().name(), score.weightedScoreOf(node));
                }
            }
            scores.put(name, byPlugin);
        });
        return scores;
    }

    private interface EachNode {
        void take(String name, int node);
    }

    private static void forEach(NodeSetView set, NodeTable nodes, EachNode action) {
        for (int node = set.first(); node >= 0; node = set.next(node + 1)) {
            action.take(nodes.name(node), node);
        }
    }
}
