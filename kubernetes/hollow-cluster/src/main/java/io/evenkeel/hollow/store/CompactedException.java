package io.evenkeel.hollow.store;

/** The history does not reach back to the version asked for. */
public final class CompactedException extends Exception {

    private final long asked;
    private final long oldest;

    CompactedException(long asked, long oldest) {
        super("version " + asked + " is compacted, the oldest is " + oldest, null, false, false);
        this.asked = asked;
        this.oldest = oldest;
    }

    public long asked() {
        return asked;
    }

    public long oldest() {
        return oldest;
    }
}
