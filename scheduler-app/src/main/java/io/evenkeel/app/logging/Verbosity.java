package io.evenkeel.app.logging;

import ch.qos.logback.classic.Level;

/** Log levels by klog's numbers: 0–2 info, 3–4 debug, 5 and more everything. */
record Verbosity(int number) {
    static final Verbosity USUAL = new Verbosity(2);

    Level level() {
        if (number >= 5) {
            return Level.TRACE;
        }
        return number >= 3 ? Level.DEBUG : Level.INFO;
    }

    /** Whether expected failures are logged with their stack traces, too. */
    boolean showsStackTraces() {
        return number >= 3;
    }
}
