package io.evenkeel.tools.observe;

import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.decision.Survey.Assessment;
import io.evenkeel.framework.run.PluginFailure;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.write.Tree;
import io.evenkeel.tools.why.Workload;
import io.evenkeel.whatif.JudgingProfiles;
import io.evenkeel.whatif.why.PodQuestions;
import io.evenkeel.whatif.why.PodQuestions.Placement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The pods with spread constraints that were bound last, each tried once more by itself: it is taken away, and Evenkeel
 * chooses a node on the cluster as it is now.
 *
 * @param tried how many
 * @param better those that would go where they are spread better, by name
 */
record LastBindings(int tried, List<Better> better) {
    private static final int MOST = 100;
    private static final int MOST_NAMED = 5;

    /**
     * A pod that would go to a domain with fewer of the pods that its constraint counts, and by no constraint to one with more.
     *
     * @param instead the node that is chosen
     */
    record Better(Pod pod, Workload workload, String instead) {}

    private record Bound(Pod pod, Replicas replicas, String time) {
        String key() {
            return pod.key();
        }
    }

    /** @param index with constraints that have been read */
    static LastBindings of(Scheduler scheduler, SpreadIndex index, JudgingProfiles judges) {
        List<Bound> last = IntStream.range(0, scheduler.cluster().pods().end())
                .filter(row -> !scheduler.cluster().pods().isFree(row))
                .boxed()
                .flatMap(row -> bound(scheduler.cluster().pods().pod(row), row, index).stream())
                .sorted(Comparator.comparing(Bound::time).reversed().thenComparing(Bound::key))
                .limit(MOST)
                .sorted(Comparator.comparing(Bound::key))
                .toList();
        int tried = 0;
        List<Better> better = new ArrayList<>();
        for (Bound bound : last) {
            try {
                chosen(scheduler, judges.judged(bound.pod()))
                        .filter(node -> isBetter(scheduler, bound, node))
                        .ifPresent(node -> better.add(
                                new Better(bound.pod(), bound.replicas().workload(), node)));
                tried++;
            } catch (PluginFailure _) {
                // a failure is no verdict, so nothing was tried
            }
        }
        return new LastBindings(tried, List.copyOf(better));
    }

    private static Optional<Bound> bound(Pod pod, int row, SpreadIndex index) {
        return pod.meta().terminating()
                ? Optional.empty()
                : pod.status()
                        .scheduled()
                        .filter(condition -> condition.status().equals("True"))
                        .map(PodCondition::lastTransitionTime)
                        .filter(time -> !time.isEmpty())
                        .flatMap(time -> index.of(row)
                                .filter(replicas ->
                                        replicas.constraints().stream().anyMatch(WatchedConstraint::countsOwnPods))
                                .map(replicas -> new Bound(pod, replicas, time)));
    }

    /** The node that is chosen; empty where the pod's own is as good as any. */
    private static Optional<String> chosen(Scheduler scheduler, Pod pod) {
        Pod asked = PodBuilder.from(pod).nodeName("").build();
        String node = pod.spec().nodeName();
        return scheduler.engine().assess(asked, node, List.of(pod)) instanceof Assessment.Fits fits && fits.isBest()
                ? Optional.empty()
                : new PodQuestions(scheduler.engine())
                        .placement(pod, node).best().stream().findFirst().map(Placement.Scored::node);
    }

    private static boolean isBetter(Scheduler scheduler, Bound bound, String instead) {
        int from = scheduler.cluster().nodes().findPresent(bound.pod().spec().nodeName());
        int to = scheduler.cluster().nodes().findPresent(instead);
        int[] more = bound.replicas().constraints().stream()
                .filter(WatchedConstraint::countsOwnPods)
                .mapToInt(constraint -> more(constraint.counter(), from, to))
                .toArray();
        return IntStream.of(more).anyMatch(each -> each < 0)
                && IntStream.of(more).allMatch(each -> each <= 0);
    }

    /** How many more pods are counted in a pod's domain, with itself, if it goes from one node to another; 0 where it is not counted at one. */
    private static int more(DomainCounter counter, int from, int to) {
        if (from < 0
                || !counter.eligibility().includes(from)
                || !counter.eligibility().includes(to)) {
            return 0;
        }
        int before = counter.topology().domainOf(from);
        int after = counter.topology().domainOf(to);
        return before == after ? 0 : counter.sumOf(after) + 1 - counter.sumOf(before);
    }

    Tree tree() {
        return new Tree()
                .put("tried", tried)
                .put(
                        "better",
                        better,
                        one -> new Tree()
                                .put("pod", one.pod().key())
                                .put("node", one.pod().spec().nodeName())
                                .put("instead", one.instead()));
    }

    /** Empty where there is none that could be tried. */
    Optional<String> sentence() {
        if (tried == 0) {
            return Optional.empty();
        }
        Map<Workload, Long> workloads = better.stream()
                .collect(Collectors.groupingBy(Better::workload, LinkedHashMap::new, Collectors.counting()));
        String named = workloads.entrySet().stream()
                .sorted(Map.Entry.<Workload, Long>comparingByValue().reversed())
                .limit(MOST_NAMED)
                .map(each -> each.getValue() + " of " + each.getKey())
                .collect(Collectors.joining(", "));
        int more = workloads.size() - MOST_NAMED;
        return Optional.of("Of the last " + tried + (tried == 1 ? " binding" : " bindings")
                + " of pods with spread constraints, " + (better.isEmpty() ? "none" : better.size())
                + " would go to a node that spreads them better now, each tried by itself"
                + (named.isEmpty() ? "" : ": " + named)
                + (more > 0 ? " and of " + more + " more" : ""));
    }
}
