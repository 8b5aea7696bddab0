package io.evenkeel.policies;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.shape.NodeRequirement;
import io.evenkeel.cluster.shape.PodShape;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicyRule.DomainWeight;
import io.evenkeel.policies.PolicyReading.Limit;
import java.util.List;
import java.util.Optional;

/**
 * The choice that a rule leaves to the next pod: worked out once a pod, from the counts there are, and asked for each domain.
 *
 * <pre>{@code
 * maxDomains 2, maxPods 3        a   b   c
 * pods                           1   3   0
 * in use: 2 of 2                         no, as a third would be used
 * mostPods 2                     yes no
 * }</pre>
 */
final class RuleBounds {
    private final BoundRule bound;
    private final PolicyRule rule;
    private final DomainCounter counter;
    private final int[] weighted;
    private final Apportionment apportionment;
    private final int[] seats;
    private final int[] missing;
    private final SkewBounds skew;

    private DomainCounter open;
    private int mostPods;
    private Limit cap = Limit.MAX_PODS;
    private boolean onlyInUse;
    private int missingCount;
    private boolean onlyMissing;

    /** In thought, so many of the policy's pods have left a node of this domain, and so many of them count for skew. */
    private int domainLeft = Topology.NO_DOMAIN;

    private int left;
    private int openLeft;

    RuleBounds(BoundRule bound) {
        this(bound, true);
    }

    private RuleBounds(BoundRule bound, boolean yields) {
        this.bound = bound;
        this.rule = bound.rule();
        this.counter = bound.counter();
        this.open = counter;
        this.apportionment = new Apportionment(
                rule.weights().stream().mapToInt(DomainWeight::weight).toArray());
        this.seats = new int[rule.weights().size()];
        this.weighted = new int[seats.length];
        this.missing = new int[rule.mustUse().size()];
        this.skew = new SkewBounds(this, yields);
    }

    /** Returns the bounds of a rule as if no domain were relaxed. */
    static RuleBounds strictly(BoundRule bound) {
        return new RuleBounds(bound, false);
    }

    BoundRule bound() {
        return bound;
    }

    /** @param openToPod the policy's pods in the domains that are open to the pod */
    void measure(PodShape shape, DomainCounter openToPod) {
        measure(shape, openToPod, Topology.NO_DOMAIN, 0, 0);
    }

    /** Measures as if, in thought, pods have left a node of a domain. */
    void measure(PodShape shape, DomainCounter openToPod, int domain, int pods, int openPods) {
        open = openToPod;
        domainLeft = domain;
        left = pods;
        openLeft = openPods;
        measureCap();
        int inUse = counter.occupiedDomains() - (left > 0 && podsIn(domainLeft) == 0 ? 1 : 0);
        onlyInUse = rule.maxDomains().isPresent() && inUse >= rule.maxDomains().getAsInt();
        measureMissing(inUse);
        measureTurn();
        if (rule.maxSkew().isPresent()) {
            skew.measure(shape.nodeRequirement().value());
        }
    }

    private void measureCap() {
        mostPods = Integer.MAX_VALUE;
        if (rule.maxPods().isPresent()) {
            cap = Limit.MAX_PODS;
            mostPods = rule.maxPods().getAsInt() - 1;
        }
        if (rule.maxPercent().isPresent()) {
            long all = counter.total() - left + 1;
            int most =
                    (int) Math.min(Integer.MAX_VALUE, (all * rule.maxPercent().getAsInt() + 99) / 100) - 1;
            if (most < mostPods) {
                cap = Limit.MAX_PERCENT;
                mostPods = most;
            }
        }
    }

    private void measureMissing(int inUse) {
        List<String> mustUse = rule.mustUse();
        missingCount = 0;
        for (int i = 0; i < mustUse.size(); i++) {
            int domain = counter.topology().find(mustUse.get(i));
            if (podsIn(domain) == 0) {
                missing[missingCount++] = domain;
            }
        }
        onlyMissing = missingCount > 0
                && rule.maxDomains().isPresent()
                && inUse + missingCount >= rule.maxDomains().getAsInt();
    }

    private void measureTurn() {
        List<DomainWeight> weights = rule.weights();
        for (int i = 0; i < seats.length; i++) {
            weighted[i] = counter.topology().find(weights.get(i).domain());
            seats[i] = podsIn(weighted[i]);
        }
        apportionment.measure(seats);
    }

    /** The fewest pods of an open domain. */
    int fewestOpen() {
        return left > 0 && open.isCounted(domainLeft)
                ? Math.min(open.minimum(), openPodsIn(domainLeft))
                : open.minimum();
    }

    int podsIn(int domain) {
        if (domain == Topology.NO_DOMAIN) {
            return 0;
        }
        return counter.sumOf(domain) - (domain == domainLeft ? left : 0);
    }

    int openPodsIn(int domain) {
        return open.sumOf(domain) - (domain == domainLeft ? openLeft : 0);
    }

    /** The first limit that a pod more in the domain would break. */
    Optional<Limit> brokenIn(int domain) {
        if (domain == Topology.NO_DOMAIN) {
            return Optional.of(Limit.LABEL);
        }
        if (podsIn(domain) > mostPods) {
            return Optional.of(cap);
        }
        if (onlyInUse && podsIn(domain) == 0) {
            return Optional.of(Limit.MAX_DOMAINS);
        }
        if (missingCount > 0 && (onlyMissing ? !isMissing(domain) : podsIn(domain) > 0)) {
            return Optional.of(Limit.MUST_USE);
        }
        if (weighted.length > 0 && !isTurnOf(domain)) {
            return Optional.of(Limit.WEIGHTS);
        }
        return openPodsIn(domain) > mostBySkew() ? Optional.of(Limit.MAX_SKEW) : Optional.empty();
    }

    /** How many pods a domain may have for one more to be allowed there by the cap. */
    int mostPods() {
        return mostPods;
    }

    /** Which of both caps is the tighter one. */
    Limit cap() {
        return cap;
    }

    /** Whether no further domain may be used. */
    boolean onlyInUse() {
        return onlyInUse;
    }

    /** Whether domains that must be used have no pod yet. */
    boolean isOneMissing() {
        return missingCount > 0;
    }

    /** Whether there is no domain left to be used but the ones that must be. */
    boolean onlyMissing() {
        return onlyMissing;
    }

    boolean isMissing(int domain) {
        for (int i = 0; i < missingCount; i++) {
            if (missing[i] == domain) {
                return true;
            }
        }
        return false;
    }

    boolean isWeighted() {
        return weighted.length > 0;
    }

    boolean isTurnOf(int domain) {
        for (int i = 0; i < weighted.length; i++) {
            if (weighted[i] == domain) {
                return apportionment.isTurnOf(i);
            }
        }
        return false;
    }

    /** Whether it is the turn of a weight, by its place in the rule: its domain need not have nodes. */
    boolean isTurnOfWeight(int place) {
        return apportionment.isTurnOf(place);
    }

    /** The known domain without an open node for which the pod has to wait, if that is what limits skew. */
    Optional<String> awaited() {
        return skew.awaited();
    }

    /** Returns the status that users read of nodes that break this limit. */
    Status status(Limit limit) {
        Optional<String> awaited = limit == Limit.MAX_SKEW ? skew.awaited() : Optional.empty();
        return awaited.isEmpty()
                ? bound.statuses().of(limit)
                : bound.statuses().awaiting(awaited.get(), counter.topology().has(awaited.get()));
    }

    int fewestBySkew() {
        return skew.fewest();
    }

    /** How many pods an open domain may have for one more to be allowed there by skew. */
    int mostBySkew() {
        return rule.maxSkew().isEmpty() ? Integer.MAX_VALUE : skew.most();
    }

    /** The policy's pods in the domains that are open to the pod. */
    DomainCounter open() {
        return open;
    }

    /**
     * How many pods a domain may have by skew: so many more than the one with the fewest, of those for which a pod has to wait.
     *
     * <pre>{@code
     * maxSkew 1, knownDomains a b c d    a   b   c   d
     * pods                               2   1   0   no nodes
     * c is relaxed                       no  no  no         1 at most, as d has none
     * d is relaxed, too                  no  yes yes        2 at most, as b has 1
     * }</pre>
     */
    private static final class SkewBounds {
        private static final int NONE = -1;

        private final RuleBounds bounds;
        private final BoundRule bound;
        private final PolicyRule rule;
        private final boolean yields;
        private int[] relaxed = {};
        private int fewest;
        private int awaited = NONE;
        private int most = Integer.MAX_VALUE;

        /** @param yields whether domains count no longer that are relaxed */
        SkewBounds(RuleBounds bounds, boolean yields) {
            this.bounds = bounds;
            this.bound = bounds.bound();
            this.rule = bound.rule();
            this.yields = yields;
        }

        /** Once it is known which domains may be used. */
        void measure(NodeRequirement requirement) {
            findRelaxed();
            awaited = NONE;
            fewest = relaxed.length > 0 ? fewestOf(false) : bounds.fewestOpen();
            if (!bounds.onlyInUse()) {
                considerKnown(requirement);
            } else if (fewest == 0) {
                fewest = fewestOf(true);
            }
            if (fewest == Integer.MAX_VALUE) {
                fewest = relaxed.length > 0 ? fullest() : 0;
            }
            most = (int) Math.min(Integer.MAX_VALUE, (long) rule.maxSkew().orElse(1) + fewest - 1);
        }

        /** Where no domain is left to be waited for, the rule limits nothing: as if all had as many as the fullest. */
        private int fullest() {
            int most = 0;
            for (int domain = 0; domain < bound.topology().end(); domain++) {
                most = Math.max(most, bounds.open().isCounted(domain) ? bounds.openPodsIn(domain) : 0);
            }
            return most;
        }

        private void findRelaxed() {
            int count = yields ? bound.relaxed().size() : 0;
            relaxed = relaxed.length == count ? relaxed : new int[count];
            for (int i = 0; i < count; i++) {
                relaxed[i] = bound.topology().find(bound.relaxed().get(i).domain());
            }
        }

        /** Domain by domain; those without any are left out where others may not be used any more. */
        private int fewestOf(boolean inUse) {
            DomainCounter open = bounds.open();
            int least = Integer.MAX_VALUE;
            for (int domain = 0; domain < bound.topology().end(); domain++) {
                if (open.isCounted(domain) && !isRelaxed(domain) && (!inUse || bounds.podsIn(domain) > 0)) {
                    least = Math.min(least, bounds.openPodsIn(domain));
                }
            }
            return least;
        }

        private void considerKnown(NodeRequirement requirement) {
            List<BoundRule.Known> known = bound.known();
            for (int i = 0; i < known.size(); i++) {
                String value = known.get(i).domain();
                int pods = bounds.podsIn(bound.topology().find(value));
                if (!isRelaxed(value)
                        && pods < fewest
                        && bound.countsThoughClosed(known.get(i), pods, bounds.open(), requirement)) {
                    fewest = pods;
                    awaited = i;
                }
            }
        }

        private boolean isRelaxed(int domain) {
            for (int i = 0; i < relaxed.length; i++) {
                if (relaxed[i] == domain) {
                    return true;
                }
            }
            return false;
        }

        private boolean isRelaxed(String domain) {
            for (int i = 0; i < relaxed.length; i++) {
                if (bound.relaxed().get(i).domain().equals(domain)) {
                    return true;
                }
            }
            return false;
        }

        /** The known domain without an open node for which the pod has to wait, if that is what limits skew. */
        Optional<String> awaited() {
            return awaited == NONE
                    ? Optional.empty()
                    : Optional.of(bound.known().get(awaited).domain());
        }

        int fewest() {
            return fewest;
        }

        /** How many pods an open domain may have for one more to be allowed there. */
        int most() {
            return most;
        }
    }
}
