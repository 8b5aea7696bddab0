package io.evenkeel.tools.simulate;

import io.evenkeel.cluster.counting.Skew;
import io.evenkeel.cluster.shape.PodRequests;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.model.write.Tree;
import io.evenkeel.tools.output.Layout;
import io.evenkeel.tools.output.Report;
import io.evenkeel.tools.simulate.DeviceClaims.Had;
import io.evenkeel.tools.simulate.Outcome.Decided;
import io.evenkeel.tools.simulate.Outcome.Verdict;
import io.evenkeel.tools.why.Workload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The result of a simulation.
 *
 * @param zonesBefore by the name of the zone; empty for nodes in none
 * @param compared the result with another configuration
 */
record Answer(
        List<String> changes,
        Outcome outcome,
        List<Pod> gone,
        List<SkewChange> skews,
        SortedMap<String, Use> zonesBefore,
        SortedMap<String, Use> zonesAfter,
        Use before,
        Use after,
        List<String> remarks,
        Optional<Compared> compared)
        implements Report {
    private static final int VERSION = 1;

    @Override
    public Tree tree() {
        Tree tree = new Tree().put("version", VERSION).put("changes", changes);
        put(tree);
        tree.put("remarks", remarks);
        compared.ifPresent(beside -> {
            Tree other = new Tree().put("with", beside.name()).put("onOtherNodes", differsFrom(beside.other()));
            beside.other().put(other);
            tree.put("compared", other);
        });
        return tree;
    }

    private void put(Tree tree) {
        Map<String, List<Had>> devices = DeviceClaims.had(outcome.after());
        tree.put("placed", placed())
                .put("pending", pending().size())
                .put("notMade", notMade())
                .put("preempted", preempted())
                .put("moved", moved().size())
                .put("pods", outcome.pods(), decided -> decided(decided, devices))
                .put("gone", gone, Pod::key)
                .put(
                        "evicted",
                        outcome.evicted(),
                        evicted -> new Tree()
                                .put("pod", evicted.pod().key())
                                .put("node", evicted.pod().spec().nodeName())
                                .put("for", evicted.by()))
                .put("spread", skews, Answer::skew)
                .put("before", use(before).put("zones", zonesBefore, Answer::use))
                .put("after", use(after).put("zones", zonesAfter, Answer::use));
    }

    private static Tree decided(Decided decided, Map<String, List<Had>> devices) {
        Tree tree = new Tree()
                .put("pod", decided.arrival().pod().key())
                .put("workload", decided.arrival().workload().title())
                .put("cause", decided.arrival().cause().written())
                .putPresent(
                        "instead",
                        decided.arrival()
                                .instead()
                                .map(gone -> new Tree()
                                        .put("pod", gone.key())
                                        .put("node", gone.spec().nodeName())));
        return switch (decided.verdict()) {
            case Verdict.Placed(var node) ->
                tree.put("node", node).putNonEmpty("devices", devicesOf(decided, devices), Answer::device);
            case Verdict.Waits(var why) -> tree.put("message", why);
            case Verdict.NotMade(var after) -> tree.put("notMadeBefore", after);
            case Verdict.Preempted(var by) -> tree.put("preemptedBy", by);
        };
    }

    static List<Had> devicesOf(Decided decided, Map<String, List<Had>> devices) {
        return devices.getOrDefault(decided.arrival().pod().meta().uid(), List.of());
    }

    private static Tree device(Had had) {
        return new Tree()
                .put("claim", had.claim())
                .put("request", had.device().request())
                .put("driver", had.device().driver())
                .put("pool", had.device().pool())
                .put("device", had.device().device());
    }

    private static Tree skew(SkewChange skew) {
        return new Tree()
                .put("workload", skew.workload().title())
                .put("topologyKey", skew.constraint().topologyKey())
                .put("maxSkew", skew.constraint().maxSkew())
                .put("whenUnsatisfiable", skew.constraint().whenUnsatisfiable().apiName())
                .put("before", new Tree().put("skew", skew.skewBefore()).put("domains", skew.before()))
                .put("after", new Tree().put("skew", skew.skewAfter()).put("domains", skew.after()));
    }

    private static Tree use(Use use) {
        return new Tree()
                .put("nodes", use.nodes())
                .put("nodesInUse", use.inUse())
                .put("pods", use.pods())
                .put("cpu", toThousandths(use.cpu()))
                .put("cpuAllocatable", toThousandths(use.cpuOffered()))
                .put("memory", Math.round(use.memory()))
                .put("memoryAllocatable", Math.round(use.memoryOffered()));
    }

    /** As exact as cpus are asked for; sums of fractions have a long tail. */
    private static double toThousandths(double cpus) {
        return Math.round(cpus * 1e3) / 1e3;
    }

    @Override
    public String text(Layout layout) {
        return new TextReport(layout.columns()).of(this);
    }

    /** Beside another configuration, by its name. */
    record Compared(String name, Answer other) {}

    static Answer of(ChangedCluster cluster, Outcome outcome, PodRequests requests, List<String> moreRemarks) {
        SortedMap<Workload, Pod> models = new TreeMap<>();
        outcome.pods()
                .forEach(decided -> models.putIfAbsent(
                        decided.arrival().workload(), decided.arrival().pod()));
        List<String> remarks = new ArrayList<>(moreRemarks);
        remarks.addAll(cluster.remarks());
        remarks.addAll(outcome.remarks());
        return new Answer(
                cluster.changes(),
                outcome,
                cluster.gone(),
                SkewChange.of(models, cluster.before(), outcome.after()),
                Use.byZone(cluster.before(), requests),
                Use.byZone(outcome.after(), requests),
                Use.of(cluster.before(), requests),
                Use.of(outcome.after(), requests),
                List.copyOf(remarks),
                Optional.empty());
    }

    Answer comparedWith(String name, Answer other) {
        return new Answer(
                changes,
                outcome,
                gone,
                skews,
                zonesBefore,
                zonesAfter,
                before,
                after,
                remarks,
                Optional.of(new Compared(name, other)));
    }

    long placed() {
        return outcome.pods().stream()
                .filter(decided -> decided.verdict() instanceof Verdict.Placed)
                .count();
    }

    /** Counts the pending pods that are not made before others are ready. */
    long notMade() {
        return outcome.pods().stream()
                .filter(decided -> decided.verdict() instanceof Verdict.NotMade)
                .count();
    }

    /** Counts the placed pods that went for others; pods made again for them are counted apart. */
    long preempted() {
        return outcome.pods().stream()
                .filter(decided -> decided.verdict() instanceof Verdict.Preempted)
                .count();
    }

    /** The pods that wait, and those that are not even made for it. */
    List<Decided> pending() {
        return outcome.pods().stream()
                .filter(decided ->
                        decided.verdict() instanceof Verdict.Waits || decided.verdict() instanceof Verdict.NotMade)
                .toList();
    }

    /** Pods on other nodes than the pods that they replace. */
    List<Decided> moved() {
        return outcome.pods().stream()
                .filter(decided -> decided.verdict() instanceof Verdict.Placed placed
                        && decided.arrival()
                                .instead()
                                .filter(gone -> !gone.spec().nodeName().equals(placed.node()))
                                .isPresent())
                .toList();
    }

    /** How many pods this answer places on other nodes than that one, or only one of the two places. */
    long differsFrom(Answer other) {
        Map<String, Verdict> theirs = new HashMap<>();
        other.outcome
                .pods()
                .forEach(decided -> theirs.put(decided.arrival().pod().key(), decided.verdict()));
        return outcome.pods().stream()
                .filter(decided -> !node(decided.verdict())
                        .equals(Optional.ofNullable(
                                        theirs.get(decided.arrival().pod().key()))
                                .flatMap(Answer::node)))
                .count();
    }

    static Optional<String> node(Verdict verdict) {
        return verdict instanceof Verdict.Placed(String node) ? Optional.of(node) : Optional.empty();
    }

    /**
     * How evenly the pods that a constraint selects are spread, before and after.
     *
     * @param before pods by domain, of those domains that the constraint counts
     */
    record SkewChange(
            Workload workload,
            TopologySpreadConstraint constraint,
            SortedMap<String, Integer> before,
            SortedMap<String, Integer> after) {

        /** Of the constraints of some workloads' pods. */
        static List<SkewChange> of(Map<Workload, Pod> models, ClusterPicture before, ClusterPicture after) {
            Map<Object, SkewChange> skews = new LinkedHashMap<>();
            models.forEach((workload, pod) -> {
                Set<TopologySpreadConstraint> constraints =
                        new LinkedHashSet<>(pod.spec().topologySpread());
                for (TopologySpreadConstraint constraint : constraints) {
                    skews.put(
                            List.of(workload, constraint),
                            new SkewChange(
                                    workload,
                                    constraint,
                                    count(pod, constraint, before),
                                    count(pod, constraint, after)));
                }
            });
            return List.copyOf(skews.values());
        }

        private static SortedMap<String, Integer> count(
                Pod pod, TopologySpreadConstraint constraint, ClusterPicture picture) {
            SortedMap<String, Integer> domains = new TreeMap<>();
            Map<String, String> domainOf = new LinkedHashMap<>();
            for (Node node : picture.nodes()) {
                if (counts(node, pod, constraint)) {
                    String domain = node.labels().getOrDefault(constraint.topologyKey(), "");
                    domains.putIfAbsent(domain, 0);
                    domainOf.put(node.name(), domain);
                }
            }
            for (Pod other : picture.pods()) {
                String domain = domainOf.get(other.spec().nodeName());
                if (domain != null
                        && other.namespace().equals(pod.namespace())
                        && !other.meta().terminating()
                        && !constraint.labelSelector().matchesEverything()
                        && constraint.labelSelector().matches(other.labels())) {
                    domains.merge(domain, 1, Integer::sum);
                }
            }
            return domains;
        }

        /** Whether a node is in one of the domains, as its policies say. */
        private static boolean counts(Node node, Pod pod, TopologySpreadConstraint constraint) {
            boolean hasKeys = pod.spec().topologySpread().stream()
                    .filter(other -> other.isHard() == constraint.isHard())
                    .allMatch(other -> node.labels().has(other.topologyKey()));
            boolean isSelected = constraint.nodeAffinityPolicy() == NodeInclusionPolicy.IGNORE
                    || (node.labels().hasAll(pod.spec().nodeSelector())
                            && pod.spec()
                                    .nodeAffinity()
                                    .required()
                                    .map(required -> required.matches(node.labels(), node.name()))
                                    .orElse(true));
            boolean isTolerated = constraint.nodeTaintsPolicy() == NodeInclusionPolicy.IGNORE
                    || node.taints().stream()
                            .filter(taint -> taint.effect().keepsPodsAway())
                            .allMatch(taint -> pod.spec().tolerations().stream()
                                    .anyMatch(toleration -> toleration.tolerates(taint)));
            return hasKeys && isSelected && isTolerated;
        }

        int skewBefore() {
            return Skew.of(before.values(), constraint).skew();
        }

        int skewAfter() {
            return Skew.of(after.values(), constraint).skew();
        }
    }

    /**
     * The offers of some nodes, and the requests of the pods on them.
     *
     * @param inUse nodes with a pod
     * @param fullestCpu the share of its cpu that is asked for on the node where that is most
     */
    record Use(
            int nodes,
            int inUse,
            int pods,
            double cpu,
            double cpuOffered,
            double memory,
            double memoryOffered,
            double fullestCpu) {
        private static final String ZONE = "topology.kubernetes.io/zone";
        private static final Use NONE = new Use(0, 0, 0, 0, 0, 0, 0, 0);

        /** Of nodes without the label, the name is empty. */
        static SortedMap<String, Use> byZone(ClusterPicture picture, PodRequests requests) {
            SortedMap<String, Use> zones = new TreeMap<>();
            ofNodes(picture, requests).forEach((node, use) -> {
                String zone = ((Node) picture.find("Node", node).orElseThrow())
                        .labels()
                        .getOrDefault(ZONE, "");
                zones.merge(zone, use, Use::plus);
            });
            return zones;
        }

        static Use of(ClusterPicture picture, PodRequests requests) {
            return ofNodes(picture, requests).values().stream().reduce(NONE, Use::plus);
        }

        private static Map<String, Use> ofNodes(ClusterPicture picture, PodRequests requests) {
            Map<String, Use> uses = new HashMap<>();
            for (Node node : picture.nodes()) {
                uses.put(
                        node.name(),
                        new Use(
                                1,
                                0,
                                0,
                                0,
                                amount(node.allocatable(), "cpu"),
                                0,
                                amount(node.allocatable(), "memory"),
                                0));
            }
            for (Pod pod : picture.pods()) {
                uses.computeIfPresent(pod.spec().nodeName(), (_, use) -> use.with(requests.of(pod)));
            }
            return uses;
        }

        private Use with(Map<String, Quantity> requests) {
            double all = cpu + amount(requests, "cpu");
            return new Use(
                    nodes,
                    1,
                    pods + 1,
                    all,
                    cpuOffered,
                    memory + amount(requests, "memory"),
                    memoryOffered,
                    share(all, cpuOffered));
        }

        private Use plus(Use other) {
            return new Use(
                    nodes + other.nodes,
                    inUse + other.inUse,
                    pods + other.pods,
                    cpu + other.cpu,
                    cpuOffered + other.cpuOffered,
                    memory + other.memory,
                    memoryOffered + other.memoryOffered,
                    Math.max(fullestCpu, other.fullestCpu));
        }

        double cpuShare() {
            return share(cpu, cpuOffered);
        }

        double memoryShare() {
            return share(memory, memoryOffered);
        }

        static Use none() {
            return NONE;
        }

        private static double share(double part, double whole) {
            return whole == 0 ? 0 : part / whole;
        }

        private static double amount(Map<String, Quantity> amounts, String resource) {
            return amounts.getOrDefault(resource, Quantity.ZERO).doubleValue();
        }
    }
}
