package io.evenkeel.lab.bench.endtoend;

import io.evenkeel.kube.api.JsonText;
import io.evenkeel.lab.bench.BenchCase;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/**
 * The needs of the scheduler's process.
 *
 * @param seconds from the first pod's creation to the last binding
 * @param cpuSeconds of all threads, compiler and garbage collector included
 * @param peakMegabytes of the process's memory, since its start
 * @param firstBindingSeconds from the start of a scheduler in a cold process to its first binding
 */
public record EndToEndResult(
        BenchCase benchCase,
        int bound,
        double seconds,
        double cpuSeconds,
        double peakMegabytes,
        double firstBindingSeconds) {

    public double podsPerSecond() {
        return bound / seconds;
    }

    public double cpuMillisPerPod() {
        return cpuSeconds * 1e3 / bound;
    }

    /** For people; without a newline at the end. */
    public String table() {
        return String.format(
                Locale.ROOT,
                """
                workload       %s: %s, end to end
                cluster        %,d nodes in %,d zones, API server in a process of its own
                pods           %,d bound
                pods/s         %,.0f (creation, scheduling, binding, and the watch's word on it)
                processor      %.3f ms per pod, all threads of the scheduler's process
                peak memory    %,.0f MB
                first binding  %.2f s after the start, cold""",
                benchCase.workload().id(),
                benchCase.workload().description(),
                benchCase.nodes(),
                benchCase.zones(),
                bound,
                podsPerSecond(),
                cpuMillisPerPod(),
                peakMegabytes,
                firstBindingSeconds);
    }

    /** One JSON object on one line. */
    public String json() {
        return JsonText.object(json -> {
            json.writeStringField("workload", benchCase.workload().id());
            json.writeBooleanField("end_to_end", true);
            json.writeNumberField("nodes", benchCase.nodes());
            json.writeNumberField("pods", benchCase.pods());
            json.writeNumberField("zones", benchCase.zones());
            json.writeNumberField("groups", benchCase.groups());
            json.writeNumberField("placed", bound);
            json.writeNumberField("pods_per_s", rounded(podsPerSecond()));
            json.writeNumberField("cpu_ms_per_pod", rounded(cpuMillisPerPod()));
            json.writeNumberField("peak_memory_mb", rounded(peakMegabytes));
            json.writeNumberField("first_binding_s", rounded(firstBindingSeconds));
            json.writeNumberField("seed", benchCase.seed());
        });
    }

    private static BigDecimal rounded(double value) {
        return BigDecimal.valueOf(value).setScale(3, RoundingMode.HALF_UP);
    }
}
