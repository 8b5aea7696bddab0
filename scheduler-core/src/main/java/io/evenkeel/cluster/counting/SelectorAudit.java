package io.evenkeel.cluster.counting;

import io.evenkeel.cluster.counting.LabelClasses.LabelClass;
import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.model.Pod;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Audits the selector groups: asks each group's selectors about the full labels of every pod. */
record SelectorAudit(
        SelectorIndex selectors, PodTable pods, Namespaces namespaces, AuditFacts facts, Differences differences) {
    void run() {
        for (SelectorGroup group : selectors.groups()) {
            group.tally()
                    .audit(
                            "group " + group.key(),
                            facts.podsByNode(pod -> selects(group.key(), pod)),
                            facts,
                            differences);
            differences.require(group.references > 0, () -> "kept without a user: group " + group.key());
        }
        checkIndex();
    }

    private boolean selects(SelectorGroup.Key key, Pod pod) {
        return key.counts(pod.departure())
                && key.matches().stream().allMatch(match -> match.matches(pod.namespace(), pod.labels(), namespaces));
    }

    private void checkIndex() {
        Set<SelectorGroup> filed = selectors.groupsByFilingLabel().entries();
        Set<SelectorGroup> all = new HashSet<>(selectors.groups());
        filed.stream()
                .filter(group -> !all.contains(group))
                .forEach(group -> differences.require(false, () -> "the index still has group " + group.key()));
        for (LabelClass labelClass : selectors.classes().all()) {
            Pod pod = pods.pod(labelClass.firstPod);
            Map<SelectorGroup, Integer> proposals = new HashMap<>();
            selectors
                    .groupsByFilingLabel()
                    .forEachCandidate(pod.namespace(), pod.labels(), group -> proposals.merge(group, 1, Integer::sum));
            for (SelectorGroup group : all) {
                int times = proposals.getOrDefault(group, 0);
                differences.require(
                        times == 1 || (times == 0 && !selects(group.key(), pod)),
                        () -> "the index proposes group " + group.key() + " " + times + " times for " + pod.key());
            }
        }
    }
}
