package io.evenkeel.tools.simulate;

import io.evenkeel.model.Pod;
import io.evenkeel.tools.simulate.Outcome.Decided;
import io.evenkeel.tools.simulate.cluster.ChangedCluster;
import io.evenkeel.tools.simulate.workload.Workload;
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
public record Answer(
        List<String> changes,
        Outcome outcome,
        List<Pod> gone,
        List<SkewChange> skews,
        SortedMap<String, Use> zonesBefore,
        SortedMap<String, Use> zonesAfter,
        Use before,
        Use after,
        List<String> remarks,
        Optional<Compared> compared) {

    /** Beside another configuration, by its name. */
    public record Compared(String name, Answer other) {}

    /** Of a run. */
    public static Answer of(ChangedCluster cluster, Outcome outcome, List<String> moreRemarks) {
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

    /** Adds the result with another configuration. */
    public Answer comparedWith(String name, Answer other) {
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
