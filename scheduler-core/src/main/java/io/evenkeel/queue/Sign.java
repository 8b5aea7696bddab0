package io.evenkeel.queue;

import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.Interest;
import io.evenkeel.api.Interest.Part;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.PluginObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.value.FilingLabel;
import io.evenkeel.model.value.Labels;
import java.util.HashSet;
import java.util.Set;

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
    private static final String ANYWHERE = "";

    /** Every change bears it. */
    private static final Sign CHANGE = new Sign(Of.OBJECT, ANYWHERE, FilingLabel.ANY);

    /** More namespaces than this are filed as any. */
    private static final int MOST_NAMESPACES = 16;

    /** Whose label it is, if it is one. */
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
        for (Interest.Part part : interest.parts()) {
            switch (part) {
                case Part.Anything _ -> signs.add(CHANGE);
                case Part.Named(String namespace, String name) -> signs.add(ofName(namespace, name));
                case Part.Selected selected -> addAll(selected, signs);
                case Part.Shunning(Labels labels) -> addAll(Of.TERM, ANYWHERE, labels, signs);
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
                signs.add(new Sign(Of.OBJECT, ANYWHERE, label));
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
                FilingLabel.of(term.labelSelector()).forEach(label -> signs.add(new Sign(Of.TERM, ANYWHERE, label)));
            }
        });
        return signs;
    }

    private static void addAll(KubernetesObject object, Set<Sign> signs) {
        addAll(Of.OBJECT, ANYWHERE, object.meta().labels(), signs);
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
