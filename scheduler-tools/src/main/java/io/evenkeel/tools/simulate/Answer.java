package io.evenkeel.tools.simulate;

import io.evenkeel.model.Pod;
import io.evenkeel.model.write.Tree;
import io.evenkeel.tools.output.Report;
import io.evenkeel.tools.simulate.Outcome.Decided;
import io.evenkeel.tools.simulate.Outcome.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
        tree.put("placed", placed())
                .put("pending", pending().size())
                .put("notMade", notMade())
                .put("preempted", preempted())
                .put("moved", moved().size())
                .put("pods", outcome.pods(), Answer::decided)
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

    private static Tree decided(Decided decided) {
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
            case Verdict.Placed(var node) -> tree.put("node", node);
            case Verdict.Waits(var why) -> tree.put("message", why);
            case Verdict.NotMade(var after) -> tree.put("notMadeBefore", after);
            case Verdict.Preempted(var by) -> tree.put("preemptedBy", by);
        };
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
    public String text(int columns) {
        return new TextReport(columns).of(this);
    }

    /** Beside another configuration, by its name. */
    record Compared(String name, Answer other) {}

    static Answer of(ChangedCluster cluster, Outcome outcome, List<String> moreRemarks) {
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
                Use.byZone(cluster.before()),
                Use.byZone(outcome.after()),
                Use.of(cluster.before()),
                Use.of(outcome.after()),
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
}
