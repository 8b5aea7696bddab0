package io.evenkeel.lab.bench;

import io.evenkeel.model.Container;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.Service;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.model.write.Tree;
import java.util.List;
import java.util.Map;

/** Writes the objects of the bench's workloads as a user would create them: what no workload has is not written. */
final class Manifests {
    private Manifests() {}

    static String of(KubernetesObject object) {
        Tree tree = new Tree()
                .put("apiVersion", "v1")
                .put("kind", object.kindName())
                .put(
                        "metadata",
                        new Tree()
                                .put("name", object.meta().name())
                                .putNonEmpty("namespace", object.meta().namespace())
                                .put("labels", object.meta().labels().asMap()));
        switch (object) {
            case Pod pod -> tree.put("spec", spec(pod));
            case Node node -> {
                Tree capacity = quantities(node.allocatable());
                tree.put("status", new Tree().put("capacity", capacity).put("allocatable", capacity));
            }
            case Service service ->
                tree.put(
                        "spec",
                        new Tree()
                                .put("selector", service.selector().asMap())
                                .put("ports", List.of(new Tree().put("port", 80))));
            default -> throw new IllegalArgumentException("no workload has a " + object.kindName());
        }
        return tree.json();
    }

    private static Tree spec(Pod pod) {
        Tree affinity = new Tree();
        putTerms(affinity, "podAffinity", pod.spec().podAffinity().requiredAffinity());
        putTerms(affinity, "podAntiAffinity", pod.spec().podAffinity().requiredAntiAffinity());
        return new Tree()
                .put("schedulerName", pod.spec().schedulerName())
                .putNonEmpty("nodeName", pod.spec().nodeName())
                .put("containers", pod.spec().containers(), Manifests::container)
                .put("topologySpreadConstraints", pod.spec().topologySpread(), Manifests::constraint)
                .put("affinity", affinity);
    }

    private static Tree container(Container container) {
        return new Tree()
                .put("name", "main")
                .put("image", "registry.k8s.io/pause:3.10")
                .put("resources", new Tree().put("requests", quantities(container.requests())));
    }

    private static Tree constraint(TopologySpreadConstraint constraint) {
        return new Tree()
                .put("maxSkew", constraint.maxSkew())
                .put("topologyKey", constraint.topologyKey())
                .put("whenUnsatisfiable", constraint.whenUnsatisfiable().apiName())
                .put("labelSelector", selector(constraint.labelSelector()));
    }

    private static void putTerms(Tree affinity, String field, List<PodAffinityTerm> terms) {
        if (!terms.isEmpty()) {
            affinity.put(
                    field, new Tree().put("requiredDuringSchedulingIgnoredDuringExecution", terms, Manifests::term));
        }
    }

    private static Tree term(PodAffinityTerm term) {
        return new Tree().put("topologyKey", term.topologyKey()).put("labelSelector", selector(term.labelSelector()));
    }

    private static Tree selector(LabelSelector selector) {
        Tree labels = new Tree();
        selector.requirements()
                .forEach(each -> labels.put(each.key(), each.values().getFirst()));
        return new Tree().put("matchLabels", labels);
    }

    private static Tree quantities(Map<String, Quantity> quantities) {
        Tree tree = new Tree();
        quantities.forEach(tree::put);
        return tree;
    }
}
