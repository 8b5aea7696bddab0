package io.evenkeel.lab.bench;

import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.lab.bench.Bench.Figures;
import io.evenkeel.lab.bench.Bench.Scenario;
import io.evenkeel.lab.bench.PerfWorkload.PodTemplate;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.Service;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * A workload of the reference at some size.
 *
 * @param pods to be measured, beside the pods that come among them
 * @param registry by which residents are put where the engine would have put them
 */
record PerfCase(PerfWorkload workload, int nodes, int pods, long seed, PluginRegistry registry) implements Scenario {
    /** At the reference's own size. */
    static PerfCase of(PerfWorkload workload, long seed, PluginRegistry registry) {
        return new PerfCase(workload, workload.nodes(), workload.pods(), seed, registry);
    }

    /** As many a node as the reference has. */
    int residents() {
        return Math.toIntExact((long) workload.residents() * nodes / workload.nodes());
    }

    /** The rate that the reference's CI demands at this size; empty where it demands none. */
    OptionalInt floor() {
        boolean isUsual = nodes == workload.nodes() && pods == workload.pods();
        return isUsual ? workload.floor() : OptionalInt.empty();
    }

    @Override
    public List<KubernetesObject> objects() {
        List<KubernetesObject> cluster = PerfCluster.objects(this);
        List<KubernetesObject> objects = new ArrayList<>(cluster);
        objects.addAll(Residents.placed(cluster, PerfPods.residents(this), seed, registry));
        return objects;
    }

    @Override
    public List<Pod> newcomers() {
        return PerfPods.newcomers(this);
    }

    @Override
    public List<Pod> knownBefore() {
        return List.of();
    }

    /** With as many pods a node. */
    @Override
    public PerfCase smaller(int mostNodes, int mostPods) {
        int fewerNodes = Math.min(nodes, mostNodes);
        int fewerPods = Math.toIntExact(Math.ceilDiv((long) pods * fewerNodes, nodes));
        return new PerfCase(workload, fewerNodes, Math.min(fewerPods, mostPods), seed, registry);
    }

    BenchReport measured(Bench bench) {
        Figures figures = bench.measure(this);
        OptionalInt floor = floor();
        String aboutTheRate = floor.isPresent()
                ? "kube-scheduler's CI, whole scheduler: at least " + floor.getAsInt()
                : "kube-scheduler's CI demands no rate of this size";
        BenchReport report = new BenchReport()
                .line("workload", "%s of Kubernetes' scheduler_perf", workload.id())
                .line("cluster", "%,d nodes with %,d pods on them", nodes, residents())
                .line(
                        "pods",
                        "%,d: %,d placed, %,d unschedulable",
                        figures.placed() + figures.unschedulable(),
                        figures.placed(),
                        figures.unschedulable())
                .put("workload", workload.id())
                .put("nodes", nodes)
                .put("pods", pods)
                .put("residents", residents());
        figures.addTo(report, aboutTheRate);
        floor.ifPresent(rate -> report.put("reference_floor", rate));
        return report.seed(seed);
    }

    /** Pods that are scheduled like those which are measured, but before them. */
    private static final class Residents {
        private Residents() {}

        /**
         * The pods where the engine has placed them.
         *
         * @throws IllegalStateException if not all of them fit
         */
        static List<Pod> placed(List<KubernetesObject> cluster, List<Pod> pods, long seed, PluginRegistry registry) {
            var engine = WorkloadCluster.start(cluster, seed, registry);
            List<String> nodes = PlacementRun.of(engine, pods).nodeNames(engine);
            List<Pod> placed = new ArrayList<>(pods.size());
            for (int i = 0; i < nodes.size(); i++) {
                if (nodes.get(i).isEmpty()) {
                    throw new IllegalStateException(
                            "there is no room for " + pods.get(i).key());
                }
                placed.add(PodBuilder.from(pods.get(i)).nodeName(nodes.get(i)).build());
            }
            return placed;
        }
    }

    /** The cluster of the reference's workloads before the first pod: nodes of 4 CPU, 32Gi and 110 pods, namespaces, a Service. */
    static final class PerfCluster {
        /** Of the workload that spreads over untainted hosts, one node of so many has a taint. */
        private static final int NODES_PER_TAINTED_NODE = 5;

        private PerfCluster() {}

        static List<KubernetesObject> objects(PerfCase perfCase) {
            PerfWorkload row = perfCase.workload();
            List<KubernetesObject> objects = new ArrayList<>();
            if (row.podsOf() == PodTemplate.WITHOUT_REQUESTS_FOR_ONE_NODE) {
                objects.add(node(PodTemplate.ONE_NODE, "90000").build());
            }
            for (int index = 0; index < perfCase.nodes(); index++) {
                objects.add(node(row, index));
            }
            objects.add(namespace(PerfPods.RESIDENTS));
            objects.add(namespace(PerfPods.MEASURED));
            for (int index = 0; index < row.namespaces(); index++) {
                objects.add(namespace(PerfPods.namespaceOfResidents(index)));
            }
            if (row.podsOf() == PodTemplate.WITHOUT_REQUESTS_OF_A_SERVICE) {
                objects.add(new Service(
                        ObjectMeta.named(PerfPods.MEASURED, "service"), Labels.of("app", PodTemplate.SERVICE_APP)));
            }
            return objects;
        }

        private static Node node(PerfWorkload row, int index) {
            NodeBuilder node = node("node-" + index, "110");
            if (!row.zones().isEmpty()) {
                node.zone(row.zones().get(index % row.zones().size()));
            }
            if (row.podsOf() == PodTemplate.SPREAD_OVER_UNTAINTED_HOSTS && index % NODES_PER_TAINTED_NODE == 0) {
                node.taint("foo", "", TaintEffect.NO_SCHEDULE);
            }
            return node.build();
        }

        private static NodeBuilder node(String name, String pods) {
            return NodeBuilder.node(name).hostname(name).allocatable("cpu", "4", "memory", "32Gi", "pods", pods);
        }

        /** Each is of the team that the terms with a namespace selector are about; no other term asks. */
        private static Namespace namespace(String name) {
            return new Namespace(ObjectMeta.named("", name).withLabels(PodTemplate.TEAM));
        }
    }

    static final class PerfPods {
        static final String RESIDENTS = "sched-0";
        static final String MEASURED = "sched-1";

        private PerfPods() {}

        /** The pods in place before the first is measured; each form after the other, as the reference creates them. */
        static List<Pod> residents(PerfCase perfCase) {
            PerfWorkload row = perfCase.workload();
            int forms = row.residentsOf().size();
            List<Pod> pods = new ArrayList<>(perfCase.residents());
            for (int form = 0; form < forms; form++) {
                for (int index = form; index < perfCase.residents(); index += forms) {
                    String namespace =
                            row.namespaces() == 0 ? RESIDENTS : namespaceOfResidents(index % row.namespaces());
                    pods.add(row.residentsOf()
                            .get(form)
                            .pod(namespace, "resident-" + index)
                            .build());
                }
            }
            return pods;
        }

        /** The pods to be measured, and the pods that come among them. */
        static List<Pod> newcomers(PerfCase perfCase) {
            PerfWorkload row = perfCase.workload();
            List<Pod> pods = new ArrayList<>(perfCase.pods());
            for (int index = 0; index < perfCase.pods(); index++) {
                pods.add(row.podsOf().pod(MEASURED, "pod-" + index).build());
                int number = index + 1;
                row.intruders()
                        .filter(intruders -> number % intruders.every() == 0)
                        .ifPresent(intruders -> pods.add(
                                intruders.of().pod(MEASURED, "other-" + number).build()));
            }
            return pods;
        }

        static String namespaceOfResidents(int index) {
            return "init-ns-" + index;
        }
    }
}
