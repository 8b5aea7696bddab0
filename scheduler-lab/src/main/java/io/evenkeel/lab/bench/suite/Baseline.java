package io.evenkeel.lab.bench.suite;

import io.evenkeel.app.terminal.FailureException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What the suite took at another time: the JSON that it printed then. */
public final class Baseline {
    /** None: nothing is compared. */
    public static final Baseline NONE = new Baseline(Map.of());

    private static final String PODS_PER_SECOND = "pods_per_s";
    private static final String CPU_MICROS = "cpu_us_per_pod";
    private static final String BYTES_PER_POD = "bytes_per_pod";

    /** What is compared of a case. */
    record Then(double podsPerSecond, double cpuMicros, double bytesPerPod) {}

    private final Map<CaseName, Then> cases;

    private Baseline(Map<CaseName, Then> cases) {
        this.cases = cases;
    }

    /**
     * Reads what {@link SuiteReport#json} wrote.
     *
     * @throws FailureException with a line for the user if the file is not that
     */
    public static Baseline read(Path file) {
        Map<CaseName, Then> cases = new HashMap<>();
        StoredSuite.read(file, Set.of(PODS_PER_SECOND, CPU_MICROS, BYTES_PER_POD))
                .cases()
                .forEach(one -> cases.put(one.name(), then(one)));
        return new Baseline(cases);
    }

    Optional<Then> of(CaseName name) {
        return Optional.ofNullable(cases.get(name));
    }

    /** Whether there is anything to compare with. */
    boolean isThere() {
        return !cases.isEmpty();
    }

    private static Then then(StoredCase one) {
        return new Then(one.figure(PODS_PER_SECOND), one.figure(CPU_MICROS), one.figure(BYTES_PER_POD));
    }
}
