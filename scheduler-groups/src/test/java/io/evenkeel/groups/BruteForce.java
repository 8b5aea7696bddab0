package io.evenkeel.groups;

import io.evenkeel.groups.SmallCase.Member;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Goes through every order and every end of a small case, with the rules written out once more, as plainly as can be. */
final class BruteForce {
    private static final int NOWHERE = -1;

    private final SmallCase small;
    private final List<Member> group;
    private final int[] nodeOf;
    private final Set<String> seen = new HashSet<>();
    private int longest;

    BruteForce(SmallCase small) {
        this.small = small;
        this.group = small.group();
        this.nodeOf = new int[group.size()];
        Arrays.fill(nodeOf, NOWHERE);
    }

    boolean hasOrder() {
        seen.clear();
        Arrays.fill(nodeOf, NOWHERE);
        return order(0);
    }

    /** Where there is no order of all, how many pods the longest has. */
    int longestOrder() {
        return longest;
    }

    private boolean order(int placed) {
        longest = Math.max(longest, placed);
        if (placed == group.size()) {
            return true;
        }
        if (!seen.add(state())) {
            return false;
        }
        for (int pod = 0; pod < group.size(); pod++) {
            if (nodeOf[pod] != NOWHERE || hasAnEqualThatWaits(pod)) {
                continue;
            }
            for (int node = 0; node < small.nodes(); node++) {
                if (isLegal(pod, node)) {
                    nodeOf[pod] = node;
                    if (order(placed + 1)) {
                        return true;
                    }
                    nodeOf[pod] = NOWHERE;
                }
            }
        }
        return false;
    }

    private boolean hasAnEqualThatWaits(int pod) {
        for (int before = 0; before < pod; before++) {
            if (nodeOf[before] == NOWHERE && group.get(before).equals(group.get(pod))) {
                return true;
            }
        }
        return false;
    }

    private String state() {
        List<String> seats = new ArrayList<>();
        for (int pod = 0; pod < nodeOf.length; pod++) {
            seats.add(nodeOf[pod] + "=" + group.indexOf(group.get(pod)));
        }
        seats.sort(null);
        return String.join(",", seats);
    }

    boolean hasEnd() {
        Arrays.fill(nodeOf, NOWHERE);
        return end(0);
    }

    private boolean end(int pod) {
        if (pod == group.size()) {
            return isLegalAsAWhole();
        }
        int equal = pod;
        do {
            equal--;
        } while (equal >= 0 && !group.get(equal).equals(group.get(pod)));
        for (int node = equal < 0 ? 0 : nodeOf[equal]; node < small.nodes(); node++) {
            if (hasRoom(pod, node) && !isKeptAway(pod, node)) {
                nodeOf[pod] = node;
                if (end(pod + 1)) {
                    return true;
                }
                nodeOf[pod] = NOWHERE;
            }
        }
        return false;
    }

    boolean isLegalAsAWhole() {
        for (int pod = 0; pod < nodeOf.length; pod++) {
            int node = nodeOf[pod];
            nodeOf[pod] = NOWHERE;
            boolean legal = isLegal(pod, node);
            nodeOf[pod] = node;
            if (!legal) {
                return false;
            }
        }
        return true;
    }

    /** Whether these go in this order. */
    boolean isOrder(List<Integer> pods, List<Integer> nodes) {
        Arrays.fill(nodeOf, NOWHERE);
        for (int i = 0; i < pods.size(); i++) {
            if (nodeOf[pods.get(i)] != NOWHERE || !isLegal(pods.get(i), nodes.get(i))) {
                return false;
            }
            nodeOf[pods.get(i)] = nodes.get(i);
        }
        return true;
    }

    boolean isEnd(List<Integer> pods, List<Integer> nodes) {
        for (int i = 0; i < pods.size(); i++) {
            nodeOf[pods.get(i)] = nodes.get(i);
        }
        return pods.size() == group.size() && isLegalAsAWhole();
    }

    private boolean isLegal(int pod, int node) {
        return hasRoom(pod, node) && !isKeptAway(pod, node) && isNear(pod, node) && isSpread(pod, node);
    }

    private boolean hasRoom(int pod, int node) {
        int used = group.get(pod).cpu();
        for (Member member : on(node)) {
            used += member.cpu();
        }
        return used <= small.cpu()[node];
    }

    private boolean isKeptAway(int pod, int node) {
        Member own = group.get(pod);
        for (int other = 0; other < small.nodes(); other++) {
            for (Member member : on(other)) {
                boolean sameShard = member.shard() == own.shard() && own.shard() >= 0;
                if (sameShard && (isAlone(own, node, other) || isAlone(member, node, other))) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isAlone(Member member, int one, int other) {
        int key = member.aloneOver();
        return key >= 0 && small.domains()[key][one] == small.domains()[key][other];
    }

    private boolean isNear(int pod, int node) {
        Member own = group.get(pod);
        if (own.near() < 0) {
            return true;
        }
        boolean anywhere = false;
        for (int other = 0; other < small.nodes(); other++) {
            for (Member member : on(other)) {
                if (member.shard() == own.near()) {
                    anywhere = true;
                    if (small.domains()[0][node] == small.domains()[0][other]) {
                        return true;
                    }
                }
            }
        }
        return !anywhere && own.shard() == own.near();
    }

    private boolean isSpread(int pod, int node) {
        for (int key = 0; key < SmallCase.KEYS.length; key++) {
            int maxSkew = group.get(pod).skews().get(key);
            if (maxSkew == 0) {
                continue;
            }
            int[] domains = small.domains()[key];
            int[] counts = new int[small.nodes() + 4];
            boolean[] exists = new boolean[counts.length];
            for (int other = 0; other < small.nodes(); other++) {
                exists[domains[other]] = true;
                counts[domains[other]] += on(other).size();
            }
            int fewest = Integer.MAX_VALUE;
            for (int domain = 0; domain < counts.length; domain++) {
                fewest = exists[domain] ? Math.min(fewest, counts[domain]) : fewest;
            }
            if (counts[domains[node]] + 1 - fewest > maxSkew) {
                return false;
            }
        }
        return true;
    }

    private List<Member> on(int node) {
        List<Member> on = new ArrayList<>(small.there().get(node));
        for (int pod = 0; pod < nodeOf.length; pod++) {
            if (nodeOf[pod] == node) {
                on.add(group.get(pod));
            }
        }
        return on;
    }
}
