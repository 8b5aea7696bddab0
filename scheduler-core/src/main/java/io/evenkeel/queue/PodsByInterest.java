package io.evenkeel.queue;

import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.Interest;
import io.evenkeel.api.Interest.Part;
import io.evenkeel.api.WakeUp;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.index.ShrinkingMap;
import io.evenkeel.cluster.shape.Facet;
import io.evenkeel.cluster.shape.PodShape;
import io.evenkeel.framework.cycle.LesserPods;
import io.evenkeel.framework.run.PluginFailure.PluginFault;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.PluginObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.value.FilingLabel;
import io.evenkeel.model.value.Labels;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import io.evenkeel.queue.SleepingPods.Listener;
import java.util.ArrayList;
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
public final class PodsByInterest {
    /** In place of a namespace, where it does not matter. */
    private static final String ANY = "";

    final Listener listener;
    final WakeUp wakeUp;
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

    PodsByInterest(Listener listener, WakeUp wakeUp) {
        this.listener = listener;
        this.wakeUp = wakeUp;
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

    /** All groups, in the order in which they were formed. */
    Collection<Alike> groups() {
        return groups.values();
    }

    /** Whether pods are filed for it by what they wait for, and need not be asked about at once. */
    static boolean isFiled(WakeUp wakeUp) {
        return wakeUp.interest().isPresent();
    }

    /** Returns the inquiries, one a namespace, for the change of this number, which bears these signs. */
    Collection<Inquiry> inquiries(ClusterChange change, Set<Sign> borne, long number) {
        Map<String, Inquiry> inquiries = new LinkedHashMap<>();
        for (Sign sign : borne) {
            Map<String, NavigableMap<Long, Alike>> found = bySign.get(sign);
            if (found != null) {
                found.forEach((namespace, file) -> inquiries
                        .computeIfAbsent(namespace, _ -> new Inquiry(change, namespace, number))
                        .files
                        .add(file));
            }
        }
        return inquiries.values();
    }

    private String namespaceOf(QueueEntry entry) {
        return isFiled(wakeUp) ? entry.pod().namespace() : ANY;
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

    /**
     * One change that may help pods of one namespace that one plugin keeps waiting, and how far they have been asked about: one
     * of each group that is alike, in the order in which these were formed. It goes by the files themselves, so pods that are
     * gone by then are passed over, and so are those that were filed after the change came: it is older than they are, or was
     * asked about before they changed.
     */
    final class Inquiry {
        private static final long NONE_YET = -1;

        final ClusterChange change;
        final String namespace;
        /** Of the change. */
        final long number;

        private final List<NavigableMap<Long, Alike>> files = new ArrayList<>(2);
        private final long end;
        private long asked = NONE_YET;

        private Inquiry(ClusterChange change, String namespace, long number) {
            this.change = change;
            this.namespace = namespace;
            this.number = number;
            this.end = formed;
        }

        PodsByInterest filed() {
            return PodsByInterest.this;
        }

        /** The next group to ask about; costs a look into each file. */
        Optional<Alike> next() {
            while (asked < end) {
                Map.Entry<Long, Alike> first = null;
                for (NavigableMap<Long, Alike> file : files) {
                    Map.Entry<Long, Alike> candidate = file.higherEntry(asked);
                    if (candidate != null && (first == null || candidate.getKey() < first.getKey())) {
                        first = candidate;
                    }
                }
                asked = first == null ? end : first.getKey();
                if (first != null && first.getValue().isConcerned(number)) {
                    return Optional.of(first.getValue());
                }
            }
            return Optional.empty();
        }

        /** Whether the pod is still to be asked about. */
        boolean awaits(QueueEntry entry) {
            Place place = places.get(entry);
            return place != null
                    && place.kindred.filedAfter.getOrDefault(entry, number) < number
                    && place.group.number > asked
                    && files.stream().anyMatch(file -> file.containsKey(place.group.number));
        }
    }

    /**
     * Something about a change by which waiting pods are filed: a label of the object that changed, or one that its
     * anti-affinity asks for. Coarse: a change that bears a sign may help a pod that waits for it, one that bears none of its
     * signs cannot.
     *
     * <pre>
     *   waits for a pod with app=web in shop     OBJECT shop app=web
     *   waits for a pod with some app anywhere   OBJECT app
     *   has the label app=web itself             TERM app=web, TERM app, TERM
     *   waits for its claim data in shop         NAME shop data
     *
     *   a pod in shop with app=web came          bears OBJECT, OBJECT app, OBJECT app=web, and the same three in shop
     *   a pod went that shunned app=web          bears those of its own labels, and TERM app=web
     * </pre>
     *
     * @param namespace of the object that changed; empty where it does not matter
     */
    public record Sign(Of of, String namespace, FilingLabel label) {
        /** Every change bears it. */
        private static final Sign CHANGE = new Sign(Of.OBJECT, ANY, FilingLabel.ANY);

        /** More namespaces than this are filed as any. */
        private static final int MOST_NAMESPACES = 16;

        /** The owner of the label, if it is one. */
        public enum Of {
            /** The changed object's, as it was or as it is. */
            OBJECT,
            /** None, but what the changed object is called; of objects that only plugins read. */
            NAME,
            /** The waiting pod's, which a pod that has changed kept out by its anti-affinity. */
            TERM
        }

        /** The signs of an interest: a change that bears none of them does not concern the pod. */
        public static Set<Sign> of(Interest interest) {
            Set<Sign> signs = new HashSet<>();
            for (Part part : interest.parts()) {
                switch (part) {
                    case Part.Anything _ -> signs.add(CHANGE);
                    case Part.Named(String namespace, String name) -> signs.add(ofName(namespace, name));
                    case Part.Selected selected -> addAll(selected, signs);
                    case Part.Shunning(Labels labels) -> addAll(Of.TERM, ANY, labels, signs);
                }
            }
            return signs;
        }

        private static void addAll(Part.Selected selected, Set<Sign> signs) {
            boolean named = selected.ofNamespaces().matchesNothing()
                    && selected.namespaces().size() <= MOST_NAMESPACES;
            for (FilingLabel label : FilingLabel.of(selected.pods())) {
                if (named) {
                    selected.namespaces().forEach(name -> signs.add(new Sign(Of.OBJECT, name, label)));
                } else {
                    signs.add(new Sign(Of.OBJECT, ANY, label));
                }
            }
        }

        private static Sign ofName(String namespace, String name) {
            return new Sign(Of.NAME, namespace, FilingLabel.key(name));
        }

        public static Set<Sign> borneBy(ClusterChange change) {
            Set<Sign> signs = new HashSet<>();
            change.before().ifPresent(before -> addAll(before, signs));
            change.after().ifPresent(after -> addAll(after, signs));
            change.before(Pod.class).ifPresent(before -> {
                for (PodAffinityTerm term : before.spec().podAffinity().requiredAntiAffinity()) {
                    FilingLabel.of(term.labelSelector()).forEach(label -> signs.add(new Sign(Of.TERM, ANY, label)));
                }
            });
            return signs;
        }

        private static void addAll(KubernetesObject object, Set<Sign> signs) {
            addAll(Of.OBJECT, ANY, object.meta().labels(), signs);
            if (!object.meta().namespace().isEmpty()) {
                addAll(Of.OBJECT, object.meta().namespace(), object.meta().labels(), signs);
            }
            if (object instanceof PluginObject || object instanceof WorkloadOwner) {
                signs.add(ofName(object.meta().namespace(), object.meta().name()));
            }
        }

        private static void addAll(Of of, String namespace, Labels labels, Set<Sign> signs) {
            signs.add(new Sign(of, namespace, FilingLabel.ANY));
            for (int i = 0; i < labels.size(); i++) {
                signs.add(new Sign(of, namespace, FilingLabel.key(labels.keyAt(i))));
                signs.add(new Sign(of, namespace, FilingLabel.pair(labels.keyAt(i), labels.valueAt(i))));
            }
        }
    }
}
