package io.evenkeel.lab.bench.plot;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import io.evenkeel.lab.bench.suite.CaseName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToIntFunction;

/** The sizes that most cases of a drawing have: these are told once below its title, others beside the workload. */
record Usual(int nodes, int pods, int fill) {
    static Usual of(List<CaseName> names) {
        return new Usual(most(names, CaseName::nodes), most(names, CaseName::pods), most(names, CaseName::fill));
    }

    boolean has(CaseName name) {
        return name.nodes() == nodes && name.pods() == pods;
    }

    /** Where the case differs; empty where it does not. */
    String told(CaseName name) {
        List<String> parts = new ArrayList<>();
        if (name.nodes() != nodes) {
            parts.add(Numbers.counted(name.nodes(), "node"));
        }
        if (name.pods() != pods) {
            parts.add(Numbers.counted(name.pods(), "pod"));
        }
        if (name.fill() != fill) {
            parts.add(name.fill() == 0 ? "empty nodes" : there(name.fill()));
        }
        return String.join(", ", parts);
    }

    /** Below the title; a size of 0 is the one that the drawing is about. */
    String subtitle(List<CaseName> names) {
        List<String> parts = new ArrayList<>();
        if (pods > 0) {
            parts.add(Numbers.counted(pods, "pod"));
        }
        if (nodes > 0) {
            parts.add("onto " + Numbers.counted(nodes, "node"));
        }
        if (fill > 0) {
            parts.add(there(fill));
        }
        boolean others = names.stream().anyMatch(name -> !told(name).isEmpty());
        return String.join(" ", parts) + (others ? ", unless said otherwise" : "");
    }

    private static String there(int fill) {
        return "filled with " + Numbers.counted(fill, "pod") + " a node";
    }

    /** The most frequent number, of equally frequent ones the least. */
    private static int most(List<CaseName> names, ToIntFunction<CaseName> number) {
        TreeMap<Integer, Long> frequency =
                names.stream().collect(groupingBy(number::applyAsInt, TreeMap::new, counting()));
        long times =
                frequency.values().stream().mapToLong(Long::longValue).max().orElseThrow();
        return frequency.entrySet().stream()
                .filter(one -> one.getValue() == times)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }
}
