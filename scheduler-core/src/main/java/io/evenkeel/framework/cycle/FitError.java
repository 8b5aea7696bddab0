package io.evenkeel.framework.cycle;

import java.util.List;
import java.util.SortedMap;

/** The reference's words for a pod that fits nowhere. */
public final class FitError {
    private FitError() {}

    static String begin(int nodes) {
        return "0/" + nodes + " nodes are available:";
    }

    /** How many nodes have which reason, sorted as text, numbers included. */
    public static String message(int nodes, SortedMap<String, Integer> countsByReason) {
        List<String> counted = countsByReason.entrySet().stream()
                .map(reason -> reason.getValue() + " " + reason.getKey())
                .sorted()
                .toList();
        return counted.isEmpty() ? begin(nodes) : begin(nodes) + ' ' + String.join(", ", counted) + '.';
    }
}
