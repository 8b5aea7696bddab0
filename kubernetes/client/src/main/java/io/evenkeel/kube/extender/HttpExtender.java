package io.evenkeel.kube.extender;

import io.evenkeel.api.PreemptionCandidate;
import io.evenkeel.api.Status;
import io.evenkeel.config.Extender;
import io.evenkeel.kube.extender.ExtenderAnswers.Filtered;
import io.evenkeel.kube.extender.ExtenderAnswers.MetaVictims;
import io.evenkeel.kube.extender.ExtenderAnswers.Priority;
import io.evenkeel.kube.extender.Extenders.ExtenderException;
import io.evenkeel.model.Pod;
import io.evenkeel.model.write.Tree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One extender: each of its verbs, with the words that kube-scheduler has for what goes wrong. */
record HttpExtender(Extender extender, ExtenderClient client) implements AutoCloseable {
    /** Extenders give 0 to 10 where plugins give 0 to 100. */
    private static final long POINTS = 100 / 10;

    /** The nodes that are left, in the extender's order, and the reasons against the others. */
    record Passed(List<String> nodes, Map<String, Status> turnedAway) {}

    String name() {
        return extender.urlPrefix();
    }

    boolean isIgnorable() {
        return extender.ignorable();
    }

    boolean isInterestedIn(Pod pod) {
        return extender.isInterestedIn(pod);
    }

    boolean filters() {
        return !extender.filterVerb().isEmpty();
    }

    boolean prioritizes() {
        return !extender.prioritizeVerb().isEmpty();
    }

    boolean binds() {
        return extender.binds();
    }

    boolean preempts() {
        return extender.preempts();
    }

    Passed filter(ExtenderQuestion question, List<String> nodes) throws ExtenderException {
        Filtered answer = client.ask(
                extender.filterVerb(), question.about(nodes, extender.nodeCacheCapable()), ExtenderAnswers::filtered);
        if (!answer.error().isEmpty()) {
            throw new ExtenderException(answer.error());
        }
        Map<String, Status> turnedAway = new LinkedHashMap<>();
        answer.failed().forEach((node, why) -> turnedAway.put(node, Status.unschedulable(why)));
        answer.failedAndUnresolvable().forEach((node, why) -> turnedAway.put(node, Status.unresolvable(why)));
        return new Passed(left(answer, nodes), turnedAway);
    }

    /** An extender that names no nodes at all leaves none. */
    private List<String> left(Filtered answer, List<String> asked) throws ExtenderException {
        Optional<List<String>> names = extender.nodeCacheCapable() ? answer.nodeNames() : Optional.empty();
        List<String> left = names.or(answer::nodes).orElse(List.of());
        Set<String> known = Set.copyOf(asked);
        for (String node : left) {
            if (!known.contains(node)) {
                throw new ExtenderException("extender \"" + name() + "\" claims a filtered node \"" + node
                        + "\" which is not found in the input node list");
            }
        }
        return left.stream().distinct().toList();
    }

    /** The scores by node, to be added to the nodes' totals. */
    Map<String, Long> scores(ExtenderQuestion question, List<String> nodes) throws ExtenderException {
        List<Priority> priorities = client.ask(
                extender.prioritizeVerb(),
                question.about(nodes, extender.nodeCacheCapable()),
                ExtenderAnswers::priorities);
        Map<String, Long> scores = new LinkedHashMap<>();
        priorities.forEach(given -> scores.merge(given.host(), given.score() * extender.weight() * POINTS, Long::sum));
        return scores;
    }

    void bind(Pod pod, String node) throws ExtenderException {
        Tree order = new Tree()
                .put("PodName", pod.name())
                .put("PodNamespace", pod.namespace())
                .put("PodUID", pod.meta().uid())
                .put("Node", node);
        String error = client.tell(extender.bindVerb(), order.json(), ExtenderAnswers::bindingError);
        if (!error.isEmpty()) {
            throw new ExtenderException(error);
        }
    }

    /**
     * Which of the victims are to go, if preemption goes on.
     *
     * @param pods the pods of each node; the extender may also choose others of them
     */
    List<PreemptionCandidate> preempt(
            ExtenderQuestion question, List<PreemptionCandidate> candidates, Map<String, List<Pod>> pods)
            throws ExtenderException {
        List<PreemptionCandidate> asked = extender.nodeCacheCapable() ? candidates : question.readVictims(candidates);
        if (asked.isEmpty()) {
            return List.of();
        }
        Map<String, MetaVictims> answer =
                client.ask(extender.preemptVerb(), preemption(question, asked), ExtenderAnswers::victims);
        List<PreemptionCandidate> left = new ArrayList<>();
        for (var ofNode : answer.entrySet()) {
            left.add(known(ofNode.getKey(), ofNode.getValue(), pods));
        }
        return left;
    }

    private String preemption(ExtenderQuestion question, List<PreemptionCandidate> candidates)
            throws ExtenderException {
        boolean byUid = extender.nodeCacheCapable();
        Tree.Raw pod = new Tree.Raw(question.podInJson());
        Tree victims = new Tree();
        for (PreemptionCandidate candidate : candidates) {
            List<Object> ofNode = new ArrayList<>();
            for (Pod victim : candidate.victims()) {
                ofNode.add(byUid ? new Tree().put("UID", victim.meta().uid()) : new Tree.Raw(question.inJson(victim)));
            }
            victims.put(
                    candidate.node(), new Tree().put("Pods", ofNode).put("NumPDBViolations", candidate.violations()));
        }
        return new Tree()
                .put("Pod", pod)
                .put(byUid ? "NodeNameToVictims" : "NodeNameToMetaVictims", null)
                .put(byUid ? "NodeNameToMetaVictims" : "NodeNameToVictims", victims)
                .json();
    }

    private PreemptionCandidate known(String node, MetaVictims named, Map<String, List<Pod>> pods)
            throws ExtenderException {
        if (!pods.containsKey(node)) {
            throw new ExtenderException("nodeinfo not found for node name \"" + node + "\"");
        }
        List<Pod> victims = new ArrayList<>();
        for (String uid : named.uids()) {
            victims.add(pods.get(node).stream()
                    .filter(pod -> pod.meta().uid().equals(uid))
                    .findFirst()
                    .orElseThrow(() -> new ExtenderException("extender: " + name() + " claims to preempt pod (UID: &{"
                            + uid + "}) on node: " + node + ", but the pod is not found on that node")));
        }
        return new PreemptionCandidate(node, victims, named.violations());
    }

    @Override
    public void close() {
        client.close();
    }
}
