package io.evenkeel.cluster.counting;

import io.evenkeel.cluster.counting.LabelClasses.LabelClass;
import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.index.ShrinkingMap;
import io.evenkeel.cluster.index.Work;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.Pod;
import io.evenkeel.model.value.FilingLabel;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The selector groups that each pod is in.
 *
 * <p>Of a pod's labels only those matter that a live selector mentions; pods that agree in these are one
 * {@link LabelClass}, and the groups are remembered by class. So a pod that comes or goes costs one look-up of its class
 * and one step for each of its groups, however many groups there are. A new group asks each class once that has the label of
 * its selector which fewest have; a selector that is the first to mention a label key makes the pods that have it look for their classes anew.
 *
 * <pre>{@code
 * One group, of app=web, so that of the labels only app tells classes apart; p0 and p1 differ in their label pod.
 *
 *                                       class     its pods   its groups   tally of app=web
 * p0 and p2 on n1, p1 on n2             app=web   p0 p1      app=web      n1 1, n2 1
 *                                       app=db    p2         none
 * p3 with app=web and pod=p3 on n1      app=web   p0 p1 p3   app=web      n1 2, n2 1
 * a group of app in (db, web), new      app=web   p0 p1 p3   both
 *                                       app=db    p2         the new      of the new: n1 3, n2 1
 * }</pre>
 */
public final class SelectorIndex {
    private final PodTable pods;
    private final Namespaces namespaces;
    private final Work work;
    private final LabelClasses classes = new LabelClasses();
    private final Map<SelectorGroup.Key, SelectorGroup> groups = new ShrinkingMap<>();
    private final FilingLabelIndex<SelectorGroup> groupsByFilingLabel = new FilingLabelIndex<>();
    /** The groups with pods that change with the labels of namespaces. */
    private final Set<SelectorGroup> groupsByNamespaceLabels = new LinkedHashSet<>();

    private final MentionedKeys mentioned = new MentionedKeys();
    private final RowsByKey rowsByKey = new RowsByKey();

    /** The key that was asked for last: where it is the next one too, none is made. */
    private LabelClass.Key latest = new LabelClass.Key("", Labels.EMPTY, Pod.Departure.STAYS);

    private SelectorIndex(PodTable pods, Namespaces namespaces, Work work) {
        this.pods = pods;
        this.namespaces = namespaces;
        this.work = work;
    }

    /** Starts without groups; the caller is to keep them. */
    public static Writer create(PodTable pods, Namespaces namespaces, Work work) {
        return new SelectorIndex(pods, namespaces, work).new Writer();
    }

    /** The group of this key with one more user; counted from the pods there are where it is new. */
    public SelectorGroup acquire(SelectorGroup.Key key) {
        work.addOnce(1);
        SelectorGroup group = groups.get(key);
        if (group == null) {
            group = new SelectorGroup(key);
            groups.put(key, group);
            if (key.dependsOnNamespaceLabels()) {
                groupsByNamespaceLabels.add(group);
            }
            key.matches().forEach(match -> mention(match.selector()));
            groupsByFilingLabel.add(group, key.namespace(), key.filingSelector());
            SelectorGroup made = group;
            classes.forEachCandidate(key.filingSelector(), labelClass -> {
                work.addOnce(1);
                if (key.includes(labelClass.key, namespaces)) {
                    enter(labelClass, made);
                }
            });
        }
        group.references++;
        return group;
    }

    /** The group of this key, if it has a user. */
    public Optional<SelectorGroup> find(SelectorGroup.Key key) {
        return Optional.ofNullable(groups.get(key));
    }

    public void release(SelectorGroup group) {
        if (--group.references > 0) {
            return;
        }
        groups.remove(group.key());
        groupsByNamespaceLabels.remove(group);
        groupsByFilingLabel.remove(group, group.key().namespace(), group.key().filingSelector());
        group.classes.forEach(labelClass -> labelClass.groups.remove(group));
        group.key().matches().forEach(match -> unmention(match.selector()));
    }

    /** Whether a pod with these labels would be in the group's selection, terminating or not. */
    public boolean selects(SelectorGroup.Key key, String namespace, Labels labels) {
        return key.matches(namespace, labels, namespaces);
    }

    public boolean isCounted(int row, PodTally tally) {
        return tally.countsAll(classes.of(row));
    }

    /** The rows of some of the group's pods: one of each kind that live selectors tell apart. */
    public int[] samplesOf(SelectorGroup group) {
        return group.classes.stream()
                .mapToInt(labelClass -> labelClass.firstPod)
                .toArray();
    }

    /** The groups that the pod in this row is in; to be read only, and only until the cluster changes. */
    public List<SelectorGroup> groupsOf(int row) {
        return classes.of(row).readableGroups;
    }

    /**
     * Answers what acquires groups of these selectors, or carries terms of them: the labels that they read tell classes apart from
     * then on. Done for all at once, as pods look for their classes again whenever one is the first to mention a key of theirs.
     */
    public <R> R together(List<LabelSelector> selectors, Supplier<R> acquire) {
        List<String> added = new ArrayList<>();
        for (LabelSelector selector : selectors) {
            added.addAll(mentioned.add(selector));
        }
        classifyAnew(added);
        R acquired = acquire.get();
        for (LabelSelector selector : selectors) {
            unmention(selector);
        }
        return acquired;
    }

    /** Makes labels that the selector reads tell classes apart. */
    void mention(LabelSelector selector) {
        classifyAnew(mentioned.add(selector));
    }

    void unmention(LabelSelector selector) {
        classifyAnew(mentioned.remove(selector));
    }

    /** Returns the pod's labels that some live selector mentions: no selector tells pods apart that agree in them. */
    public Labels mentioned(Labels labels) {
        return mentioned.among(labels);
    }

    LabelClass.Key classKey(String namespace, Labels labels, Pod.Departure departure) {
        Labels mentionedLabels = mentioned.among(labels);
        if (!latest.isOf(namespace, mentionedLabels, departure)) {
            latest = new LabelClass.Key(namespace, mentionedLabels, departure);
        }
        return latest;
    }

    /** The class of such pods, or null where no pod in place is of it. */
    @Nullable
    LabelClass find(String namespace, Labels labels, Pod.Departure departure) {
        return classes.find(classKey(namespace, labels, departure));
    }

    Collection<SelectorGroup> groups() {
        return groups.values();
    }

    LabelClasses classes() {
        return classes;
    }

    /** The rows of the pods that have a label of each key. */
    Map<String, Set<Integer>> rowsByKey() {
        Map<String, Set<Integer>> all = new HashMap<>();
        rowsByKey.byKey.forEach((key, rows) ->
                all.put(key, Arrays.stream(rowsByKey.having(key, rows)).boxed().collect(Collectors.toSet())));
        return all;
    }

    /** The label keys that tell classes apart. */
    MentionedKeys mentioned() {
        return mentioned;
    }

    FilingLabelIndex<SelectorGroup> groupsByFilingLabel() {
        return groupsByFilingLabel;
    }

    /** Keeps it up to date with pods and namespaces; made with it, and not to be had from it. */
    public final class Writer implements ClusterIndex {
        private Writer() {}

        public SelectorIndex selectors() {
            return SelectorIndex.this;
        }

        @Override
        public void podPlaced(int row) {
            LabelClass labelClass = classOf(pods.pod(row));
            classes.join(row, labelClass);
            rowsByKey.add(row);
            for (int i = 0; i < labelClass.groups.size(); i++) {
                labelClass.groups.get(i).tally().add(pods.node(row), 1);
            }
        }

        @Override
        public void podRemoved(int row) {
            LabelClass labelClass = classes.of(row);
            for (int i = 0; i < labelClass.groups.size(); i++) {
                labelClass.groups.get(i).tally().add(pods.node(row), -1);
            }
            leaveClass(row, labelClass);
            rowsByKey.remove(row);
        }

        @Override
        public void objectChanged(Optional<KubernetesObject> before, Optional<KubernetesObject> after) {
            if (after.or(() -> before).orElseThrow() instanceof Namespace namespace
                    && !groupsByNamespaceLabels.isEmpty()) {
                namespaceChanged(namespace.meta().name());
            }
        }

        @Override
        public void audit(AuditFacts facts, Differences differences) {
            new SelectorAudit(SelectorIndex.this, pods, namespaces, facts, differences).run();
            new LabelClassAudit(SelectorIndex.this, pods, namespaces, differences).run();
        }

        @Override
        public void describe(AuditFacts facts, Consumer<String> line) {
            groups.values()
                    .forEach(group -> line.accept("group " + group.key() + " "
                            + group.tally().counts().byName(facts::nameOf)));
        }
    }

    private void namespaceChanged(String namespace) {
        for (LabelClass labelClass : classes.all()) {
            if (!labelClass.key.namespace().equals(namespace)) {
                continue;
            }
            for (SelectorGroup group : groupsByNamespaceLabels) {
                boolean isIn = labelClass.groups.contains(group);
                boolean shouldBeIn = group.key().includes(labelClass.key, namespaces);
                if (shouldBeIn && !isIn) {
                    enter(labelClass, group);
                } else if (isIn && !shouldBeIn) {
                    exit(labelClass, group);
                }
            }
        }
    }

    private LabelClass classOf(Pod pod) {
        LabelClass known = find(pod.namespace(), pod.labels(), pod.departure());
        return known != null ? known : add(classKey(pod.namespace(), pod.labels(), pod.departure()));
    }

    private LabelClass add(LabelClass.Key key) {
        LabelClass made = classes.add(key);
        groupsByFilingLabel.forEachCandidate(key.namespace(), key.mentionedLabels(), group -> {
            if (group.key().includes(key, namespaces)) {
                made.groups.add(group);
                group.classes.add(made);
            }
        });
        return made;
    }

    private void leaveClass(int row, LabelClass labelClass) {
        classes.leave(row);
        if (labelClass.pods == 0) {
            classes.remove(labelClass);
            for (SelectorGroup group : labelClass.groups) {
                group.classes.remove(labelClass);
            }
        }
    }

    /**
     * The pods that have labels of these keys. None changes its groups by this: a selector reads the same of a finer or coarser
     * class.
     */
    private void classifyAnew(List<String> keys) {
        if (keys.isEmpty()) {
            return;
        }
        int[] rows = keys.stream()
                .flatMapToInt(key -> Arrays.stream(rowsByKey.of(key)))
                .distinct()
                .toArray();
        work.addOnce(keys.size() + rows.length);
        for (int row : rows) {
            classifyAnew(row);
        }
    }

    private void classifyAnew(int row) {
        LabelClass before = classes.of(row);
        LabelClass.Key key = classKey(before.key.namespace(), pods.pod(row).labels(), before.key.departure());
        if (!key.equals(before.key)) {
            LabelClass after = classOf(pods.pod(row));
            leaveClass(row, before);
            classes.join(row, after);
        }
    }

    /**
     * The rows of the pods that have a label of some key. A row whose pod has left stays in the list of a key until such rows are
     * more than half of it, and may be there twice if the next pod in it has the key too.
     */
    private final class RowsByKey {
        private final Map<String, Rows> byKey = new ShrinkingMap<>();

        private static final class Rows {
            int[] rows = new int[1];
            int size;
            int left;
        }

        void add(int row) {
            Labels labels = pods.pod(row).labels();
            for (int i = 0; i < labels.size(); i++) {
                Rows rows = byKey.computeIfAbsent(labels.keyAt(i), _ -> new Rows());
                if (rows.size == rows.rows.length) {
                    rows.rows = Arrays.copyOf(rows.rows, 2 * rows.size);
                }
                rows.rows[rows.size++] = row;
            }
        }

        void remove(int row) {
            Labels labels = pods.pod(row).labels();
            for (int i = 0; i < labels.size(); i++) {
                String key = labels.keyAt(i);
                Rows rows = Objects.requireNonNull(byKey.get(key));
                if (++rows.left == rows.size) {
                    byKey.remove(key);
                } else if (2 * rows.left > rows.size) {
                    rows.rows = having(key, rows);
                    rows.size = rows.rows.length;
                    rows.left = 0;
                }
            }
        }

        int[] of(String key) {
            Rows rows = byKey.get(key);
            return rows == null ? new int[0] : having(key, rows);
        }

        private int[] having(String key, Rows rows) {
            return Arrays.stream(rows.rows, 0, rows.size)
                    .sorted()
                    .distinct()
                    .filter(row -> classes.has(row) && pods.pod(row).labels().has(key))
                    .toArray();
        }
    }

    private void enter(LabelClass labelClass, SelectorGroup group) {
        labelClass.groups.add(group);
        group.classes.add(labelClass);
        work.addOnce(labelClass.pods);
        for (int row = labelClass.firstPod; row != PodTable.NONE; row = classes.next(row)) {
            group.tally().add(pods.node(row), 1);
        }
    }

    private void exit(LabelClass labelClass, SelectorGroup group) {
        labelClass.groups.remove(group);
        group.classes.remove(labelClass);
        for (int row = labelClass.firstPod; row != PodTable.NONE; row = classes.next(row)) {
            group.tally().add(pods.node(row), -1);
        }
    }

    /** Audits the selector groups: asks each group's selectors about the full labels of every pod. */
    private record SelectorAudit(
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
                    && key.matches().stream()
                            .allMatch(match -> match.matches(pod.namespace(), pod.labels(), namespaces));
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
                        .forEachCandidate(
                                pod.namespace(), pod.labels(), group -> proposals.merge(group, 1, Integer::sum));
                for (SelectorGroup group : all) {
                    int times = proposals.getOrDefault(group, 0);
                    differences.require(
                            times == 1 || (times == 0 && !selects(group.key(), pod)),
                            () -> "the index proposes group " + group.key() + " " + times + " times for " + pod.key());
                }
            }
        }
    }

    /** Audits that each pod is in the label class of its labels, and each class in the groups of its pods. */
    private record LabelClassAudit(
            SelectorIndex selectors, PodTable pods, Namespaces namespaces, Differences differences) {
        void run() {
            Map<LabelClass, Set<Integer>> members = new HashMap<>();
            for (int row = 0; row < pods.end(); row++) {
                if (!pods.isFree(row)) {
                    members.computeIfAbsent(selectors.classes().of(row), labelClass -> new HashSet<>())
                            .add(row);
                    String name = pods.pod(row).key();
                    differences.compare(
                            () -> "label class of pod " + name,
                            selectors.classes().of(row).key,
                            keyOf(pods.pod(row)));
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
            differences.compare(
                    () -> "label classes by label", selectors.classes().byLabel(), recounted);
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
                    kept.isEmpty(),
                    () -> "label class " + labelClass.key + " is in groups that are gone: " + kept.size());
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

    /**
     * The label keys that live selectors mention: they alone tell pods apart. A key that is mentioned no more is stale and
     * stays, as the next selector often mentions it again, until they are more than a few and more than the others, or long: then all
     * of them go. So a thousand selectors that go one after the other make pods be told apart again a few times, not a thousand.
     */
    static final class MentionedKeys {
        private static final int STALE_TOLERATED = 8;

        /** Characters of all stale keys; the longest has 317 where an API server has seen it. */
        private static final int LENGTH_TOLERATED = 1 << 20;

        private final Map<String, Integer> selectorsByKey = new ShrinkingMap<>();
        private final Predicate<String> isKept = selectorsByKey::containsKey;
        private int stale;
        private long staleLength;

        /** Counts one selector more; the keys that it is the first to mention. */
        List<String> add(LabelSelector selector) {
            List<String> added = List.of();
            for (String key : selector.keys()) {
                Integer selectors = selectorsByKey.get(key);
                if (selectors == null) {
                    added = added.isEmpty() ? new ArrayList<>() : added;
                    added.add(key);
                } else if (selectors == 0) {
                    stale--;
                    staleLength -= key.length();
                }
                selectorsByKey.merge(key, 1, Integer::sum);
            }
            return added;
        }

        /** Counts one selector less; the stale keys, where they have gone by it. */
        List<String> remove(LabelSelector selector) {
            for (String key : selector.keys()) {
                if (selectorsByKey.merge(key, -1, Integer::sum) == 0) {
                    stale++;
                    staleLength += key.length();
                }
            }
            if (stale <= Math.max(STALE_TOLERATED, selectorsByKey.size() - stale) && staleLength <= LENGTH_TOLERATED) {
                return List.of();
            }
            List<String> gone = selectorsByKey.entrySet().stream()
                    .filter(entry -> entry.getValue() == 0)
                    .map(Map.Entry::getKey)
                    .toList();
            gone.forEach(selectorsByKey::remove);
            stale = 0;
            staleLength = 0;
            return gone;
        }

        /** Returns the labels that may tell their pod from others. */
        Labels among(Labels labels) {
            return labels.retain(isKept);
        }

        /** Each key with the number of live selectors that mention it. */
        Map<String, Integer> selectorsByKey() {
            return selectorsByKey;
        }

        int stale() {
            return stale;
        }
    }
}
