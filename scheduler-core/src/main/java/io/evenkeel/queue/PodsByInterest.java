package io.evenkeel.queue;

import io.evenkeel.api.Interest;
import io.evenkeel.api.WakeUp;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.index.ShrinkingMap;
import io.evenkeel.cluster.shape.Facet;
import io.evenkeel.cluster.shape.PodShape;
import io.evenkeel.framework.cycle.LesserPods;
import io.evenkeel.framework.run.PluginFailure.PluginFault;
import io.evenkeel.model.value.Labels;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * The pods that one wake-up of a plugin may help, filed by what they wait for: by sign, then by their namespace, then in
 * groups of those that are alike, in the order in which these were formed. So a change finds those whom it may concern by
 * the signs that it bears, those of each namespace apart from the others', and asks about one of each group.
 *
 * <pre>
 *   p of shop waits for app=web in shop     OBJECT shop app=web   shop   1 {p, r}
 *   q of test waits for any change          OBJECT                test   2 {q}
 *   r of shop waits as p does, and is alike
 *
 *   a pod of shop comes with app=web: those of shop are {p, r}, those of test {q}
 *   a pod of shop comes with app=db:  those of test are {q}
 * </pre>
 *
 * <p>Where the wake-up does not say by what, pods are in groups alone, whatever their namespaces.
 */
final class PodsByInterest {
    private static final String ANY = "";

    private final WakeUp wakeUp;
    private final Map<QueueEntry, Place> places = new HashMap<>();
    private final Map<Key, Alike> groups = new LinkedHashMap<>();
    private final Map<Sign, Map<String, NavigableMap<Long, Alike>>> bySign = new ShrinkingMap<>();
    private long formed;

    /** The properties that pods of a group share; of a pod that is like no other, itself. */
    private record Key(String namespace, Set<Sign> signs, Object likeness, boolean isOfGang) {}

    private record Place(Alike group, Kindred kindred) {}

    /** Pods that wait for the same and get the same answer from the hint, which is asked about one of them. */
    static final class Alike {
        private final Key key;
        /** How many groups were formed before. */
        final long number;

        private final Map<Optional<Kinship>, Kindred> kindred = new LinkedHashMap<>(2);

        private Alike(Key key, long number) {
            this.key = key;
            this.number = number;
        }

        /** The pods by what else they have in common; all together where the wake-up is not about a node alone. */
        Collection<Kindred> kindred() {
            return kindred.values();
        }

        /** Whether the change of this number came after some of them were filed. */
        boolean isConcerned(long change) {
            for (Kindred some : kindred.values()) {
                if (some.filedAfter.values().iterator().next() < change) {
                    return true;
                }
            }
            return false;
        }
    }

    /** All that decides whether something keeps one pod from a node as another. */
    private record Kinship(
            Facet<PodShape> shape, String namespace, Labels labels, LesserPods.Rank rank, boolean isGated) {}

    /** Pods that are kept from a node by the same. */
    static final class Kindred {
        private final Optional<Kinship> kinship;
        /** In the order in which they were filed, each with how many changes had come by then: none of these concerns it. */
        final Map<QueueEntry, Long> filedAfter = new LinkedHashMap<>(2);
        /** Other plugins with changes that wake all of them. */
        final Set<String> keptBy = new HashSet<>(2);

        private Kindred(Optional<Kinship> kinship) {
            this.kinship = kinship;
        }
    }

    PodsByInterest(WakeUp wakeUp) {
        this.wakeUp = wakeUp;
    }

    WakeUp wakeUp() {
        return wakeUp;
    }

    /** @param changes how many have come that do not concern it */
    void add(QueueEntry entry, long changes) {
        Alike group = groupFor(entry);
        Kindred kindred = group.kindred.computeIfAbsent(kinshipOf(entry), Kindred::new);
        kindred.filedAfter.put(entry, changes);
        kindred.keptBy.removeIf(plugin -> !entry.isKeptBy(plugin));
        places.put(entry, new Place(group, kindred));
    }

    private Optional<Kinship> kinshipOf(QueueEntry entry) {
        if (!wakeUp.onlyThere()) {
            return Optional.empty();
        }
        PodInfo pod = entry.admitted();
        return Optional.of(new Kinship(
                pod.interned(),
                pod.pod().namespace(),
                pod.pod().labels(),
                LesserPods.rankOf(pod.pod()),
                entry.state == QueueState.GATED));
    }

    /** Whose likeness cannot be told is like no other. */
    private Alike groupFor(QueueEntry entry) {
        Key alone = new Key(namespaceOf(entry), signsOf(entry), entry, entry.waitsWithGang);
        if (wakeUp.likeness().isEmpty()) {
            return form(alone);
        }
        try {
            Object likeness = wakeUp.likeness().get().apply(entry.admitted());
            Key key =
                    new Key(alone.namespace, alone.signs, Objects.requireNonNull(likeness, "likeness"), alone.isOfGang);
            Alike known = groups.get(key);
            return known == null ? form(key) : known;
        } catch (Throwable thrown) {
            PluginFault.of(thrown); // unless it is the JVM that fails
            return form(alone);
        }
    }

    private Alike form(Key key) {
        Alike group = new Alike(key, formed++);
        groups.put(key, group);
        for (Sign sign : key.signs) {
            bySign.computeIfAbsent(sign, _ -> new LinkedHashMap<>(4))
                    .computeIfAbsent(key.namespace, _ -> new TreeMap<>())
                    .put(group.number, group);
        }
        return group;
    }

    void remove(QueueEntry entry) {
        Place place = places.remove(entry);
        if (place == null) {
            return;
        }
        place.kindred.filedAfter.remove(entry);
        if (place.kindred.filedAfter.isEmpty()) {
            place.group.kindred.remove(place.kindred.kinship);
        }
        if (place.group.kindred.isEmpty()) {
            dissolve(place.group);
        }
    }

    private void dissolve(Alike group) {
        Key key = group.key;
        groups.remove(key);
        for (Sign sign : key.signs) {
            bySign.computeIfPresent(sign, (_, byNamespace) -> {
                byNamespace.computeIfPresent(key.namespace, (_, filed) -> {
                    filed.remove(group.number);
                    return filed.isEmpty() ? null : filed;
                });
                return byNamespace.isEmpty() ? null : byNamespace;
            });
        }
    }

    /** The group of a pod that was filed before the change of this number came. */
    Optional<Alike> groupOf(QueueEntry entry, long change) {
        Place place = places.get(entry);
        return place == null || place.kindred.filedAfter.getOrDefault(entry, change) >= change
                ? Optional.empty()
                : Optional.of(place.group);
    }

    /** All groups, in the order in which they were formed. */
    Collection<Alike> groups() {
        return groups.values();
    }

    long formed() {
        return formed;
    }

    /** Visits the groups that are filed by one of these signs, by namespace; some of them more than once. */
    void find(Set<Sign> borne, BiConsumer<String, NavigableMap<Long, Alike>> visitor) {
        for (Sign sign : borne) {
            Map<String, NavigableMap<Long, Alike>> found = bySign.get(sign);
            if (found != null) {
                found.forEach(visitor);
            }
        }
    }

    private String namespaceOf(QueueEntry entry) {
        return wakeUp.interest().isPresent() ? entry.pod().namespace() : ANY;
    }

    /** An interest that fails counts as one in everything. */
    private Set<Sign> signsOf(QueueEntry entry) {
        if (wakeUp.interest().isEmpty()) {
            return Set.of();
        }
        try {
            return Sign.of(wakeUp.interest().get().apply(entry.admitted()));
        } catch (Throwable thrown) {
            PluginFault.of(thrown); // unless it is the JVM that fails
            return Sign.of(Interest.ANY);
        }
    }

    /** For tests of what it holds. */
    List<Integer> sizes() {
        return List.of(places.size(), groups.size(), bySign.size());
    }
}
