package io.evenkeel.app.record;

/** The running hash of all that was decided in a run: equal runs have equal ones, in whichever process. */
public final class DecisionHash {
    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    private long hash;
    private long decisions;

    /** Goes on where another has ended. */
    public static DecisionHash from(long hash, long decisions) {
        DecisionHash begun = new DecisionHash();
        begun.hash = hash;
        begun.decisions = decisions;
        return begun;
    }

    public void add(Said said) {
        hash = Long.rotateLeft(hash, 7) + said.digest() * FACTOR;
        decisions++;
    }

    public long value() {
        return hash;
    }

    /** How many commands it is of. */
    public long decisions() {
        return decisions;
    }
}
