package io.evenkeel.lab.bench;

import io.evenkeel.kube.api.JsonText;
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
                %s
                seed           %d\
                """,
                benchCase.workload().id(),
                benchCase.workload().description(),
                benchCase.nodes(),
                benchCase.zones(),
                benchCase.fill() == 0 ? "" : String.format(Locale.ROOT, ", filled with %,d pods", benchCase.filled()),
                benchCase.pods(),
                benchCase.groups(),
                result.figures().placed(),
                result.figures().unschedulable(),
                result.figures()
                        .table(String.format(
                                Locale.ROOT, "first 1,000 of a cold JVM: %,.0f", result.coldPodsPerSecond())),
                benchCase.seed());
    }

    /** One JSON object on one line. */
    public static String json(BenchResult result) {
        BenchCase benchCase = result.benchCase();
        return JsonText.object(json -> {
            json.writeStringField("workload", benchCase.workload().id());
            json.writeNumberField("nodes", benchCase.nodes());
            json.writeNumberField("pods", benchCase.pods());
            json.writeNumberField("zones", benchCase.zones());
            json.writeNumberField("groups", benchCase.groups());
            json.writeNumberField("fill", benchCase.fill());
            result.figures().write(json);
            json.writeNumberField("cold_pods_per_s", Figures.rounded(result.coldPodsPerSecond()));
            json.writeNumberField("seed", benchCase.seed());
        });
    }
}
