package io.evenkeel.engine.why;

import io.evenkeel.framework.cycle.Diagnosis;
import io.evenkeel.framework.cycle.Rejection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How many nodes each plugin takes out, in the order in which they are asked; the counts are those of the message.
 *
 * <pre>
 * 5 nodes   TaintToleration −1 → 4   NodeResourcesFit −3 → 1   PodTopologySpread −1 → 0
 * </pre>
 *
 * @param nodes how many there are
 * @param outright who turned the pod away before nodes were looked at
 * @param message the reference's
 */
public record Funnel(int nodes, Optional<Diagnosis.PreFilterRejection> outright, List<Step> steps, String message) {

    /**
     * The nodes that one plugin takes out.
     *
     * @param reasons how many nodes have which; a node may have several
     * @param left how many nodes are left then
     */
    public record Step(String plugin, int rejected, SortedMap<String, Integer> reasons, int left) {}

    static Funnel of(Diagnosis diagnosis) {
        List<Step> steps = new ArrayList<>();
        int left = diagnosis.nodeCount();
        int excluded = diagnosis.excluded().size();
        if (excluded > 0) {
            left -= excluded;
            SortedMap<String, Integer> reasons = new TreeMap<>(Map.of(diagnosis.excludedReason(), excluded));
            steps.add(new Step(String.join(",", diagnosis.narrowedBy()), excluded, reasons, left));
        }
        Map<String, List<Rejection>> byPlugin = new LinkedHashMap<>();
        diagnosis
                .rejections()
                .forEach(rejection -> byPlugin.computeIfAbsent(rejection.plugin(), _ -> new ArrayList<>())
                        .add(rejection));
        for (Map.Entry<String, List<Rejection>> plugin : byPlugin.entrySet()) {
            int rejected = 0;
            SortedMap<String, Integer> reasons = new TreeMap<>();
            for (Rejection rejection : plugin.getValue()) {
                int nodes = rejection.nodes().size();
                rejected += nodes;
                rejection.status().reasons().forEach(reason -> reasons.merge(reason, nodes, Integer::sum));
            }
            left -= rejected;
            steps.add(new Step(plugin.getKey(), rejected, reasons, left));
        }
        return new Funnel(diagnosis.nodeCount(), diagnosis.preFilter(), List.copyOf(steps), diagnosis.message());
    }
}
