package io.evenkeel.plugins.preemption;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.node.ChangeLog;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.config.Difference;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodDisruptionBudget;
import io.evenkeel.model.kind.Kinds;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The nodes where it may have changed who would have to go for a pod: where pods come, go, start or become others, where the
 * node changes, and where a budget allows more or less than it has pods there. Keeps the budgets too.
 *
 * <pre>{@code
 * budget a allows   its pods on n1   on n2   on n3   logged
 * 3 -> 2            1                3       2       n2        two may go from n1 and n3 before and after
 * 2 -> 1            1                3       2       n2 n3
 * }</pre>
 */
final class EvictionIndex implements ClusterIndex {
    private static final int LOGGED_CHANGES = 1 << 16;

    private final ClusterView cluster;
    private final PodTable pods;
    private final ChangeLog changes = new ChangeLog(LOGGED_CHANGES);
    private final ImportanceOrder order;
    private final boolean protectAll;
    private final Budgets budgets;
    private final List<KeptAnswers> kept = new ArrayList<>();

    EvictionIndex(ClusterView cluster) {
        this.cluster = cluster;
        this.pods = cluster.pods();
        this.order = new ImportanceOrder(pods);
        this.protectAll = cluster.featureGates().has(Difference.EMPTY_BUDGET_SELECTOR_PROTECTS);
        this.budgets = new Budgets(pods, cluster.selectors(), protectAll);
    }

    ChangeLog changes() {
        return changes;
    }

    ImportanceOrder order() {
        return order;
    }

    Budgets budgets() {
        return budgets;
    }

    void audits(KeptAnswers answers) {
        kept.add(answers);
    }

    @Override
    public void podPlaced(int row) {
        podsChanged(pods.node(row));
    }

    @Override
    public void podRemoved(int row) {
        podsChanged(pods.node(row));
    }

    /** Nothing else of a pod says whether and when it goes that would not count otherwise too. It may be newer than others now. */
    @Override
    public void podReplaced(int row, Pod before) {
        Pod after = pods.pod(row);
        if (Victims.priority(before) != Victims.priority(after)
                || !Victims.start(before).equals(Victims.start(after))
                || !order.isRight(pods.node(row))) {
            podsChanged(pods.node(row));
        }
    }

    private void podsChanged(int node) {
        changes.append(node);
        order.forget(node);
    }

    @Override
    public void nodeChanged(int node, Optional<Node> before, Optional<Node> after) {
        changes.append(node);
    }

    @Override
    public void objectChanged(Optional<KubernetesObject> before, Optional<KubernetesObject> after) {
        if (!(after.or(() -> before).orElseThrow() instanceof PodDisruptionBudget)) {
            return;
        }
        Optional<PodDisruptionBudget> was = before.map(PodDisruptionBudget.class::cast);
        Optional<PodDisruptionBudget> is = after.map(PodDisruptionBudget.class::cast);
        int enoughForBoth = was.isPresent() && is.isPresent() && protectTheSame(was.get(), is.get())
                ? Math.min(was.get().disruptionsAllowed(), is.get().disruptionsAllowed())
                : 0;
        was.ifPresent(budget -> budgets.forEachNodeWithMoreThan(enoughForBoth, budget, changes::append));
        is.ifPresentOrElse(budgets::put, () -> was.ifPresent(budgets::remove));
        if (enoughForBoth == 0) {
            is.ifPresent(budget -> budgets.forEachNodeWithMoreThan(0, budget, changes::append));
        }
    }

    private static boolean protectTheSame(PodDisruptionBudget one, PodDisruptionBudget other) {
        return one.selector().equals(other.selector()) && one.disruptedPods().equals(other.disruptedPods());
    }

    @Override
    public void audit(AuditFacts facts, Differences differences) {
        Set<PodDisruptionBudget> there = new HashSet<>(cluster.objects().all(Kinds.POD_DISRUPTION_BUDGET));
        there.removeIf(budget -> !budget.mayProtect(protectAll));
        differences.compare(() -> "budgets", new HashSet<>(budgets.all()), there);
        for (int node = 0; node < cluster.nodes().end(); node++) {
            String name = cluster.nodes().name(node);
            differences.require(order.isRight(node), () -> "the order of the pods on node " + name + " is not theirs");
        }
        kept.forEach(answers -> answers.audit(differences));
    }

    @Override
    public void describe(AuditFacts facts, Consumer<String> line) {
        budgets.all().forEach(budget -> line.accept("budget " + budget));
    }
}
