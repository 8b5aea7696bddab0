package io.evenkeel.world.play;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * All that is left to chance in a world, as one sequence of numbers. A run is repeated by its sequence; a shorter sequence,
 * or one with smaller numbers, is a tamer run, as 0 is the tamest choice everywhere and stands for all that are missing.
 *
 * <pre>
 * of a seed:    3 0 0 7 1 …   what was drawn is kept in {@link #made}
 * given 3 0 7:  3 0 7 0 0 …   the same again, but tame after the third
 * bytes 03 80:  0 4 0 0 0 …   128/256 of 8 options, and so on: a byte reaches each of up to 256
 * </pre>
 */
public final class Choices {
    /** By which what is chosen aside changes nothing for any of the seeds that were kept when the first such choice came. */
    private static final long ASIDE = 5L << 32;

    /** The same when the second such came. */
    private static final long FARTHER_ASIDE = 1_378L << 32;

    /** And when the third such came. */
    private static final long FARTHEST_ASIDE = 4_264L << 32;

    private final long seed;
    private final SplittableRandom random;
    private final SplittableRandom aside;
    private final SplittableRandom fartherAside;
    private final SplittableRandom farthestAside;
    private final int[] given;
    private final Source source;
    private final List<Integer> made = new ArrayList<>();
    private int next;

    /** Where a choice comes from that was not made before. */
    private enum Source {
        SEED,
        SEQUENCE,
        BYTES
    }

    private Choices(long seed, int[] given, Source source) {
        this.seed = seed;
        random = new SplittableRandom(seed);
        aside = new SplittableRandom(seed ^ ASIDE);
        fartherAside = new SplittableRandom(seed ^ FARTHER_ASIDE);
        farthestAside = new SplittableRandom(seed ^ FARTHEST_ASIDE);
        this.given = given;
        this.source = source;
    }

    public static Choices ofSeed(long seed) {
        return new Choices(seed, new int[0], Source.SEED);
    }

    public static Choices of(List<Integer> sequence) {
        return new Choices(0, sequence.stream().mapToInt(Integer::intValue).toArray(), Source.SEQUENCE);
    }

    /** Of a fuzzer's bytes, each a choice. */
    public static Choices ofBytes(byte[] bytes) {
        int[] given = new int[bytes.length];
        for (int i = 0; i < given.length; i++) {
            given[i] = bytes[i] & 0xff;
        }
        return new Choices(Arrays.hashCode(bytes), given, Source.BYTES);
    }

    /** One of so many options, 0 being the tamest. */
    public int below(int options) {
        int at = next++;
        int choice;
        if (at < given.length) {
            choice = source == Source.BYTES ? (given[at] * options) >>> 8 : Math.min(given[at], options - 1);
        } else {
            choice = source == Source.SEED ? random.nextInt(options) : 0;
        }
        made.add(choice);
        return choice;
    }

    /** Whether something rare happens. */
    public boolean oneIn(int many) {
        return below(many) == many - 1;
    }

    /**
     * The same, but by a number of its own: of a seed, or of bytes, nothing else is chosen otherwise for it, so that what was
     * found by one before there was this choice goes on as it did wherever it falls as if there were none.
     */
    public boolean oneInAside(int many) {
        return below(many, aside) == many - 1;
    }

    /** One of so many options, by numbers that change nothing for what was there when the second such choice came. */
    public int belowAside(int options) {
        return below(options, fartherAside);
    }

    /** Whether something rare happens, by numbers that change nothing for what was there when the third such choice came. */
    public boolean oneInFarAside(int many) {
        return below(many, farthestAside) == many - 1;
    }

    /** One of them, chosen once, by a number that this name alone has: nothing else is chosen otherwise for it. */
    public <T> T fromAside(List<T> options, String name) {
        return options.get(below(options.size(), new SplittableRandom(seed ^ (long) name.hashCode() << Integer.SIZE)));
    }

    private int below(int options, SplittableRandom ofItsOwn) {
        if (source == Source.SEQUENCE) {
            return below(options);
        }
        int choice = ofItsOwn.nextInt(options);
        made.add(choice);
        return choice;
    }

    public <T> T from(List<T> options) {
        return options.get(below(options.size()));
    }

    /** What has been chosen so far. */
    public List<Integer> made() {
        return List.copyOf(made);
    }
}
