package io.evenkeel.app.record.format;

/** The first byte of each entry. A number is never used again for something else: records outlive versions. */
final class Tags {
    static final int TIME = 1;
    static final int TICKING = 2;
    static final int PLACING = 3;
    static final int DECIDED = 4;
    static final int NOT_SENT = 5;
    static final int KNOWN = 6;
    static final int ALL_KNOWN = 7;
    static final int HASH = 8;
    static final int ENDED = 9;

    static final int PUT = 16;
    static final int PUT_AGAIN = 17;
    static final int REMOVED = 18;
    /** Since version 2. */
    static final int KNOWN_REMOVED = 19;

    static final int BEGAN = 20;
    static final int PRESENT = 21;
    static final int LISTED = 22;
    static final int UNREADABLE = 23;
    static final int EXTENDERS = 24;
    static final int INQUIRY = 25;

    static final int BOUND = 32;
    static final int NOT_BOUND = 33;
    static final int FOUND = 34;
    static final int LOOKUP_FAILED = 35;
    static final int WRITTEN = 36;
    static final int NOT_WRITTEN = 37;
    static final int ONLY_SAID = 38;
    static final int EVICTED = 39;
    static final int NOT_EVICTED = 40;

    private Tags() {}
}
