package io.evenkeel.world.life;

import io.evenkeel.world.play.Choices;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What there is in a world that is not in every one. Which worlds have what is drawn aside: all others are what they are
 * without it. For example:
 *
 * <pre>
 * three tenths of the worlds    none of these; a third of all has GROUPS, whatever else it has
 * four tenths                   one of the others
 * three tenths                  two of them, or one that is drawn twice
 * a sixth of all                has DEVICES, whatever else it has
 * an eighth of all              has MOVES, whatever else it has
 * </pre>
 *
 * <p>{@code -Dworld.with=BUDGETS,VOLUMES} gives all worlds these. No world has SHARDS by chance, and one that has them has no others
 * but those that go together with them.
 */
public enum Features {
    /** ReplicaSets, the pods of which are placed together. */
    GROUPS,
    /** PodDisruptionBudgets, and pods that are neither the most important nor the least. */
    BUDGETS,
    /** Claims and volumes, whoever binds and makes them, and limits of how many a node takes. */
    VOLUMES,
    /** PlacementPolicies, the statuses of which the leader writes. */
    POLICIES,
    /** An extender that has a say in where pods go. */
    EXTENDERS,
    /** Devices, claims to them, whoever publishes devices and lets go of claims. */
    DEVICES,
    /** ReplicaSets that are spread hard, and leaders that move their pods where that does not hold any more. */
    MOVES,
    /** Nodes that are parted among several engines. */
    SHARDS;

    private static final List<String> ALWAYS =
            List.of(System.getProperty("world.with", "").split(","));

    /** What shards go together with here. */
    private static final Set<Features> BESIDE_SHARDS = EnumSet.of(SHARDS, BUDGETS, VOLUMES, DEVICES, GROUPS, POLICIES);

    /** Those of the world that is chosen next, which has these in any case. */
    public static Set<Features> of(Choices choices, Set<Features> also) {
        Set<Features> all = EnumSet.noneOf(Features.class);
        if (choices.oneInAside(3)) {
            all.add(GROUPS);
        }
        List<Features> others = List.of(BUDGETS, VOLUMES, POLICIES, EXTENDERS);
        int share = choices.belowAside(10);
        int drawn = share < 3 ? 0 : share < 7 ? 1 : 2;
        for (int draw = 0; draw < drawn; draw++) {
            all.add(others.get(choices.belowAside(others.size())));
        }
        if (choices.oneInFarAside(6)) {
            all.add(DEVICES);
        }
        if (choices.fromAside(List.of(false, false, false, false, false, false, false, true), "moves")) {
            all.add(MOVES);
        }
        for (Features each : values()) {
            if (ALWAYS.contains(each.name()) || also.contains(each)) {
                all.add(each);
            }
        }
        if (all.contains(SHARDS)) {
            all.retainAll(BESIDE_SHARDS);
        }
        return all;
    }
}
