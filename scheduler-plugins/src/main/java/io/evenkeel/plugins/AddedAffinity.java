package io.evenkeel.plugins;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.node.DerivedMask;
import io.evenkeel.config.PluginArgs.NodeAffinityArgs;
import io.evenkeel.model.Node;
import io.evenkeel.model.constraint.NodeAffinity;
import io.evenkeel.model.constraint.NodeAffinity.PreferredSchedulingTerm;
import io.evenkeel.model.constraint.NodeSelector;
import java.util.List;
import java.util.Optional;

/**
 * The node affinity that a profile gives to all of its pods.
 *
 * @param enforced the nodes that match {@code required}
 */
record AddedAffinity(
        Optional<NodeSelector> required, Optional<DerivedMask> enforced, List<PreferredSchedulingTerm> preferred) {

    static AddedAffinity of(NodeAffinityArgs args, ClusterView cluster) {
        NodeAffinity affinity = args.addedAffinity().orElse(NodeAffinity.NONE);
        return new AddedAffinity(
                affinity.required(),
                affinity.required()
                        .map(selector -> cluster.derivations()
                                .maskOverNodes(node ->
                                        matches(selector, cluster.nodes().node(node)))),
                affinity.preferred());
    }

    boolean admits(Node node) {
        return required.isEmpty() || matches(required.get(), node);
    }

    private static boolean matches(NodeSelector selector, Node node) {
        return selector.matches(node.labels(), node.name());
    }
}
