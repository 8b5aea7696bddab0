package io.evenkeel.lab.bench.endtoend;

import io.evenkeel.kube.api.JsonText;
import io.evenkeel.lab.bench.BenchCase;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * The needs of a scheduler's process from its start.
 *
 * @param reached in the order of time: the first pod, perhaps some in between, and the last
 * @param peakMegabytes of the process's memory, where the machine tells
 */
public record ColdResult(BenchCase benchCase, List<Reached> reached, OptionalDouble peakMegabytes) {

    public ColdResult {
        reached = List.copyOf(reached);
    }

    /**
     * So many pods were bound.
     *
     * @param seconds since the process was started
     * @param cpuSeconds of all its threads, since then
     */
    public record Reached(int pods, double seconds, double cpuSeconds) {
        double cpuMillisPerPod() {
            return cpuSeconds * 1e3 / pods;
        }
    }

    /** From the first binding to the last. */
    public double podsPerSecond() {
        Reached first = reached.getFirst();
        Reached last = reached.getLast();
        return last.pods() == first.pods() ? 0 : (last.pods() - first.pods()) / (last.seconds() - first.seconds());
    }

    /** For people; without a newline at the end. */
    public String table() {
        StringBuilder table = new StringBuilder(String.format(
                Locale.ROOT,
                """
                workload       %s: %s, end to end, cold
                cluster        %,d nodes in %,d zones, API server in a process of its own
                pods           %,d, all there before the scheduler's process was started
                """,
                benchCase.workload().id(),
                benchCase.workload().description(),
                benchCase.nodes(),
                benchCase.zones(),
                benchCase.pods()));
        for (Reached mark : reached) {
            table.append(
                    mark.pods() == 1
                            ? String.format(
                                    Locale.ROOT,
                                    "first binding  %.2f s after the start, %.2f s of processor until then%n",
                                    mark.seconds(),
                                    mark.cpuSeconds())
                            : String.format(
                                    Locale.ROOT,
                                    "%,-13d  %.2f s after the start, %.3f ms of processor per pod, start included%n",
                                    mark.pods(),
                                    mark.seconds(),
                                    mark.cpuMillisPerPod()));
        }
        table.append(String.format(Locale.ROOT, "pods/s         %,.0f from the first to the last", podsPerSecond()));
        peakMegabytes.ifPresent(most -> table.append(String.format(Locale.ROOT, "%npeak memory    %,.0f MB", most)));
        return table.toString();
    }

    /** One JSON object on one line. */
    public String json() {
        return JsonText.object(json -> {
            json.writeStringField("workload", benchCase.workload().id());
            json.writeBooleanField("end_to_end", true);
            json.writeBooleanField("cold", true);
            json.writeNumberField("nodes", benchCase.nodes());
            json.writeNumberField("pods", benchCase.pods());
            json.writeNumberField("zones", benchCase.zones());
            json.writeNumberField("groups", benchCase.groups());
            json.writeNumberField("placed", reached.getLast().pods());
            json.writeNumberField("pods_per_s", rounded(podsPerSecond()));
            json.writeNumberField("cpu_ms_per_pod", rounded(reached.getLast().cpuMillisPerPod()));
            json.writeNumberField("first_binding_s", rounded(reached.getFirst().seconds()));
            json.writeNumberField(
                    "first_binding_cpu_s", rounded(reached.getFirst().cpuSeconds()));
            for (Reached mark : reached.subList(1, reached.size())) {
                json.writeNumberField("bound_" + mark.pods() + "_s", rounded(mark.seconds()));
                json.writeNumberField("bound_" + mark.pods() + "_cpu_s", rounded(mark.cpuSeconds()));
            }
            if (peakMegabytes.isPresent()) {
                json.writeNumberField("peak_memory_mb", rounded(peakMegabytes.getAsDouble()));
            }
            json.writeNumberField("seed", benchCase.seed());
        });
    }

    private static BigDecimal rounded(double value) {
        return BigDecimal.valueOf(value).setScale(3, RoundingMode.HALF_UP);
    }
}
