package io.evenkeel.lab.bench.hostile;

import com.fasterxml.jackson.core.JsonGenerator;
import io.evenkeel.kube.api.JsonText;
import io.evenkeel.lab.bench.BenchCase;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/**
 * The cost of a hostile tenant.
 *
 * @param placed how many of the others' pods have a node, beside the hostile ones
 * @param hostilePlaced how many of its pods have a node
 * @param hostileWaiting how many of its pods wait
 * @param hostileSeconds what taking its pods in took
 * @param keptMegabytes what the scheduler keeps of them
 * @param undisturbed the others' pods without it
 * @param disturbed and with it
 */
public record HostileResult(
        BenchCase benchCase,
        int placed,
        int hostilePlaced,
        int hostileWaiting,
        double hostileSeconds,
        double keptMegabytes,
        Delays undisturbed,
        Delays disturbed) {

    /** For people; without a newline at the end. */
    public String table() {
        return String.format(
                Locale.ROOT,
                """
                workload       %s: %s
                cluster        %,d nodes in %,d zones
                hostile pods   %,d placed, %,d waiting; %,.1f s, %,.0f MB kept
                others' pods   %,d, two hundred a second, before and after
                                  p50        p99  µs         cpu µs        units       hints, a pod
                before     %,10.1f %,10.1f      %,10.1f %,12.1f  %,10.1f
                after      %,10.1f %,10.1f      %,10.1f %,12.1f  %,10.1f
                times      %,10.2f %,10.2f      %,10.2f %,12.2f
                seed           %d\
                """,
                benchCase.workload().id(),
                benchCase.workload().description(),
                benchCase.nodes(),
                benchCase.zones(),
                hostilePlaced,
                hostileWaiting,
                hostileSeconds,
                keptMegabytes,
                benchCase.pods(),
                undisturbed.p50Micros(),
                undisturbed.p99Micros(),
                undisturbed.cpuMicros(),
                undisturbed.units(),
                undisturbed.hints(),
                disturbed.p50Micros(),
                disturbed.p99Micros(),
                disturbed.cpuMicros(),
                disturbed.units(),
                disturbed.hints(),
                disturbed.p50Micros() / undisturbed.p50Micros(),
                disturbed.p99Micros() / undisturbed.p99Micros(),
                disturbed.cpuMicros() / undisturbed.cpuMicros(),
                disturbed.units() / undisturbed.units(),
                benchCase.seed());
    }

    /** One JSON object on one line. */
    public String json() {
        return JsonText.object(json -> {
            json.writeStringField("workload", benchCase.workload().id());
            json.writeNumberField("nodes", benchCase.nodes());
            json.writeNumberField("pods", benchCase.pods());
            json.writeNumberField("zones", benchCase.zones());
            json.writeNumberField("groups", benchCase.groups());
            json.writeNumberField("placed", placed);
            json.writeNumberField("unschedulable", benchCase.pods() - placed);
            json.writeNumberField("hostile_placed", hostilePlaced);
            json.writeNumberField("hostile_waiting", hostileWaiting);
            json.writeNumberField("hostile_s", rounded(hostileSeconds));
            json.writeNumberField("hostile_kept_mb", rounded(keptMegabytes));
            write(json, "undisturbed", undisturbed);
            write(json, "disturbed", disturbed);
            json.writeNumberField("seed", benchCase.seed());
        });
    }

    private static void write(JsonGenerator json, String when, Delays delays) throws IOException {
        json.writeNumberField(when + "_us_per_pod_p50", rounded(delays.p50Micros()));
        json.writeNumberField(when + "_us_per_pod_p99", rounded(delays.p99Micros()));
        json.writeNumberField(when + "_cpu_us_per_pod", rounded(delays.cpuMicros()));
        json.writeNumberField(when + "_units_per_pod", rounded(delays.units()));
        json.writeNumberField(when + "_hints_per_pod", rounded(delays.hints()));
    }

    private static BigDecimal rounded(double value) {
        return BigDecimal.valueOf(value).setScale(1, RoundingMode.HALF_UP);
    }
}
