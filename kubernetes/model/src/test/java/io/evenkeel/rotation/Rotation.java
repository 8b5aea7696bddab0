package io.evenkeel.rotation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * What takes long is played in part by each build, another part for each commit, told by its hash; {@code -Drotation=off} plays
 * all, as {@code -Pnightly} does, and {@code -Drotation=N} what the commit of that number would.
 */
public final class Rotation {
    /** Of seeds. */
    private static final int PARTS = 10;

    private static final String CHOSEN = System.getProperty("rotation", "");
    private static final int COMMIT =
            CHOSEN.chars().allMatch(Character::isDigit) && !CHOSEN.isEmpty() ? Integer.parseInt(CHOSEN) : ofCommit();

    private static final @Nullable Long ONE = Long.getLong("evenkeel.seed");
    private static final @Nullable Integer MANY = Integer.getInteger("evenkeel.seeds");

    /** Also where seeds are chosen: each test plays those. */
    private static final boolean ALL = CHOSEN.equals("off") || ONE != null || MANY != null;

    private Rotation() {}

    /** A number for the sources: another one for each commit, and always the same where git does not know. */
    public static int commit() {
        return COMMIT;
    }

    /** Whether this build plays that one of as many parts. */
    public static boolean plays(long part, int parts) {
        return ALL || plays(part, parts, COMMIT);
    }

    /** Whether a part of {@link Rotated} tests has its turn. The tens of the commit's number say that; its units choose the seeds. */
    static boolean hasTurn(long part, int parts) {
        return ALL || plays(part, parts, Math.floorDiv(COMMIT, PARTS));
    }

    static boolean plays(long part, int parts, int commit) {
        return Math.floorMod(part, parts) == Math.floorMod(commit, parts);
    }

    /**
     * Seeds from 1 to a number, of which a tenth are played, and one at least; with {@code -Devenkeel.seed=N} that one alone,
     * with {@code -Devenkeel.seeds=N} all to that number.
     */
    public static LongStream seeds(int count) {
        if (ONE != null) {
            return LongStream.of(ONE);
        }
        return MANY != null
                ? LongStream.rangeClosed(1, MANY)
                : LongStream.rangeClosed(1, count).filter(seed -> plays(seed, Math.min(count, PARTS)));
    }

    private static int ofCommit() {
        try {
            Process git = new ProcessBuilder("git", "rev-parse", "HEAD").start();
            return new String(git.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                    .strip()
                    .hashCode();
        } catch (IOException noGit) {
            return 1;
        }
    }
}
