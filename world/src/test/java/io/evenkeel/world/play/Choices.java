package io.evenkeel.world.play;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * All that is left to chance in a world, as one sequence of numbers. A run is repeated by its sequence; a shorter sequence,
 * or one with smaller numbers, is a tamer run, as 0 is the tamest choice everywhere and stands for all that are missing.
 *
 * <pre>
 * of a seed:    3 0 0 7 1 …   what was drawn is kept in {@link #made}
 * given 3 0 7:  3 0 7 0 0 …   the same again, but tame after the third
 * </pre>
 */
public final class Choices {
    private final SplittableRandom random;
    private final int[] given;
    private final boolean drawn;
    private final List<Integer> made = new ArrayList<>();

    private Choices(long seed, int[] given, boolean drawn) {
        random = new SplittableRandom(seed);
        this.given = given;
        this.drawn = drawn;
    }

    public static Choices ofSeed(long seed) {
        return new Choices(seed, new int[0], true);
    }

    public static Choices of(List<Integer> sequence) {
        return new Choices(0, sequence.stream().mapToInt(Integer::intValue).toArray(), false);
    }

    /** One of so many options, 0 being the tamest. */
    public int below(int options) {
        int at = made.size();
        int choice;
        if (at < given.length) {
            choice = Math.min(given[at], options - 1);
        } else {
            choice = drawn ? random.nextInt(options) : 0;
        }
        made.add(choice);
        return choice;
    }

    /** Whether something rare happens. */
    public boolean oneIn(int many) {
        return below(many) == many - 1;
    }

    public <T> T from(List<T> options) {
        return options.get(below(options.size()));
    }

    /** What has been chosen so far. */
    public List<Integer> made() {
        return List.copyOf(made);
    }
}
