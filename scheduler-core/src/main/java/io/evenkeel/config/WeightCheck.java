package io.evenkeel.config;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The reference's check of the weights of a profile's scoring plugins: scores of 100 are added up in the order written, and
 * before each the sum must be neither negative nor greater than a long holds. A negative weight, which turns a plugin's
 * preference round, passes where the weights before it outweigh it, and at the very end. Weights have 32 bits; positive ones alone cannot add up to too much.
 */
final class WeightCheck {
    private static final long BEST_SCORE = 100;

    private record Entry(ExtensionPoint point, EnabledPlugin plugin) {
        /** Without a weight as with a weight of 1. */
        long bestScore() {
            return BEST_SCORE * (plugin.weight() == 0 ? 1 : plugin.weight());
        }

        String place() {
            return "plugins." + point.configName() + ": ";
        }
    }

    private WeightCheck() {}

    /** At one of the points that score: what the point itself enables, then MultiPoint; disabling makes no difference. */
    static List<String> errors(Plugins plugins, ExtensionPoint point, Map<String, Set<ExtensionPoint>> implemented) {
        Set<String> seen = new HashSet<>();
        List<Entry> entries = Stream.of(point, ExtensionPoint.MULTI_POINT)
                .flatMap(at -> plugins.at(at).enabled().stream().map(plugin -> new Entry(at, plugin)))
                .filter(entry ->
                        implemented.getOrDefault(entry.plugin.name(), Set.of()).contains(point))
                .filter(entry -> seen.add(entry.plugin.name()))
                .toList();
        long total = 0;
        for (int i = 0; i < entries.size(); i++) {
            Entry entry = entries.get(i);
            if (total < 0) {
                EnabledPlugin last = entries.get(i - 1).plugin;
                return List.of(entries.get(i - 1).place() + "total score of Score plugins could overflow: with "
                        + last.name() + "'s " + last.weight() + " the weights add up to " + total / BEST_SCORE
                        + ", and other plugins follow");
            }
            if (entry.bestScore() > Long.MAX_VALUE - total) {
                return List.of(entry.place() + "total score of Score plugins could overflow");
            }
            total += entry.bestScore();
        }
        return List.of();
    }
}
