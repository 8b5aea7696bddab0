package io.evenkeel.app.logging;

import ch.qos.logback.classic.Level;

/** How much is logged, by the numbers that klog has made usual: 0–2 info, 3–4 debug, 5 and more everything. */
record Verbosity(int number) {
    static final Verbosity USUAL = new Verbosity(2);

    Level level() {
        if (number >= 5) {
            return Level.TRACE;
        }
        return number >= 3 ? Level.DEBUG : Level.INFO;
    }

    /** Whether even expected troubles come with their stack traces. */
    boolean showsStackTraces() {
        return number >= 3;
    }
}
