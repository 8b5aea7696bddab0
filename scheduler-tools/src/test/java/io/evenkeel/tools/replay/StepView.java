package io.evenkeel.tools.replay;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A step of a scenario's answer, reduced to what must be equal. */
record StepView(
        Set<String> feasible,
        Map<String, List<Object>> filtered,
        Map<String, Map<String, Object>> scores,
        Map<String, Object> totals,
        String node,
        String message,
        String preEnqueue,
        Map<String, Object> allocations,
        String nominatedNode,
        List<String> victims) {

    private static final Object NARROWED_AWAY = List.of("excluded by PreFilter");
    private static final Object ZERO = 0L;

    static StepView of(Map<String, Object> step) {
        Map<String, List<Object>> filtered = new TreeMap<>();
        child(step, "filtered").forEach((node, verdict) -> {
            Map<String, Object> status = map(verdict);
            List<?> reasons = (List<?>) status.getOrDefault("reasons", List.of());
            if (!reasons.equals(NARROWED_AWAY)) {
                filtered.put(
                        node,
                        List.of(
                                status.getOrDefault("plugin", ""),
                                status.getOrDefault("code", ""),
                                reasons.stream().map(String::valueOf).sorted().toList()));
            }
        });
        Map<String, Map<String, Object>> scores = new TreeMap<>();
        child(step, "scores").forEach((node, byPlugin) -> {
            Map<String, Object> nonZero = new TreeMap<>(map(byPlugin));
            nonZero.values().removeIf(ZERO::equals);
            scores.put(node, nonZero);
        });
        return new StepView(
                new TreeSet<>(scores.keySet()),
                filtered,
                scores,
                new TreeMap<>(child(step, "totals")),
                String.valueOf(step.getOrDefault("node", "")),
                String.valueOf(step.getOrDefault("message", "")),
                String.valueOf(step.getOrDefault("preEnqueue", "")),
                child(step, "allocations"),
                String.valueOf(child(step, "preemption").getOrDefault("nominatedNode", "")),
                victims(child(step, "preemption")));
    }

    private static List<String> victims(Map<String, Object> preemption) {
        return ((List<?>) preemption.getOrDefault("victims", List.of()))
                .stream().map(String::valueOf).sorted().toList();
    }

    private static Map<String, Object> child(Map<String, Object> step, String name) {
        return map(step.getOrDefault(name, Map.of()));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }
}
