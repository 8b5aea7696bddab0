package io.evenkeel.app.logging;

import java.util.Locale;

/** The format of log lines. */
enum LogFormat {
    TEXT,
    JSON;

    /** The value of --logging-format. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
