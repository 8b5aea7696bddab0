package io.evenkeel.plugins;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.CycleState;
import io.evenkeel.api.Hint;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.PreFilterPlugin;
import io.evenkeel.api.PreFilterResult;
import io.evenkeel.api.Status;
import io.evenkeel.api.WakeUp;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.DerivedMask;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.framework.cycle.Rejections;
import io.evenkeel.model.Container;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodSpec;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Keeps pods to the nodes that declare, in {@code status.declaredFeatures}, every feature that the pod's spec is
 * inferred to need ({@link InferredFeature}). The reference infers without regard to the features' own gates: where one
 * is off, the API server lets no pod in that needs the feature.
 */
public final class NodeDeclaredFeatures extends NodeCheck implements PreFilterPlugin {
    public static final String NAME = "NodeDeclaredFeatures";
    public static final PluginFactory FACTORY =
            TreeContext.factory(NAME, NodeDeclaredFeatures.class, NodeDeclaredFeatures::new);

    /** The features that count, by the names that nodes declare them by. */
    public static final Set<String> FEATURES =
            InferredFeature.ALL.stream().map(InferredFeature::name).collect(Collectors.toUnmodifiableSet());

    private static final Status NOT_DECLARED = Status.unresolvable("node(s) didn't match Pod's required features");

    private record Declared(InferredFeature feature, DerivedMask nodes) {}

    private final NodeTable nodes;
    private final List<Declared> features;

    public NodeDeclaredFeatures(TreeContext context) {
        ClusterView cluster = context.cluster();
        nodes = cluster.nodes();
        features = InferredFeature.ALL.stream()
                .map(feature -> new Declared(
                        feature,
                        cluster.derivations()
                                .maskOverNodes(node -> cluster.nodes()
                                        .node(node)
                                        .declaredFeatures()
                                        .contains(feature.name()))))
                .toList();
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public PreFilterResult preFilter(CycleState state, PendingPod waiting) {
        return needsAny(waiting.pod()) ? PreFilterResult.PROCEED : PreFilterResult.SKIP;
    }

    private boolean needsAny(Pod pod) {
        for (int i = 0; i < features.size(); i++) {
            if (features.get(i).feature().isNeededBy(pod)) {
                return true;
            }
        }
        return false;
    }

    @Override
    Status verdict(PodInfo pod, Node node) {
        for (InferredFeature feature : InferredFeature.ALL) {
            if (feature.isNeededBy(pod.pod()) && !node.declaredFeatures().contains(feature.name())) {
                return NOT_DECLARED;
            }
        }
        return Status.SUCCESS;
    }

    @Override
    public FilterDryRun dryRun(PodInfo pod) {
        return needsAny(pod.pod())
                ? FilterDryRun.ofPodAlone(node -> verdict(pod, nodes.node(node)))
                : FilterDryRun.PASSES;
    }

    @Override
    public void filterAll(CycleState state, PodInfo pod, NodeSet candidates, Rejections rejections) {
        for (int i = 0; i < features.size(); i++) {
            Declared declared = features.get(i);
            if (declared.feature().isNeededBy(pod.pod())) {
                rejections.keepOnly(candidates, declared.nodes(), NOT_DECLARED);
            }
        }
    }

    @Override
    public List<WakeUp> wakeUps() {
        return List.of(
                whenNodeBeginsToPass(
                        NodeDeclaredFeatures::needed, ChangeKind.NODE_ADDED, ChangeKind.NODE_DECLARED_FEATURES),
                WakeUp.on(Hint.ALWAYS, ChangeKind.OWN_OTHER));
    }

    private static Object needed(PendingPod waiting) {
        return InferredFeature.ALL.stream()
                .filter(feature -> feature.isNeededBy(waiting.pod()))
                .toList();
    }

    /**
     * A feature that a node may declare, and the pods that need it to run. The reference knows more of them, but those
     * (GuaranteedQoSPodCPUResize, InPlacePodLevelResourcesVerticalScaling and the like) matter when a running pod is
     * changed, never when a pod is placed.
     */
    private record InferredFeature(String name, Predicate<PodSpec> neededBy) {
        static final List<InferredFeature> ALL = List.of(
                new InferredFeature("RestartAllContainersOnContainerExits", InferredFeature::restartsAllContainers),
                new InferredFeature(
                        "UserNamespacesHostNetworkSupport", spec -> spec.hostNetwork() && !spec.hostUsers()));

        boolean isNeededBy(Pod pod) {
            return neededBy.test(pod.spec());
        }

        private static boolean restartsAllContainers(PodSpec spec) {
            return anyRestartsAllContainers(spec.containers()) || anyRestartsAllContainers(spec.initContainers());
        }

        private static boolean anyRestartsAllContainers(List<Container> containers) {
            for (int i = 0; i < containers.size(); i++) {
                if (containers.get(i).restartsAllContainers()) {
                    return true;
                }
            }
            return false;
        }
    }
}
