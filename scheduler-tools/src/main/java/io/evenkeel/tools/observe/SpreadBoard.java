package io.evenkeel.tools.observe;

import io.evenkeel.app.companion.Times;
import io.evenkeel.app.companion.Times.Settling;
import io.evenkeel.app.companion.Times.Settling.News;
import io.evenkeel.tools.observe.WatchedConstraint.SpreadName;
import io.evenkeel.tools.observe.WatchedConstraint.SpreadReading;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The skew of each constraint of each workload, and a line whenever one is violated, worse, or restored, once that has lasted. Of a
 * workload's revisions, and of constraints of one name, the worst counts.
 */
final class SpreadBoard {
    private static final Logger log = LoggerFactory.getLogger(SpreadBoard.class);
    private static final Comparator<WatchedConstraint> BY_EXCESS =
            Comparator.comparingInt((WatchedConstraint one) -> one.reading().excess());

    private static final class Row {
        private final Set<WatchedConstraint> constraints = new LinkedHashSet<>();
        private final Settling violated;
        private Settling worse;
        private int told;

        Row(Times times) {
            violated = times.settling();
            worse = times.settling();
        }

        WatchedConstraint worst() {
            return constraints.stream().max(BY_EXCESS).orElseThrow();
        }
    }

    record Shown(SpreadName name, SpreadReading reading) {
        static final Comparator<Shown> WORST_FIRST =
                Comparator.comparingInt((Shown one) -> -one.reading().excess()).thenComparing(Shown::name);
    }

    private final Times times;
    private final Map<SpreadName, Row> rows = new LinkedHashMap<>();
    private final Map<SpreadName, Row> moving = new HashMap<>();
    private boolean isNew = true;

    SpreadBoard(Times times) {
        this.times = times;
    }

    void read(WatchedConstraint constraint) {
        SpreadName name = constraint.name();
        Row row = rows.computeIfAbsent(name, _ -> new Row(times));
        row.constraints.add(constraint);
        isNew = true;
        moving.put(name, row);
    }

    /** A workload that is gone takes its violations along without a word: it has no spread any more. */
    void gone(WatchedConstraint constraint) {
        SpreadName name = constraint.name();
        Row row = rows.get(name);
        if (row != null && row.constraints.remove(constraint)) {
            isNew = true;
            if (row.constraints.isEmpty()) {
                rows.remove(name);
                moving.remove(name);
            } else {
                moving.put(name, row);
            }
        }
    }

    /** Tells what has settled: looks at each name that was read, or that is not spread as asked for. */
    void tell() {
        Iterator<Map.Entry<SpreadName, Row>> each = moving.entrySet().iterator();
        while (each.hasNext()) {
            Map.Entry<SpreadName, Row> entry = each.next();
            Row row = entry.getValue();
            tell(entry.getKey(), row);
            if (row.violated.isOver()) {
                each.remove();
            }
        }
    }

    private void tell(SpreadName name, Row row) {
        WatchedConstraint worst = row.worst();
        SpreadReading reading = worst.reading();
        long now = times.now();
        News news = row.violated.note(reading.isViolated(), now);
        switch (news) {
            case BEGAN -> {
                row.told = reading.skew();
                row.worse = times.settling();
                line(level(worst).setMessage("Spread is violated"), name, worst)
                        .addKeyValue("since", times.at(row.violated.begunAt()))
                        .log();
            }
            case ENDED ->
                log.atInfo()
                        .setMessage("Spread is restored")
                        .addKeyValue("workload", name.workload())
                        .addKeyValue("topologyKey", name.topologyKey())
                        .addKeyValue("whenUnsatisfiable", name.whenUnsatisfiable())
                        .addKeyValue("skew", reading.skew())
                        .addKeyValue("allowed", reading.allowed())
                        .addKeyValue("since", times.at(row.violated.turnedAt()))
                        .addKeyValue("violatedFor", times.since(row.violated.begunAt()))
                        .log();
            case NONE -> tellIfWorse(name, row, worst, now);
        }
    }

    private void tellIfWorse(SpreadName name, Row row, WatchedConstraint worst, long now) {
        if (row.worse.note(row.violated.isInEffect() && worst.reading().skew() > row.told, now) == News.BEGAN) {
            line(level(worst).setMessage("Spread is worse"), name, worst)
                    .addKeyValue("before", row.told)
                    .addKeyValue("since", times.at(row.worse.begunAt()))
                    .log();
            row.told = worst.reading().skew();
            row.worse = times.settling();
        }
    }

    /** Warns only of spread that was asked for in so many words. */
    private static LoggingEventBuilder level(WatchedConstraint constraint) {
        return constraint.isDefault() ? log.atInfo() : log.atWarn();
    }

    private static LoggingEventBuilder line(LoggingEventBuilder line, SpreadName name, WatchedConstraint worst) {
        SpreadReading reading = worst.reading();
        return line.addKeyValue("workload", name.workload())
                .addKeyValue("topologyKey", name.topologyKey())
                .addKeyValue("whenUnsatisfiable", name.whenUnsatisfiable())
                .addKeyValue("byDefault", worst.isDefault())
                .addKeyValue("skew", reading.skew())
                .addKeyValue("allowed", reading.allowed())
                .addKeyValue("domains", reading.domains())
                .addKeyValue("tooFull", WatchedConstraint.inWords(reading.violating()));
    }

    int size() {
        return rows.size();
    }

    /** All of them as {@link #shown}, if any was read since this was asked last. */
    Optional<List<Shown>> news() {
        boolean asked = isNew;
        isNew = false;
        return asked ? Optional.of(shown()) : Optional.empty();
    }

    List<Shown> shown() {
        List<Shown> all = new ArrayList<>(rows.size());
        rows.forEach((name, row) -> all.add(new Shown(name, row.worst().reading())));
        all.sort(Shown.WORST_FIRST);
        return all;
    }

    /** All constraints that are violated now, whether that has lasted or not, worst first. */
    List<WatchedConstraint> violated() {
        return rows.values().stream()
                .map(Row::worst)
                .filter(constraint -> constraint.reading().isViolated())
                .sorted(BY_EXCESS.reversed().thenComparing(WatchedConstraint::name))
                .toList();
    }
}
