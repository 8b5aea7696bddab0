package io.evenkeel.lab.bench.perf;

import io.evenkeel.kube.api.JsonText;
import io.evenkeel.lab.bench.Figures;
import java.util.Locale;
import java.util.OptionalInt;

/** The figures of a case of the reference's. */
public record PerfResult(PerfCase perfCase, Figures figures) {
    /** For people; without a newline at the end. */
    public String table() {
        return String.format(
                Locale.ROOT,
                """
                workload       %s of Kubernetes' scheduler_perf
                cluster        %,d nodes with %,d pods on them
                pods           %,d: %,d placed, %,d unschedulable
                %s
                seed           %d\
                """,
                perfCase.workload().id(),
                perfCase.nodes(),
                perfCase.residents(),
                figures.placed() + figures.unschedulable(),
                figures.placed(),
                figures.unschedulable(),
                figures.table(aboutTheRate()),
                perfCase.seed());
    }

    /** One JSON object on one line. */
    public String json() {
        return JsonText.object(json -> {
            json.writeStringField("workload", perfCase.workload().id());
            json.writeNumberField("nodes", perfCase.nodes());
            json.writeNumberField("pods", perfCase.pods());
            json.writeNumberField("residents", perfCase.residents());
            figures.write(json);
            OptionalInt floor = perfCase.floor();
            if (floor.isPresent()) {
                json.writeNumberField("reference_floor", floor.getAsInt());
            }
            json.writeNumberField("seed", perfCase.seed());
        });
    }

    private String aboutTheRate() {
        OptionalInt floor = perfCase.floor();
        return floor.isPresent()
                ? "kube-scheduler's CI, whole scheduler: at least " + floor.getAsInt()
                : "kube-scheduler's CI demands no rate of this size";
    }
}
