package io.evenkeel.lab.bench.plot;

import io.evenkeel.lab.bench.suite.CaseName;
import io.evenkeel.lab.bench.suite.StoredCase;
import java.util.List;

/**
 * A workload at several sizes, two at least, from the smallest on.
 *
 * @param common the name of all its cases, without that size
 */
record Line(CaseName common, List<StoredCase> cases) {
    Line {
        cases = List.copyOf(cases);
    }

    double last() {
        return cases.getLast().figure(Plots.PODS_PER_SECOND);
    }
}
