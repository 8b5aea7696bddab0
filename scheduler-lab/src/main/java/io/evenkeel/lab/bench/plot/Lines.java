package io.evenkeel.lab.bench.plot;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.evenkeel.lab.bench.suite.CaseName;
import io.evenkeel.lab.bench.suite.StoredCase;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which cases are one workload at several sizes. */
final class Lines {
    private Lines() {}

    /** In the order in which the first case of each was measured. */
    static List<Line> by(Size size, List<StoredCase> cases) {
        Map<CaseName, List<StoredCase>> alike =
                cases.stream().collect(groupingBy(one -> size.without(one.name()), LinkedHashMap::new, toList()));
        return alike.entrySet().stream()
                .filter(line -> line.getValue().size() > 1)
                .map(line -> new Line(line.getKey(), sorted(size, line.getValue())))
                .toList();
    }

    private static List<StoredCase> sorted(Size size, List<StoredCase> cases) {
        return cases.stream()
                .sorted(Comparator.comparingInt(one -> size.of(one.name())))
                .toList();
    }
}
