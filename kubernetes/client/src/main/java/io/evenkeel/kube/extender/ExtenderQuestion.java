package io.evenkeel.kube.extender;

import io.evenkeel.api.PreemptionCandidate;
import io.evenkeel.kube.api.JsonText;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
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
        String whole = podInJson();
        List<String> items = namesOnly
                ? List.of()
                : objects.nodes(names.stream().map(nodes::get).toList());
        return JsonText.object(json -> {
            json.writeFieldName("Pod");
            json.writeRawValue(whole);
            if (namesOnly) {
                json.writeNullField("Nodes");
                json.writeArrayFieldStart("NodeNames");
                for (String name : names) {
                    json.writeString(name);
                }
                json.writeEndArray();
            } else {
                json.writeObjectFieldStart("Nodes");
                json.writeObjectFieldStart("metadata");
                json.writeEndObject();
                json.writeArrayFieldStart("items");
                for (String item : items) {
                    json.writeRawValue(item);
                }
                json.writeEndArray();
                json.writeEndObject();
                json.writeNullField("NodeNames");
            }
        });
    }

    String podInJson() throws ExtenderException {
        return inJson(pod);
    }

    /** Reads all victims; returns the candidates with all of theirs still there, as it is no use to ask of others. */
    List<PreemptionCandidate> readVictims(List<PreemptionCandidate> candidates) throws ExtenderException {
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
