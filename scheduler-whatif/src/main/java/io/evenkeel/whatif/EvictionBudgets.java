package io.evenkeel.whatif;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.counting.NamespaceScope;
import io.evenkeel.cluster.counting.SelectorGroup;
import io.evenkeel.cluster.counting.SelectorGroup.PodMatch;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodDisruptionBudget;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.kind.Kinds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How many pods of each PodDisruptionBudget may be missing, worked out from the pods as its controller does: {@code healthy −
 * desired}. Which budgets a pod has, it is asked by its row: the budgets are groups of the selector index, and no budget looks
 * for its pods.
 *
 * <p>A pod is taken to be healthy once it is Ready, or where no kubelet has told of it yet, as in a scenario. One that is missing
 * counts again when its successor is placed.
 */
public final class EvictionBudgets implements AutoCloseable {

    /** A budget as the pods are now. */
    public static final class Budget {
        public final PodDisruptionBudget object;
        private final SelectorGroup group;
        private int healthy;
        private int unhealthy;
        private final Map<OwnerReference, Integer> podsByOwner = new HashMap<>();
        private int desired;
        private int missing;

        Budget(PodDisruptionBudget object, SelectorGroup group) {
            this.object = object;
            this.group = group;
        }

        /** How many more healthy pods may go now; negative where too few are healthy. */
        public int allowed() {
            return healthy - desired - missing;
        }

        private void count(Pod pod) {
            if (isHealthy(pod)) {
                healthy++;
            } else {
                unhealthy++;
            }
            pod.meta().controller().ifPresent(owner -> podsByOwner.merge(owner, 1, Integer::sum));
        }

        /** Once all of its pods are counted. */
        private void settle(Map<String, Integer> replicas) {
            if (object.maxUnavailable().isPresent()) {
                long expected = expected(replicas);
                desired = (int)
                        Math.max(0, expected - object.maxUnavailable().get().of(expected));
            } else if (object.minAvailable().isPresent()) {
                desired = object.minAvailable().get().of(expected(replicas));
            } else {
                desired = healthy - object.disruptionsAllowed();
            }
        }

        /** As many as the owners are to have; as many as there are of an owner that is not known. */
        private long expected(Map<String, Integer> replicas) {
            long expected = 0;
            for (Map.Entry<OwnerReference, Integer> owner : podsByOwner.entrySet()) {
                expected += replicas.getOrDefault(
                        ownerKey(
                                owner.getKey().kind(),
                                object.meta().namespace(),
                                owner.getKey().name()),
                        owner.getValue());
            }
            return expected;
        }

        /** Why it lets nobody go as the pods are now. */
        public String refusal() {
            return "PodDisruptionBudget " + object.meta().key() + " lets no pod go while "
                    + Math.max(0, healthy - missing) + " are healthy (" + terms() + ": " + desired + " must be there)";
        }

        private String terms() {
            return object.maxUnavailable()
                    .map(most -> "maxUnavailable " + most)
                    .or(() -> object.minAvailable().map(least -> "minAvailable " + least))
                    .orElse("disruptionsAllowed " + object.disruptionsAllowed());
        }

        /** Why it lets none go, ever: whoever is healthy must stay. Empty where one may go sooner or later. */
        public Optional<String> contradiction() {
            if (healthy + unhealthy - desired > 0) {
                return Optional.empty();
            }
            int all = healthy + unhealthy;
            return Optional.of("PodDisruptionBudget " + object.meta().key() + " lets "
                    + (all == 1 ? "its only pod never" : "none of its " + all + " pods") + " go (" + terms() + ": "
                    + desired + " must be there)");
        }
    }

    private final ClusterView cluster;
    private final Map<SelectorGroup, List<Budget>> byGroup = new HashMap<>();

    public EvictionBudgets(ClusterView cluster) {
        this.cluster = cluster;
        for (PodDisruptionBudget object : cluster.all(Kinds.POD_DISRUPTION_BUDGET)) {
            PodMatch match = new PodMatch(NamespaceScope.only(object.meta().namespace()), object.selector());
            SelectorGroup group = cluster.selectors().acquire(new SelectorGroup.Key(List.of(match), false));
            byGroup.computeIfAbsent(group, _ -> new ArrayList<>()).add(new Budget(object, group));
        }
        if (byGroup.isEmpty()) {
            return;
        }
        PodTable pods = cluster.pods();
        for (int row = 0; row < pods.end(); row++) {
            if (!pods.isFree(row)) {
                Pod pod = pods.pod(row);
                of(row).forEach(budget -> budget.count(pod));
            }
        }
        Map<String, Integer> replicas = new HashMap<>();
        Stream.of(Kinds.REPLICA_SET, Kinds.STATEFUL_SET, Kinds.REPLICATION_CONTROLLER)
                .flatMap(kind -> cluster.all(kind).stream())
                .forEach((WorkloadOwner owner) -> replicas.put(
                        ownerKey(
                                owner.kindName(),
                                owner.meta().namespace(),
                                owner.meta().name()),
                        owner.replicas()));
        all().forEach(budget -> budget.settle(replicas));
    }

    private static String ownerKey(String kind, String namespace, String name) {
        return kind + " " + namespace + "/" + name;
    }

    public static boolean isHealthy(Pod pod) {
        return pod.status().ready() || pod.status().startTime().isEmpty();
    }

    private Stream<Budget> all() {
        return byGroup.values().stream().flatMap(List::stream);
    }

    /** The budgets of the pod in this row. */
    public List<Budget> of(int row) {
        List<Budget> budgets = List.of();
        List<SelectorGroup> groups = cluster.selectors().groupsOf(row);
        for (int i = 0; i < groups.size(); i++) {
            List<Budget> more = byGroup.get(groups.get(i));
            if (more != null) {
                budgets = budgets.isEmpty()
                        ? more
                        : Stream.concat(budgets.stream(), more.stream()).toList();
            }
        }
        return budgets;
    }

    /** Why the pod must stay where it is; empty where something makes it again elsewhere, and the API server lets it be evicted. */
    public Optional<String> keptBy(Pod pod) {
        Optional<OwnerReference> owner = pod.meta().controller();
        if (owner.isEmpty()) {
            return Optional.of("nothing makes it again: it has no controller");
        }
        if (owner.get().keepsPodsOnNodes()) {
            return Optional.of(
                    "it belongs to its node, as a pod of a " + owner.get().kind());
        }
        if (pod.meta().terminating()) {
            return Optional.of("it is being deleted");
        }
        List<Budget> its = of(cluster.pods().find(pod.key()));
        if (lets(pod, its)) {
            return Optional.empty();
        }
        return Optional.of(
                its.size() > 1
                        ? "the API server evicts no pod that " + its.size() + " PodDisruptionBudgets protect"
                        : its.getFirst().refusal());
    }

    /** Whether the API server would evict the pod now, of which these are the budgets: one at most. */
    public static boolean lets(Pod pod, List<Budget> budgets) {
        return budgets.isEmpty() || (budgets.size() == 1 && budgets.getFirst().allowed() >= (isHealthy(pod) ? 1 : 0));
    }

    /** The pod goes: it is missing if it was healthy. */
    public static void goes(Pod pod, List<Budget> budgets) {
        add(isHealthy(pod) ? 1 : 0, budgets);
    }

    /** Takes back {@link #goes}. */
    public static void goesNot(Pod pod, List<Budget> budgets) {
        add(isHealthy(pod) ? -1 : 0, budgets);
    }

    /** A successor is ready, whatever its pod was. */
    public static void comes(List<Budget> budgets) {
        add(-1, budgets);
    }

    /** Takes back {@link #comes}. */
    public static void comesNot(List<Budget> budgets) {
        add(1, budgets);
    }

    private static void add(int missing, List<Budget> budgets) {
        for (int i = 0; i < budgets.size(); i++) {
            budgets.get(i).missing += missing;
        }
    }

    /** Nobody is missing any more. */
    public void reset() {
        all().forEach(budget -> budget.missing = 0);
    }

    @Override
    public void close() {
        byGroup.values()
                .forEach(
                        budgets -> budgets.forEach(budget -> cluster.selectors().release(budget.group)));
    }
}
