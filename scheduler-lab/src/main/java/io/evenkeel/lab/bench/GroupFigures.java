package io.evenkeel.lab.bench;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;

/**
 * The figures of groups on nodes with so much room.
 *
 * @param coldMillis to find the placement of the first group after the JVM's start, or after the other room was measured
 */
record GroupFigures(
        int groups,
        int placed,
        int pods,
        double podsPerSecond,
        double p50Millis,
        double maxMillis,
        double p50CpuMillis,
        double coldMillis) {

    static GroupFigures of(List<GroupRun> runs, GroupRun cold) {
        List<Long> nanos =
                runs.stream().flatMap(run -> run.findNanos().stream()).sorted().toList();
        List<Long> cpu = runs.stream()
                .flatMap(run -> run.findCpuNanos().stream())
                .sorted()
                .toList();
        int pods = runs.stream().mapToInt(GroupRun::pods).sum();
        long all = runs.stream().mapToLong(GroupRun::nanos).sum();
        return new GroupFigures(
                nanos.size(),
                runs.stream().mapToInt(GroupRun::placed).sum(),
                pods,
                pods * 1e9 / all,
                nanos.get(nanos.size() / 2) / 1e6,
                nanos.getLast() / 1e6,
                cpu.get(cpu.size() / 2) / 1e6,
                cold.findNanos().getFirst() / 1e6);
    }

    String table(String room) {
        return String.format(
                Locale.ROOT,
                """
                %-14s %,d groups: %,d of %,d pods placed, %,.0f pods/s
                ms to find     p50 %,.1f, max %,.1f; processor p50 %,.1f; the first of all %,.1f\
                """,
                room,
                groups,
                placed,
                pods,
                podsPerSecond,
                p50Millis,
                maxMillis,
                p50CpuMillis,
                coldMillis);
    }

    /** As fields that begin with the room's name. */
    void write(JsonGenerator json, String room) throws IOException {
        json.writeNumberField(room + "groups", groups);
        json.writeNumberField(room + "placed", placed);
        json.writeNumberField(room + "unschedulable", pods - placed);
        json.writeNumberField(room + "pods_per_s", rounded(podsPerSecond, 1));
        json.writeNumberField(room + "group_ms_p50", rounded(p50Millis, 2));
        json.writeNumberField(room + "group_ms_max", rounded(maxMillis, 2));
        json.writeNumberField(room + "group_cpu_ms_p50", rounded(p50CpuMillis, 2));
        json.writeNumberField(room + "cold_group_ms", rounded(coldMillis, 2));
    }

    private static BigDecimal rounded(double value, int places) {
        return BigDecimal.valueOf(value).setScale(places, RoundingMode.HALF_UP);
    }
}
