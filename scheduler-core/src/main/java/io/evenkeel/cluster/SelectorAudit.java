package io.evenkeel.cluster;

import io.evenkeel.model.Pod;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Audits the selector groups: asks each group's selectors about the full labels of every pod. */
final class SelectorAudit {
    private final ClusterView cluster;
    private final SelectorIndex selectors;
    private final AuditFacts facts;
    private final Differences differences;

    SelectorAudit(ClusterView cluster, AuditFacts facts, Differences differences) {
        this.cluster = cluster;
        this.selectors = cluster.selectors();
        this.facts = facts;
        this.differences = differences;
    }

    void run() {
        for (SelectorGroup group : selectors.groups()) {
            AuditFacts.compareCounts(
                    differences,
                    "group " + group.key(),
                    group.tally().counts(),
                    facts.podsByNode(pod -> selects(group.key(), pod)),
                    cluster.nodes());
            differences.require(group.references > 0, () -> "nobody uses group " + group.key());
        }
        checkMentions();
        checkIndex();
    }

    private boolean selects(SelectorGroup.Key key, Pod pod) {
        return (key.countsTerminating() || !pod.meta().terminating())
                && key.matches().stream()
                        .allMatch(match -> match.matches(pod.namespace(), pod.labels(), facts.namespaces()));
    }

    private void checkMentions() {
        Map<String, Integer> recounted = new HashMap<>();
        for (SelectorGroup group : selectors.groups()) {
            for (PodMatch match : group.key().matches()) {
                match.selector().keys().forEach(key -> recounted.merge(key, 1, Integer::sum));
            }
        }
        for (CarriedTerm term : cluster.carriedTerms().all()) {
            term.key().selector().keys().forEach(key -> recounted.merge(key, 1, Integer::sum));
        }
        Map<String, Integer> kept = new HashMap<>(selectors.mentions());
        long stale = kept.values().stream().filter(users -> users == 0).count();
        kept.values().removeIf(users -> users == 0);
        differences.compare(() -> "selectors that mention each label key", kept, recounted);
        differences.compare(() -> "label keys that no selector mentions any more", selectors.staleKeys(), stale);
    }

    private void checkIndex() {
        Set<SelectorGroup> filed = selectors.groupsByPivot().entries();
        Set<SelectorGroup> all = new HashSet<>(selectors.groups());
        filed.stream()
                .filter(group -> !all.contains(group))
                .forEach(group -> differences.require(false, () -> "the index still has group " + group.key()));
        for (LabelClass labelClass : selectors.classes()) {
            Pod pod = cluster.pods().pod(labelClass.firstPod);
            Map<SelectorGroup, Integer> proposals = new HashMap<>();
            selectors.groupsByPivot().forEachCandidate(pod.labels(), group -> proposals.merge(group, 1, Integer::sum));
            for (SelectorGroup group : all) {
                int times = proposals.getOrDefault(group, 0);
                differences.require(
                        times == 1 || (times == 0 && !selects(group.key(), pod)),
                        () -> "the index proposes group " + group.key() + " " + times + " times for " + pod.key());
            }
        }
    }
}
