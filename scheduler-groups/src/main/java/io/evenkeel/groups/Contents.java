package io.evenkeel.groups;

import io.evenkeel.groups.SearchContext.Twins;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which kinds of the group are on which nodes while it is tried out, so that two states that differ only in who of {@link Twins}
 * holds what count as one.
 */
final class Contents {
    /** Of states that are kept for they were tried in vain; without those beyond, the way on is longer and no other. */
    static final long MOST_KEPT = 8_000_000;

    /** So much of a state is told in the time of a question to the filters. */
    static final int CHARACTERS_A_QUESTION = 256;

    /** So many nodes are compared as choices for a pod in the time of a question to the filters. */
    static final int CHOICES_A_QUESTION = 64;

    /** So many nodes are looked at for twins in the time of a question to the filters. */
    static final int NODES_A_QUESTION = 32;

    private final int[] twins;
    private final Map<Integer, StringBuilder> byNode = new TreeMap<>();

    /** @param twins by node, the first of the ones alike; nodes beyond its end are alike to none */
    Contents(int[] twins) {
        this.twins = twins;
    }

    void add(int node, int kind) {
        StringBuilder held = byNode.computeIfAbsent(node, _ -> new StringBuilder());
        int at = 0;
        while (at < held.length() && held.charAt(at) <= kind) {
            at++;
        }
        held.insert(at, (char) kind);
    }

    void remove(int node, int kind) {
        StringBuilder held = byNode.computeIfAbsent(node, _ -> new StringBuilder());
        held.deleteCharAt(held.indexOf(String.valueOf((char) kind)));
        if (held.isEmpty()) {
            byNode.remove(node);
        }
    }

    /** Describes a node, alike for twins that hold the same: a pod may as well go on one as on the other. */
    String looksOf(int node) {
        StringBuilder held = byNode.get(node);
        return (node < twins.length ? twins[node] : node) + (held == null ? "" : ":" + held);
    }

    /** Describes the state, alike for states that differ only in which of some twins holds what. */
    String state() {
        List<String> all = new ArrayList<>(byNode.size());
        byNode.keySet().forEach(node -> all.add(looksOf(node)));
        all.sort(null);
        return String.join("|", all);
    }
}
