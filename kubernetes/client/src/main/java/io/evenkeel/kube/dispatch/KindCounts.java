package io.evenkeel.kube.dispatch;

import java.util.EnumMap;
import java.util.Map;

/** A number for each kind of command. */
final class KindCounts {
    private final Map<CommandKind, Integer> counts = new EnumMap<>(CommandKind.class);

    KindCounts() {
        for (CommandKind kind : CommandKind.values()) {
            counts.put(kind, 0);
        }
    }

    void add(CommandKind kind, int change) {
        counts.merge(kind, change, Integer::sum);
    }

    int of(CommandKind kind) {
        return counts.getOrDefault(kind, 0);
    }

    Map<CommandKind, Integer> copy() {
        return Map.copyOf(counts);
    }
}
