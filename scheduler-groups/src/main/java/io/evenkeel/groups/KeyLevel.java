package io.evenkeel.groups;

import java.util.Arrays;
import java.util.List;

/**
 * The domains of one topology key as the model of a group sees them, and the rules over them.
 *
 * @param names by domain
 * @param domainOf by node of the model
 * @param room by domain, for how many pods of the group its nodes have room
 * @param isOfSingleNodes whether no two nodes of the model share a domain
 */
record KeyLevel(String key, String[] names, int[] domainOf, List<SkewRule> rules, int[] room, boolean isOfSingleNodes) {
    /** Returns the level with these of its rules. */
    KeyLevel keeping(List<SkewRule> kept) {
        return new KeyLevel(key, names, domainOf, kept, room, isOfSingleNodes);
    }

    int size() {
        return names.length;
    }

    int lower(int[] minima, int firstRule, int domain) {
        int lower = 0;
        for (int i = 0; i < rules.size(); i++) {
            lower = Math.max(lower, rules.get(i).lower(minima[firstRule + i], domain));
        }
        return lower;
    }

    int upper(int[] minima, int firstRule, int domain) {
        int upper = room[domain];
        for (int i = 0; i < rules.size(); i++) {
            upper = Math.min(upper, rules.get(i).upper(minima[firstRule + i], domain));
        }
        return upper;
    }

    /** Whether nodes that share a domain here share one there too. */
    boolean isFinerThan(KeyLevel other) {
        int[] theirs = new int[size()];
        Arrays.fill(theirs, -1);
        for (int node = 0; node < domainOf.length; node++) {
            int mine = domainOf[node];
            if (theirs[mine] >= 0 && theirs[mine] != other.domainOf[node]) {
                return false;
            }
            theirs[mine] = other.domainOf[node];
        }
        return true;
    }
}
