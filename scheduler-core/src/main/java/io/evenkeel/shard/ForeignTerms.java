package io.evenkeel.shard;

import io.evenkeel.cluster.counting.FilingLabelIndex;
import io.evenkeel.cluster.counting.NamespaceScope;
import io.evenkeel.cluster.counting.Namespaces;
import io.evenkeel.model.Pod;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.value.LabelSelector;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The terms of required anti-affinity that reach across shards, of pods wherever they are: whom one matches, no shard can place by
 * itself. Equal terms are one, which goes
 * with the last pod that carries it.
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
    private record Term(NamespaceScope scope, LabelSelector selector, String topologyKey) {}

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

    /** Starts without terms. */
    public ForeignTerms(ShardMap map, Namespaces namespaces) {
        this.map = map;
        this.namespaces = namespaces;
    }

    /**
     * Takes in what the pod carries from now on, in place of what it carried before.
     *
     * @return whether there is a term among it that no pod has carried
     */
    public boolean put(Pod pod) {
        List<Term> terms = reachingAcross(pod);
        boolean isNew = !byTerm.keySet().containsAll(terms);
        List<Carried> now = terms.stream().map(this::acquire).toList();
        remove(pod.key());
        if (!now.isEmpty()) {
            byPod.put(pod.key(), now);
        }
        return isNew;
    }

    /** The pod of that name is gone, or has run to its end. */
    public void remove(String key) {
        List<Carried> before = byPod.remove(key);
        if (before != null) {
            before.forEach(this::release);
        }
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
            return new Carried(term);
        });
        carried.carriers++;
        return carried;
    }

    private void release(Carried carried) {
        if (--carried.carriers == 0) {
            Term term = carried.term;
            byTerm.remove(term);
            index.remove(term, term.scope().single(), term.selector());
        }
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
