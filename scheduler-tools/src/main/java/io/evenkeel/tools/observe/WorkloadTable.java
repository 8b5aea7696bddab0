package io.evenkeel.tools.observe;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.model.Pod;
import io.evenkeel.model.write.Tree;
import io.evenkeel.tools.observe.WatchedConstraint.SpreadReading;
import io.evenkeel.tools.why.Spreads;
import io.evenkeel.tools.why.Spreads.Row;
import io.evenkeel.tools.why.Spreads.Rows;
import io.evenkeel.tools.why.Workload;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The workloads of a copy of the cluster, a row each, with the spread of their pods as it is when somebody asks. Between two questions it keeps
 * the counters that the constraints are read from, and reads those again that may have changed.
 */
public final class WorkloadTable {
    private static final int MOST_ROWS = 500;
    private static final int MOST_DOMAINS = 50;

    private final Reader reader;

    private WorkloadTable(ClusterView cluster, SchedulerConfiguration configuration) {
        reader = new Reader(cluster, configuration);
    }

    public static Spreads spreads(SchedulerConfiguration configuration) {
        return (copy, namespace) -> copy.keeping(
                        WorkloadTable.class, () -> new WorkloadTable(copy.cluster(), configuration))
                .rows(copy.waiting(), namespace);
    }

    private Rows rows(Collection<Pod> waiting, String namespace) {
        waiting.forEach(reader.index()::addWaiting);
        try {
            boolean all = false;
            while (!all) {
                all = reader.read(Long.MAX_VALUE, _ -> {}, _ -> {});
            }
            Map<Workload, Counts> found = new TreeMap<>();
            for (Replicas replicas : reader.index().replicas()) {
                Workload workload = replicas.workload();
                if (replicas.size() > 0
                        && (namespace.isEmpty() || workload.namespace().equals(namespace))) {
                    found.computeIfAbsent(workload, Counts::new)
                            .add(replicas, reader.index().wanted(replicas));
                }
            }
            List<Row> rows = found.values().stream()
                    .sorted(Counts.WORST_FIRST)
                    .limit(MOST_ROWS)
                    .map(Counts::row)
                    .toList();
            return new Rows(rows, found.size() - rows.size());
        } finally {
            waiting.forEach(reader.index()::removeWaiting);
        }
    }

    /** One workload, its revisions together. */
    private static final class Counts {
        static final Comparator<Counts> WORST_FIRST = Comparator.comparingInt(Counts::excess)
                .thenComparingInt(counts -> counts.waiting)
                .reversed()
                .thenComparing(counts -> counts.workload);

        private final Workload workload;
        private final List<WatchedConstraint> constraints = new ArrayList<>();
        private int wanted;
        private int placed;
        private int waiting;
        private Optional<Pod> sample = Optional.empty();

        Counts(Workload workload) {
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

        Row row() {
            Tree tree = new Tree()
                    .put("namespace", workload.namespace())
                    .put("kind", workload.kind())
                    .put("name", workload.name())
                    .put("wanted", wanted)
                    .put("placed", placed)
                    .put("waiting", waiting)
                    .put("constraints", constraints, Counts::tree);
            return new Row(workload, sample.orElseThrow(), tree);
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
