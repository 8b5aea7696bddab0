package io.evenkeel.tools.observe;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.model.Pod;
import io.evenkeel.model.write.Tree;
import io.evenkeel.tools.observe.WatchedConstraint.SpreadReading;
import io.evenkeel.tools.why.Workload;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A cluster's workloads, a row each, with the spread of their pods as it is when somebody asks. Between two questions it keeps the counters
 * that the constraints are read from, and reads those again that may have changed.
 */
public final class WorkloadTable {
    private static final int MOST_ROWS = 500;
    private static final int MOST_DOMAINS = 50;

    private final Reader reader;

    /** On the thread that changes the cluster, as all calls. */
    public WorkloadTable(ClusterView cluster, SchedulerConfiguration configuration) {
        reader = new Reader(cluster, configuration);
    }

    /**
     * The rows as JSON: those first with most skew beyond what is allowed, then those of most pods that wait.
     *
     * @param waiting pods that wait for a node
     * @param policies those that a pod is about, for the rows that are told
     */
    public Tree tree(Collection<Pod> waiting, Function<Pod, List<Tree>> policies) {
        waiting.forEach(reader.index()::addWaiting);
        try {
            boolean all = false;
            while (!all) {
                all = reader.read(Long.MAX_VALUE, _ -> {}, _ -> {});
            }
            Map<Workload, Row> rows = new TreeMap<>();
            for (Replicas replicas : reader.index().replicas()) {
                if (replicas.size() > 0) {
                    rows.computeIfAbsent(replicas.workload(), Row::new)
                            .add(replicas, reader.index().wanted(replicas));
                }
            }
            return new Tree()
                    .put(
                            "workloads",
                            rows.values().stream()
                                    .sorted(Row.WORST_FIRST)
                                    .limit(MOST_ROWS)
                                    .toList(),
                            row -> row.tree(policies))
                    .put("more", Math.max(0, rows.size() - MOST_ROWS));
        } finally {
            waiting.forEach(reader.index()::removeWaiting);
        }
    }

    /** One workload, its revisions together. */
    private static final class Row {
        static final Comparator<Row> WORST_FIRST = Comparator.comparingInt(Row::excess)
                .thenComparingInt(row -> row.waiting)
                .reversed()
                .thenComparing(row -> row.workload);

        private final Workload workload;
        private final List<WatchedConstraint> constraints = new ArrayList<>();
        private int wanted;
        private int placed;
        private int waiting;
        private Optional<Pod> sample = Optional.empty();

        Row(Workload workload) {
            this.workload = workload;
        }

        void add(Replicas replicas, int wantedOfThem) {
            wanted += wantedOfThem;
            placed += replicas.placed();
            waiting += replicas.size() - replicas.placed();
            constraints.addAll(replicas.constraints());
            sample = sample.or(() -> Optional.of(replicas.sample()));
        }

        int excess() {
            return Math.max(
                    0,
                    constraints.stream()
                            .mapToInt(constraint -> constraint.reading().excess())
                            .max()
                            .orElse(0));
        }

        Tree tree(Function<Pod, List<Tree>> policies) {
            return new Tree()
                    .put("namespace", workload.namespace())
                    .put("kind", workload.kind())
                    .put("name", workload.name())
                    .put("wanted", wanted)
                    .put("placed", placed)
                    .put("waiting", waiting)
                    .put("constraints", constraints, Row::tree)
                    .put("policies", sample.map(policies).orElse(List.of()));
        }

        private static Tree tree(WatchedConstraint constraint) {
            List<SpreadReading.Domain> domains = constraint.domains();
            return new Tree()
                    .put("topologyKey", constraint.constraint().topologyKey())
                    .put("whenUnsatisfiable", constraint.name().whenUnsatisfiable())
                    .put("allowed", constraint.reading().allowed())
                    .put("skew", constraint.reading().skew())
                    .put("byDefault", constraint.isDefault())
                    .put(
                            "domains",
                            domains.subList(0, Math.min(MOST_DOMAINS, domains.size())),
                            domain -> new Tree().put("value", domain.value()).put("pods", domain.pods()))
                    .put("moreDomains", Math.max(0, domains.size() - MOST_DOMAINS));
        }
    }
}
