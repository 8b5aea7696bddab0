package io.evenkeel.lab.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/** A result as text: a few lines for people, one line of JSON for programs. */
public final class BenchReport {
    private BenchReport() {}

    /** For people; without a newline at the end. */
    public static String table(BenchResult result) {
        BenchCase benchCase = result.benchCase();
        return String.format(
                Locale.ROOT,
                """
                workload       %s: %s
                cluster        %,d nodes in %,d zones%s
                pods           %,d of %,d apps: %,d placed, %,d unschedulable
                pods/s         %,.0f (first 1,000 of a cold JVM: %,.0f)
                µs per pod     mean %,.1f, p50 %,.1f, p99 %,.1f, max %,.1f; processor %,.1f
                allocated      %,d bytes per pod
                seed           %d\
                """,
                benchCase.workload().id(),
                benchCase.workload().description(),
                benchCase.nodes(),
                benchCase.zones(),
                benchCase.fill() == 0 ? "" : String.format(Locale.ROOT, ", filled with %,d pods", benchCase.filled()),
                benchCase.pods(),
                benchCase.groups(),
                result.placed(),
                result.unschedulable(),
                result.podsPerSecond(),
                result.coldPodsPerSecond(),
                result.meanMicros(),
                result.p50Micros(),
                result.p99Micros(),
                result.maxMicros(),
                result.cpuMicros(),
                result.bytesPerPod(),
                benchCase.seed());
    }

    /** One JSON object on one line. */
    public static String json(BenchResult result) {
        BenchCase benchCase = result.benchCase();
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("workload", benchCase.workload().id());
            json.writeNumberField("nodes", benchCase.nodes());
            json.writeNumberField("pods", benchCase.pods());
            json.writeNumberField("zones", benchCase.zones());
            json.writeNumberField("groups", benchCase.groups());
            json.writeNumberField("fill", benchCase.fill());
            json.writeNumberField("placed", result.placed());
            json.writeNumberField("unschedulable", result.unschedulable());
            json.writeNumberField("pods_per_s", rounded(result.podsPerSecond()));
            json.writeNumberField("cold_pods_per_s", rounded(result.coldPodsPerSecond()));
            json.writeNumberField("us_per_pod_mean", rounded(result.meanMicros()));
            json.writeNumberField("us_per_pod_p50", rounded(result.p50Micros()));
            json.writeNumberField("us_per_pod_p99", rounded(result.p99Micros()));
            json.writeNumberField("us_per_pod_max", rounded(result.maxMicros()));
            json.writeNumberField("cpu_us_per_pod", rounded(result.cpuMicros()));
            json.writeNumberField("bytes_per_pod", result.bytesPerPod());
            json.writeNumberField("seed", benchCase.seed());
            json.writeEndObject();
        } catch (IOException inMemory) {
            throw new UncheckedIOException(inMemory);
        }
        return text.toString();
    }

    private static BigDecimal rounded(double value) {
        return BigDecimal.valueOf(value).setScale(1, RoundingMode.HALF_UP);
    }
}
