package io.evenkeel.cluster.counting;

import io.evenkeel.cluster.counting.LabelClasses.LabelClass;
import io.evenkeel.cluster.counting.SelectorGroup.PodMatch;
import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.index.ShrinkingMap;
import io.evenkeel.cluster.index.Work;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.cluster.shape.AffinityRules;
import io.evenkeel.cluster.shape.Facet;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.Pod;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinity.WeightedPodAffinityTerm;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The affinity terms of all pods in place: the side of inter-pod affinity that a newcomer does not bring along. Equal
 * terms of many pods are one; a term goes with the last pod that carries it.
 *
 * <pre>{@code
 * Pods p0 and p1 have the same rules: required anti-affinity to app=web by zone. n1 is in zone a, n2 in zone b.
 *
 *                     pods with the rules   carriers of the term by zone   a newcomer with app=web
 * p0 on n1            1                     a 1                            is kept out of a
 * p1 on n2            2                     a 1, b 1                       is kept out of both
 * p0 goes             1                     b 1                            is kept out of b
 * p1 goes             none                  the term is gone               may go anywhere
 * }</pre>
 */
public final class CarriedTerms {
    /** Where no more terms match a newcomer, none is left out: that would take longer than to look at them. */
    private static final int MOST_BESIDE_EACH_OTHER = 16;

    private final PodTable pods;
    private final DomainCounters counters;
    private final SelectorIndex selectors;
    private final Namespaces namespaces;
    private final Work work;
    private final Map<CarriedTerm.Key, CarriedTerm> terms = new ShrinkingMap<>();
    private final FilingLabelIndex<CarriedTerm> termsByFilingLabel = new FilingLabelIndex<>();
    private final Map<Facet<AffinityRules>, TermUse> uses = new HashMap<>();
    private final Set<Facet<AffinityRules>> unused = new LinkedHashSet<>();
    private int pins;
    private long usesMade;
    private long version;

    private CarriedTerms(
            PodTable pods, DomainCounters counters, SelectorIndex selectors, Namespaces namespaces, Work work) {
        this.work = work;
        this.pods = pods;
        this.counters = counters;
        this.selectors = selectors;
        this.namespaces = namespaces;
    }

    /** Starts without terms; the caller is to keep them. */
    public static Writer create(
            PodTable pods, DomainCounters counters, SelectorIndex selectors, Namespaces namespaces, Work work) {
        return new CarriedTerms(pods, counters, selectors, namespaces, work).new Writer();
    }

    public boolean isEmpty() {
        return terms.isEmpty();
    }

    /** While this stays the same, {@link #matching} gives the same terms for the same newcomer. */
    public long version() {
        return version;
    }

    /**
     * The terms that match a newcomer of these labels; remembered for pods that no selector tells apart. Where they
     * are many, of terms that keep it out and that the same pods carry, for the same topology key, there is one: they keep it out
     * of the same nodes, whoever goes.
     *
     * <pre>{@code
     * p0 shuns app=web and app=a by zone, p1 app=web and app=b by zone. A newcomer that all of them match:
     *
     *   app=web by zone    kept: it stands for p0 and p1
     *   app=a by zone      left out: p0 is there
     *   app=b by zone      left out: p1 is there
     * }</pre>
     */
    public List<CarriedTerm> matching(String namespace, Labels labels) {
        if (terms.isEmpty()) {
            return List.of();
        }
        LabelClass known = selectors.find(namespace, labels, Pod.Departure.STAYS);
        if (known == null) {
            return findMatching(selectors.classKey(namespace, labels, Pod.Departure.STAYS));
        }
        if (known.matchedTermsVersion != version) {
            known.matchedTerms = findMatching(known.key);
            known.matchedTermsVersion = version;
        }
        return known.matchedTerms;
    }

    /** Returns how much the pod in this row adds to the counter of a term: nothing where it does not carry it. */
    public int weightOf(int row, CarriedTerm term) {
        TermUse use = uses.get(pods.shape(row).value().affinity());
        return use == null ? 0 : use.weightOf(term);
    }

    /** Keeps them up to date with pods and namespaces; made with them, and not to be had from them. */
    public final class Writer implements ClusterIndex {
        private Writer() {}

        public CarriedTerms carriedTerms() {
            return CarriedTerms.this;
        }

        @Override
        public void podPlaced(int row) {
            Facet<AffinityRules> rules = rulesOf(row);
            if (rules.value().affinity().isNone()) {
                return;
            }
            TermUse use = uses.get(rules);
            if (use == null) {
                use = use(rules.value());
                uses.put(rules, use);
            }
            use.podPlaced(pods.node(row));
        }

        @Override
        public void podRemoved(int row) {
            Facet<AffinityRules> rules = rulesOf(row);
            if (rules.value().affinity().isNone()) {
                return;
            }
            TermUse use = uses.get(rules);
            if (use == null) {
                throw new IllegalStateException("no pod carries " + rules);
            }
            use.podRemoved(pods.node(row));
            if (use.pods > 0) {
                return;
            }
            if (pins > 0) {
                unused.add(rules);
            } else {
                drop(rules, use);
            }
        }

        private Facet<AffinityRules> rulesOf(int row) {
            return pods.shape(row).value().affinity();
        }

        /** Terms may match other newcomers once a namespace's labels have changed, come or gone. */
        @Override
        public void objectChanged(Optional<KubernetesObject> before, Optional<KubernetesObject> after) {
            if (after.or(() -> before).orElseThrow() instanceof Namespace) {
                version++;
            }
        }

        /**
         * Until it ends, terms stay that lose their last pod: what a what-if takes away comes back, and making a term
         * again costs a pass over the nodes and would give callers another object than the one that they look at.
         */
        @Override
        public Runnable whatIfBegins() {
            pins++;
            long since = usesMade;
            return () -> unpin(since);
        }

        /** Drops the terms that came and went since the pin; those from before it that are unused, another pin keeps. */
        private void unpin(long since) {
            pins--;
            for (Facet<AffinityRules> rules : List.copyOf(unused)) {
                TermUse use = uses.get(rules);
                if (use == null || use.pods > 0) {
                    unused.remove(rules);
                } else if (pins == 0 || use.number >= since) {
                    unused.remove(rules);
                    drop(rules, use);
                }
            }
        }

        @Override
        public void audit(AuditFacts facts, Differences differences) {
            new CarriedTermAudit(CarriedTerms.this, counters, selectors, namespaces, facts, differences).run();
        }

        @Override
        public void describe(AuditFacts facts, Consumer<String> line) {
            terms.values()
                    .forEach(term -> line.accept("carried " + term.key() + " "
                            + term.counter().tally().counts().byName(facts::nameOf) + " "
                            + term.counter().description()));
        }
    }

    private void drop(Facet<AffinityRules> rules, TermUse use) {
        uses.remove(rules);
        for (CarriedTerm term : use.terms()) {
            term.notUsedBy(use);
            release(term);
        }
    }

    Collection<CarriedTerm> all() {
        return terms.values();
    }

    FilingLabelIndex<CarriedTerm> termsByFilingLabel() {
        return termsByFilingLabel;
    }

    /** How many pods in place have which affinity rules. */
    Map<AffinityRules, Integer> podsByRules() {
        Map<AffinityRules, Integer> pods = new HashMap<>();
        uses.forEach((rules, use) -> {
            if (use.pods > 0) {
                pods.merge(rules.value(), use.pods, Integer::sum);
            }
        });
        return pods;
    }

    /** The rules with terms that stay although no pod has them, for {@link Writer#whatIfBegins}. */
    List<AffinityRules> pinnedRules() {
        List<AffinityRules> pinned = new ArrayList<>();
        uses.forEach((rules, use) -> {
            if (use.pods == 0) {
                pinned.add(rules.value());
            }
        });
        return pinned;
    }

    boolean isPinned() {
        return pins > 0;
    }

    private TermUse use(AffinityRules rules) {
        PodAffinity affinity = rules.affinity();
        String namespace = rules.namespace();
        return selectors.together(affinity.selectors(), () -> use(affinity, namespace));
    }

    private TermUse use(PodAffinity affinity, String namespace) {
        TermUse use = new TermUse(usesMade++);
        for (PodAffinityTerm term : affinity.requiredAntiAffinity()) {
            use(use, acquire(CarriedTerm.Kind.REQUIRED_ANTI_AFFINITY, term, namespace), 1);
        }
        for (PodAffinityTerm term : affinity.requiredAffinity()) {
            use(use, acquire(CarriedTerm.Kind.REQUIRED_AFFINITY, term, namespace), 1);
        }
        for (WeightedPodAffinityTerm term : affinity.preferredAffinity()) {
            use(use, acquire(CarriedTerm.Kind.PREFERRED, term.term(), namespace), term.weight());
        }
        for (WeightedPodAffinityTerm term : affinity.preferredAntiAffinity()) {
            use(use, acquire(CarriedTerm.Kind.PREFERRED, term.term(), namespace), -term.weight());
        }
        return use;
    }

    /** A term that has been left out may be the only one that these pods carry. */
    private void use(TermUse use, CarriedTerm term, int weight) {
        use.add(term, weight);
        if (term.usedBy(use)) {
            version++;
        }
    }

    private CarriedTerm acquire(CarriedTerm.Kind kind, PodAffinityTerm term, String namespace) {
        CarriedTerm.Key key =
                new CarriedTerm.Key(kind, NamespaceScope.of(term, namespace), term.labelSelector(), term.topologyKey());
        CarriedTerm carried = terms.get(key);
        if (carried == null) {
            DomainCounter counter = counters.acquire(
                    kind == CarriedTerm.Kind.PREFERRED ? PodTally.ofWeights() : PodTally.ofPods(),
                    new Topology.Key(term.topologyKey(), false),
                    NodeEligibility.Key.having(term.topologyKey()),
                    false);
            carried = new CarriedTerm(key, counter);
            terms.put(key, carried);
            termsByFilingLabel.add(carried, key.scope().single(), key.selector());
            selectors.mention(key.selector());
        }
        carried.references++;
        return carried;
    }

    private void release(CarriedTerm carried) {
        if (--carried.references > 0) {
            return;
        }
        terms.remove(carried.key());
        termsByFilingLabel.remove(
                carried, carried.key().scope().single(), carried.key().selector());
        counters.release(carried.counter());
        selectors.unmention(carried.key().selector());
        version++;
    }

    private List<CarriedTerm> findMatching(LabelClass.Key newcomer) {
        List<CarriedTerm> found = new ArrayList<>();
        termsByFilingLabel.forEachCandidate(newcomer.namespace(), newcomer.mentionedLabels(), term -> {
            work.addOnce(1);
            if (term.key().matchesNewcomer(newcomer.namespace(), newcomer.mentionedLabels(), namespaces)) {
                found.add(term);
            }
        });
        if (found.size() > MOST_BESIDE_EACH_OTHER) {
            Map<String, Set<TermUse>> shunning = new HashMap<>();
            found.removeIf(term -> term.kind() == CarriedTerm.Kind.REQUIRED_ANTI_AFFINITY
                    && !shunning.computeIfAbsent(term.key().topologyKey(), _ -> new HashSet<>())
                            .addAll(term.uses()));
        }
        return found;
    }

    /** The carried terms of some affinity rules, each with the weight that a pod adds to it, and how many pods have the rules. */
    static final class TermUse {
        private record Weighted(CarriedTerm term, int weight) {}

        private final List<Weighted> terms = new ArrayList<>();
        final long number;
        int pods;

        /** Of no terms yet; the number says whether it was made before another. */
        TermUse(long number) {
            this.number = number;
        }

        void add(CarriedTerm term, int weight) {
            terms.add(new Weighted(term, weight));
        }

        List<CarriedTerm> terms() {
            return terms.stream().map(Weighted::term).toList();
        }

        /** The terms that a rule names twice count twice. */
        int weightOf(CarriedTerm term) {
            int sum = 0;
            for (int i = 0; i < terms.size(); i++) {
                if (terms.get(i).term.equals(term)) {
                    sum += terms.get(i).weight;
                }
            }
            return sum;
        }

        void podPlaced(int node) {
            pods++;
            for (int i = 0; i < terms.size(); i++) {
                Weighted weighted = terms.get(i);
                weighted.term.counter().tally().add(node, weighted.weight);
            }
        }

        void podRemoved(int node) {
            pods--;
            for (Weighted weighted : terms) {
                weighted.term.counter().tally().add(node, -weighted.weight);
            }
        }
    }

    /** Audits the carried terms: walks the affinity of every pod in place, term by term. */
    private record CarriedTermAudit(
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
            return new CarriedTerm.Key(
                    kind, NamespaceScope.of(term, namespace), term.labelSelector(), term.topologyKey());
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
            kept.forEach((key, term) -> differences.compare(
                    () -> "users of carried term " + key, term.references, users.getOrDefault(key, 0)));
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
}
