package io.evenkeel.tools.simulate;

import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodDisruptionBudget;
import io.evenkeel.model.Taint;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.build.NodeBuilder;
import java.util.ArrayList;
import java.util.List;

/**
 * Nodes that are cordoned and emptied, at once: budgets are not waited for, but it is said which would have to be. Pods of
 * DaemonSets and of the node itself stay.
 */
record Drained(List<String> nodes) implements ClusterChange {
    private static final String CORDON = "node.kubernetes.io/unschedulable";

    @Override
    public void apply(ChangedCluster cluster) {
        List<Pod> leaving = new ArrayList<>();
        for (String name : nodes) {
            Node node = NodesAdded.node(cluster, "--drain", name);
            cluster.picture()
                    .put(NodeBuilder.from(node)
                            .withoutTaint(CORDON)
                            .unschedulable(true)
                            .taint(new Taint(CORDON, "", TaintEffect.NO_SCHEDULE))
                            .build());
        }
        for (Pod pod : cluster.picture().pods()) {
            if (nodes.contains(pod.spec().nodeName()) && !Owners.isOfItsNode(pod)) {
                leaving.add(pod);
            }
        }
        cluster.changed((nodes.size() == 1 ? "node " : "nodes ") + String.join(", ", nodes) + " drained of "
                + leaving.size() + (leaving.size() == 1 ? " pod" : " pods"));
        cluster.picture()
                .all("PodDisruptionBudget", PodDisruptionBudget.class)
                .forEach(budget -> remark(cluster, budget, leaving));
        if (leaving.stream().anyMatch(pod -> pod.meta().controller().isEmpty())) {
            cluster.remark("kubectl drain asks for --force where pods have no owner: nothing makes them again");
        }
        leaving.forEach(cluster::goesToComeAgain);
    }

    private static void remark(ChangedCluster cluster, PodDisruptionBudget budget, List<Pod> leaving) {
        long hit = leaving.stream().filter(budget::protects).count();
        int allowed = Math.max(0, budget.disruptionsAllowed());
        if (hit > allowed) {
            cluster.remark("PodDisruptionBudget " + budget.meta().key() + " lets "
                    + (allowed == 0 ? "none" : String.valueOf(allowed)) + " of " + hit
                    + " pods go now: a drain would wait until others are ready");
        }
    }
}
