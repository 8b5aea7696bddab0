package io.evenkeel.policies;

import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.shape.NodeRequirement;
import io.evenkeel.model.policy.PolicyRule;
import java.util.List;
import java.util.Optional;

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
final class SkewBounds {
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
