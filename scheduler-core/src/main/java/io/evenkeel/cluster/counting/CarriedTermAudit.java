package io.evenkeel.cluster.counting;

import io.evenkeel.cluster.counting.SelectorGroup.PodMatch;
import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.shape.AffinityRules;
import io.evenkeel.model.Pod;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Audits the carried terms: walks the affinity of every pod in place, term by term. */
record CarriedTermAudit(
        CarriedTerms terms,
        DomainCounters counters,
        SelectorIndex selectors,
        Namespaces namespaces,
        AuditFacts facts,
        Differences differences) {
    /** Takes a term in as it is walked over. */
    private interface TermVisitor {
        void visit(CarriedTerm.Key key, int weight);
    }

    void run() {
        Map<CarriedTerm.Key, Map<Integer, Integer>> recounted = recount();
        Map<CarriedTerm.Key, CarriedTerm> kept = new HashMap<>();
        terms.all().forEach(term -> kept.put(term.key(), term));
        List<AffinityRules> pinned = terms.pinnedRules();
        differences.require(
                pinned.isEmpty() || terms.isPinned(),
                () -> "terms are kept that no pod has and no what-if pins: " + pinned);
        pinned.forEach(rules ->
                visit(rules.affinity(), rules.namespace(), (key, weight) -> recounted.putIfAbsent(key, Map.of())));
        differences.compare(() -> "carried terms", kept.keySet(), recounted.keySet());
        kept.forEach((key, term) -> {
            term.counter()
                    .tally()
                    .audit("carried term " + key, recounted.getOrDefault(key, Map.of()), facts, differences);
            differences.require(
                    term.counter().tally().counters().contains(term.counter()),
                    () -> "the counter of carried term " + key + " is not told of changes");
            differences.require(
                    counters.all().contains(term.counter()),
                    () -> "the counter of carried term " + key + " was dropped");
        });
        checkUsers(kept);
        checkMatching();
        checkMentions();
    }

    private Map<CarriedTerm.Key, Map<Integer, Integer>> recount() {
        Map<CarriedTerm.Key, Map<Integer, Integer>> recounted = new HashMap<>();
        for (AuditFacts.PlacedPod placed : facts.pods()) {
            visit(
                    placed.pod().spec().podAffinity(),
                    placed.pod().namespace(),
                    (key, weight) -> recounted
                            .computeIfAbsent(key, absent -> new HashMap<>())
                            .merge(placed.node(), weight, Integer::sum));
        }
        return recounted;
    }

    private static void visit(PodAffinity affinity, String namespace, TermVisitor visitor) {
        affinity.requiredAffinity()
                .forEach(term -> visitor.visit(keyOf(CarriedTerm.Kind.REQUIRED_AFFINITY, term, namespace), 1));
        affinity.requiredAntiAffinity()
                .forEach(term -> visitor.visit(keyOf(CarriedTerm.Kind.REQUIRED_ANTI_AFFINITY, term, namespace), 1));
        affinity.preferredAffinity()
                .forEach(term ->
                        visitor.visit(keyOf(CarriedTerm.Kind.PREFERRED, term.term(), namespace), term.weight()));
        affinity.preferredAntiAffinity()
                .forEach(term ->
                        visitor.visit(keyOf(CarriedTerm.Kind.PREFERRED, term.term(), namespace), -term.weight()));
    }

    private static CarriedTerm.Key keyOf(CarriedTerm.Kind kind, PodAffinityTerm term, String namespace) {
        return new CarriedTerm.Key(kind, NamespaceScope.of(term, namespace), term.labelSelector(), term.topologyKey());
    }

    private void checkUsers(Map<CarriedTerm.Key, CarriedTerm> kept) {
        Map<AffinityRules, Integer> podsByRules = new HashMap<>();
        for (AuditFacts.PlacedPod placed : facts.pods()) {
            AffinityRules rules = AffinityRules.of(placed.pod());
            if (!rules.affinity().isNone()) {
                podsByRules.merge(rules, 1, Integer::sum);
            }
        }
        differences.compare(() -> "pods by affinity rules", terms.podsByRules(), podsByRules);
        Map<CarriedTerm.Key, Integer> users = new HashMap<>();
        List<AffinityRules> loaded = new ArrayList<>(podsByRules.keySet());
        loaded.addAll(terms.pinnedRules());
        loaded.forEach(rules ->
                visit(rules.affinity(), rules.namespace(), (key, weight) -> users.merge(key, 1, Integer::sum)));
        kept.forEach((key, term) ->
                differences.compare(() -> "users of carried term " + key, term.references, users.getOrDefault(key, 0)));
        differences.require(
                new HashSet<>(terms.all())
                        .containsAll(terms.termsByFilingLabel().entries()),
                () -> "the index still has carried terms that are gone");
    }

    /** The selectors of groups and of carried terms together tell which label keys are read. */
    private void checkMentions() {
        Map<String, Integer> recounted = new HashMap<>();
        for (SelectorGroup group : selectors.groups()) {
            for (PodMatch match : group.key().matches()) {
                match.selector().keys().forEach(key -> recounted.merge(key, 1, Integer::sum));
            }
        }
        for (CarriedTerm term : terms.all()) {
            term.key().selector().keys().forEach(key -> recounted.merge(key, 1, Integer::sum));
        }
        Map<String, Integer> kept = new HashMap<>(selectors.mentioned().selectorsByKey());
        long stale = kept.values().stream().filter(users -> users == 0).count();
        kept.values().removeIf(users -> users == 0);
        differences.compare(() -> "selectors that mention each label key", kept, recounted);
        differences.compare(
                () -> "label keys that no selector mentions any more",
                selectors.mentioned().stale(),
                stale);
    }

    /** As if each pod in place came again. */
    private void checkMatching() {
        Map<String, Set<Labels>> asked = new HashMap<>();
        for (AuditFacts.PlacedPod placed : facts.pods()) {
            Pod pod = placed.pod();
            if (asked.computeIfAbsent(pod.namespace(), absent -> new HashSet<>())
                    .add(pod.labels())) {
                Set<CarriedTerm> recounted = new HashSet<>(terms.all());
                recounted.removeIf(term -> !term.key().matchesNewcomer(pod.namespace(), pod.labels(), namespaces));
                differences.compare(
                        () -> "carried terms that match a newcomer like " + pod.key(),
                        effects(terms.matching(pod.namespace(), pod.labels())),
                        effects(recounted));
            }
        }
    }

    /** By their effect on a newcomer: of terms that keep it out it matters only whose they are. */
    private static Set<Object> effects(Collection<CarriedTerm> matching) {
        Set<Object> effects = new HashSet<>();
        for (CarriedTerm term : matching) {
            if (term.kind() == CarriedTerm.Kind.REQUIRED_ANTI_AFFINITY) {
                term.uses().forEach(use -> effects.add(List.of(term.key().topologyKey(), use)));
            } else {
                effects.add(term);
            }
        }
        return effects;
    }
}
