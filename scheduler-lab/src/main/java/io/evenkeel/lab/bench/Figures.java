package io.evenkeel.lab.bench;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/**
 * The figures of a run.
 *
 * @param p50Micros time that half of the pods took at most
 * @param cpuMicros processor time of the engine's thread for a pod: on a busy machine less than the mean
 * @param bytesPerPod allocated by the engine's thread
 */
public record Figures(
        int placed,
        int unschedulable,
        double podsPerSecond,
        double meanMicros,
        double p50Micros,
        double p99Micros,
        double maxMicros,
        double cpuMicros,
        long bytesPerPod) {

    static Figures of(PlacementRun run) {
        return new Figures(
                run.placed(),
                run.pods() - run.placed(),
                run.podsPerSecond(),
                run.meanMicros(),
                run.percentileMicros(0.50),
                run.percentileMicros(0.99),
                run.percentileMicros(1.00),
                run.cpuMicros(),
                run.bytesPerPod());
    }

    /** For people; without a newline at the end. */
    public String table(String aboutTheRate) {
        return String.format(
                Locale.ROOT,
                """
                pods/s         %,.0f (%s)
                µs per pod     mean %,.1f, p50 %,.1f, p99 %,.1f, max %,.1f; processor %,.1f
                allocated      %,d bytes per pod\
                """,
                podsPerSecond,
                aboutTheRate,
                meanMicros,
                p50Micros,
                p99Micros,
                maxMicros,
                cpuMicros,
                bytesPerPod);
    }

    /** As fields of an object that is begun. */
    public void write(JsonGenerator json) throws IOException {
        json.writeNumberField("placed", placed);
        json.writeNumberField("unschedulable", unschedulable);
        json.writeNumberField("pods_per_s", rounded(podsPerSecond));
        json.writeNumberField("us_per_pod_mean", rounded(meanMicros));
        json.writeNumberField("us_per_pod_p50", rounded(p50Micros));
        json.writeNumberField("us_per_pod_p99", rounded(p99Micros));
        json.writeNumberField("us_per_pod_max", rounded(maxMicros));
        json.writeNumberField("cpu_us_per_pod", rounded(cpuMicros));
        json.writeNumberField("bytes_per_pod", bytesPerPod);
    }

    static BigDecimal rounded(double value) {
        return BigDecimal.valueOf(value).setScale(1, RoundingMode.HALF_UP);
    }
}
