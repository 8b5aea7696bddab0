package io.evenkeel.whatif.drain;

import static io.evenkeel.whatif.SchedulingOptions.USUAL;

import io.evenkeel.model.Pod;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.ClusterSnapshot.Transaction;
import io.evenkeel.whatif.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Says what becomes of pods whose nodes are lost, and how many more of a template there is room for. Nobody is preempted. */
public final class Capacity {
    private static final Pattern REASON = Pattern.compile("^([0-9]+) (.+)$");

    private Capacity() {}

    /**
     * What becomes of the pods of nodes that are lost.
     *
     * @param placed how many of them find another node
     * @param waiting those that do not
     * @param gone those that nothing makes again
     */
    public record Loss(List<String> nodes, int placed, List<Verdict.Refused> waiting, List<Pod> gone) {
        public Loss {
            nodes = List.copyOf(nodes);
            waiting = List.copyOf(waiting);
            gone = List.copyOf(gone);
        }

        /** What is lacking first; empty where all find a node. */
        public Optional<String> runsOut() {
            return waiting.stream().findFirst().map(first -> lack(first.message()));
        }
    }

    /**
     * How many more pods there is room for.
     *
     * @param message why no more; empty where the most that were asked for fit
     */
    public record Headroom(int pods, String message) {
        public Optional<String> runsOut() {
            return message.isEmpty() ? Optional.empty() : Optional.of(lack(message));
        }
    }

    /** Loses nodes; those of high priority are the first to be placed again. The cluster is afterwards as it was. */
    public static Loss lose(ClusterSnapshot cluster, List<String> nodes) {
        try (Transaction _ = cluster.begin()) {
            return lost(cluster, nodes);
        }
    }

    private static Loss lost(ClusterSnapshot cluster, List<String> nodes) {
        List<Pod> gone = new ArrayList<>();
        List<Pod> again = new ArrayList<>();
        for (String node : nodes) {
            for (Pod pod : cluster.podsOn(node)) {
                if (pod.meta().terminating() || Emptying.isOfItsNode(pod)) {
                    continue;
                }
                if (pod.meta().controller().isEmpty()) {
                    gone.add(pod);
                } else {
                    again.add(Emptying.successorOf(pod));
                }
            }
        }
        nodes.forEach(cluster::removeNode);
        again.sort(Comparator.comparingInt((Pod pod) -> -pod.spec().priority()).thenComparing(Pod::key));
        List<Verdict.Refused> waiting = cluster.schedulePods(again, USUAL).stream()
                .filter(Verdict.Refused.class::isInstance)
                .map(Verdict.Refused.class::cast)
                .toList();
        return new Loss(nodes, again.size() - waiting.size(), waiting, gone);
    }

    /** How many more pods of a template fit. The cluster is afterwards as it was. */
    public static Headroom headroom(ClusterSnapshot cluster, Pod template, int most) {
        List<Verdict> verdicts = cluster.schedulePodsByTemplate(Emptying.successorOf(template), most, USUAL.asDryRun());
        return !verdicts.isEmpty() && verdicts.getLast() instanceof Verdict.Refused(Pod _, String message)
                ? new Headroom(verdicts.size() - 1, message)
                : new Headroom(verdicts.size(), "");
    }

    /** The same once nodes are lost, and their pods have gone elsewhere as far as they can. */
    public static Headroom headroomWithout(ClusterSnapshot cluster, List<String> nodes, Pod template, int most) {
        try (Transaction _ = cluster.begin()) {
            lost(cluster, nodes);
            return headroom(cluster, template, most);
        }
    }

    /** The resource that most nodes lack, by the scheduler's words; else what most nodes say. */
    static String lack(String message) {
        String reasons = message.substring(message.indexOf(": ") + 1).strip();
        return Arrays.stream(reasons.replaceFirst("[.]$", "").split("[,.] "))
                .map(REASON::matcher)
                .filter(Matcher::matches)
                .max(Comparator.comparing((Matcher reason) -> isOfResource(reason.group(2)))
                        .thenComparing(reason -> Integer.parseInt(reason.group(1))))
                .map(reason -> reason.group(2))
                .orElse(message);
    }

    private static boolean isOfResource(String reason) {
        return reason.startsWith("Insufficient ") || reason.equals("Too many pods");
    }
}
