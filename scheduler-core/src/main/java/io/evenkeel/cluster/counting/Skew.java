package io.evenkeel.cluster.counting;

import io.evenkeel.model.constraint.TopologySpreadConstraint;
import java.util.Collection;

/**
 * How unevenly the pods that a spread constraint counts are spread over its domains. What skew is, is said here and nowhere else;
 * filters read the counters' minima, which are kept, and look at no domain.
 *
 * <pre>{@code
 *                          zone a   zone b   zone c   fewest   skew
 * hard                     3        1        2        1        2
 * hard, minDomains 4       3        1        2        0        3      three domains where there are to be four
 * }</pre>
 *
 * @param fullest pods of the fullest domain
 * @param fewest pods of the emptiest domain, or 0 where domains are lacking
 * @param domains that are counted
 */
public record Skew(int fullest, int fewest, int domains) {

    /** Over a counter's domains. Looks at each. */
    public static Skew of(DomainCounter counter, TopologySpreadConstraint constraint) {
        int fewest = Integer.MAX_VALUE;
        int fullest = 0;
        for (int domain = 0; domain < counter.topology().end(); domain++) {
            if (counter.isCounted(domain)) {
                fewest = Math.min(fewest, counter.sumOf(domain));
                fullest = Math.max(fullest, counter.sumOf(domain));
            }
        }
        return of(fullest, fewest, counter.countedDomains(), constraint);
    }

    /** Over domains with so many pods each. */
    public static Skew of(Collection<Integer> pods, TopologySpreadConstraint constraint) {
        int fullest = pods.stream().mapToInt(Integer::intValue).max().orElse(0);
        int fewest = pods.stream().mapToInt(Integer::intValue).min().orElse(0);
        return of(fullest, fewest, pods.size(), constraint);
    }

    private static Skew of(int fullest, int fewest, int domains, TopologySpreadConstraint constraint) {
        boolean lacks = domains == 0 || (constraint.isHard() && lacksDomains(domains, constraint.minDomains()));
        return new Skew(fullest, lacks ? 0 : fewest, domains);
    }

    /** Whether a hard constraint has fewer domains than it wants, so that the emptiest is taken to have no pod. */
    public static boolean lacksDomains(int domains, int minDomains) {
        return domains < minDomains;
    }

    /**
     * How many matching pods a domain may have for one more to be allowed there: {@code matching + self − fewest ≤ maxSkew}.
     *
     * @param selfMatch 1 where that one will count, else 0
     */
    public static int mostAllowed(int maxSkew, int fewest, int selfMatch) {
        return (int) Math.min(Integer.MAX_VALUE, (long) maxSkew + fewest - selfMatch);
    }

    /** The fullest domain's pods less the emptiest one's. */
    public int skew() {
        return fullest - fewest;
    }

    /** Whether a domain with so many pods is further above the emptiest than the constraint allows. */
    public boolean isAbove(int pods, TopologySpreadConstraint constraint) {
        return pods - fewest > constraint.maxSkew();
    }
}
