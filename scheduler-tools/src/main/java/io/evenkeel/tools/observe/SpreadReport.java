package io.evenkeel.tools.observe;

import io.evenkeel.tools.observe.spread.Finding;
import io.evenkeel.tools.observe.spread.SpreadName;
import io.evenkeel.tools.observe.spread.SpreadReading;
import java.util.List;

/**
 * The spread of a cluster's pods at one moment.
 *
 * @param workloads how many have constraints, their own or by default
 * @param constraints how many these are, by name
 * @param withoutController pods that no controller made, which are in no workload
 * @param violated the constraints with more skew than they allow, worst first
 * @param findings what the lints found
 */
record SpreadReport(
        int workloads, int constraints, int withoutController, List<Violated> violated, List<Finding> findings) {

    /**
     * A constraint with more skew than it allows.
     *
     * @param isDefault whether it is the profile's, not the pods' own
     * @param domains all that are counted, fullest first
     */
    public record Violated(
            SpreadName name, boolean isDefault, SpreadReading reading, List<SpreadReading.Domain> domains) {}
}
