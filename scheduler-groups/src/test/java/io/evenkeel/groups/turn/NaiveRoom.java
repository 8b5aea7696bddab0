package io.evenkeel.groups.turn;

import io.evenkeel.groups.turn.SmallRoom.Occupant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Room in a small cluster by going through everything: who may go, who is reprieved, whether there are seats. */
final class NaiveRoom {
    private final SmallRoom small;
    /** Units that may go, the most important first. */
    private final List<Set<Integer>> units = new ArrayList<>();

    private int[] seats = {};

    NaiveRoom(SmallRoom small) {
        this.small = small;
        Map<String, Set<Integer>> byName = new LinkedHashMap<>();
        for (int i = 0; i < small.occupants().size(); i++) {
            Occupant occupant = small.occupants().get(i);
            if (!isGone(i)) {
                byName.computeIfAbsent(occupant.unit() < 0 ? "p" + i : "unit-" + occupant.unit(), _ -> new HashSet<>())
                        .add(i);
            }
        }
        byName.values().stream()
                .filter(unit -> unit.stream().allMatch(i -> priority(i) < small.priority()))
                .sorted(Comparator.<Set<Integer>>comparingInt(unit -> -highest(unit))
                        .thenComparing(unit ->
                                small.occupants().get(unit.iterator().next()).unit() < 0)
                        .thenComparingInt(this::startOfFirst)
                        .thenComparingInt(unit -> -unit.size())
                        .thenComparing(this::name))
                .forEach(units::add);
    }

    private boolean isGone(int i) {
        return small.occupants().get(i).leaving() && priority(i) < small.priority();
    }

    private int priority(int i) {
        return small.occupants().get(i).priority();
    }

    private int highest(Set<Integer> unit) {
        return unit.stream().mapToInt(this::priority).max().orElseThrow();
    }

    /** Of those of the highest priority. */
    private int startOfFirst(Set<Integer> unit) {
        return unit.stream()
                .filter(i -> priority(i) == highest(unit))
                .mapToInt(i -> small.occupants().get(i).start())
                .min()
                .orElseThrow();
    }

    private String name(Set<Integer> unit) {
        int any = unit.iterator().next();
        int number = small.occupants().get(any).unit();
        return number < 0 ? "p" + any : "unit-" + number;
    }

    Set<Integer> allWhoMayGo() {
        Set<Integer> all = new HashSet<>();
        units.forEach(all::addAll);
        return all;
    }

    List<Set<Integer>> unitsOf(Set<Integer> gone) {
        return units.stream().filter(gone::containsAll).toList();
    }

    boolean isUnion(Set<Integer> gone) {
        Set<Integer> all = new HashSet<>();
        unitsOf(gone).forEach(all::addAll);
        return all.equals(gone);
    }

    boolean hasSeatsWithoutSome() {
        for (int some = 0; some < 1 << units.size(); some++) {
            Set<Integer> gone = new HashSet<>();
            for (int i = 0; i < units.size(); i++) {
                if ((some & 1 << i) != 0) {
                    gone.addAll(units.get(i));
                }
            }
            if (hasSeatsWithout(gone)) {
                return true;
            }
        }
        return false;
    }

    /** Who goes by the rule, where that it has seats without all who may go is known; nobody where it fits as it is. */
    Set<Integer> reprieveOneByOne() {
        if (hasSeatsWithout(Set.of())) {
            return Set.of();
        }
        Set<Set<Integer>> isProtected = isProtected();
        Set<Integer> gone = allWhoMayGo();
        for (boolean areProtected : new boolean[] {true, false}) {
            for (Set<Integer> unit : units) {
                if (isProtected.contains(unit) == areProtected) {
                    gone.removeAll(unit);
                    if (!hasSeatsWithout(gone)) {
                        gone.addAll(unit);
                    }
                }
            }
        }
        return gone;
    }

    private Set<Set<Integer>> isProtected() {
        Map<Integer, Integer> disturbed = new HashMap<>();
        Set<Set<Integer>> found = new HashSet<>();
        for (Set<Integer> unit : units) {
            for (int i : unit) {
                int app = small.occupants().get(i).app();
                int allowed = small.budgets().get(app);
                if (allowed >= 0 && disturbed.merge(app, 1, Integer::sum) > allowed) {
                    found.add(unit);
                }
            }
        }
        return found;
    }

    boolean hasSeatsWithout(Set<Integer> gone) {
        seats = new int[small.waiting().size()];
        Arrays.fill(seats, -1);
        return seat(gone, small.waiting().size());
    }

    private boolean seat(Set<Integer> gone, int left) {
        if (left == 0) {
            return true;
        }
        for (int pod = 0; pod < seats.length; pod++) {
            for (int node = 0; seats[pod] < 0 && node < small.cpus().size(); node++) {
                if (isLegal(pod, node, gone)) {
                    seats[pod] = node;
                    if (seat(gone, left - 1)) {
                        return true;
                    }
                    seats[pod] = -1;
                }
            }
        }
        return false;
    }

    private boolean isLegal(int pod, int node, Set<Integer> gone) {
        int free = small.cpus().get(node);
        for (int i = 0; i < small.occupants().size(); i++) {
            if (isThere(i, gone) && small.occupants().get(i).node() == node) {
                free -= small.occupants().get(i).cpu();
            }
        }
        for (int other = 0; other < seats.length; other++) {
            free -= seats[other] == node ? small.waiting().get(other) : 0;
        }
        return small.waiting().get(pod) <= free && isEven(0, node, gone) && isEven(1, node, gone);
    }

    private boolean isThere(int i, Set<Integer> gone) {
        return !gone.contains(i) && !isGone(i);
    }

    private boolean isEven(int key, int node, Set<Integer> gone) {
        int maxSkew = small.skews().get(key);
        if (maxSkew == 0) {
            return true;
        }
        Map<Integer, Integer> counts = new HashMap<>();
        for (int other = 0; other < small.cpus().size(); other++) {
            counts.putIfAbsent(domain(key, other), 0);
        }
        for (int i = 0; i < small.occupants().size(); i++) {
            Occupant occupant = small.occupants().get(i);
            if (isThere(i, gone) && occupant.app() == 0 && !occupant.leaving()) {
                counts.merge(domain(key, occupant.node()), 1, Integer::sum);
            }
        }
        for (int seat : seats) {
            if (seat >= 0) {
                counts.merge(domain(key, seat), 1, Integer::sum);
            }
        }
        int least = counts.values().stream().min(Integer::compare).orElseThrow();
        return counts.getOrDefault(domain(key, node), 0) + 1 - least <= maxSkew;
    }

    private int domain(int key, int node) {
        return key == 0 ? small.zones().get(node) : node;
    }
}
