package io.evenkeel.shard;

import io.evenkeel.model.Pod;
import io.evenkeel.model.value.FilingLabel;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The pods that wait before a gate, each with the way that the gate has chosen for it, and whom of them a change may concern.
 *
 * <p>A pod costs an entry for each thing that it is about, and one for all labels that it shares with others of its namespace. Who is
 * about a thing is found at once; whom a selector matches by the label that it asks for.
 */
final class PodsThatWait {
    /** A pod, and its way; what it is about when it came. */
    record Waiting(Pod pod, Way way, List<Topic> topics) {}

    /** How a pod comes in. */
    sealed interface Way {
        /** Whether it does at all. */
        default boolean isIn() {
            return !(this instanceof Out || this instanceof Nobodys);
        }

        /**
         * Another engine decides it.
         *
         * @param mayComeIn whether that may change without news of it
         */
        record Out(boolean mayComeIn) implements Way {}

        /** No shard can judge it, and there is no overseer. */
        record Nobodys(String reason) implements Way {}

        /** A place on the node is asked for. */
        record Asked(String node) implements Way {}

        /** Another engine decides it, and room is kept for it on the node. */
        record Kept(String node) implements Way {}

        /** It is the shard's turn, or anybody's. */
        record Turn(ShardTrace.Tried tried, ShardTrace.Turn turn) implements Way {}

        /** The overseer decides it. */
        record Across() implements Way {}
    }

    /**
     * Something by which pods are found: an object that their way depends on, whether it is there or not.
     *
     * @param name with the namespace, if it has one
     */
    record Topic(Kind kind, String name) {
        enum Kind {
            /** That a place is asked for on, or that is kept. */
            NODE,
            CLAIM,
            GROUP
        }
    }

    /** All of one namespace with equal labels. */
    private record Kin(String namespace, Labels labels) {}

    private final Map<String, Waiting> byKey = new LinkedHashMap<>();
    private final Map<Topic, Set<String>> byTopic = new HashMap<>();
    private final Map<Kin, Set<String>> byKin = new HashMap<>();
    /** By namespace. */
    private final Map<String, Map<FilingLabel, Set<Kin>>> kinByLabel = new HashMap<>();

    Optional<Waiting> find(String key) {
        return Optional.ofNullable(byKey.get(key));
    }

    /** The same, unless another pod has the name. */
    Optional<Waiting> find(Pod pod) {
        return find(pod.key())
                .filter(known -> known.pod.meta().uid().equals(pod.meta().uid()));
    }

    Collection<Waiting> all() {
        return byKey.values();
    }

    /** The pod waits so, in place of what was known by its name. */
    void put(Pod pod, Way way, List<Topic> topics) {
        remove(pod.key());
        byKey.put(pod.key(), new Waiting(pod, way, topics));
        topics.forEach(topic ->
                byTopic.computeIfAbsent(topic, _ -> new LinkedHashSet<>()).add(pod.key()));
        Kin kin = kinOf(pod);
        Set<String> relatives = byKin.get(kin);
        if (relatives == null) {
            relatives = new LinkedHashSet<>();
            byKin.put(kin, relatives);
            file(kin);
        }
        relatives.add(pod.key());
    }

    Optional<Waiting> remove(String key) {
        Waiting known = byKey.remove(key);
        if (known == null) {
            return Optional.empty();
        }
        known.topics.forEach(topic -> drop(byTopic, topic, key));
        Kin kin = kinOf(known.pod);
        drop(byKin, kin, key);
        if (!byKin.containsKey(kin)) {
            unfile(kin);
        }
        return Optional.of(known);
    }

    private static Kin kinOf(Pod pod) {
        return new Kin(pod.namespace(), pod.labels());
    }

    private static <K, V> void drop(Map<K, Set<V>> sets, K under, V dropped) {
        sets.computeIfPresent(under, (_, kept) -> {
            kept.remove(dropped);
            return kept.isEmpty() ? null : kept;
        });
    }

    private void file(Kin kin) {
        Map<FilingLabel, Set<Kin>> filed = kinByLabel.computeIfAbsent(kin.namespace, _ -> new HashMap<>());
        labelsOf(kin)
                .forEach(label ->
                        filed.computeIfAbsent(label, _ -> new LinkedHashSet<>()).add(kin));
    }

    private void unfile(Kin kin) {
        kinByLabel.computeIfPresent(kin.namespace, (_, filed) -> {
            labelsOf(kin).forEach(label -> drop(filed, label, kin));
            return filed.isEmpty() ? null : filed;
        });
    }

    private static List<FilingLabel> labelsOf(Kin kin) {
        List<FilingLabel> labels = new ArrayList<>(1 + 2 * kin.labels.size());
        labels.add(FilingLabel.ANY);
        for (int i = 0; i < kin.labels.size(); i++) {
            labels.add(FilingLabel.key(kin.labels.keyAt(i)));
            labels.add(FilingLabel.pair(kin.labels.keyAt(i), kin.labels.valueAt(i)));
        }
        return labels;
    }

    List<Pod> pods() {
        return byKey.values().stream().map(Waiting::pod).toList();
    }

    List<Pod> pods(Predicate<Pod> wanted) {
        return byKey.values().stream().map(Waiting::pod).filter(wanted).toList();
    }

    List<Pod> about(Topic topic) {
        return podsOf(byTopic.getOrDefault(topic, Set.of()));
    }

    List<Pod> in(String namespace) {
        return matching(namespace, LabelSelector.EVERYTHING);
    }

    List<Pod> matching(LabelSelector selector) {
        List<Pod> found = new ArrayList<>();
        kinByLabel.keySet().forEach(namespace -> found.addAll(matching(namespace, selector)));
        return found;
    }

    List<Pod> matching(String namespace, LabelSelector selector) {
        Map<FilingLabel, Set<Kin>> filed = kinByLabel.getOrDefault(namespace, Map.of());
        List<Pod> found = new ArrayList<>();
        for (FilingLabel label : FilingLabel.of(selector)) {
            for (Kin kin : filed.getOrDefault(label, Set.of())) {
                if (selector.matches(kin.labels)) {
                    found.addAll(podsOf(byKin.getOrDefault(kin, Set.of())));
                }
            }
        }
        return found;
    }

    private List<Pod> podsOf(Set<String> keys) {
        return keys.stream().map(key -> find(key).orElseThrow().pod).toList();
    }
}
