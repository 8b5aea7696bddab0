package io.evenkeel.cluster.counting;

import io.evenkeel.cluster.counting.LabelClasses.LabelClass;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.model.Pod;
import io.evenkeel.model.value.FilingLabel;
import io.evenkeel.model.value.Labels;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Audits that each pod is in the label class of its labels, and each class in the groups of its pods. */
record LabelClassAudit(SelectorIndex selectors, PodTable pods, Namespaces namespaces, Differences differences) {
    void run() {
        Map<LabelClass, Set<Integer>> members = new HashMap<>();
        for (int row = 0; row < pods.end(); row++) {
            if (!pods.isFree(row)) {
                members.computeIfAbsent(selectors.classes().of(row), labelClass -> new HashSet<>())
                        .add(row);
                String name = pods.pod(row).key();
                differences.compare(
                        () -> "label class of pod " + name, selectors.classes().of(row).key, keyOf(pods.pod(row)));
            }
        }
        differences.compare(
                () -> "label classes", new HashSet<>(selectors.classes().all()), members.keySet());
        members.forEach((labelClass, rows) -> {
            checkList(labelClass, rows);
            checkGroups(labelClass, pods.pod(rows.iterator().next()));
        });
        checkFiling(members.keySet());
        checkRowsByKey();
        checkBackReferences();
    }

    private void checkFiling(Set<LabelClass> live) {
        Map<FilingLabel, Set<LabelClass>> recounted = new HashMap<>();
        for (LabelClass labelClass : live) {
            labelClass
                    .key
                    .mentionedLabels()
                    .asMap()
                    .forEach((key, value) -> recounted
                            .computeIfAbsent(FilingLabel.pair(key, value), _ -> new HashSet<>())
                            .add(labelClass));
        }
        differences.compare(() -> "label classes by label", selectors.classes().byLabel(), recounted);
    }

    private void checkRowsByKey() {
        Map<String, Set<Integer>> recounted = new HashMap<>();
        for (int row = 0; row < pods.end(); row++) {
            if (!pods.isFree(row)) {
                for (String key : pods.pod(row).labels().asMap().keySet()) {
                    recounted.computeIfAbsent(key, _ -> new HashSet<>()).add(row);
                }
            }
        }
        differences.compare(() -> "pod rows by label key", selectors.rowsByKey(), recounted);
    }

    private LabelClass.Key keyOf(Pod pod) {
        Map<String, String> mentioned = pod.labels().asMap();
        mentioned.keySet().retainAll(selectors.mentioned().selectorsByKey().keySet());
        return new LabelClass.Key(pod.namespace(), Labels.of(mentioned), pod.departure());
    }

    private void checkList(LabelClass labelClass, Set<Integer> rows) {
        Set<Integer> listed = new HashSet<>();
        int row = labelClass.firstPod;
        while (row != PodTable.NONE && listed.add(row)) {
            row = selectors.classes().next(row);
        }
        differences.compare(() -> "pod rows of label class " + labelClass.key, listed, rows);
        differences.compare(() -> "pods of label class " + labelClass.key, labelClass.pods, rows.size());
    }

    private void checkGroups(LabelClass labelClass, Pod anyMember) {
        Set<SelectorGroup> kept = new HashSet<>(labelClass.groups);
        differences.compare(
                () -> "different groups of label class " + labelClass.key, labelClass.groups.size(), kept.size());
        for (SelectorGroup group : selectors.groups()) {
            boolean counted = group.key().counts(anyMember.departure());
            differences.compare(
                    () -> "whether label class " + labelClass.key + " is in group " + group.key(),
                    kept.remove(group),
                    counted && group.key().matches(anyMember.namespace(), anyMember.labels(), namespaces));
        }
        differences.require(
                kept.isEmpty(), () -> "label class " + labelClass.key + " is in groups that are gone: " + kept.size());
    }

    private void checkBackReferences() {
        Set<LabelClass> live = new HashSet<>(selectors.classes().all());
        for (SelectorGroup group : selectors.groups()) {
            Set<LabelClass> recounted = new HashSet<>(live);
            recounted.removeIf(labelClass -> !labelClass.groups.contains(group));
            differences.compare(
                    () -> "label classes listed by group " + group.key(), group.classes.size(), recounted.size());
            differences.require(
                    group.classes.equals(recounted),
                    () -> "group " + group.key() + " lists other label classes than those that list it");
        }
    }
}
