package io.evenkeel.shard;

import io.evenkeel.cluster.counting.FilingLabelIndex;
import io.evenkeel.cluster.counting.NamespaceScope;
import io.evenkeel.cluster.counting.Namespaces;
import io.evenkeel.model.Pod;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.value.LabelSelector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The terms of required anti-affinity that reach across shards, of pods wherever they are: whom one matches, no shard can place by
 * itself. Equal terms are one, which goes with the last pod that carries it.
 *
 * <pre>{@code
 * p0 and p1 shun app=web by zone, in namespace shop    shop: app=web -> zone
 * a pod of shop with app=web                           is matched
 * p0 goes, p1 goes                                     nothing is left
 * }</pre>
 *
 * <p>A carrier costs one entry, a look-up about as many steps as terms match.
 */
public final class ForeignTerms {
    /** Whom it matches, and over which domains. */
    public record Term(NamespaceScope scope, LabelSelector selector, String topologyKey) {}

    /** Terms that no pod carried before, and those that none carries any more. */
    public record Change(List<Term> added, List<Term> gone) {
        static final Change NONE = new Change(List.of(), List.of());
    }

    /** A term, and how many pods carry it. */
    private static final class Carried {
        final Term term;
        int carriers;

        Carried(Term term) {
            this.term = term;
        }
    }

    private final ShardMap map;
    private final Namespaces namespaces;
    private final Map<Term, Carried> byTerm = new HashMap<>();
    private final Map<String, List<Carried>> byPod = new HashMap<>();
    private final FilingLabelIndex<Term> index = new FilingLabelIndex<>();
    private int byNamespaceLabels;

    /** Starts without terms. */
    public ForeignTerms(ShardMap map, Namespaces namespaces) {
        this.map = map;
        this.namespaces = namespaces;
    }

    /** Takes in what the pod carries from now on, in place of what it carried before. */
    public Change put(Pod pod) {
        List<Term> terms = reachingAcross(pod);
        List<Term> added =
                terms.stream().filter(term -> !byTerm.containsKey(term)).toList();
        List<Carried> now = terms.stream().map(this::acquire).toList();
        List<Term> gone = remove(pod.key()).gone();
        if (!now.isEmpty()) {
            byPod.put(pod.key(), now);
        }
        return added.isEmpty() && gone.isEmpty() ? Change.NONE : new Change(added, gone);
    }

    /** The pod of that name is gone, or has run to its end. */
    public Change remove(String key) {
        List<Carried> before = byPod.remove(key);
        if (before == null) {
            return Change.NONE;
        }
        List<Term> gone = new ArrayList<>();
        for (Carried carried : before) {
            if (release(carried)) {
                gone.add(carried.term);
            }
        }
        return gone.isEmpty() ? Change.NONE : new Change(List.of(), gone);
    }

    private List<Term> reachingAcross(Pod pod) {
        List<PodAffinityTerm> all = pod.spec().podAffinity().requiredAntiAffinity();
        return all.isEmpty()
                ? List.of()
                : all.stream()
                        .filter(term -> !map.keepsWhole(term.topologyKey()))
                        .map(term -> new Term(
                                NamespaceScope.of(term, pod.namespace()), term.labelSelector(), term.topologyKey()))
                        .toList();
    }

    private Carried acquire(Term term) {
        Carried carried = byTerm.computeIfAbsent(term, _ -> {
            index.add(term, term.scope().single(), term.selector());
            byNamespaceLabels += term.scope().dependsOnLabels() ? 1 : 0;
            return new Carried(term);
        });
        carried.carriers++;
        return carried;
    }

    /** Returns whether it was the last. */
    private boolean release(Carried carried) {
        boolean isLast = --carried.carriers == 0;
        if (isLast) {
            Term term = carried.term;
            byTerm.remove(term);
            index.remove(term, term.scope().single(), term.selector());
            byNamespaceLabels -= term.scope().dependsOnLabels() ? 1 : 0;
        }
        return isLast;
    }

    /** Whether it may depend on labels of namespaces whom a term matches. */
    boolean dependOnNamespaces() {
        return byNamespaceLabels > 0;
    }

    /** Those whom the term matches, of pods that wait. */
    List<Pod> matchedBy(Term term, PodsThatWait waiting) {
        String namespace = term.scope().single();
        return namespace.equals(FilingLabelIndex.ANYWHERE)
                ? waiting.matching(term.selector()).stream()
                        .filter(pod -> term.scope().includesNewcomerOf(pod.namespace(), namespaces))
                        .toList()
                : waiting.matching(namespace, term.selector());
    }

    /** The topology key of a term that matches the pod; empty where none does. */
    public Optional<String> matching(Pod pod) {
        if (index.isEmpty()) {
            return Optional.empty();
        }
        String[] found = new String[1];
        index.forEachCandidate(pod.namespace(), pod.labels(), term -> {
            if (found[0] == null
                    && term.selector().matches(pod.labels())
                    && term.scope().includesNewcomerOf(pod.namespace(), namespaces)) {
                found[0] = term.topologyKey();
            }
        });
        return Optional.ofNullable(found[0]);
    }
}
