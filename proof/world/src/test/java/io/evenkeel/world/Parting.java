package io.evenkeel.world;

import io.evenkeel.config.ShardSettings;
import io.evenkeel.world.life.Life;
import io.evenkeel.world.play.Choices;
import java.util.ArrayList;
import java.util.List;

/**
 * How the nodes of a world are parted among engines, one way after the other: most worlds have one, some come to it from none, or
 * go on to another or to none, as new replicas take the places of old ones. In half of them there is no overseer for a while, or ever.
 */
record Parting(List<ShardSettings> ways) {
    /** All nodes are in one engine. */
    static final Parting NONE = new Parting(List.of(ShardSettings.NONE));

    private static final List<String> VALUES = List.of("a", "b", "c");

    private static final List<String> WITHOUT_OVERSEER = List.of(
            "never", "never", "never", "never", "never", "always", "always", "at first", "in the end", "for a while");

    Parting {
        ways = List.copyOf(ways);
    }

    static Parting of(Choices choices) {
        List<ShardSettings> ways = new ArrayList<>(List.of(some(choices)));
        if (choices.oneIn(3)) {
            switch (choices.below(4)) {
                case 1 -> ways.add(ShardSettings.NONE);
                case 2 -> ways.addAll(List.of(ShardSettings.NONE, some(choices)));
                case 3 -> ways.add(some(choices));
                default -> ways.addFirst(ShardSettings.NONE);
            }
        }
        return new Parting(withoutOverseer(choices.fromAside(WITHOUT_OVERSEER, "across"), ways));
    }

    private static List<ShardSettings> withoutOverseer(String when, List<ShardSettings> ways) {
        List<ShardSettings> all = new ArrayList<>(ways);
        switch (when) {
            case "always" -> all.replaceAll(Parting::refusing);
            case "at first" -> all.addFirst(refusing(ways.getFirst()));
            case "in the end" -> all.add(refusing(ways.getLast()));
            case "for a while" -> all.addAll(List.of(refusing(ways.getLast()), ways.getLast()));
            default -> {}
        }
        return all;
    }

    private static ShardSettings refusing(ShardSettings way) {
        return way.shards() > 1 ? new ShardSettings(way.nodeLabel(), way.values(), way.count(), true) : way;
    }

    /** By a label, or by their names; two to four parts. */
    private static ShardSettings some(Choices choices) {
        int parts = 2 + choices.below(3);
        return choices.oneIn(3)
                ? new ShardSettings("", List.of(), parts, false)
                : new ShardSettings(Life.POOL, VALUES.subList(0, parts - 1), 1, false);
    }

    /** Whether nodes are parted at some time. */
    boolean isAny() {
        return !equals(NONE);
    }

    /** The pools that nodes are in. */
    List<String> pools() {
        return isAny() ? List.of("a", "b", "c", "d") : List.of();
    }
}
