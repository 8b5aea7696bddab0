package io.evenkeel.groups;

import java.util.ArrayList;
import java.util.List;

/**
 * The numbers that one constraint allows in the domains of its key.
 *
 * <p>If the emptiest domain holds m pods in the end, a domain that holds e already gets at least m − e and, if it gets any,
 * at most m + maxSkew − e. That is necessary for each legal end: the last pod that came into a domain came while it held
 * fewer than the minimum of then plus maxSkew, and the minimum only rises. And with these bounds for any m the end is legal.
 *
 * @param maxSkew or {@link #UNBOUNDED}
 * @param fromZero whether the minimum counts as 0, as there are fewer domains than minDomains
 * @param most how many of the group a domain takes whatever the others hold: 1 where they keep away from each other
 * @param counted by domain, whether it counts for the minimum
 * @param existing by domain, how many pods it holds already
 * @param words for people
 */
record SkewRule(int maxSkew, boolean fromZero, int most, boolean[] counted, int[] existing, String words) {
    static final int UNBOUNDED = Integer.MAX_VALUE;

    int lower(int minimum, int domain) {
        return fromZero || !counted[domain] ? 0 : Math.max(0, minimum - existing[domain]);
    }

    int upper(int minimum, int domain) {
        if (maxSkew == UNBOUNDED || !counted[domain]) {
            return most;
        }
        return Math.clamp((long) minimum + maxSkew - existing[domain], 0, most);
    }

    boolean hasMinimum() {
        return maxSkew != UNBOUNDED && !fromZero;
    }

    /**
     * The minima that so many pods can lead to as far as this rule and the room in each domain go: for the others either
     * some domain has too little room, or all together must take more, or may take less. None is the proof that so
     * many cannot be placed.
     */
    List<Integer> minima(int pods, int[] room) {
        List<Integer> possible = new ArrayList<>();
        for (int minimum = 0; ; minimum++) {
            long atLeast = 0;
            long atMost = 0;
            for (int domain = 0; domain < room.length; domain++) {
                int lower = lower(minimum, domain);
                if (lower > room[domain]) {
                    return possible;
                }
                atLeast += lower;
                atMost += Math.min(upper(minimum, domain), room[domain]);
            }
            if (atLeast > pods) {
                return possible;
            }
            if (atMost >= pods) {
                possible.add(minimum);
            }
            if (!hasMinimum() || minimum > pods + highest()) {
                return possible;
            }
        }
    }

    private int highest() {
        int highest = 0;
        for (int existingIn : existing) {
            highest = Math.max(highest, existingIn);
        }
        return highest;
    }
}
