package io.evenkeel.kube.extender;

import io.evenkeel.api.PreemptionCandidate;
import io.evenkeel.kube.extender.Extenders.ExtenderException;
import io.evenkeel.kube.extender.WholeObjects.PodGoneException;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.write.Tree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A pod and nodes as extenders get them; what several extenders are asked about is read once. */
final class ExtenderQuestion {
    private final WholeObjects objects;
    private final Pod pod;
    private final Map<String, Node> nodes = new HashMap<>();
    private final Map<String, String> podsInJson = new HashMap<>();

    ExtenderQuestion(WholeObjects objects, Pod pod, List<Node> nodes) {
        this.objects = objects;
        this.pod = pod;
        nodes.forEach(node -> this.nodes.put(node.name(), node));
    }

    /**
     * The arguments of a filter or prioritize verb.
     *
     * @param names of the nodes that are still to choose from
     * @param namesOnly for an extender that knows the nodes itself
     * @throws ExtenderException if the pod or nodes cannot be read
     */
    String about(List<String> names, boolean namesOnly) throws ExtenderException {
        Tree question = new Tree().put("Pod", new Tree.Raw(podInJson()));
        if (namesOnly) {
            return question.put("Nodes", null).put("NodeNames", names).json();
        }
        List<String> items = objects.nodes(names.stream().map(nodes::get).toList());
        Tree list = new Tree().put("metadata", new Tree()).put("items", items, Tree.Raw::new);
        return question.put("Nodes", list).put("NodeNames", null).json();
    }

    String podInJson() throws ExtenderException {
        return inJson(pod);
    }

    /** Reads all victims; returns the candidates with all of theirs still there, as it is no use to ask of others. */
    List<PreemptionCandidate> withAllVictimsThere(List<PreemptionCandidate> candidates) throws ExtenderException {
        List<PreemptionCandidate> there = new ArrayList<>();
        for (PreemptionCandidate candidate : candidates) {
            try {
                for (Pod victim : candidate.victims()) {
                    inJson(victim);
                }
                there.add(candidate);
            } catch (PodGoneException gone) {
                // the pod will be decided again when the watch tells of it
            }
        }
        return there;
    }

    String inJson(Pod some) throws ExtenderException {
        String known = podsInJson.get(some.meta().uid());
        if (known == null) {
            known = objects.pod(some);
            podsInJson.put(some.meta().uid(), known);
        }
        return known;
    }
}
