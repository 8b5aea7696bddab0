package io.evenkeel.kube.dispatch.plan;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * A look at the dispatcher.
 *
 * @param waiting how many commands of each kind have been taken and are not underway
 * @param calling how many calls of each kind are underway
 * @param preparing how many pods' PreBind plugins are at work
 */
public record DispatcherView(Map<CommandKind, Integer> waiting, Map<CommandKind, Integer> calling, int preparing) {
    public static final DispatcherView IDLE = new DispatcherView(byKind(_ -> 0), byKind(_ -> 0), 0);

    static Map<CommandKind, Integer> byKind(ToIntFunction<CommandKind> count) {
        Map<CommandKind, Integer> counts = new EnumMap<>(CommandKind.class);
        for (CommandKind kind : CommandKind.values()) {
            counts.put(kind, count.applyAsInt(kind));
        }
        return Map.copyOf(counts);
    }
}
