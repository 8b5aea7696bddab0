package io.evenkeel.lab.bench;

import com.fasterxml.jackson.core.JsonGenerator;
import io.evenkeel.kube.api.JsonText;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/**
 * The cost of a crowd to the others.
 *
 * @param waiting how many pods it is that wait
 * @param alone the others without it
 * @param crowded and with it
 */
public record CrowdResult(BenchCase benchCase, int waiting, Costs alone, Costs crowded) {

    /** For people; without a newline at the end. */
    public String table() {
        Tally tally = crowded.tally();
        return String.format(
                Locale.ROOT,
                """
                workload       %s: %s
                cluster        %,d nodes in %,d zones
                crowd          %,d pods of %d Deployments in %d namespaces, waiting
                placed         %,d of %,d pods, each after an event of a node
                                    alone     crowded  times   µs of processor
                a pod          %10.1f  %10.1f  %5.2f   p99 %,.1f and %,.1f
                an event       %10.1f  %10.1f  %5.2f   p99 %,.1f and %,.1f
                all, a pod     %10.1f  %10.1f  %5.2f
                hints          %10.1f  %10.1f          an event
                wake-ups       %,d of the crowd
                attempts       %,d, of them %,d in vain (%.1f %%)
                seed           %d\
                """,
                benchCase.workload().id(),
                benchCase.workload().description(),
                benchCase.nodes(),
                benchCase.zones(),
                waiting,
                CrowdPods.DEPLOYMENTS,
                CrowdPods.NAMESPACES,
                tally.placed(),
                benchCase.pods(),
                alone.podMicros(),
                crowded.podMicros(),
                crowded.podMicros() / alone.podMicros(),
                alone.podP99Micros(),
                crowded.podP99Micros(),
                alone.eventMicros(),
                crowded.eventMicros(),
                crowded.eventMicros() / alone.eventMicros(),
                alone.eventP99Micros(),
                crowded.eventP99Micros(),
                alone.allMicros(),
                crowded.allMicros(),
                crowded.allMicros() / alone.allMicros(),
                alone.hintsPerEvent(benchCase.pods()),
                crowded.hintsPerEvent(benchCase.pods()),
                tally.wakeUps(),
                tally.placed() + tally.rejected(),
                tally.rejected(),
                100 * crowded.inVain(),
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
            json.writeNumberField("placed", crowded.tally().placed());
            json.writeNumberField(
                    "unschedulable", benchCase.pods() - crowded.tally().placed());
            json.writeNumberField("crowd", waiting);
            write(json, "alone", alone);
            write(json, "crowded", crowded);
            json.writeNumberField("pod_times", rounded(crowded.podMicros() / alone.podMicros(), 2));
            json.writeNumberField("all_times", rounded(crowded.allMicros() / alone.allMicros(), 2));
            json.writeNumberField("wake_ups", crowded.tally().wakeUps());
            json.writeNumberField("attempts_in_vain", crowded.tally().rejected());
            json.writeNumberField("in_vain_share", rounded(crowded.inVain(), 3));
            json.writeNumberField("seed", benchCase.seed());
        });
    }

    private void write(JsonGenerator json, String how, Costs costs) throws IOException {
        json.writeNumberField(how + "_us_per_pod", rounded(costs.podMicros(), 1));
        json.writeNumberField(how + "_us_per_pod_p99", rounded(costs.podP99Micros(), 1));
        json.writeNumberField(how + "_us_per_event", rounded(costs.eventMicros(), 1));
        json.writeNumberField(how + "_us_per_event_p99", rounded(costs.eventP99Micros(), 1));
        json.writeNumberField(how + "_us_in_all_per_pod", rounded(costs.allMicros(), 1));
        json.writeNumberField(how + "_hints_per_event", rounded(costs.hintsPerEvent(benchCase.pods()), 1));
    }

    private static BigDecimal rounded(double value, int places) {
        return BigDecimal.valueOf(value).setScale(places, RoundingMode.HALF_UP);
    }
}
