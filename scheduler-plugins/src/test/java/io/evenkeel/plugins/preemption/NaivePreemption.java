package io.evenkeel.plugins.preemption;

import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PostFilterPlugin.Result;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.WhatIf;
import io.evenkeel.framework.cycle.BatchTrial;
import io.evenkeel.framework.cycle.Diagnosis;
import io.evenkeel.framework.cycle.Diagnosis.Rejection;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodDisruptionBudget;
import io.evenkeel.model.kind.Kinds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Preemption as it is told: every node is run dry on the cluster itself, each time, and the best of all is taken. */
final class NaivePreemption {
    private record Candidate(String node, List<Pod> victims, int violations) {
        int highest() {
            return victims.getFirst().spec().priority();
        }

        long sum() {
            return victims.stream()
                    .mapToLong(victim -> victim.spec().priority() + (1L << 31))
                    .sum();
        }
    }

    private static final Comparator<Candidate> LEAST_HARM = Comparator.comparingInt(Candidate::violations)
            .thenComparingInt(Candidate::highest)
            .thenComparingLong(Candidate::sum)
            .thenComparingInt(candidate -> candidate.victims().size())
            .thenComparing(candidate -> start(candidate.victims().getFirst()), Comparator.reverseOrder())
            .thenComparing(Candidate::node);

    private final ClusterView cluster;
    private final ReferencePods order;
    /** Moments that pass while it is asked for the time. */
    private int asked;

    NaivePreemption(ClusterView cluster, ReferencePods order) {
        this.cluster = cluster;
        this.order = order;
    }

    /** For a pod that may preempt. */
    Result postFilter(PodInfo pod, Diagnosis diagnosis, BatchTrial trial) {
        List<Candidate> candidates = new ArrayList<>();
        Map<String, Integer> reasons = new TreeMap<>();
        int looked = 0;
        for (Rejection rejection : diagnosis.rejections()) {
            if (rejection.status().code() != Status.Code.UNSCHEDULABLE) {
                continue;
            }
            for (int node = rejection.nodes().first();
                    node >= 0;
                    node = rejection.nodes().next(node + 1)) {
                looked++;
                Status verdict = dryRun(node, pod.pod(), trial, candidates);
                verdict.reasons().forEach(reason -> reasons.merge(reason, 1, Integer::sum));
            }
        }
        int nodes = cluster.nodes().count();
        if (looked < nodes) {
            reasons.merge("Preemption is not helpful for scheduling", nodes - looked, Integer::sum);
        }
        return candidates.stream()
                .min(LEAST_HARM)
                .map(best -> Result.preempt(best.node(), best.victims()))
                .orElseGet(() -> new Result(Status.unschedulable(message(nodes, reasons)), Optional.of("")));
    }

    private static String message(int nodes, Map<String, Integer> reasons) {
        return "preemption: 0/" + nodes + " nodes are available: "
                + String.join(
                        ", ",
                        reasons.entrySet().stream()
                                .map(reason -> reason.getValue() + " " + reason.getKey())
                                .sorted()
                                .toList())
                + ".";
    }

    private Status dryRun(int node, Pod preemptor, BatchTrial trial, List<Candidate> candidates) {
        NodeInfo info = cluster.nodeInfo(node);
        List<Pod> mayGo = new ArrayList<>();
        for (String key : order.on(info.name())) {
            Pod pod = cluster.pods().pod(cluster.pods().find(key));
            if (pod.spec().priority() < preemptor.spec().priority()) {
                mayGo.add(pod);
            }
        }
        if (mayGo.isEmpty()) {
            return Status.unresolvable("No preemption victims found for incoming pod");
        }
        sort(mayGo);
        try (WhatIf whatIf = trial.whatIf()) {
            mayGo.forEach(whatIf::remove);
            Status verdict = trial.verdictOn(node);
            if (verdict.isSuccess()) {
                List<Pod> violating = violating(mayGo);
                List<Pod> victims = putBack(violating, node, trial, whatIf);
                int violations = victims.size();
                mayGo.removeAll(violating);
                victims.addAll(putBack(mayGo, node, trial, whatIf));
                if (!violating.isEmpty() && !mayGo.isEmpty()) {
                    sort(victims);
                }
                candidates.add(new Candidate(info.name(), victims, violations));
            }
            return verdict;
        }
    }

    /** By insertion, as few are sorted there. */
    private void sort(List<Pod> pods) {
        for (int i = 1; i < pods.size(); i++) {
            for (int j = i; j > 0 && isMoreImportant(pods.get(j), pods.get(j - 1)); j--) {
                Collections.swap(pods, j, j - 1);
            }
        }
    }

    private boolean isMoreImportant(Pod pod, Pod other) {
        int priority = pod.spec().priority();
        int otherPriority = other.spec().priority();
        return priority != otherPriority
                ? priority > otherPriority
                : startOrNow(pod).compareTo(startOrNow(other)) < 0;
    }

    /** The time that it is by now, for a pod that has not started. */
    private String startOrNow(Pod pod) {
        String time = pod.status().startTime();
        return time.isEmpty() ? "now + %09d".formatted(asked++) : time;
    }

    private static List<Pod> putBack(List<Pod> pods, int node, BatchTrial trial, WhatIf whatIf) {
        List<Pod> go = new ArrayList<>();
        for (Pod pod : pods) {
            whatIf.place(pod, node);
            if (!trial.verdictOn(node).isSuccess()) {
                whatIf.remove(pod);
                go.add(pod);
            }
        }
        return go;
    }

    private List<Pod> violating(List<Pod> pods) {
        List<Pod> violating = new ArrayList<>();
        Map<PodDisruptionBudget, Integer> used = new HashMap<>();
        for (Pod pod : pods) {
            boolean violates = false;
            for (PodDisruptionBudget budget : cluster.objects().all(Kinds.POD_DISRUPTION_BUDGET)) {
                if (budget.protects(pod, false)) {
                    violates |= used.merge(budget, 1, Integer::sum) > budget.disruptionsAllowed();
                }
            }
            if (violates) {
                violating.add(pod);
            }
        }
        return violating;
    }

    private static String start(Pod pod) {
        return pod.status().startTime().isEmpty() ? "~" : pod.status().startTime();
    }
}
